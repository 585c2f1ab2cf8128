"""The table of refusals: which of Discord's own error codes mean what.

https://discord.com/developers/docs/topics/opcodes-and-status-codes#json; those without a page are known by what bots
were told. An HTTP status alone proves nothing: 403 is a missing right, a bot that is flagged, a server's age limit and
a wall before Discord. What no row knows is `""`, and people read Discord's words.
"""

from __future__ import annotations

from typing import NamedTuple

MESSAGE_GONE, UNKNOWN_EMOJI, TOO_LATE = "message_gone", "unsupported_emoji", "too_late"
ACCESS, RIGHTS = "no_access", "rights"
FLOOD, SLOW_MODE = "flood", "slow_mode"
BLOCKED, SWITCHED_OFF = "blocked_between", "switched_off"
ARCHIVED, ACKNOWLEDGED, UNKNOWN_CHANNEL, MISSING_ACCESS = 50083, 40060, 10003, 50001
UNKNOWN_GUILD, UNKNOWN_MEMBER, NO_HISTORY = 10004, 10007, 160002


class RefusalCodes(NamedTuple):
    """A cause, and the codes that mean it."""

    cause: str
    codes: tuple[int, ...]


TABLE: tuple[RefusalCodes, ...] = (
    # -- what is not there
    RefusalCodes("chat_not_found", (UNKNOWN_CHANNEL,)),
    RefusalCodes("not_member", (UNKNOWN_GUILD, UNKNOWN_MEMBER)),
    RefusalCodes(
        MESSAGE_GONE, (10008, 50005, 50021)
    ),  # of somebody else's message there is nothing of the bot to change
    RefusalCodes(UNKNOWN_EMOJI, (10014, 50151)),
    RefusalCodes(
        "dm_closed", (10013, 10015, 50007, 50027, 50033, 50278)
    ),  # 10015, 50027: an interaction whose time is over
    RefusalCodes(TOO_LATE, (10062,)),
    RefusalCodes("acknowledged", (ACKNOWLEDGED,)),
    # -- rights, each by a code of its own
    RefusalCodes(ACCESS, (MISSING_ACCESS,)),  # View Channel, and in voice channels Connect
    RefusalCodes(RIGHTS, (50013, NO_HISTORY)),  # to answer a message one has to be allowed to read it
    RefusalCodes("archived", (ARCHIVED,)),
    RefusalCodes("locked", (160005,)),
    RefusalCodes("reaction_blocked", (90001,)),
    # -- what keeps the account itself out
    RefusalCodes("token", (40001, 50014)),
    RefusalCodes("account_flagged", (20026,)),
    RefusalCodes("account_unverified", (40002, 50178)),
    RefusalCodes("two_factor", (60003,)),
    RefusalCodes("verification", (50009,)),
    RefusalCodes("age_limit", (20024,)),
    RefusalCodes("server_region", (50095,)),
    RefusalCodes("followups_used", (40094,)),
    # -- what passes
    RefusalCodes(FLOOD, (20022, 20028, 20029, 30046, 40003, 40062)),
    RefusalCodes(SLOW_MODE, (20016,)),
    RefusalCodes(BLOCKED, (40333,)),
    RefusalCodes(SWITCHED_OFF, (40004, 40006, 130000)),
    # -- what was to be sent, and where
    RefusalCodes("too_large", (40005, 50045)),
    RefusalCodes("bad_file", (50046, 50110, 50123, 50146)),
    RefusalCodes("uploads_limited", (400001,)),
    RefusalCodes("empty", (50006,)),
    RefusalCodes("content_filter", (20009,)),
    RefusalCodes("automod", (200000, 200001)),
    RefusalCodes("harmful_link", (240000,)),
    RefusalCodes("unsupported_message", (50068,)),
    RefusalCodes("no_text_channel", (50003, 50008, 50024)),
    RefusalCodes("forum", (40058,)),
    RefusalCodes("forum_tag", (40067,)),
    RefusalCodes("threads_full", (160006, 160007)),
    RefusalCodes("thread_full", (30033,)),
    # -- quotas of what is no message
    RefusalCodes("reactions_full", (30010,)),
    RefusalCodes("commands_quota", (30034,)),
)
PASSING_CAUSES = frozenset({BLOCKED, SWITCHED_OFF})
"""Causes that end by themselves: nothing was carried out, and it may be tried again."""
WAITING_CAUSES = frozenset({FLOOD, SLOW_MODE})
"""Causes that come with a time to wait."""

_CAUSES = {code: row.cause for row in TABLE for code in row.codes}


def cause(code: int) -> str:
    """Name what a code means in one word; empty for a code that no row knows."""
    return _CAUSES.get(code, "")
