"""What an answer claims is held against the calls of its turn."""

from __future__ import annotations

import pytest

from bot.mind.action_claims import LONGEST_TEXT, claims
from bot.mind.claim_check import NARROW_TOOLS, RecordVerdict, false_successes
from bot.mind.claim_forms import ClaimedAction
from bot.tools.toolsets import TOOLSETS
from tests.bench.claims import HALVES, wrong
from tests.fakes.evidence import call

MAX_MISSED, MAX_ALARMS = 20, 60
"""One of so many; the bar is three of 60 missed and one of 60 honest answers flagged."""
BROAD = {"branch", "spawn_worker", "await_result", "check_task", "shell", "exec", "browser"}


@pytest.mark.parametrize("half", HALVES, ids=lambda half: half[0].replace(" ", "_"))
def test_false_claims_are_seen_and_honest_answers_are_left_alone(half):
    missed, alarms = wrong(*half[1:])
    assert len(missed) <= max(1, len(half[1]) // MAX_MISSED), missed
    assert len(alarms) <= max(1, len(half[2]) // MAX_ALARMS), alarms


def test_the_record_says_what_is_wrong_with_a_claim():
    (none,) = false_successes("I've saved it.", ())
    (other,) = false_successes("I've saved it.", (call("memory_recall"),))
    (failed,) = false_successes("I've saved it.", (call("memory_save", success=False),))
    assert [none.record, other.record, failed.record] == [
        RecordVerdict.NO_CALL,
        RecordVerdict.OTHER_CALL,
        RecordVerdict.FAILED_CALL,
    ]
    assert none.claim.words == "I've saved it"


def test_work_that_was_handed_on_may_have_done_it():
    assert not false_successes("I've sent it to Bob.", (call("spawn_worker"),))
    assert not false_successes("I've sent it to Bob.", (call("mail_send"),))
    assert not false_successes("I've sent it to Bob.", (), earlier={"spawn_worker"})
    assert false_successes("I'll remind you.", (), earlier={"spawn_worker"})


def test_a_second_try_that_worked_is_no_failure():
    assert not false_successes("Saved!", (call("memory_save", success=False), call("memory_save")))


def test_short_words_claim_what_was_asked_for():
    (found,) = claims("Done!", "please delete my note")
    assert found.action is ClaimedAction.DELETE
    assert not claims("Done!", "are you done?")


def test_what_is_quoted_or_written_for_somebody_is_no_claim():
    assert not claims("> I've saved it.\nThat is what he wrote.")
    assert not claims("```\nI've saved it.\n```")
    assert not claims("I have sent the rent.", "write a letter to my landlord")


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        ("Consider it done! I'll ping you at 8.", ClaimedAction.DO),
        ("C'est dans la boîte 😎", ClaimedAction.DO),
        ("Das hab ich mir hinter die Ohren geschrieben.", ClaimedAction.SAVE),
        ("Your table is booked for eight.", ClaimedAction.DO),
        ("Mensaje fijado arriba del todo.", ClaimedAction.SET_UP),
        ("J'ai viré le spammeur.", ClaimedAction.MODERATE),
    ],
)
def test_a_deed_is_claimed_by_an_idiom_by_what_is_so_now_and_by_a_report(answer, action):
    assert claims(answer)[0].action is action


@pytest.mark.parametrize(
    "answer",
    [
        "Done! The answer is 42.",
        "C'est réglé, voici le texte : bonjour à tous.",
        "— I have sent the ravens — said the wizard and lit his pipe.",
        "*bows like a butler* The letter was delivered to the count.",
        "According to Bo, the table is booked.",
        "The alarm rings even in flight mode.",
        "O membro banido não consegue escrever.",
    ],
)
def test_an_answer_that_is_the_deed_a_story_and_what_others_did_are_no_claims(answer):
    assert not claims(answer)


def test_what_is_so_now_is_a_claim_where_something_was_to_be_done():
    (booked,) = claims("Your table is booked.", "book us a table please")
    assert not booked.says_who
    assert not claims("Your table is booked.", "did anybody book a table?")
    assert not claims("The meeting is moved to Friday.", "summarise the chat")


def test_every_tool_of_the_bot_is_known_to_do_one_thing_or_anything():
    own = {tool.name for tools in TOOLSETS.values() for tool in tools}
    assert own - NARROW_TOOLS == BROAD
    assert own >= NARROW_TOOLS


def test_what_is_very_long_is_read_in_part():
    assert not claims("a " * LONGEST_TEXT + "I've saved it.")
