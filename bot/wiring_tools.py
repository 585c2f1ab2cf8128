"""Every tool, bound to what it needs, and to what the configuration grants."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from bot.config import Config
from bot.domain.ids import Person
from bot.memory.write import MemoryRules
from bot.ports.clock import Clock
from bot.ports.delivery import Delivery
from bot.ports.edges import Edges
from bot.ports.journal import Journal
from bot.ports.memories import History, Memories
from bot.ports.processes import Processes
from bot.skills import Skills
from bot.tools.calling import Calling
from bot.tools.context_inspect import Inspections
from bot.tools.means import Means
from bot.tools.toolbox import Toolbox, fill
from bot.tools.toolsets import CAPTURED, TOOLSETS
from bot.tools.work import Work
from bot.wiring_workshop import Workshop

if TYPE_CHECKING:
    from bot.tools.mcp.source import ForeignTools


class ToolParts(NamedTuple):
    """What tools reach for."""

    edges: Edges
    config: Config
    delivery: Delivery
    inspections: Inspections
    work: Work
    skills: Skills
    foreign: ForeignTools | None
    workshop: Workshop
    calling: Calling
    is_out: Callable[[Person], bool]
    more: Mapping[type, object]


def toolbox_of(parts: ToolParts) -> Toolbox:
    """Bind the tools; raise ConfigError when one lacks something."""
    store, memory = parts.edges.store, parts.config.memory
    services: dict[type, object] = {
        Clock: parts.edges.clock,
        Delivery: parts.delivery,
        Memories: store.memories,
        History: store.history,
        MemoryRules: MemoryRules(memory.importance_cap, memory.per_user_per_day, parts.is_out),
        Inspections: parts.inspections,
        Journal: store.journal,
        Processes: store.processes,
        Work: parts.work,
        Skills: parts.skills,
        **parts.workshop.services,
        **parts.more,
    }
    return fill(
        TOOLSETS,
        services,
        CAPTURED,
        grants=parts.calling.grants,
        sources=() if parts.foreign is None else (parts.foreign,),
        means=Means(parts.workshop.looks),
    )
