"""From a server's list to the tools that may be offered, and what is said of the others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from bot.config.tool_groups import McpConfig
from bot.domain.base import Digest, digest_text
from bot.domain.llm import ToolDefinition
from bot.ports.toolservers import ServedTool
from bot.prompts import render
from bot.sentences import Words, later
from bot.text.text import excerpt
from bot.tools.mcp.approvals import differences, digests
from bot.tools.mcp.plain_schema import UnusableSchema, plain_schema

MAX_TOOLS = 64
_MAX_DESCRIPTION_CHARS = 1_000
PREFIX = "mcp"
MAX_NAME_CHARACTERS = 64
"""Characters; what OpenAI and Anthropic both take."""
_OTHER_CHARACTERS = re.compile(r"[^A-Za-z0-9_-]+")
_DIGEST_CHARS = 6


class OfferedTool(NamedTuple):
    """A tool that can be offered: the server's own name, and its definition as models see it."""

    name: str
    definition: ToolDefinition


class BrokenTool(NamedTuple):
    """A tool that cannot be offered: the server's own name, what models would call it, and why."""

    name: str
    called: str
    why: Words


@dataclass(frozen=True)
class ServerOffer:
    """What came of a list. `held` are the tools that wait for somebody's approval, each with `new` or `changed`.

    `refused` tells of what is not as the server has it, a line each; of `broken` ones among it.
    """

    tools: tuple[OfferedTool, ...] = ()
    held: Mapping[str, str] = field(default_factory=dict)
    refused: tuple[Words, ...] = ()
    broken: tuple[BrokenTool, ...] = ()


def offer(server: str, table: McpConfig, served: Sequence[ServedTool], approved: Mapping[str, Digest]) -> ServerOffer:
    """Choose and put into words; the server's order stays."""
    first = {tool.name: tool for tool in reversed(served)}
    unique = [first[name] for name in dict.fromkeys(tool.name for tool in served)]
    names = offered_names(server, (tool.name for tool in unique))
    wanted = [tool for tool in unique if tool.name in names and _is_wanted(tool.name, table)]
    held = differences(approved, digests(wanted))
    refused = list(_told(len(served) - len(unique), len(wanted) - MAX_TOOLS))
    tools: list[OfferedTool] = []
    broken: list[BrokenTool] = []
    for tool in wanted[:MAX_TOOLS]:
        if tool.name in held:
            continue
        why = tool.broken
        try:
            if why is None:
                tools.append(OfferedTool(tool.name, _definition(server, names[tool.name], tool)))
        except (UnusableSchema, ValueError, TypeError, RecursionError) as error:
            # whatever is wrong with one of them, the others are as good as they were
            said = error.words if isinstance(error, UnusableSchema) else type(error).__name__
            why = later("mcp_servers.bad-schema", why=said)
        if why is not None:
            broken.append(BrokenTool(excerpt(tool.name, 60), names[tool.name], why))
    refused += [later("mcp_servers.unusable", name=one.name, why=one.why) for one in broken]
    usable = [tool for tool in wanted if names[tool.name] not in {one.called for one in broken}]
    refused += [
        later("mcp_servers.renamed", name=excerpt(name, 60), called=given)
        for name, given in _renamed(server, names, usable)
    ]
    return ServerOffer(tuple(tools), held, tuple(refused), tuple(broken))


def _is_wanted(name: str, table: McpConfig) -> bool:
    return name not in table.deny and (table.allow is None or name in table.allow)


def _told(twice: int, beyond: int) -> Iterator[Words]:
    if twice > 0:
        yield later("mcp_servers.listed-twice", count=twice)
    if beyond > 0:
        yield later("mcp_servers.too-many-tools", count=beyond, most=MAX_TOOLS)


def _renamed(server: str, names: Mapping[str, str], wanted: Sequence[ServedTool]) -> Iterator[tuple[str, str]]:
    for tool in wanted:
        if names[tool.name] != f"mcp_{server}_{tool.name}":
            yield tool.name, names[tool.name]


def _definition(server: str, name: str, tool: ServedTool) -> ToolDefinition:
    words = excerpt(tool.description, _MAX_DESCRIPTION_CHARS) or "nothing"
    return ToolDefinition(
        name=name,
        description=render("mcp/description", server=server, words=words),
        parameters=plain_schema(tool.parameters),
    )


def offered_names(server: str, names: Iterable[str]) -> Mapping[str, str]:
    """Return each of a server's names with the one that models see, `mcp_<server>_<tool>`.

    Names that become the same are told apart by a piece of their digest, all but the first; so is a name that is cut.
    A name that stands twice is one.
    """
    taken: set[str] = set()
    found: dict[str, str] = {}
    for name in dict.fromkeys(names):
        wanted = f"{PREFIX}_{server}_{_OTHER_CHARACTERS.sub('_', name) or 'tool'}"
        if len(wanted) > MAX_NAME_CHARACTERS or wanted in taken:
            wanted = f"{wanted[: MAX_NAME_CHARACTERS - _DIGEST_CHARS - 1]}_{digest_text(name)[-_DIGEST_CHARS:]}"
        if wanted not in taken:
            taken.add(wanted)
            found[name] = wanted
    return found
