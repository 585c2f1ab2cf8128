"""Write an export where only we can read it: `context/<platform>/<channel>/<local time>-context.json`."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from bot.domain.ids import ChannelId
from bot.errors import UserError
from bot.files import Name, safe_name, write_new


def write_export(data_dir: Path, channel: ChannelId, at: int, content: bytes) -> Path:
    """Write `context/<platform>/<channel>/<local time>-context.json` and return its path; raise UserError.

    Blocks: call it off the event loop.
    """
    name = Name(f"{local_time(at).strftime('%Y%m%d-%H%M%S')}-context", ".json")
    try:
        return write_new(data_dir, folders_of(channel), name, content)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UserError(f"The export was not written: {reason}. Nothing was left behind.") from error


def local_time(at: int) -> datetime:
    """Return a moment as the wall clock of this machine shows it; file names are for its operator."""
    return datetime.fromtimestamp(at / 1000, UTC).astimezone()


def folders_of(channel: ChannelId) -> tuple[str, str, str]:
    """Name the folders of a channel; different channels never share one, whatever their ids look like."""
    platform, _, path = channel.partition(":")
    return "context", safe_name(platform), safe_name(path)
