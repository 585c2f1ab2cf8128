"""What an answer denies and its request holds is found; what really is not known is left alone."""

from __future__ import annotations

import pytest

from bot.mind.denied_facts import denials, denied_fact, question_of
from tests.bench.denials import HALVES, line_of, wrong


def test_denied_facts_are_found_and_honest_answers_left_alone():
    before, after = [(wrong(denied, honest), denied, honest) for _, denied, honest in HALVES]
    for (missed, alarms), denied, _ in (before, after):
        assert len(missed) <= 0.15 * len(denied) and not alarms
    assert len(before[1]) >= 60 and len(before[2]) >= 60


@pytest.mark.parametrize(
    "answer",
    [
        "I don't know your dog's name.",
        "You never told me.",
        "Das weiß ich leider nicht.",
        "No tengo datos sobre eso.",
        "Você não me disse.",
        "Je n'ai aucune information.",
        "Я не знаю.",
    ],
)
def test_a_denial_is_read_in_six_languages(answer):
    assert denials(f"Hello! {answer} Ask me again.") == (answer,)


@pytest.mark.parametrize(
    "answer", ["I know that one: Rex.", "Don't you know?", 'She said "I don\'t know that".', "```\nI don't know\n```"]
)
def test_what_only_speaks_of_not_knowing_is_no_denial(answer):
    assert denials(answer) == ()


def test_a_question_is_found_in_a_long_message():
    assert question_of("I was away. When is the raid? Thanks!") == "When is the raid?"
    assert question_of("tell me about it") == "tell me about it"


def test_nothing_is_denied_where_the_line_is_a_question_itself():
    told = [line_of("ann", "what is my dog's name?"), line_of("bot", "I don't know your dog's name.")]
    assert denied_fact("I don't know your dog's name.", "what is my dog's name?", "ann", told) is None


@pytest.mark.parametrize(
    ("denial", "earlier"),
    [
        ("I am only a simulation and cannot know that.", "(simulated) I read that."),
        ("As an AI language model I don't know that.", "I am an AI language model made for this chat."),
        ("Das weiß ich nicht, ich bin nur ein Sprachmodell.", "Hallo, ich bin das Sprachmodell dieses Chats."),
        ("Como asistente virtual no sé eso.", "¡Hola! Soy el asistente virtual del grupo."),
        ("Sou apenas um robô e não sei.", "Eu sou o robô do grupo."),
        ("En tant qu'assistant, je ne sais pas.", "Je suis l'assistant de ce salon."),
        ("Я всего лишь программа и не знаю этого.", "Я программа нашего чата."),
    ],
)
def test_what_it_says_of_itself_is_not_what_it_denies(denial, earlier):
    told = [line_of("bot", earlier), line_of("bob", earlier)]
    assert denied_fact(denial, "and now?", "ann", told) is None


@pytest.mark.parametrize("address", ["<@142> ", "<@!142>, ", "@glassmind "])
def test_whom_a_message_addresses_is_not_what_it_asks_about(address):
    told = [line_of("ann", f"{address}repeat what i said"), line_of("ann", f"{address}my dog is called Rex")]
    assert denied_fact("I cannot know that.", f"{address}and what now?", "ann", told) is None
    denied = denied_fact("I don't know.", f"{address}what is my dog's name?", "ann", told)
    assert denied is not None and "Rex" in denied.held.told.line.text


def test_a_person_who_is_mentioned_is_what_it_asks_about():
    told = [line_of("bob", "the birthday of <@7> is on May 3"), line_of("bob", "the birthday of <@8> is on June 4")]
    denied = denied_fact("I don't know.", "<@142> when is the birthday of <@8>?", "ann", told)
    assert denied is not None and "June 4" in denied.held.told.line.text


def test_a_denial_beside_what_it_is_is_read_all_the_same():
    told = [line_of("ann", "my dog is called Rex")]
    answer = "As an AI, I don't know your dog's name."
    assert denied_fact(answer, "what is my dog's name?", "ann", told) is not None


def test_a_question_about_the_bot_is_no_question_about_a_fact():
    told = [line_of("ann", "my favourite colour is blue")]
    assert denied_fact("I don't know, I have none.", "what is your favourite colour?", "ann", told) is None
