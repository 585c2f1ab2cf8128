"""A checkpoint is read back as it was written, or refused with a message; what ran is never run again."""

from __future__ import annotations

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.context.tokens import by_bytes
from bot.task_prompt import (
    TaskArtifact,
    TaskCheckpoint,
    TaskEnvelope,
    TaskState,
    TaskType,
    UnreadableCheckpoint,
    checkpoint_of,
    compress,
    read_checkpoint,
    recorded_results,
    unanswered_calls,
    write_checkpoint,
)
from tests.bot.task_prompt.given import NOW, chunk, chunks
from tests.fakes.values import call, message, result


def checkpoint(*given_, state=TaskState.RUNNING, history=()) -> TaskCheckpoint:
    envelope = TaskEnvelope(
        task_type=TaskType.IMPLEMENT,
        user_request="add user authentication",
        original_input="implement: add user authentication",
        context=compress(given_, 400, by_bytes),
        artifacts=(TaskArtifact(type="file", path="src/auth.py", sha256="ab" * 32),),
        session_id="session_abc123",
        created_at=NOW,
    )
    return checkpoint_of(envelope, state, NOW + 5, history)


def test_it_says_what_the_page_says():
    made = orjson.loads(write_checkpoint(checkpoint(chunk("x" * 1322, "a"))))
    assert made["context_summary"] == {"chunks_included": 1, "tokens_used": 335, "utilization": 0.8375}
    assert set(made) == {
        "schema_version", "session_id", "timestamp", "task_type", "user_request", "state", "context_summary",
        "context", "artifacts", "conversation_history",
    }  # fmt: skip
    assert made["schema_version"] == 1 and made["state"] == "running" and made["task_type"] == "implement"
    assert made["artifacts"] == [{"type": "file", "path": "src/auth.py", "sha256": "ab" * 32}]


@settings(max_examples=50, deadline=None)
@given(st.lists(chunks(), max_size=3), st.sampled_from(TaskState))
def test_it_is_read_back_as_it_was_written(given_, state):
    made = checkpoint(*given_, state=state, history=(message("hello"), call("react", "{}"), result("done")))
    assert read_checkpoint(write_checkpoint(made)) == made
    assert write_checkpoint(read_checkpoint(write_checkpoint(made))) == write_checkpoint(made)


@pytest.mark.parametrize("version", [2, 0, "1", None, True])
def test_another_version_is_refused_with_a_message(version):
    text = orjson.dumps(orjson.loads(write_checkpoint(checkpoint())) | {"schema_version": version}).decode()
    with pytest.raises(UnreadableCheckpoint, match=rf"has version {version!r}; this program reads version 1"):
        read_checkpoint(text)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "\ud800", '{"schema_version": 1', "not json"])
def test_what_is_none_is_refused(text):
    with pytest.raises(UnreadableCheckpoint, match="anew"):
        read_checkpoint(text)


def test_a_damaged_one_says_where():
    made = orjson.loads(write_checkpoint(checkpoint()))
    with pytest.raises(UnreadableCheckpoint, match="damaged at state"):
        read_checkpoint(orjson.dumps(made | {"state": "dancing"}).decode())
    with pytest.raises(UnreadableCheckpoint, match="damaged at extra"):
        read_checkpoint(orjson.dumps(made | {"extra": 1}).decode())


def test_after_a_restart_what_was_running_is_interrupted_and_can_be_resumed():
    after = {state: checkpoint(state=state).after_restart() for state in TaskState}
    assert {state for state, one in after.items() if one.state is not state} == {TaskState.RUNNING}
    assert after[TaskState.RUNNING].state is TaskState.INTERRUPTED
    assert {state for state, one in after.items() if one.resumable} == {
        TaskState.RUNNING, TaskState.WAITING, TaskState.INTERRUPTED,
    }  # fmt: skip
    assert not any(one.resumable for one in after.values() if one.state.is_over)


def test_what_a_tool_returned_is_known_and_what_it_did_not_return_too():
    history = (call("react", "{}", "c1"), result("done", "c1"), call("memory_save", "{}", "c2"))
    assert recorded_results(history)["c1"].text == "done"
    assert [one.call_id for one in unanswered_calls(history)] == ["c2"]
