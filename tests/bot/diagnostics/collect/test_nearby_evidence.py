"""What lies around a message: the way to each model service is told without what is secret in it."""

from __future__ import annotations

from bot.config.schema import ProviderConfig
from bot.diagnostics.collect.nearby_evidence import routes_of
from bot.diagnostics.evidence.evidence import ProviderRoute


def test_a_route_is_hosts_and_nothing_else() -> None:
    providers = {
        "a": ProviderConfig.model_validate(
            {
                "kind": "openai",
                "base_url": "https://user:canary@api.example/canary",
                "proxy": "http://u:canary@proxy.example:1",
            }
        ),
        "b": ProviderConfig(kind="openai"),
        "c": ProviderConfig.model_validate({"kind": "openai", "base_url": "http://[broken"}),
    }
    assert routes_of(providers) == (
        ProviderRoute(provider="a", host="api.example", proxy="proxy.example"),
        ProviderRoute(provider="b", host=""),
        ProviderRoute(provider="c", host=""),
    )


def test_what_may_load_a_model_may_take_its_time():
    tables = {
        "ollama": {"base_url": "http://localhost:11434/v1"},
        "slow": {"base_url": "http://box.local/v1", "first_token_timeout": 600},
        "quick": {"base_url": "http://127.0.0.1:1/v1", "first_token_timeout": 5},
        "far": {"base_url": "https://api.openai.com/v1", "first_token_timeout": 600},
        "none": {},
    }
    routes = routes_of({name: ProviderConfig(kind="openai", **table) for name, table in tables.items()})
    assert [route.load_seconds for route in routes] == [300, 600, 0, 0, 0]
