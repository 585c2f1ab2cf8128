"""Tell which messages are pieces of one thought, and how long to wait for more of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bot.domain.messages import Inbound, InboundKind, PieceSign

MOMENT_SECONDS = 2.0
"""Seconds within which an app sends the pieces of one thought; some platforms tell the time by whole seconds."""
SIGNS = {
    PieceSign.FORWARD: "a forward",
    PieceSign.ALBUM: "an album",
    PieceSign.LONG: "a text as long as one message can be",
}


def continues_thought(earlier: Inbound, later: Inbound) -> bool:
    """Say whether somebody's message goes on with the one before it.

    An app sends a comment first and then the forward that it is about, an album picture by picture, and a text that is
    too long in parts: so one of the two shows a sign, and there is no time between them.
    """
    if earlier.author.user_id != later.author.user_id or earlier.author.kind is not later.author.kind:
        return False
    if earlier.kind is InboundKind.RESULT or later.kind is InboundKind.RESULT:
        return False
    if later.album and later.album == earlier.album:
        return True
    is_signed = earlier.sign is not None or later.sign is not None
    return is_signed and abs(later.sent_at - earlier.sent_at) <= MOMENT_SECONDS * 1000


class GatheredMessages(NamedTuple):
    """The first and the newest of the messages that somebody said as one; they are one turn, and count as one."""

    first: Inbound
    newest: Inbound

    def holds(self, later: Inbound, longest: float) -> bool:
        """Say whether a message is one more piece of it.

        Only as long as a turn is gathered, seconds, so that a sign on every message frees nobody from a limit.
        """
        if not continues_thought(self.newest, later):
            return False
        is_of_album = bool(later.album) and later.album == self.newest.album
        return is_of_album or later.sent_at - self.first.sent_at <= max(longest, MOMENT_SECONDS) * 1000


def takes_along(addressed: Inbound, later: Inbound) -> bool:
    """Say whether a message in a group is meant for the bot because the one before it was.

    What is shown with a comment is; what is only said after it is not, but for the rest of a text.
    """
    shows = later.sign is not None or addressed.sign is PieceSign.LONG
    return shows and continues_thought(addressed, later)


def signs_of(inbounds: Sequence[Inbound]) -> str:
    """Write which signs messages show."""
    return ", ".join(dict.fromkeys(SIGNS[one.sign] for one in inbounds if one.sign is not None))


class MessageBurst(NamedTuple):
    """Messages that wait for one turn, by monotonic seconds. `before` is when the one before them came, if ever."""

    before: float | None
    first: float
    newest: float
    size: int


class DebounceWindow(NamedTuple):
    """How long to wait for more words, and how long at most. Seconds."""

    quiet: float
    longest: float

    def wait(self, burst: MessageBurst, now: float) -> float:
        """Return the seconds until the turn may start; the first message of a burst never waits."""
        follows = burst.before is not None and burst.first - burst.before < self.quiet
        if burst.size == 1 and not follows:
            return 0.0
        return self.left(burst, now)

    def left(self, burst: MessageBurst, now: float) -> float:
        """Return the seconds until nobody goes on any more, as for a message of which more may come."""
        return max(0.0, min(burst.newest + self.quiet, burst.first + self.longest) - now)
