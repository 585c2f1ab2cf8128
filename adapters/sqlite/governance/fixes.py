"""What a confirmed fix does to the store, with what takes it back."""

from __future__ import annotations

import sqlite3
from typing import assert_never

import orjson

from adapters.sqlite.engine.sealed_rows import change, fetch, insert, select
from adapters.sqlite.memories.memories import add
from adapters.sqlite.turns.compactions import decide, may_redo, may_undo, undoable_together
from bot.domain.channel import ChannelSettings, RecordingOff
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
    StopWork,
    TellChannel,
    UndoCompaction,
)
from bot.domain.ids import MAIN, UserId
from bot.domain.process import ProcessState
from bot.domain.setting_fixes import PauseAgain, SettingFix
from bot.ports.compactions import UNDONE_BY_ADMIN, CompactionState


class StaleFix(Exception):
    """What a fix would change has changed since it was proposed."""


def do_fix(connection: sqlite3.Connection, fix: Fix, at: int) -> Fix | None:
    """Do a fix and return its undo, None where there is none; raise StaleFix when it no longer applies."""
    if not is_current(connection, fix):
        raise StaleFix
    match fix:
        case ForgetMemory() | RestoreMemory():
            return _remember(connection, fix, at)
        case SaveMemory(memory=memory):
            return ForgetMemory(memory=add(connection, memory), version=1)
        case ResumeChannel() | SendAgain():
            return _resume(connection, fix) if isinstance(fix, ResumeChannel) else _send_again(connection, fix)
        case TellChannel() | StopWork() | SendWorker() | ProveCause() | ReplayRequest():
            return None  # nothing changes here: who carries it out says the word, stops the work, or begins it
        case NewConversation(channel=channel):
            return OldConversation(channel=channel)  # the channel's own queue does it, behind what runs there
        case AnswerWaiting() | AskModelAgain() | CompactNow() | OldConversation():
            return None
        case SettingFix():
            return _set(connection, fix, at)
        case ForgetMemories() | RestoreMemories() | ForgetSpread() | RestoreSpread():
            return _remember_all(connection, fix, at)
        case UndoCompaction() | RedoCompaction():
            return _turn_over(connection, fix, at)
        case SetRecording() | ForgetUser():
            return _keep_less(connection, fix, at)
        case _:
            assert_never(fix)


def _keep_less(connection: sqlite3.Connection, fix: SetRecording | ForgetUser, at: int) -> Fix | None:
    if isinstance(fix, SetRecording):
        return _set_recording(connection, fix, at)
    # it takes many steps, and is gone on with until it is over, also after a restart
    channels = orjson.dumps(fix.channels).decode() if fix.channels else ""
    who = {"platform": fix.platform, "user_id": fix.user}
    insert(connection, "erasure", agent=MAIN, **who, at=at, done_at=0, channels=channels)
    return None


def _resume(connection: sqlite3.Connection, fix: ResumeChannel) -> Fix | None:
    ended = None
    for row in _paused(connection, fix):
        settings = ChannelSettings.model_validate_json(row["settings"])
        ended = settings.pause
        change(connection, "channel", row["id"], settings=settings.replace(pause=None).model_dump_json())
    return PauseAgain(channel=fix.channel, pause=ended) if ended is not None else None


def _set(connection: sqlite3.Connection, fix: SettingFix, at: int) -> Fix:
    for row in _fitting(connection, fix):
        settings = fix.changed(ChannelSettings.model_validate_json(row["settings"]), at)
        change(connection, "channel", row["id"], settings=settings.model_dump_json())
    return fix.inverse()  # type: ignore[return-value]  # the inverse of a fix is a fix


def _fitting(connection: sqlite3.Connection, fix: SettingFix) -> list[sqlite3.Row]:
    rows = select(connection, "channel", "WHERE channel = ?", (fix.channel,))
    return [row for row in rows if fix.fits(ChannelSettings.model_validate_json(row["settings"]))]


def _remember_all(
    connection: sqlite3.Connection, fix: ForgetMemories | RestoreMemories | ForgetSpread | RestoreSpread, at: int
) -> Fix:
    if isinstance(fix, ForgetSpread | RestoreSpread):
        return _turn_back(connection, fix, at)
    gone = isinstance(fix, ForgetMemories)
    left = tuple(MemoryVersion(memory=one.memory, version=one.version + 1) for one in fix.memories)
    for one in left:
        change(connection, "memory", one.memory, forgotten_at=at if gone else 0, version=one.version)
    undo = RestoreMemories if gone else ForgetMemories
    return undo(memories=left, user=fix.user)


def _turn_back(connection: sqlite3.Connection, fix: ForgetSpread | RestoreSpread, at: int) -> Fix:
    """Forget memories and undo compactions, or bring them back: of those what can still stand."""
    if isinstance(fix, ForgetSpread):
        gone = _remember_all(connection, ForgetMemories(memories=fix.memories, user=UserId("")), at)
        assert isinstance(gone, RestoreMemories)
        for row in fix.compactions:
            decide(connection, row, CompactionState.UNDONE, UNDONE_BY_ADMIN, at)
        return RestoreSpread(memories=gone.memories, compactions=fix.compactions[::-1])
    back = _remember_all(connection, RestoreMemories(memories=fix.memories, user=UserId("")), at)
    assert isinstance(back, ForgetMemories)
    stands = []
    for row in fix.compactions:
        if may_redo(connection, row):
            decide(connection, row, CompactionState.DONE, "", at)
            stands.append(row)
    return ForgetSpread(memories=back.memories, compactions=tuple(stands[::-1]))


def _are_as_they_were(
    connection: sqlite3.Connection, fix: ForgetMemories | RestoreMemories | ForgetSpread | RestoreSpread
) -> bool:
    one_fix = ForgetMemory if isinstance(fix, ForgetMemories | ForgetSpread) else RestoreMemory
    parts = (one_fix(memory=one.memory, version=one.version) for one in fix.memories)
    if isinstance(fix, ForgetSpread) and tuple(undoable_together(connection, fix.compactions)) != fix.compactions:
        return False
    return all(_is_as_it_was(connection, part) for part in parts)


def _send_again(connection: sqlite3.Connection, fix: SendAgain) -> Fix | None:
    for row in _left_out(connection, fix):
        settings = ChannelSettings.model_validate_json(row["settings"])
        kept = tuple(one for one in settings.left_out if not fix.is_about(one))
        change(connection, "channel", row["id"], settings=settings.replace(left_out=kept).model_dump_json())
    return None


def _left_out(connection: sqlite3.Connection, fix: SendAgain) -> list[sqlite3.Row]:
    rows = select(connection, "channel", "WHERE channel = ?", (fix.channel,))
    read = [(row, ChannelSettings.model_validate_json(row["settings"]).left_out) for row in rows]
    return [row for row, left_out in read if any(map(fix.is_about, left_out))]


def _remember(connection: sqlite3.Connection, fix: ForgetMemory | RestoreMemory, at: int) -> Fix:
    gone, version = isinstance(fix, ForgetMemory), fix.version + 1
    change(connection, "memory", fix.memory, forgotten_at=at if gone else 0, version=version)
    undo = RestoreMemory if gone else ForgetMemory
    return undo(memory=fix.memory, version=version)


def _turn_over(connection: sqlite3.Connection, fix: UndoCompaction | RedoCompaction, at: int) -> Fix:
    if isinstance(fix, UndoCompaction):
        decide(connection, fix.compaction, CompactionState.UNDONE, UNDONE_BY_ADMIN, at)
        return RedoCompaction(compaction=fix.compaction)
    decide(connection, fix.compaction, CompactionState.DONE, "", at)
    return UndoCompaction(compaction=fix.compaction)


def is_current(connection: sqlite3.Connection, fix: Fix) -> bool:
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
        case AnswerWaiting() | NewConversation() | OldConversation() | CompactNow() | AskModelAgain():
            return True
        case SettingFix():
            return bool(_fitting(connection, fix))
        case ForgetMemories() | RestoreMemories() | ForgetSpread() | RestoreSpread():
            return _are_as_they_were(connection, fix)
        case StopWork(process=process):
            row = fetch(connection, "process", process)
            return row is not None and row["state"] == ProcessState.RUNNING
        case UndoCompaction(compaction=compaction):
            return may_undo(connection, compaction)
        case RedoCompaction(compaction=compaction):
            return may_redo(connection, compaction)
        case _:
            assert_never(fix)


def _is_as_it_was(connection: sqlite3.Connection, fix: ForgetMemory | RestoreMemory) -> bool:
    row = fetch(connection, "memory", fix.memory)
    if row is None or row["version"] != fix.version:
        return False
    # wiped text cannot come back
    is_back = not row["forgotten_at"] or row["content"] is None
    return not row["forgotten_at"] if isinstance(fix, ForgetMemory) else not is_back


def _set_recording(connection: sqlite3.Connection, fix: SetRecording, at: int) -> Fix:
    unrecorded = None if fix.record else RecordingOff(by=fix.by, by_role=fix.by_role, at=at)
    for row in select(connection, "channel", "WHERE channel = ?", (fix.channel,)):
        settings = ChannelSettings.model_validate_json(row["settings"]).replace(unrecorded=unrecorded)
        change(connection, "channel", row["id"], settings=settings.model_dump_json())
    return fix.replace(record=not fix.record)


def _is_recorded(connection: sqlite3.Connection, fix: SetRecording) -> bool | None:
    rows = select(connection, "channel", "WHERE channel = ?", (fix.channel,))
    found = [ChannelSettings.model_validate_json(row["settings"]).unrecorded for row in rows]
    return not any(found) if found else None


def _paused(connection: sqlite3.Connection, fix: ResumeChannel) -> list[sqlite3.Row]:
    rows = select(connection, "channel", "WHERE channel = ?", (fix.channel,))
    pauses = [(row, ChannelSettings.model_validate_json(row["settings"]).pause) for row in rows]
    return [row for row, pause in pauses if pause is not None and pause.at == fix.paused_at]
