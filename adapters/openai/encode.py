"""Turn a request into the exact bytes that are posted; pure, and what has not changed is not serialised again."""

from __future__ import annotations

from typing import Any

import orjson

from adapters.model_http.json_cache import JsonFragments, as_json, is_object, plain
from adapters.model_http.schemas import without_keywords
from adapters.openai.conversation import USER_BEGINS, conversation
from bot.domain.dialect import PLAIN, Dialect, DialectTrait
from bot.domain.llm import LLMRequest, SystemBlock, ToolChoice, ToolDefinition, WireRequest

ENCODER = "openai-chat/2"
"""Stored with every request; raise the number when equal requests would give other bytes."""
PATH = "/chat/completions"


def encode_chat(request: LLMRequest, *, fragments: JsonFragments, dialect: Dialect = PLAIN) -> WireRequest:
    """Write the chat-completions body; total, and equal requests give equal bytes whatever `fragments` holds.

    What stays from turn to turn, the tools and the system prompt, stands first: it is written and hashed once.
    """
    traits = dialect.traits
    tools = request.tools if dialect.offers(forbidding=request.tool_choice is ToolChoice.NONE) else ()
    digests = [*[tool.digest for tool in tools], "", *[b.digest for b in request.system]]
    names = [request.model.model, dialect.text, *digests]
    begun = fragments.beginning(
        "\x1f".join(names), lambda request: _beginning(request, tools, dialect, fragments), request
    )
    entries = conversation(request, dialect, fragments)
    as_user = bool(request.system) and DialectTrait.SYSTEM_AS_USER in traits
    rest = _behind_the_prompt(entries) if as_user else [b"," if request.system and entries else b"", b",".join(entries)]
    rest.append(b"]")
    if tools and DialectTrait.NO_TOOL_CHOICE not in traits:
        rest += [b',"tool_choice":', as_json(request.tool_choice)]
    usage = b"" if DialectTrait.NO_STREAM_OPTIONS in traits else b',"stream_options":{"include_usage":true}'
    rest += [b',"stream":true', usage]
    if request.max_output_tokens > 0:
        field = b"max_tokens" if DialectTrait.MAX_TOKENS in traits else b"max_completion_tokens"
        rest.append(b',"%s":%d' % (field, request.max_output_tokens))
    body, sha256 = begun.whole([*rest, b"}"])
    return WireRequest(
        provider=request.model.provider,
        model=request.model.model,
        path=PATH,
        body=body,
        tools=tools,
        sha256=sha256,
    )


def _beginning(
    request: LLMRequest, tools: tuple[ToolDefinition, ...], dialect: Dialect, fragments: JsonFragments
) -> bytes:
    """Write everything before the first message of the conversation; a prompt that is the user's is left open."""
    beginning = b'{"model":' + as_json(request.model.model)
    if tools:
        keywords = dialect.schema_keywords
        beginning += b',"tools":[' + b",".join([_tool(tool, keywords, fragments) for tool in tools]) + b"]"
    beginning += b',"messages":['
    if not request.system:
        return beginning
    # escaped block by block: a block that stays is spliced, and JSON escapes do not look at their neighbours
    blocks = b"\\n\\n".join(_block(block, fragments) for block in request.system)
    if DialectTrait.SYSTEM_AS_USER in dialect.traits:
        return beginning + USER_BEGINS + blocks
    role = b"developer" if DialectTrait.DEVELOPER in dialect.traits else b"system"
    return beginning + b'{"role":"%b","content":"' % role + blocks + b'"}'


def _behind_the_prompt(entries: list[bytes]) -> list[bytes]:
    """Go on behind a prompt that is the user's: with the user's own words in the same message."""
    if not entries:
        return [b'"}']
    first = entries[0]
    if first.startswith(USER_BEGINS):
        return [b"\\n\\n", b",".join([first[len(USER_BEGINS) :], *entries[1:]])]
    if first.startswith(b'{"role":"user"'):
        # pictures: somebody speaks in between, where the sides must take turns
        entries = ['{"role":"assistant","content":"…"}'.encode(), *entries]
    return [b'"},', b",".join(entries)]


def _block(block: SystemBlock, fragments: JsonFragments) -> bytes:
    return fragments.get(f"s:{block.digest}", _inside, block.text)


def _tool(tool: ToolDefinition, keywords: frozenset[str], fragments: JsonFragments) -> bytes:
    without = f":{','.join(sorted(keywords))}" if keywords else ""
    return fragments.get(f"t:{tool.digest}{without}", _definition, (tool, keywords))


def _definition(tool_without: tuple[ToolDefinition, frozenset[str]]) -> bytes:
    tool, keywords = tool_without
    schema: Any = tool.parameters if is_object(tool.parameters) else '{"type":"object","properties":{}}'
    function = {"name": plain(tool.name), "description": plain(tool.description)}
    parameters = orjson.Fragment(without_keywords(schema, keywords))
    return orjson.dumps({"type": "function", "function": {**function, "parameters": parameters}})


def _inside(text: str) -> bytes:
    return as_json(text)[1:-1]
