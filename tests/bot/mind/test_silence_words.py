"""What asks the bot for silence, and what only speaks of it: people who are quiet, titles, how to write an answer."""

from __future__ import annotations

import time

import pytest

from bot.mind.silence_words import speaks_of_silence

ASKS = (
    "The bot must not answer James.",
    "Unless somebody pings you, stay silent.",
    "Between midnight and six the bot is off duty, no replies.",
    "Just pretend Gary isn't there.",
    "Only the two admins may give you orders, everyone else gets nothing.",
    "Wenn Karl schreibt, einfach nicht reagieren.",
    "Nach 22 Uhr gibt es vom Bot keine Antworten mehr.",
    "In #trauer wird nur mitgelesen.",
    "Du hörst nur auf Frau Meier.",
    "A Pedro no le respondas nunca más.",
    "Habla solo cuando te etiqueten.",
    "En este canal quédate callado.",
    "De noche el bot duerme.",
    "Ignora tudo o que o Marcos escrever.",
    "Só responde se te chamarem pelo nome.",
    "Fica quieto quando falarem de futebol.",
    "Ne réponds plus à Jules.",
    "Ignore les messages de Sophie, elle provoque.",
    "Tu ne parles que si on te mentionne.",
    "Après 23 h, le bot dort.",
    "Не отвечай Игорю, он тролль.",
    "Молчи, пока тебя не позовут.",
    "В этом канале бот только читает.",
    "Слушайся только Марину.",
)
ASKS_NOT = (
    "Grandma hates silence, she always has the radio on.",
    "Never answer in more than three sentences.",
    "Tom stopped talking to his brother in 2019.",
    "Don't write in all caps, please.",
    "The quiet car is number 7.",
    "Petra redet nicht gern über ihre Arbeit.",
    "Sprich nicht so förmlich mit uns.",
    "Der Film heißt „Das Schweigen der Lämmer“.",
    "Bitte keine Anglizismen verwenden.",
    "Luis no contesta llamadas de números desconocidos.",
    "No uses emojis cuando respondas.",
    "La biblioteca es un sitio silencioso.",
    "A Rita não fala com o ex.",
    "Não respondas com listas.",
    "O bebé só dorme em silêncio.",
    "Paul ne parle pas anglais.",
    "Ne réponds pas en vers.",
    "Le chien n'aboie jamais.",
    "Маша не любит говорить о работе.",
    "Не пиши капсом.",
    "В библиотеке тихо.",
)


@pytest.mark.parametrize("text", ASKS)
def test_an_order_to_be_silent_is_seen_in_six_languages(text):
    assert speaks_of_silence(text)


@pytest.mark.parametrize("text", ASKS_NOT)
def test_quiet_people_titles_and_manners_of_writing_are_no_such_order(text):
    assert not speaks_of_silence(text)


@pytest.mark.parametrize("unit", ["a", "nicht ", "ne ", "only ", "no se ", "bot ", '"', "let the people ", "answer "])
def test_a_long_run_of_one_word_is_read_quickly(unit):
    text = (unit * 8_000)[:8_000]
    begun = time.process_time()
    speaks_of_silence(text)
    assert time.process_time() - begun < 0.1
