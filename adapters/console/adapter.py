"""The console as one connection: what is typed comes in, what the bot says is printed."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TextIO

from pydantic import BaseModel, ConfigDict, Field

from adapters.console import screen
from adapters.console.keyboard import KeyboardReader
from adapters.console.world import NAME, ConsoleWorld, dm_of, is_dm
from bot.domain.health import AdapterHealth, AdapterState, ProbeResult
from bot.domain.ids import ChannelId, PersonKey, UserId, channel_id
from bot.domain.messages import (
    Attachment,
    Author,
    ButtonPress,
    Inbound,
    OutboundAddress,
    OutgoingMessage,
    Preview,
    Receipt,
)
from bot.domain.permalinks import MessageLocation
from bot.errors import DeliveryError, FetchError
from bot.ports.clock import Clock
from bot.ports.platform import CommandMenu, Heard, PlatformCapabilities, PlatformChannel, PlatformListener
from bot.runtime.terminal import print_text, terminal_language
from bot.sentences import ENGLISH, Words, later, said_in, say

_ENDED = ("service_doctor.input-ended", "service_doctor.input-ended-fix")
"""The sentences that say why nothing is heard here, and what to do."""


class ConsoleVoice:
    """Implements `bot.ports.platform.PlatformSender`."""

    def __init__(self, world: ConsoleWorld, clock: Clock, bot_name: str, show: Callable[[str], None]) -> None:
        self.world = world
        self._clock = clock
        self._bot_name = bot_name
        self._show = show

    async def send(self, message: OutgoingMessage) -> Receipt:
        """Print one message."""
        if message.to.private_to is not None:
            self._must_be_open(message.to.private_to)
        said = self.world.remember(message.to.channel, self._bot_name, message.text, by_bot=True)
        mark = f"  (id {said.message_id})" if self.world.show_ids else ""
        self._show(screen.bot_lines(self.world.place(message.to), self._bot_name, message.text, mark))
        if message.file is not None:
            self._tell(partial(screen.file_line, message.file))
        if message.buttons:
            self._show(screen.button_lines(self.world.hang(message.buttons, message.to.channel), message.buttons))
        return Receipt(message_id=said.message_id, at=self._clock.now())

    async def preview(self, preview: Preview) -> str:
        """Print that an answer takes longer; a terminal shows of the answer itself what is finished."""
        self._show(screen.bot_lines(self.world.place(preview.to), self._bot_name, preview.text, ""))
        return ""

    async def retract(self, channel: ChannelId, message_id: str) -> None:
        """Refuse: what is printed stays printed."""
        raise DeliveryError(later("console.printed-stays"), code="unsupported", permanent=True)

    async def react(self, channel: ChannelId, message_id: str, emoji: str) -> None:
        """Print a reaction."""
        said = self.world.find(message_id)
        if said is None:
            words = later("delivery_failures.no-message", id=message_id)
            raise DeliveryError(words, code="unknown_message", permanent=True)
        place = self.world.place(OutboundAddress(platform=NAME, channel=channel))
        self._tell(later("console.reaction", place=place, emoji=emoji, name=said.name))

    async def set_typing(self, channel: ChannelId, on: bool) -> None:
        """Do nothing: a terminal shows no typing."""

    async def open_thread(self, person: PersonKey, title: str) -> OutboundAddress:
        """Start a titled thread in somebody's direct messages."""
        self._must_be_open(person.user_id)
        self.world.next_id += 1
        thread = f"{self.world.next_id} {title}"
        return OutboundAddress(platform=NAME, channel=dm_of(person.user_id), thread=thread, private_to=person.user_id)

    def _must_be_open(self, user: UserId) -> None:
        if user in self.world.closed:
            raise DeliveryError(later("console.dm-closed", user=user), code="dm_closed", permanent=True)

    def _tell(self, words: Words) -> None:
        """Print something in the language of whoever sits at the terminal."""
        self._show(said_in(self.world.language, words))


class Settings(BaseModel):
    """The adapter's own keys. `people` gives names their numeric ids; a name without one gets a stable number.

    `script` is a file that is typed line by line; `echo` prints what is typed, as a transcript. A `silent` one prints
    nothing at all.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    people: dict[str, int] = Field(default_factory=lambda: {"admin": 1})
    platform_admins: tuple[int, ...] = (1,)
    bot_name: str = Field("glassmind", pattern=r"^[\w.-]{1,32}$")
    you: str = Field("you", pattern=r"^[\w.-]{1,64}$")
    script: str = ""
    echo: bool = False
    silent: bool = False


class ConsoleAdapter(ConsoleVoice):
    """Several people and channels in one terminal."""

    name = NAME
    capabilities = PlatformCapabilities(
        max_units=4096,
        # a new process cannot know what an earlier one has printed
        idempotent_sends=False,
        reactions=True,
        typing=False,
        buttons=True,
        files=True,
        waiting=True,
        guidance="console",
        tells_unheard=True,
    )

    def __init__(self, settings: Settings, clock: Clock, show: Callable[[str], None], language: str = ENGLISH) -> None:
        self._settings = settings
        self._state = AdapterState.STARTING
        self._since = clock.now()
        self._last_event = 0
        world = ConsoleWorld(
            here=channel_id(NAME, "#general"),
            speaker=settings.you,
            next_id=clock.now(),
            people={name: UserId(str(number)) for name, number in settings.people.items()},
            admins={UserId(str(number)) for number in settings.platform_admins},
            language=language,
        )
        super().__init__(world, clock, settings.bot_name, show)
        self.keyboard = KeyboardReader(world, clock, settings.bot_name, settings.echo, show)

    async def run(self, ears: PlatformListener) -> None:
        """Deliver typed lines until end of file; a script or a pipe is answered line by line."""
        self._become(AdapterState.UP)
        scripted = bool(self._settings.script) or sys.stdin is None or not sys.stdin.isatty()
        if not scripted:
            self._tell(later("console.listening", bot=self._settings.bot_name))
        async for line in self._lines():
            if not await self.type(line, ears):
                break
            if scripted:
                await ears.settled()
        await ears.settled()
        self._become(AdapterState.DOWN)

    def handoff(self, heard: Inbound | ButtonPress) -> str:
        """Return nothing: there is one terminal."""
        return ""

    def take_up(self, heard: Heard, handoff: str) -> Heard:
        """Return what was heard as it is."""
        return heard

    def take(self, channels: Sequence[ChannelId]) -> None:
        """Do nothing: nobody else speaks there."""

    def share(self, processes: int) -> None:
        """Do nothing: there is one terminal."""

    async def type(self, line: str, ears: PlatformListener) -> bool:
        """Take one typed line; False when it was /quit."""
        self._last_event = self._clock.now()
        if self.world.unheard is None:
            self._become(AdapterState.UP)
        goes_on = await self.keyboard.type(line, ears)
        self._become(AdapterState.UP if self.world.unheard is None else AdapterState.DOWN)
        return goes_on

    async def fetch(self, attachment: Attachment, most: int) -> bytes:
        """Refuse: nobody attaches files here."""
        raise FetchError(say("fetching.no-files"))

    async def find(self, text: str) -> Sequence[PlatformChannel]:
        """Return nothing: a channel of a terminal is there once somebody spoke in it."""
        return ()

    def invitation(self, payload: str) -> str:
        """Return nothing: `/opendm` opens somebody's direct messages."""
        return ""

    async def publish(self, menu: CommandMenu) -> None:
        """Do nothing: `!help` lists the commands."""

    async def close(self) -> None:
        """Do nothing: a terminal holds no connection."""

    async def is_channel_admin(self, person: PersonKey, channel: ChannelId) -> bool:
        """Look the person up among the admins of this terminal."""
        return person.user_id in self.world.admins

    async def moderates(self, person: PersonKey, channel: ChannelId) -> bool:
        """Look the person up among the admins of this terminal, which knows no other moderators."""
        return not is_dm(channel) and person.user_id in self.world.admins

    async def can_read(self, person: PersonKey, channel: ChannelId) -> bool:
        """Everybody reads the channels; direct messages only their owner."""
        return not is_dm(channel) or channel == dm_of(person.user_id)

    async def who_deleted(self, channel: ChannelId, message_id: str, at: int) -> Author | None:
        """Nobody deletes what a terminal shows."""

    def resolve(self, text: str) -> MessageLocation | None:
        """Read `#name` as a channel of this terminal; its messages have no links."""
        return (
            MessageLocation(channel_id(NAME, text))
            if text.startswith("#") and len(text) > 1 and " " not in text
            else None
        )

    def health(self) -> AdapterHealth:
        """Say whether somebody can type."""
        ended = self._state is AdapterState.DOWN
        if self.world.unheard is not None:
            detail, fix = self.world.unheard(), say("service_doctor.unheard-fix")
        else:
            detail, fix = map(say, _ENDED)
        return AdapterHealth(
            name=NAME,
            state=self._state,
            since=self._since,
            last_event_at=self._last_event,
            detail=detail if ended else "",
            fix=fix if ended else "",
        )

    async def probe(self, channel: ChannelId | None) -> Sequence[ProbeResult]:
        """Say that a terminal which runs is well."""
        well = self._state in {AdapterState.UP, AdapterState.STARTING}
        return [
            ProbeResult(
                name="console",
                state="ok" if well else "failed",
                evidence=say("service_doctor.terminal", state=self._state.value),
            )
        ]

    def _become(self, state: AdapterState) -> None:
        if state is not self._state:
            self._state, self._since = state, self._clock.now()

    async def _lines(self) -> AsyncIterator[str]:
        if self._settings.script:
            text = await asyncio.to_thread(Path(self._settings.script).read_text, "utf-8")
            for line in text.splitlines():
                yield line
            return
        if sys.stdin is None:  # who started the process closed it: nobody can type
            return
        queue: asyncio.Queue[str | None] = asyncio.Queue()
        # a daemon thread: one that is stuck in readline must not keep the process alive after Ctrl-C
        threading.Thread(target=_read, args=(sys.stdin, asyncio.get_running_loop(), queue), daemon=True).start()
        while (typed := await queue.get()) is not None:
            yield typed


def create(settings: Mapping[str, object], clock: Clock, show: Callable[[str], None] | None = None) -> ConsoleAdapter:
    """Build from the `[platforms.console]` table; raise pydantic's ValidationError."""
    checked = Settings.model_validate(dict(settings))
    return ConsoleAdapter(checked, clock, _show_nothing if checked.silent else show or print_text, terminal_language())


def _show_nothing(text: str) -> None:
    pass


def _read(source: TextIO, loop: asyncio.AbstractEventLoop, queue: asyncio.Queue[str | None]) -> None:
    try:
        for line in source:
            loop.call_soon_threadsafe(queue.put_nowait, line.rstrip("\n"))
        loop.call_soon_threadsafe(queue.put_nowait, None)
    except RuntimeError:
        return  # the loop has closed: nobody listens any more
