"""What the bot does at the terminal: print, in the right place."""

from __future__ import annotations

from collections.abc import Callable

from adapters.console import screen
from adapters.console.world import NAME, World, dm_of
from bot.domain.ids import ChannelId, Person, UserId
from bot.domain.messages import Address, Outgoing, Preview, Receipt
from bot.errors import DeliveryError
from bot.ports.clock import Clock


class ConsoleVoice:
    """Implements `bot.ports.platform.Voice`."""

    def __init__(self, world: World, clock: Clock, bot_name: str, show: Callable[[str], None]) -> None:
        self.world = world
        self._clock = clock
        self._bot_name = bot_name
        self._show = show

    async def send(self, message: Outgoing) -> Receipt:
        if message.to.private_to is not None:
            self._must_be_open(message.to.private_to)
        said = self.world.remember(message.to.channel, self._bot_name, message.text, by_bot=True)
        mark = f"  (id {said.message_id})" if self.world.show_ids else ""
        self._show(screen.answered(self.world.place(message.to), self._bot_name, message.text, mark))
        if message.file is not None:
            self._show(screen.attached(message.file))
        if message.buttons:
            self._show(screen.buttons(self.world.hang(message.buttons, message.to.channel), message.buttons))
        return Receipt(message_id=said.message_id, at=self._clock.now())

    async def preview(self, preview: Preview) -> str:
        """Print that an answer takes longer; a terminal shows of the answer itself what is finished."""
        self._show(screen.answered(self.world.place(preview.to), self._bot_name, preview.text, ""))
        return ""

    async def retract(self, channel: ChannelId, message_id: str) -> None:
        """Refuse: what is printed stays printed."""
        raise DeliveryError("what is printed stays", code="unsupported", permanent=True)

    async def react(self, channel: ChannelId, message_id: str, emoji: str) -> None:
        said = self.world.find(message_id)
        if said is None:
            raise DeliveryError(f"there is no message {message_id}", code="unknown_message", permanent=True)
        self._show(f"[{self.world.place(Address(platform=NAME, channel=channel))}] {emoji} on {said.name}'s message")

    async def set_typing(self, channel: ChannelId, on: bool) -> None:
        """Do nothing: a terminal shows no typing."""

    async def open_thread(self, person: Person, title: str) -> Address:
        """Start a titled thread in somebody's direct messages."""
        self._must_be_open(person.user_id)
        self.world.next_id += 1
        thread = f"{self.world.next_id} {title}"
        return Address(platform=NAME, channel=dm_of(person.user_id), thread=thread, private_to=person.user_id)

    def _must_be_open(self, user: UserId) -> None:
        if user in self.world.closed:
            raise DeliveryError(f"the direct messages of {user} are closed", code="dm_closed", permanent=True)
