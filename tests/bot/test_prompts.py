"""A template that is rendered around what differs every time says what it says when it is rendered whole."""

from __future__ import annotations

from typing import Any

import pytest

from bot.prompts import render, render_slots, slot

PLACE = {"platform": "telegram", "channel": "Tea", "channel_id": "telegram:-1", "guild_id": "-1", "is_thread": False}
STATUS: dict[str, Any] = {
    "mode": "active",
    "paused_at": "",
    "running": (),
    "calls": (),
    "came_back": (),
    "outcome": "replied",
    "error": "",
}


@pytest.mark.parametrize("at", ["2026-11-21T02:58:07Z", "2026-11-21T02:58:08Z"])
@pytest.mark.parametrize("is_dm", [True, False])
def test_the_clock_is_put_into_what_is_kept(at: str, is_dm: bool):
    whole = render("sections/conversation_context", now=at, is_dm=is_dm, **PLACE)
    assert render_slots("sections/conversation_context", (at,), now=slot(0), is_dm=is_dm, **PLACE) == whole


@pytest.mark.parametrize("tokens", ["", "12,040"])
def test_what_is_absent_leaves_its_line_out(tokens: str):
    whole = render("sections/status", outcome_at="then", context_tokens=tokens, **STATUS)
    given = {"outcome_at": slot(0), "context_tokens": slot(1) if tokens else ""}
    assert render_slots("sections/status", ("then", tokens), **given, **STATUS) == whole


def test_there_may_be_many():
    times = [f"at {n}" for n in range(20)]
    whole = render("sections/participants", people=[(f"P{n}", str(n), at) for n, at in enumerate(times)], most=20)
    rows = tuple((f"P{n}", str(n), slot(n)) for n in range(20))
    assert render_slots("sections/participants", times, people=rows, most=20) == whole
