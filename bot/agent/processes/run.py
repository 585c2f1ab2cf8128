"""A branch or a worker at work: what is known of it, what it has written, and how it came out."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from bot.agent.processes.segment import ProcessSegment
from bot.domain.messages import Message, Role
from bot.domain.process import ProcessArtifact, ProcessState, StoredProcess
from bot.ports.model import OnText


class ProcessOutcome(NamedTuple):
    """How a process ended. `result` is what it found, also in part; `reason` why it ended as it did.

    `artifacts` are the files that it hands over.
    """

    state: ProcessState
    result: str = ""
    reason: str = ""
    artifacts: tuple[ProcessArtifact, ...] = ()


class ProcessRun:
    """One process at work. `stopped` says why it is to stop, empty as long as it may go on."""

    def __init__(self, stored: StoredProcess) -> None:
        self.stored = stored
        self.segment: ProcessSegment | None = None
        self.task: asyncio.Task[None] | None = None
        self.over = asyncio.Event()
        self.stopped = ""
        self.calls_before = stored.calls
        self._pieces: list[str] = []

    def listen(self) -> OnText:
        """Begin to hear a text, in the place of the one before."""
        self._pieces = []
        return self._pieces.append

    @property
    def calls(self) -> int:
        """How many tools it has called, in all of its segments."""
        turn = self.segment.turn if self.segment else None
        return self.calls_before + (len(turn.calls) if turn else 0)

    @property
    def partial(self) -> str:
        """What it has written so far: the text under way, or the last one."""
        written = "".join(self._pieces).strip()
        return written or last_words(self.segment.turn.rounds if self.segment and self.segment.turn else ())

    def obey(self) -> None:
        """Stop here if it was told to; between two rounds nothing is lost."""
        if self.stopped:
            raise asyncio.CancelledError


def last_words(rounds: tuple[Message, ...]) -> str:
    """Return the newest text that a model wrote beside its calls."""
    said = (message.text.strip() for message in reversed(rounds) if message.role is Role.ASSISTANT)
    return next(filter(None, said), "")


def progress_of(rounds: tuple[Message, ...]) -> str:
    """Say in one line what was done last."""
    asked = next((message for message in reversed(rounds) if message.calls), None)
    if asked is None:
        return ""
    names = ", ".join(dict.fromkeys(call.name for call in asked.calls))
    done = sum(1 for message in rounds if message.calls)
    return f"round {done}: {names}"[:200]
