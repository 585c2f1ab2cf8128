"""Logs of failed runs go through an inspection, and the step that it quotes is the step that it names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.bench.who_and_when import Attribution, FailedRun, Step, attributed, inspected, read_runs, shares
from tests.model.service import Service, Told
from tests.servers.model import Says, model_server

STEPS = (
    Step("Orchestrator", "Find the year in which the bridge was opened."),
    Step("WebSurfer", "The page says it was opened in 1894, and widened in 1932."),
    Step("Assistant", "So the answer is 1932, when it was widened."),
)


def log(directory: Path, **changes: Any) -> Path:
    history = [{"name": one.agent, "role": "assistant", "content": one.text} for one in STEPS]
    told = {"question": "When was it opened?", "history": history, "mistake_agent": "Assistant", "mistake_step": "2"}
    path = directory / "1.json"
    path.write_text(json.dumps({**told, **changes}), encoding="utf-8")
    return path


async def test_the_quoted_step_is_the_named_one(tmp_path: Path) -> None:
    log(tmp_path)
    (run,) = read_runs(tmp_path)
    quote = {"handle": "history:3", "text": "So the answer is 1932"}
    finding = {"claim": "It took the wrong year.", "confidence": "likely", "evidence": ["context"], "quotes": [quote]}
    async with model_server() as server:
        server.answer = lambda _: Says(json.dumps({"findings": [finding]}))
        service = Service(server.base_url, "test-model", window=128_000)
        found = await inspected(run, service, Told(quiet=True), tmp_path / "data")
        asked = bytes(server.received[0].body).decode()
    assert "decisive mistake" in asked and "When was it opened?" in asked
    assert found == Attribution(2, "Assistant")
    assert shares([run, run], [found, Attribution(-1, "")]) == (0.5, 0.5)


def test_a_quote_of_nothing_names_nobody() -> None:
    assert attributed("history:1, as it is stored\n```\nsomething else entirely\n```", STEPS) == Attribution(-1, "")


@pytest.mark.parametrize("changes", [{"history": None}, {"mistake_step": None}, {"history": [{"role": "user"}]}])
def test_what_is_no_log_is_named(tmp_path: Path, changes: dict[str, Any]) -> None:
    path = log(tmp_path, **changes)
    with pytest.raises(ValueError, match=r"is no log of Who&When"):
        list(read_runs(path.parent))


def test_a_run_is_read_whole(tmp_path: Path) -> None:
    log(tmp_path)
    assert list(read_runs(tmp_path)) == [FailedRun("1", "When was it opened?", STEPS, "Assistant", 2)]
