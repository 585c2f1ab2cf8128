from __future__ import annotations

import asyncio

from bot.cortex.doctor import examination
from bot.cortex.doctor.examination import DoctorSubjects, examine, exit_status
from bot.domain.health import ProbeResult
from tests.bot.cortex.chat import GENERAL, chat

OK = ProbeResult(name="a", state="ok", evidence="fine", fix="none needed")
WARNING = ProbeResult(name="b", state="warning", evidence="slow", fix="wait")
FAILED = ProbeResult(name="c", state="failed", evidence="dead", fix="start it")
UNKNOWN = ProbeResult(name="d", state="unknown", evidence="no answer", fix="ask again")


def test_rows_say_problem_evidence_and_fix():
    text = examination.as_text([OK, WARNING, FAILED])
    assert text.splitlines() == [
        "✓ a: fine",
        "! b: slow",
        "  → wait",
        "✗ c: dead",
        "  → start it",
        "3 checks: 1 failed, 1 to look at.",
    ]
    assert examination.as_text([OK]).endswith("All is well.")
    assert examination.as_text([OK, UNKNOWN]).splitlines()[1:] == [
        "○ d: no answer",
        "  → ask again",
        "2 checks: 0 failed, 0 to look at, 1 without an answer.",
    ]
    assert examination.as_json([FAILED]) == [{"problem": "c", "state": "failed", "evidence": "dead", "fix": "start it"}]


def test_the_exit_status_says_well_wrong_or_not_known():
    assert [exit_status(rows) for rows in ([OK], [OK, WARNING], [WARNING, FAILED], [])] == [0, 1, 1, 0]
    assert [exit_status(rows) for rows in ([OK, UNKNOWN], [UNKNOWN, WARNING])] == [2, 1]


async def test_probes_that_hang_or_break_are_rows(tmp_path, monkeypatch):
    monkeypatch.setattr(examination, "_PROBE_SECONDS", 0.5)

    class Hangs:
        async def probe(self):
            await asyncio.sleep(60)

    class Breaks:
        async def probe(self):
            raise RuntimeError("no")

    async with chat(tmp_path) as bot:
        patients = DoctorSubjects(bot.store, {"slow": Hangs(), "odd": Breaks()}, {"console": bot.platform})
        rows = {row.name: row for row in await examine(patients, GENERAL)}
        assert rows["provider slow"].state == "unknown" and rows["provider slow"].fix
        assert rows["provider odd"].state == "failed"
        assert rows["console"].state == "ok"
        assert any(name.startswith("store") for name in rows)
