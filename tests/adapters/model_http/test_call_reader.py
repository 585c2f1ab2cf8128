"""Calls are put together from every odd form, never with arguments nobody sent, and never twice."""

from __future__ import annotations

import itertools
import random

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.model_http.call_reader import CallPiece, CallReader, mended_name
from adapters.model_http.client import LifeSign
from adapters.model_http.errors import ErrorInside, NotTheProtocol
from adapters.model_http.speech import AnswerOptions
from adapters.model_http.sse import SseParser
from adapters.openai.stream import OpenAIAnswer
from bot.domain.llm import ToolDefinition
from tests.fakes.lengths import whole_or

OFFERED = {"memory_recall", "memory_save", "reply"}
TEA, CAKE = '{"query":"tea"}', '{"query":"cake"}'


def put(*pieces: CallPiece, offered=OFFERED) -> list[tuple[str, str]]:
    reader = CallReader(offered)
    for piece in pieces:
        reader.take(piece)
    return [(call.name, call.arguments) for call in reader.read("here").calls]


P = CallPiece


@pytest.mark.parametrize(
    "pieces",
    [
        [P(0, "a", "memory_recall", TEA)],
        [P(0, "a", "memory_recall"), P(0, "", "", TEA)],
        [P(None, "a", "memory_recall"), P(None, "", "", TEA)],
        [P(0, "a", "memory_"), P(0, "", "recall"), P(0, "", "", TEA)],
        [P(0, "a", "memory_"), P(0, "", "memory_recall"), P(0, "", "", TEA)],
        [P(0, "a", "", TEA), P(0, "", "memory_recall")],
        [P(0, "a", "", '{"query"'), P(0, "a", "memory_recall", ':"tea"}')],
        [P(0, "a", "memory_recall", '{"query"'), P(0, "a", "memory_recall", ':"tea"}')],
        [P(0, "a", "memory_recall", '{"query"'), P(0, "b", "memory_recall", ':"tea"}')],
        [P(0, "a", "memory_recall", '{"query":"t'), P(0, "a", "", TEA)],
        [P(0, "a", "memory_recall", '{"query":'), P(0, "", "", '"tea"}'), P(0, "a", "memory_recall", TEA)],
        [P(0, "a", "memory_recall", TEA), P(0, "a", "", TEA)],
        [P(0, "a", "memory_recall", TEA), P(0, "a", "memory_recall", TEA)],
        [P(0, "a", "memory_recall", TEA), P(3, "a", "memory_recall", TEA)],
        [P(0, "a", "memory_recall"), P(1, "a", "", TEA)],
        [P(7, "a", "memory_recall"), P(None, "x", "", TEA)],
        [P(0, "a", "memory_recall", "{}"), P(0, "a", "", TEA)],
        [P(0, "a", "functions.memory_recall<|constrain|>json", TEA)],
        [P(0, "a", "memory_recall<|channel|>commentary", TEA)],
        [P(0, "a", "memory_recall", orjson.dumps(TEA).decode())],
        [P(0, "a", "memory_recall", TEA + "<|call|>")],
        [
            P(
                0,
                "a",
                "multi_tool_use.parallel",
                f'{{"tool_uses":[{{"recipient_name":"functions.memory_recall","parameters":{TEA}}}]}}',
            )
        ],
    ],
)
def test_one_call_is_one_call(pieces):
    assert put(*pieces) == [("memory_recall", TEA)]


@pytest.mark.parametrize(
    "pieces",
    [
        [P(0, "a", "memory_recall", TEA), P(1, "b", "memory_recall", CAKE)],
        [P(0, "", "memory_recall", TEA), P(0, "", "memory_recall", CAKE)],
        [P(None, "", "memory_recall", TEA), P(None, "", "memory_recall", CAKE)],
        [P(0, "a", "memory_recall"), P(0, "a", "", TEA), P(0, "b", "memory_recall"), P(0, "b", "", CAKE)],
        [P(0, "a", "memory_recall"), P(1, "b", "memory_recall"), P(0, "", "", TEA), P(1, "", "", CAKE)],
        [P(0, "a", "memory_recall"), P(0, "b", "memory_recall"), P(0, "a", "", TEA), P(0, "b", "", CAKE)],
        [P(0, "a", "memory_recall", TEA), P(1, "a", "memory_recall", CAKE)],
    ],
)
def test_two_calls_are_two(pieces):
    assert put(*pieces) == [("memory_recall", TEA), ("memory_recall", CAKE)]


@pytest.mark.parametrize(
    "pieces",
    [
        [P(0, "a", "memory_recall", TEA + CAKE)],
        [P(0, "a", "memory_recall"), P(1, "b", "reply"), P(None, "", "", TEA)],
        [P(0, "a", "", TEA)],
        [P(0, "a", "memory_recall", TEA[:-1])],
        [P(0, "a", "memory_recall", TEA), P(0, "a", "", CAKE)],
    ],
)
def test_what_cannot_be_put_together_is_nothing_that_runs(pieces):
    for name, arguments in put(*pieces):
        assert not name or not _is_object(arguments)


def _is_object(text: str) -> bool:
    try:
        return isinstance(orjson.loads(text), dict)
    except ValueError:
        return False


def test_names_are_mended_only_to_what_is_offered():
    assert mended_name("default_api.reply", OFFERED) == "reply"
    assert mended_name("memory-recall", OFFERED) == "memory_recall"
    assert mended_name("replyreply", OFFERED) == "reply"
    assert mended_name("open_door", OFFERED) == "open_door"
    assert mended_name("open_door<|channel|>json", OFFERED) == "open_door"


# a call that says which it is, dealt out in every odd way: what comes of it is what was sent, or nothing


def deal(rng: random.Random, number: int, arguments: str, *, numbered: bool) -> list[dict]:
    """Deal one call out as a service might; what is dealt out in turns must be `numbered`, or nobody could tell."""
    index = number if numbered else rng.choice([number, 0, None, number + 5])
    identity = rng.choice([f"id{number}", "", None, "changes"])
    if identity == "changes" and index is None:
        # nobody can tell that from another call
        index = number
    name, how = "memory_recall", rng.choice(["whole", "split", "twice", "bytes", "repeated"])
    pieces = {
        "whole": [arguments],
        "split": [arguments[:5], arguments[5:]],
        "twice": [arguments, arguments],
        "bytes": list(arguments),
        "repeated": [arguments[:4], arguments],
    }[how]
    naming = rng.choice(["first", "every", "late", "split"])
    made = []
    for at, piece in enumerate(pieces):
        said = {"first": name if at == 0 else None, "every": name, "late": None, "split": None}[naming]
        made.append((said, piece))
    if naming == "late":
        made.append((name, ""))
    if naming == "split":
        made = [("memory_", ""), ("recall", ""), *made]
    calls = []
    for at, (said, piece) in enumerate(made):
        call: dict = {"function": {"arguments": piece}}
        if said is not None:
            call["function"]["name"] = said
        if index is not None:
            call["index"] = index
        if identity is not None:
            call["id"] = f"v{number}{at}" if identity == "changes" else identity
        calls.append(call)
    return calls


def stream(rng: random.Random, calls: int) -> bytes:
    in_turns = rng.random() < 0.3
    dealt = [deal(rng, number, f'{{"query":"q{number}"}}', numbered=in_turns) for number in range(calls)]
    if in_turns:
        order = [piece for turn in itertools.zip_longest(*dealt) for piece in turn if piece]
    else:
        order = [piece for call in dealt for piece in call]
    events = [{"choices": [{"delta": {"tool_calls": [piece]}}]} for piece in order]
    if rng.random() < 0.3:
        events.insert(
            rng.randrange(len(events) + 1), {"choices": [], "usage": {"prompt_tokens": rng.choice([3, None, "x"])}}
        )
    if rng.random() < 0.7:
        reason = rng.choice(["stop", "tool_calls", "length", "odd"])
        events.append({"choices": [{"delta": {}, "finish_reason": reason}]})
    written = [b"data: " + orjson.dumps(event) for event in events] + [b"data: [DONE]"]
    for more in (b": ping", b"data:", b"data: ", b"event: ping", b"data: null"):
        if rng.random() < 0.3:
            written.insert(rng.randrange(len(written)), more)
    end = rng.choice([b"\n\n", b"\r\n\r\n", b"\r\r"])
    return rng.choice([b"", b"\xef\xbb\xbf"]) + end.join(written) + end


@settings(max_examples=whole_or(300, 75), deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 3))
def test_nothing_runs_that_nobody_sent_and_nothing_twice(seed: int, calls: int):
    rng = random.Random(seed)
    body = stream(rng, calls)
    tool = ToolDefinition(name="memory_recall", description="", parameters='{"type":"object"}')
    answer, events = OpenAIAnswer(lambda _: None, AnswerOptions("here", (tool,))), SseParser()
    size = rng.choice([1, 7, 64, len(body)])
    for at in range(0, len(body), size):
        for data in events.feed(body[at : at + size]):
            if answer.take(data) is LifeSign.END:
                break
    sent = [f'{{"query":"q{number}"}}' for number in range(calls)]
    runs = [call.arguments for call in answer.response().calls if call.name == "memory_recall"]
    runs = [arguments for arguments in runs if not arguments.strip() or _is_object(arguments)]
    assert sorted(set(runs)) == sorted(runs), "run twice"
    assert all(arguments in sent for arguments in runs), "run with what nobody sent"


@settings(max_examples=whole_or(200, 50), deadline=None)
@given(
    st.lists(
        st.binary(max_size=40) | st.sampled_from([b'{"choices":[{"delta":{"content":"hi"}}]}', b"[DONE]"]), max_size=6
    )
)
def test_any_bytes_are_read_or_named(events: list[bytes]):
    answer = OpenAIAnswer(lambda _: None, AnswerOptions("here"))
    try:
        for event in events:
            answer.take(event)
    except (NotTheProtocol, ErrorInside):
        return
    answer.response()
