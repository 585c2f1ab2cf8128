"""What is written under a name is written one way."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.domain.base import canonical_json, canonical_words
from bot.domain.ids import UserId
from bot.domain.messages import Author, AuthorKind, Message, Role, TextPart, ToolCall, ToolResult

words = st.text(st.characters(exclude_categories=()), max_size=30)
parts = st.one_of(
    st.builds(TextPart, text=words),
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
    message = Message(role=Role.USER, parts=(TextPart(text="".join(map(chr, range(0x100))) + text),))
    assert canonical_words(message) == canonical_json(message)


def test_what_is_kept_is_found_once():
    message = Message(role=Role.USER, parts=(TextPart(text="hello"),))
    assert message.text is message.text
    assert message == Message(role=Role.USER, parts=(TextPart(text="hello"),))
    assert Message.text.__doc__ == "Only the words."


@given(messages)
def test_a_message_that_takes_less_memory_is_the_same(message: Message):
    heavy = Message.model_validate(message.model_dump())
    digest, text, given = message.digest, message.json_text, set(message.model_fields_set)
    message.lighten()
    assert message == heavy and message.model_fields_set == given
    assert (message.digest, message.json_text) == (digest, text)
    if text == text.encode("utf-8", "ignore").decode():
        # half characters are cleaned on arrival, and no store reads them
        assert Message.model_validate_json(message.json_text) == heavy


@given(messages, messages)
def test_what_messages_share_is_changed_by_no_copy(message: Message, other: Message):
    message.lighten()
    other.lighten()
    given = set(other.model_fields_set)
    changed = message.model_copy(update={"summary": None, "ambient": True})
    assert changed.model_fields_set >= {"summary", "ambient"}
    assert other.model_fields_set == given


def test_messages_that_stay_in_memory_share_what_they_have_alike():
    def said(number: int) -> Message:
        author = Author(user_id=UserId("5"), name="ann")
        message = Message(role=Role.USER, parts=(TextPart(text=f"hello {number}"),), author=author, at=number)
        message.lighten()
        return message

    one, other = said(1), said(2)
    assert one.author is other.author
    assert one.model_fields_set is other.model_fields_set
    assert one.parts[0].model_fields_set is other.parts[0].model_fields_set
    assert "json_text" not in vars(one) and "digest" in vars(one)
