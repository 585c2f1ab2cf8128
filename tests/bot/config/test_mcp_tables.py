"""Tables of MCP servers: what they need, and that their keys are secrets."""

from __future__ import annotations

import pytest

from bot.config import parse_config
from bot.errors import ConfigError


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("[tools.mcp.x]", "tools.mcp.x: needs `command` (a program to start) or `url`"),
        ('[tools.mcp.x]\ncommand = "a"\nurl = "http://b"', "and not both"),
        ('[tools.mcp.x]\nurl = "b.example/mcp"', "tools.mcp.x.url: "),
        ('[tools.mcp.X_y]\ncommand = "a"', "tools.mcp.X_y"),
        ('[tools.mcp.x]\ncommand = "a"\nkinds = ["inspection"]', "tools.mcp.x.kinds.0: "),
        ('[tools.mcp.x]\ncommand = "a"\ntimeout = 0', "tools.mcp.x.timeout: "),
        ('[tools.mcp.x]\ncomand = "a"', "Did you mean `command`?"),
        ('[inspector]\ntoken = "short"', "inspector.token: "),
    ],
)
def test_what_is_wrong_is_said_with_its_key(table, said):
    with pytest.raises(ConfigError) as refused:
        parse_config(table, {})
    assert said in str(refused.value)


def test_keys_of_servers_are_secrets_wherever_they_stand():
    text = (
        '[tools.mcp.one]\nurl = "https://a.example/mcp"\n'
        'headers = { Authorization = "Bearer abc123", X-Org = "env:ORG" }\n'
        '[tools.mcp.two]\ncommand = "/bin/x"\nenv = { API_TOKEN = "t0ken", FROM = "env:FROM", PATH = "/usr/bin" }\n'
        '[inspector]\ntoken = "env:INSPECTOR"\n'
    )
    loaded = parse_config(text, {"ORG": "our-org", "FROM": "hidden", "INSPECTOR": "0123456789abcdef"})
    assert set(loaded.secrets.values()) == {"Bearer abc123", "abc123", "our-org", "t0ken", "hidden", "0123456789abcdef"}
    one = loaded.config.tools.mcp["one"]
    assert not one.enabled and one.authority == "admin" and one.kinds == ("worker",)
    assert "abc123" not in repr(loaded.config) and "t0ken" not in repr(loaded.config)
