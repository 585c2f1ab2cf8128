"""Say what a fix would do, before it is done: in counts of the last day, and with the words that are at stake."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from bot.cortex.words.fix_labels import (
    live_label,
    live_name,
    rollback_label,
    rollback_name,
    setting_label,
    setting_name,
)
from bot.domain.channel import ChannelSettings
from bot.domain.finding import (
    AnswerWaiting,
    AskModelAgain,
    CompactNow,
    Fix,
    ForgetMemories,
    ForgetMemory,
    ForgetSpread,
    ForgetUser,
    MergeMemories,
    NewConversation,
    OldConversation,
    ProveCause,
    RedoCompaction,
    ReplayRequest,
    RestoreMemories,
    RestoreMemory,
    RestoreSpread,
    ResumeChannel,
    SaveMemory,
    SendAgain,
    SendWorker,
    SetRecording,
    SplitMemories,
    StopWork,
    TellChannel,
    UndoCompaction,
)
from bot.domain.handles import HandleKind, handle
from bot.domain.ledger import Outcome, OutcomeCount
from bot.domain.memory import Memory, MemoryProvenance, NewMemory
from bot.domain.memory_file import ImportMemories
from bot.domain.rollback import RollBack, UndoRollBack
from bot.domain.setting_fixes import SettingFix
from bot.domain.word_origins import WordOrigins
from bot.text.figures import exact_number
from bot.text.text import one_line_name, visible
from bot.text.times import age, minute

UNDO_HOURS = 24
UNDO_MS = UNDO_HOURS * 3_600_000


_NAMES = {
    "resume_channel": "the pause",
    "tell_channel": "a line",
    "save_memory": "a memory",
    "set_recording": "the recording",
    "send_worker": "a worker",
    "prove_cause": "a proof",
    "replay_request": "a replay",
}


def named_fix(fix: Fix) -> str:
    """Name what a fix changes, shortly."""
    match fix:
        case (
            ResumeChannel()
            | TellChannel()
            | SaveMemory()
            | SetRecording()
            | SendWorker()
            | ProveCause()
            | ReplayRequest()
        ):
            return _NAMES[fix.kind]
        case StopWork():
            return fix.handle
        case UndoCompaction() | RedoCompaction():
            return handle(HandleKind.COMPACTION, fix.compaction)
        case ForgetMemory() | RestoreMemory():
            return handle(HandleKind.MEMORY, fix.memory)
        case SendAgain():
            return fix.handle
        case ForgetUser():
            return f"id {fix.user}"
        case SettingFix():
            return setting_name(fix)
        case ForgetMemories() | RestoreMemories():
            return f"{memories_word(len(fix.memories))} by id {fix.user}"
        case RollBack() | UndoRollBack() | ImportMemories():
            return rollback_name(fix)
        case ForgetSpread() | RestoreSpread() | MergeMemories() | SplitMemories():
            return merged_names(fix) if isinstance(fix, MergeMemories | SplitMemories) else spread_word(fix)
        case AnswerWaiting() | AskModelAgain() | CompactNow() | NewConversation() | OldConversation():
            return live_name(fix)
        case _:
            assert_never(fix)


_VERBS = {
    "forget_memory": "Forget",
    "restore_memory": "Restore",
    "stop_work": "Stop",
    "reverse_compaction": "Undo",
    "repeat_compaction": "Compact again as",
    "send_again": "Show models again:",
}


def label(fix: Fix, channel_name: str) -> str:
    """Return what the button of a fix says."""
    where = one_line_name(channel_name, 20)
    match fix:
        case ForgetMemory() | RestoreMemory() | StopWork() | UndoCompaction() | RedoCompaction() | SendAgain():
            return f"{_VERBS[fix.kind]} {named_fix(fix)}"
        case SaveMemory():
            return f"Remember it in {where}"
        case ResumeChannel():
            return f"Resume {where}"
        case SendWorker():
            return f"Send a worker for {where}"
        case ProveCause() | ReplayRequest():
            return "Prove it" if isinstance(fix, ProveCause) else "Ask it again"
        case TellChannel():
            return f"Post it in {where}" + (f" and {len(fix.also)} more" if fix.also else "")
        case SetRecording() | ForgetUser():
            return _kept_label(fix, channel_name)
        case SettingFix():
            return setting_label(fix, where)
        case RollBack() | UndoRollBack() | ImportMemories():
            return rollback_label(fix)
        case (
            ForgetMemories() | RestoreMemories() | ForgetSpread() | RestoreSpread() | MergeMemories() | SplitMemories()
        ):
            return _several_label(fix)
        case AnswerWaiting() | AskModelAgain() | CompactNow() | NewConversation() | OldConversation():
            return live_label(fix, where)
        case _:
            assert_never(fix)


def _several_label(
    fix: ForgetMemories | RestoreMemories | ForgetSpread | RestoreSpread | MergeMemories | SplitMemories,
) -> str:
    if isinstance(fix, MergeMemories | SplitMemories):
        return f"{'Merge' if isinstance(fix, MergeMemories) else 'Take apart'} {memories_word(1 + len(fix.others))}"
    if isinstance(fix, ForgetSpread | RestoreSpread):
        return f"{'Take back' if isinstance(fix, ForgetSpread) else 'Restore'} {spread_word(fix)}"
    return f"{'Forget' if isinstance(fix, ForgetMemories) else 'Restore'} {memories_word(len(fix.memories))}"


def _kept_label(fix: SetRecording | ForgetUser, channel_name: str) -> str:
    if isinstance(fix, ForgetUser):
        return f"Forget {named_fix(fix)} for good"
    return f"{'Record' if fix.record else 'Stop recording'} {one_line_name(channel_name, 20)}"


def inverse(fix: Fix) -> Fix | None:
    """Return the fix that takes it back; None when nothing does."""
    match fix:
        case ForgetMemory(memory=memory, version=version):
            return RestoreMemory(memory=memory, version=version + 1)
        case RestoreMemory(memory=memory, version=version):
            return ForgetMemory(memory=memory, version=version + 1)
        case ResumeChannel() | TellChannel() | ForgetUser() | SaveMemory() | StopWork() | SendWorker() | SendAgain():
            return None  # none, or only known when it is done
        case ProveCause() | ReplayRequest():
            return None
        case SetRecording():
            return fix.replace(record=not fix.record)
        case UndoCompaction(compaction=compaction):
            return RedoCompaction(compaction=compaction)
        case RedoCompaction(compaction=compaction):
            return UndoCompaction(compaction=compaction)
        case AnswerWaiting() | AskModelAgain() | CompactNow() | NewConversation() | OldConversation():
            return None  # none, or only known when it is done
        case SettingFix():
            return fix.inverse()
        case (
            ForgetMemories() | RestoreMemories() | ForgetSpread() | RestoreSpread() | MergeMemories() | SplitMemories()
        ):
            return None  # the store says it, with the versions that it leaves behind
        case RollBack() | UndoRollBack() | ImportMemories():
            return None  # the store says it, with the versions that it leaves behind
        case _:
            assert_never(fix)


def recording_lines(fix: SetRecording) -> tuple[str, ...]:
    """Say what recording or not recording a channel means."""
    if fix.record:
        return ("New requests are kept again, word for word, until their time is up.",)
    return (
        "Of new requests, answers and tool calls digests, sizes and times are kept, and no words.",
        "Talk that is not addressed to the bot is not kept, and not told to the model.",
        "What is said to it stays in the conversation until its time is up, or until `new`: without it, no answer.",
        "`why` then knows less, and `context last` nothing. What was recorded before stays.",
    )


def new_memory_line(memory: NewMemory) -> str:
    """Describe a memory that is not stored yet, without its words."""
    by = "proposed by a model" if memory.provenance.model else "as it was said"
    return f"{memory.type.value} · importance {memory.importance:.2f} · scope {memory.scope.value} · {by}"


def memory_line(memory: Memory, now: int) -> str:
    """Describe a memory without its words: type, importance, scope, age, author."""
    body = memory.body
    rank = rank_word(body.provenance)
    author = f"{one_line_name(body.provenance.author_name or 'someone', 32)} (id {body.provenance.author}), {rank}"
    gone = f" · forgotten {age(now - memory.forgotten_at)} ago" if memory.forgotten_at else ""
    often = f" · confirmed {body.confirmed} times" if body.confirmed > 1 else ""
    return (
        f"{body.type.value} · importance {body.importance:.2f} · scope {body.scope.value} · "
        f"{age(now - body.created_at)} old{often} · by {author}{gone}"
    )


def origins_line(origins: WordOrigins | None) -> str:
    """Name whose words something holds, and for how much they count; empty where that is not known or its author's."""
    if origins is None or not origins.sources:
        return ""
    return f"counts as {origins.lowest.word}, the least of whose words it may hold: {visible(origins.described)}"


def rank_word(caused: MemoryProvenance) -> str:
    """Say for whose words a memory counts."""
    if caused.by_admin:
        return "an admin"
    return "not an admin" if caused.origins is None else "with words of others"


def effect(counts: Sequence[OutcomeCount]) -> str:
    """Count the last day of a channel."""
    total = sum(count.count for count in counts)
    if not total:
        return "Last 24 h here: no messages."
    names = {Outcome.REPLIED: "answered", Outcome.SKIPPED: "skipped by the bot", Outcome.FAILED: "failed"}
    parts = [f"{exact_number(n)} {word}" for outcome, word in names.items() if (n := _count(counts, outcome))]
    paused = sum(c.count for c in counts if c.outcome is Outcome.GATED and c.reason == "pause")
    gated = _count(counts, Outcome.GATED) - paused
    parts += [f"{exact_number(paused)} stopped by the pause"] if paused else []
    parts += [f"{exact_number(gated)} stopped by other gates"] if gated else []
    return f"Last 24 h here: {exact_number(total)} message{'s' * (total != 1)}" + "".join(f", {p}" for p in parts) + "."


def pause_line(settings: ChannelSettings) -> str:
    """Describe a pause without its reason's words."""
    pause = settings.pause
    if pause is None:
        return "The channel is not paused."
    return f"Paused at {minute(pause.at)} UTC by {pause.by_role} (id {pause.by}), message {_inbound(pause.inbound)}."


def undo_line(fix: Fix) -> str:
    """Say whether it can be taken back."""
    if isinstance(fix, TellChannel):
        return "This cannot be undone: everybody there reads it."
    if isinstance(fix, ForgetUser):
        return "This cannot be undone."
    if isinstance(fix, StopWork):
        return "This cannot be undone; what it has found so far is kept, and the channel is told nothing."
    if isinstance(fix, SendWorker):
        return "This cannot be undone; `cancel` stops the worker, and what it did until then stays done."
    if isinstance(fix, ProveCause | ReplayRequest):
        return "Nothing is sent, saved or called; what is asked is kept like any request."
    if isinstance(fix, SendAgain):
        return "If the model's service refuses it again, it is left out again."
    if isinstance(fix, AnswerWaiting):
        return "This cannot be undone: an answer that is posted is read."
    if isinstance(fix, AskModelAgain):
        return "If it fails again, it is left alone again."
    if isinstance(fix, CompactNow):
        return "This can be undone: the summary has its own button."
    return f"This can be undone for {UNDO_HOURS} h."


def memories_word(count: int) -> str:
    """Count memories in words."""
    return f"{exact_number(count)} memor{'y' if count == 1 else 'ies'}"


def merged_names(fix: MergeMemories | SplitMemories) -> str:
    """Name memories that become one: first the one that stays."""
    return ", ".join(handle(HandleKind.MEMORY, one.memory) for one in (fix.kept, *fix.others))


def spread_word(fix: ForgetSpread | RestoreSpread) -> str:
    """Count what is taken back together, in words."""
    summaries = len(fix.compactions)
    more = f" and {exact_number(summaries)} compaction{'s' * (summaries != 1)}" if summaries else ""
    return f"{memories_word(len(fix.memories))}{more}"


def _inbound(row: int) -> str:
    return handle(HandleKind.INBOUND, row) if row else "unknown"


def _count(counts: Sequence[OutcomeCount], outcome: Outcome) -> int:
    return sum(count.count for count in counts if count.outcome is outcome)
