"""What the bot does, as traces for a viewer, by OpenTelemetry's protocol over HTTP; loaded only where one looks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from bot.errors import ConfigError
from bot.ports.clock import Clock
from bot.ports.traces import TracesExporter
from bot.runtime.lean_imports import lean_imports
from bot.sentences import say


def create(settings: Mapping[str, Any], clock: Clock, redact: Callable[[str], str]) -> TracesExporter:
    """Build what makes spans and hands them over; raise ConfigError when the library is not there.

    `endpoint` and `headers` say to whom, `version` who speaks; whatever else is a switch for a kind of content.
    """
    # the name alone would be found in any tree that has some package of OpenTelemetry
    if find_spec("google") is None or find_spec("opentelemetry") is None or find_spec("opentelemetry.proto") is None:
        raise ConfigError([say("config.traces-missing")])
    with lean_imports():
        exporter = import_module("adapters.otel.exporter")
    made: TracesExporter = exporter.create_exporter(settings, clock, redact)
    return made
