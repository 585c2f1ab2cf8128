"""What a trail tells of messages that were gathered."""

from __future__ import annotations

from bot.diagnostics.merged_messages import merged_message_lines
from bot.domain.ledger import LedgerStage, StageRow, StageVerdict


def row(**detail: str) -> StageRow:
    return StageRow(
        inbound=1, at=0, stage=LedgerStage.COALESCED, verdict=StageVerdict.NOTED, detail=tuple(detail.items())
    )


def test_it_says_how_many_how_long_and_why():
    told = merged_message_lines([row(messages="3", sign="an album", waited="1.5 s")])
    assert list(told) == ["3 messages became one turn: the bot waited 1.5 s for more (an album)."]
    assert list(merged_message_lines([row(messages="2", sign="a forward")])) == [
        "2 messages became one turn (a forward)."
    ]
    assert list(merged_message_lines([row(messages="1", sign="a forward", waited="1.5 s")])) == [
        "The bot waited 1.5 s for more (a forward)."
    ]


def test_older_rows_and_other_stages_are_read_too():
    assert list(merged_message_lines([row(into="i1", messages="2")])) == []
    assert list(merged_message_lines([row(messages="2", waited="1.5 s")])) == [
        "2 messages became one turn: the bot waited 1.5 s for more."
    ]
    assert (
        list(merged_message_lines([row().replace(stage=LedgerStage.TURN)])) == list(merged_message_lines([row()])) == []
    )


def test_it_tells_of_a_request_that_was_broken_off():
    told = merged_message_lines([row(messages="2", began_again="yes")])
    assert list(told)[-1] == "The bot dropped its first request: another piece came a moment later."
