"""What is left of a segment whose model wrote no account, and what counts as handed in."""

from __future__ import annotations

from bot.agent.processes.run import last_words, progress_of
from bot.agent.processes.worker import MAX_ACCOUNT_CHARS, account_of, excerpt_of
from bot.domain.messages import Message, Role, TextPart, ToolCall
from tests.fakes import values as v


def asked(name: str, arguments: str, call_id: str, text: str = "") -> Message:
    words = (TextPart(text=text),) if text else ()
    return Message(role=Role.ASSISTANT, parts=(*words, ToolCall(call_id=call_id, name=name, arguments=arguments)))


ROUNDS = (
    asked("file_read", '{"path":"a.txt"}', "c1", "I read the list"),
    v.result("forty\nchairs", "c1"),
    asked("shell", '{"command":"rm"}', "c2"),
    v.result("no such file", "c2", ok=False),
)


def test_an_account_by_rule_names_each_call_with_what_came_of_it():
    assert account_of(ROUNDS).split("\n") == [
        "I read the list",
        '- file_read {"path":"a.txt"} -> ok: "forty chairs"',
        '- shell {"command":"rm"} -> failed: "no such file"',
    ]


def test_of_a_long_account_the_end_is_kept():
    cut = excerpt_of("x" * MAX_ACCOUNT_CHARS + "the end")
    assert cut.startswith("[cut]") and cut.endswith("the end") and len(cut) == MAX_ACCOUNT_CHARS + len("[cut]\n")
    assert excerpt_of("short") == "short"


def test_progress_is_one_line():
    assert progress_of(ROUNDS) == "round 2: shell"
    assert progress_of(()) == ""
    assert last_words(ROUNDS) == "I read the list"
