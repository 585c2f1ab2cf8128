"""Choose where the service may keep what it has read, so that the next request does not pay for it again.

A request may carry four breakpoints. What stands before one is kept under its content; a later request that has a
breakpoint at the same place reads it from there, and up to 20 blocks before each breakpoint are looked through as
well. A prompt that is too short to be kept is simply not kept: nothing needs to be handled.
https://platform.claude.com/docs/en/build-with-claude/prompt-caching
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.domain.messages import Message, Role

MOST = 4


def breakpoints(messages: Sequence[Message]) -> tuple[int, ...]:
    """Return the places of the messages that end a prefix worth keeping, at most three.

    They are: everything before the message that carries the clock, as the next turn will send it again; the same of
    the turn before, which is where it was kept then, however much was said since; and the newest round of tools, which
    the next round of this turn repeats.
    """
    newest = _newest(messages)
    if newest is None:
        return ()
    places = [newest - 1]
    before = _answered(messages, newest)
    if before is not None:
        places.append(before - 1)
    if newest < len(messages) - 1:
        places.append(len(messages) - 1)
    return tuple(sorted({place for place in places if place >= 0}))


def _newest(messages: Sequence[Message]) -> int | None:
    """Find the message that starts the turn: the last that somebody wrote; a note of ours has no author."""
    spoken = None
    for at in range(len(messages) - 1, -1, -1):
        if messages[at].role is Role.USER:
            if messages[at].author is not None:
                return at
            spoken = at if spoken is None else spoken
    return spoken


def _answered(messages: Sequence[Message], newest: int) -> int | None:
    """Find the message that started the turn before: the last one behind which the bot did something."""
    for at in range(newest - 1, -1, -1):
        if messages[at].role is Role.USER and messages[at + 1].role is Role.ASSISTANT:
            return at
    return None
