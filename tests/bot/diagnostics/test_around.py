"""What lies around a message: the way to each model service is told without what is secret in it."""

from __future__ import annotations

from bot.config.schema import ProviderConfig
from bot.diagnostics.around import routes_of
from bot.diagnostics.evidence import Route


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
        Route(provider="a", host="api.example", proxy="proxy.example"),
        Route(provider="b", host=""),
        Route(provider="c", host=""),
    )
