"""Write docs/causes.md: each cause, what is said of it, what mends it. `python -m tests.diagnose.page`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.diagnose.causes import CAUSES, CONSOLE, PLATFORMS, Cause
from tests.diagnose.rows import platform_of
from tests.golden.golden import HERE as GOLDEN
from tests.scenarios.scenario import Scenario
from tests.scenarios.table import FAMILIES

PAGE = Path(__file__).parents[2] / "docs/causes.md"
_HEAD = """# Causes

<!-- written by python -m tests.diagnose.page -->

Why the bot is silent or answers wrongly: every cause that `/why` can name, what the report says, and what you can do.
Each example is the real report of a test. The last column names the rule in `bot/diagnostics/rules`.

| # | cause | the report says | what you can do | rule |
|---|---|---|---|---|"""
_PLAYED = """
## Where each cause is tested

Each is brought about on every platform that has it (`tests/scenarios`). `make diagnose` plays all of it in other words,
at other times, among other things, and counts how often the right rule speaks first. A dash means that the platform has
no such thing.

| # | cause | terminal | Telegram | Discord | why not elsewhere |
|---|---|---|---|---|---|"""
_REPORT = re.compile(r"^## (?P<name>[^\n]+)\n\n```\n(?P<text>.*?)\n```\n(?:\n(?P<buttons>\[[^\n]+)\n)?", re.M | re.S)
_PLAIN_BUTTONS = frozenset(("Evidence", "Ask", "All checks"))


class Report(NamedTuple):
    """A report of a test: its verdict, what it advises, and what it offers."""

    verdict: str
    advice: str
    offers: tuple[str, ...]


def page() -> str:
    """Write the page."""
    return "\n".join((_HEAD, *_causes(), _PLAYED, *_table(), ""))


def _causes() -> Iterator[str]:
    for cause in CAUSES:
        report = next((_reports()[one.name] for one in _scenarios(cause) if one.name in _reports()), None)
        said, done = (report.verdict, _what_to_do(report)) if report else ("", "")
        rules = ", ".join(f"`{rule}`" for rule in cause.rules)
        yield f"| {cause.number} | {cause.words} | {_cell(said)} | {_cell(done)} | {rules} |"


def _what_to_do(report: Report) -> str:
    offers = " ".join(f"[{offer}]" for offer in report.offers)
    return " ".join(part for part in (report.advice, offers) if part)


@cache
def _reports() -> dict[str, Report]:
    """The reports that tests compare with, by the names of their scenarios."""
    found = {}
    for family in FAMILIES:
        path = GOLDEN / "scenarios" / f"{family}.md"
        for one in _REPORT.finditer(path.read_text(encoding="utf-8") if path.exists() else ""):
            buttons = (re.sub(r" ?\w····", "", name) for name in re.findall(r"\[([^\]]+)\]", one["buttons"] or ""))
            offers = tuple(name for name in buttons if name not in _PLAIN_BUTTONS)
            found[one["name"]] = Report(one["text"].splitlines()[0].lstrip("✗?! "), _advice(one["text"]), offers)
    return found


def _advice(text: str) -> str:
    """What a report advises its reader to do, if anything."""
    found = re.search(r"^→ (.+(?:\n(?!\n|→).+)*)", text, re.M)
    return " ".join(found[1].split()) if found else ""


def _table() -> Iterator[str]:
    for cause in CAUSES:
        cells = (_where(cause, platform) for platform in PLATFORMS)
        yield f"| {cause.number} | {cause.words} | {' | '.join(cells)} | {cause.elsewhere} |"


def _where(cause: Cause, platform: str) -> str:
    """Name the first scenario of a cause on a platform, and how many more there are."""
    found = [one for one in _scenarios(cause) if platform_of(one) == platform]
    if found:
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        return f"{found[0].name}{more}"
    here = any(platform_of(one) == CONSOLE for one in _scenarios(cause))
    return "as at the terminal" if here and not cause.elsewhere else "–"


def _scenarios(cause: Cause) -> list[Scenario]:
    return [one for family in FAMILIES.values() for one in family if one.rule in cause.rules]


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(PAGE)
