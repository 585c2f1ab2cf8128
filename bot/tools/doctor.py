"""Let the cortex chat probe every part of the bot."""

from __future__ import annotations

from bot.domain.access import Authority
from bot.domain.channel import ProcessKind
from bot.tools.runtime.admin_session import AdminSession
from bot.tools.runtime.tool import ToolArgs, tool


class DoctorArgs(ToolArgs):
    """No arguments."""


@tool(kinds={ProcessKind.CORTEX}, authority=Authority.ADMIN, read_only=True, timeout=60.0)
async def doctor(args: DoctorArgs, seat: AdminSession) -> str:
    """Probe platforms, providers, store and the channel; what is wrong comes with evidence and a way to mend it."""
    return await seat.doctor()
