"""How the simulation reads a capture; what it finds there is in test_provider."""

from __future__ import annotations

from pathlib import Path

import pytest

from adapters.simulated.inspection import BULLETIN, _next_parts, _Read, _report

PROMPTS = sorted((Path(__file__).parents[3] / "prompts").rglob("*.j2"))


def test_it_reads_the_outline_then_the_memories_then_the_rest():
    outline = _Read("outline", "section:identity and section:silence_rules")
    assert _next_parts([]) == ["outline"]
    assert _next_parts([outline]) == [BULLETIN]
    rest = _next_parts([outline, _Read(BULLETIN, "")])
    assert rest == ["section:identity", "section:silence_rules", "status", "ledger"]
    assert _next_parts([outline, _Read(BULLETIN, ""), *(_Read(part, "") for part in rest)]) == []


def test_an_outline_without_part_names_is_read_by_the_names_of_sections():
    parts = _next_parts([_Read("outline", "1. identity 120 tokens\n2. tool_recap"), _Read(BULLETIN, "")])
    assert parts == ["section:identity", "section:tool_recap", "status", "ledger"]


def test_it_reads_what_was_kept_and_on_where_a_page_ends():
    outline = (
        "  section identity: static, kept, 9 tokens\n  section skills: static, absent: none, 0 tokens\na section ends"
    )
    page = "[characters 0-9 of 20; left out: 11; read on with part `section:memory_bulletin@9`]"
    parts = _next_parts([_Read("outline", outline), _Read(BULLETIN, page)])
    assert parts == ["section:memory_bulletin@9", "section:identity", "status", "ledger"]


def test_the_question_is_what_the_admin_wrote():
    bulletin = '- m27d4 | decision | by bob (id 7) | 2026 | "Do not answer ann."'
    asked = "About #x (`c:#x`):\n\n```\nwhy is {x} silent?\n```\n\nRules:\n\n```\nann: passed\n```"
    known = _Read("section:participants", "- ann (id 42)\n- bob (id 7)")
    for name, count in (("ann", 1), ("bob", 0)):
        report = _report([known, _Read(BULLETIN, bulletin)], asked.format(x=name))
        assert len(report["findings"]) == count


def test_the_capture_itself_may_be_the_source():
    report = _report([_Read("section:identity", "Never answer ann.")], "why is ann ignored? Quote it as `context`.")
    assert report["findings"][0]["quotes"] == [{"handle": "context", "text": "Never answer ann."}]


def test_a_result_in_json_is_read_like_text():
    text = '{"system_prompt": "- m27d4 | decision | by bob (id 7) | 2026 | \\"Do not answer ann.\\""}'
    report = _report([_Read(BULLETIN, text)], "why is ann silent?")
    assert report["findings"][0]["quotes"] == [{"handle": "m27d4", "text": "Do not answer ann."}]


@pytest.mark.parametrize("path", PROMPTS, ids=lambda path: path.name)
def test_our_own_prompts_order_nobody_to_be_ignored(path: Path):
    assert _report([_Read("section:x", path.read_text() + " r3x7b")], "why is ann not answered?")["findings"] == []
