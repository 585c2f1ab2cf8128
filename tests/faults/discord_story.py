"""What a run on Discord promises besides: everything is heard in the order in which it was written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.dialogs.discord import DiscordBot
from tests.faults.story import ANY_ANSWER, Question, Story
from tests.servers.discord import Channel, Message

CONTENT = "content_intent"
ASKS_AGAIN = 301


@dataclass
class DiscordStory(Story):
    """One run. `shuffled`: events were delivered in another order, so that nobody can know better."""

    bot: DiscordBot
    rooms: list[Channel] = field(default_factory=list)
    shuffled: bool = False

    @property
    def places(self) -> Sequence[Channel]:
        return self.rooms

    def place_of(self, said: Message) -> Channel:
        return said.channel

    async def is_told(self, question: Question) -> bool:
        place = question.said.channel
        if any(self.bot.me in who for who in question.said.reactions.values()):
            return True
        written = [message for message in self.bot.written() if not ANY_ANSWER.fullmatch(message.text)]
        if any(message.referenced is question.said for message in written):
            return True
        return self.bot.key(place).channel in self.bot.private(self.bot.root)

    async def is_well(self) -> None:
        """Wait until the connection stands, and asks for everything that it may have."""
        health, beat = self.bot.discord.health, self.bot.server.gateway.beat
        for _ in range(2):
            beat()  # the clock may have leapt over the patience with a silent gateway
            await self.bot.server.until(lambda: health().state == "up" or health().code == CONTENT, f"it is {health()}")
            if health().code != CONTENT:
                return
            # what was refused is asked for again when anything comes, after some minutes
            self.bot.clock.advance(ASKS_AGAIN)
            beat()
            await self.bot.server.until(lambda: health().code != CONTENT, "it never asks for what is said")

    async def check_more(self) -> None:
        await self.is_well()
        for place in self.places:
            await self._is_heard_in_order(place)

    async def orders(self, place: Channel) -> Sequence[Sequence[str]]:
        """Name the questions as they were asked; where events were told in another order, as they were heard, too.

        Who starts again takes up what waits in the order in which it was asked, as far as that is known then.
        """
        (asked,) = await super().orders(place)
        if not self.shuffled:
            return [asked]
        found = await self.bot.store.ledger.recent(self.bot.key(place), 500)
        heard = [row.inbound.message_id for row in reversed(found) if row.inbound.kind == "message"]
        names = {str(question.said.id): question.name for question in self.asked}
        return [asked, list(dict.fromkeys([*(names[one] for one in heard if one in names), *asked]))]

    async def _is_heard_in_order(self, place: Channel) -> None:
        found = await self.bot.store.ledger.recent(self.bot.key(place), 500)
        first = [int(row.inbound.message_id) for row in reversed(found) if row.inbound.kind == "message"]
        assert self.shuffled or first == sorted(first), f"heard out of order: {first}"
        assert len(first) == len(set(first)), f"heard twice: {first}"
