"""What the configuration opens, and what it leaves closed."""

from __future__ import annotations

import pytest

from bot.app.adapters import adapter_problems, looking_edges, machine, open_edges
from bot.config import parse_config
from bot.errors import ConfigError
from bot.ports.platform import PlatformDuty

ADDRESSES = [("webhook", True), ("heartbeat_url", True), ("deaf_after", False)]


@pytest.mark.parametrize(("key", "calls"), ADDRESSES)
async def test_nobody_outside_is_called_unless_an_address_is_named(tmp_path, key, calls):
    value = '"https://hooks.example/x"' if calls else "60"
    loaded = parse_config(f'[bot]\ndata_dir = "{tmp_path}"\n[alerts]\n{key} = {value}', {})
    async with open_edges(loaded, machine()) as edges:
        assert (edges.caller is not None) == calls


async def test_who_only_looks_calls_nobody(tmp_path):
    loaded = parse_config(f'[bot]\ndata_dir = "{tmp_path}"\n[alerts]\nwebhook = "https://hooks.example/x"', {})
    async with open_edges(loaded, machine()):
        pass
    async with looking_edges(loaded, machine()) as edges:
        assert edges.caller is None


@pytest.mark.parametrize("table", ["providers", "platforms"])
@pytest.mark.parametrize("kind", ["sqlite", "webhook", "tiktoken", "system", "exchange", "nonsense"])
def test_what_is_no_adapter_for_a_table_is_refused_with_its_key(table, kind):
    (problem,) = adapter_problems({table: {"x": {"kind": kind}}})
    assert problem.startswith(f"{table}.x.kind: there is no adapter {kind!r}. Write one of those")


def test_a_platform_is_no_provider_and_the_other_way_round():
    swapped = {"providers": {"x": {"kind": "telegram"}}, "platforms": {"y": {"kind": "anthropic"}}}
    assert [problem.split(". ")[0] for problem in adapter_problems(swapped)] == [
        "providers.x.kind: there is no adapter 'telegram'",
        "platforms.y.kind: there is no adapter 'anthropic'",
    ]


async def test_several_processes_are_one_bot_where_a_platform_can_be_shared(tmp_path):
    tables = '[platforms.telegram]\ntoken = "1:x"\n[platforms.discord]\ntoken = "x.y.z"\n'
    loaded = parse_config(f'[bot]\ndata_dir = "{tmp_path}"\n{tables}', {})
    async with open_edges(loaded, machine(), duty=PlatformDuty(listens=False)) as edges:
        facts = [dict(platform.health().facts) for platform in edges.platforms.values()]
        assert [fact["listens"] for fact in facts] == ["no", "no"]
    async with open_edges(loaded, machine(), duty=PlatformDuty(speaks=False)) as edges:
        assert not any("listens" in dict(platform.health().facts) for platform in edges.platforms.values())
    alone = parse_config(f'[bot]\ndata_dir = "{tmp_path}"\n[platforms.console]\n', {})
    with pytest.raises(ConfigError, match=r"platforms\.console: only one process can work there"):
        async with open_edges(alone, machine(), duty=PlatformDuty(speaks=False)):
            pass
