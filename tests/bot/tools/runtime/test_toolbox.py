"""All tools, bound at start."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bot.config.tool_groups import ToolsConfig
from bot.domain.access import Authority
from bot.domain.base import canonical_json
from bot.domain.channel import ProcessKind
from bot.domain.llm import ToolDefinition
from bot.errors import ConfigError
from bot.tools.runtime.availability import ToolAvailability
from bot.tools.runtime.tool import AnyArgs, Tool, ToolSpec
from bot.tools.runtime.tool_grants import ToolGrants
from bot.tools.runtime.toolbox import fill_toolbox
from bot.tools.skip import skip
from bot.tools.toolsets import TOOLSETS


def test_a_start_without_services_names_every_tool_and_service():
    with pytest.raises(ConfigError) as error:
        fill_toolbox(TOOLSETS, {})
    told = str(error.value)
    for words in (
        "`reply`: needs `delivery: Delivery`",
        "`memory_save`: needs `rules: MemoryRules`",
        "Pages",
    ):
        assert words in told


def test_a_tool_in_a_toolset_that_it_does_not_allow_is_refused():
    with pytest.raises(ConfigError, match="`skip`: is in the toolset of inspection"):
        fill_toolbox({ProcessKind.INSPECTION: (skip,)}, {})
    with pytest.raises(ConfigError, match=r"is in the toolset of .* twice"):
        fill_toolbox({ProcessKind.CHANNEL: (skip, skip)}, {})


def test_tools_come_in_the_order_of_the_list():
    box = fill_toolbox({ProcessKind.CHANNEL: (skip,)}, {})
    assert [tool.name for tool in box.offered(ProcessKind.CHANNEL, Authority.EVERYONE)] == ["skip"]
    assert box.offered(ProcessKind.WORKER, Authority.OWNER) == ()


class Server:
    """Brings tools that come and go."""

    def __init__(self, *bound: Tool) -> None:
        self.bound = bound

    def tools(self) -> tuple[Tool, ...]:
        return self.bound


def foreign(name: str, **flags: object) -> Tool:
    async def run(args: AnyArgs) -> str:
        return canonical_json(args)

    definition = ToolDefinition(name=name, description=f"About {name}.", parameters='{"type":"object"}')
    spec = ToolSpec(name, run, frozenset({ProcessKind.CHANNEL}), **flags)  # type: ignore[arg-type]
    return Tool(spec, definition, AnyArgs, "args", None, {})


def test_tools_of_a_source_come_last_and_go_when_it_loses_them():
    server = Server(foreign("look"), foreign("skip"), foreign("grand", authority=Authority.OWNER))
    box = fill_toolbox({ProcessKind.CHANNEL: (skip,)}, {}, sources=[server])
    assert names(box.offered(ProcessKind.CHANNEL, Authority.EVERYONE)) == ["skip", "look"]
    # a name that is taken stays with whom it belongs to
    assert box.of(ProcessKind.CHANNEL)[0].spec is skip
    assert names(box.offered(ProcessKind.CHANNEL, Authority.OWNER)) == ["skip", "look", "grand"]
    assert box.offered(ProcessKind.BRANCH, Authority.OWNER) == ()
    server.bound = ()
    assert names(box.offered(ProcessKind.CHANNEL, Authority.OWNER)) == ["skip"]


def test_what_is_on_demand_is_not_offered_and_can_be_added():
    server = Server(foreign("look", on_demand=True), foreign("grand", on_demand=True, authority=Authority.OWNER))
    box = fill_toolbox({ProcessKind.CHANNEL: (skip,)}, {}, sources=[server])
    here = ProcessKind.CHANNEL, Authority.EVERYONE
    assert names(box.offered(*here)) == ["skip"] and names(box.catalogue(*here, None)) == ["skip", "look"]
    assert names(box.adding(*here)(["look", "grand", "nobody"])) == ["look"]


def test_a_group_without_its_means_is_not_offered():
    granted = ToolGrants(ToolsConfig.model_validate({"web": {"enabled": True, "authority": "everyone"}}))
    for missing, found in (("no network", []), ("", ["surf"])):
        server, means = Server(foreign("surf", group="web")), ToolAvailability({"web": lambda missing=missing: missing})
        box = fill_toolbox({}, {}, grants=granted, sources=[server], means=means)
        assert names(box.offered(ProcessKind.CHANNEL, Authority.OWNER)) == found


def names(tools: Sequence[Tool]) -> list[str]:
    return [tool.name for tool in tools]
