"""Say what a version changed, in few words: who did what, and what is different."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.domain.channel import ChannelSettings, LeftOutMessage, ResponseMode
from bot.domain.handles import HandleKind, handle
from bot.domain.imported import MemoryImport
from bot.domain.revisions import Revision, RevisionCause, RevisionKind
from bot.domain.rollback import SubjectHistory, counts_then, settings_changes
from bot.text.text import one_line_name
from bot.text.times import age

_MODES = {
    ResponseMode.ACTIVE: "every message",
    ResponseMode.MENTION_ONLY: "when addressed",
    ResponseMode.OBSERVE: "only reads along",
}
_MAX_PAST = 8
_PROCESSES = {"cortex": "with a button", "branch": "a branch", "worker": "a worker"}
"""How it was done where nobody typed it."""
_CAUSES = {
    RevisionCause.FOUND: "there when keeping began",
    RevisionCause.SAVED: "saved",
    RevisionCause.CONFIRMED: "confirmed",
    RevisionCause.FORGOTTEN: "forgotten",
    RevisionCause.EVICTED: "forgotten to make room",
    RevisionCause.RESTORED: "brought back",
    RevisionCause.WIPED: "words wiped",
    RevisionCause.ERASED: "erased with its person",
    RevisionCause.MOVED: "moved with its channel",
    RevisionCause.MERGED: "merged with another",
    RevisionCause.SPLIT: "merging taken back",
    RevisionCause.IMPORTED: "imported",
    RevisionCause.SET: "set",
    RevisionCause.SUMMARISED: "summarised",
    RevisionCause.UNDONE: "undone",
    RevisionCause.STANDS: "stands again",
    RevisionCause.ROLLED_BACK: "rolled back",
}


def done_by(revision: Revision, names: Mapping[str, str]) -> str:
    """Say what was done and by whom."""
    actor = revision.by.actor
    who = f" by {names.get(actor) or f'id {actor}'}" if actor else ""
    return f"{_CAUSES[revision.cause]}{who}"


def past_elsewhere(came: MemoryImport, names: Mapping[str, str], now: int) -> list[str]:
    """Tell what a file said of a memory, each line marked as said there; nobody here saw it."""
    whose = "this bot signed it" if came.own else "nobody here can check it"
    lines = [f"came by a file of {one_line_name(came.instance, 16)}, {whose}:"]
    shown = came.past[-_MAX_PAST:]
    if left := came.earlier + len(came.past) - len(shown):
        lines.append(f"  {left} earlier")
    for one in shown:
        who = f" by {names.get(one.actor) or f'id {one_line_name(one.actor, 24)}'}" if one.actor else ""
        lines.append(f"  {one_line_name(one.cause, 24)}{who}, {age(now - one.at)} ago")
    return lines


def came_from(revision: Revision) -> str:
    """Name the message and the turn that it was done in, and what did it where no person could."""
    by = revision.by
    parts = [handle(HandleKind.INBOUND, by.inbound)] if by.inbound else []
    parts += [handle(HandleKind.TURN, by.turn)] if by.turn else []
    parts += [_PROCESSES[by.process]] if by.process in _PROCESSES else []
    return " · ".join(parts)


def memory_line(before: Revision | None, after: Revision) -> str:
    """Say what is different of a memory; empty where nothing is but what the cause says."""
    was, is_now = before.memory if before else None, after.memory
    if is_now is None:
        return ""
    body = is_now.body
    if was is None:
        return f"{body.type.value}, importance {body.importance:.2f}"
    parts = []
    if was.body.confirmed != body.confirmed:
        parts.append(f"said {body.confirmed} time{'s' * (body.confirmed != 1)}")
    if (was.body.type, was.body.importance) != (body.type, body.importance):
        old = f"{was.body.type.value} {was.body.importance:.2f}"
        parts.append(f"{old} → {body.type.value} {body.importance:.2f}")
    if after.cause is RevisionCause.ROLLED_BACK and counts_then(was) != counts_then(is_now):
        parts.append("counts again" if counts_then(is_now) else "forgotten")
    return ", ".join(parts)


def settings_lines(before: ChannelSettings, after: ChannelSettings) -> list[str]:
    """Say what is set otherwise, a line for each part."""
    return [
        f"{_part(name)}: {_value(name, was)} → {_value(name, is_now)}"
        for name, (was, is_now) in settings_changes(before, after).items()
    ]


def sign_of(history: SubjectHistory) -> str:
    """Mark what came, what went, and what changed."""
    if history.newest.kind is not RevisionKind.MEMORY:
        return "~"
    counted = counts_then(history.before.memory if history.before else None)
    counts = counts_then(history.newest.memory)
    if counted == counts:
        return "~"
    return "+" if counts else "-"


def _part(name: str) -> str:
    kind, _, rest = name.partition(":")
    match kind:
        case "skills":
            return f"skill {one_line_name(rest, 24)}"
        case "tools_off":
            return f"tool {one_line_name(rest, 24)}"
        case "admitted":
            return f"id {rest}"
        case "left_out":
            return rest.partition(":")[0]
        case "is_admitted":
            return "the channel"
        case "unrecorded":
            return "recording"
        case _:
            return kind


def _value(name: str, value: Any) -> str:
    kind, _, _ = name.partition(":")
    match kind:
        case "mode":
            return _MODES[value[0]]
        case "pause":
            return "paused" if value else "not paused"
        case "model":
            return one_line_name(value, 32) if value else "usual"
        case "skills":
            return "usual" if value is None else "on" if value else "off"
        case "tools_off":
            return "off" if value else "on"
        case "admitted" | "is_admitted":
            return "let in" if value else "as the lists say"
        case "unrecorded":
            return "off" if value else "on"
        case _:
            return "left out" if isinstance(value, LeftOutMessage) else "shown"
