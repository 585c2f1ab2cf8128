"""All tools, bound at start."""

from __future__ import annotations

import pytest

from bot.domain.access import Authority
from bot.domain.channel import ProcessKind
from bot.errors import ConfigError
from bot.tools.skip import skip
from bot.tools.toolbox import fill
from bot.tools.toolsets import TOOLSETS


def test_a_start_without_services_names_every_tool_and_service():
    with pytest.raises(ConfigError) as error:
        fill(TOOLSETS, {})
    told = str(error.value)
    for words in (
        "`reply`: needs `delivery: Delivery`",
        "`memory_save`: needs `rules: MemoryRules`",
        "Pages",
    ):
        assert words in told


def test_a_tool_in_a_toolset_that_it_does_not_allow_is_refused():
    with pytest.raises(ConfigError, match="`skip`: stands in the toolset of inspection"):
        fill({ProcessKind.INSPECTION: (skip,)}, {})
    with pytest.raises(ConfigError, match="stands twice"):
        fill({ProcessKind.CHANNEL: (skip, skip)}, {})


def test_tools_come_in_the_order_of_the_list():
    box = fill({ProcessKind.CHANNEL: (skip,)}, {})
    assert [tool.name for tool in box.offered(ProcessKind.CHANNEL, Authority.EVERYONE)] == ["skip"]
    assert box.offered(ProcessKind.WORKER, Authority.OWNER) == ()
