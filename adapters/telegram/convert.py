"""Turn updates into what the bot hears: every update leaves a row, whatever it is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple, TypeVar, cast

import structlog
from telegram import (
    CallbackQuery,
    Chat,
    ChatMember,
    ChatMemberUpdated,
    MaybeInaccessibleMessage,
    Message,
    MessageEntity,
    MessageReactionUpdated,
    ReactionType,
    TelegramObject,
    Update,
    User,
)
from telegram.constants import ChatType

from adapters.telegram.authors import (
    ANONYMOUS_ADMIN,
    TelegramAccount,
    author,
    author_of,
    chat_author,
    locale_of,
    unknown_author,
)
from adapters.telegram.message import CONTENT, read_message, sent_at
from adapters.telegram.places import (
    GENERAL,
    NAME,
    KnownPlaces,
    TelegramPlace,
    business_place,
    chat_place,
    place_of,
    unknown_place,
)
from bot.domain.ids import PersonKey, UserId, channel_id
from bot.domain.messages import (
    Author,
    AuthorKind,
    ButtonPress,
    ChannelPlace,
    EventKind,
    Inbound,
    InboundKind,
    PlatformEvent,
)
from bot.text.text import clean

log = structlog.get_logger(__name__)

_MESSAGES = ("message", "edited_message", "channel_post", "edited_channel_post")
_BOT_NAME = re.compile(r"@(\w{2,29}bot)(?!\w)", re.ASCII | re.IGNORECASE)
_OF_BUSINESS = frozenset({"business_message", "edited_business_message"})
_EDITS = frozenset({"edited_message", "edited_channel_post", "edited_business_message"})
_AS_GUEST = "guest_message"
_KINDS = frozenset(map(str, Update.ALL_TYPES))
_PRESENT_STATUSES = {ChatMember.OWNER, ChatMember.ADMINISTRATOR, ChatMember.MEMBER}
_FRAME = re.compile(
    r"message_id|message_thread_id|direct_messages_topic|from|sender_chat|sender_boost_count"
    r"|sender_business_bot|sender_tag|date|edit_date|business_connection_id|chat|is_topic_message"
    r"|is_automatic_forward|reply_to_message|reply_markup|has_protected_content|author_signature|via_bot"
    r"|external_reply|quote|effect_id|entities|caption_entities|link_preview_options|is_from_offline"
    r"|media_group_id|show_caption_above_media|forward_origin|has_media_spoiler|paid_star_count|is_paid_post"
)
"""The fields of a message that neither say something nor tell of an event."""
T = TypeVar("T", bound=TelegramObject)
_FIELDS = frozenset({"message_id", "date", "chat", "from", "text", "entities"})
"""A message with any other field is the library's to read."""
_MAX_UNIX_SECONDS = 253_402_300_799
_OF_CHAT: Mapping[str, type] = {"title": str, "username": str, "first_name": str, "last_name": str}
_OF_USER: Mapping[str, type] = {"username": str, "last_name": str, "language_code": str}


class PressedButton(NamedTuple):
    """A button was pressed. `press` is None where nothing may follow: the message cannot be seen any more."""

    query: str
    press: ButtonPress | None
    language: str = ""
    """The language of who pressed it, as the platform knows it (empty: it does not)."""


class UpdateResult(NamedTuple):
    """What an update comes to."""

    inbound: Inbound
    pressed: PressedButton | None = None


class TelegramParseContext(NamedTuple):
    """What updates are read with: who the bot is, what names are known, and the time for what carries none (UTC ms)."""

    me: TelegramAccount
    known: KnownPlaces
    now: int


class _Happening(NamedTuple):
    """What tells of an event."""

    name: str
    at: TelegramPlace
    by: Author
    when: int
    kind: EventKind = EventKind.OTHER
    moved_to: int | None = None
    about: str = ""
    what: str = ""


def convert_update(update: dict[str, Any], hearing: TelegramParseContext) -> UpdateResult:
    """Read one update. One that cannot be read leaves a row too, without its content."""
    number = number_of(update)
    kind = next((key for key in update if key != "update_id"), "empty")
    try:
        body = (read_plain_message(update[kind]) if kind in _MESSAGES else None) or getattr(
            Update.de_json(update), kind, None
        )
        if kind in _MESSAGES and isinstance(body, Message):
            return _message(body, update[kind], number, hearing)
        if isinstance(body, CallbackQuery):
            return _callback(body, number, hearing)
        if body is None and kind not in _KINDS:
            return UpdateResult(_unread(kind, update.get(kind), number, hearing))
        if kind == _AS_GUEST and isinstance(body, Message):
            return UpdateResult(_unread(kind, update[kind], number, hearing))
        return UpdateResult(_event(_happening(kind, body, hearing), number))
    except Exception as error:  # noqa: BLE001 - one update that nobody foresaw must not keep all others from being heard
        log.warning("telegram_update_unreadable", kind=kind, error_type=type(error).__name__)
        return UpdateResult(_unread(f"unreadable {kind}", update.get(kind), number, hearing, type(error).__name__))


def move_event(old: int, new: int, now: int) -> Inbound:
    """Tell that a group has another id from now on, as a refused call says it."""
    place = TelegramPlace(channel_id(NAME, old), str(old), ChannelPlace(guild_id=str(old)))
    happening = _Happening("migrate_to_chat_id", place, unknown_author(), now, EventKind.MOVED, new)
    return _event(happening, f"moved-{new}")


def bots_called(update: dict[str, Any]) -> Iterator[str]:
    """Yield the names in a message that may be bots', in lower case.

    All of theirs end in `bot` (https://core.telegram.org/bots/features#creating-a-new-bot).
    """
    for kind in _MESSAGES:
        body = update.get(kind)
        text = (body.get("text") or body.get("caption")) if isinstance(body, dict) else None
        if isinstance(text, str) and "@" in text:
            yield from (name.lower() for name in _BOT_NAME.findall(text))


def number_of(update: dict[str, Any]) -> int:
    """Return an update's number; 0 for what has none."""
    number = update.get("update_id")
    return number if isinstance(number, int) else 0


def _message(message: Message, raw: dict[str, Any], number: int, hearing: TelegramParseContext) -> UpdateResult:
    hearing.known.learn(message)
    if not CONTENT.isdisjoint(raw):
        return UpdateResult(read_message(message, number, hearing.me, hearing.known))
    name = next((key for key in raw if not _FRAME.fullmatch(key)), "message")
    if not hasattr(message, name) and not message.edit_date and name != "message":
        # neither words nor an event that the library knows: somebody said it all the same
        return UpdateResult(_unread(name, raw, number, hearing))
    at = chat_place(message.chat, message, hearing.known)
    to = message.migrate_to_chat_id
    kind = EventKind.MOVED if to else EventKind.OTHER
    if to:
        hearing.known.moved[message.chat.id] = to
    by = author_of(message, hearing.me)
    return UpdateResult(_event(_Happening(name, at, by, sent_at(message), kind, to), number))


def _unread(name: str, raw: object, number: int, hearing: TelegramParseContext, what: str = "") -> Inbound:
    """Keep of a message that cannot be read where it stands and who wrote it, so that it can be asked about there."""
    found = outline_of(raw, hearing.me, hearing.known)
    is_new = name.removeprefix("unreadable ") not in _EDITS and bool(found.number)
    kind = EventKind.UNREADABLE if is_new else EventKind.OTHER
    happening = _Happening(name[:100], found.at, found.by, found.sent or hearing.now, kind)
    kept = _event(happening, number)
    return kept.replace(
        message_id=str(found.number) if is_new else kept.message_id,
        event=PlatformEvent(kind=kind, name=happening.name, what=what),
        mentions_bot=found.calls,
        replies_to=str(found.answers or ""),
        replies_to_bot=found.answers_bot,
    )


def _callback(query: CallbackQuery, number: int, hearing: TelegramParseContext) -> UpdateResult:
    message = query.message
    at = _place_of(message, hearing.known)
    by = author(query.from_user, hearing.me)
    person = PersonKey(NAME, UserId(str(query.from_user.id)))
    press = None
    if message is not None and message.is_accessible and query.data:
        press = ButtonPress(
            person=person,
            name=by.name,
            channel=at.channel,
            data=clean(query.data).text,
            place=at.place,
            locale=locale_of(query.from_user),
        )
    inbound = _event(_Happening("callback_query", at, by, hearing.now), number)
    return UpdateResult(inbound, PressedButton(query.id, press, locale_of(query.from_user)))


def _happening(kind: str, body: Any, hearing: TelegramParseContext) -> _Happening:
    """Find place, author and time in any other kind of update."""
    if kind == "message_reaction" and isinstance(body, MessageReactionUpdated):
        return _reaction(body, hearing)
    if kind == "my_chat_member" and isinstance(body, ChatMemberUpdated):
        return _membership(body, hearing)
    chat, user = getattr(body, "chat", None), _user_of(body)
    if kind in _OF_BUSINESS and isinstance(body, Message):
        return _business(kind, body, hearing)
    # a business chat is one of other people, though it bears the number of one with the bot
    at = chat_place(chat, None, hearing.known) if isinstance(chat, Chat) and "business" not in kind else unknown_place()
    actor = getattr(body, "actor_chat", None) or getattr(body, "voter_chat", None)
    by = author(user, hearing.me) if user else chat_author(actor) if isinstance(actor, Chat) else unknown_author()
    date = getattr(body, "date", None)
    return _Happening(kind, at, by, round(date.timestamp() * 1000) if date else hearing.now)


def _reaction(change: MessageReactionUpdated, hearing: TelegramParseContext) -> _Happening:
    """Take what somebody thinks of a message; whose that is, Telegram does not tell."""
    before, after = ([_emoji(one) for one in some] for some in (change.old_reaction, change.new_reaction))
    what = [f"+{one}" for one in after if one not in before] + [f"-{one}" for one in before if one not in after]
    by = author(change.user, hearing.me) if change.user else unknown_author()
    if change.user is None and change.actor_chat is not None:
        by = chat_author(change.actor_chat)
    when = round(change.date.timestamp() * 1000)
    at, topic = (
        chat_place(change.chat, None, hearing.known),
        hearing.known.place_of_sent(change.chat.id, change.message_id),
    )
    at = at._replace(channel=topic) if topic is not None else at
    found = _Happening("message_reaction", at, by, when, EventKind.REACTION)
    return found._replace(about=str(change.message_id), what=" ".join(what))


def _business(kind: str, message: Message, hearing: TelegramParseContext) -> _Happening:
    """Take that something was written in a chat of somebody's business account, without the words.

    The bot does not speak in other people's names; that it was asked shows where it is looked for.
    """
    chat = message.chat
    at = business_place(str(message.business_connection_id or "0"), chat.id, chat.full_name or str(chat.id))
    is_asked = message.from_user is not None and message.from_user.id == chat.id
    unheard = EventKind.UNREADABLE if is_asked and kind == "business_message" else EventKind.OTHER
    return _Happening(kind, at, author_of(message, hearing.me), sent_at(message), unheard)


def _emoji(reaction: ReactionType) -> str:
    return str(getattr(reaction, "emoji", "") or getattr(reaction, "custom_emoji_id", "") or reaction.type)


def _membership(change: ChatMemberUpdated, hearing: TelegramParseContext) -> _Happening:
    before, after = _is_present(change.old_chat_member), _is_present(change.new_chat_member)
    kind = EventKind.RIGHTS
    if before != after:
        kind = EventKind.JOINED if after else EventKind.LEFT
    at = chat_place(change.chat, None, hearing.known)
    by = author(change.from_user, hearing.me)
    return _Happening("my_chat_member", at, by, round(change.date.timestamp() * 1000), kind)


def _is_present(member: ChatMember) -> bool:
    return member.status in _PRESENT_STATUSES or bool(getattr(member, "is_member", False))


def _user_of(body: Any) -> User | None:
    found = getattr(body, "from_user", None) or getattr(body, "user", None)
    return found if isinstance(found, User) else None


def _place_of(message: MaybeInaccessibleMessage | None, known: KnownPlaces) -> TelegramPlace:
    if message is None:
        return unknown_place()
    return chat_place(message.chat, message if isinstance(message, Message) else None, known)


def _event(happening: _Happening, number: int | str) -> Inbound:
    to = happening.moved_to
    return Inbound(
        adapter=NAME,
        channel=happening.at.channel,
        channel_name=happening.at.name,
        place=happening.at.place,
        kind=InboundKind.EVENT,
        message_id=f"u{number}",
        author=happening.by,
        text="",
        sent_at=happening.when,
        replies_to=happening.about,
        event=PlatformEvent(
            kind=happening.kind,
            name=happening.name,
            moved_to=channel_id(NAME, to) if to is not None else None,
            what=happening.what,
        ),
    )


def _lean_subclass(kind: type[T]) -> type[T]:
    """Return a subclass whose fields are absent until they are set."""
    fields = [name for one in kind.__mro__ for name in getattr(one, "__slots__", ()) if not name.startswith("_")]
    absent = {name: () if name in {"entities", "caption_entities", "photo"} else None for name in fields}
    return cast(type[T], type(f"Plain{kind.__name__}", (kind,), absent))


_Message, _Chat, _User = _lean_subclass(Message), _lean_subclass(Chat), _lean_subclass(User)


def read_plain_message(raw: object) -> Message | None:
    """Return a text message as the library would read it, as far as anybody here looks; None for anything else."""
    if not isinstance(raw, dict) or not raw.keys() <= _FIELDS:
        return None
    number, date, text = raw.get("message_id"), raw.get("date"), raw.get("text")
    if (
        type(number) is not int
        or type(date) is not int
        or not isinstance(text, str)
        or not 0 <= date <= _MAX_UNIX_SECONDS
    ):
        return None
    chat, user, entities = _chat(raw.get("chat")), _user(raw.get("from")), _entities(raw.get("entities", []))
    if chat is None or user is None or entities is None:
        return None
    when = datetime.fromtimestamp(date, UTC)
    return _make_object(_Message, message_id=number, date=when, chat=chat, from_user=user, text=text, entities=entities)


def _chat(raw: object) -> Chat | None:
    if not isinstance(raw, dict) or type(raw.get("id")) is not int or not isinstance(raw.get("type"), str):
        return None
    known = _known_fields(raw, _OF_CHAT)
    return None if known is None else _make_object(_Chat, id=raw["id"], type=raw["type"], **known)


def _user(raw: object) -> User | None:
    if not isinstance(raw, dict) or type(raw.get("id")) is not int or type(raw.get("is_bot")) is not bool:
        return None
    known = _known_fields(raw, _OF_USER)
    if known is None or not isinstance(raw.get("first_name"), str):
        return None
    return _make_object(_User, id=raw["id"], is_bot=raw["is_bot"], first_name=raw["first_name"], **known)


def _known_fields(raw: Mapping[str, Any], fields: Mapping[str, type]) -> dict[str, Any] | None:
    """Return the fields that are there; None when one is not of its type."""
    known = {name: raw[name] for name in fields if name in raw}
    return known if all(isinstance(value, fields[name]) for name, value in known.items()) else None


def _entities(raw: object) -> tuple[MessageEntity, ...] | None:
    if not isinstance(raw, list):
        return None
    return MessageEntity.de_list(raw) if raw else ()


def _make_object(kind: type[T], **fields: object) -> T:
    # the library's own constructor sets every field there is, one checked assignment each
    made = kind.__new__(kind)
    made.__dict__.update(fields)
    return made


class UnreadOutline(NamedTuple):
    """What is left of a message whose content nobody could read; `number` is 0 and `sent` None where it tells none."""

    at: TelegramPlace
    by: Author
    number: int
    sent: int | None
    calls: bool
    answers: int
    answers_bot: bool


def outline_of(raw: Any, me: TelegramAccount, known: KnownPlaces) -> UnreadOutline:
    """Look at the raw fields, of which any may be missing or of another kind; raises nothing."""
    body = raw if isinstance(raw, dict) else {}
    holder = body if isinstance(body.get("chat"), dict) else _object(body, "message")
    date, answered = body.get("date"), _object(body, "reply_to_message")
    return UnreadOutline(
        at=_chat_place(holder, known),
        by=_author(body, me),
        number=_whole_number(body, "message_id") or 0,
        sent=date * 1000 if isinstance(date, int) and 0 < date <= _MAX_UNIX_SECONDS else None,
        calls=_calls(body, me),
        answers=_whole_number(answered, "message_id") or 0,
        answers_bot=_whole_number(_object(answered, "from"), "id") == me.id,
    )


def _chat_place(holder: dict[str, Any], known: KnownPlaces) -> TelegramPlace:
    chat, thread = _object(holder, "chat"), _whole_number(holder, "message_thread_id")
    number = _whole_number(chat, "id")
    if number is None:
        return unknown_place()
    is_private = chat.get("type") == ChatType.PRIVATE or (number > 0 and "type" not in chat)
    is_topic = bool(holder.get("is_topic_message")) and (is_private or thread != GENERAL)
    return place_of(number, str(chat.get("title") or ""), thread if is_topic else None, known, is_private=is_private)


def _author(body: dict[str, Any], me: TelegramAccount) -> Author:
    user, stands_in = _object(body, "from") or _object(body, "user"), _object(body, "sender_chat")
    chat = _whole_number(stands_in, "id")
    if chat is not None:
        is_own = chat == _whole_number(_object(body, "chat"), "id")
        kind = AuthorKind.ANONYMOUS_ADMIN if is_own else AuthorKind.CHANNEL_POST
        return Author(user_id=UserId(str(chat)), name=_name(stands_in, "title", chat), kind=kind)
    number = _whole_number(user, "id")
    if number is None:
        return unknown_author()
    found = author(User(number, _name(user, "first_name", number), user.get("is_bot") is True), me)
    return found.replace(kind=AuthorKind.ANONYMOUS_ADMIN) if number == ANONYMOUS_ADMIN else found


def _calls(body: dict[str, Any], me: TelegramAccount) -> bool:
    """Say whether the bot is named; the words themselves are looked at, and not kept."""
    for words, spans in (("text", "entities"), ("caption", "caption_entities")):
        text, listed = body.get(words), body.get(spans)
        named = [_object(one, "user") for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
        if any(_whole_number(user, "id") == me.id for user in named):
            return True
        if isinstance(text, str) and me.username and re.search(rf"(?<!\w)@{me.username}(?!\w)", text, re.IGNORECASE):
            return True
    return False


def _name(of: dict[str, Any], field: str, number: int) -> str:
    found = of.get(field)
    return clean(found).text if isinstance(found, str) and found else str(number)


def _object(body: dict[str, Any], name: str) -> dict[str, Any]:
    found = body.get(name)
    return found if isinstance(found, dict) else {}


def _whole_number(body: dict[str, Any], name: str) -> int | None:
    found = body.get(name)
    return found if type(found) is int else None
