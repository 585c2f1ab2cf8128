"""A note stands in the place of what is left out, in the same shape, and nothing else changes."""

from __future__ import annotations

from bot.context.left_out_messages import sent_of
from bot.domain.channel import LeftOutMessage
from bot.domain.messages import Message, ProviderData, Role, TextPart, ToolCall, ToolResult


def said(row: int, text: str, role: Role = Role.USER) -> Message:
    return Message(role=role, parts=(TextPart(text=text),), inbound=row, at=row)


def left_out(message: Message) -> LeftOutMessage:
    return LeftOutMessage(inbound=message.inbound, digest=message.digest, at=1, turn=1, stood_in=3, role=message.role)


TALK = (said(1, "pears"), said(2, "xyzzy"), said(3, "plums"))
WANTED = ProviderData(provider="openai", data='{"reasoning_content": "so"}')
CALL = ToolCall(call_id="c1", name="memory_recall", arguments='{"query": "xyzzy"}', added=WANTED)
ASKED = Message(role=Role.ASSISTANT, parts=(WANTED, TextPart(text="I look"), CALL), at=5)
TOLD = Message(role=Role.TOOL, parts=(ToolResult(call_id="c1", text="xyzzy", ok=False),), at=5)
ANSWER = Message(role=Role.ASSISTANT, parts=(WANTED, TextPart(text="It is xyzzy.")), at=6)


def test_only_that_message_is_a_note():
    sent = sent_of(TALK, (left_out(TALK[1]),))
    assert (sent[0], sent[2]) == (TALK[0], TALK[2])
    assert "left out" in sent[1].text and "xyzzy" not in sent[1].text and sent[1].inbound == 2


def test_nothing_left_out_changes_nothing():
    assert sent_of(TALK, ()) is TALK


def test_a_message_that_was_edited_is_sent_again():
    assert sent_of((said(2, "harmless"),), (left_out(TALK[1]),))[0].text == "harmless"


def test_a_result_stays_the_result_of_its_call():
    (sent,) = sent_of((TOLD,), (left_out(TOLD),))
    (result,) = sent.results
    assert (result.call_id, result.ok) == ("c1", False) and "left out because" in result.text


def test_a_call_stays_with_what_its_service_wants_back():
    (sent,) = sent_of((ASKED,), (left_out(ASKED),))
    assert sent.calls == (CALL.replace(arguments="{}"),) and sent.parts[0] == WANTED
    assert "I look" not in sent.text and "left out because" in sent.text


def test_words_take_along_what_came_with_them():
    (sent,) = sent_of((ANSWER,), (left_out(ANSWER),))
    assert all(isinstance(part, TextPart) for part in sent.parts) and "xyzzy" not in sent.text


def test_what_is_left_out_has_a_name_that_can_be_typed():
    words = [left_out(one).words for one in (TALK[1], TOLD, ANSWER)]
    assert words == ["i7hva", "what tools returned in t2varz", "the bot's words in t2varz"]
