"""Run the kept checks: does the bot, as it is configured now, decide as it should?"""

from __future__ import annotations

import asyncio
from argparse import Namespace
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from bot.agent.turn.model_client import ModelClient, parse_model
from bot.agent.turn.redacting_provider import DiscreetProvider
from bot.app.adapters import looking_edges, machine
from bot.app.bot import Bot
from bot.cli.doctor import load_checked
from bot.cli.rehearse import agrees, model_config
from bot.config import LoadedConfig
from bot.context.envelope import section_texts
from bot.domain.base import quarter_bytes
from bot.domain.decision_check import DecisionCheck
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import ChannelKey
from bot.domain.llm import ModelName, TokenUsage
from bot.domain.snapshot import CaptureKind
from bot.errors import UserError
from bot.prompts import render
from bot.replay.decision_checks import (
    FEWEST_RUNS,
    MOST_RUNS,
    CheckResult,
    CheckWord,
    PromptNow,
    all_hold,
    forgotten_memories,
    result_words,
    run_check,
    todays_change,
)
from bot.replay.replayer import PreparedReplay, Replayer
from bot.replay.request_parts import AS_IT_WAS, PartChange
from bot.replay.run_log import BorrowedLessons, RunLog
from bot.runtime.logs import configure_logs
from bot.runtime.terminal import complain, print_text, say_json
from bot.sentences import say
from bot.text.figures import money, quantity
from bot.text.redaction import Redactor
from bot.text.text import one_line_name, quote_line

EXIT_HOLDS, EXIT_FAILS = 0, 1


class PlannedCheck(NamedTuple):
    """A check that is to be run; `why` says why it cannot be (then there is no replay)."""

    check: DecisionCheck
    channel: str
    replay: PreparedReplay | None = None
    change: PartChange = AS_IT_WAS
    usage: TokenUsage = TokenUsage()
    why: str = ""


def check(args: Namespace, path: Path) -> int:
    """Say what it takes, ask for consent, run, and return 0 where every check holds."""
    loaded = load_checked(args, path)
    configure_logs("error", Redactor.of(loaded.secrets))
    return asyncio.run(_check(args, loaded))


async def _check(args: Namespace, loaded: LoadedConfig) -> int:
    redactor = Redactor.of(loaded.secrets)
    async with looking_edges(loaded, machine()) as edges:
        kept = await edges.store.checks.kept()
        if not kept:
            raise UserError(render("replay/check", kind="no_checks"))
        discreet = {name: DiscreetProvider(one, redactor.redact) for name, one in edges.providers.items()}
        models = ModelClient(
            discreet, model_config(args, loaded.config.model), edges.clock, BorrowedLessons(edges.store.lessons.known)
        )
        log = RunLog()
        replayer = Replayer(models, log, edges.clock)
        planner = _Planner(Bot(edges, loaded), replayer, args)
        planned = [await planner.plan(one) for one in kept]
        told = _forecast(planned, replayer)
        (complain if args.json else print_text)(told.text)
        _check_price(args, told)
        if told.fewest and not args.yes and not agrees():
            raise UserError(say("cli.nothing-asked"))
        results = [await _result(one, replayer) for one in planned]
    _print(planned, results, log.cost, redactor, as_json=args.json)
    return EXIT_HOLDS if all_hold(results) else EXIT_FAILS


class _Forecast(NamedTuple):
    text: str
    fewest: int
    most_cost: float | None


@dataclass
class _Planner:
    """Finds what each check would ask; what a channel is told today is read once."""

    bot: Bot
    replayer: Replayer
    args: Namespace

    def __post_init__(self) -> None:
        self._today: dict[ChannelKey, Mapping[str, str]] = {}

    async def plan(self, check: DecisionCheck) -> PlannedCheck:
        """Return a check as it would be run now."""
        store = self.bot.edges.store
        stored = await store.journal.request(check.request)
        if stored is None:
            return PlannedCheck(check, "", why=render("replay/check", kind="gone"))
        key = ChannelKey(stored.record.agent, stored.record.channel)
        state = await store.channels.load(key)
        name = one_line_name(state.name if state else key.channel)
        try:
            replay = self.replayer.prepared(stored, None, self._model(key, state.settings.model if state else ""))
            change = AS_IT_WAS if self.args.as_recorded else await self._change(replay, key)
        except UserError as error:
            return PlannedCheck(check, name, why=str(error))
        answered = next((one.response for one in stored.attempts if one.response is not None), None)
        size = len(self.replayer.wire(replay.parts.with_change(change)).body)
        tokens = (answered.usage.input if answered else 0) or stored.record.stats.total
        tokens = round(tokens * size / stored.record.wire_bytes) if stored.record.wire_bytes else tokens
        out = (answered.usage.output if answered else 0) or quarter_bytes(answered.text if answered else "")
        return PlannedCheck(check, name, replay, change, TokenUsage(input=tokens, output=max(out, 1)))

    def _model(self, key: ChannelKey, own: str) -> ModelName:
        config, models = self.bot.config, self.replayer.models
        usual = models.chain()[0]
        if self.args.model:
            return usual
        wanted = own or config.channel(key.channel).model or config.agent(key.agent).model
        return parse_model(wanted, usual.provider) if wanted else usual

    async def _change(self, replay: PreparedReplay, key: ChannelKey) -> PartChange:
        if key not in self._today:
            now = await self.bot.inspector.inspect(key, CaptureKind.NEXT)
            self._today[key] = section_texts(now.request, now.numbers.sections)
        gone = await forgotten_memories(self.bot.edges.store.memories, replay)
        return todays_change(replay, PromptNow(self._today[key], gone))


def _forecast(planned: list[PlannedCheck], replayer: Replayer) -> _Forecast:
    asked = [(one, one.replay) for one in planned if one.replay is not None]
    fewest, most = len(asked) * FEWEST_RUNS, len(asked) * MOST_RUNS
    costs = [replayer.models.price(replay.model, one.usage) for one, replay in asked]
    known = None if None in costs else sum(cost or 0.0 for cost in costs)
    text = render(
        "replay/check",
        kind="forecast",
        checks=len(planned),
        models=sorted({str(replay.model) for _, replay in asked}),
        notes=sorted({note for _, replay in asked for note in replay.notes}),
        fewest=fewest,
        most=most,
        tokens=quantity(sum(one.usage.input or 0 for one, _ in asked) * FEWEST_RUNS),
        cost="" if known is None else money(known * FEWEST_RUNS),
        most_cost="" if known is None else money(known * MOST_RUNS),
    )
    return _Forecast(text, fewest, None if known is None else known * MOST_RUNS)


def _check_price(args: Namespace, told: _Forecast) -> None:
    if args.most_cost is None:
        return
    if told.most_cost is None:
        raise UserError(say("replays.check-price-needed"))
    if told.most_cost > args.most_cost:
        cost, most = money(told.most_cost), money(args.most_cost)
        raise UserError(say("replays.check-too-expensive", cost=cost, most=most))


async def _result(one: PlannedCheck, replayer: Replayer) -> CheckResult:
    if one.replay is None:
        return CheckResult(one.check, CheckWord.CANNOT, why=one.why)
    return await run_check(replayer, one.check, one.replay, one.check.request, one.change)


def _print(
    planned: list[PlannedCheck], results: list[CheckResult], cost: float, redactor: Redactor, *, as_json: bool
) -> None:
    holding = sum(one.word is CheckWord.HOLDS for one in results)
    if as_json:
        shown = [
            {
                "request": handle(HandleKind.REQUEST, one.check.request),
                "channel": plan.channel,
                "expected": one.check.expected,
                "word": one.word.value,
                "hits": one.hits,
                "runs": one.runs,
                "seen": dict(one.seen),
                "why": one.why,
            }
            for plan, one in zip(planned, results, strict=True)
        ]
        return say_json({"checks": shown, "holds": holding, "cost_usd": cost})
    for plan, one in zip(planned, results, strict=True):
        print_text(result_words(one, plan.channel, quote_line(redactor.redact(one.why).text, 200)))
    print_text(
        render("replay/check", kind="total", holds=holding, checks=len(results), cost=money(cost) if cost else "")
    )
