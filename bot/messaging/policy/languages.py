"""In which language people are told things: the one that they chose, else the one of their app, else the bot's."""

from __future__ import annotations

from collections.abc import Callable

from bot.config.schema import Config
from bot.domain.channel_moves import ChannelMoves
from bot.domain.ids import ChannelId, PersonKey
from bot.domain.messages import Inbound
from bot.domain.turn import NewOutbox
from bot.ports.bookkeeping import ChoiceStore
from bot.ports.ledger import Ledger
from bot.runtime.lru_cache import LRUCache
from bot.sentences import known_language

_MAX_SEEN = 10_000
"""Of so many people the language of their app is remembered; a platform does not tell it every time."""


class Languages:
    """Knows the language of everybody who chose one, and of those whose app told theirs; and of every channel."""

    def __init__(self, config: Config, choices: ChoiceStore, moves: Callable[[], ChannelMoves]) -> None:
        self._config = config
        self._choices = choices
        self._moves = moves
        self._own: dict[PersonKey, str] = {}
        self._seen: LRUCache[PersonKey, str] = LRUCache(_MAX_SEEN)

    async def load(self) -> None:
        """Read what people chose."""
        self._own = dict(await self._choices.all())

    def own(self, person: PersonKey) -> str:
        """Return the language that somebody chose; empty: none."""
        return self._own.get(person, "")

    async def choose(self, person: PersonKey, code: str) -> None:
        """Let a language be somebody's from now on; an empty one takes it back."""
        await self._choices.choose(person, code)
        if code:
            self._own[person] = code
        else:
            self._own.pop(person, None)

    def forget(self, person: PersonKey) -> None:
        """Forget the language of somebody who was forgotten in the store."""
        self._own.pop(person, None)
        self._seen.drop(person)

    def of(self, person: PersonKey, locale: str = "") -> str:
        """Return the language to tell somebody things in; `locale` is what their app says now (empty: nothing)."""
        if (app := known_language(locale)) and self._seen.get(person) != app:
            self._seen.put(person, app)
        own = known_language(self.own(person))
        return own or app or self._seen.get(person) or self._config.bot.language

    def spoken_in(self, channel: ChannelId) -> str:
        """Return the language in which everybody in a channel is told things."""
        return self._config.channel(channel, self._moves().former_ids(channel)).language or self._config.bot.language

    def of_answer(self, inbound: Inbound) -> str:
        """Return the language of what is said about a message where it came from: its author's in private."""
        if inbound.place.is_dm or inbound.aside is not None:
            return self.of(inbound.person, inbound.locale)
        return self.spoken_in(inbound.channel)

    async def of_reader(self, body: NewOutbox, ledger: Ledger) -> str:
        """Return the language of who reads something that was sent, and what else is to be said there about it."""
        if body.to.private_to:
            return self.of(PersonKey(body.to.platform, body.to.private_to))
        stored = await ledger.inbound(body.inbound) if body.inbound else None
        return self.of_answer(stored.inbound) if stored is not None else self.spoken_in(body.to.channel)
