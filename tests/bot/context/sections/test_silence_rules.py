"""When not to answer depends on the place and the mode; a direct word is never met with nothing."""

from __future__ import annotations

import pytest

from bot.domain.channel import ResponseMode
from bot.domain.messages import ChannelPlace
from tests.fakes.contexts import Stack, ask
from tests.fakes.values import channel, settings


async def rules(mode, *, dm=False):
    state = channel().replace(settings=settings(mode), place=ChannelPlace(is_dm=dm))
    request = (await Stack().contexts.snapshot(ask(state))).request
    return next(b.text for b in request.system if b.name == "silence_rules")


@pytest.mark.parametrize("mode", list(ResponseMode))
async def test_a_mention_in_a_group_is_never_answered_by_nothing(mode):
    assert "is never answered by nothing" in await rules(mode)


@pytest.mark.parametrize("mode", list(ResponseMode))
async def test_a_direct_message_is_answered_whatever_the_mode(mode):
    assert "Answer every message." in await rules(mode, dm=True)


async def test_each_mode_has_its_own_rules():
    assert len({await rules(mode) for mode in ResponseMode}) == 3
