"""What is shipped for a monitor asks for numbers that there are, and each of them is explained."""

from __future__ import annotations

import re
from collections.abc import Iterator

import orjson
import pytest

from adapters.otel import semconv
from bot.config.schema import TracesConfig
from bot.domain.ledger import Outcome
from bot.ports.metrics import TurnPart
from tests.architecture.tree import ROOT
from tests.dialogs.test_metrics import NAMES

SHIPPED = ROOT / "deploy" / "prometheus"
PAGE, TRACES = ROOT / "docs" / "metrics.md", ROOT / "docs" / "traces.md"
SUFFIXES = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count"), "gauge": ("",)}
READ = {f"{name}{suffix}" for name, kind in NAMES.items() for suffix in SUFFIXES[kind]}
"""The numbers as they are asked for."""
VALUES = {"outcome": {outcome.value for outcome in Outcome}, "part": {part.value for part in TurnPart}}


def questions() -> Iterator[str]:
    """Every expression that is shipped."""
    dashboard = orjson.loads((SHIPPED / "dashboard.json").read_text(encoding="utf-8"))
    for panel in dashboard["panels"]:
        yield from (target["expr"] for target in panel["targets"])
    alerts = (SHIPPED / "alerts.yml").read_text(encoding="utf-8")
    yield from alerts.split("expr:")[1:]


def test_every_name_of_ours_in_traces_and_every_switch_is_explained() -> None:
    """Whoever reads a trace looks names up, and whoever switches words on must know which."""
    page = TRACES.read_text(encoding="utf-8")
    ours = [name for name in vars(semconv).values() if isinstance(name, str) and name.startswith("glassmind.")]
    assert len(ours) > 20 and not [name for name in ours if f"`{name}`" not in page]
    switches = [name for name, field in TracesConfig.model_fields.items() if field.annotation is bool]
    assert len(switches) == 9 and not [name for name in switches if f"`{name}`" not in page]
    assert semconv.GENAI_VERSION in page


@pytest.mark.parametrize("question", list(questions()))
def test_what_is_asked_for_is_there(question: str) -> None:
    """A number under another name is no alarm, for ever, and nobody sees that."""
    question = question.partition("labels:")[0]
    named = set(re.findall(r"glassmind_\w+", question))
    assert named and named <= READ
    for label, wanted in re.findall(r'(\w+)[=!]~?"([^"]+)"', question):
        assert set(wanted.split("|")) <= VALUES[label]


def test_every_number_is_explained_and_looked_at() -> None:
    page, everything = PAGE.read_text(encoding="utf-8"), "\n".join(questions())
    for name, kind in NAMES.items():
        assert any(f"`{name}{suffix}" in page for suffix in (*SUFFIXES[kind], "{", "`")), name
        assert name in everything, f"{name} is on no picture"


def test_every_alert_is_explained_and_played() -> None:
    alerts = re.findall(r"alert: (\w+)", (SHIPPED / "alerts.yml").read_text(encoding="utf-8"))
    played, page = (SHIPPED / "alerts_test.yml").read_text(encoding="utf-8"), PAGE.read_text(encoding="utf-8")
    assert len(alerts) == len(set(alerts)) == 6
    for alert in alerts:
        assert re.search(rf"alertname: {alert}\n\s+exp_alerts:", played) and f"`{alert}`" in page, alert
