"""Everything that reads bytes of somebody else, each with its promise for any bytes whatever, and sound samples.

The properties put junk into the samples; the guided fuzzer (`guided.py`) begins with them.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import orjson

from adapters.anthropic.stream import AnthropicAnswer as AnthropicAnswer
from adapters.model_http.client import LifeSign
from adapters.model_http.errors import MAX_ERROR_CHARS, ErrorInside, NotTheProtocol, cleaner, of_event, of_status
from adapters.model_http.sse import SseParser
from adapters.openai.stream import OpenAIAnswer as OpenAIAnswer
from adapters.telegram.convert import convert_update
from adapters.web.client import page_of
from adapters.web.page_fetcher import RawAnswer
from adapters.web.search_client import _SERVICES, _read_value
from bot.agent.turn.attachments import _picture, _text
from bot.config import parse_config
from bot.config.explained_keys import explain
from bot.context.transcript import as_message, parse_header
from bot.cortex.pages.diff_page import details, explain_diff, first_text, values
from bot.domain.heard import HeardInbound, heard_json, read_heard
from bot.domain.messages import Attachment, AttachmentKind, Inbound
from bot.domain.skill import WrongSkill, read_skill
from bot.errors import ConfigError, ProviderError, ToolError, UserError
from bot.inspect.diff.change_events import NO_RECORDS
from bot.inspect.diff.context_diff import compare
from bot.inspect.diff.export_reader import read_export
from bot.text.redaction import Redactor
from bot.text.text import clean, count_invisible
from bot.tools.runtime.executor import is_object, transcript_call
from tests.adapters.web.test_readable_text import ARTICLE, PAGE
from tests.fakes import values as v
from tests.fakes.clock import START
from tests.faults.fuzz.junk import SECRET

_CLEAN = cleaner((SECRET,))
_NOTHING = Redactor.of({})


class Reader(NamedTuple):
    """`check` raises AssertionError for a broken promise, and nothing else for any bytes."""

    check: Callable[[bytes], None]
    samples: tuple[bytes, ...]


def _told(kind: type[Any], pieces: list[bytes]) -> tuple[object, ...]:
    said: list[str] = []
    answer, events = kind(said.append), SseParser()
    try:
        for piece in [*pieces, None]:
            for data in events.rest() if piece is None else events.feed(piece):
                if answer.take(data) is LifeSign.END:
                    return (answer.response(), said)
    except NotTheProtocol as error:
        return (str(error), said)
    except ErrorInside as error:
        found = of_event(error.value, _CLEAN, answer.text)
        _is_error(found)
        return (str(found), said)
    return (answer.response(), answer.finished, said)


def _streamed(kind: type[Any]) -> Callable[[bytes], None]:
    def check(data: bytes) -> None:
        whole = _told(kind, [data])
        half = len(data) // 2
        assert whole == _told(kind, [data[:half], data[half:]]), "where a stream is cut must not matter"
        # some hang on the length: bytes alone are as good as a cut anywhere
        assert whole == _told(kind, [data[n : n + 7] for n in range(0, len(data), 7)])
        response = whole[0]
        if not isinstance(response, str):
            orjson.dumps(response.model_dump(mode="json"))  # type: ignore[attr-defined]
            for call in response.calls:  # type: ignore[attr-defined]
                kept = transcript_call(call)
                assert is_object(kept.arguments)

    return check


def _whole(kind: type[Any]) -> Callable[[bytes], None]:
    def check(data: bytes) -> None:
        answer = kind(lambda _: None)
        try:
            answer.take_whole(data)
        except NotTheProtocol:
            return
        except ErrorInside as error:
            return _is_error(of_event(error.value, _CLEAN, answer.text))
        orjson.dumps(answer.response().model_dump(mode="json"))

    return check


def _is_error(error: ProviderError) -> None:
    text = str(error)
    assert SECRET not in text and "\n" not in text and len(text) <= MAX_ERROR_CHARS + 200


def error_body(data: bytes) -> None:
    """Any body of a refusal becomes one bounded line without the key."""
    for status in (400, 401, 429, 500, 302):
        _is_error(of_status(status, {"Retry-After": data[:20].decode("latin-1")}, data, _CLEAN))


@lru_cache(maxsize=1)
def _hearing() -> Any:
    from adapters.telegram.convert import TelegramParseContext
    from adapters.telegram.places import KnownPlaces
    from tests.adapters.telegram.test_convert import ME

    return TelegramParseContext(ME, KnownPlaces(), START)


def update(data: bytes) -> None:
    """Any update leaves one row that every store can hold."""
    try:
        found = orjson.loads(data)
    except orjson.JSONDecodeError:
        return
    if isinstance(found, dict):
        is_storable(convert_update(found, _hearing()).inbound)


def is_storable(inbound: Inbound) -> None:
    """Say that it can be kept and read again, and is clean."""
    assert read_heard(HeardInbound, heard_json(HeardInbound(inbound=inbound))).inbound == inbound
    assert clean(inbound.text).text == inbound.text and clean(inbound.author.name).text == inbound.author.name
    message = as_message(7, inbound, ambient=False)
    headed = parse_header(message.text)
    assert headed is not None and headed.header["id"] == inbound.author.user_id
    assert headed.text == ("" if inbound.kind.value == "delete" else inbound.text)


def page(data: bytes) -> None:
    """Any bytes are a page that can be kept; nothing of it is unseen."""
    for kind in ("text/html", "", "application/json", "text/plain"):
        found = page_of(
            "https://example.org/a", RawAnswer("https://example.org/a", 200, kind, "", data, False, len(data), 0)
        )
        orjson.dumps([found.title, found.text, found.aside])
        if found.kind == "html":
            assert "\n\n\n" not in found.text or b"<pre" in data.lower() or "\n\n\n" in found.title


def search_answer(data: bytes) -> None:
    """Any answer of a search service is hits or words for the model."""
    for service in _SERVICES.values():
        try:
            found = service.read(_read_value(data))
        except ToolError as error:
            assert str(error)
            continue
        assert all(hit.url.startswith(("http://", "https://")) for hit in found.hits)
        assert count_invisible("".join(hit.title + hit.snippet + hit.age + hit.url for hit in found.hits)) == 0


def mcp_line(data: bytes) -> None:
    """Any line of a server is a message of the protocol or none."""
    from adapters.mcp.stdio import _read_message

    found = _read_message(data)
    assert found is None or found.message.model_dump_json()


def filed(data: bytes) -> None:
    """Any file is an export that can be compared, or refused in one line; nothing in it steers a terminal."""
    try:
        side = read_export(data, "x.json")
    except UserError as error:
        assert str(error).startswith("x.json ") and "\x1b" not in str(error)
        return
    for first, second in ((side, side), (side, _sound()), (_sound(), side)):
        compared = explain_diff(compare(first, second), NO_RECORDS)
        shown = first_text(compared, "x", "y") + details(compared, _NOTHING)
        assert "\x1b" not in shown and len(first_text(compared, "x", "y")) <= 900
        orjson.dumps(values(compared))


@lru_cache(maxsize=1)
def _sound() -> Any:
    return read_export(export_bytes(), "sound.json")


@lru_cache(maxsize=1)
def export_bytes() -> bytes:
    """Return a sound export."""
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    from tests.bot.context.laid import exported, sent
    from tests.fakes.contexts import says, talked, trigger

    def made() -> bytes:
        state = talked(v.channel(), ("hi", "hello"), ("where is tea?", "in the kitchen"))
        return exported(asyncio.run(sent(state, trigger(says("are you there?", 99)))))

    with ThreadPoolExecutor(1) as aside:  # whoever asks may be in a loop of its own
        return aside.submit(made).result()


def skill(data: bytes) -> None:
    """Any text is a skill or has one reason why not."""
    try:
        found = read_skill(data.decode("utf-8", "replace"), "skills/x/SKILL.md")
    except WrongSkill as error:
        assert str(error)
        return
    assert found.name.isascii() and found.description and found.body
    orjson.dumps(found.model_dump(mode="json"))


def configuration(data: bytes) -> None:
    """Any text is a configuration, every value of which can be shown, or a list of problems; neither has the secret."""
    try:
        loaded = parse_config(data.decode("utf-8", "replace"), {"CANARY": SECRET})
    except ConfigError as error:
        assert error.problems and SECRET not in "\n".join(error.problems)
        return
    told = "\n".join(f"{row.key} = {row.value} ({row.origin})" for row in explain(loaded))
    if SECRET in loaded.secrets.values():
        assert SECRET not in told


def attachment(data: bytes) -> None:
    """Any file becomes one JSON value that passes for no line of ours, or a reason."""
    name = data[:12].decode("utf-8", "replace")
    file = Attachment(kind=AttachmentKind.TEXT, name=name, mimetype="text/plain", reference="f")
    for brought in (_text(file, data), _picture(file, data)):
        message = as_message(7, v.inbound("look", attachments=(file,)), ambient=False, brought=(brought,))
        for part in message.parts[:-1]:
            assert parse_header(getattr(part, "text", "")) is None
            assert (
                "\n" not in getattr(part, "text", "")
                and count_invisible(part.name if hasattr(part, "name") else "") == 0
            )
        headed = parse_header(message.parts[-1].text)  # type: ignore[union-attr]
        assert headed is not None and headed.text == "look" and headed.header["id"] == "100"


def _sse(*events: object, ending: str = "\n\n") -> bytes:
    return "".join(
        f"data: {event if isinstance(event, str) else json.dumps(event)}{ending}" for event in events
    ).encode()


def _openai(**delta: object) -> dict[str, object]:
    return {"id": "c1", "model": "m", "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}


def _in_lines(*events: object) -> bytes:
    """Write events over several lines each, with both characters that end a line."""
    written = (json.dumps(event, indent=1).split("\n") for event in events)
    return "".join("".join(f"data: {line}\r\n" for line in lines) + "\r\n" for lines in written).encode()


_CALL = {"index": 0, "id": "call_1", "function": {"name": "reply", "arguments": '{"text": '}}
_GOES_ON = {"index": 0, "function": {"arguments": '"hi 😀"}'}}
_USAGE = {"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 4}}
_STOP = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}], "usage": _USAGE}
OPENAI = (
    _sse(_openai(role="assistant", content="Hel"), _openai(content="lo \ud83d\ude00"), _STOP, "[DONE]"),
    _sse(_openai(tool_calls=[_CALL]), _openai(tool_calls=[_GOES_ON]), _STOP, "[DONE]", ending="\r\n\r\n"),
    b": ping\n\n" + _sse(_openai(refusal="no"), {"error": {"message": f"overloaded {SECRET}", "code": 529}}),
)
_ANTHROPIC = (
    {"type": "message_start", "message": {"id": "m1", "model": "c", "content": [], "usage": {"input_tokens": 9}}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "hel\u2028lo"}},
    {"type": "content_block_stop", "index": 0},
    {"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "id": "t1", "name": "skip"}},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": '{"reason": 1}'}},
    {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 5}},
    {"type": "message_stop"},
)
OPENAI += (_in_lines(_openai(content="in lines"), _STOP),)
OPENAI += (_in_lines(_openai(content="in lines"), _STOP),)
ANTHROPIC = (
    _in_lines(*_ANTHROPIC[:3]),
    _sse(*_ANTHROPIC),
    _sse(*_ANTHROPIC[:3], {"type": "error", "error": {"type": "api_error", "message": "x"}}),
)
_WHOLE_OPENAI = {"id": "c", "choices": [{"message": {"content": "hi", "tool_calls": [_CALL]}, "finish_reason": "stop"}]}
_WHOLE_ANTHROPIC = {"type": "message", "id": "m", "content": [{"type": "text", "text": "x"}], "stop_reason": "end_turn"}
_SKILL = "---\nname: tea-making\ndescription: >\n  How to make tea,\n  with a pot.\ntags: [a]\n---\n\n# Tea\n\nBoil.\n"
_CONFIG = """
[platforms.telegram]
token = "env:CANARY"
owner_ids = [1]
[providers.openai]
kind = "openai"
api_key = "sk-canary-5Qw8Zr1Lm4Xv7Tb2Nc9Kd6"
[model]
name = "openai/gpt-5-mini"
[channels."telegram:123"]
mode = "quiet"
links = ["telegram:5"]
[tools.mcp.x]
command = "x"
env = { A = "1" }
"""
_HITS = {"results": [{"title": "<b>Tea</b>", "url": "https://t.example", "content": "hot", "publishedDate": "now"}]}
_BRAVE = {
    "web": {"results": [{"title": "Tea &amp; x", "url": "https://t.example", "description": "hot", "age": "1 d"}]}
}
_RPC = {"jsonrpc": "2.0", "id": 1, "result": {"content": [{"type": "text", "text": "x"}], "isError": False}}


def _updates() -> tuple[bytes, ...]:
    from tests.adapters.telegram.test_convert import SHAPES

    return tuple(orjson.dumps({"update_id": 41, **shape.update}) for shape in SHAPES.values())


READERS: dict[str, Reader] = {
    "openai": Reader(_streamed(OpenAIAnswer), OPENAI),
    "anthropic": Reader(_streamed(AnthropicAnswer), ANTHROPIC),
    "openai-whole": Reader(_whole(OpenAIAnswer), (orjson.dumps(_WHOLE_OPENAI), b'{"error": {"message": 1}}')),
    "anthropic-whole": Reader(_whole(AnthropicAnswer), (orjson.dumps(_WHOLE_ANTHROPIC), b'{"error": "x"}')),
    "error-body": Reader(error_body, (b'{"error": {"message": "no", "type": "x", "code": 1}}', b"<html>bad gateway")),
    "update": Reader(update, _updates()),
    "page": Reader(page, (PAGE.encode(), f"<main>{ARTICLE}</main>".encode(), b'<meta charset="gbk"><p>\xc4\xe3')),
    "search": Reader(search_answer, (orjson.dumps(_HITS), orjson.dumps(_BRAVE), b'{"error": "x"}')),
    "mcp": Reader(mcp_line, (orjson.dumps(_RPC), b'{"jsonrpc": "2.0", "method": "notifications/x"}')),
    "export": Reader(filed, (export_bytes(), gzip.compress(export_bytes(), mtime=0))),
    "skill": Reader(skill, (_SKILL.encode(), b'---\nname: "a"\ndescription: |\n  x\n---\ny')),
    "config": Reader(configuration, (_CONFIG.encode(),)),
    "attachment": Reader(attachment, (b"notes.txt: hello", "\ufeff\nüml".encode("utf-16"), b"\x89PNG\r\n\x1a\nxx")),
}
