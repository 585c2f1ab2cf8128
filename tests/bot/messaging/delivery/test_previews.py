"""The message of a preview: kept before it is posted, taken over after a crash, taken back when it leads to nothing."""

from __future__ import annotations

import pytest

from bot.domain.ids import ChannelId
from bot.domain.turn import OutboxState
from bot.errors import DeliveryError
from bot.messaging.delivery.previews import with_mark
from bot.ports.delivery import ShownAnswer
from tests.bot.messaging.writing import ANSWER, Desk
from tests.fakes.platform import FakePlatform, flood, gone, lost, refused

LONG = "all of these words are written before anybody looks at them again "


async def shown(desk: Desk) -> None:
    """Show a part of an answer, and end as a killed process does: with an open row."""
    async with desk.writing() as stream:
        stream.listen()(LONG)
        await desk.passes(1)


async def test_the_intent_is_kept_before_the_message():
    desk = Desk()
    preview = desk.platform.preview

    async def looks(shown):
        (row,) = desk.previews.rows
        assert (row.body.kind, row.body.text, row.body.replies_to, row.receipt) == ("preview", "", "m1", None)
        return await preview(shown)

    desk.platform.preview = looks  # type: ignore[method-assign]
    await shown(desk)
    (row,) = desk.previews.rows
    assert row.receipt is not None and row.receipt.message_id == "v1"
    assert [(stage.inbound, stage.stage, stage.reason) for stage in desk.previews.stages] == [(3, "outbox", "preview")]


async def test_a_turn_that_is_run_again_goes_on_in_the_same_message():
    desk = Desk()
    await shown(desk)
    for left in await desk.previews.left():
        desk.streams.leave(left)
    async with desk.writing(ANSWER._replace(turn=8)) as stream:
        await desk.passes(10)
        assert desk.platform.typed == [], "there is something to be seen already"
        stream.listen()("a new text, which says it better than the old one did, " * 2)
        await desk.passes(1)
        assert (await stream.stop()).message_id == "v1"
    assert [preview.message_id for preview in desk.platform.previews] == ["", "v1"]
    assert len(desk.previews.rows) == 1


async def test_the_answer_takes_an_old_message_even_if_nothing_is_streamed_any_more():
    desk = Desk()
    await shown(desk)
    off = Desk(desk.platform, streaming=False)
    off.streams.leave((await desk.previews.left())[0])
    async with off.writing() as stream:
        stream.listen()(LONG)
        assert await stream.stop() == ShownAnswer("v1", "⏹")


async def test_of_two_old_messages_the_newest_is_gone_on_with():
    desk = Desk()
    await shown(desk)
    async with desk.writing(ANSWER._replace(asked=("m0",))) as stream:
        stream.listen()(LONG)
        await desk.passes(3)
    for left in await desk.previews.left():
        desk.streams.leave(left)
    async with desk.writing() as stream:
        assert (await stream.stop()).message_id == "v1"
    assert list(desk.platform.screen) == ["v1"]


async def test_an_answer_to_something_else_leaves_it_alone():
    desk = Desk()
    await shown(desk)
    desk.streams.leave((await desk.previews.left())[0])
    async with desk.writing(ANSWER._replace(asked=("m9",))) as stream:
        assert await stream.stop() == ShownAnswer()


async def test_it_is_taken_back():
    desk = Desk()
    async with desk.writing() as stream:
        stream.listen()(LONG)
        await desk.passes(1)
        await stream.stop()
        stream.withdraw()
    assert desk.platform.screen == {}
    assert [(row.state, row.error) for row in desk.previews.rows] == [(OutboxState.DEAD, "withdrawn")]


async def test_what_is_gone_already_is_taken_back():
    desk = Desk()
    async with desk.writing() as stream:
        stream.listen()(LONG)
        await desk.passes(1)
        desk.platform.retract_script = [gone()]
        stream.withdraw()
    assert (desk.said, desk.previews.rows[0].error) == ([], "withdrawn")


async def test_taking_back_waits_when_it_is_told_to():
    desk = Desk()
    async with desk.writing() as stream:
        stream.listen()(LONG)
        await desk.passes(1)
        desk.platform.retract_script = [flood(3)]
        stream.withdraw()
    assert desk.platform.screen
    await desk.passes(3)
    assert desk.platform.screen == {}


@pytest.mark.parametrize("error", [refused(), lost(), DeliveryError("bad gateway", code="502")])
async def test_what_cannot_be_taken_back_says_nothing(error: DeliveryError):
    desk = Desk()
    async with desk.writing() as stream:
        stream.listen()(LONG)
        await desk.passes(1)
        desk.platform.retract_script = [error]
        stream.withdraw()
    (body,) = desk.said
    assert (body.kind, body.text, body.edits, body.inbound) == ("notice", "…", "v1", 0)


async def test_what_a_dead_process_left_is_withdrawn_once_the_platform_is_there():
    desk = Desk()
    await shown(desk)
    desk.streams.withdraw((await desk.previews.left())[0], desk.platform)
    await desk.settles()
    assert desk.platform.screen == {}
    desk.streams.withdraw(desk.previews.rows[0], None)


HALL = ChannelId("console:#hall")


async def test_after_a_move_it_goes_on_in_a_message_where_the_channel_is():
    desk = Desk()
    async with desk.writing() as stream:
        heard = stream.listen()
        heard(LONG)
        await desk.passes(1)
        desk.moves = desk.moves.adding(ANSWER.to.channel, HALL)
        heard("and more of them ")
        await desk.passes(3)
        assert (await stream.stop()).message_id == f"{HALL}#v2"
    first, second = desk.platform.previews
    assert (first.to.channel, first.replies_to) == (ANSWER.to.channel, "m1")
    assert (second.to.channel, second.replies_to, second.message_id) == (HALL, "", "")
    old, new = desk.previews.rows
    assert (old.state, old.error) == (OutboxState.DEAD, "the channel moved")
    assert (new.state, new.body.to.channel, new.body.replies_to) == (OutboxState.SENDING, HALL, "")


async def test_what_stands_where_the_channel_was_is_nothing_to_edit_and_is_left_alone():
    desk = Desk()
    async with desk.writing() as stream:
        stream.listen()(LONG)
        await desk.passes(1)
        desk.moves = desk.moves.adding(ANSWER.to.channel, HALL)
        assert await stream.stop() == ShownAnswer()
        stream.withdraw()
    assert (desk.platform.retracted, desk.said, desk.previews.rows[0].error) == ([], [], "the channel moved")


async def test_a_platform_that_knows_of_a_move_first_is_asked_again():
    desk = Desk()
    desk.platform.preview_script = [DeliveryError("it moves", code="migrated", retry_after=1)]
    async with desk.writing() as stream:
        stream.listen()(LONG)
        await desk.passes(1)
        desk.moves = desk.moves.adding(ANSWER.to.channel, HALL)
        await desk.passes(2)
        (shown,) = desk.platform.previews
        assert (shown.to.channel, shown.replies_to) == (HALL, "")
        assert [row.error for row in desk.previews.rows] == ["the channel moved", ""]


async def test_it_is_taken_back_where_the_channel_is_and_left_alone_where_it_was():
    desk = Desk()
    async with desk.writing() as stream:
        heard = stream.listen()
        heard(LONG)
        await desk.passes(1)
        desk.moves = desk.moves.adding(ANSWER.to.channel, HALL)
        heard("and more of them ")
        await desk.passes(3)
        stream.withdraw()
    assert desk.platform.retracted == [(HALL, "v2")]
    left = Desk()
    await shown(left)
    left.moves = desk.moves
    left.streams.withdraw((await left.previews.left())[0], left.platform)
    await left.settles()
    assert (left.platform.retracted, left.said, left.previews.rows[0].error) == ([], [], "the channel moved")


async def test_a_draft_is_not_taken_back():
    desk = Desk(FakePlatform(streaming=True, drafts=True))
    async with desk.writing() as stream:
        stream.listen()(LONG)
        await desk.passes(1)
        stream.withdraw()
    assert desk.platform.retracted == []


def test_marks():
    assert with_mark("so far", "…") == "so far …"
    assert with_mark("```\ncode\n```", "…") == "```\ncode\n```\n…"
    assert with_mark("", "⏹") == "⏹"
