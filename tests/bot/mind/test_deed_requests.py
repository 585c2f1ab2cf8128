"""Which requests only a tool can fulfil, and which words do."""

from __future__ import annotations

import pytest

from bot.mind.claim_forms import ClaimedAction
from bot.mind.deed_requests import deed_asked_about, wanted_deed

A = ClaimedAction


@pytest.mark.parametrize(
    ("asked", "action"),
    [
        ("hey bot, can you ban that spammer pls", A.MODERATE),
        ("i need a refund", A.DO),
        ("translate the page and upload it", A.SEND),
        ("kannst du mir die Rolle Gamer geben?", A.DO),
        ("erinner mich um acht", A.REMIND),
        ("dis à Hugo que je suis malade", A.SEND),
        ("pon el modo lento en 1 min", A.CHANGE),
        ("apaga o que eu escrevi", A.DELETE),
        ("глянь погоду в Казани", A.LOOK_UP),
        ("call me Duchess", A.REMEMBER),
    ],
)
def test_a_deed_is_asked_for(asked, action):
    assert wanted_deed(asked) is action


@pytest.mark.parametrize(
    "asked",
    [
        "",
        "tell me a joke",
        "how do I pin a message",
        "fix my code please",
        'correct: "I has a dog"',
        "add a verse about the sea",
        "übersetz das auf Englisch",
        "rappelle-moi ton nom",
        "I booked the table already",
        "напиши стих про осень",
    ],
)
def test_words_would_do(asked):
    assert wanted_deed(asked) is None


def test_who_asks_whether_people_were_told_asks_about_a_deed():
    assert deed_asked_about("did you tell the landlord?") is A.SEND
    assert deed_asked_about("t'as prévenu les autres ?") is A.SEND
    assert deed_asked_about("did you sleep well?") is None
    assert deed_asked_about("hast du das notiert?") is None, "the bot has a tool for that"
