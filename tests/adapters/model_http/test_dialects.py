"""What services really send is read as it is meant, wherever it is cut on its way."""

from __future__ import annotations

import orjson
import pytest

from adapters.anthropic.stream import AnthropicAnswer as AnthropicAnswer
from adapters.model_http.client import LifeSign
from adapters.model_http.speech import AnswerOptions
from adapters.model_http.sse import SseParser
from adapters.openai.stream import OpenAIAnswer as OpenAIAnswer
from bot.domain.llm import LLMResponse, ToolDefinition
from bot.ports.model import AnswerRestart
from tests.servers.model.dialects import Dialect, dialects

ANSWERS = {"openai": OpenAIAnswer, "anthropic": AnthropicAnswer}
TEXT = '{"type":"object","properties":{"%s":{"type":"string"}}}'
OFFERED = (
    ToolDefinition(name="memory_recall", description="", parameters=TEXT % "query"),
    ToolDefinition(name="reply", description="", parameters=TEXT % "text"),
)


def read(dialect: Dialect, pieces: list[bytes], *, text_calls: bool = True) -> tuple[LLMResponse, list[str]]:
    """Return the answer, and everything that anybody would have seen of it while it came."""
    seen: list[str] = [""]

    def see(piece: str) -> None:
        seen.append("" if isinstance(piece, AnswerRestart) else seen[-1] + piece)

    events = SseParser()
    answer = ANSWERS[dialect.protocol](see, AnswerOptions("here", OFFERED, text_calls))
    for data in [event for piece in pieces for event in events.feed(piece)] + list(events.rest()):
        if answer.take(data) is LifeSign.END:
            break
    assert answer.finished
    return answer.response(), seen


def check(dialect: Dialect, pieces: list[bytes]) -> None:
    response, seen = read(dialect, pieces)
    assert response.text.strip() == (dialect.read or dialect.beside)
    assert [
        [call.name, orjson.dumps(orjson.loads(call.arguments)).decode()] for call in response.calls
    ] == dialect.calls
    assert response.reasoning == dialect.thought
    assert list(response.repairs) == dialect.repairs
    assert (response.added.data if response.added else "") == dialect.added or not dialect.added
    added = [call.added.data if call.added else "" for call in response.calls]
    assert added == (dialect.call_added or [""] * len(added))
    assert dialect.stopped_with is None or response.stopped_with == dialect.stopped_with
    assert all((dialect.read or dialect.beside).startswith(text.strip()) for text in seen), "seen on its way"
    assert not dialect.thought or response.usage.reasoning


@pytest.mark.parametrize("name", dialects())
def test_it_is_read_as_it_is_meant(name: str):
    check(dialects()[name], [dialects()[name].stream])


@pytest.mark.parametrize("name", dialects())
def test_it_does_not_matter_where_its_bytes_are_cut(name: str):
    dialect = dialects()[name]
    stream = dialect.stream
    whole = told([stream])
    for at in range(1, len(stream)):
        assert told([stream[:at], stream[at:]]) == whole
    check(dialect, [stream[at : at + 1] for at in range(len(stream))])


def told(pieces: list[bytes]) -> list[bytes]:
    events = SseParser()
    return [event for piece in pieces for event in events.feed(piece)] + list(events.rest())


@pytest.mark.parametrize("name", [name for name, one in dialects().items() if one.protocol == "openai"])
def test_it_does_not_matter_where_its_words_are_cut(name: str):
    dialect = dialects()[name]
    chunks = [orjson.loads(event) for event in told([dialect.stream]) if event.startswith(b"{")]
    deltas = [choice["delta"] for chunk in chunks for choice in chunk["choices"] if "delta" in choice]
    contents = [delta["content"] for delta in deltas if isinstance(delta.get("content"), str)]
    if any(isinstance(delta.get("content"), list) for delta in deltas) or not "".join(contents):
        return
    first = next(
        at
        for at, chunk in enumerate(chunks)
        if chunk["choices"] and chunk["choices"][0].get("delta", {}).get("content")
    )
    text = "".join(contents)
    for delta in deltas:
        delta.pop("content", None)
    around = [orjson.dumps(chunk) for chunk in chunks]
    for pieces in [[text[:at], text[at:]] for at in range(1, len(text))] + [list(text)]:
        words = [orjson.dumps({"choices": [{"delta": {"content": piece}}]}) for piece in pieces]
        events = [*around[:first], *words, *around[first:], b"[DONE]"]
        check(dialect, [b"data: " + b"\n\ndata: ".join(events) + b"\n\n"])


def test_there_are_enough_of_them():
    services = {one.service.partition(":")[0].partition(" without")[0].partition(",")[0] for one in dialects().values()}
    assert len(dialects()) >= 40 and len(services) >= 16


def test_calls_in_words_are_not_made_where_that_is_switched_off():
    for dialect in dialects().values():
        if "call_written" in dialect.repairs:
            response, seen = read(dialect, [dialect.stream], text_calls=False)
            assert not response.calls and "call_unreadable" in response.repairs
            assert all(dialect.beside.startswith(text.strip()) for text in seen)
