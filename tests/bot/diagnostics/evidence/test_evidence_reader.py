"""The evidence in the rules' own words."""

from __future__ import annotations

from bot.diagnostics.evidence.evidence_reader import (
    fail_reason,
    first_word,
    gate_stop,
    message_ref,
    place_name,
    ref,
    stopped_count,
)
from bot.domain.handles import HandleKind
from bot.domain.ledger import FailReason, Outcome, OutcomeCount
from bot.domain.messages import ChannelPlace
from tests.fakes.evidence import evidence, failed_turn, gated, gates_row, healthy, stored, trail
from tests.fakes.values import GENERAL, passed, stopped


def test_a_gate_is_read_back_with_what_it_compared() -> None:
    stop = gate_stop(evidence(gated(stopped("sender", "user_denied", list="allowed_users"))))
    assert stop is not None
    assert (stop.gate, stop.reason, stop.compared, stop.row) == (
        "sender",
        "user_denied",
        {"list": "allowed_users"},
        3000,
    )


def test_a_gate_row_without_its_values_still_names_the_gate() -> None:
    row = gates_row(stopped("sender")).replace(detail=())
    stop = gate_stop(evidence(trail(stored(Outcome.GATED, "sender"), row)))
    assert stop is not None
    assert (stop.gate, stop.compared) == ("sender", {})


def test_an_answered_message_was_stopped_by_nothing() -> None:
    assert gate_stop(evidence(trail(stored(), gates_row(stopped("sender"))))) is None
    assert gate_stop(evidence(trail(stored(), gates_row(passed())))) is None
    assert gate_stop(evidence(None)) is None


def test_a_place_is_named_shortly_and_never_by_a_person() -> None:
    assert place_name(healthy(name="#general")) == "#general"
    assert place_name(healthy(name="ann", place=ChannelPlace(is_dm=True))) == "This DM"
    assert len(place_name(healthy(name="#a-very-long-channel-name-indeed"))) == 18
    assert "\n" not in place_name(healthy(name="#a\n✓ all is well"))
    assert "@everyone" not in place_name(healthy(name="@everyone"))


def test_reasons_are_read_by_their_first_word() -> None:
    assert first_word("send:50013") == "send"
    assert first_word("") == ""
    assert fail_reason(failed_turn("send:50013")) is FailReason.SEND
    assert fail_reason(failed_turn("")) is FailReason.INTERNAL
    assert fail_reason(healthy()) is None


def test_only_this_channels_stopped_messages_are_counted() -> None:
    here = OutcomeCount(channel=GENERAL, outcome=Outcome.GATED, reason="pause", count=39, newest=1)
    other = here.replace(channel="console:#other")
    answered = here.replace(outcome=Outcome.REPLIED)
    assert stopped_count(healthy(counts=(here, other, answered)), "pause") == 39


def test_only_stored_rows_are_pointed_at() -> None:
    assert ref(HandleKind.TURN, 0, "a turn") == ()
    assert message_ref(evidence(None)) == ()
