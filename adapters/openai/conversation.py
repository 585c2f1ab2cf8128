"""The messages of a request as a dialect wants them: pure, and what has not changed is not serialised again."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import orjson

from adapters.model_http.call_ids import CallIds, nine_id
from adapters.model_http.json_cache import JsonFragments, is_object, plain, tool_name
from adapters.model_http.service_additions import added_to_call, added_to_message, has_added
from adapters.model_http.tool_words import tools_in_words
from bot.domain.dialect import Dialect, DialectTrait
from bot.domain.llm import LLMRequest
from bot.domain.messages import Message, Role, ToolCall, ToolResult
from bot.text.joined_text import BLANK_LINE

USER_BEGINS = b'{"role":"user","content":"'
_ASSISTANT_BEGINS = b'{"role":"assistant","content":"'
# looked up with every message
_USER, _ASSISTANT, _TOOL = Role.USER, Role.ASSISTANT, Role.TOOL
_BLANK_LINE = orjson.dumps(BLANK_LINE)[1:-1]
_NO_WORDS = "…"
"""What is said where a service wants somebody to speak who said nothing."""
_USER_SAYS_NOTHING = orjson.dumps({"role": "user", "content": _NO_WORDS})
_ASSISTANT_SAYS_NOTHING = orjson.dumps({"role": "assistant", "content": _NO_WORDS})
_OF_A_MESSAGE = frozenset({DialectTrait.NO_NULL, DialectTrait.REASONING_BESIDE_CALLS, DialectTrait.SIGNATURES})
"""What changes a message by itself; what else there is changes how messages follow each other."""
_OF_THE_ORDER = frozenset({DialectTrait.ALTERNATE, DialectTrait.NO_USER_AFTER_TOOL})
_OF_SOME_MESSAGES = frozenset(
    {DialectTrait.NINE_IDS, DialectTrait.NO_TOOLS, DialectTrait.TEXT_TOOLS, DialectTrait.SINGLE_CALLS}
)
_NOT_SIGNED = {"google": {"thought_signature": "skip_thought_signature_validator"}}
"""What Gemini takes for a call that it did not make itself (https://ai.google.dev/gemini-api/docs/thought-signatures).
"""


_Voice = tuple[Role, Role, bytes]
"""One or more messages as JSON: who speaks first in them, and who last."""


class _Form(NamedTuple):
    """How a message is written: for whom, and with which traits of its dialect."""

    provider: str = ""
    traits: frozenset[str] = frozenset()
    name: str = ""


def conversation(request: LLMRequest, dialect: Dialect, fragments: JsonFragments) -> list[bytes]:
    """Write what was said, in order; everything behind the system prompt."""
    provider, traits = request.model.provider, dialect.traits
    if traits and not _CHANGES.isdisjoint(traits):
        mine = frozenset(traits)
        form = _Form(provider, mine & _OF_A_MESSAGE, " ".join(trait for trait in traits if trait in _OF_A_MESSAGE))
        voices = _voices(request.messages, form, mine, fragments)
        return _in_order(voices, mine) if mine & _OF_THE_ORDER else [written for _, _, written in voices]
    get, make, entries = fragments.get, partial(_as_it_is, _Form(provider), None), list[bytes]()
    for message in request.messages:
        own = message.role is _ASSISTANT and has_added(message)
        if entry := get(f"{message.digest}:{provider}:" if own else message.digest, make, message):
            entries.append(entry)
    return entries


_CHANGES = _OF_A_MESSAGE | _OF_THE_ORDER | _OF_SOME_MESSAGES


def join_messages(one: bytes, other: bytes, begins: bytes) -> bytes:
    """Make one message of two of the same side; `begins` is how those begin that hold nothing but words."""
    start = len(begins)
    if one.startswith(begins) and other.startswith(begins) and one.find(b'","', start) < 0:
        words, more = one[start:-2], other[start:]
        return begins + words + (_BLANK_LINE if words and not more.startswith(b'"') else b"") + more
    first, then = orjson.loads(one), orjson.loads(other)
    return orjson.dumps({**first, **then, "content": _both(first.get("content"), then.get("content"))})


def _both(one: Any, other: Any) -> Any:
    if isinstance(one, list) or isinstance(other, list):
        return [*_as_list(one), *_as_list(other)]
    return BLANK_LINE.join(text for text in (one, other) if text) or other


def _as_list(content: Any) -> list[Any]:
    if isinstance(content, list):
        return content
    return [{"type": "text", "text": content}] if content else []


def _key(message: Message, form: _Form) -> str:
    # what a service added goes back to nobody else, so that the same message is written in two ways
    own = f":{form.provider}" if has_added(message) else ""
    return f"{message.digest}{own}:{form.name}" if form.name or own else message.digest


def _voices(messages: Sequence[Message], form: _Form, traits: frozenset[str], fragments: JsonFragments) -> list[_Voice]:
    """Write message by message, and those together that a dialect wants told together: who speaks first, and last."""
    ids = CallIds(nine_id) if DialectTrait.NINE_IDS in traits else None
    dialect, single = Dialect(traits=tuple(sorted(traits))), DialectTrait.SINGLE_CALLS in traits
    takes_tools, tell = dialect.takes_tools, _told_again if dialect.writes_tools else _told
    get, make, voices = fragments.get, partial(_as_it_is, form, None), list[_Voice]()
    asked: Message | None = None
    asked_as: tuple[str, ...] | None = None
    for message in messages:
        role = message.role
        # most messages are words, which are written the same in every dialect
        if role is _USER or (role is _ASSISTANT and not message.calls):
            key = _key(message, form) if role is _ASSISTANT else message.digest
            if written := get(key, make, message):
                voices.append((role, role, written))
            continue
        names = ids.of(message) if ids is not None else None
        key = _key(message, form)
        key = f"{key}:{','.join(names)}" if names else key
        if role is _ASSISTANT:
            asked, asked_as = message, names
            if not takes_tools:
                voices.append((role, role, get(f"{message.digest}:words", _only_words, message)))
                continue
            if single and len(message.calls) > 1:
                continue
        elif not takes_tools:
            if asked is not None:
                pair = f"{asked.digest}:{message.digest}:{tell.__name__}"
                voices.append((_USER, _USER, get(pair, tell, (asked, message))))
            continue
        elif single and asked is not None and len(asked.calls) > 1:
            pair = f"{_key(asked, form)}:{','.join(asked_as or ())}:{key}"
            told_apart = partial(_one_by_one, form)
            voices.append((_ASSISTANT, _TOOL, get(pair, told_apart, (asked, asked_as, message, names))))
            continue
        voices.append((role, role, get(key, make if names is None else partial(_as_it_is, form, names), message)))
    return [voice for voice in voices if voice[2]]


def _in_order(voices: Sequence[_Voice], traits: frozenset[str]) -> list[bytes]:
    """Let the sides take turns, as strict chat templates want it; nothing that was said is lost."""
    alternate, opened = DialectTrait.ALTERNATE in traits, DialectTrait.SYSTEM_AS_USER in traits
    written: list[bytes] = []
    last: Role | None = None
    for first, end, text in voices:
        if alternate and first is last and last is not _TOOL:
            begins = USER_BEGINS if last is _USER else _ASSISTANT_BEGINS
            if end is not first:
                # several messages: the first of them is the one that is joined
                head, rest = _split(text)
                written[-1] = join_messages(written[-1], head, begins) + b"," + rest
            else:
                written[-1] = join_messages(written[-1], text, begins)
            last = end
            continue
        if first is _USER and last is _TOOL:
            written.append(_ASSISTANT_SAYS_NOTHING)
        elif alternate and last is None and first is _ASSISTANT and not opened:
            written.append(_USER_SAYS_NOTHING)
        written.append(text)
        last = end
    if last is _ASSISTANT:
        # who is to answer must have been spoken to
        written.append(_USER_SAYS_NOTHING)
    return written


def _split(several: bytes) -> tuple[bytes, bytes]:
    first, *rest = orjson.loads(b"[" + several + b"]")
    return orjson.dumps(first), b",".join(orjson.dumps(one) for one in rest)


def _as_it_is(form: _Form, names: tuple[str, ...] | None, message: Message) -> bytes:
    match message.role:
        case Role.TOOL:
            ids = names or [result.call_id for result in message.results]
            entries = [_result(name, result) for name, result in zip(ids, message.results, strict=True)]
            return b",".join(orjson.dumps(entry) for entry in entries)
        case Role.ASSISTANT:
            return orjson.dumps(_assistant(message, message.calls, names, form))
        case Role.USER:
            return orjson.dumps({"role": "user", "content": _said(message)})


def _said(message: Message) -> str | list[dict[str, Any]]:
    text = plain(message.text)
    if not message.images:
        return text
    seen = (f"data:{image.mimetype};base64,{image.data}" for image in message.images)
    return [*({"type": "image_url", "image_url": {"url": url}} for url in seen), {"type": "text", "text": text}]


def _assistant(
    message: Message, calls: Sequence[ToolCall], names: Sequence[str] | None, form: _Form, text: str | None = None
) -> dict[str, Any]:
    words = plain(message.text if text is None else text)
    added = added_to_message(message, form.provider)
    if not calls:
        return {**added, "role": "assistant", "content": words} if added else {"role": "assistant", "content": words}
    if DialectTrait.REASONING_BESIDE_CALLS in form.traits:
        added = {"reasoning_content": "", **added}
    ids = names or [call.call_id for call in calls]
    written = [_call(name, call, form.provider) for name, call in zip(ids, calls, strict=True)]
    if DialectTrait.SIGNATURES in form.traits and not any("extra_content" in call for call in written):
        written[0]["extra_content"] = _NOT_SIGNED
    content = words or ("" if DialectTrait.NO_NULL in form.traits else None)
    return {"role": "assistant", "content": content, **added, "tool_calls": written}


def _call(name: str, call: ToolCall, provider: str) -> dict[str, Any]:
    # a provider refuses the whole conversation for one call that is not valid (failure table, closing rule)
    arguments = call.arguments if is_object(call.arguments) else "{}"
    function = {"name": tool_name(call.name), "arguments": arguments}
    return {"id": plain(name), "type": "function", "function": function, **added_to_call(call, provider)}


def _result(name: str, result: ToolResult) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": plain(name), "content": plain(result.text)}


def _only_words(message: Message) -> bytes:
    text = plain(message.text)
    return orjson.dumps({"role": "assistant", "content": text}) if text.strip() else b""


def _told(pair: tuple[Message, Message]) -> bytes:
    return orjson.dumps({"role": "user", "content": plain(tools_in_words(*pair))})


def _told_again(pair: tuple[Message, Message]) -> bytes:
    return orjson.dumps({"role": "user", "content": plain(tools_in_words(*pair, may_call=True))})


def _one_by_one(form: _Form, pair: tuple[Message, tuple[str, ...] | None, Message, tuple[str, ...] | None]) -> bytes:
    asked, asked_as, answered, answered_as = pair
    ids = answered_as or [result.call_id for result in answered.results]
    results: dict[str, dict[str, Any]] = {
        result.call_id: _result(name, result) for name, result in zip(ids, answered.results, strict=True)
    }
    entries: list[dict[str, Any]] = []
    for at, call in enumerate(asked.calls):
        if call.call_id in results:
            text = "" if entries else None
            names = None if asked_as is None else (asked_as[at],)
            result = results.pop(call.call_id)
            entries += [_assistant(asked, (call,), names, form, text), result]
    return b",".join(orjson.dumps(entry) for entry in entries)
