"""A template that is rendered around what differs every time says what it says when it is rendered whole."""

from __future__ import annotations

from typing import Any

import pytest

from bot.prompts import (
    ReplacementProblem,
    render,
    render_page,
    render_slots,
    replacement_problem,
    slot,
    templates_replaced,
)
from bot.sentences import speaking

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


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{{ lines | join('; ') | fence }}", None),
        ("{{ lines | join('; ') }}", ReplacementProblem(uncleaned=("lines",))),
        ("{{ lines | fence }} and {{ owner }}", ReplacementProblem(unknown=("owner",))),
    ],
)
def test_what_stands_for_a_template_fences_what_it_fences(text: str, problem: ReplacementProblem | None):
    assert replacement_problem("sections/tool_recap", text) == problem


def test_what_stands_for_a_template_fences_parts_of_its_values_too():
    text = "{% for channel in channels %}{{ channel.name }}: {{ channel.lines }}{% endfor %}"
    found = replacement_problem("sections/link_context", text)
    assert found is not None and "channel.lines" in found.uncleaned


def test_what_stands_for_a_template_is_kept_apart_from_it():
    own = render_slots("sections/participants", (), people=(), most=20)
    with templates_replaced({"sections/participants": "Nobody of {{ most }}."}):
        assert render_slots("sections/participants", (), people=(), most=20) == "Nobody of 20."
    assert render_slots("sections/participants", (), people=(), most=20) == own


@pytest.mark.parametrize("language", ["en", "de"])
def test_signs_in_what_somebody_wrote_mean_nothing_in_a_sentence_of_a_page(language: str):
    values = dict.fromkeys(("said", "turns"), ()) | dict.fromkeys(("form", "json", "live"), "")
    title, channel = "*a* `b` <c> { $time }", {"name": "#x", "of": "main/x"}
    with speaking(language):
        page = render_page(
            "window/session", title=title, begun_at=0, channel=channel, handle="s1", screen="session", **values
        )
    assert "<b>*a* `b` &lt;c&gt; { $time }</b> · " in page and f'<html lang="{language}">' in page
