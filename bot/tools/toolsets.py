"""Which process may call what, in the order in which the model sees it. Add a tool: one line here."""

from __future__ import annotations

from bot.domain.channel import ProcessKind
from bot.tools.channel_recall import channel_recall
from bot.tools.context_inspect import context_inspect
from bot.tools.memory_recall import memory_recall
from bot.tools.memory_save import memory_save
from bot.tools.react import react
from bot.tools.read_channel_context import Pages, read_channel_context
from bot.tools.reply import reply
from bot.tools.skip import skip
from bot.tools.tool import ToolSpec

CAPTURED: tuple[type, ...] = (Pages,)
"""What a single process hands in when it begins; every other need of a tool must be met at start."""

TOOLSETS: dict[ProcessKind, tuple[ToolSpec, ...]] = {
    ProcessKind.CHANNEL: (reply, skip, react, memory_save, memory_recall, channel_recall),
    ProcessKind.INSPECTION: (read_channel_context, memory_recall, channel_recall),
    ProcessKind.CORTEX: (context_inspect, memory_recall, channel_recall),
}
