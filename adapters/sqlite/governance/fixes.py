"""What a confirmed fix does to the store, with what takes it back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

import orjson

from adapters.sqlite.engine.revisions import memory_changed, settings_changed
from adapters.sqlite.engine.sealed_rows import change, fetch, insert, select
from adapters.sqlite.engine.sql_connection import SqlConnection, SqlRow
from adapters.sqlite.governance import rollback
from adapters.sqlite.memories.memories import add
from adapters.sqlite.memories.memory_archive import erased_people, take_in
from adapters.sqlite.turns.compactions import CompactionDecision, decide, may_redo, may_undo, undoable_together
from bot.domain.channel import ChannelSettings, RecordingOff
from bot.domain.erasure import Erasure, is_erased
from bot.domain.finding import (
    AnswerWaiting,
    AskModelAgain,
    CompactNow,
    Fix,
    ForgetMemories,
    ForgetMemory,
    ForgetSpread,
    ForgetUser,
    MemoryVersion,
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
from bot.domain.ids import MAIN, UserId
from bot.domain.memory import NewMemory
from bot.domain.memory_file import ImportMemories, people_of
from bot.domain.process import ProcessState
from bot.domain.revisions import ChangedBy, RevisionCause
from bot.domain.rollback import RollBack, RollbackPlan, UndoRollBack
from bot.domain.setting_fixes import PauseAgain, SettingFix
from bot.ports.compactions import UNDONE_BY_ADMIN, CompactionState

_KNOWN_IN = ("agent", "platform", "scope", "scope_id", "channel")


class StaleFix(Exception):
    """What a fix would change has changed since it was proposed."""


def do_fix(connection: SqlConnection, fix: Fix, at: int, by: ChangedBy) -> Fix | None:
    """Do a fix for somebody and return its undo, None where there is none; raise StaleFix when it no longer applies."""
    # whether a rollback still finds anything is seen as it is done: it looks at everything only once
    if not isinstance(fix, RollBack | UndoRollBack | ImportMemories) and not is_current(connection, fix):
        raise StaleFix
    match fix:
        case ForgetMemory() | RestoreMemory():
            return _remember(connection, fix, at, by)
        case SaveMemory(memory=memory):
            return ForgetMemory(memory=add(connection, memory), version=1)
        case ResumeChannel() | SendAgain():
            settle = _resume if isinstance(fix, ResumeChannel) else _send_again
            return settle(connection, fix, at, by)  # type: ignore[arg-type]
        case TellChannel() | StopWork() | SendWorker() | ProveCause() | ReplayRequest():
            return None  # nothing changes here: who carries it out says the word, stops the work, or begins it
        case NewConversation(channel=channel):
            return OldConversation(channel=channel)  # the channel's own queue does it, behind what runs there
        case AnswerWaiting() | AskModelAgain() | CompactNow() | OldConversation() | ReloadTools():
            return None
        case SettingFix():
            return _set(connection, fix, at, by)
        case (
            ForgetMemories() | RestoreMemories() | ForgetSpread() | RestoreSpread() | MergeMemories() | SplitMemories()
        ):
            return _remember_all(connection, fix, at, by)
        case UndoCompaction() | RedoCompaction() | RollBack() | UndoRollBack() | ImportMemories():
            return _go_back(connection, fix, at, by)
        case SetRecording() | ForgetUser():
            return _keep_less(connection, fix, at, by)
        case _:
            assert_never(fix)


def _import(connection: SqlConnection, fix: ImportMemories, at: int, by: ChangedBy) -> Fix:
    """Take memories in, but for those of people who were forgotten since it was offered; it goes as a rollback goes."""
    erased = erased_people(connection)
    kept = [one for one in fix.memories if not _is_erased(erased, one.body)]
    _, first, last = take_in(connection, kept, dict(fix.known), at, by)
    if not first:
        raise StaleFix
    return UndoRollBack(agent=fix.agent, channels=fix.channels, first=first, last=last)


def _is_erased(erased: Sequence[Erasure], body: NewMemory) -> bool:
    came = body.provenance.imported
    since = body.created_at if came is not None and came.own else 0
    return is_erased(erased, people_of(body), body.channel, since)


_WayBack = UndoCompaction | RedoCompaction | RollBack | UndoRollBack


def _go_back(connection: SqlConnection, fix: _WayBack | ImportMemories, at: int, by: ChangedBy) -> Fix:
    if isinstance(fix, ImportMemories):
        return _import(connection, fix, at, by)
    if isinstance(fix, UndoCompaction | RedoCompaction):
        return _turn_over(connection, fix, at, by)
    first, last = rollback.roll_back(connection, _way_back(connection, fix), at, by)
    if not first:
        raise StaleFix
    return UndoRollBack(agent=fix.agent, channels=fix.channels, first=first, last=last)


def _may_go_back(connection: SqlConnection, fix: _WayBack | ImportMemories) -> bool:
    match fix:
        case ImportMemories():
            return True  # what is here already is seen as it is done
        case UndoCompaction(compaction=compaction):
            return may_undo(connection, compaction)
        case RedoCompaction(compaction=compaction):
            return may_redo(connection, compaction)
        case _:
            return bool(_way_back(connection, fix).steps)


def _way_back(connection: SqlConnection, fix: RollBack | UndoRollBack) -> RollbackPlan:
    if isinstance(fix, RollBack):
        return rollback.plan(connection, fix.scope)
    return rollback.plan_undo(connection, fix.first, fix.last)


def _keep_less(connection: SqlConnection, fix: SetRecording | ForgetUser, at: int, by: ChangedBy) -> Fix | None:
    if isinstance(fix, SetRecording):
        return _set_recording(connection, fix, at, by)
    # it takes many steps, and is gone on with until it is over, also after a restart
    channels = orjson.dumps(fix.channels).decode() if fix.channels else ""
    who = {"platform": fix.platform, "user_id": fix.user}
    insert(connection, "erasure", agent=MAIN, **who, at=at, done_at=0, channels=channels)
    return None


def _put_settings(connection: SqlConnection, row: SqlRow, settings: ChannelSettings, at: int, by: ChangedBy) -> None:
    """Let settings hold in a channel, and keep a version of them."""
    settings_changed(connection, row, settings, at, RevisionCause.SET, by)
    change(connection, "channel", row["id"], settings=settings.model_dump_json())


def _resume(connection: SqlConnection, fix: ResumeChannel, at: int, by: ChangedBy) -> Fix | None:
    ended = None
    for row in _paused(connection, fix):
        settings = ChannelSettings.model_validate_json(row["settings"])
        ended = settings.pause
        _put_settings(connection, row, settings.replace(pause=None), at, by)
    return PauseAgain(channel=fix.channel, pause=ended) if ended is not None else None


def _set(connection: SqlConnection, fix: SettingFix, at: int, by: ChangedBy) -> Fix:
    for row in _fitting(connection, fix):
        _put_settings(connection, row, fix.changed(ChannelSettings.model_validate_json(row["settings"]), at), at, by)
    return fix.inverse()  # type: ignore[return-value]  # the inverse of a fix is a fix


def _fitting(connection: SqlConnection, fix: SettingFix) -> list[SqlRow]:
    rows = select(connection, "channel", "WHERE channel = ?", (fix.channel,))
    return [row for row in rows if fix.fits(ChannelSettings.model_validate_json(row["settings"]))]


def _remember_all(
    connection: SqlConnection,
    fix: ForgetMemories | RestoreMemories | ForgetSpread | RestoreSpread | MergeMemories | SplitMemories,
    at: int,
    by: ChangedBy,
) -> Fix:
    if isinstance(fix, ForgetSpread | RestoreSpread):
        return _turn_back(connection, fix, at, by)
    if isinstance(fix, MergeMemories | SplitMemories):
        return _merge(connection, fix, at, by)
    gone = isinstance(fix, ForgetMemories)
    left = tuple(MemoryVersion(memory=one.memory, version=one.version + 1) for one in fix.memories)
    for one in left:
        change(connection, "memory", one.memory, forgotten_at=at if gone else 0, version=one.version)
        memory_changed(connection, one.memory, at, RevisionCause.FORGOTTEN if gone else RevisionCause.RESTORED, by)
    undo = RestoreMemories if gone else ForgetMemories
    return undo(memories=left, user=fix.user)


def _merge(connection: SqlConnection, fix: MergeMemories | SplitMemories, at: int, by: ChangedBy) -> Fix:
    """Let one memory stand for others, or take that apart; each of them gets a version that says so."""
    merges = isinstance(fix, MergeMemories)
    cause = RevisionCause.MERGED if merges else RevisionCause.SPLIT
    others = tuple(MemoryVersion(memory=one.memory, version=one.version + 1) for one in fix.others)
    often = fix.often if isinstance(fix, SplitMemories) else 0
    for one in others:
        if merges:
            row = fetch(connection, "memory", one.memory)
            often += NewMemory.model_validate_json(row["body"]).confirmed if row is not None else 0
        change(connection, "memory", one.memory, forgotten_at=at if merges else 0, version=one.version)
        memory_changed(connection, one.memory, at, cause, by)
    kept = MemoryVersion(memory=fix.kept.memory, version=fix.kept.version + 1)
    row = fetch(connection, "memory", kept.memory)
    if row is None:
        raise StaleFix
    body = NewMemory.model_validate_json(row["body"])
    # said again meanwhile, it keeps what came to it
    body = body.replace(confirmed=max(1, body.confirmed + (often if merges else -often)))
    change(connection, "memory", kept.memory, body=body.model_dump_json(exclude={"relations"}), version=kept.version)
    memory_changed(connection, kept.memory, at, cause, by)
    return SplitMemories(kept=kept, others=others, often=often) if merges else MergeMemories(kept=kept, others=others)


def _may_merge(connection: SqlConnection, fix: MergeMemories | SplitMemories) -> bool:
    """Say whether all of them are as they were, and known in one place, so that one can stand for the others."""
    stands = ForgetMemory(memory=fix.kept.memory, version=fix.kept.version)
    one_fix = ForgetMemory if isinstance(fix, MergeMemories) else RestoreMemory
    parts = (stands, *(one_fix(memory=one.memory, version=one.version) for one in fix.others))
    if not all(_is_as_it_was(connection, part) for part in parts):
        return False
    rows = [fetch(connection, "memory", one.memory) for one in (fix.kept, *fix.others)]
    return len({tuple(row[name] for name in _KNOWN_IN) for row in rows if row is not None}) == 1


def _turn_back(connection: SqlConnection, fix: ForgetSpread | RestoreSpread, at: int, by: ChangedBy) -> Fix:
    """Forget memories and undo compactions, or bring them back: of those what can still stand."""
    if isinstance(fix, ForgetSpread):
        gone = _remember_all(connection, ForgetMemories(memories=fix.memories, user=UserId("")), at, by)
        assert isinstance(gone, RestoreMemories)
        for row in fix.compactions:
            decide(connection, row, CompactionDecision(CompactionState.UNDONE, UNDONE_BY_ADMIN, at, by))
        return RestoreSpread(memories=gone.memories, compactions=fix.compactions[::-1])
    back = _remember_all(connection, RestoreMemories(memories=fix.memories, user=UserId("")), at, by)
    assert isinstance(back, ForgetMemories)
    stands = []
    for row in fix.compactions:
        if may_redo(connection, row):
            decide(connection, row, CompactionDecision(CompactionState.DONE, "", at, by))
            stands.append(row)
    return ForgetSpread(memories=back.memories, compactions=tuple(stands[::-1]))


def _are_as_they_were(
    connection: SqlConnection,
    fix: ForgetMemories | RestoreMemories | ForgetSpread | RestoreSpread | MergeMemories | SplitMemories,
) -> bool:
    if isinstance(fix, MergeMemories | SplitMemories):
        return _may_merge(connection, fix)
    one_fix = ForgetMemory if isinstance(fix, ForgetMemories | ForgetSpread) else RestoreMemory
    parts = (one_fix(memory=one.memory, version=one.version) for one in fix.memories)
    if isinstance(fix, ForgetSpread) and tuple(undoable_together(connection, fix.compactions)) != fix.compactions:
        return False
    return all(_is_as_it_was(connection, part) for part in parts)


def _send_again(connection: SqlConnection, fix: SendAgain, at: int, by: ChangedBy) -> Fix | None:
    for row in _left_out(connection, fix):
        settings = ChannelSettings.model_validate_json(row["settings"])
        kept = tuple(one for one in settings.left_out if not fix.is_about(one))
        _put_settings(connection, row, settings.replace(left_out=kept), at, by)
    return None


def _left_out(connection: SqlConnection, fix: SendAgain) -> list[SqlRow]:
    rows = select(connection, "channel", "WHERE channel = ?", (fix.channel,))
    read = [(row, ChannelSettings.model_validate_json(row["settings"]).left_out) for row in rows]
    return [row for row, left_out in read if any(map(fix.is_about, left_out))]


def _remember(connection: SqlConnection, fix: ForgetMemory | RestoreMemory, at: int, by: ChangedBy) -> Fix:
    gone, version = isinstance(fix, ForgetMemory), fix.version + 1
    change(connection, "memory", fix.memory, forgotten_at=at if gone else 0, version=version)
    memory_changed(connection, fix.memory, at, RevisionCause.FORGOTTEN if gone else RevisionCause.RESTORED, by)
    undo = RestoreMemory if gone else ForgetMemory
    return undo(memory=fix.memory, version=version)


def _turn_over(connection: SqlConnection, fix: UndoCompaction | RedoCompaction, at: int, by: ChangedBy) -> Fix:
    if isinstance(fix, UndoCompaction):
        decide(connection, fix.compaction, CompactionDecision(CompactionState.UNDONE, UNDONE_BY_ADMIN, at, by))
        return RedoCompaction(compaction=fix.compaction)
    decide(connection, fix.compaction, CompactionDecision(CompactionState.DONE, "", at, by))
    return UndoCompaction(compaction=fix.compaction)


def is_current(connection: SqlConnection, fix: Fix) -> bool:
    """Say whether a fix would still change what it was proposed for."""
    match fix:
        case ForgetMemory() | RestoreMemory():
            return _is_as_it_was(connection, fix)
        case ResumeChannel():
            return bool(_paused(connection, fix))
        case SetRecording(record=record):
            return _is_recorded(connection, fix) is (not record)
        case SendAgain():
            return bool(_left_out(connection, fix))
        case ForgetUser() | TellChannel() | SaveMemory() | SendWorker() | ProveCause() | ReplayRequest():
            return True
        case AnswerWaiting() | NewConversation() | OldConversation() | CompactNow() | AskModelAgain() | ReloadTools():
            return True
        case SettingFix():
            return bool(_fitting(connection, fix))
        case (
            ForgetMemories() | RestoreMemories() | ForgetSpread() | RestoreSpread() | MergeMemories() | SplitMemories()
        ):
            return _are_as_they_were(connection, fix)
        case StopWork(process=process):
            row = fetch(connection, "process", process)
            return row is not None and row["state"] == ProcessState.RUNNING
        case UndoCompaction() | RedoCompaction() | RollBack() | UndoRollBack() | ImportMemories():
            return _may_go_back(connection, fix)
        case _:
            assert_never(fix)


def _is_as_it_was(connection: SqlConnection, fix: ForgetMemory | RestoreMemory) -> bool:
    row = fetch(connection, "memory", fix.memory)
    if row is None or row["version"] != fix.version:
        return False
    # wiped text cannot come back
    is_back = not row["forgotten_at"] or row["content"] is None
    return not row["forgotten_at"] if isinstance(fix, ForgetMemory) else not is_back


def _set_recording(connection: SqlConnection, fix: SetRecording, at: int, by: ChangedBy) -> Fix:
    unrecorded = None if fix.record else RecordingOff(by=fix.by, by_role=fix.by_role, at=at)
    for row in select(connection, "channel", "WHERE channel = ?", (fix.channel,)):
        settings = ChannelSettings.model_validate_json(row["settings"]).replace(unrecorded=unrecorded)
        _put_settings(connection, row, settings, at, by)
    return fix.replace(record=not fix.record)


def _is_recorded(connection: SqlConnection, fix: SetRecording) -> bool | None:
    rows = select(connection, "channel", "WHERE channel = ?", (fix.channel,))
    found = [ChannelSettings.model_validate_json(row["settings"]).unrecorded for row in rows]
    return not any(found) if found else None


def _paused(connection: SqlConnection, fix: ResumeChannel) -> list[SqlRow]:
    rows = select(connection, "channel", "WHERE channel = ?", (fix.channel,))
    pauses = [(row, ChannelSettings.model_validate_json(row["settings"]).pause) for row in rows]
    return [row for row, pause in pauses if pause is not None and pause.at == fix.paused_at]
