"""A note stands in the place of a message that is left out, and nothing else changes."""

from __future__ import annotations

from bot.context.withheld import candidates, sent_of
from bot.domain.channel import ChannelState, LeftOut
from bot.domain.ids import ChannelId
from bot.domain.messages import Message, Role, Text


def said(row: int, text: str, role: Role = Role.USER) -> Message:
    return Message(role=role, parts=(Text(text=text),), inbound=row, at=row)


def left_out(message: Message) -> LeftOut:
    return LeftOut(inbound=message.inbound, digest=message.digest, at=1, turn=1)


TALK = (said(1, "pears"), said(2, "xyzzy"), said(3, "plums"))


def test_only_that_message_is_a_note():
    sent = sent_of(TALK, (left_out(TALK[1]),))
    assert (sent[0], sent[2]) == (TALK[0], TALK[2])
    assert "left out" in sent[1].text and "xyzzy" not in sent[1].text and sent[1].inbound == 2


def test_nothing_left_out_changes_nothing():
    assert sent_of(TALK, ()) is TALK


def test_a_message_that_was_edited_is_sent_again():
    assert sent_of((said(2, "harmless"),), (left_out(TALK[1]),))[0].text == "harmless"


def test_what_people_wrote_may_be_left_out_once():
    state = ChannelState(agent="main", id=ChannelId("console:x"), name="x")
    state = state.replace(ambient=(*TALK, said(4, "mine", Role.ASSISTANT), said(0, "nobody's")))
    assert [one.inbound for one in candidates(state)] == [1, 2, 3]
    state = state.replace(settings=state.settings.replace(left_out=(left_out(TALK[1]),)))
    assert [one.inbound for one in candidates(state)] == [1, 3]
