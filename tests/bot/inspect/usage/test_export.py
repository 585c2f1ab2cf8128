"""The export is the snapshot, written down: its sums are always true."""

from __future__ import annotations

import hashlib

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.snapshot import CaptureKind
from bot.inspect.capture.redact_view import CaptureReader, view_for_reader
from bot.inspect.usage.composition import Composition, MessagePile
from bot.inspect.usage.export import ContextShare, export, summary_of, token_summary
from bot.inspect.usage.usage_json import view_values
from bot.inspect.usage.usage_text import LiveView
from tests.bot.context.shown import EVERYTHING, NOTHING, capture, talk
from tests.bot.context.summed import shortened, shortened_states
from tests.bot.context.talk import MEMORIES, states, triggers
from tests.fakes.contexts import Looking, Stack, ask
from tests.fakes.memories import FakeMemories
from tests.fakes.values import tool_definition

AT = "2026-11-21T03:00:00+01:00"
LATER = "2026-11-22T03:00:00+01:00"
OTHERS = {"tool_calls", "half", "emergency"}
MOVES = {"exported_at", "digest", "wire_sha256", "messages", "request", "sections", "token_summary"}
"""What the clock in the next message moves, and nothing else."""
FIELDS = ("index", "role", "content", "tokens", "is_summarized", "summary_type", "summary_count", "summary_method")


def test_the_example_of_the_source():
    made_of = Composition(MessagePile(80, 20_000), MessagePile(3, 8_000), MessagePile(2, 5_210))
    assert made_of.conversation == 33_210
    summary = token_summary(made_of, ContextShare(12_000, 0, 0, 100_000))
    assert summary["current_context"] == 45_210
    assert summary["usage_percent"] == 45.2


TOOLS = st.lists(st.sampled_from(["skip", "zeta", "alpha"]), unique=True).map(
    lambda names: tuple(map(tool_definition, names))
)
counts = st.integers(0, 10**7)


@given(counts, counts, counts, counts, counts, counts, st.integers(0, 10**7))
def test_the_sums_hold_whatever_the_numbers(raw, blocks, goals, system, tools, overhead, window):
    made_of = Composition(MessagePile(1, raw), MessagePile(1, blocks), MessagePile(1, goals))
    summary = token_summary(made_of, ContextShare(system, tools, overhead, window))
    assert summary["conversation"] == raw + blocks + goals
    assert summary["current_context"] == system + tools + summary["conversation"] + overhead
    assert summary["usage_percent"] == (round(100 * summary["current_context"] / window, 1) if window else 0.0)


@settings(max_examples=40, deadline=None)
@given(st.one_of(states(), shortened_states()), MEMORIES, triggers(), TOOLS)
async def test_every_export_adds_up_and_agrees_with_the_live_numbers(state, memories, at, tools):
    look = Looking(state, Stack(memories=FakeMemories(*memories)))
    await look.send()
    look.directory.flying[state.key] = await look.stack.contexts.snapshot(ask(state, at, tools))
    for which in CaptureKind:
        shown = view_for_reader(await look.inspector.inspect(state.key, which), EVERYTHING, NOTHING)
        adds_up_and_agrees(shown, orjson.loads(export(shown, AT, "here")))


def adds_up_and_agrees(shown, document):
    assert document["kind"] == shown.which.value
    summary, messages = document["token_summary"], document["messages"]
    assert sum(m["tokens"] for m in messages) == summary["system_prompt"] + summary["conversation"]
    parts = ("raw_messages", "summary_blocks", "goal_batch_blocks")
    assert summary["conversation"] == sum(summary[part] for part in parts)
    assert summary["current_context"] == sum(summary[p] for p in ("system_prompt", "tools", "conversation", "overhead"))
    assert summary["current_context"] == shown.stats.total
    assert summary["usage_percent"] == shown.stats.usage_percent
    assert summary["usage_percent"] == round(100 * summary["current_context"] / summary["max_context"], 1)
    assert summary == summary_of(shown) == view_values(LiveView(shown))["token_summary"]
    assert summary["tools"] == sum(t["tokens"] for t in document["tools"])
    assert [m["index"] for m in messages] == list(range(len(messages)))
    assert all(name in m for m in messages for name in FIELDS)
    assert messages[0]["role"] == "system" and messages[0]["content"] == shown.system_text
    assert [m["content"] for m in messages[1:]] == [shown.content for shown in shown.messages]
    for name, kinds in (("summary_blocks", OTHERS), ("goal_batch_blocks", {"goal_batch"}), ("raw_messages", {""})):
        assert summary[name] == sum(m["tokens"] for m in messages[1:] if m["summary_type"] in kinds)


async def test_what_a_summary_stands_for():
    messages = orjson.loads(export(await capture(state=shortened()), AT, "01"))["messages"]
    assert [m["summary_type"] for m in messages[1:6]] == ["goal_batch", "half", "", "tool_calls", ""]
    half = messages[2]
    assert (half["is_summarized"], half["summary_count"], half["summary_method"]) == (True, 14, "model")
    assert half["source_ids"] == [str(200 + n) for n in range(14)]
    assert half["content"].startswith("[SUMMARIZED]") and half["summary"]["model"] == "simulated/small"
    assert (half["summary"]["tokens_before"], half["summary"]["created_at"]) == (1200, "2025-10-09T08:53:20Z")
    raw = messages[3]
    assert (
        [raw[name] for name in FIELDS[4:]] == [False, "", 0, ""] and raw["summary"] is None and raw["source_ids"] == []
    )


async def test_who_may_read_nothing_gets_the_same_numbers():
    look = Looking(shortened())
    inspection = await look.inspector.inspect(look.state.key)
    seen, unseen = (
        orjson.loads(export(view_for_reader(inspection, reader, NOTHING), AT, "01"))
        for reader in (EVERYTHING, CaptureReader(reads_content=False))
    )
    assert seen["token_summary"] == unseen["token_summary"]
    kinds = [m["summary_type"] for m in seen["messages"]]
    assert [m["summary_type"] for m in unseen["messages"]] == kinds and "half" in kinds
    assert "no sugar" in str(seen["messages"]) and "no sugar" not in str(unseen["messages"])


@settings(max_examples=25, deadline=None)
@given(st.one_of(states(), shortened_states()), st.integers(1, 10**7))
async def test_two_exports_of_an_unchanged_state_differ_in_the_time_alone(state, seconds):
    look = Looking(state)
    await look.send()
    first = {which: await written(look, which) for which in (CaptureKind.NEXT, CaptureKind.SENT)}
    assert await written(look, CaptureKind.NEXT) == first[CaptureKind.NEXT]
    look.clock.advance(seconds)
    sent = orjson.loads(await written(look, CaptureKind.SENT, LATER))
    assert sent.pop("exported_at") == LATER
    before = orjson.loads(first[CaptureKind.SENT])
    assert before.pop("exported_at") == AT and sent == before
    next_, then = (
        orjson.loads(text) for text in (await written(look, CaptureKind.NEXT, LATER), first[CaptureKind.NEXT])
    )
    assert {name for name in then if next_[name] != then[name]} <= MOVES
    assert next_["messages"][:-1] == then["messages"][:-1]


async def written(look, which, at=AT):
    return export(view_for_reader(await look.inspector.inspect(look.state.key, which), EVERYTHING, NOTHING), at, "here")


@pytest.mark.parametrize("which", [CaptureKind.NEXT, CaptureKind.SENT])
async def test_what_a_document_holds(which):
    shown = await capture(which)
    document = orjson.loads(export(shown, AT, "01"))
    assert document["kind"] == which.value
    assert document["exported_at"] == AT
    assert document["workspace"] == {
        "instance": "01",
        "platform": "console",
        "agent": "main",
        "channel_id": "console:#general",
        "channel_name": "#general",
    }
    assert (document["digest"], document["wire_sha256"]) == (shown.digest, shown.written.wire_sha256)
    assert (document["redactions"], document["exact"]) == (0, True)
    assert document["schema_version"] == 1
    assert document["messages"][0]["content"] == shown.system_text
    assert document["messages"][0]["role"] == "system"
    assert [s["name"] for s in document["sections"]] == [s.trace.name for s in shown.sections]
    assert document["tools"][0]["parameters"]["type"] == "object"


async def test_the_provider_body_is_in_it_as_it_is():
    shown = await capture()
    written = export(shown, AT, "01")
    assert shown.written.body.encode() in written
    assert hashlib.sha256(shown.written.body.encode()).hexdigest() == shown.written.wire_sha256


async def test_calls_results_authors_and_times_of_messages():
    messages = orjson.loads(export(await capture(), AT, "01"))["messages"]
    asked, called, answered = messages[1:4]
    assert asked["author"] == {"id": "42", "name": "ann"} and asked["message_id"] == "1"
    assert asked["created_at"] == "2025-10-09T08:53:21Z"
    assert asked["sha256"] == hashlib.sha256(asked["content"].encode()).hexdigest()
    assert called["tool_calls"] == [{"id": "c1", "name": "memory_recall", "arguments": '{"query":"ann"}'}]
    assert answered["tool_results"] == [{"id": "c1", "ok": True, "text": "- note one\n- note two"}]
    assert answered["content"] == "- note one\n- note two"


async def test_same_capture_same_bytes_utf8_as_it_is_two_spaces():
    shown = await capture(state=talk().replace(name="#日本 ß"))
    first = export(shown, AT, "01")
    assert first == export(shown, AT, "01")
    assert "#日本 ß".encode() in first and b"\\u" not in first
    assert first.startswith(b'{\n  "schema_version": 1,\n  "exported_at"')
    assert first.endswith(b"}\n")


async def test_tools_are_listed_by_name_though_they_are_sent_in_their_own_order():
    look = Looking(talk())
    inspector, plain = look.inspector, look.inspector.ask_for
    tools = (tool_definition("zeta"), tool_definition("alpha"))
    ask_for = lambda state, at: type(plain(state, at))(**{**vars(plain(state, at)), "tools": tools})  # noqa: E731
    inspection = await type(inspector)(**{**vars(inspector), "ask_for": ask_for}).inspect(look.state.key)
    shown = view_for_reader(inspection, EVERYTHING, NOTHING)
    assert [t.definition.name for t in shown.tools] == ["zeta", "alpha"]
    assert [t["name"] for t in orjson.loads(export(shown, AT, "01"))["tools"]] == ["alpha", "zeta"]


async def test_a_lone_surrogate_does_not_stop_an_export():
    shown = await capture()
    broken = type(shown)(**{**vars(shown), "status": "half \ud83d"})
    assert "half \ufffd" in orjson.loads(export(broken, AT, "01"))["status"]
