"""What a platform minds about an answer is read once, and only where it said so."""

from __future__ import annotations

import pytest

from bot.diagnostics.evidence.deliveries import (
    PlatformObjection,
    delivered_without_marks,
    lost_chunks,
    objection_to,
    refused_chunk,
)
from bot.domain.ledger import Outcome
from bot.domain.turn import OutboxState
from tests.bot.diagnostics.scenarios import delivered
from tests.fakes.evidence import TURN, answered, evidence, failed_turn, sent, stored, trail, turn


@pytest.mark.parametrize("word", list(PlatformObjection))
def test_an_objection_is_the_first_word_of_the_error(word: PlatformObjection) -> None:
    row = sent(OutboxState.DEAD, error=f"{word}: as the platform says it")
    assert objection_to(row) == (word, row)


def test_a_chunk_that_is_tried_again_was_told_to_wait_before() -> None:
    row = sent(OutboxState.SENDING, error="flood: calls go one by one")
    assert objection_to(row) == (PlatformObjection.FLOOD, row)


@pytest.mark.parametrize("error", ["", "503: flood", "forbidden: dm_closed", "too_longer: x"])
def test_other_errors_are_no_objections(error: str) -> None:
    assert objection_to(sent(OutboxState.DEAD, error=error)) is None


def test_what_arrived_or_may_have_arrived_was_not_refused() -> None:
    assert objection_to(sent(OutboxState.SENT, error="flood: wait")) is None
    assert objection_to(sent(OutboxState.UNCERTAIN, error="flood: wait")) is None


def test_a_notice_is_no_answer() -> None:
    notice = sent(OutboxState.DEAD, "notice", error="too_long: x")
    about = failed_turn("send:too_long", answered(), shape={"outbox": (notice,)})
    assert lost_chunks(about) == ()
    assert refused_chunk(about) is None


def test_a_turn_that_failed_elsewhere_is_not_explained_by_its_delivery() -> None:
    row = sent(OutboxState.DEAD, error="too_long: x")
    assert refused_chunk(failed_turn("provider: auth", shape={"outbox": (row,)})) is None


def test_marks_are_missed_only_in_an_answer_that_arrived() -> None:
    note = delivered(note="markup")
    there = evidence(trail(stored(turn=TURN), note), turn=turn(outbox=(sent(),)))
    assert delivered_without_marks(there) == note
    assert delivered_without_marks(evidence(trail(stored(Outcome.FAILED, "send:cut", turn=TURN), note))) is None
    assert delivered_without_marks(evidence(trail(stored(turn=TURN), delivered(note="other")))) is None
    assert delivered_without_marks(evidence(None)) is None
