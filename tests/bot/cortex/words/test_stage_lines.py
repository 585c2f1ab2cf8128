"""The steps of a message are said in words, whatever they know, in every language."""

from __future__ import annotations

from itertools import product

import pytest

from bot.cortex.words.stage_lines import stage_detail, stage_line
from bot.domain.ledger import LedgerStage, StageRow, StageVerdict
from bot.sentences import speaking
from tests.fakes.clock import START

UNUSED = {LedgerStage.PROCESS}
"""Kept for rows of before; nothing is noted at it."""


def row(stage: LedgerStage, verdict=StageVerdict.PASSED, reason: str = "", **detail: str) -> StageRow:
    return StageRow(
        id=7, inbound=1, at=START, stage=stage, verdict=verdict, reason=reason, detail=tuple(detail.items())
    )


@pytest.mark.parametrize(
    ("stage", "verdict"), list(product((one for one in LedgerStage if one not in UNUSED), StageVerdict))
)
@pytest.mark.parametrize("language", ["en", "de"])
def test_no_step_is_said_by_its_code(stage, verdict, language):
    with speaking(language):
        said = stage_line(row(stage, verdict)).rpartition(" · ")[0].partition(" ")[2]
    assert said and not said.endswith(f"{stage}, {verdict}"), said


@pytest.mark.parametrize(
    ("detail", "english", "german"),
    [
        ({"messages": "1"}, "1 message", "1 Nachricht"),
        ({"messages": "2"}, "2 messages", "2 Nachrichten"),
        (
            {"round": "0", "tokens": "2527", "window": "8192", "counted": "estimate"},
            "round 1, ≈2,527 of 8,192 tokens",
            "Runde 1, ≈2.527 von 8.192 Token",
        ),
        ({"tokens": "9", "window": "10", "counted": "exact"}, "9 of 10 tokens", "9 von 10 Token"),
        ({"digest": "4d849cb6f425545a3fc9"}, "digest 4d849cb6f425545a", "Prüfsumme 4d849cb6f425545a"),
        ({"digest": "`x`\n@everyone"}, "digest ˋxˋ ＠everyone", "Prüfsumme ˋxˋ ＠everyone"),
        ({"message_id": "1760000000004"}, "message 1760000000004", "Nachricht 1760000000004"),
        ({"of_a_plugin": "0042"}, "of a plugin: 0042", "of a plugin: 0042"),
        ({"of_a_plugin": "`@everyone`\n1 = 2"}, "of a plugin: ˋ＠everyoneˋ 1 = 2", "of a plugin: ˋ＠everyoneˋ 1 = 2"),
        ({"window": "60"}, "window: 60", "window: 60"),
    ],
)
def test_what_a_step_knows_is_said_with_its_number(detail, english, german):
    known = row(LedgerStage.ASSEMBLED, **detail)
    assert stage_detail(known) == english
    with speaking("de"):
        assert stage_detail(known) == german


def test_gates_that_cannot_be_read_are_shown_as_they_are():
    assert stage_detail(row(LedgerStage.GATES, verdicts="not json")) == "not json"
