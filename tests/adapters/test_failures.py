"""What goes wrong in the network is kept in English, and said to each reader in their language."""

import aiohttp
import pytest

from adapters.discord.base.state import spoken
from adapters.failures import call_words, failure_said, failure_words
from bot.sentences import speaking


def kept(error: Exception, call: str, *, sent: bool) -> str:
    kind, words = call_words(error, 25.0, sent=sent)
    return f"{kind}: {call}{words} ({type(error).__name__})"


@pytest.mark.parametrize(
    ("error", "call", "sent", "english", "german"),
    [
        (
            TimeoutError(),
            "getUpdates: ",
            True,
            "timeout: getUpdates: no answer within 25 s (TimeoutError)",
            "timeout: getUpdates: keine Antwort innerhalb von 25 s (TimeoutError)",
        ),
        (
            TimeoutError(),
            "GET /gateway: ",
            False,
            "timeout: GET /gateway: no connection in time (TimeoutError)",
            "timeout: GET /gateway: innerhalb der Zeit kam keine Verbindung zustande (TimeoutError)",
        ),
        (
            aiohttp.ServerDisconnectedError(),
            "",
            True,
            "cut: the connection was cut before the answer was complete (ServerDisconnectedError)",
            "cut: die Verbindung brach ab, bevor die Antwort vollständig war (ServerDisconnectedError)",
        ),
    ],
)
def test_a_failure_is_said_in_the_language_of_who_reads_it(error, call, sent, english, german):
    with speaking("de"):
        told = kept(error, call, sent=sent)
        assert told == english
        assert spoken(told) == german
    assert spoken(told) == english


def test_words_of_others_stay_as_they_are():
    with speaking("de"):
        for words in ("answer: HTTP 502 from Discord", "connect: GET /x: (no)", "what: no connection (Odd)", ""):
            assert failure_said(words) == words
        assert failure_words(OSError())[0] == "cut"
