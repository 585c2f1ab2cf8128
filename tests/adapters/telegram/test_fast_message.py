"""Ordinary messages are read without the library's parser, and come to the same."""

from __future__ import annotations

from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st
from telegram import Message

from adapters.telegram.authors import TelegramAccount
from adapters.telegram.convert import read_plain_message
from adapters.telegram.message import read_message
from adapters.telegram.places import KnownPlaces

ME = TelegramAccount(7_000_000_001, "glassmind_bot")
numbers = st.integers(-(2**52), 2**52) | st.just(ME.id) | st.sampled_from([777000, 136817688, 1087968824])
words = st.text(st.characters(exclude_categories=()), max_size=12)
junk = st.none() | st.booleans() | st.integers() | words | st.just([]) | st.just({})
entity = st.fixed_dictionaries(
    {
        "type": st.sampled_from(["mention", "bot_command", "code", "pre", "text_mention", "bold", "new_kind"]),
        "offset": st.integers(0, 8),
        "length": st.integers(0, 20),
    }
)
chats = st.fixed_dictionaries(
    {"id": numbers, "type": st.sampled_from(["private", "group", "supergroup", "channel", "new"])},
    optional={"title": words, "username": words, "first_name": words, "last_name": words, "is_forum": st.booleans()},
)
users = st.fixed_dictionaries(
    {"id": numbers, "is_bot": st.booleans(), "first_name": words},
    optional={"last_name": words, "username": words, "language_code": st.just("en"), "is_premium": st.just(True)},
)
messages = st.fixed_dictionaries(
    {
        "message_id": st.integers(0, 2**40),
        "date": st.integers(0, 2**33),
        "chat": chats,
        "from": users,
        "text": words | st.sampled_from(["@glassmind_bot hi", "/why@glassmind_bot", "```x```"]),
    },
    optional={"entities": st.lists(entity, max_size=3)},
)


def heard(message: Message) -> object:
    """Return what is heard, or how it cannot be read."""
    try:
        return read_message(message, 41, ME, KnownPlaces())
    except Exception as error:  # noqa: BLE001 - `convert` makes a row of whatever is wrong
        return type(error)


def learnt(message: Message) -> dict[str, list[Any]]:
    known = KnownPlaces()
    known.learn(message)
    return {name: list(held.items()) for name, held in vars(known).items()}


@given(messages)
def test_a_plain_message_is_what_the_library_reads(raw: dict[str, Any]):
    ours, library = read_plain_message(raw), Message.de_json(raw, None)
    assert ours is not None
    assert heard(ours) == heard(library)
    assert learnt(ours) == learnt(library)


@given(messages, st.sampled_from(["message_id", "date", "chat", "from", "text", "entities"]), junk)
def test_what_is_odd_is_left_to_the_library(raw: dict[str, Any], field: str, odd: Any):
    assume(not (field == "text" and isinstance(odd, str)))
    ours = read_plain_message({**raw, field: odd})
    if ours is not None:
        library = Message.de_json({**raw, field: odd}, None)
        assert heard(ours) == heard(library)


@given(messages, st.sampled_from(["reply_to_message", "caption", "photo", "is_topic_message", "new_field"]), junk)
def test_what_has_more_to_it_is_left_to_the_library(raw: dict[str, Any], field: str, value: Any):
    assert read_plain_message({**raw, field: value}) is None
    assert read_plain_message([raw]) is None
