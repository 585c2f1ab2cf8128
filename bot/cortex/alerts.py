"""Tell the admins at once what cannot wait until they ask; in private, without anybody's words, and not twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import structlog

from bot.config.schema import Config
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import ChannelKey, Person, UserId, platform_of
from bot.domain.turn import NewOutbox
from bot.errors import BotError
from bot.ports.clock import Clock
from bot.ports.delivery import Delivery
from bot.ports.platform import Platform
from bot.tasks import Tasks
from bot.tools.effects import Remembered

log = structlog.get_logger(__name__)

TITLE = "Glassmind needs an admin"
_QUIET_SECONDS = 600.0
"""The same words are not said again for this long."""


class AdminAlerts:
    """Implements `bot.agent.channel.Alerts`; `tell` is the sender's way to the admins.

    The delivery comes later (`speak_through`), because it needs this to be made.
    """

    def __init__(self, config: Config, platforms: Mapping[str, Platform], clock: Clock, tasks: Tasks) -> None:
        self._config = config
        self._platforms = platforms
        self._clock = clock
        self._tasks = tasks
        self._delivery: Delivery | None = None
        self._told: dict[str, float] = {}

    def speak_through(self, delivery: Delivery) -> None:
        """Name the way out."""
        self._delivery = delivery

    async def tell(self, text: str) -> None:
        """Tell the owners of every platform, in the background."""
        self._spread(text, tuple(self._platforms))

    def silencing(self, key: ChannelKey, turn: int, remembered: Sequence[Remembered]) -> None:
        """Tell the owners that something was remembered which orders the bot to be silent."""
        name, count = handle(HandleKind.TURN, turn), len(remembered)
        what = "a memory was saved that orders" if count == 1 else f"{count} memories were saved that order"
        advice = "`!cortex memory list` shows it, `!cortex memory forget` ends it."
        text = f"In {key.channel} {what} me to be silent (turn {name}).\n{advice}"
        self._spread(text, (platform_of(key.channel),))

    def _spread(self, text: str, platforms: Sequence[str]) -> None:
        now = self._clock.monotonic()
        if now - self._told.get(text, float("-inf")) < _QUIET_SECONDS:
            return
        self._told = {said: at for said, at in self._told.items() if now - at < _QUIET_SECONDS} | {text: now}
        for name in platforms:
            for user in self._config.platforms[name].owner_ids if name in self._config.platforms else ():
                self._tasks.spawn(f"alert {name}:{user}", self._tell(name, user, text))

    async def _tell(self, name: str, user: UserId, text: str) -> None:
        platform = self._platforms.get(name)
        if platform is None or self._delivery is None:
            return
        try:
            thread = await platform.open_thread(Person(name, user), TITLE)
            await self._delivery.say(NewOutbox(kind="finding", to=thread, text=text))
        except BotError as error:
            log.warning("alert_not_delivered", platform=name, error=str(error))
