"""Any piece of evidence may be missing: it is named, nothing rests on it, and what else was found stands."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.cortex.words.report import MAX_CHARACTERS, MAX_LINES, first_message
from bot.diagnostics import piece_reader
from bot.diagnostics.collect.collector import EvidenceCollector, EvidenceQuery, LiveSources
from bot.diagnostics.diagnose import diagnose
from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.rules import RULES
from bot.domain.access import Authority
from bot.domain.finding import UnreadEvidence
from bot.errors import StoreError
from tests.bot.diagnostics.collect.test_collector import Bot, Nobody, bot
from tests.bot.diagnostics.scenarios import HEALTHY, SCENARIOS
from tests.dialogs.online import Stopwatch
from tests.fakes import values as v
from tests.fakes.evidence import up
from tests.fakes.lengths import whole_or
from tests.fakes.patience import USUAL

__all__ = ["bot"]

CERTAIN = {"now", "target", "live", "unread", "missing", "probes", "lists", "other_ids", "turn_timeout", "admins"}
FIELDS = sorted(set(Evidence.model_fields) - CERTAIN - {"debounce_longest", "routes"})
OF_TARGET = ("about", "settings")
WORLDS = {**{name: evidence for name, (_, evidence, *_) in SCENARIOS.items()}, **HEALTHY}
ORDER, STRIDE = list(WORLDS), whole_or(1, 3)
LOST = (UnreadEvidence(what="something", why="it is gone", fix="Look there."),)
ERRORS = (
    KeyError("x"),
    StoreError("the disk is gone."),
    OSError(5, "Input/output error", "/x/glassmind.db"),
    MemoryError(),
)
READ = {
    "heartbeat",
    "channels.load",
    "channels.fresh_start",
    "ledger.recent",
    "ledger.trail",
    "ledger.counts",
    "journal.recent_requests",
    "journal.recent_turns",
    "journal.turn",
    "journal.requests_of_turn",
    "journal.calls_of_turn",
    "outlines.outlines_of_turn",
    "outbox.in_state",
    "outbox.of_inbound",
    "memories.in_reach",
}
"""What is read of the store for an answered message; a reader that is not named here fails the first test."""


class Watched:
    """A store whose readers are noted, and of which one fails or hangs."""

    def __init__(self, store: Any, seen: set[str], broken: dict[str, Any], path: str = "") -> None:
        self._it = store
        self._seen = seen
        self._broken = broken
        self._path = path

    def __getattr__(self, name: str) -> Any:
        found, path = getattr(self._it, name), f"{self._path}{name}"
        if asyncio.iscoroutinefunction(found):
            return self._reader(path, found)
        if not self._path and not isinstance(found, str | int | tuple | list | bytes):
            return Watched(found, self._seen, self._broken, f"{path}.")
        return found

    def _reader(self, path: str, found: Any) -> Any:
        async def read(*args: Any, **kwargs: Any) -> Any:
            self._seen.add(path)
            if path in self._broken:
                if self._broken[path] is None:
                    await asyncio.Event().wait()
                raise self._broken[path]
            return await found(*args, **kwargs)

        return read


def collector(bot: Bot, seen: set[str], **broken: Any) -> EvidenceCollector:
    live = LiveSources(Nobody(), lambda: (up(last_event_at=bot.clock.at),), lambda: ())
    return EvidenceCollector(Watched(bot.store, seen, broken), bot.clock, bot.config, live)  # type: ignore[arg-type]


async def asked(bot: Bot, seen: set[str], broken: dict[str, Any]) -> str:
    return first_message(
        diagnose(await collector(bot, seen, **broken).collect(v.KEY, "#general", EvidenceQuery())),
        "s1",
        Authority.OWNER,
    )


async def test_these_are_the_readers(bot: Bot) -> None:
    await bot.answers(await bot.hears())
    seen: set[str] = set()
    assert "all is well" in await asked(bot, seen, {})
    assert seen == READ


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
async def test_a_reader_that_fails_is_named_and_hides_nothing_else(bot: Bot, error: Exception) -> None:
    await bot.answers(await bot.hears())
    for path in sorted(READ):
        report = await asked(bot, set(), {path: error})
        assert "○ could not look at " in report and "all is well" not in report and "✗" not in report, path


async def test_readers_that_hang_cost_less_than_the_time_of_a_first_answer(
    bot: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, seconds in USUAL.items():
        monkeypatch.setattr(piece_reader, name, seconds)
    await bot.answers(await bot.hears())
    with Stopwatch() as watch:
        reports = await asyncio.gather(*(asked(bot, set(), {path: None}) for path in sorted(READ)))
    assert watch.seconds < 2.5
    assert all("it took too long" in report and "all is well" not in report for report in reports)


async def test_all_of_them_at_once_still_give_a_report(bot: Bot) -> None:
    await bot.answers(await bot.hears())
    report = await asked(bot, set(), dict.fromkeys(READ, StoreError("the disk is gone.")))
    assert "could not look at everything" in report and "the disk is gone" in report


@pytest.mark.parametrize("part", ["adapters", "models", "preview", "probe", "stale", "tools", "vitals", "directory"])
async def test_a_part_of_the_process_that_fails_is_named(bot: Bot, part: str) -> None:
    await bot.answers(await bot.hears())

    class Broken(Nobody):
        def get(self, key: Any) -> None:
            raise RecursionError

    def fails(*_: object) -> Any:
        raise RecursionError

    parts: dict[str, Any] = {
        "directory": Nobody(),
        "adapters": lambda: (up(last_event_at=bot.clock.at),),
        "models": lambda: (),
        part: Broken() if part == "directory" else fails,
    }
    evidence = await EvidenceCollector(bot.store, bot.clock, bot.config, LiveSources(**parts)).collect(
        v.KEY, "#general", EvidenceQuery()
    )
    report = first_message(diagnose(evidence), "s1", Authority.OWNER)
    assert "something in the bot failed (RecursionError)" in report and "all is well" not in report


def lacking(evidence: Evidence, field: str) -> Evidence:
    if field in OF_TARGET:
        target = evidence.target.model_copy(update={"missing": frozenset({field})})
        return evidence.model_copy(update={"target": target, "unread": LOST})
    return evidence.model_copy(update={"missing": frozenset({field}), "unread": LOST})


@pytest.mark.parametrize("name", WORLDS)
def test_no_finding_rests_on_what_is_missing(name: str) -> None:
    whole = [finding for rule in RULES for finding in rule(WORLDS[name])]
    # each world lacks some of them, and each of them is lacking in many worlds
    for field in (*FIELDS, *OF_TARGET)[ORDER.index(name) % STRIDE :: STRIDE]:
        diagnosis = diagnose(lacking(WORLDS[name], field))
        assert diagnosis.unread == LOST
        assert [found.rule for found in diagnosis.findings if found not in whole] == [], field
        report = first_message(diagnosis, "s1", Authority.OWNER)
        assert "could not look at something: it is gone" in report and "all is well" not in report, field
        assert len(report) <= MAX_CHARACTERS and len(report.splitlines()) <= MAX_LINES, report


def test_a_rule_that_breaks_hides_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(_: Evidence) -> Any:
        raise ZeroDivisionError

    breaks.__module__ = "bot.diagnostics.rules.breaks"
    monkeypatch.setattr("bot.diagnostics.diagnose.RULES", (breaks, *RULES))
    for name, (rule, evidence, *_) in SCENARIOS.items():
        diagnosis = diagnose(evidence)
        assert diagnosis.findings[0].rule == rule, name
        assert diagnosis.unread[0].what == "one of the checks" and "ZeroDivisionError" in diagnosis.unread[0].why
    for evidence in HEALTHY.values():
        assert "all is well" not in first_message(diagnose(evidence), "s1", Authority.OWNER)
