"""Where an answer is shown while its channel may get another id."""

from __future__ import annotations

from collections.abc import Callable

from bot.domain.channel_moves import Moves, named_in
from bot.domain.ids import ChannelId
from bot.domain.messages import Address
from bot.ports.delivery import Answer


class AnswerPlace:
    """The place of one answer: that of its turn, until `follow` goes where the channel is by then.

    `to` is where everything is shown that is named by a bare number.
    """

    def __init__(self, answer: Answer, moves: Callable[[], Moves]) -> None:
        self.to: Address = answer.to
        self._answer = answer
        self._moves = moves

    @property
    def channel(self) -> ChannelId:
        """Where the answer is waited for now."""
        return self._moves().now(self._answer.to.channel)

    @property
    def is_left(self) -> bool:
        """Whether the channel is somewhere else by now: nobody can touch what stands here."""
        return self.to.channel != self.channel

    @property
    def replies_to(self) -> str:
        """The message that is answered; empty where its number would mean another one."""
        asked = self._answer.asked
        return asked[-1] if asked and self.to == self._answer.to else ""

    def follow(self) -> None:
        """Go where the channel is now."""
        self.to = self.to.model_copy(update={"channel": self.channel})

    def name(self, message_id: str) -> str:
        """Name a message that stands here to who knows the address of the turn alone."""
        return message_id if self.to == self._answer.to else named_in(self.to.channel, message_id)
