"""Tools that can be opened: a line each, and no more lines than somebody reads."""

from __future__ import annotations

from dataclasses import replace

from bot.domain.snapshot import tools_on_demand
from tests.fakes.contexts import Stack, ask
from tests.fakes.values import channel


async def told(*tools: tuple[str, str]):
    snapshot = await Stack().contexts.snapshot(replace(ask(channel()), on_demand=tools))
    text = next((block.text for block in snapshot.request.system if block.name == "tools_on_demand"), "")
    return text, tools_on_demand(snapshot.sections)


async def test_each_has_a_line_and_the_section_says_which_they_are():
    text, names = await told(("cancel", "Stop a branch"), ("send_file", "Send a file"))
    assert text.endswith("- cancel: Stop a branch\n- send_file: Send a file")
    assert names == ("cancel", "send_file")


async def test_without_any_there_is_no_section():
    assert await told() == ("", ())


async def test_many_are_counted_and_found_with_the_list():
    text, names = await told(*((f"tool_{number}", "Do it") for number in range(45)))
    assert "- tool_39: Do it" in text and "tool_40" not in text and text.endswith("5 more: `list_all_tools`.")
    assert len(names) == 45
