"""A chat service, and what it hands over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeVar

from bot.domain.access import Authority, AuthorityTiers
from bot.domain.base import FrozenModel
from bot.domain.health import AdapterHealth, ProbeResult
from bot.domain.ids import ChannelId, PersonKey
from bot.domain.ledger import StreamCursor
from bot.domain.messages import (
    Attachment,
    Author,
    ButtonPress,
    ChannelPlace,
    Inbound,
    OutboundAddress,
    OutgoingMessage,
    Preview,
    Receipt,
)
from bot.domain.permalinks import MessageLocation

MESSAGE_GONE = "message_gone"
"""The code of a DeliveryError, permanent, that says: the message to be changed or taken back does not exist.

Or it stands in a channel that has another id by now: its number is never taken for that of a message there.
"""


class PlatformCapabilities(FrozenModel):
    """What a platform can do. `max_units` is the text limit in UTF-16 units.

    `idempotent_sends`: the platform recognises a repeated nonce, so a send that may have arrived can be repeated.
    `guidance` is the name of its prompt template. `typing_seconds`: how long a typing mark stays without being
    renewed. `edits`: what was sent can be edited. `streaming`: an answer can be shown while it is being written.
    `waiting`: without that, `preview` can at least say that an answer takes longer.
    `ephemeral`: who presses a button can be
    shown something that nobody else sees. `max_file` is how large a file may be, in bytes (0: as large as it likes).
    `takes_back`: what the bot has sent can be taken back. `tells_unheard`: people are told by the platform itself
    when something that they wrote could not be stored. `pace_parts`: of how many parts of a channel's path the platform
    counts what is sent together, such as all topics of a chat (0: it counts each channel alone). `max_marks`: of how
    many marks, links and blocks of code the platform draws in a message (0: all). `tables`: it is handed tables as
    tables, and draws them itself; a text with them has room for what every chat draws instead. `cards`, `polls`: it
    draws those; elsewhere their words go out as text. `question_signs` are the reactions by which an admin asks why.
    """

    max_units: int
    idempotent_sends: bool
    reactions: bool
    typing: bool
    buttons: bool
    files: bool
    guidance: str
    typing_seconds: float = 5.0
    edits: bool = False
    streaming: bool = False
    waiting: bool = False
    ephemeral: bool = False
    max_file: int = 0
    takes_back: bool = False
    tells_unheard: bool = False
    pace_parts: int = 0
    max_marks: int = 0
    tables: bool = False
    cards: bool = False
    polls: bool = False
    question_signs: tuple[str, ...] = ()


class PlatformDuty(NamedTuple):
    """What a process does on its platforms: one that does not listen is told by another what was heard there.

    Of those that speak for the same account each has channels of its own; one that does not speak leaves them all to
    others.
    """

    listens: bool = True
    speaks: bool = True


WHOLE_DUTY = PlatformDuty()


class MenuEntry(FrozenModel):
    """A command as a platform's menu shows it, and who may use it.

    `argument` names what may be typed behind it (empty: nothing). `on_message` is what it is called in the menu of a
    message, where platforms have one; it is said about that message then (empty: it is typed). What is `private` is
    answered to its author alone.
    """

    name: str
    help: str
    argument: str = ""
    tier: Authority = Authority.EVERYONE
    on_message: str = ""
    private: bool = False


class CommandMenu(FrozenModel):
    """The commands that platforms offer to type. A platform that can shows each person no more than they may use."""

    entries: tuple[MenuEntry, ...]
    tiers: AuthorityTiers = AuthorityTiers()

    def of(self, tier: Authority) -> tuple[MenuEntry, ...]:
        """Return what somebody of a tier may use."""
        return tuple(entry for entry in self.entries if entry.tier <= tier)


class PlatformChannel(FrozenModel):
    """A channel that a platform knows, whether or not anything ever came from there."""

    channel: ChannelId
    name: str
    place: ChannelPlace = ChannelPlace()


class PlatformListener(Protocol):
    """What an adapter hands things to. Nothing here waits for a channel, a model or a delivery."""

    async def receive(self, batch: Sequence[Inbound], cursor: StreamCursor | None) -> None:
        """Return when the batch and the cursor are stored; raise StoreError when they cannot be.

        An adapter lives through that: it comes back with the same batch. What is there already is not taken twice.
        """

    async def cursor(self, adapter: str, stream: str) -> str | None:
        """Return how far a stream was read, by this or an earlier process."""

    async def pressed(self, press: ButtonPress) -> str:
        """Return what to tell the presser, and them alone."""

    async def settled(self) -> None:
        """Return when everything heard so far has come to its end; for scripted input."""

    def language(self) -> str:
        """Return the language of what everybody reads wherever the bot is."""


class PlatformSender(Protocol):
    """What a platform does for the bot where people read it."""

    async def send(self, message: OutgoingMessage) -> Receipt:
        """Post one chunk, or put it in the place of the message that it `edits`; raise DeliveryError.

        An edit that changes nothing is done; one of a message that is not there any more fails with the code GONE.
        """

    async def preview(self, preview: Preview) -> str:
        """Show an answer that is still being written; raise DeliveryError.

        Return the message that shows it now; empty where the platform shows it without one (a draft).
        A channel that has another id is not followed: that fails, to be tried again, until it is addressed by that id.
        """

    async def retract(self, channel: ChannelId, message_id: str) -> None:
        """Take back a message of the bot, such as a preview that led to nothing; raise DeliveryError.

        An empty name where one person alone sees things is the promise to show something.
        """

    async def react(self, channel: ChannelId, message_id: str, emoji: str) -> None:
        """Put a reaction on a message; raise DeliveryError."""

    async def set_typing(self, channel: ChannelId, on: bool) -> None:
        """Show or stop showing that an answer is being written."""

    async def open_thread(self, person: PersonKey, title: str) -> OutboundAddress:
        """Start a private thread with one person; raise DeliveryError(permanent) when their DM is closed.

        An address without a `thread` says that the whole channel is the thread (a topic made for it).
        """


class PlatformDirectory(Protocol):
    """What a platform knows about its people, channels and files."""

    async def is_channel_admin(self, person: PersonKey, channel: ChannelId) -> bool:
        """Ask the platform, now, whether this person administers this channel."""

    async def moderates(self, person: PersonKey, channel: ChannelId) -> bool:
        """Ask the platform, now, whether this person may read this channel and take others' messages out of it.

        Nobody moderates a private chat.
        """

    async def can_read(self, person: PersonKey, channel: ChannelId) -> bool:
        """Ask the platform, now, whether this person may read this channel's messages themselves."""

    async def who_deleted(self, channel: ChannelId, message_id: str, at: int) -> Author | None:
        """Ask the platform who deleted a message of the bot at a time (UTC ms), without any right that is not there.

        None where it does not tell; a bot without a name where it names no person, so that a program did it.
        """

    def resolve(self, text: str) -> MessageLocation | None:
        """Read the platform's own way to write a channel or message: a mention, a link, a bare id; None for all else.

        Links are read by `bot.domain.permalinks`; an adapter fills in what only it knows, such as a public name's chat.
        """

    async def find(self, text: str) -> Sequence[PlatformChannel]:
        """Ask the platform, now, which channels are meant by a name, a mention, a link or an id; DeliveryError.

        Nothing need ever have come from them. Of what the bot may not view a platform may tell no name.
        """

    def invitation(self, payload: str) -> str:
        """Return a link by which somebody opens their DM and says `/start <payload>` there; empty: there is none.

        `payload` is at most 64 characters of `A-Za-z0-9_-`; without one the link only leads to the bot.
        """

    async def fetch(self, attachment: Attachment, most: int) -> bytes:
        """Return the content of a file that came in, of at most `most` bytes; raise FetchError."""


Heard = TypeVar("Heard", Inbound, ButtonPress)


class Platform(PlatformSender, PlatformDirectory, Protocol):
    """One connection to a chat service.

    Several processes may be one bot there: one listens, and others speak, each for channels of its own. What was heard
    goes from the adapter that listens to the one that speaks by `handoff` and `take_up`.
    """

    name: str
    capabilities: PlatformCapabilities

    async def run(self, ears: PlatformListener) -> None:
        """Deliver what arrives until cancelled; a fatal fault ends in `health`, not in an exception.

        Where another process listens, only be at work.
        """

    def handoff(self, heard: Inbound | ButtonPress) -> str:
        """Return what another process needs to know to act on what was heard here; empty: nothing.

        It may hold a secret that is worth something for some minutes, so that it is never shown or logged.
        """

    def take_up(self, heard: Heard, handoff: str) -> Heard:
        """Learn what the process that listens knew, and return what it heard as it is to be read in this one.

        To take the same up again changes nothing. A handoff of another version tells what can be read of it.
        """

    def take(self, channels: Sequence[ChannelId]) -> None:
        """Take that this process alone speaks in channels from now on: what stands there was said by one before it."""

    def share(self, processes: int) -> None:
        """Keep to one process's part of what the platform takes from one account, of so many that speak for it."""

    async def publish(self, menu: CommandMenu) -> None:
        """Make the commands known to the platform's own menu; a failure is logged, never raised."""

    def health(self) -> AdapterHealth:
        """Say how the connection is."""

    async def probe(self, channel: ChannelId | None) -> Sequence[ProbeResult]:
        """Look at the platform live, without polling it for messages; never raise."""

    async def close(self) -> None:
        """Let go of connections; nothing is sent through it afterwards."""
