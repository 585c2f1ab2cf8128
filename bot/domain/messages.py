"""What people, models and tools say to each other: transcript messages, and messages as they arrive and leave."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import Annotated, Literal

from pydantic import Field

from bot.domain.base import Digest, FrozenModel, canonical_words, digest_text, kept, quarter_bytes
from bot.domain.compaction import CompactionSummary
from bot.domain.ids import ChannelId, PersonKey, UserId
from bot.domain.rich_messages import RichMessage
from bot.domain.word_origins import WordOrigins
from bot.text.joined_text import BLANK_LINE, counts_add_up


class Role(StrEnum):
    """Who speaks in a transcript."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class TextPart(FrozenModel):
    kind: Literal["text"] = "text"
    text: str


class ProviderData(FrozenModel):
    """What a service added to its own call or message and wants back unchanged; it means nothing to anybody else.

    `data` is a JSON object of exactly the keys that it added, `provider` the one that gets them back.
    """

    kind: Literal["provider_data"] = "provider_data"
    provider: str
    data: str


class ToolCall(FrozenModel):
    """The model asks for a tool; `arguments` is the exact text the model wrote, which need not be JSON."""

    kind: Literal["tool_call"] = "tool_call"
    call_id: str
    name: str
    arguments: str
    # left out where there is none, because a message is named by its JSON
    added: ProviderData | None = Field(None, exclude_if=lambda added: added is None)


class ToolResult(FrozenModel):
    kind: Literal["tool_result"] = "tool_result"
    call_id: str
    text: str
    ok: bool = True


IMAGE_TOKENS = 1600
"""What one image costs at most, about: 85 + 170 for each of 8 tiles at OpenAI (high detail), 1,590 at Anthropic.

https://platform.openai.com/docs/guides/images-vision, https://docs.anthropic.com/en/docs/build-with-claude/vision
"""


class ImagePart(FrozenModel):
    """A picture, for models that see. `data` is base64; `name` is what its sender called it."""

    kind: Literal["image"] = "image"
    name: str
    mimetype: str
    data: str

    @kept
    def text(self) -> str:
        """Say in words what it is; what a model reads that sees nothing, and what people are shown."""
        size = round(len(self.data) * 3 / 4 / 1000)
        return f"[image {self.name}, {self.mimetype}, {size} kB, blake2b {digest_text(self.data)[:12]}]"


MessagePart = Annotated[TextPart | ToolCall | ToolResult | ImagePart | ProviderData, Field(discriminator="kind")]


class AuthorKind(StrEnum):
    """What stands behind a message; only a `person` can ever hold authority."""

    PERSON = "person"
    SELF = "self"
    BOT = "bot"
    WEBHOOK = "webhook"
    CHANNEL_POST = "channel_post"
    ANONYMOUS_ADMIN = "anonymous_admin"


class Author(FrozenModel):
    """Who wrote a message: a numeric id, and a name that proves nothing."""

    user_id: UserId
    name: str
    kind: AuthorKind = AuthorKind.PERSON


class Message(FrozenModel):
    """One entry of a transcript. `role` and `parts` are what a model reads; the rest says where it came from.

    `at` is UTC milliseconds (0: unknown); `inbound` is the ledger row (0: none); `ambient` marks group talk that
    was not addressed to the bot; `summary` is set on what stands for other messages. `origins` says whose words it was
    made of: on a summary, on a result of work, and on what the bot said where its conversation does not show it.
    """

    role: Role
    parts: tuple[MessagePart, ...]
    author: Author | None = None
    at: int = 0
    inbound: int = 0
    message_id: str = ""
    ambient: bool = False
    # left out where there is none, because a message is named by its JSON
    summary: CompactionSummary | None = Field(None, exclude_if=lambda summary: summary is None)
    origins: WordOrigins | None = Field(None, exclude_if=lambda origins: origins is None)

    @kept
    def digest(self) -> Digest:
        """The name of this message; computed once, however often it is sent."""
        return digest_text(self.json_text)

    @kept
    def json_text(self) -> str:
        """The canonical JSON that is stored under the digest."""
        return canonical_words(self)

    def lighten(self) -> None:
        """Take half the memory, for one that is stored and stays in a conversation: what many have alike is shared."""
        super().lighten()
        for part in self.parts:
            part.lighten()
        _ = self.digest
        # what it is stored as is written again should anybody ask for it
        self.__dict__.pop("json_text", None)
        if self.author is not None:
            self.__dict__["author"] = _shared(self.author)

    @kept
    def text(self) -> str:
        """Only the words."""
        return BLANK_LINE.join(self._said)

    @kept
    def texts(self) -> tuple[str, ...]:
        """What a model reads of it, in the pieces in which it is counted; found once, and counted often."""
        only = self._only_words
        if only is not None:
            return (only,) if only else ()
        said = self._said
        # what stands before the newest words is the same in many requests, or counted as a section already
        words = [*[text + BLANK_LINE for text in said[:-1]], *said[-1:]] if counts_add_up(said) else [self.text]
        others = [text for part in self.parts if not isinstance(part, TextPart) for text in _pieces(part)]
        return (*[text for text in words if text], *others)

    @kept
    def quarter_bytes(self) -> int:
        """The estimate of its tokens by the byte, images included; a long chat asks for it several times a turn."""
        only = self._only_words
        if only is not None:
            return quarter_bytes(only)
        return sum(map(quarter_bytes, self.texts)) + IMAGE_TOKENS * len(self.images)

    @kept
    def images(self) -> tuple[ImagePart, ...]:
        """Only the pictures."""
        return tuple([part for part in self.parts if isinstance(part, ImagePart)])

    @kept
    def calls(self) -> tuple[ToolCall, ...]:
        """Only the tool calls."""
        return tuple([part for part in self.parts if isinstance(part, ToolCall)])

    @kept
    def results(self) -> tuple[ToolResult, ...]:
        """Only the tool results."""
        return tuple([part for part in self.parts if isinstance(part, ToolResult)])

    @property
    def _said(self) -> list[str]:
        return [part.text for part in self.parts if isinstance(part, TextPart)]

    @property
    def _only_words(self) -> str | None:
        # nearly every message is one text, and every message of a conversation that is read again is asked
        parts = self.parts
        return parts[0].text if len(parts) == 1 and isinstance(parts[0], TextPart) else None


@lru_cache(maxsize=2048)
def _shared(author: Author) -> Author:
    author.lighten()
    return author


def _pieces(part: MessagePart) -> tuple[str, ...]:
    match part:
        case ToolCall():
            return (part.name, part.arguments, *([part.added.data] if part.added is not None else []))
        case ProviderData():
            return (part.data,)
        case ToolResult():
            return (part.text,)
        case TextPart() | ImagePart():
            return ()


class InboundKind(StrEnum):
    MESSAGE = "message"
    EDIT = "edit"
    DELETE = "delete"
    EVENT = "event"
    RESULT = "result"


class EventKind(StrEnum):
    """What a thing that is no message means to the bot."""

    JOINED = "joined"
    LEFT = "left"
    MOVED = "moved"
    UNREADABLE = "unreadable"
    SECOND_PROGRAM = "second_program"
    REACTION = "reaction"
    UNFOLDED = "unfolded"
    RIGHTS = "rights"
    OTHER = "other"

    @classmethod
    def _missing_(cls, value: object) -> EventKind:
        """Take what a later version tells of, and this one does not know, for something that leaves its row."""
        return cls.OTHER


EVERYWHERE = "everywhere"
"""Where rights have changed, if that is more than one channel."""


class PlatformEvent(FrozenModel):
    """Something that happened in a channel. `name` is the platform's own word; `moved_to` is the channel's new id.

    `unreadable` is a message of which nothing but where it stands, and perhaps who wrote it, could be read. `reaction`
    happened to the message that the inbound `replies_to`; that one was said by a `second_program`, which is another
    program's. The links of that one were `unfolded`: the platform says only now what stands behind them. `what` is the
    fault that kept a message from being read, what was put there and taken away, such as `+👍 -👎`, that the other
    program was first, or that it changed the message instead. What the bot itself may do is its `rights`: they have
    changed there, or `EVERYWHERE` in the server or group.
    """

    kind: EventKind
    name: str
    moved_to: ChannelId | None = None
    # left out where there is nothing to say, as in rows that are older than this
    what: str = Field("", exclude_if=lambda what: not what)


class PieceSign(StrEnum):
    """What shows that a message may be a piece of a thought of which more comes at once."""

    FORWARD = "forward"
    ALBUM = "album"
    LONG = "long"


class MentionKind(StrEnum):
    """What somebody called in a message."""

    USER = "user"
    ROLE = "role"
    EVERYONE = "everyone"


class Mention(FrozenModel):
    """Something that a message calls and that is not the bot's account. `name` is as it is shown there.

    `is_held`: a role that the bot has, too.
    """

    kind: MentionKind
    name: str
    id: str = ""
    is_held: bool = False

    @property
    def words(self) -> str:
        """What it is, as people know it: `the role Cooks, which the bot has too`."""
        match self.kind:
            case MentionKind.ROLE:
                return f"the role {self.name or self.id}" + (", which the bot has too" if self.is_held else "")
            case MentionKind.EVERYONE:
                return "everyone"
            case MentionKind.USER:
                return self.name or self.id


class AttachmentKind(StrEnum):
    """What can be done with a file that came in: read it, look at it, or only say that it is there."""

    TEXT = "text"
    IMAGE = "image"
    OTHER = "other"


class Attachment(FrozenModel):
    """A file that came with a message, before anybody looked into it.

    `reference` is the platform's own name of the content; `size` is bytes as the platform says (0: unknown).
    """

    kind: AttachmentKind
    name: str
    mimetype: str
    reference: str
    size: int = 0


class ReferenceKind(StrEnum):
    """How something that a message points to belongs to it."""

    ANSWERED = "answered"
    FORWARDED = "forwarded"
    STORY = "story"
    THREAD = "thread"
    LINKS = "links"


class UnseenReason(StrEnum):
    """Why nothing is known of what is referred to."""

    DELETED = "deleted"
    NOT_TOLD = "not told"
    OPTED_OUT = "by somebody who opted out"


class LinkPreview(FrozenModel):
    """An address in a message, and what stands there as far as the platform tells."""

    url: str
    title: str = ""


class MessageReference(FrozenModel):
    """What a message points to, as its platform tells it: other people's words and names, which prove nothing.

    `author` wrote the words, in `place` where that is another chat (empty: this one); an id of "" is somebody whom the
    platform does not identify. `is_part`: only some of the words were chosen. `origin` and `origin_at` are set where
    the words were forwarded to where they stand. Of a forward itself the words are the message's own text.
    """

    kind: ReferenceKind
    author: Author | None = None
    text: str = ""
    at: int = 0
    message_id: str = ""
    place: str = ""
    is_part: bool = False
    unseen: UnseenReason | None = None
    origin: Author | None = None
    origin_at: int = 0
    attachments: tuple[Attachment, ...] = ()
    links: tuple[LinkPreview, ...] = ()

    def is_by(self, user: UserId) -> bool:
        """Say whether somebody wrote what is referred to."""
        return any(one is not None and one.user_id == user for one in (self.author, self.origin))


class ChannelPlace(FrozenModel):
    """Where a channel is on its platform; `parents` are a thread's channel and category, nearest first."""

    is_dm: bool = False
    guild_id: str = ""
    parents: tuple[str, ...] = ()


class OutboundAddress(FrozenModel):
    """Where an outbound message goes. `thread` is the root of a DM thread (empty: the channel itself).

    `private_to` is set on every address that only one person can read; private content may go nowhere else.
    """

    platform: str
    channel: ChannelId
    thread: str = ""
    private_to: UserId | None = None


class Inbound(FrozenModel):
    """One message, edit or event as it arrived, before any decision. Times are UTC ms by the platform's clock.

    `edit` is 0 for the original and the edit's time otherwise; (adapter, channel, message_id, edit) names it once.
    `forwarded`: the author did not type these words (a forward, or made by an inline bot).
    `original_sha256` is set when the text had to be cleaned at ingress (NUL, lone surrogates).
    `event` is set when, and only when, `kind` is `event`.
    `ephemeral` is set on a native command: what is sent there is seen by its author alone, for some minutes.
    `sign` is set where more of the same thought may come at once; pictures that were sent together share an `album`.
    `as_channel`: somebody typed it in a group under the name of a channel. `mentioned` is what it calls beside the bot.
    `account_names` are the bot's own on the platform at that moment.
    `refers` is what it points to: the message that it answers, where it was forwarded from, its links. `origins` is set
    on a result of work: whose words it was made of. `locale` is the language of the author's app (`de`, `pt-BR`), if
    that is told.
    """

    adapter: str
    channel: ChannelId
    channel_name: str
    place: ChannelPlace = ChannelPlace()
    kind: InboundKind = InboundKind.MESSAGE
    message_id: str
    edit: int = 0
    author: Author
    text: str
    sent_at: int
    mentions_bot: bool = False
    mentions_others: bool = False
    replies_to: str = ""
    replies_to_bot: bool = False
    forwarded: bool = False
    original_sha256: str = ""
    attachments: tuple[Attachment, ...] = ()
    event: PlatformEvent | None = None
    ephemeral: ChannelId | None = None
    # left out where there is none, as in nearly every message
    sign: PieceSign | None = Field(None, exclude_if=lambda sign: sign is None)
    album: str = Field("", exclude_if=lambda album: not album)
    as_channel: bool = Field(False, exclude_if=lambda as_channel: not as_channel)
    mentioned: tuple[Mention, ...] = Field((), exclude_if=lambda mentioned: not mentioned)
    account_names: tuple[str, ...] = Field((), exclude_if=lambda names: not names)
    # left out where there is none, so that what arrived without any reads as it always did
    refers: tuple[MessageReference, ...] = Field((), exclude_if=lambda refers: not refers)
    origins: WordOrigins | None = Field(None, exclude_if=lambda origins: origins is None)
    locale: str = Field("", exclude_if=lambda locale: not locale)

    @property
    def files(self) -> tuple[Attachment, ...]:
        """Everything that can be looked at: what came with it, then what came with that to which it refers."""
        if not self.refers:
            return self.attachments
        others = (file for one in self.refers for file in one.attachments)
        return tuple(dict.fromkeys((*self.attachments, *others)))

    @property
    def person(self) -> PersonKey:
        """The author as an authority check sees them."""
        return PersonKey(self.adapter, self.author.user_id)

    @property
    def answered(self) -> str:
        """The message that an answer replies to: of a result that comes back, the one that it goes back to."""
        return self.replies_to if self.kind is InboundKind.RESULT else self.message_id

    @property
    def aside(self) -> OutboundAddress | None:
        """Where the author of a native command, and nobody else, sees what it is answered; None for all else."""
        if self.ephemeral is None:
            return None
        return OutboundAddress(platform=self.adapter, channel=self.ephemeral, private_to=self.author.user_id)


class Button(FrozenModel):
    """One thing that can be pressed; `data` (at most 64 bytes) is signed, but for a choice, and carries no authority.

    `page` is an address that the platform opens within the chat in the place of a press (empty: it is pressed).
    """

    label: str
    data: str
    page: str = Field("", exclude_if=lambda page: not page)


_CHOICE = "say:"
_CHOICE_MARK = "💬 "
"""What every such button begins with, and no button that does something: nobody takes one for the other."""
MAX_CHOICE_BYTES = 60


def choice_button(words: str) -> Button:
    """Make a button without authority: who presses it has said its words. It is not signed: anybody may say them."""
    return Button(label=f"{_CHOICE_MARK}{words}", data=f"{_CHOICE}{words}")


def choice_of(data: str) -> str:
    """Return the words of a button without authority; empty for every other one."""
    return data.removeprefix(_CHOICE).strip() if data.startswith(_CHOICE) else ""


class OutgoingFile(FrozenModel):
    """A file that goes with a message; `path` is where it is kept, readable by us alone."""

    name: str
    path: str
    mimetype: str


class OutgoingMessage(FrozenModel):
    """One chunk as a platform gets it. `nonce` is at most 25 characters and names it for ever.

    `edits` is the message whose text it becomes, a preview for instance; empty for a message of its own. `since` is
    set when it was tried before: from then on (UTC ms) it may be there already. `answers` names what it answers, the
    same in every program that answers it (empty: nothing of the kind), and `part` which part of the answer it is: of
    two programs with one account a platform that can lets the first one speak. `rich` says the same as `text`, and
    takes its place where the platform draws such a thing.
    """

    nonce: str
    to: OutboundAddress
    text: str
    replies_to: str = ""
    edits: str = ""
    buttons: tuple[Button, ...] = ()
    file: OutgoingFile | None = None
    since: int = 0
    answers: str = ""
    part: int = 0
    rich: RichMessage | None = None


class Preview(FrozenModel):
    """An answer as far as it is written. `message_id` is the message that shows it (empty: none yet).

    `number` names the answer where a platform has drafts; it is never 0. `answers` is as in `OutgoingMessage`.
    """

    to: OutboundAddress
    text: str
    number: int
    message_id: str = ""
    replies_to: str = ""
    answers: str = ""


class Receipt(FrozenModel):
    """The platform's word that it took a message.

    `note` is set where it took it in another form: `markup` says that it went out without its marks, `plain` that a
    card or a poll went out as text, `elsewhere` that another program with the same account was first, so that its
    message stands there.
    """

    message_id: str
    at: int
    note: str = ""


class ButtonPress(FrozenModel):
    """Somebody pressed a button. `data` is attacker-chosen text; the person comes from the platform session.

    `place` is where the button stands. `ephemeral` is where the platform shows things to the presser alone for some
    minutes; None where it cannot. `locale` is the language of their app, if that is told. A button that they alone see
    stands in an ephemeral channel of its own: `around` is the channel in which they see it (None: `channel` is).
    """

    person: PersonKey
    name: str
    channel: ChannelId
    data: str
    place: ChannelPlace = ChannelPlace()
    ephemeral: ChannelId | None = None
    locale: str = Field("", exclude_if=lambda locale: not locale)
    around: ChannelId | None = None
