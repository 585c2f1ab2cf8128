"""What a channel is told of its workers."""

from __future__ import annotations

from bot.context.section import SectionSources, ToolGroup
from bot.context.sections.worker_capabilities import WorkerCapabilitiesSection
from bot.domain.snapshot import Trigger
from bot.text.redaction import Redactor
from tests.fakes.contexts import FACTS, Stack
from tests.fakes.values import channel


class AtHand:
    def __init__(self, *doors: ToolGroup) -> None:
        self.doors = doors

    def of(self, key) -> tuple[ToolGroup, ...]:
        return self.doors


async def load(*doors: ToolGroup):
    stack = Stack()
    sources = SectionSources(
        stack.memories, stack.channels, stack.journal, FACTS, Redactor.of({}), workers=AtHand(*doors) if doors else None
    )
    return await WorkerCapabilitiesSection().load(channel(), sources)


def render(found) -> str:
    return WorkerCapabilitiesSection().render(channel(), Trigger(messages=(), at=0), found.data)


async def test_what_is_open_is_told_with_whom_it_is_for():
    found = await load(
        ToolGroup("files", ("file_read", "file_write"), "admin"),
        ToolGroup("shell", ("shell",), "owner", lacks="bubblewrap is not installed"),
        ToolGroup("web", ("web_fetch",), "everyone"),
        ToolGroup("browser", closed="it is off (tools.browser.enabled)"),
        ToolGroup("mcp:many", tuple(f"t{n}" for n in range(25)), "moderator"),
    )
    text = render(found)
    assert "- files: file_read, file_write (for admins and above)\n- web: web_fetch (for everybody)" in text
    assert "and 5 more (for moderators and above)" in text and "browser" not in text
    assert "- shell cannot be used now: bubblewrap is not installed" in text
    assert found.sources[0] == "config:tools.files.enabled" and "config:tools.mcp.many.enabled" in found.sources


async def test_why_there_is_nothing():
    assert (await load()).reason == "nothing is granted to workers here"
    closed = await load(
        ToolGroup("files", closed="it is off"), ToolGroup("web", closed="it is not open in this channel")
    )
    assert closed.reason == (
        "nothing is granted to workers here (files: it is off; web: it is not open in this channel)"
    )
