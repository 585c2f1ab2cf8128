"""Tell who runs the bot that memories were forgotten because there were too many."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from bot.cortex.targets.target_resolver import TargetChannel
from bot.cortex.targets.texts import channel_word, typed_channel
from bot.domain.ids import ChannelKey
from bot.domain.memory import MadeRoom
from bot.ports.channels import ChannelStore
from bot.prompts import render
from bot.sentences import Words


async def tell_made_room(
    channels: ChannelStore, tell: Callable[[Words, None, str], Awaitable[None]], made: MadeRoom, most: int
) -> None:
    """Say of a channel how many were forgotten and how they are brought back."""
    state = await channels.load(ChannelKey(made.agent, made.channel))
    if state is None:
        return
    target = TargetChannel(state.key, state.name, state.place)
    words = partial(
        render,
        "cortex/alert_made_room",
        place=channel_word(target),
        typed=typed_channel(target),
        forgotten=made.forgotten,
        most=most,
    )
    await tell(words, None, f"made_room:{made.agent}:{made.channel}")
