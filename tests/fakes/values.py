"""Factories for the values that tests talk about; every argument has a plain default."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.domain.base import JsonText, canonical_json
from bot.domain.channel import ChannelSettings, ChannelState, ProcessKind, ResponseMode
from bot.domain.ids import MAIN, AgentId, ChannelId, ChannelKey, UserId
from bot.domain.ledger import Arrival, ArrivalDisposition, GateVerdict
from bot.domain.llm import (
    LLMRequest,
    LLMResponse,
    ModelName,
    SystemBlock,
    TokenUsage,
    ToolDefinition,
)
from bot.domain.memory import MemoryProvenance, MemoryRelation, MemoryScope, MemoryType, NewMemory, RelationKind
from bot.domain.messages import (
    Author,
    AuthorKind,
    ChannelPlace,
    Inbound,
    InboundKind,
    Message,
    OutboundAddress,
    Role,
    TextPart,
    ToolCall,
    ToolResult,
)
from bot.domain.snapshot import ContextStats, CountMethod, SectionFate, SectionStability, SectionTrace, Tokenizer
from bot.domain.turn import NewOutbox, RequestRecord, TurnStart
from tests.fakes.clock import START

GENERAL = ChannelId("console:#general")
KEY = ChannelKey(MAIN, GENERAL)
GUILD = ChannelPlace(guild_id="1")
MODEL = ModelName(provider="simulated", model="echo")


def author(user_id: str = "100", name: str = "ann", kind: AuthorKind = AuthorKind.PERSON) -> Author:
    return Author(user_id=UserId(user_id), name=name, kind=kind)


def inbound(text: str = "hello", message_id: str = "1", **changes: Any) -> Inbound:
    base: dict[str, Any] = {
        "adapter": "console",
        "channel": GENERAL,
        "channel_name": "#general",
        "place": GUILD,
        "kind": InboundKind.MESSAGE,
        "message_id": message_id,
        "author": author(),
        "text": text,
        "sent_at": START,
        "mentions_bot": True,
    }
    return Inbound(**{**base, **changes})


def passed(gate: str = "sender", **compared: str) -> GateVerdict:
    return GateVerdict(gate=gate, passed=True, compared=tuple(compared.items()))


def stopped(
    gate: str = "sender", reason: str = "not listed", *, store_text: bool = True, **compared: str
) -> GateVerdict:
    return GateVerdict(gate=gate, passed=False, reason=reason, compared=tuple(compared.items()), store_text=store_text)


def arrival(
    text: str = "hello",
    message_id: str = "1",
    *,
    agent: AgentId = MAIN,
    at: int = START,
    verdicts: tuple[GateVerdict, ...] = (),
    disposition: ArrivalDisposition = ArrivalDisposition.QUEUE,
    **changes: Any,
) -> Arrival:
    return Arrival(
        agent=agent,
        inbound=inbound(text, message_id, **changes),
        arrived_at=at,
        verdicts=verdicts or (passed(),),
        disposition=disposition,
    )


def message(text: str = "hello", role: Role = Role.USER, **changes: Any) -> Message:
    who = author() if role is Role.USER else None
    return Message(**{"role": role, "parts": (TextPart(text=text),), "author": who, "at": START, **changes})


def said(text: str = "hi", **changes: Any) -> Message:
    return message(text, Role.ASSISTANT, **changes)


def call(name: str = "skip", arguments: str = "{}", call_id: str = "c1") -> Message:
    return Message(role=Role.ASSISTANT, parts=(ToolCall(call_id=call_id, name=name, arguments=arguments),), at=START)


def result(text: str = "done", call_id: str = "c1", *, ok: bool = True) -> Message:
    return Message(role=Role.TOOL, parts=(ToolResult(call_id=call_id, text=text, ok=ok),), at=START)


def settings(mode: ResponseMode = ResponseMode.ACTIVE, **changes: Any) -> ChannelSettings:
    return ChannelSettings(**{"mode": mode, **changes})


def channel(key: ChannelKey = KEY, name: str = "#general", **changes: Any) -> ChannelState:
    return ChannelState(**{"agent": key.agent, "id": key.channel, "name": name, "place": GUILD, **changes})


def tool_definition(name: str = "skip", description: str = "Say nothing.") -> ToolDefinition:
    schema: JsonText = canonical_json({"type": "object", "properties": {"reason": {"type": "string"}}})
    return ToolDefinition(name=name, description=description, parameters=schema)


def llm_request(
    messages: Sequence[Message] | None = None,
    system: Sequence[tuple[str, str]] = (("persona", "You are Glass."), ("rules", "Be brief.")),
    tools: Sequence[ToolDefinition] | None = None,
    model: ModelName = MODEL,
) -> LLMRequest:
    return LLMRequest(
        model=model,
        system=tuple(SystemBlock(name=name, text=text) for name, text in system),
        tools=tuple(tools) if tools is not None else (tool_definition(),),
        messages=tuple(messages) if messages is not None else (message(),),
        max_output_tokens=1024,
    )


def llm_response(text: str = "hi", input: int = 100, output: int = 10) -> LLMResponse:
    return LLMResponse(text=text, usage=TokenUsage(input=input, output=output), answered_by="echo")


def section(name: str = "persona", sources: tuple[str, ...] = (), text: str = "You are Glass.") -> SectionTrace:
    block = SystemBlock(name=name, text=text)
    return SectionTrace(
        name=name,
        stability=SectionStability.STATIC,
        fate=SectionFate.KEPT,
        digest=block.digest,
        tokens=4,
        sources=sources,
    )


def stats(total: int = 100, window: int = 8000) -> ContextStats:
    tokenizer = Tokenizer(name="o200k_base", method=CountMethod.EXACT)
    return ContextStats(system_prompt=total - 20, tools=10, history=10, window=window, tokenizer=tokenizer)


def turn_start(
    key: ChannelKey = KEY, inbounds: tuple[int, ...] = (), kind: ProcessKind = ProcessKind.CHANNEL, **changes: Any
) -> TurnStart:
    base: dict[str, Any] = {"agent": key.agent, "channel": key.channel, "kind": kind, "at": START}
    return TurnStart(**{**base, "inbounds": inbounds, **changes})


def request_record(
    turn: int, request: LLMRequest | None = None, key: ChannelKey = KEY, **changes: Any
) -> RequestRecord:
    request = request or llm_request()
    base: dict[str, Any] = {
        "agent": key.agent,
        "channel": key.channel,
        "turn": turn,
        "kind": ProcessKind.CHANNEL,
        "round": 1,
        "at": START,
        "request": request,
        "digest": request.digest,
        "wire_sha256": "ab" * 32,
        "wire_bytes": 1234,
        "encoder": "simulated/1",
        "sections": (section(),),
        "stats": stats(),
        "message_tokens": tuple(3 for _ in request.messages),
    }
    return RequestRecord(**{**base, **changes})


def memory(content: str = "Ann likes tea.", **changes: Any) -> NewMemory:
    base: dict[str, Any] = {
        "agent": MAIN,
        "content": content,
        "type": MemoryType.FACT,
        "importance": 0.6,
        "scope": MemoryScope.CHANNEL,
        "scope_id": GENERAL,
        "channel": GENERAL,
        "provenance": MemoryProvenance(author=UserId("100"), author_name="ann"),
        "created_at": START,
    }
    return NewMemory(**{**base, **changes})


def relation(target: int, kind: RelationKind = RelationKind.RELATED_TO, weight: float = 0.5) -> MemoryRelation:
    return MemoryRelation(kind=kind, target=target, weight=weight)


def address(channel: ChannelId = GENERAL, platform: str = "console", **changes: Any) -> OutboundAddress:
    return OutboundAddress(platform=platform, channel=channel, **changes)


def outgoing(text: str = "hi", kind: str = "reply", **changes: Any) -> NewOutbox:
    return NewOutbox(**{"kind": kind, "to": address(), "text": text, **changes})
