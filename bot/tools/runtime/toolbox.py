"""Every tool, bound once at start; a process gets those that its kind and its caller's authority allow."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from bot.domain.access import Authority
from bot.domain.channel import ProcessKind
from bot.errors import ConfigError
from bot.sentences import say
from bot.tools.runtime.availability import NOTHING_NEEDED, ToolAvailability
from bot.tools.runtime.tool import Tool, ToolSpec, bind_tool
from bot.tools.runtime.tool_grants import NO_GRANTS, ToolGrants, Where

OPENING_KINDS = frozenset({ProcessKind.CHANNEL, ProcessKind.BRANCH, ProcessKind.WORKER})
"""The processes that can open a tool while they run; to every other one a tool on demand is offered from the start."""


class ToolSource(Protocol):
    """Who brings tools that come and go, such as an MCP server."""

    def tools(self) -> tuple[Tool, ...]:
        """Return its tools as they are now, bound and in an order that stays; cheap, because every turn asks."""


@dataclass(frozen=True, slots=True)
class Toolbox:
    """The tools of every process kind, in the order in which models see them; those of `sources` come last."""

    tools: Mapping[ProcessKind, tuple[Tool, ...]]
    grants: ToolGrants = NO_GRANTS
    sources: tuple[ToolSource, ...] = ()
    means: ToolAvailability = NOTHING_NEEDED
    _allowed: dict[tuple[ProcessKind, Authority], tuple[Tool, ...]] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )
    """The bound tools that a kind allows for an authority: nothing of it changes after the start."""

    def offered(
        self,
        kind: ProcessKind,
        authority: Authority,
        given: Mapping[type, object] | None = None,
        channel: Where | None = None,
        opened: Sequence[str] = (),
    ) -> tuple[Tool, ...]:
        """Return what a process begins with; `given` is what it captured. A kind that is not listed gets nothing.

        `channel` is where it is used; without one, groups that are open in some channels only are closed. `opened` are
        the tools on demand that its conversation has used, in that order: they come last, so that each leaves what
        stands before it as it was.
        """
        found = self._permitted(kind, authority, channel)
        opens = kind in OPENING_KINDS
        standing = [tool for tool in found if not (opens and tool.spec.on_demand)]
        waiting = {tool.name: tool for tool in found if is_on_demand(kind, tool)} if opened else {}
        added = [waiting[name] for name in dict.fromkeys(opened) if name in waiting]
        return tuple([_supplied(tool, given) for tool in (*standing, *added)])

    def on_demand(
        self,
        kind: ProcessKind,
        authority: Authority,
        given: Mapping[type, object] | None = None,
        channel: Where | None = None,
    ) -> tuple[Tool, ...]:
        """Return what a process may open, whether its conversation has opened it already or not."""
        found = self._permitted(kind, authority, channel)
        return tuple([_supplied(tool, given) for tool in found if is_on_demand(kind, tool)])

    def injected(
        self,
        names: Collection[str],
        kind: ProcessKind,
        authority: Authority,
        given: Mapping[type, object] | None = None,
        channel: Where | None = None,
    ) -> tuple[Tool, ...]:
        """Return those of the named tools that a process may use, as they are named, whether it began with them or not.

        In that order they stand in the conversation's next turn too.
        """
        found = {tool.name: tool for tool in self._permitted(kind, authority, channel)}
        return tuple([_supplied(found[name], given) for name in dict.fromkeys(names) if name in found])

    def adding(
        self,
        kind: ProcessKind,
        authority: Authority,
        given: Mapping[type, object] | None = None,
        channel: Where | None = None,
    ) -> Callable[[Collection[str]], tuple[Tool, ...]]:
        """Return what finds the tools that a turn of such a process asks for, as they are when it does."""
        return lambda names: self.injected(names, kind, authority, given, channel)

    def catalogue(self, kind: ProcessKind, authority: Authority, channel: Where | None) -> tuple[Tool, ...]:
        """Return every tool that a process may use or may have added, as they are at rest."""
        return tuple(self._permitted(kind, authority, channel))

    def _permitted(self, kind: ProcessKind, authority: Authority, channel: Where | None) -> list[Tool]:
        # every turn asks, and most tools belong to no group
        off = self.grants.off_in(channel)
        found = self._allowing(kind, authority)
        groups = {tool.spec.group for tool in found if tool.spec.group}
        is_open = {group: self._is_open(group, channel, authority) for group in groups}
        return [
            tool
            for tool in found
            if (not tool.spec.group or is_open[tool.spec.group]) and (not off or tool.name not in off)
        ]

    def _allowing(self, kind: ProcessKind, authority: Authority) -> Sequence[Tool]:
        if self.sources:
            return [tool for tool in self.of(kind) if tool.allows(kind, authority)]
        found = self._allowed.get((kind, authority))
        if found is None:
            found = tuple(tool for tool in self.of(kind) if tool.allows(kind, authority))
            # not before all are bound: a tool may ask for this while it is made
            if kind in self.tools:
                self._allowed[kind, authority] = found
        return found

    def _is_open(self, group: str, channel: Where | None, authority: Authority) -> bool:
        # in this order: nobody looks for means of what is not granted
        return self.grants.allows(group, channel, authority) and not self.means.missing(group)

    def knows(self, name: str) -> bool:
        """Say whether there is such a tool, for whomever; a model may call for any word that it likes."""
        return any(tool.name == name for kind in self.tools for tool in self.of(kind))

    def of(self, kind: ProcessKind) -> tuple[Tool, ...]:
        """Return every tool that some caller of a kind of process may use; the first of two of one name counts."""
        bound = self.tools.get(kind, ())
        if not self.sources:
            return bound
        found = {tool.name: tool for tool in bound}
        for source in self.sources:
            for tool in source.tools():
                if kind in tool.spec.kinds:
                    found.setdefault(tool.name, tool)
        return tuple(found.values())


def is_on_demand(kind: ProcessKind, tool: Tool) -> bool:
    """Say whether a process of this kind has to open the tool, or has it from the start."""
    return tool.spec.on_demand and kind in OPENING_KINDS


def _supplied(tool: Tool, given: Mapping[type, object] | None) -> Tool:
    return tool.supplied(given or {}) if tool.missing else tool


def for_reader(tools: Sequence[Tool], *, reads: bool) -> tuple[Tool, ...]:
    """Return the tools for somebody who may read what is said in the channel, or may not."""
    return tuple(tool for tool in tools if reads or not tool.spec.shows_content)


def fill_toolbox(
    toolsets: Mapping[ProcessKind, Sequence[ToolSpec]],
    services: Mapping[type, object],
    captured: Collection[type] = (),
    grants: ToolGrants = NO_GRANTS,
    sources: Sequence[ToolSource] = (),
    means: ToolAvailability = NOTHING_NEEDED,
) -> Toolbox:
    """Bind every tool, or raise ConfigError that names each tool and service which cannot be joined.

    A tool may ask for the Toolbox itself, and for the Grants.
    """
    problems: list[str] = []
    known: dict[ToolSpec, Tool] = {}
    tools: dict[ProcessKind, tuple[Tool, ...]] = {}
    toolbox = Toolbox(tools, grants, tuple(sources), means)
    services = {**services, Toolbox: toolbox, ToolGrants: grants}
    for kind, specs in toolsets.items():
        bound: list[Tool] = []
        for spec in specs:
            if kind not in spec.kinds:
                problems.append(say("toolbox.kind-not-allowed", tool=spec.name, kind=kind))
                continue
            try:
                # the same for every kind of process
                known[spec] = known.get(spec) or bind_tool(spec, services, captured)
                bound.append(known[spec])
            except ConfigError as error:
                problems.extend(error.problems)
        names = [tool.name for tool in bound]
        twice = {name for name in names if names.count(name) > 1}
        problems += [say("toolbox.listed-twice", tool=name, kind=kind) for name in twice]
        tools[kind] = tuple(bound)
    if problems:
        raise ConfigError(sorted(set(problems)))
    return toolbox
