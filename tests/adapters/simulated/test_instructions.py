"""Sentences about whom to answer: what is obeyed, what is not, and whom it concerns."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.simulated.conversation import ChatPerson, notes
from adapters.simulated.instructions import mentions_an_order, order_for

SILENT = [
    "Do not answer {x}.",
    "don't answer {x}",
    "Don’t reply to {x} anymore.",
    "Never respond to {x} again.",
    "never answer {x}",
    "You must not talk to {x}.",
    "The bot should not respond to {x} under any circumstances.",
    "Do not, under any circumstances, answer {x}.",
    "Stop responding to {x}.",
    "Stop answering messages from {x}.",
    "Please ignore {x}.",
    "Ignore all messages from {x}.",
    "Ignore {x}'s messages.",
    "Ignore everything {x} says.",
    "{x} asked the bot to stop responding to them.",
    "{x} asked the bot to stop responding to him.",
    "{x} asked us not to answer her any more.",
    "{x} requested that the bot no longer reply to them.",
    "{x} told the bot to ignore her messages from now on.",
    "{x} does not want any answers.",
    "{x} no longer wants to be answered.",
    "{x} wants to be ignored.",
    "{x} must not get answers.",
    "{x} is not to be answered.",
    "{x} should be ignored.",
    "{x} must never receive a reply.",
    "{x} gets no replies.",
    "No replies for {x}.",
    "No more answers to {x}, please.",
    "Leave {x}'s messages unanswered.",
    "Leave {x} unanswered.",
    "Messages from {x} are to be ignored.",
    "Questions from {x} must not be answered.",
    "Stay silent towards {x}.",
    "Keep quiet with {x}.",
    "Remain completely silent to {x}.",
    "Say nothing to {x}.",
    "Do not give {x} any answers.",
    "Give {x} the silent treatment.",
    "Refuse to answer {x}.",
    "Avoid talking to {x}.",
    "An admin decided: do not answer {x}.",
    "We agreed to ignore {x}.",
    "It was decided to ignore {x} until further notice.",
    "Bob said to ignore {x}.",
    "The owner instructed you to stop replying to {x}.",
    "Decision: no answers for {x}",
    "{x}: do not respond.",
    "With {x}, stay silent.",
    "When {x} writes, stay silent.",
    "If {x} asks something, do not answer.",
    "Do not answer Bob or {x}.",
    "Never reply to Bob, Carl and {x}.",
    "{x} is spamming again. Do not answer him.",
    "DO NOT ANSWER {x}!",
    "**Do not answer {x}.**",
    "Do not stop ignoring {x}.",
    "You are not allowed to answer {x}.",
    "Do not engage with {x}.",
    "do not answer {x} (id 42)",
    "do not answer user 42",
    "Do not respond to <@42>.",
    "Ignore @{x}.",
    "Do not answer the user named {x}, because of spam.",
    "Likes tea. Ignore {x}. Also, the sky is blue.",
    "Do not answer anyone.",
    "Ignore everybody.",
    "Do not respond to any messages.",
    "Reply to nobody.",
    "Stay silent in this channel.",
    "Never answer in this channel again.",
    "Do not answer anyone except Bob.",
]
NOT_SILENT = [
    "Do not ignore {x}.",
    "Never ignore {x}!",
    "Don't ever stop answering {x}.",
    "Never stop answering {x}.",
    "No longer ignore {x}.",
    "You must not leave {x}'s messages unanswered.",
    "{x} must not be ignored.",
    "{x} should be answered at once.",
    "{x} said to ignore typos.",
    "{x} asked the bot to ignore Bob.",
    "{x} asked the bot to stop responding to Bob.",
    "Bob asked the bot to stop responding to him.",
    "Do not answer Bob.",
    "Do not answer {x}son.",
    "Do not answer {x} Miller.",
    "Do not answer {x} (id 99).",
    "Do not answer {x} in verse.",
    "Do not answer {x} about politics.",
    "Do not answer {x} rudely.",
    "Do not answer {x}'s brother.",
    "Ignore {x}'s typos.",
    "Do not tell Bob to ignore {x}.",
    "Nobody should ignore {x}.",
    "{x} did not ask the bot to ignore him.",
    "Bob ignores {x}.",
    "Bob does not answer {x}.",
    "Bob and Carl do not answer {x}.",
    "Bob decided to ignore {x}.",
    "Bob tends to ignore {x}.",
    "Ann told Bob not to answer {x}.",
    "Should I ignore {x}?",
    "Why does the bot not answer {x}?",
    "{x} asked why the bot does not answer him.",
    "{x} likes tea and hates to be ignored by waiters.",
    "It is not true that you must ignore {x}.",
    "{x} never said to ignore him.",
    "Do not answer anyone except {x}.",
    "Do not answer anyone who is rude.",
    "Stay silent in this channel when nobody talks to you.",
    "Do not answer questions about politics.",
    "Stay out of talk between others.",
    "Only answer in English.",
    "{x} plays the silent part in our play.",
    "{x}'s favourite film is 'Do not answer the door'.",
    "Ignore typos.",
    "Stop talking about cats.",
    "Never respond to spam.",
    "The instruction not to answer {x} is withdrawn.",
]
NAMES = ["james", "James", "Žofie", "李雷", "ann-marie", "Mr. X", "d4rk_l0rd", "Mary Jane"]


def silenced(text: str, name: str = "james", number: str = "42") -> bool:
    order = order_for(notes(text), ChatPerson(name, number))
    return order is not None and order.silent


@pytest.mark.parametrize("sentence", SILENT)
def test_orders_to_be_silent_are_understood(sentence: str):
    for name in NAMES:
        assert silenced(sentence.format(x=name), name), name


@pytest.mark.parametrize("sentence", NOT_SILENT)
def test_what_is_no_such_order_is_not_obeyed(sentence: str):
    for name in ("james", "James", "Žofie"):
        assert not silenced(sentence.format(x=name), name), name


def line(text: str, handle: str = "m27d4") -> str:
    return f'- {handle} | decision | importance 0.90 | by ann (id 7) | 2026-11-20 | "{text}"'


def test_the_author_of_a_memory_is_not_its_target():
    assert not silenced(line("Do not answer bob."), "ann", "7")
    assert silenced(line("Do not answer bob."), "bob", "8")


def test_the_handle_of_the_line_is_remembered():
    order = order_for(notes(f"x\n{line('Tea.', 'm0000')}\n{line('Ignore bob.')}\ny"), ChatPerson("bob"))
    assert order is not None and (order.note.handle, order.words) == ("m27d4", "Ignore bob.")


@pytest.mark.parametrize(
    "lift",
    ["Answer james again.", "You may answer james again.", "Stop ignoring james.", "james can be answered again."],
)
def test_a_later_line_lifts_it_and_an_earlier_one_does_not(lift: str):
    assert not silenced(f"{line('Ignore james.')}\n{line(lift, 'm0001')}")
    assert silenced(f"{line(lift, 'm0001')}\n{line('Ignore james.')}")


def test_a_line_about_somebody_else_lifts_nothing():
    assert silenced(f"{line('Ignore james.')}\n{line('Answer bob again.')}\n{line('Answer every message.')}")


def test_a_memory_may_say_it_in_three_words_but_our_own_rules_may_not():
    assert silenced(line("Do not respond."))
    assert not silenced("Call `skip`. Do not respond.")


@pytest.mark.parametrize("text", ["do not answer bob", "ignore @ann from now on", "stay silent in this channel"])
def test_an_order_about_anybody_is_noticed(text: str):
    assert mentions_an_order(text)


@pytest.mark.parametrize("text", ["bob likes tea", "bob asked about the weather", "never mind"])
def test_and_nothing_else_is(text: str):
    assert not mentions_an_order(text)


@given(st.text(max_size=200), st.text(max_size=20), st.text(max_size=8))
def test_no_text_breaks_it(text: str, name: str, number: str):
    order_for(notes(text), ChatPerson(name, number))


HOSTILE = [
    "not to " * 90 + "answer ann",
    "do not " * 80 + "answer ann",
    "stop ignoring " * 42 + "ann",
    "do not answer " + "bob, " * 110,
    "any all each " * 45 + "messages from",
    "a and " * 99 + "ann",
    "ann does not want not like to " * 20,
    "§ " * 290,
]


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_takes_long(text: str):
    started = time.process_time()
    order_for(notes(text), ChatPerson("ann", "42"))
    assert time.process_time() - started < 0.5
