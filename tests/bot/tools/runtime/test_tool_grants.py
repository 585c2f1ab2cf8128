"""Groups of tools are closed until the configuration opens them."""

from __future__ import annotations

import pytest

from bot.config import parse_config
from bot.config.config_values import flatten, merge_live, take_over
from bot.domain.access import Authority
from bot.domain.ids import MAIN, AgentId, ChannelId, ChannelKey
from bot.errors import ConfigError
from bot.tools.runtime.tool_grants import NO_GRANTS, ToolGrants

HERE = ChannelId("console:#general")
OPEN = '[tools.web]\nenabled = true\nauthority = "moderator"\nchannels = ["console:#general"]\n'


def grants(text: str, **more) -> ToolGrants:
    config = parse_config(text, None).config
    return ToolGrants(config.tools, agents=config.agents, **more)


@pytest.mark.parametrize("group", ["files", "shell", "web", "browser", "mcp:x", "nonsense", "mcp"])
def test_everything_is_closed_to_everybody_by_default(group):
    assert not NO_GRANTS.allows(group, HERE, Authority.OWNER)
    assert NO_GRANTS.refusal(group, HERE, Authority.OWNER)


def test_what_belongs_to_no_group_is_free():
    assert NO_GRANTS.allows("", None, Authority.EVERYONE) and NO_GRANTS.refusal("", None, Authority.EVERYONE) == ""


@pytest.mark.parametrize(
    ("channel", "tier", "why"),
    [
        (HERE, Authority.MODERATOR, ""),
        (ChannelKey(MAIN, HERE), Authority.OWNER, ""),
        (HERE, Authority.EVERYONE, "it needs the authority moderator"),
        (ChannelId("console:#other"), Authority.OWNER, "it is not open in this channel"),
        (None, Authority.OWNER, "it is not open in this channel"),
    ],
)
def test_who_may_and_where(channel, tier, why):
    assert grants(OPEN).refusal("web", channel, tier) == why


def test_a_missing_list_is_everywhere_and_an_empty_one_nowhere():
    everywhere = OPEN.replace('channels = ["console:#general"]\n', "")
    assert grants(everywhere).allows("web", None, Authority.ADMIN)
    assert not grants(everywhere + "channels = []").allows("web", HERE, Authority.OWNER)


def test_a_channel_that_has_moved_is_still_meant():
    moved = grants(OPEN, before=lambda channel: (HERE,) if channel == "console:#new" else ())
    assert moved.allows("web", ChannelId("console:#new"), Authority.ADMIN)


def test_a_server_is_a_group_of_its_own():
    two = grants('[tools.mcp.a]\nenabled = true\ncommand = "a"\n[tools.mcp.b]\ncommand = "b"\n')
    assert two.allows("mcp:a", HERE, Authority.ADMIN) and not two.allows("mcp:b", HERE, Authority.ADMIN)


def test_an_agent_has_the_groups_that_it_is_given():
    text = OPEN + '[agents.helper]\ntools = []\nchannels = ["console:#general"]\n'
    helper = ChannelKey(AgentId("helper"), HERE)
    assert "agents.helper.tools" in grants(text).refusal("web", helper, Authority.OWNER)


def test_a_running_bot_takes_a_grant_anew():
    running, wanted = (parse_config(text, None).config for text in ("", OPEN))
    live = ToolGrants(running.tools)
    assert not live.allows("web", HERE, Authority.OWNER)
    take_over(running, merge_live(running, wanted))
    assert live.allows("web", HERE, Authority.OWNER)


def test_every_key_is_known_by_its_name_and_a_wrong_one_is_said():
    keys = {value.key for value in flatten(parse_config('[tools.mcp.a]\ncommand = "a"', None).config)}
    assert {"tools.web.enabled", "tools.shell.authority", "tools.mcp.a.enabled", "calls.inline_seconds"} <= keys
    with pytest.raises(ConfigError) as error:
        parse_config('[tools.web]\nenabeld = true\nauthority = "root"\n[tools.wbe]\n[calls]\ninline_seconds = 0', None)
    told = "\n".join(error.value.problems)
    assert "tools.web.enabeld: unknown key. Did you mean `enabled`?" in told and "tools.wbe: unknown key" in told
    assert "tools.web.authority:" in told and "calls.inline_seconds:" in told
