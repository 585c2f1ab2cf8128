"""What workers may use, as a channel is told."""

from __future__ import annotations

from bot.app.agent import WorkerTools
from bot.config import parse_config
from bot.domain.channel import ProcessKind
from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.tools.runtime.availability import ToolAvailability
from bot.tools.runtime.tool_grants import ToolGrants
from bot.tools.runtime.toolbox import Toolbox
from tests.bot.agent.room import Room
from tests.fakes.provider import says

GENERAL = ChannelKey(MAIN, ChannelId("console:#general"))
CONFIG = """
[platforms.console]
[tools.files]
enabled = true
[tools.web]
enabled = true
authority = "everyone"
channels = ["console:#other"]
[tools.shell]
enabled = true
"""


def test_groups_are_told_as_they_are_granted():
    tools = parse_config(CONFIG, {}).config.tools
    bound = Room(says("")).toolbox.tools
    toolbox = Toolbox(bound, ToolGrants(tools), means=ToolAvailability({"shell": lambda: "bubblewrap is missing"}))
    found = {door.group: door for door in WorkerTools(lambda: toolbox).of(GENERAL)}
    workers = {tool.name for tool in bound.get(ProcessKind.WORKER, ()) if tool.spec.group == "files"}
    assert found["files"].authority == "admin" and set(found["files"].tools) == workers
    assert found["shell"].lacks == "bubblewrap is missing" and not found["shell"].closed
    assert found["web"].closed == "it is not open in this channel"
    assert found["browser"].closed == "it is off (tools.browser.enabled)"
