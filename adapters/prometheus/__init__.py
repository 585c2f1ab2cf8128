"""The numbers that operators live on, by prometheus-client: nothing of it is imported where nobody asks for them."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from bot.errors import ConfigError
from bot.ports.clock import Clock
from bot.ports.metrics import MetricsExporter
from bot.runtime.lean_imports import lean_imports
from bot.sentences import say


def create(settings: Mapping[str, Any], clock: Clock) -> MetricsExporter:
    """Build what counts, and answers at the address `listen`; raise ConfigError when the library is not there.

    `platforms` and `providers` are those that may be counted.
    """
    if find_spec("prometheus_client") is None:
        raise ConfigError([say("config.metrics-missing")])
    with lean_imports():
        exporter = import_module("adapters.prometheus.exporter")
    made: MetricsExporter = exporter.PrometheusExporter(
        settings["listen"], settings.get("platforms", ()), settings.get("providers", ()), clock
    )
    return made
