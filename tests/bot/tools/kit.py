"""A bench for tools: a context to call them in, and a few of our own."""

from __future__ import annotations

from typing import Any

from bot.domain.access import Authority, Caller
from bot.domain.base import canonical_json
from bot.domain.channel import ProcessKind
from bot.domain.ids import PersonKey, UserId
from bot.domain.messages import ToolCall
from bot.tools.runtime.effects import TurnEffects
from bot.tools.runtime.tool import CallOrigin, ToolContext, TurnView
from tests.fakes.channels import FakeDirectory
from tests.fakes.contexts import Stack, ask, trigger
from tests.fakes.values import KEY, channel


async def context(
    kind: ProcessKind = ProcessKind.CHANNEL, authority: Authority = Authority.EVERYONE, **origin: Any
) -> ToolContext:
    snapshot = await Stack().contexts.snapshot(ask(channel(), trigger(), kind=kind))
    caller = Caller(PersonKey("console", UserId("42")), "ann", authority)
    where = CallOrigin(**{"key": KEY, "platform": "console", "message_id": "x1", "inbound": 99, **origin})
    return ToolContext(where, caller, FakeDirectory(), TurnEffects(), TurnView(7, kind, snapshot))


def call(name: str, arguments: Any = "{}", call_id: str = "c1") -> ToolCall:
    text = arguments if isinstance(arguments, str) else canonical_json(arguments)
    return ToolCall(call_id=call_id, name=name, arguments=text)
