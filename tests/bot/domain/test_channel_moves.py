"""What an old id means, and what a new one was."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.domain.channel_moves import ChannelMoves, named_in, with_current_address
from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.domain.messages import ChannelPlace, OutboundAddress
from tests.fakes import values as v

A, B, C = (ChannelId(f"telegram:-{n}") for n in (1, 100, 200))
TWICE = ChannelMoves().adding(A, B).adding(B, C)
CHATS = st.sampled_from([ChannelId(f"t:{n}") for n in range(5)])


def test_a_channel_and_what_lies_in_it_are_found_under_every_id():
    assert [TWICE.current_id(one) for one in (A, B, C)] == [C, C, C]
    assert TWICE.current_id(ChannelId("telegram:-1:7")) == "telegram:-200:7"
    assert TWICE.current_id(ChannelId("telegram:-12")) == "telegram:-12", "which only begins like it"
    assert TWICE.former_ids(C) == (B, A)
    assert TWICE.former_ids(ChannelId("telegram:-200:7")) == ("telegram:-100:7", "telegram:-1:7")
    assert TWICE.names(A) == (C, B, A)
    assert ChannelMoves().names(A) == (A,)
    assert TWICE.key(ChannelKey(MAIN, A)) == ChannelKey(MAIN, C)


def test_what_is_known_or_leads_back_changes_nothing():
    for old, new in ((A, B), (A, C), (C, A), (B, A), (A, A), (A, ChannelId(""))):
        assert TWICE.adding(old, new) == TWICE


@given(st.lists(st.tuples(CHATS, CHATS), max_size=8), CHATS, st.sampled_from(["", ":7"]))
def test_whatever_a_platform_says_every_channel_has_one_id_now(told, chat, topic):
    moves = ChannelMoves()
    for old, new in told:
        moves = moves.adding(old, new)
    now = moves.current_id(ChannelId(chat + topic))
    assert moves.current_id(now) == now
    assert all(moves.current_id(then) == now for then in moves.former_ids(now))


def test_a_channel_does_not_move_into_itself_or_out_of_itself():
    assert (
        ChannelMoves().adding(A, ChannelId(f"{A}:7")) == ChannelMoves() == ChannelMoves().adding(ChannelId(f"{A}:7"), A)
    )


def test_a_message_of_the_old_channel_is_part_of_the_new_one_under_a_name_of_its_own():
    place = ChannelPlace(guild_id="-1", parents=("-1",))
    old = v.inbound("hi", "5", channel=ChannelId("telegram:-1:7"), place=place, replies_to="4")
    now = TWICE.as_now(old)
    assert (now.channel, now.message_id, now.replies_to) == ("telegram:-200:7", "telegram:-1:7#5", "telegram:-1:7#4")
    assert now.place == ChannelPlace(guild_id="-200", parents=("-200",))
    assert TWICE.as_now(now) == now
    assert TWICE.spellings(now.channel, now.message_id)[-1] == (old.channel, "5")
    new = v.inbound("hi", "5", channel=C, place=ChannelPlace(guild_id="-200"))
    assert TWICE.as_now(new) is new
    assert [(one.channel, one.place.guild_id) for one in TWICE.as_before(new)] == [(B, "-100"), (A, "-1")]


def test_nothing_is_quoted_or_edited_where_it_does_not_stand():
    to = OutboundAddress(platform="telegram", channel=A)
    moved = with_current_address(v.outgoing(to=to, replies_to="5", edits="6"), TWICE)
    assert (moved.to.channel, moved.replies_to, moved.edits) == (C, "", "")
    assert with_current_address(v.outgoing(to=to, edits=named_in(C, "6")), TWICE).edits == "6"
    assert with_current_address(v.outgoing(to=to, edits=named_in(B, "6")), TWICE).edits == ""
    here = v.outgoing(to=to.replace(channel=C), replies_to="5", edits="6")
    assert with_current_address(here, TWICE) == here
    assert with_current_address(here.replace(replies_to="telegram:-1#5"), TWICE).replies_to == ""
