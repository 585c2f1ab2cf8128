"""Hold what an answer claims to have done against the calls of its turn."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from bot.domain.channel import ChannelState
from bot.domain.turn import CallState, ToolCallRecord
from bot.mind.claim_forms import ClaimedAction

if TYPE_CHECKING:
    from bot.mind.action_claims import ActionClaim

FULFILLING_TOOLS: dict[ClaimedAction, frozenset[str]] = {
    ClaimedAction.REMEMBER: frozenset({"memory_save", "preference_revise"}),
    ClaimedAction.SAVE: frozenset({"memory_save", "file_write", "file_edit"}),
    ClaimedAction.DELETE: frozenset({"memory_delete", "preference_retract", "file_edit", "file_write"}),
    ClaimedAction.SEND: frozenset({"send_file", "reply", "offer_choices", "send_card", "send_poll"}),
    ClaimedAction.REMIND: frozenset(),
    ClaimedAction.MAKE_FILE: frozenset({"file_write", "file_edit", "send_file"}),
    ClaimedAction.CHANGE: frozenset(
        {"memory_save", "memory_delete", "preference_revise", "preference_retract", "file_write", "file_edit"}
    ),
    ClaimedAction.MODERATE: frozenset(),
    ClaimedAction.SET_UP: frozenset({"file_write", "file_edit", "send_file"}),
    ClaimedAction.DO: frozenset(
        {"memory_save", "memory_delete", "file_write", "file_edit", "send_file", "react", "cancel"}
    ),
    ClaimedAction.LOOK_UP: frozenset(
        {"web_search", "web_fetch", "memory_recall", "channel_recall", "file_read", "file_search", "worker_inspect"}
    ),
}
"""Which of the bot's own tools do what an answer may claim; nothing of the bot's own reminds or mutes anybody."""
CLAIM_WORDS = {
    ClaimedAction.REMEMBER: "false_success.claims-to-remember",
    ClaimedAction.SAVE: "false_success.claims-saved",
    ClaimedAction.DELETE: "false_success.claims-deleted",
    ClaimedAction.SEND: "false_success.claims-sent",
    ClaimedAction.REMIND: "false_success.claims-to-remind",
    ClaimedAction.MAKE_FILE: "false_success.claims-file",
    ClaimedAction.CHANGE: "false_success.claims-changed",
    ClaimedAction.LOOK_UP: "false_success.claims-looked-up",
    ClaimedAction.MODERATE: "false_success.claims-moderated",
    ClaimedAction.SET_UP: "false_success.claims-set-up",
    ClaimedAction.DO: "false_success.claims-done",
}
"""The sentence that tells of a claim, behind "the answer says"."""
NARROW_TOOLS = frozenset().union(*FULFILLING_TOOLS.values()) | {
    *("skip", "react", "cancel", "activate_skill", "retrieve_tool_call_log", "extend_tool_loop", "list_all_tools"),
    *("artifact_read", "reload_tools", "list_active_servers"),
    *("request_tool_injection", "file_list", "finish", "context_inspect", "config_inspect", "doctor"),
    "read_channel_context",
}
"""Tools that do one thing. Every other may do anything: work handed on, a program, a tool of somebody else's."""

_PROMISES = frozenset({ClaimedAction.REMEMBER, ClaimedAction.REMIND})
"""What no earlier work can have done."""


class RecordVerdict(StrEnum):
    """What the record says of a claim that it does not bear out."""

    NO_CALL = "no call"
    OTHER_CALL = "only other calls"
    FAILED_CALL = "the call failed"


class FalseSuccess(NamedTuple):
    """A claim that the record does not bear out; `calls` are the calls that say so, by place in the turn."""

    claim: ActionClaim
    record: RecordVerdict
    calls: tuple[ToolCallRecord, ...] = ()


class CheckedExchange(NamedTuple):
    """An answer, what it answers, the calls of its turn, and where in the conversation it stands."""

    answer: str
    asked: str
    calls: Sequence[ToolCallRecord]
    before: ChannelState | None = None

    def false_successes(self) -> tuple[FalseSuccess, ...]:
        """Return what the answer claims and the calls did not do."""
        if not _claims(self.answer, self.asked):
            return ()
        before = self.before.history if self.before else ()
        earlier = {call.name for message in before for call in message.calls}
        return false_successes(self.answer, self.calls, self.asked, earlier)


def false_successes(
    answer: str, calls: Sequence[ToolCallRecord], asked: str = "", earlier: Collection[str] = ()
) -> tuple[FalseSuccess, ...]:
    """Return what an answer claims and the calls of its turn did not do.

    `asked` is what it answers. `earlier` are names of tools whose calls still stand in the conversation: work that was
    handed on there may have come to its end by now.
    """
    return tuple(_unfulfilled(answer, calls, asked, earlier))


def _unfulfilled(
    answer: str, calls: Sequence[ToolCallRecord], asked: str, earlier: Collection[str]
) -> Iterator[FalseSuccess]:
    if any(_went_well(call) and call.tool_name not in NARROW_TOOLS for call in calls):
        return
    handed_on_before = any(name not in NARROW_TOOLS for name in earlier)
    for claim in _claims(answer, asked):
        if claim.of_before and not FULFILLING_TOOLS[claim.action].isdisjoint(earlier):
            continue
        if handed_on_before and claim.action not in _PROMISES:
            continue
        fitting = [call for call in calls if call.tool_name in FULFILLING_TOOLS[claim.action]]
        handed_on = [call for call in calls if call.tool_name not in NARROW_TOOLS]
        if any(_went_well(call) for call in fitting):
            continue
        if failed := (*fitting, *handed_on):
            yield FalseSuccess(claim, RecordVerdict.FAILED_CALL, tuple(failed))
        elif calls:
            yield FalseSuccess(claim, RecordVerdict.OTHER_CALL, tuple(calls))
        else:
            yield FalseSuccess(claim, RecordVerdict.NO_CALL)


def _went_well(call: ToolCallRecord) -> bool:
    """Say whether a call did its work, or may have."""
    return call.is_at not in {CallState.FAILED, CallState.CANCELLED}


def warm() -> None:
    """Make ready what reads claims, so that the first answer need not wait for it."""
    _claims("", "")


def _claims(answer: str, asked: str) -> tuple[ActionClaim, ...]:
    # its patterns are the largest part of what a start would have to compile
    from bot.mind.action_claims import claims

    return claims(answer, asked)
