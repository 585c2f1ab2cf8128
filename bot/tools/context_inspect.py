"""Let the cortex chat send a branch to look into a channel's context."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import NamedTuple

from pydantic import Field

from bot.domain.access import Authority, Caller
from bot.domain.base import canonical_json
from bot.domain.channel import ProcessKind
from bot.domain.ids import ChannelKey
from bot.tools.runtime.admin_session import AdminSession
from bot.tools.runtime.tool import ToolArgs, ToolContext, tool


class InspectArgs(ToolArgs):
    focus: str = Field(
        "",
        max_length=500,
        description="memory_influence, compaction_state, tool_availability, recent_history, silence, or plain words.",
    )
    channel_id: str | None = Field(
        None, max_length=200, description="Another channel than the one this conversation is about, by its full id."
    )


class InspectionWish(NamedTuple):
    """Who wants what looked at, in which session. `named` is the channel as the model wrote it; empty means `here`.

    `question` is what the admin asked, in their own words.
    """

    caller: Caller
    here: ChannelKey
    named: str
    focus: str
    session: int
    question: str = ""


class InspectionStarted(NamedTuple):
    """An inspection that runs; its one report comes to the conversation later."""

    branch: str
    channel: str
    message: str


@dataclass(frozen=True)
class InspectionStarter:
    """Who starts inspections: checks the authority over the channel, and reports once.

    `begin` returns at once; it raises ToolError when there is no such channel for this caller, or one runs already.
    """

    begin: Callable[[InspectionWish], Awaitable[InspectionStarted]]


@tool(kinds={ProcessKind.CORTEX}, authority=Authority.ADMIN, read_only=True)
async def context_inspect(
    args: InspectArgs, inspections: InspectionStarter, seat: AdminSession, ctx: ToolContext
) -> str:
    """Start the inspection and say where its report will come."""
    named = (args.channel_id or "").strip()
    wish = InspectionWish(ctx.caller, ctx.origin.key, named, args.focus.strip(), seat.session, seat.question)
    started = await inspections.begin(wish)
    return canonical_json({"branch_id": started.branch, "channel_id": started.channel, "message": started.message})
