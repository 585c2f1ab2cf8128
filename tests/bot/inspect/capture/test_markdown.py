"""The report of a context is for people; nothing in it can end its fence."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.base import Digest
from bot.domain.channel import ProcessKind
from bot.inspect.capture.markdown import dump, risk
from tests.bot.context.shown import came_back, capture, talk
from tests.fakes.lengths import whole_or
from tests.fakes.values import author, said
from tests.golden.golden import matches


async def test_the_whole_report(pytestconfig):
    # the digest changes with every word of a prompt: it would hide the changes that are to be read
    shown = await capture(state=talk().replace(finished=(came_back(),)))
    text = dump(shown).replace(shown.digest, Digest("0" * 32))
    assert matches(pytestconfig, "context/dump", text)


async def test_fences_are_longer_than_any_inside():
    assert "````\n" in dump(await capture())


@pytest.mark.parametrize(("percent", "word"), [(10, "low"), (61, "medium"), (80, "medium"), (80.1, "high")])
def test_the_risk_is_high_above_eighty_percent(percent, word):
    assert risk(percent) == word


@pytest.mark.parametrize("branches", [0, 1, 3])
@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize("turned", [True, False])
async def test_everything_that_came_back_is_counted_and_named(branches, workers, turned):
    shown = await capture()
    kinds = [ProcessKind.BRANCH] * branches + [ProcessKind.WORKER] * workers
    finished = tuple(came_back().replace(id=f"p{n}", kind=kind) for n, kind in enumerate(kinds))
    text = dump(replace(shown, finished=finished, last=shown.last if turned else None))
    assert f"- Recent completions: {branches + workers + turned}\n" in text
    named = text.partition("- Recent completions: ")[2].splitlines()[1:]
    assert named == [
        *(["  - turn replied at 2025-10-09T08:53:20Z"] if turned else []),
        *(f"  - {one.kind} {one.id} done at 2025-10-09T08:54:20Z" for one in finished),
    ]


CAPTURED = asyncio.run(capture())
HEADINGS = (
    r"# Channel Context: #.+",
    r"## System Prompt \(\d+ tokens\)",
    r"## Available Tools \(\d+ tools, \d+ tokens\)",
    r"## Conversation History \(\d+ messages, \d+ tokens\)",
    r"## Status Block",
    r"## Analysis",
)
HOSTILE = st.lists(st.sampled_from(["`", "```", "~~~~", "\n", "# Channel Context", "## Analysis\n", "\r", " a", "]("]))


@settings(max_examples=whole_or(100, 40), deadline=None)
@given(HOSTILE.map("".join), HOSTILE.map("".join))
def test_nothing_inspected_stands_outside_a_fence(words, name):
    shown = CAPTURED
    message = said(words, author=author("7", name)) if words else said("-")
    messages = (replace(shown.messages[0], message=message), *shown.messages[1:])
    text = dump(replace(shown, name=name, messages=messages, system_text=words, status=words, tools=()))
    headings = [line for line in outside(text).splitlines() if line.startswith("#")]
    assert len(headings) == len(HEADINGS)
    assert all(re.fullmatch(*pair) for pair in zip(HEADINGS, headings, strict=True))
    assert "](" not in outside(text).replace("\\](", "")


def outside(text):
    """Return what a reader of markdown sees outside of fences."""
    kept, ticks = [], ""
    for line in text.split("\n"):
        if not ticks and (found := re.match(r"`{3,}", line)):
            ticks = found[0]
        elif ticks:
            ticks = "" if line.strip() == ticks else ticks
        else:
            kept.append(line)
    assert not ticks
    return "\n".join(kept)


async def test_the_parts_add_up_to_the_total():
    shown = await capture()
    stats, text = shown.stats, dump(shown)
    parts = [int(found) for found in re.findall(r"^## .*?(\d+) tokens\)$", text, re.MULTILINE)]
    assert sum(parts) + stats.overhead == stats.total
    assert f"- Context usage: {stats.total} / {stats.window} tokens ({stats.usage_percent} %)" in text
