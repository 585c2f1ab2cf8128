"""A chat service that remembers what it was told and fails as it is told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.domain.health import AdapterHealth, AdapterState, ProbeResult
from bot.domain.ids import ChannelId, PersonKey, channel_id, is_ephemeral
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
from bot.ports.platform import (
    MESSAGE_GONE,
    CommandMenu,
    Heard,
    PlatformCapabilities,
    PlatformChannel,
    PlatformListener,
)
from bot.text.times import plain_times
from tests.fakes.clock import START

CLOSED_DM = DeliveryError("cannot send messages to this user", code="50007", permanent=True)


def flood(seconds: float) -> DeliveryError:
    return DeliveryError("too many requests", code="429", retry_after=seconds)


def lost() -> DeliveryError:
    return DeliveryError("timed out", code="timeout", uncertain=True)


def refused(code: str = "50013") -> DeliveryError:
    return DeliveryError("missing permissions", code=code, permanent=True)


def gone() -> DeliveryError:
    return DeliveryError("there is no such message", code=MESSAGE_GONE, permanent=True)


def hiccup() -> DeliveryError:
    return DeliveryError("bad gateway", code="502")


def away(code: str = "unreachable") -> DeliveryError:
    return DeliveryError("no connection", code=code)


class FakePlatform:
    """Implements `bot.ports.platform.Platform`.

    `script` holds what becomes of the next sends: an error to raise, or None for success; when it is empty they
    succeed. With `ephemeral`, a closed DM leads to a button in the place of a link. `sent` is what was taken, `tried`
    everything that was handed over. A nonce is recognised if `idempotent`.
    While it is `away`, nothing reaches it, by that code. `taken_up` is what came by another process.
    `screen` is what people see: texts by message. With `drafts`, unfinished answers are shown without a message.
    """

    def __init__(
        self,
        name: str = "console",
        *,
        idempotent: bool = False,
        max_units: int = 2000,
        streaming: bool = False,
        drafts: bool = False,
        ephemeral: bool = False,
        pace_parts: int = 0,
    ) -> None:
        self.ahead_ms: int | None = None
        self.name = name
        self.capabilities = PlatformCapabilities(
            max_units=max_units,
            idempotent_sends=idempotent,
            reactions=True,
            typing=True,
            buttons=True,
            files=True,
            guidance="console",
            edits=True,
            streaming=streaming,
            ephemeral=ephemeral,
            pace_parts=pace_parts,
        )
        self.drafts = drafts
        self.remover: Author | None = None
        self.away = ""
        self.screen: dict[str, str] = {}
        self.script: list[DeliveryError | Exception | None] = []
        self.tried: list[OutgoingMessage] = []
        self.sent: list[OutgoingMessage] = []
        self.reactions: list[tuple[ChannelId, str, str]] = []
        self.typed: list[tuple[ChannelId, bool]] = []
        self.closed_dms: set[str] = set()
        self.places: list[PlatformChannel] = []
        self.admins: set[tuple[str, ChannelId]] = set()
        self.readers: set[tuple[str, ChannelId]] = set()
        self.moderators: set[tuple[str, ChannelId]] = set()
        self.asked: list[tuple[str, ChannelId]] = []
        self.state = AdapterState.UP
        self.previews: list[Preview] = []
        self.preview_script: list[DeliveryError | None] = []
        self.retract_script: list[DeliveryError | None] = []
        self.retracted: list[tuple[ChannelId, str]] = []
        self.contents: dict[str, bytes] = {}
        self.menu: CommandMenu | None = None
        self.shared_by = 1
        self.taken: list[ChannelId] = []
        self.taken_up: list[tuple[Inbound | ButtonPress, str]] = []
        self._receipts: dict[str, Receipt] = {}

    @property
    def texts(self) -> list[str]:
        return [message.text for message in self.sent]

    def texts_in(self, channel: ChannelId) -> list[str]:
        return [message.text for message in self.sent if message.to.channel == channel]

    def fails(self, errors: Iterable[DeliveryError | Exception | None]) -> None:
        self.script += errors

    async def run(self, ears: PlatformListener) -> None:
        """Deliver nothing: tests call the ears themselves."""

    def handoff(self, heard: Inbound | ButtonPress) -> str:
        return f"from {self.name}"

    def take_up(self, heard: Heard, handoff: str) -> Heard:
        self.taken_up.append((heard, handoff))
        return heard

    def take(self, channels: Sequence[ChannelId]) -> None:
        self.taken += channels

    def share(self, processes: int) -> None:
        self.shared_by = processes

    async def send(self, message: OutgoingMessage) -> Receipt:
        self.tried.append(message)
        if self.away:
            raise away(self.away)
        if message.to.private_to in self.closed_dms and not is_ephemeral(message.to.channel):
            raise CLOSED_DM
        if self.script and (error := self.script.pop(0)) is not None:
            raise error
        known = self._receipts.get(message.nonce)
        if known is not None and self.capabilities.idempotent_sends:
            return known
        if message.edits and message.edits not in self.screen:
            raise gone()
        message = message.model_copy(update={"text": plain_times(message.text)})
        self.sent.append(message)
        receipt = Receipt(message_id=message.edits or f"p{len(self.sent)}", at=START)
        self.screen[receipt.message_id] = message.text
        self._receipts[message.nonce] = receipt
        return receipt

    async def preview(self, preview: Preview) -> str:
        if self.preview_script and (error := self.preview_script.pop(0)) is not None:
            raise error
        if preview.message_id and preview.message_id not in self.screen:
            raise gone()
        self.previews.append(preview)
        if self.drafts:
            return ""
        message_id = preview.message_id or f"v{len(self.previews)}"
        self.screen[message_id] = preview.text
        return message_id

    async def retract(self, channel: ChannelId, message_id: str) -> None:
        if self.retract_script and (error := self.retract_script.pop(0)) is not None:
            raise error
        if message_id not in self.screen:
            raise gone()
        del self.screen[message_id]
        self.retracted.append((channel, message_id))

    async def fetch(self, attachment: Attachment, most: int) -> bytes:
        content = self.contents.get(attachment.reference)
        if content is None or len(content) > most:
            raise FetchError("too large" if content else "gone")
        return content

    async def react(self, channel: ChannelId, message_id: str, emoji: str) -> None:
        self.reactions.append((channel, message_id, emoji))

    async def set_typing(self, channel: ChannelId, on: bool) -> None:
        self.typed.append((channel, on))

    async def open_thread(self, person: PersonKey, title: str) -> OutboundAddress:
        if person.user_id in self.closed_dms:
            raise CLOSED_DM
        dm = channel_id(self.name, "dm", person.user_id)
        return OutboundAddress(platform=self.name, channel=dm, thread=f"root {title}", private_to=person.user_id)

    async def find(self, text: str) -> Sequence[PlatformChannel]:
        return [one for one in self.places if text in {one.channel, one.name}]

    def invitation(self, payload: str) -> str:
        return "" if self.capabilities.ephemeral else f"https://chat.example/{payload}"

    async def publish(self, menu: CommandMenu) -> None:
        self.menu = menu

    async def close(self) -> None:
        """Nothing is held."""

    async def is_channel_admin(self, person: PersonKey, channel: ChannelId) -> bool:
        self.asked.append((person.user_id, channel))
        return (person.user_id, channel) in self.admins

    async def moderates(self, person: PersonKey, channel: ChannelId) -> bool:
        one = (person.user_id, channel)
        return one in self.moderators and one in self.readers

    async def can_read(self, person: PersonKey, channel: ChannelId) -> bool:
        return (person.user_id, channel) in self.readers

    async def who_deleted(self, channel: ChannelId, message_id: str, at: int) -> Author | None:
        return self.remover

    def resolve(self, text: str) -> MessageLocation | None:
        return MessageLocation(channel_id(self.name, text)) if text.startswith("#") and len(text) > 1 else None

    def health(self) -> AdapterHealth:
        return AdapterHealth(name=self.name, state=self.state, since=START, last_event_at=START, ahead_ms=self.ahead_ms)

    async def probe(self, channel: ChannelId | None) -> Sequence[ProbeResult]:
        return [ProbeResult(name=self.name, state="ok", evidence=f"the connection is {self.state}")]
