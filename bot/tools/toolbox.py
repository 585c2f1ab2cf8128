"""Every tool, bound once at start; a process gets those that its kind and its caller's authority allow."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from bot.domain.access import Authority
from bot.domain.channel import ProcessKind
from bot.errors import ConfigError
from bot.tools.tool import Tool, ToolSpec, bind


@dataclass(frozen=True, slots=True)
class Toolbox:
    """The tools of every process kind, in the order in which models see them."""

    tools: Mapping[ProcessKind, tuple[Tool, ...]]

    def offered(
        self, kind: ProcessKind, authority: Authority, given: Mapping[type, object] | None = None
    ) -> tuple[Tool, ...]:
        """Return what a process may use; `given` is what it captured. A kind that is not listed gets nothing."""
        allowed = (tool for tool in self.tools.get(kind, ()) if tool.allows(kind, authority))
        return tuple(tool.supplied(given or {}) for tool in allowed)


def fill(
    toolsets: Mapping[ProcessKind, Sequence[ToolSpec]],
    services: Mapping[type, object],
    captured: Collection[type] = (),
) -> Toolbox:
    """Bind every tool, or raise ConfigError that names each tool and service which cannot be joined."""
    problems: list[str] = []
    tools: dict[ProcessKind, tuple[Tool, ...]] = {}
    for kind, specs in toolsets.items():
        bound: list[Tool] = []
        for spec in specs:
            if kind not in spec.kinds:
                problems.append(f"tool `{spec.name}`: stands in the toolset of {kind}, which it does not allow.")
                continue
            try:
                bound.append(bind(spec, services, captured))
            except ConfigError as error:
                problems.extend(error.problems)
        names = [tool.name for tool in bound]
        problems += [
            f"tool `{name}`: stands twice in the toolset of {kind}." for name in set(names) if names.count(name) > 1
        ]
        tools[kind] = tuple(bound)
    if problems:
        raise ConfigError(sorted(set(problems)))
    return Toolbox(tools)
