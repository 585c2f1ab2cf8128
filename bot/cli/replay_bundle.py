"""Check a replay bundle on any machine, offline; with a configured model also run it again."""

from __future__ import annotations

import asyncio
import os
from argparse import Namespace
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from bot.agent.turn.model_client import ModelClient, parse_model
from bot.agent.turn.redacting_provider import DiscreetProvider
from bot.app.adapters import introduced_provider, live_adapters, machine
from bot.cli.doctor import load_checked
from bot.cli.rehearse import agrees
from bot.config import ModelConfig
from bot.domain.llm import WireRequest
from bot.domain.snapshot import ContextSnapshot
from bot.domain.turn import StoredRequest
from bot.errors import ConfigError, UserError
from bot.inspect.diff.export_reader import MAX_BYTES
from bot.mind.proof.rate_interval import wilson_interval
from bot.prompts import render
from bot.replay.bundle_file import BundleCheck, Encode, ReplayBundle, checked, read_bundle
from bot.replay.replayer import Replayer, ReplayRun
from bot.replay.run_log import BorrowedLessons, RunLog
from bot.runtime.logs import configure_logs
from bot.runtime.terminal import complain, print_text, say_json
from bot.sentences import say
from bot.text.figures import money
from bot.text.redaction import Redactor
from bot.text.text import one_line_name

EXIT_HOLDS, EXIT_DIFFERS = 0, 1
_MOST_NAMED = 5
_CHECKED = {
    "seal": "replays.checked-seal",
    "sections": "replays.checked-sections",
    "parts": "replays.checked-parts",
    "request": "replays.checked-request",
    "bytes": "replays.checked-bytes",
    "sent": "replays.checked-sent",
    "runs": "replays.checked-runs",
}


def replay(args: Namespace, path: Path) -> int:
    """Check a bundle, say what holds, and return 0 when all does; raise UserError for what is no bundle."""
    configure_logs("error", Redactor.of({}))
    return asyncio.run(_replay(args, path))


async def _replay(args: Namespace, path: Path) -> int:
    bundle, seal_holds = read_bundle(await asyncio.to_thread(_content, Path(args.file)), args.file)
    async with _encoder(bundle) as encode:
        checks = await asyncio.to_thread(lambda: list(checked(bundle, seal_holds=seal_holds, encode=encode)))
    well = not any(check.wrong for check in checks)
    if args.json:
        say_json(
            {
                "holds": well,
                "bytes_compared": encode is not None,
                "checks": [check._asdict() for check in checks],
                "request": bundle.sent.request,
                "digest": bundle.record.digest,
                "decided": bundle.decided,
                "runs": [run.model_dump(mode="json") for run in bundle.runs],
            }
        )
    else:
        print_text(_told(bundle, args.file, checks, encoded=encode is not None))
    if args.run and not well:
        raise UserError(say("replays.not-run"))
    if args.run:
        await _run(args, path, bundle)
    return EXIT_HOLDS if well else EXIT_DIFFERS


def _content(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise UserError(render("replay/bundle", kind="no_file", file=str(path), why=why)) from None


@asynccontextmanager
async def _encoder(bundle: ReplayBundle) -> AsyncIterator[Encode | None]:
    """Bring the encoder that wrote a bundle, without key or network; None where this program has another."""
    model = bundle.record.request.model
    async with AsyncExitStack() as stack:
        try:
            provider = await stack.enter_async_context(introduced_provider(bundle.kind, {}))
        except ConfigError:
            yield None
            return
        models = ModelClient({model.provider: provider}, ModelConfig(name=str(model)), machine().clock)

        def encode(snapshot: ContextSnapshot) -> WireRequest:
            return models.encode(snapshot.request, snapshot.inputs.limits.dialect)

        yield encode if provider.encoder == bundle.encoder else None


def _told(bundle: ReplayBundle, file: str, checks: Sequence[BundleCheck], *, encoded: bool) -> str:
    decisions = Counter(run.decision for run in bundle.runs)
    return render(
        "replay/bundle",
        kind="told",
        file=os.path.basename(file),
        request=bundle.sent.request,
        model=str(bundle.record.request.model),
        at=bundle.written_at,
        program=bundle.program,
        redactions=bundle.redactions,
        withheld=bundle.withheld,
        checks=[_line(check) for check in checks],
        decided=bundle.decided,
        runs=decisions.most_common(),
        well=not any(check.wrong for check in checks),
        encoded=encoded,
        encoder=bundle.encoder,
    )


def _line(check: BundleCheck) -> str:
    wrong = [one_line_name(one, 60) for one in check.wrong[:_MOST_NAMED]]
    wrong += [say("replays.more-wrong", count=len(check.wrong) - _MOST_NAMED)] if len(check.wrong) > _MOST_NAMED else []
    return render("replay/bundle", kind="check", what=say(_CHECKED[check.what], count=check.amount), wrong=wrong)


async def _run(args: Namespace, path: Path, bundle: ReplayBundle) -> None:
    """Ask a configured model what the request asked; nothing it wants is done."""
    loaded, on = load_checked(args, path), machine()
    redactor = Redactor.of(loaded.secrets)
    async with live_adapters(loaded, on) as (providers, _):
        discreet = {name: DiscreetProvider(provider, redactor.redact) for name, provider in providers.items()}
        log, wanted = RunLog(), args.model or str(bundle.record.request.model)
        name = parse_model(wanted, parse_model(loaded.config.model.name, "").provider)
        models = ModelClient(discreet, loaded.config.model, on.clock, BorrowedLessons(()))
        replayer = Replayer(models, log, on.clock)
        prepared = replayer.prepared(StoredRequest(id=0, record=bundle.record), None, name)
        price = replayer.price(prepared, args.run)
        cost = money(price) if price is not None else ""
        print_text(render("replay/bundle", kind="runs", runs=args.run, model=str(prepared.model), cost=cost))
        if not args.yes and not agrees():
            raise UserError(say("cli.nothing-asked"))
        found = Counter[str]()
        for number in range(1, args.run + 1):
            decision = await replayer.run(prepared, ReplayRun(0, number))
            found[decision.name] += 1
        for decided, count in found.most_common():
            one = wilson_interval(count, args.run)
            low, high = f"{one.low:.0%}", f"{one.high:.0%}"
            print_text(say("replays.decided", decision=decided, count=count, runs=args.run, low=low, high=high))
        if log.cost:
            complain(say("replays.it-cost", cost=money(log.cost)))
