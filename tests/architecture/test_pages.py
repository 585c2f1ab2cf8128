"""The pages about the rooms and the tests say what is there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.drawing import DOCS, filled, imports_of, page_of, picture, room_of, rooms_of_bot
from tests.architecture.tree import ROOT, modules, parsed, short

AGAIN = "run python -m tests.architecture.drawing, and look at what it changed"
TESTS = ROOT / "tests" / "README.md"
PAGES = [*sorted(DOCS.rglob("*.md")), TESTS]
_CODE = re.compile(r"`([^`\n]+)`")
_PATH = re.compile(r"(?:bot|adapters|prompts|tests|docs)(?:/[\w.]+)+")
_STEP = re.compile(r"`([\w/.]+\.py)` · `([\w.]+)`")


def test_the_picture_is_drawn_from_the_imports_of_today() -> None:
    assert (DOCS / "rooms.svg").read_text(encoding="utf-8") == picture(), AGAIN


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=short)
def test_what_is_between_marks_is_what_the_tree_says(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert filled(text) == text, AGAIN


def test_no_import_points_up_to_a_room_that_is_not_drawn() -> None:
    """A package that stands in no floor would be in no picture."""
    named = {room_of(name) for path in modules("bot", "adapters") for name in imports_of(path)} - {""}
    assert named <= {*rooms_of_bot(), "adapters"}
    packages = {path.parent.name for path in (ROOT / "bot").glob("*/__init__.py")}
    assert packages == {room for room in rooms_of_bot() if (ROOT / "bot" / room).is_dir()}


def test_every_room_has_its_page() -> None:
    for room in (*rooms_of_bot(), "adapters"):
        text = (DOCS / page_of(room)).read_text(encoding="utf-8")
        assert f"<!-- made head {room} -->" in text, f"{room}: docs/{page_of(room)} says nothing of it"


@pytest.mark.parametrize("page", PAGES, ids=short)
def test_every_path_that_is_named_exists(page: Path) -> None:
    """`x` stands for what somebody adds; the folder around it must be there."""
    for code in _CODE.findall(page.read_text(encoding="utf-8")):
        for name in _PATH.findall(code):
            path = ROOT / (name if not re.search(r"/x\b", name) else name.rpartition("/x")[0])
            assert path.exists(), f"{short(page)} names {name}, which is not there"


@pytest.mark.parametrize("page", PAGES, ids=short)
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#]+)(?:#[\w-]+)?\)", page.read_text(encoding="utf-8")):
        assert link.startswith("https://") or (page.parent / link).exists(), (
            f"{short(page)} links to {link}, which is not there"
        )


def defined(path: Path) -> set[str]:
    """The functions and classes of a module, and the methods as `Class.method`."""
    names = set()
    for node in parsed(path).body:
        if isinstance(node, ast.ClassDef):
            names |= {f"{node.name}.{one.name}" for one in node.body if hasattr(one, "name")}
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            names.add(node.name)
    return names


def way(name: str) -> list[tuple[str, str]]:
    """The steps of a way through the rooms, in order: a file, and what is called in it."""
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    found = re.search(rf"<!-- way {name} -->\n(.*?)<!-- /way -->", text, flags=re.DOTALL)
    assert found
    return _STEP.findall(found[1])


@pytest.mark.parametrize("name", ["message", "why"])
def test_every_step_of_a_way_is_there(name: str) -> None:
    """That the bot goes this way, `tests/dialogs/test_ways.py` sees."""
    steps = way(name)
    assert len(steps) > 10
    for path, what in steps:
        assert what in defined(ROOT / path), f"docs/architecture.md: {path} has no {what}"


def test_a_word_of_the_glossary_stands_in_code_configuration_or_prompts() -> None:
    said = "\n".join(path.read_text(encoding="utf-8").lower() for path in _sources())
    for line in (DOCS / "glossary.md").read_text(encoding="utf-8").splitlines():
        for word in re.findall(r"\*\*([\w -]+)\*\*", line.partition(":")[0]):
            assert re.search(rf"(?<![a-z]){_loosely(word)}", said), f"{word}: no source says so"


def test_the_glossary_says_each_word_once() -> None:
    words = re.findall(r"\*\*([\w -]+)\*\*", (DOCS / "glossary.md").read_text(encoding="utf-8"))
    assert sorted(words) == sorted(set(words))


def _loosely(word: str) -> str:
    return re.sub(r"[ -]", "[ _-]?", word.lower())


def _sources() -> Iterator[Path]:
    yield from modules("bot", "adapters")
    yield from (ROOT / "prompts").rglob("*.j2")
    yield ROOT / "config.example.toml"


def test_the_page_about_tests_names_every_folder_of_them() -> None:
    named = re.findall(r"^- ((?:`tests/\w+`(?:, )?)+):", TESTS.read_text(encoding="utf-8"), flags=re.MULTILINE)
    folders = [path for line in named for path in re.findall(r"`tests/(\w+)`", line)]
    present = {path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and any(path.rglob("*.py"))}
    assert sorted(folders) == sorted(present)
