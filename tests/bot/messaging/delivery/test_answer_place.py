"""Where an answer is shown, and what numbers mean there."""

from __future__ import annotations

from bot.domain.channel_moves import ChannelMoves, with_current_address
from bot.domain.ids import ChannelId
from bot.messaging.delivery.previews import AnswerPlace
from bot.ports.delivery import PendingAnswer
from tests.fakes import values as v

OLD, NEW, NEWEST = (ChannelId(f"console:#{name}") for name in ("general", "hall", "house"))
ANSWER = PendingAnswer(to=v.address(OLD), turn=7, inbound=3, asked=("m0", "m1"))


class World:
    moves = ChannelMoves()


def test_where_nothing_moves_numbers_stay_as_they_are():
    where = AnswerPlace(ANSWER, lambda: World.moves)
    assert (where.channel, where.is_left, where.replies_to, where.name("v1")) == (OLD, False, "m1", "v1")
    assert AnswerPlace(ANSWER._replace(asked=()), lambda: World.moves).replies_to == ""


def test_what_is_shown_after_a_move_is_found_from_the_old_address():
    world = World()
    where = AnswerPlace(ANSWER, lambda: world.moves)
    world.moves = world.moves.adding(OLD, NEW)
    assert (where.is_left, where.channel, where.to.channel) == (True, NEW, OLD)
    where.follow()
    assert (where.is_left, where.to, where.replies_to) == (False, v.address(NEW), "")
    answer = with_current_address(v.outgoing(to=ANSWER.to, replies_to="m1", edits=where.name("v1")), world.moves)
    assert (answer.to, answer.replies_to, answer.edits) == (v.address(NEW), "", "v1")


def test_what_was_shown_before_another_move_is_not_found():
    world = World()
    where = AnswerPlace(ANSWER, lambda: world.moves)
    world.moves = world.moves.adding(OLD, NEW)
    where.follow()
    name = where.name("v1")
    world.moves = world.moves.adding(NEW, NEWEST)
    assert where.is_left
    answer = with_current_address(v.outgoing(to=ANSWER.to, edits=name), world.moves)
    assert (answer.to.channel, answer.edits) == (NEWEST, "")
