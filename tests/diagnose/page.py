"""Write docs/causes.md: each cause, the rules that tell it, where it is played. `python -m tests.diagnose.page`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.diagnose.causes import CAUSES, CONSOLE, PLATFORMS, Cause
from tests.diagnose.rows import platform_of
from tests.scenarios.scenario import Scenario
from tests.scenarios.table import FAMILIES

PAGE = Path(__file__).parents[2] / "docs/causes.md"
_HEAD = """# Causes

Why the bot is silent, or answers wrongly: every cause by its number, the rule that tells it
(`bot/diagnostics/rules`), and the scenario that brings it about on each platform (`tests/scenarios`). What was written
for the terminal is played on Telegram and Discord, too, wherever it can be; a dash says that the platform has no such
thing, and the last column why.

`make diagnose` plays all of it in other words, at other times, among other things, and counts how often the right rule
speaks first. This page is written by `python -m tests.diagnose.page`.
"""


def page() -> str:
    """Write the page."""
    return "\n".join((_HEAD, *_table(), ""))


def _table() -> Iterator[str]:
    yield "| # | cause | rule | terminal | Telegram | Discord | elsewhere |"
    yield "|---|---|---|---|---|---|---|"
    for cause in CAUSES:
        cells = (_cell(cause, platform) for platform in PLATFORMS)
        rules = ", ".join(f"`{rule}`" for rule in cause.rules)
        yield f"| {cause.number} | {cause.words} | {rules} | {' | '.join(cells)} | {cause.elsewhere} |"


def _cell(cause: Cause, platform: str) -> str:
    """Name the first scenario of a cause on a platform, and how many more there are."""
    found = [one for one in _scenarios(cause) if platform_of(one) == platform]
    if found:
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        return f"{found[0].name}{more}"
    here = any(platform_of(one) == CONSOLE for one in _scenarios(cause))
    return "as at the terminal" if here and not cause.elsewhere else "–"


def _scenarios(cause: Cause) -> list[Scenario]:
    return [one for family in FAMILIES.values() for one in family if one.rule in cause.rules]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(PAGE)
