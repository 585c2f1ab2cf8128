"""A model in the cortex talk may name any channel; what is not its admin's does not exist for it."""

from __future__ import annotations

from bot.domain.ids import MAIN, ChannelKey, PersonKey, UserId
from bot.errors import ToolError
from bot.tools.context_inspect import InspectionWish
from tests.bot.cortex.chat import ADMIN
from tests.fakes.provider import says
from tests.faults.hostile.house import a_house
from tests.faults.hostile.puppet import CHANNELS, HOME, canary


async def test_the_tool_of_the_cortex_chat_reaches_no_other_guild(tmp_path):
    """Programs of such a model are played by F13 of `tests.faults`."""
    async with a_house(tmp_path, says("yes")) as house:
        bot = house.bot
        caller = bot.access.caller(PersonKey("console", UserId(ADMIN)), "admin")
        for channel in CHANNELS[1:]:
            for named in (channel, canary(channel, "name"), channel.removeprefix("console:")):
                try:
                    await bot.cortex.begin(InspectionWish(caller, ChannelKey(MAIN, HOME), named, "", 0))
                except ToolError as error:
                    written = str(error).replace(named, "")
                    assert "CANARY" not in written.replace(canary(HOME, "name"), "")
                else:
                    raise AssertionError(f"{named} was inspected")
