"""Tell of messages that another program posts with the bot's account, together with where they stand."""

from __future__ import annotations

from collections.abc import Callable

from adapters.discord.base.state import SECOND_PROGRAM
from adapters.discord.rest import events
from adapters.discord.speaking.own_messages import OwnMessages
from bot.domain.messages import Inbound
from bot.ports.clock import Clock
from bot.runtime.lru_cache import LRUCache

_MAX_REMEMBERED_MESSAGES = 200


class SecondProgramWatch:
    """Puts together what is heard of a message of the account, and whether it was posted from here.

    Either may come first; `tell` hears of it when both are there, and `note` at once.
    """

    def __init__(
        self, own: OwnMessages, clock: Clock, note: Callable[[str, object], None], tell: Callable[[Inbound], None]
    ) -> None:
        self._clock = clock
        self._note = note
        self._tell = tell
        self._heard: LRUCache[int, Inbound] = LRUCache(_MAX_REMEMBERED_MESSAGES)
        self._spoken: dict[int, bool] = {}
        own.foreign = self._spoke

    def heard(self, message: int, inbound: Inbound) -> bool:
        """Keep where a message of the account stands; return whether it is told of as another program's."""
        self._heard.put(message, inbound)
        was_first = self._spoken.pop(message, None)
        if was_first is not None:
            self._tell(events.second_program(inbound, self._clock.now(), was_first=was_first))
        return was_first is not None

    def _spoke(self, message: int, was_first: bool) -> None:
        """Take that another program posted a message, which may be told of only later."""
        self._note(SECOND_PROGRAM, self._clock.now())
        inbound = self._heard.get(message)
        if inbound is not None:
            self._tell(events.second_program(inbound, self._clock.now(), was_first=was_first))
        elif len(self._spoken) < _MAX_REMEMBERED_MESSAGES:
            self._spoken[message] = was_first
