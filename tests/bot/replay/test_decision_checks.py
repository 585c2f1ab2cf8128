"""A request of then becomes one of today by what its operator wrote and what was forgotten; what was said stays."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from bot.context.envelope import section_texts
from bot.domain.llm import ModelName
from bot.domain.turn import StoredRequest
from bot.replay.decision_checks import PromptNow, expected_words, todays_change
from bot.replay.recorded_inputs import recorded_inputs
from bot.replay.replayer import PreparedReplay
from bot.replay.request_parts import AS_IT_WAS, DividedRequest
from tests.bot.context.talk import MEMORIES, states, triggers
from tests.bot.replay.test_recorded_inputs import record_of, sent

few = settings(max_examples=10, deadline=None)


def prepared(state, at, memories) -> PreparedReplay:
    snapshot = sent(state, at, memories=memories)
    record, limits = record_of(snapshot), snapshot.inputs.limits
    parts = DividedRequest(recorded_inputs(record, limits))
    return PreparedReplay(StoredRequest(id=1, record=record), ModelName(provider="x", model="y"), limits, parts)


@few
@given(states(), triggers(), MEMORIES)
def test_what_is_as_it_was_changes_nothing(state, at, memories):
    replay = prepared(state, at, memories)
    texts = section_texts(replay.record.request, replay.record.sections)
    assert todays_change(replay, PromptNow(texts)) == AS_IT_WAS
    # what moves by itself, such as the clock and the talk, is not today's
    moved = {name: text if name in {"identity", "silence_rules"} else f"{text} now" for name, text in texts.items()}
    change = todays_change(replay, PromptNow(moved))
    assert not change.left_out and "section:status" not in change.replaced
    assert "section:identity" not in change.replaced and "section:conversation_context" not in change.replaced


@few
@given(states(), triggers(), MEMORIES)
def test_another_persona_and_forgotten_memories_are_todays(state, at, memories):
    replay = prepared(state, at, memories)
    texts = section_texts(replay.record.request, replay.record.sections)
    handles = frozenset(part.handle for part in replay.parts.every if part.handle)
    change = todays_change(replay, PromptNow({**texts, "identity": "A pirate."}, handles))
    assert change.replaced == {"section:identity": "A pirate."}
    made = replay.parts.with_change(change).request
    assert "A pirate." in made.system_text
    assert not [name for name in handles if f"- {name} |" in made.system_text]
    assert [message.role for message in made.messages] == [one.role for one in replay.record.request.messages]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("replied", "answer"),
        ("skipped", "stay silent"),
        ("called:web_fetch", "call web_fetch"),
        ("empty", "say nothing"),
    ],
)
def test_decisions_in_words(name, words):
    assert expected_words(name) == words
