"""What the world is made of: people, bots, chats, topics, memberships and messages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from . import rich_mode
from .inlet import Inlet

Json = dict[str, Any]
Kind = Literal["private", "group", "supergroup", "channel"]
Status = Literal["creator", "administrator", "member", "restricted", "left", "kicked"]

PRESENT = ("creator", "administrator", "member", "restricted")
GENERAL = 1  # the topic every forum has; its messages carry no thread id


@dataclass(slots=True, eq=False)
class Person:
    """Somebody with an account; a user id is above 32 bits, as new accounts' are."""

    id: int
    first_name: str
    username: str | None = None
    last_name: str | None = None
    language_code: str | None = "en"

    @property
    def is_bot(self) -> bool:
        """Say whether a program speaks here."""
        return False

    @property
    def name(self) -> str:
        """Name them in a transcript."""
        return self.first_name

    def user(self) -> Json:
        """Write the `User` object."""
        return written(
            id=self.id,
            is_bot=self.is_bot,
            first_name=self.first_name,
            last_name=self.last_name,
            username=self.username,
            language_code=self.language_code,
        )


@dataclass(slots=True)
class Webhook:
    """Where updates go instead of getUpdates; nothing is ever delivered there."""

    url: str = ""
    last_error_date: int | None = None
    last_error_message: str | None = None
    max_connections: int | None = None
    secret_token: str | None = None
    ip_address: str | None = None


@dataclass(slots=True, eq=False)
class Bot(Person):
    """An account that is driven by a token, and what BotFather can switch of it.

    `privacy` is the group privacy mode; `topics` is "threaded mode" in private chats (`has_topics_enabled`).
    """

    token: str = ""
    privacy: bool = True
    joins_groups: bool = True
    topics: bool = False
    inline: bool = False
    inlet: Inlet = field(default_factory=Inlet)
    webhook: Webhook = field(default_factory=Webhook)
    commands: dict[str, list[Json]] = field(default_factory=dict)

    @property
    def is_bot(self) -> bool:
        """Say whether a program speaks here."""
        return True

    @property
    def name(self) -> str:
        """Name it in a transcript."""
        return self.username or self.first_name

    def me(self) -> Json:
        """Write the `User` object as getMe does, with what only the bot itself may know."""
        return self.user() | {
            "can_join_groups": self.joins_groups,
            "can_read_all_group_messages": not self.privacy,
            "supports_inline_queries": self.inline,
            "can_connect_to_business": False,
            "has_main_web_app": False,
            "has_topics_enabled": self.topics,
            "allows_users_to_create_topics": False,
        }


@dataclass(slots=True)
class Member:
    """What somebody is in a chat, and which rights or permissions differ from the usual ones."""

    who: Person
    status: Status = "member"
    rights: dict[str, bool] = field(default_factory=dict)
    until: int = 0

    @property
    def is_present(self) -> bool:
        """Say whether they are in the chat."""
        return self.status in PRESENT

    @property
    def is_admin(self) -> bool:
        """Say whether they run the chat."""
        return self.status in ("creator", "administrator")


@dataclass(slots=True, eq=False)
class Topic:
    """A thread of a forum, or of a private chat with a bot that has topics."""

    id: int
    name: str
    icon_color: int = 0x6FB9F0
    icon_custom_emoji_id: str | None = None
    is_closed: bool = False

    def json(self) -> Json:
        """Write the `ForumTopic` object."""
        return written(
            message_thread_id=self.id,
            name=self.name,
            icon_color=self.icon_color,
            icon_custom_emoji_id=self.icon_custom_emoji_id,
        )


@dataclass(slots=True, eq=False)
class Message:
    """One message as it stands now; `json` is its Bot API form."""

    id: int
    chat: Chat
    author: Person | None
    json: Json
    is_deleted: bool = False
    edits: int = 0
    reactions: dict[int, list[Json]] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """Return what it says, caption included."""
        said = self.json.get("text") or self.json.get("caption")
        if "poll" in self.json:
            said = _poll_text(self.json["poll"])
        return str(said or (rich_mode.plain(self.json["rich_message"]) if "rich_message" in self.json else ""))

    @property
    def thread(self) -> int | None:
        """Return the id of its topic or reply thread."""
        thread: int | None = self.json.get("message_thread_id")
        return thread

    @property
    def reply_to(self) -> int | None:
        """Return the id of the message it answers."""
        target: int | None = self.json.get("reply_to_message", {}).get("message_id")
        return target

    @property
    def buttons(self) -> list[Json]:
        """List the inline buttons, row after row."""
        rows = self.json.get("reply_markup", {}).get("inline_keyboard", [])
        return [button for row in rows for button in row]


@dataclass(slots=True, eq=False)
class Chat:
    """A place; a private chat belongs to one bot and one person, and its id is the person's."""

    id: int
    kind: Kind
    title: str = ""
    username: str | None = None
    is_forum: bool = False
    slow_mode: int = 0
    stars: int = 0
    person: Person | None = None
    bot: Bot | None = None
    is_started: bool = False
    is_blocked: bool = False
    members: dict[int, Member] = field(default_factory=dict)
    permissions: dict[str, bool] = field(default_factory=dict)
    topics: dict[int, Topic] = field(default_factory=dict)
    messages: dict[int, Message] = field(default_factory=dict)
    successor: Chat | None = None
    linked: Chat | None = None

    @property
    def is_group(self) -> bool:
        """Say whether many people talk here."""
        return self.kind in ("group", "supergroup")

    def json(self) -> Json:
        """Write the `Chat` object."""
        if self.person is not None:
            user = self.person.user()
            names = {key: user[key] for key in ("first_name", "last_name", "username") if key in user}
            return {"id": self.id, "type": "private"} | names
        forum = True if self.is_forum else None
        return written(id=self.id, type=self.kind, title=self.title, username=self.username, is_forum=forum)

    def member(self, who: Person) -> Member:
        """Say what somebody is here; a stranger has left."""
        return self.members.get(who.id, Member(who, "left"))

    def bots(self) -> list[Bot]:
        """List the bots that are here."""
        if self.bot is not None:
            return [self.bot]
        return [member.who for member in self.members.values() if isinstance(member.who, Bot) and member.is_present]


def _poll_text(poll: Json) -> str:
    return f"📊 {poll['question']} ({' / '.join(one['text'] for one in poll['options'])})"


def words(text: str) -> tuple[str, ...]:
    """Read a table of names that would be long as a list."""
    return tuple(text.split())


def written(**fields: Any) -> Json:
    """Write an object without the fields that have no value, as the API does."""
    return {key: value for key, value in fields.items() if value is not None}


def merged(first: Json, second: Mapping[str, Any] | None) -> Json:
    """Join two objects; a None in the second removes a field."""
    return {key: value for key, value in (first | dict(second or {})).items() if value is not None}
