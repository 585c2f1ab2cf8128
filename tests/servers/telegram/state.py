"""Everything the world holds, and its counters: time is asked for, ids are counted, nothing is random."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from .refusals import CHAT_NOT_FOUND, bad, forbidden
from .values import Bot, Chat, Json, Member, Message, Person

START = 1_750_000_000  # seconds; what the clock says when none is given
FIRST_PERSON = 5_000_000_001
FIRST_BOT = 7_000_000_001
FIRST_GROUP = -4_000_001
FIRST_SUPERGROUP = -1_002_000_000_001


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as somebody sends it."""

    name: str
    content: bytes
    mime: str = "application/octet-stream"


@dataclass(frozen=True, slots=True)
class Stored:
    """A file as Telegram keeps it; `size` may be claimed larger than the content is."""

    id: str
    unique_id: str
    path: str
    upload: Upload
    size: int


@dataclass(slots=True, eq=False)
class Press:
    """A button that somebody pressed, and what the bot answered; apps show the first answer."""

    id: str
    person: Person
    bot: Bot
    message: Message
    data: str
    at: int
    answers: list[Json] = field(default_factory=list)

    @property
    def answer(self) -> Json | None:
        """Return what the person saw."""
        return self.answers[0] if self.answers else None


@dataclass(slots=True)
class Switches:
    """What a test may turn: behaviour that differs between accounts, versions and reports.

    `mentions_pass_privacy`: whether a bare @bot reaches a bot in privacy mode, which is contested.
    `drafts`: whether sendMessageDraft is allowed. `rich`: whether the server knows rich messages (Bot API 10.1).
    `polls`: whether it knows those. `private_topics`: whether createForumTopic in a private chat is.
    `callback_life`: seconds in which a button press may be answered. `pace`: seconds between messages to one chat, or
    0 for no flood control.
    """

    mentions_pass_privacy: bool = True
    drafts: bool = True
    rich: bool = True
    polls: bool = True
    private_topics: bool = True
    callback_life: int = 900
    pace: float = 0


@dataclass(slots=True, eq=False)
class State:
    """The world's content."""

    clock: Callable[[], float] = lambda: START
    passed: float = 0
    switches: Switches = field(default_factory=Switches)
    people: dict[int, Person] = field(default_factory=dict)
    bots: dict[str, Bot] = field(default_factory=dict)
    chats: dict[int, Chat] = field(default_factory=dict)
    privates: dict[tuple[int, int], Chat] = field(default_factory=dict)
    files: dict[str, Stored] = field(default_factory=dict)
    photos: dict[str, list[Json]] = field(default_factory=dict)
    presses: dict[str, Press] = field(default_factory=dict)
    last_sent: dict[int, float] = field(default_factory=dict)
    drafts: list[tuple[Chat, int, str]] = field(default_factory=list)
    counters: dict[str, int] = field(default_factory=dict)

    @property
    def exact(self) -> float:
        """Return the time in seconds."""
        return self.clock() + self.passed

    @property
    def now(self) -> int:
        """Return the time as the API writes it."""
        return int(self.exact)

    def count(self, what: str, first: int = 1, step: int = 1) -> int:
        """Return the next number of a series."""
        number = self.counters.get(what, first)
        self.counters[what] = number + step
        return number

    def message_id(self, chat: Chat) -> int:
        """Count messages: supergroups and channels by themselves (1 is their creation), all other chats together."""
        if chat.kind in ("supergroup", "channel"):
            return self.count(f"messages of {chat.id}", 2)
        return self.count("messages")

    def store(self, upload: Upload, folder: str, size: int | None = None) -> Stored:
        """Keep a file."""
        number = self.count("files")
        path = f"{folder}/file_{number}.{upload.name.rpartition('.')[2]}"
        unique = f"AgAD{number:08d}"
        known = Stored(f"BQACAgIAAxk{number:012d}{unique}", unique, path, upload, size or len(upload.content))
        self.files[known.id] = known
        return known

    def private(self, bot: Bot, person: Person) -> Chat:
        """Return the private chat of a bot and a person, started or not."""
        key = (bot.id, person.id)
        if key not in self.privates:
            self.privates[key] = Chat(person.id, "private", person=person, bot=bot, is_forum=False)
        return self.privates[key]

    def find(self, bot: Bot, chat_id: object) -> Chat:
        """Find a chat as a bot names it, by id or @name; a chat it never heard of is not found."""
        if isinstance(chat_id, str) and chat_id.startswith("@"):
            named = [chat for chat in self.chats.values() if chat.username == chat_id[1:]]
            return _first(named)
        number = _number(chat_id)
        if any(other.id == number for other in self.bots.values()):
            raise forbidden("bot can't send messages to bots")
        person = self.people.get(number)
        if person is not None and self.knows(bot, person):
            return self.private(bot, person)
        return _first([chat for chat in [self.chats.get(number)] if chat and bot.id in chat.members])

    def knows(self, bot: Bot, person: Person) -> bool:
        """Say whether a bot has met somebody, in private or in a common chat."""
        if (chat := self.privates.get((bot.id, person.id))) and chat.is_started:
            return True
        return any(bot.id in chat.members and person.id in chat.members for chat in self.chats.values())

    def member(self, chat: Chat, who: Person) -> Member:
        """Return the membership, made when there is none."""
        return chat.members.setdefault(who.id, Member(who, "left"))


def _number(chat_id: object) -> int:
    if isinstance(chat_id, int):
        return chat_id
    text = str(chat_id or "")
    if not text:
        raise bad("chat_id is empty")
    return int(text) if text.lstrip("-").isdecimal() else 0


def _first(chats: list[Chat]) -> Chat:
    if not chats:
        raise bad(CHAT_NOT_FOUND)
    return chats[0]
