"""Say what a fix would do, before it is done: in counts of the last day, and with the words that are at stake."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from bot.cortex.words.fix_labels import (
    live_label,
    live_name,
    memories_word,
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
    ReloadTools,
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
from bot.sentences import say
from bot.text.figures import decimal
from bot.text.text import one_line_name, visible
from bot.text.times import age, minute

UNDO_HOURS = 24
UNDO_MS = UNDO_HOURS * 3_600_000


_NAMES = {
    "resume_channel": "fix_labels.the-pause",
    "tell_channel": "fix_preview.a-line",
    "save_memory": "fix_preview.a-memory",
    "set_recording": "fix_preview.the-recording",
    "send_worker": "fix_preview.a-worker",
    "prove_cause": "fix_preview.a-proof",
    "replay_request": "fix_preview.a-replay",
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
            return say(_NAMES[fix.kind])
        case StopWork():
            return fix.handle
        case UndoCompaction() | RedoCompaction():
            return handle(HandleKind.COMPACTION, fix.compaction)
        case ForgetMemory() | RestoreMemory():
            return handle(HandleKind.MEMORY, fix.memory)
        case SendAgain():
            return fix.handle
        case ForgetUser():
            return say("fix_labels.id", user=fix.user)
        case SettingFix():
            return setting_name(fix)
        case ForgetMemories() | RestoreMemories():
            return say("fix_preview.memories-by", count=len(fix.memories), user=fix.user)
        case RollBack() | UndoRollBack() | ImportMemories():
            return rollback_name(fix)
        case ForgetSpread() | RestoreSpread() | MergeMemories() | SplitMemories():
            return merged_names(fix) if isinstance(fix, MergeMemories | SplitMemories) else spread_word(fix)
        case AnswerWaiting() | AskModelAgain() | CompactNow() | NewConversation() | OldConversation() | ReloadTools():
            return live_name(fix)
        case _:
            assert_never(fix)


_VERBS = {
    "forget_memory": "fix_preview.forget",
    "restore_memory": "fix_preview.restore",
    "stop_work": "fix_preview.stop",
    "reverse_compaction": "fix_preview.undo-compaction",
    "repeat_compaction": "fix_preview.redo-compaction",
    "send_again": "fix_preview.send-again",
}


def label(fix: Fix, channel_name: str) -> str:
    """Return what the button of a fix says."""
    where = one_line_name(channel_name, 20)
    match fix:
        case ForgetMemory() | RestoreMemory() | StopWork() | UndoCompaction() | RedoCompaction() | SendAgain():
            return say(_VERBS[fix.kind], what=named_fix(fix))
        case SaveMemory():
            return say("fix_preview.remember", place=where)
        case ResumeChannel():
            return say("fix_preview.resume", place=where)
        case SendWorker():
            return say("fix_preview.send-worker", place=where)
        case ProveCause() | ReplayRequest():
            return say("fix_preview.prove" if isinstance(fix, ProveCause) else "fix_preview.ask-again")
        case TellChannel():
            return say("fix_preview.post", place=where, more=len(fix.also))
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
        case AnswerWaiting() | AskModelAgain() | CompactNow() | NewConversation() | OldConversation() | ReloadTools():
            return live_label(fix, where)
        case _:
            assert_never(fix)


def _several_label(
    fix: ForgetMemories | RestoreMemories | ForgetSpread | RestoreSpread | MergeMemories | SplitMemories,
) -> str:
    if isinstance(fix, MergeMemories | SplitMemories):
        merges = isinstance(fix, MergeMemories)
        return say("fix_preview.merge" if merges else "fix_preview.split", count=1 + len(fix.others))
    if isinstance(fix, ForgetSpread | RestoreSpread):
        takes_back = isinstance(fix, ForgetSpread)
        return say("fix_preview.take-back" if takes_back else "fix_preview.restore", what=spread_word(fix))
    forgets = isinstance(fix, ForgetMemories)
    return say("fix_preview.forget" if forgets else "fix_preview.restore", what=memories_word(len(fix.memories)))


def _kept_label(fix: SetRecording | ForgetUser, channel_name: str) -> str:
    if isinstance(fix, ForgetUser):
        return say("fix_preview.forget-for-good", user=fix.user)
    place = one_line_name(channel_name, 20)
    return say("fix_preview.record" if fix.record else "fix_preview.stop-recording", place=place)


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
        case AnswerWaiting() | AskModelAgain() | CompactNow() | NewConversation() | OldConversation() | ReloadTools():
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
        return (say("fix_preview.records"),)
    return (
        say("fix_preview.records-no-words"),
        say("fix_preview.talk-not-kept"),
        say("fix_preview.said-to-it-stays"),
        say("fix_preview.why-knows-less"),
    )


def new_memory_line(memory: NewMemory) -> str:
    """Describe a memory that is not stored yet, without its words."""
    return say(
        "fix_preview.new-memory",
        type=memory.type.value,
        importance=decimal(memory.importance, 2),
        scope=memory.scope.value,
        by="model" if memory.provenance.model else "person",
    )


def memory_line(memory: Memory, now: int) -> str:
    """Describe a memory without its words: type, importance, scope, age, author."""
    body = memory.body
    author = say(
        "fix_preview.author",
        name=one_line_name(body.provenance.author_name or say("fix_preview.someone"), 32),
        user=body.provenance.author,
        rank=rank_word(body.provenance),
    )
    values = {
        "type": body.type.value,
        "importance": decimal(body.importance, 2),
        "scope": body.scope.value,
        "age": age(now - body.created_at),
        "author": author,
    }
    if body.confirmed > 1:
        line = say("fix_preview.memory-confirmed", times=body.confirmed, **values)
    else:
        line = say("fix_preview.memory", **values)
    if memory.forgotten_at:
        return say("fix_preview.forgotten-ago", line=line, age=age(now - memory.forgotten_at))
    return line


def origins_line(origins: WordOrigins | None) -> str:
    """Name whose words something holds, and for how much they count; empty where that is not known or its author's."""
    if origins is None or not origins.sources:
        return ""
    return say("fix_preview.counts-as", rank=origins.lowest.word, sources=visible(origins.described))


def rank_word(caused: MemoryProvenance) -> str:
    """Say for whose words a memory counts."""
    if caused.by_admin:
        return say("fix_preview.an-admin")
    return say("fix_preview.not-an-admin" if caused.origins is None else "fix_preview.words-of-others")


def effect(counts: Sequence[OutcomeCount]) -> str:
    """Count the last day of a channel."""
    total = sum(count.count for count in counts)
    if not total:
        return say("fix_preview.no-messages")
    names = {
        Outcome.REPLIED: "fix_preview.answered",
        Outcome.SKIPPED: "fix_preview.skipped",
        Outcome.FAILED: "fix_preview.failed",
    }
    parts = [say(word, count=number) for outcome, word in names.items() if (number := _count(counts, outcome))]
    paused = sum(c.count for c in counts if c.outcome is Outcome.GATED and c.reason == "pause")
    gated = _count(counts, Outcome.GATED) - paused
    parts += [say("fix_preview.stopped-by-pause", count=paused)] if paused else []
    parts += [say("fix_preview.stopped-otherwise", count=gated)] if gated else []
    return say("fix_preview.last-day", total=total, parts="".join(f", {part}" for part in parts))


def pause_line(settings: ChannelSettings) -> str:
    """Describe a pause without its reason's words."""
    pause = settings.pause
    if pause is None:
        return say("fix_preview.not-paused")
    name = handle(HandleKind.INBOUND, pause.inbound) if pause.inbound else say("fix_preview.unknown-message")
    return say("fix_preview.paused-by", time=minute(pause.at), role=pause.by_role, user=pause.by, handle=name)


def undo_line(fix: Fix) -> str:
    """Say whether it can be taken back."""
    if isinstance(fix, TellChannel):
        return say("fix_preview.posted-stays")
    if isinstance(fix, ForgetUser):
        return say("fix_preview.cannot-undo")
    if isinstance(fix, StopWork):
        return say("fix_preview.stopped-stays")
    if isinstance(fix, SendWorker):
        return say("fix_preview.worker-stays")
    if isinstance(fix, ProveCause | ReplayRequest):
        return say("fix_preview.only-asks")
    if isinstance(fix, SendAgain):
        return say("fix_preview.left-out-again")
    if isinstance(fix, AnswerWaiting):
        return say("fix_preview.answer-stays")
    if isinstance(fix, AskModelAgain):
        return say("fix_preview.left-alone-again")
    if isinstance(fix, ReloadTools):
        return say("fix_preview.reload-stays")
    if isinstance(fix, CompactNow):
        return say("fix_preview.summary-undo")
    return say("fix_preview.can-undo", hours=UNDO_HOURS)


def merged_names(fix: MergeMemories | SplitMemories) -> str:
    """Name memories that become one: first the one that stays."""
    return ", ".join(handle(HandleKind.MEMORY, one.memory) for one in (fix.kept, *fix.others))


def spread_word(fix: ForgetSpread | RestoreSpread) -> str:
    """Count what is taken back together, in words."""
    memories, compactions = len(fix.memories), len(fix.compactions)
    if not compactions:
        return memories_word(memories)
    return say("fix_preview.memories-and-compactions", memories=memories, compactions=compactions)


def _count(counts: Sequence[OutcomeCount], outcome: Outcome) -> int:
    return sum(count.count for count in counts if count.outcome is outcome)
