"""The table of model services in docs/models.md: its keys are read by the loader, and what it says was tested was."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from bot.app.adapters import adapter_problems
from bot.config import parse_config
from tests.architecture.tree import ROOT

_KEY = re.compile(r"`([^`]+)`")
_VARIABLE = re.compile(r'"env:([A-Z_]+)"')
SERVERS = ROOT / "tests" / "servers" / "model"
OWED = {
    "OpenAI", "Anthropic", "OpenRouter", "DeepSeek", "Gemini", "Mistral", "Groq", "xAI", "Together", "Ollama",
    "LM Studio", "vLLM", "llama.cpp",
}  # fmt: skip


class Row(NamedTuple):
    """A service, its keys as lines of TOML, and how it was tested."""

    service: str
    keys: tuple[str, ...]
    tested: frozenset[str]


def rows() -> Iterator[Row]:
    page = (ROOT / "docs" / "models.md").read_text(encoding="utf-8")
    table = page.partition("<!-- services -->")[2].partition("<!-- /services -->")[0]
    for line in table.strip().splitlines()[2:]:
        service, keys, tested = (cell.strip() for cell in line.strip("|").split("|"))
        yield Row(service, tuple(_KEY.findall(keys)), frozenset(tested.split(", ")))


ROWS = [*rows()]


def test_every_service_has_a_row() -> None:
    assert {row.service for row in ROWS} == OWED
    assert all(row.tested <= {"S", "R", "M"} and row.tested for row in ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.service)
def test_the_keys_of_a_row_are_all_that_a_service_needs(row: Row) -> None:
    """A table that people copy from must start; nobody sees a key that was renamed but whoever copies it."""
    table = "\n".join(("[providers.x]", *row.keys, "[model]", 'name = "x/some-model"', "[platforms.console]"))
    environ = dict.fromkeys(_VARIABLE.findall(table), "sk-a-key-0123456789")
    loaded = parse_config(table, environ, None, adapter_problems)
    assert adapter_problems(loaded.config.model_dump()) == []
    assert loaded.config.providers["x"].kind in ("openai", "anthropic")


def _is_named(service: str, *places: str) -> bool:
    """Say whether one of these files, or a file in one of these folders, is about a service."""
    found = [path for place in places for path in (SERVERS.glob(f"{place}/**/*"), [SERVERS / place]) for path in path]
    texts = (f"{path.name}\n{path.read_text(encoding='utf-8', errors='replace')}" for path in found if path.is_file())
    plain = _plain(service)
    return any(plain in _plain(text) for text in texts)


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


@pytest.mark.parametrize("row", [row for row in ROWS if "R" in row.tested], ids=lambda row: row.service)
def test_a_service_with_raw_streams_has_some(row: Row) -> None:
    if not (SERVERS / "dialects").is_dir():
        pytest.skip("the raw streams are not there yet")
    assert _is_named(row.service, "dialects"), (
        f"no stream in the form of {row.service} stands in {SERVERS / 'dialects'}"
    )


@pytest.mark.parametrize("row", [row for row in ROWS if "S" in row.tested], ids=lambda row: row.service)
def test_a_service_with_a_scrupulous_server_has_one(row: Row) -> None:
    if row.service not in ("OpenAI", "Anthropic") and not (SERVERS / "services.py").exists():
        pytest.skip("the servers of other services are not there yet")
    assert _is_named(row.service, "services.py", "objections.py", "scruples.py"), row.service
