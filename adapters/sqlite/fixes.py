"""What a confirmed fix does to the store, with what takes it back."""

from __future__ import annotations

import sqlite3
from typing import assert_never

from adapters.sqlite.rows import change, fetch, select
from bot.domain.channel import ChannelSettings
from bot.domain.finding import Fix, ForgetMemory, RestoreMemory, ResumeChannel, TellChannel


class Stale(Exception):
    """What a fix would change has changed since it was proposed."""


def do(connection: sqlite3.Connection, fix: Fix, at: int) -> Fix | None:
    """Do a fix and return its undo, None where there is none; raise Stale when it no longer applies."""
    if not is_current(connection, fix):
        raise Stale
    match fix:
        case ForgetMemory(memory=memory, version=version):
            change(connection, "memory", memory, forgotten_at=at, version=version + 1)
            return RestoreMemory(memory=memory, version=version + 1)
        case RestoreMemory(memory=memory, version=version):
            change(connection, "memory", memory, forgotten_at=0, version=version + 1)
            return ForgetMemory(memory=memory, version=version + 1)
        case ResumeChannel():
            for row in _paused(connection, fix):
                settings = ChannelSettings.model_validate_json(row["settings"]).replace(pause=None)
                change(connection, "channel", row["id"], settings=settings.model_dump_json())
            return None
        case TellChannel():
            return None  # nothing of ours changes; what is said is said by who carries it out
        case _:
            assert_never(fix)


def is_current(connection: sqlite3.Connection, fix: Fix) -> bool:
    """Say whether a fix would still change what it was proposed for."""
    match fix:
        case ForgetMemory(memory=memory, version=version):
            row = fetch(connection, "memory", memory)
            return row is not None and row["version"] == version and not row["forgotten_at"]
        case RestoreMemory(memory=memory, version=version):
            row = fetch(connection, "memory", memory)
            # wiped text cannot come back
            return row is not None and row["version"] == version and row["content"] is not None and row["forgotten_at"]
        case ResumeChannel():
            return bool(_paused(connection, fix))
        case TellChannel():
            return True
        case _:
            assert_never(fix)


def _paused(connection: sqlite3.Connection, fix: ResumeChannel) -> list[sqlite3.Row]:
    rows = select(connection, "channel", "WHERE channel = ?", (fix.channel,))
    pauses = [(row, ChannelSettings.model_validate_json(row["settings"]).pause) for row in rows]
    return [row for row, pause in pauses if pause is not None and pause.at == fix.paused_at]
