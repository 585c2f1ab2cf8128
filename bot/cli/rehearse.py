"""Rehearse the last turns with another model or prompt: price first, then asked, compared, and nothing done."""

from __future__ import annotations

import asyncio
import sys
from argparse import Namespace
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from bot.agent.turn.model_client import ModelClient, parse_model
from bot.agent.turn.redacting_provider import DiscreetProvider
from bot.app.adapters import ClockAndEntropy, live_adapters, looking_store, machine
from bot.cli.doctor import load_checked
from bot.cli.host_queries import HostQueries
from bot.cli.terminal_questions import ask
from bot.config import LoadedConfig, ModelConfig
from bot.config.file_privacy import read_text
from bot.cortex.pages.exports import local_time
from bot.domain.llm import ModelName
from bot.domain.turn import AttemptRecord, StoredTurn
from bot.errors import ProviderError, UserError
from bot.ports.store import Store
from bot.prompts import render
from bot.replay.rehearsal import Rehearsal, RehearsalPlan, RehearsalPlanner, RehearsalResult, RehearsedChange
from bot.replay.rehearsal import RehearsedTurn as Rehearsed
from bot.replay.replayed_decision import ReplayedDecision
from bot.replay.replayer import Replayer
from bot.replay.run_log import BorrowedLessons, RunLog
from bot.runtime.files import FileName, write_new
from bot.runtime.logs import configure_logs
from bot.runtime.terminal import complain, print_text, say_json
from bot.sentences import say
from bot.text.figures import duration, money, quantity
from bot.text.redaction import Redactor
from bot.text.text import one_line_name, quote_line

EXIT_SAME, EXIT_DIFFERENT = 0, 1
_FOLDER = "rehearsals"
_SAID_CHARS = 120


def rehearse(args: Namespace, path: Path) -> int:
    """Say what it takes, ask for consent, rehearse, and return 0 where every decision is the same."""
    loaded = load_checked(args, path)
    redactor = Redactor.of(loaded.secrets)
    configure_logs("error", redactor)
    return asyncio.run(_rehearse(args, loaded, redactor))


async def _rehearse(args: Namespace, loaded: LoadedConfig, redactor: Redactor) -> int:
    on = machine()
    async with live_adapters(loaded, on) as (providers, _), looking_store(loaded, on) as store:
        discreet = {name: DiscreetProvider(provider, redactor.redact) for name, provider in providers.items()}
        config = model_config(args, loaded.config.model)
        models = ModelClient(discreet, config, on.clock, BorrowedLessons(store.lessons.known))
        change = await asyncio.to_thread(_change, args, loaded, models)
        log = RunLog()
        replayer = Replayer(models, log, on.clock)
        turns = await _turns(HostQueries(store, loaded.config, on.clock, args.agent), store, args)
        plan = await RehearsalPlanner(replayer, store.journal, change).plan(turns)
        show = RehearsalPage(args, change, redactor)
        if not plan.turns:
            raise UserError("\n".join([say("replays.no-turns"), *show.left_out(plan)]))
        _check_price(args, plan)
        if not args.json or not args.yes:
            (complain if args.json else print_text)(show.forecast(plan))
        if not args.yes and not agrees():
            raise UserError(say("cli.nothing-asked"))
        running = Rehearsal(replayer, store.journal, change, log, plan, args.most_cost, _progress(len(plan.turns)))
        started = on.clock.monotonic()
        try:
            result = await running.run()
        except asyncio.CancelledError:
            result = running.result
            result.stopped = say("replays.stopped-by-you")
        seconds = on.clock.monotonic() - started
    kept = await asyncio.to_thread(_keep, loaded, on, _record(plan, result, log, on.clock.now()))
    _print(show, result, seconds, str(kept), as_json=args.json)
    well = len(result.compared) == len(plan.turns) and not any(one.changed for one in result.turns)
    return EXIT_SAME if well else EXIT_DIFFERENT


def model_config(args: Namespace, config: ModelConfig) -> ModelConfig:
    """Return the configuration of the model that is asked; what is known of the usual one is not known of another."""
    prices = {"price_input": args.price_input, "price_output": args.price_output}
    if (prices["price_input"] is None) != (prices["price_output"] is None):
        raise UserError(say("replays.both-prices"))
    given = {key: value for key, value in prices.items() if value is not None}
    usual = parse_model(config.name, "")
    wanted = parse_model(args.model, usual.provider) if args.model else usual
    if wanted == usual:
        return config.model_copy(update={"fallbacks": (), **given})
    others: dict[str, Any] = dict.fromkeys(("sees_images", "price_cached", "price_cache_write"))
    unknown = {"context_window": 0, "max_output_tokens": 0, **others, "price_input": None, "price_output": None}
    return config.model_copy(update={"name": str(wanted), "fallbacks": (), **unknown, **given})


def _change(args: Namespace, loaded: LoadedConfig, models: ModelClient) -> RehearsedChange:
    model: ModelName | None = None
    if args.model:
        model = models.chain()[0]
        try:
            models.encoder(model)
        except ProviderError as error:
            why = say("replays.name-a-model", why=str(error), provider=model.provider)
            raise UserError(why) from None
    persona = None
    if args.persona:
        try:
            persona = read_text(Path(args.persona)).strip()
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise UserError(say("cli.cannot-read", file=args.persona, why=why)) from None
    return RehearsedChange(model, tuple(args.without), persona, loaded.config.called)


async def _turns(host: HostQueries, store: Store, args: Namespace) -> list[tuple[StoredTurn, str]]:
    """Return the last turns with the names of their channels, oldest first."""
    channels = [(await host.meant(args.channel))[0]] if args.channel else await host.known()
    found: list[tuple[StoredTurn, str]] = []
    for channel in channels:
        if args.agent and channel.agent != args.agent:
            continue
        name = one_line_name(channel.name)
        found += [(turn, name) for turn in await store.journal.recent_turns(channel.key, args.last)]
    return sorted(found, key=lambda one: one[0].id)[-args.last :]


def _check_price(args: Namespace, plan: RehearsalPlan) -> None:
    if args.most_cost is None:
        return
    if plan.cost is None:
        raise UserError(say("replays.price-needed", models=", ".join(plan.models)))
    if plan.cost > args.most_cost:
        raise UserError(say("replays.too-expensive", cost=money(plan.cost), most=money(args.most_cost)))


def agrees() -> bool:
    """Ask whether to go on; False where nobody can answer."""
    if not sys.stdin.isatty():
        return False
    try:
        return ask(lambda answer: answer.lower() in ("y", "yes"), "rehearse")
    except EOFError:
        return False


def _progress(planned: int) -> Any:
    if not sys.stderr.isatty():
        return lambda _: None
    return lambda done: complain(say("replays.progress", done=done, planned=planned)) if done % 10 == 0 else None


@dataclass(frozen=True)
class RehearsalPage:
    """Puts a rehearsal into words."""

    args: Namespace
    change: RehearsedChange
    redactor: Redactor

    def forecast(self, plan: RehearsalPlan) -> str:
        """Say what it would ask, take and cost."""
        close = self.args.most_cost is not None
        return render(
            "replay/rehearsal",
            kind="forecast",
            turns=len(plan.turns),
            models=plan.models,
            services=sorted({model.partition("/")[0] for model in plan.models}),
            changes=list(self._changes()),
            requests=len(plan.requests),
            tokens_in=quantity(plan.tokens_in),
            tokens_out=quantity(plan.tokens_out),
            cost="" if plan.cost is None else money(plan.cost),
            most=money(self.args.most_cost) if close else "",
            time=duration(max(1.0, plan.seconds)),
            left_out=list(plan.left_out.items()),
            notes=plan.notes,
        )

    def left_out(self, plan: RehearsalPlan) -> list[str]:
        """Say which turns cannot be asked for."""
        return [say("replays.left-out", count=count, why=why) for why, count in plan.left_out.items()]

    def report(self, result: RehearsalResult, seconds: float) -> str:
        """Say what came of it."""
        return render(
            "replay/rehearsal",
            kind="report",
            same=result.same,
            rates=[(kind.value, before, after) for kind, before, after in result.rates()],
            stopped=result.stopped,
            done=len(result.turns),
            planned=result.planned,
            changed=[self._shown(one) for one in result.turns if one.changed],
            failed=[self._shown(one) for one in result.turns if one.error],
            tokens_in=quantity(result.tokens_in),
            tokens_out=quantity(result.tokens_out),
            cost=money(result.cost) if result.cost else "",
            time=duration(seconds),
        )

    def value(self, result: RehearsalResult) -> dict[str, Any]:
        """Return the same for a program."""
        same = result.same
        return {
            "same": {"hits": same.hits, "cases": same.cases, "low": same.low, "high": same.high},
            "decisions": {
                kind.value: {"before": before.hits, "after": after.hits, "low": after.low, "high": after.high}
                for kind, before, after in result.rates()
            },
            "stopped": result.stopped,
            "planned": result.planned,
            "turns": [self._shown(one) | {"changed": one.changed} for one in result.turns],
            "tokens_in": result.tokens_in,
            "tokens_out": result.tokens_out,
            "cost_usd": result.cost,
        }

    def _changes(self) -> list[str]:
        found = [say("replays.changed-model", model=str(self.change.model))] if self.change.model else []
        found += [say("replays.changed-without", name=quote_line(name, 60)) for name in self.change.without]
        return found + ([say("replays.changed-persona", file=self.args.persona)] if self.args.persona else [])

    def _shown(self, one: Rehearsed) -> dict[str, Any]:
        return {
            "turn": one.turn,
            "request": one.request,
            "channel": one.channel,
            "before": _named(one.before),
            "after": _named(one.after),
            "said": quote_line(self.redactor.redact(one.said).text, _SAID_CHARS),
            "error": quote_line(one.error, 200),
        }


def _named(decision: ReplayedDecision | None) -> str:
    if decision is None:
        return ""
    return f"{decision.kind.value} ({one_line_name(decision.detail, 60)})" if decision.detail else decision.kind.value


def _record(plan: RehearsalPlan, result: RehearsalResult, log: RunLog, at: int) -> bytes:
    """Write the runs down without their words: those stand in the bot's store, where they can be erased."""
    found = {(one.turn, one.request): one for one in result.turns}
    document = {
        "kind": "rehearsal",
        "at": at,
        "stopped": result.stopped,
        "planned": [turn.turn for turn in plan.turns],
        "turns": [
            {"turn": one.turn, "request": one.request, "before": _named(one.before), "after": _named(one.after)}
            for one in found.values()
        ],
        "runs": [
            {**record.model_dump(mode="json"), "attempts": [_bare(one) for one in log.attempts if one.request == row]}
            for row, record in enumerate(log.requests, 1)
        ],
    }
    return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _bare(attempt: AttemptRecord) -> dict[str, Any]:
    usage = attempt.response.usage.model_dump(mode="json") if attempt.response else None
    return {**attempt.model_dump(mode="json", exclude={"response", "error"}), "usage": usage}


def _keep(loaded: LoadedConfig, on: ClockAndEntropy, content: bytes) -> Path | str:
    name = FileName(f"{local_time(on.clock.now()).strftime('%Y%m%d-%H%M%S')}-rehearsal", ".json")
    try:
        return write_new(Path(loaded.config.bot.data_dir), (_FOLDER,), name, content)
    except OSError as error:
        complain(say("replays.runs-not-kept", why=error.strerror or type(error).__name__))
        return ""


def _print(show: RehearsalPage, result: RehearsalResult, seconds: float, kept: str, *, as_json: bool) -> None:
    if as_json:
        return say_json({**show.value(result), "path": kept})
    print_text(show.report(result, seconds))
    if kept:
        print_text(say("replays.runs-kept", file=kept))
