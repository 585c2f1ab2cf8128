"""After a group became a supergroup, the numbers of its messages are those of others: none of these may be touched."""

from __future__ import annotations

import pytest

from bot.domain.messages import EventKind, Preview
from bot.ports.platform import MESSAGE_GONE
from tests.adapters.telegram.connected import connected, here, message, refusal, to


@pytest.fixture(params=[True, False], ids=["known", "unknown"])
async def on(request):
    """A group whose message of the bot has the number that a message of Ann's has in the supergroup.

    The bot may delete both; it knows of the move already, or has it from a refusal.
    """
    async with connected() as on:
        on.old = on.world.group("Tea", on.ann)
        on.world.add_bot(on.old)
        for _ in range(4):
            on.world.say(on.old, on.ann, "hers, too")
        on.mine = (await on.telegram.send(message(on.old, "thinking"))).message_id
        on.new = on.world.migrate(on.old)
        on.world.promote(on.new, on.bot)
        while on.world.say(on.new, on.ann, "hers").id < int(on.mine):
            pass
        if not request.param:
            on.bot.inlet.clear()
        on.listen()
        await on.caught_up()
        yield on


def untouched(on) -> bool:
    """Whether what everybody wrote stands as it was."""
    hers = [one for one in on.world.messages(on.new) if one.author is on.ann and one.text]
    is_hers = {one.text for one in hers} == {"hers"} and hers[-1].id == int(on.mine)
    return is_hers and not any(one.reactions for one in hers)


def moves(on) -> list[object]:
    events = [inbound.event for inbound in on.ears.heard_all if inbound.event]
    return [event.moved_to for event in events if event.kind is EventKind.MOVED]


async def test_an_edit_is_of_what_is_gone(on):
    error = await refusal(on.telegram.send(message(on.old, "done", edits=on.mine)))
    assert (error.code, error.permanent, error.uncertain) == (MESSAGE_GONE, True, False)
    assert untouched(on) and moves(on) == [here(on.new)]


async def test_what_is_taken_back_is_gone_and_nothing_else_goes(on):
    for _ in range(2):
        error = await refusal(on.telegram.retract(here(on.old), on.mine))
        assert (error.code, error.permanent) == (MESSAGE_GONE, True)
    assert untouched(on) and moves(on) == [here(on.new)]


async def test_a_reaction_is_put_on_nothing_else(on):
    assert (await refusal(on.telegram.react(here(on.old), on.mine, "👀"))).permanent
    assert untouched(on)


async def test_an_answer_quotes_nothing_else(on):
    receipt = await on.telegram.send(message(on.old, "yes", replies_to=on.mine))
    assert on.new.messages[int(receipt.message_id)].reply_to is None
    assert untouched(on)


@pytest.mark.parametrize("is_shown", [True, False])
async def test_what_is_being_written_waits_until_the_bot_has_heard_of_it(on, is_shown):
    preview = Preview(to=to(on.old), text="think", number=7, message_id=on.mine if is_shown else "", replies_to=on.mine)
    for _ in range(2):
        error = await refusal(on.telegram.preview(preview))
        assert error.code == "migrated" and error.retry_after and not error.permanent
    assert moves(on) == [here(on.new)]
    shown = await on.telegram.preview(preview.replace(to=to(on.new), message_id="", replies_to=""))
    assert on.new.messages[int(shown)].text == "think" and untouched(on)
