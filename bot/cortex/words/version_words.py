"""Say what a version changed, in few words: who did what, and what is different."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.domain.channel import ChannelSettings, LeftOutMessage, ResponseMode
from bot.domain.handles import HandleKind, handle
from bot.domain.imported import MemoryImport
from bot.domain.revisions import Revision, RevisionCause, RevisionKind
from bot.domain.rollback import SubjectHistory, counts_then, settings_changes
from bot.sentences import say
from bot.text.figures import decimal
from bot.text.text import one_line_name
from bot.text.times import age

_MODES = {
    ResponseMode.ACTIVE: "version_words.mode-active",
    ResponseMode.MENTION_ONLY: "version_words.mode-mention-only",
    ResponseMode.OBSERVE: "version_words.mode-observe",
}
_MAX_PAST = 8
_PROCESSES = {
    "cortex": "version_words.by-button",
    "branch": "version_words.by-branch",
    "worker": "version_words.by-worker",
}
"""How it was done where nobody typed it."""
_CAUSES = {
    RevisionCause.FOUND: "version_words.found",
    RevisionCause.SAVED: "version_words.saved",
    RevisionCause.CONFIRMED: "version_words.confirmed",
    RevisionCause.FORGOTTEN: "version_words.forgotten",
    RevisionCause.EVICTED: "version_words.evicted",
    RevisionCause.RESTORED: "version_words.restored",
    RevisionCause.WIPED: "version_words.wiped",
    RevisionCause.ERASED: "version_words.erased",
    RevisionCause.MOVED: "version_words.moved",
    RevisionCause.MERGED: "version_words.merged",
    RevisionCause.SPLIT: "version_words.split",
    RevisionCause.IMPORTED: "version_words.imported",
    RevisionCause.SET: "version_words.set",
    RevisionCause.SUMMARISED: "version_words.summarised",
    RevisionCause.UNDONE: "version_words.undone",
    RevisionCause.STANDS: "version_words.stands",
    RevisionCause.ROLLED_BACK: "version_words.rolled-back",
}


def done_by(revision: Revision, names: Mapping[str, str]) -> str:
    """Say what was done and by whom."""
    actor = revision.by.actor
    what = say(_CAUSES[revision.cause])
    if not actor:
        return what
    return say("version_words.done-by", what=what, who=names.get(actor) or say("version_words.id", user=actor))


def past_elsewhere(came: MemoryImport, names: Mapping[str, str], now: int) -> list[str]:
    """Tell what a file said of a memory, each line marked as said there; nobody here saw it."""
    came_from = "version_words.from-own-file" if came.own else "version_words.from-file"
    lines = [say(came_from, instance=one_line_name(came.instance, 16))]
    shown = came.past[-_MAX_PAST:]
    if left := came.earlier + len(came.past) - len(shown):
        lines.append(f"  {say('version_words.earlier', count=left)}")
    for one in shown:
        what, ago = one_line_name(one.cause, 24), age(now - one.at)
        if one.actor:
            who = names.get(one.actor) or say("version_words.id", user=one_line_name(one.actor, 24))
            lines.append(f"  {say('version_words.past-by', what=what, who=who, age=ago)}")
        else:
            lines.append(f"  {say('version_words.past', what=what, age=ago)}")
    return lines


def came_from(revision: Revision) -> str:
    """Name the message and the turn that it was done in, and what did it where no person could."""
    by = revision.by
    parts = [handle(HandleKind.INBOUND, by.inbound)] if by.inbound else []
    parts += [handle(HandleKind.TURN, by.turn)] if by.turn else []
    parts += [say(_PROCESSES[by.process])] if by.process in _PROCESSES else []
    return " · ".join(parts)


def memory_line(before: Revision | None, after: Revision) -> str:
    """Say what is different of a memory; empty where nothing is but what the cause says."""
    was, is_now = before.memory if before else None, after.memory
    if is_now is None:
        return ""
    body = is_now.body
    if was is None:
        return say("version_words.new-memory", type=body.type.value, importance=decimal(body.importance, 2))
    parts = []
    if was.body.confirmed != body.confirmed:
        parts.append(say("version_words.said-times", times=body.confirmed))
    if (was.body.type, was.body.importance) != (body.type, body.importance):
        old = f"{was.body.type.value} {decimal(was.body.importance, 2)}"
        parts.append(say("version_words.changed", before=old, after=f"{body.type.value} {decimal(body.importance, 2)}"))
    if after.cause is RevisionCause.ROLLED_BACK and counts_then(was) != counts_then(is_now):
        parts.append(say("version_words.counts-again" if counts_then(is_now) else "version_words.is-forgotten"))
    return ", ".join(parts)


def settings_lines(before: ChannelSettings, after: ChannelSettings) -> list[str]:
    """Say what is set otherwise, a line for each part."""
    return [
        say("version_words.setting", part=_part(name), before=_value(name, was), after=_value(name, is_now))
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
            return say("version_words.skill", name=one_line_name(rest, 24))
        case "tools_off":
            return say("version_words.tool", name=one_line_name(rest, 24))
        case "admitted":
            return say("version_words.id", user=rest)
        case "left_out":
            return rest.partition(":")[0]
        case "is_admitted":
            return say("version_words.the-channel")
        case "unrecorded":
            return say("version_words.recording")
        case _:
            return kind


def _value(name: str, value: Any) -> str:
    kind, _, _ = name.partition(":")
    match kind:
        case "mode":
            return say(_MODES[value[0]])
        case "pause":
            return say("version_words.paused" if value else "version_words.not-paused")
        case "model":
            return one_line_name(value, 32) if value else say("version_words.usual")
        case "skills":
            return say("version_words.usual") if value is None else _on(value)
        case "tools_off" | "unrecorded":
            return _on(not value)
        case "admitted" | "is_admitted":
            return say("version_words.let-in" if value else "version_words.as-lists-say")
        case _:
            return say("version_words.left-out" if isinstance(value, LeftOutMessage) else "version_words.shown")


def _on(value: bool) -> str:
    return say("version_words.on" if value else "version_words.off")
