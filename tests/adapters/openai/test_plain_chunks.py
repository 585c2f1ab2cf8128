"""A piece of text is read without the protocol's whole form, and comes to the same."""

from __future__ import annotations

from typing import Any

import orjson
from hypothesis import given
from hypothesis import strategies as st

from adapters.model_http.errors import ErrorInside, NotTheProtocol
from adapters.openai.stream import OpenAIAnswer, parse_chunk

odd = st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=3) | st.just([]) | st.just({}) | st.just([{}])
words = st.text(max_size=6)


def mostly(usual: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(usual, usual, usual, odd)


call = st.fixed_dictionaries({"index": st.just(0), "id": words, "function": st.just({"name": "skip"})})
delta = st.fixed_dictionaries(
    {"content": mostly(words)},
    optional={"role": mostly(words), "refusal": odd, "tool_calls": odd | st.lists(call, max_size=1), "x": odd},
)
choice = st.fixed_dictionaries(
    {"delta": mostly(delta)}, optional={"index": odd, "finish_reason": mostly(st.just("stop")), "message": odd}
)
chunks = st.fixed_dictionaries(
    {"choices": mostly(st.lists(mostly(choice), min_size=1, max_size=2))},
    optional={"id": mostly(words), "model": mostly(words), "usage": odd | st.just({"prompt_tokens": 3}), "error": odd},
)


class Slow(OpenAIAnswer):
    """Reads every event in its whole form."""

    def _take_words(self, data: bytes) -> bool:
        return False


def told(kind: type[OpenAIAnswer], events: list[bytes]) -> tuple[object, ...]:
    heard: list[str] = []
    answer = kind(heard.append)
    try:
        for event in events:
            answer.take(event)
    except (NotTheProtocol, ErrorInside) as error:
        return (type(error), str(error), heard)
    return (answer.response(), answer.finished, heard)


@given(st.lists(mostly(chunks), min_size=1, max_size=4))
def test_it_is_what_the_whole_form_says(events: list[Any]):
    written = [orjson.dumps(event) for event in events]
    assert told(OpenAIAnswer, written) == told(Slow, written)


@given(
    st.binary(max_size=20) | st.sampled_from([b'{"choices":[{"delta":{"content":"\\ud800"}}]}', b"NaN", b"[1", b"null"])
)
def test_garbage_is_told_apart_by_the_whole_form_alone(data: bytes):
    assert told(OpenAIAnswer, [data]) == told(Slow, [data])


def test_a_piece_of_text_takes_the_short_way():
    answer = OpenAIAnswer(lambda _: None)
    data = orjson.dumps({"id": "c", "choices": [{"delta": {"role": "assistant", "content": "hi"}}], "model": "m"})
    assert answer._take_words(data) and answer.text == "hi" and parse_chunk(data) is not None
