"""An earlier silence or refusal of the bot's own is found in what it was told."""

from __future__ import annotations

import pytest

from bot.domain.messages import Role
from bot.mind.own_refusals import earlier_refusal, earlier_skip, refuses
from tests.fakes.values import call, message

ASKED = message("who gets the loot?", inbound=1)
SKIPPED = call("skip", '{"reason":"loot is not for me to judge","category":"declined"}')
AGAIN = message("and tomorrow?", inbound=2)
NO = "I can't help with the loot table, ask an officer."


def test_the_same_reason_again_is_found_with_what_it_was_about():
    found = earlier_skip((ASKED, SKIPPED, AGAIN), 2, "the loot is not for me to judge", "declined")
    assert found is not None and (found.inbound, found.message, found.skipped) == (1, 2, True)
    assert "loot" in found.shared


def test_another_reason_or_the_same_turn_is_no_repetition():
    assert earlier_skip((ASKED, SKIPPED, AGAIN), 2, "they talk about the weather", "declined") is None
    assert earlier_skip((ASKED, SKIPPED, AGAIN), 2, "the loot is not for me to judge", "not_for_me") is None
    assert earlier_skip((ASKED, SKIPPED), 1, "the loot is not for me to judge", "declined") is None


def test_the_same_refusal_again_is_found():
    talk = (ASKED, message(NO, Role.ASSISTANT), AGAIN)
    found = earlier_refusal(talk, 2, "Sorry, I can't help with the loot table. Ask an officer.")
    assert found is not None and (found.inbound, found.message, found.skipped) == (1, 2, False)
    assert earlier_refusal(talk, 2, "I can't open that file.") is None
    assert earlier_refusal(talk, 2, "The loot goes to Bob, ask an officer about the table.") is None


@pytest.mark.parametrize(
    "answer",
    [
        "I won't.",
        "Das kann ich leider nicht.",
        "No puedo hacerlo.",
        "Não posso.",
        "Je ne peux pas.",
        "Не могу.",
    ],
)
def test_a_refusal_is_read_in_six_languages(answer):
    assert refuses(answer)


@pytest.mark.parametrize("answer", ["Sure!", "Ich kann das machen.", "Puedo hacerlo.", "Я могу."])
def test_an_offer_is_no_refusal(answer):
    assert not refuses(answer)
