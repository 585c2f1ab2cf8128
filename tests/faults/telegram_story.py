"""What a run on Telegram promises besides: the cortex answers in private, and lost notices are explained."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.domain.ledger import Outcome, StoredInbound
from bot.domain.turn import OutboxState
from tests.dialogs.telegram import TelegramBot
from tests.faults.story import ANSWERED, Question, Story
from tests.servers.telegram import Chat, Message

REPORT = "rules only, no model used"


@dataclass
class TelegramStory(Story):
    """One run, with what was asked of the cortex."""

    bot: TelegramBot
    yard: Chat = None  # type: ignore[assignment]
    looks: list[Message] = field(default_factory=list)

    @property
    def places(self) -> Sequence[Chat]:
        return (self.bot.kitchen, self.yard, *map(self.bot.dm, (self.bot.ann, self.bot.james, self.bot.root)))

    def place_of(self, said: Message) -> Chat:
        return said.chat

    async def is_told(self, question: Question) -> bool:
        said = question.said
        if said.reactions.get(self.bot.me.id):
            return True
        words = [one for one in self.bot.written(said.chat) if not ANSWERED.fullmatch(one.text)]
        if any(one.reply_to == said.id for one in words):
            return True
        if self.bot.key(said.chat).channel in self.bot.private(self.bot.root):
            return True
        return any([await self._was_lost_too(row) for row in await self.rows(said)])

    async def check_more(self) -> None:
        assert self.bot.me.inlet.pending == [], "something still waits at the platform"
        assert not any(REPORT in message.text for message in self._public()), "a report stands where others read it"
        for look in self.looks:
            (row,) = await self.rows(look)
            assert row.outcome in {Outcome.COMMAND, Outcome.INTERRUPTED}

    def _public(self) -> list[Message]:
        """What the bot wrote anywhere but in the private chat of the one who asks the cortex."""
        asker = self.bot.dm(self.bot.root)
        return [message for chat in self.bot.chats() if chat is not asker for message in self.bot.written(chat)]

    async def _was_lost_too(self, row: StoredInbound) -> bool:
        """The notice was lost like the answer, and the process was killed before it could tell an admin of both."""
        chunks = await self.bot.store.outbox.of_inbound(row.id)
        notices = [chunk.state for chunk in chunks if chunk.body.kind == "notice"]
        return self.kills > 0 and bool(notices) and OutboxState.SENT not in notices
