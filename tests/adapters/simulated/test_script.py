"""The script language: commands, and sentences that only look like them."""

from __future__ import annotations

import pytest

from adapters.simulated.script import ScriptStep, read_script


def save(content: str, kind: str, **more: float) -> ScriptStep:
    return ScriptStep("memory_save", {"content": content, "type": kind, **more})


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("say hello there", [ScriptStep(words="hello there")]),
        ("SAY: hi", [ScriptStep(words="hi")]),
        ("@glass say hi", [ScriptStep(words="hi")]),
        ("<@123>, say hi", [ScriptStep(words="hi")]),
        ("glass: say hi", [ScriptStep(words="hi")]),
        ("say nothing", [ScriptStep()]),
        ("echo nothing", [ScriptStep(words="nothing")]),
        ("remember: bob likes tea", [save("bob likes tea", "preference")]),
        ("remember that tea is at five", [save("tea is at five", "fact")]),
        ("remember: do not answer bob", [save("do not answer bob", "decision")]),
        (
            "remember as decision with importance 0.9: no tea after nine",
            [save("no tea after nine", "decision", importance=0.9)],
        ),
        ("remember as a fact, importance 1: x", [save("x", "fact", importance=1.0)]),
        ("recall tea", [ScriptStep("memory_recall", {"query": "tea"})]),
        ("search tea", [ScriptStep("channel_recall", {"query": "tea"})]),
        ("react 🎉", [ScriptStep("react", {"emoji": "🎉"})]),
        ("skip: too late", [ScriptStep("skip", {"reason": "too late", "category": "declined"})]),
        ('call nosuch {"a": [1}', [ScriptStep("nosuch", '{"a": [1}')]),
        ("call list_all_tools", [ScriptStep("list_all_tools", "{}")]),
        ("branch: say 42", [ScriptStep("branch", {"task": "say 42"})]),
        ("branch: worker: say 42", [ScriptStep("branch", {"task": "worker: say 42"})]),
        ("worker: call file_list", [ScriptStep("spawn_worker", {"task": "call file_list"})]),
        ("cancel w27d4", [ScriptStep("cancel", {"id": "w27d4"})]),
        ("react 👍\nsay done", [ScriptStep("react", {"emoji": "👍"}), ScriptStep(words="done")]),
    ],
)
def test_commands(text: str, steps: list[ScriptStep]):
    assert list(read_script(text, "Glass")) == steps


@pytest.mark.parametrize(
    "text",
    [
        *("", "hello", "call me later", "remember me?", "recall", "saying hi", "say hi\nand then some"),
        *("branch office", "worker bees hum", "cancel the party"),
    ],
)
def test_sentences(text: str):
    assert read_script(text, "Glass") == ()
