"""What the configuration opens, and what it leaves closed."""

from __future__ import annotations

import pytest

from bot.app.adapters import adapter_problems, looking_edges, machine, open_edges
from bot.config import parse_config

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
