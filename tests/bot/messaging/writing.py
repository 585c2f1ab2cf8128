"""A stream on fakes: everything that can be seen of an answer while it is written, second by second."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from bot.config.schema import ConversationConfig
from bot.domain.channel_moves import ChannelMoves
from bot.domain.ids import platform_of
from bot.domain.turn import NewOutbox
from bot.messaging.delivery.retry_policy import SendPacing
from bot.messaging.delivery.streaming import AnswerStreams, MessageStream
from bot.ports.delivery import PendingAnswer
from bot.runtime.tasks import TaskSupervisor
from bot.text.redaction import Redactor
from tests.fakes import values as v
from tests.fakes.clock import FakeClock
from tests.fakes.platform import FakePlatform
from tests.fakes.previews import FakePreviews

STEP = 0.1
ANSWER = PendingAnswer(to=v.address(v.GENERAL, platform_of(v.GENERAL)), turn=7, inbound=3, asked=("m0", "m1"))


class Desk:
    """Writes answers; what is seen is on `platform.screen`, and what was seen, with the time, in `seen`."""

    def __init__(
        self, platform: FakePlatform | None = None, secrets: Mapping[str, str] | None = None, **rules: Any
    ) -> None:
        self.platform = platform or FakePlatform(streaming=True)
        self.clock = FakeClock(auto=False)
        self.previews = FakePreviews()
        self.said: list[NewOutbox] = []
        self.is_free = self.is_at_work = True
        self.moves = ChannelMoves()
        self.failures: list[BaseException] = []
        self.tasks = TaskSupervisor(self._failed)
        self.pacing = SendPacing(0)
        self.seen: list[tuple[float, dict[str, str]]] = []
        self.streams = AnswerStreams(
            previews=self.previews,
            clock=self.clock,
            tasks=self.tasks,
            pacing=self.pacing,
            rules=ConversationConfig(**rules),
            redact=Redactor.of(secrets or {}).redact_unfinished,
            say=self._say,
            is_free=lambda _: self.is_free,
            moves=lambda: self.moves,
            is_at_work=lambda: self.is_at_work,
        )
        self._begun = self.clock.monotonic()

    @asynccontextmanager
    async def writing(self, answer: PendingAnswer = ANSWER) -> AsyncIterator[MessageStream]:
        async with self.streams.writing(answer, self.platform) as stream:
            yield stream  # type: ignore[misc]
        await self.settles()

    async def passes(self, seconds: float) -> None:
        """Let time pass, and look at the screen at each step."""
        await self.settles()
        for _ in range(round(seconds / STEP)):
            self.clock.advance(STEP)
            await self.settles()
            self._look()

    async def settles(self) -> None:
        """Let everything run that does not wait for the clock."""
        for _ in range(30):
            await asyncio.sleep(0)
        self._look()

    def texts(self) -> list[str]:
        """Every text that was shown, in order."""
        return [preview.text for preview in self.platform.previews]

    def _look(self) -> None:
        if not self.seen or self.seen[-1][1] != self.platform.screen:
            self.seen.append((round(self.clock.monotonic() - self._begun, 1), dict(self.platform.screen)))

    async def _say(self, body: NewOutbox) -> None:
        self.said.append(body)

    async def _failed(self, name: str, error: BaseException) -> None:
        self.failures.append(error)
