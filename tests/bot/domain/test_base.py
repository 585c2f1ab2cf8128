"""What is written under a name is written one way."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.domain.base import canonical_json, canonical_words
from bot.domain.ids import UserId
from bot.domain.messages import Author, AuthorKind, Message, Role, Text, ToolCall, ToolResult

words = st.text(st.characters(exclude_categories=()), max_size=30)
parts = st.one_of(
    st.builds(Text, text=words),
    st.builds(ToolCall, call_id=words, name=words, arguments=words),
    st.builds(ToolResult, call_id=words, text=words, ok=st.booleans()),
)
authors = st.builds(Author, user_id=words.map(UserId), name=words, kind=st.sampled_from(AuthorKind))
messages = st.builds(
    Message,
    role=st.sampled_from(Role),
    parts=st.lists(parts, max_size=3).map(tuple),
    author=st.none() | authors,
    at=st.integers(-(2**70), 2**70),
    inbound=st.integers(0, 2**40),
    message_id=words,
    ambient=st.booleans(),
)


@given(messages)
def test_the_fast_way_writes_the_same(message: Message):
    assert canonical_words(message) == canonical_json(message)


@given(words)
def test_every_control_character_is_written_the_same(text: str):
    message = Message(role=Role.USER, parts=(Text(text="".join(map(chr, range(0x100))) + text),))
    assert canonical_words(message) == canonical_json(message)


def test_what_is_kept_is_found_once():
    message = Message(role=Role.USER, parts=(Text(text="hello"),))
    assert message.text is message.text
    assert message == Message(role=Role.USER, parts=(Text(text="hello"),))
    assert Message.text.__doc__ == "Only the words."
