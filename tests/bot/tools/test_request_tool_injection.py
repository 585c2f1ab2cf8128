"""Tools that are not offered from the start."""

from __future__ import annotations

import pytest

from bot.config.tool_groups import ToolsConfig
from bot.domain.access import Authority
from bot.domain.channel import ProcessKind
from bot.tools.runtime import tool as module
from bot.tools.runtime.tool import ToolArgs, tool
from bot.tools.runtime.tool_grants import ToolGrants
from tests.bot.agent.room import Room
from tests.fakes.contexts import trigger
from tests.fakes.provider import calls, says

CHANNEL = {ProcessKind.CHANNEL}


class Nothing(ToolArgs):
    pass


@tool(kinds=CHANNEL, on_demand=True)
async def weather(args: Nothing) -> str:
    return "rain"


@tool(kinds=CHANNEL, on_demand=True, authority=Authority.ADMIN)
async def banish(args: Nothing) -> str:
    return "gone"


@tool(kinds=CHANNEL, on_demand=True, group="web")
async def surf(args: Nothing) -> str:
    return "waves"


TOOLS = (weather, banish, surf)
OPEN = ToolGrants(ToolsConfig.model_validate({"web": {"enabled": True, "authority": "everyone", "channels": []}}))


@pytest.fixture(autouse=True)
def no_templates(monkeypatch):
    monkeypatch.setattr(module, "render", lambda name: f"About {name}.")


def asks(*names: str):
    return calls(("request_tool_injection", {"names": names}))


def results(room: Room) -> list[str]:
    return [result.text for message in room.provider.requests[-1].messages for result in message.results]


async def test_it_is_called_in_the_next_round_and_stays_while_the_history_shows_it():
    room = Room(asks("weather"), calls(("weather", {})), says("rain"), calls(("weather", {})), says("?"), tools=TOOLS)
    await room.hears()
    assert results(room) == ["From your next step on you can call weather.", "rain"]
    await room.hears()
    assert results(room)[-1] == "rain"
    first, *later = room.provider.requests
    assert "weather" not in {tool.name for tool in first.tools}
    assert all(request.tools == (*first.tools, request.tools[-1]) for request in later)


async def test_tools_stand_in_the_order_in_which_they_were_opened_in_this_turn_and_in_the_next():
    room = Room(asks("banish", "weather"), says("a"), says("b"), tools=TOOLS, authority=Authority.ADMIN)
    await room.hears()
    await room.hears()
    _, opened, later = room.provider.requests
    assert [tool.name for tool in opened.tools][-2:] == ["banish", "weather"] and later.tools == opened.tools


async def test_what_the_next_one_who_asks_may_not_use_is_closed_to_them():
    room = Room(asks("banish"), says("a"), says("b"), tools=TOOLS, authority=Authority.ADMIN)
    await room.hears()
    ask = room.answering.ask_for(room.state, trigger(), Authority.EVERYONE)
    assert "banish" not in {tool.name for tool in ask.tools} | {name for name, _ in ask.on_demand}


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["wether"], "'wether' is no tool that can be used here. Did you mean weather?"),
        (["banish"], "'banish' is no tool that can be used here."),
        (["surf"], "'surf' is no tool that can be used here."),
        (["reply"], "reply: open already."),
        (["", "x" * 64], "is no tool that can be used here"),
        (["context_inspect"], "'context_inspect' is no tool that can be used here."),
    ],
)
async def test_what_is_not_there_or_not_allowed_is_not_added(names, told):
    room = Room(asks(*names), says("oh"), tools=TOOLS, grants=OPEN)
    await room.hears()
    assert told in results(room)[0]
    assert room.provider.requests[1].tools == room.provider.requests[0].tools


async def test_good_names_are_added_although_others_are_not():
    room = Room(asks("nope", "weather", "weather"), calls(("weather", {})), says("rain"), tools=TOOLS)
    await room.hears()
    one, two = results(room)
    assert "you can call weather." in one and "'nope' is no tool" in one and two == "rain"


async def test_an_admin_may_have_more_added():
    room = Room(asks("banish"), calls(("banish", {})), says("ok"), tools=TOOLS, authority=Authority.ADMIN)
    await room.hears()
    assert results(room)[1] == "gone"


async def test_a_call_opens_its_tool_where_it_may_be_used():
    room = Room(calls(("weather", {}), ("surf", {}), ("banish", {})), says("ok"), tools=TOOLS)
    await room.hears()
    first, *others = results(room)
    assert first == "rain" and all("There is no tool" in text for text in others)
    assert [tool.name for tool in room.provider.requests[1].tools if tool.name in {"weather", "surf"}] == ["weather"]


async def test_the_list_names_what_may_be_used_and_nothing_else():
    asked = [("list_all_tools", arguments) for arguments in ({"query": "weather"}, {"offset": 3}, {"query": "zz"})]
    room = Room(calls(*asked), says("ok"), tools=TOOLS)
    await room.hears()
    found, paged, none = results(room)
    assert "- weather (on demand: request_tool_injection opens it): About tools/weather." in found
    assert "banish" not in paged and "surf" not in paged
    assert "- list_all_tools (on demand: request_tool_injection opens it)" in paged
    assert none.startswith("No tool fits 'zz'.")
