"""People talk: they say, edit, react, press, and start."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .delivery import admin_bots, announce, deliver
from .members import private_change
from .places import Places
from .posting import document, photo, post, quoted, revise
from .spans import found
from .state import Press, Upload
from .values import GENERAL, Bot, Chat, Json, Message, Person, Topic, written

ANONYMOUS = Person(1087968824, "Group", "GroupAnonymousBot", None, None)
DEEP_LINK = re.compile(r"[A-Za-z0-9_-]{1,64}")
LINK = re.compile(r"https://t\.me/(\w+)(?:\?start=([A-Za-z0-9_-]{1,64}))?")
File = bytes | Upload


class Talk(Places):
    """The world as people talk in it."""

    def say(
        self,
        chat: Chat,
        person: Person,
        text: str = "",
        *,
        topic: Topic | int | None = None,
        reply_to: Message | None = None,
        photo: File | None = None,
        document: File | None = None,
        anonymous: bool = False,
        extra: Mapping[str, Any] | None = None,
    ) -> Message:
        """Let somebody write; with a file the text is its caption. `extra` adds raw fields, or removes one by None."""
        self._enter(chat, person)
        content = self._content(text, photo, document)
        thread = topic.id if isinstance(topic, Topic) else topic
        if target := _target(chat, reply_to, thread):
            content["reply_to_message"] = quoted(target)
        if anonymous:
            content |= {"from": _anonymous(), "sender_chat": chat.json()}
        return post(self, chat, person, content | dict(extra or {}), thread)

    def publish(self, channel: Chat, text: str, **extra: Any) -> Message:
        """Post in a channel, signed by nobody."""
        content = written(text=text, entities=found(text) or None, sender_chat=channel.json()) | extra
        return post(self, channel, None, content)

    def edit(self, message: Message, text: str, *, silently: bool = False) -> Message:
        """Let the author change the text or caption; silently: without an update."""
        field, spans = ("text", "entities") if "text" in message.json else ("caption", "caption_entities")
        revise(self, message, {field: text, spans: found(text) or None})
        if not silently:
            deliver(self, message, "edited_channel_post" if message.chat.kind == "channel" else "edited_message")
        return message

    def delete(self, message: Message) -> None:
        """Let somebody delete a message; the Bot API tells no bot of it."""
        message.is_deleted = True

    def press(self, message: Message, button: str, person: Person, *, raw: bool = False) -> Press:
        """Press a button by its text or its data; `raw` sends `button` as data that no button has."""
        data = button if raw else _data(message, button)
        bot = message.author if isinstance(message.author, Bot) else message.chat.bot or self.only_bot()
        return self._press(bot, message, data, person)

    def press_again(self, press: Press) -> None:
        """Send the same unanswered query once more, under a new update id, as apps do."""
        self._ask(press)

    def start(self, person: Person, payload: str = "", *, bot: Bot | None = None) -> Message:
        """Press Start, or follow a deep link; it also lifts a block."""
        if payload and not DEEP_LINK.fullmatch(payload):
            raise ValueError(f"a deep link carries up to 64 letters, digits, _ and -; not {payload!r}")
        chat = self.dm(person, bot)
        if chat.is_blocked:
            chat.is_blocked = False
            private_change(self, chat, "kicked", "member")
        return self.say(chat, person, f"/start {payload}".rstrip())

    def follow(self, person: Person, link: str) -> Message:
        """Follow `https://t.me/<bot>?start=<payload>`."""
        match = LINK.fullmatch(link)
        bot = next((one for one in self.bots.values() if match and one.username == match[1]), None)
        if match is None or bot is None:
            raise ValueError(f"{link!r} leads to no bot of this world")
        return self.start(person, match[2] or "", bot=bot)

    def block(self, person: Person, bot: Bot | None = None) -> None:
        """Block the bot in private."""
        chat = self.dm(person, bot)
        chat.is_blocked = True
        private_change(self, chat, "member", "kicked")

    def react(self, message: Message, person: Person, *emoji: str) -> None:
        """Set somebody's reactions; none takes them back."""
        old = message.reactions.get(person.id, [])
        message.reactions[person.id] = [{"type": "emoji", "emoji": one} for one in emoji]
        update = {
            "chat": message.chat.json(),
            "message_id": message.id,
            "user": person.user(),
            "date": self.now,
            "old_reaction": old,
            "new_reaction": message.reactions[person.id],
        }
        announce(self, "message_reaction", update, admin_bots(message.chat))

    def push(self, update: Mapping[str, Any], bot: Bot | None = None) -> None:
        """Queue any update as it stands; it gets the next id when it has none."""
        (bot or self.only_bot()).inlet.push(dict(update))

    def _enter(self, chat: Chat, person: Person) -> None:
        if chat.successor is not None:
            raise ValueError(f"{chat.title!r} has moved: speak in the supergroup")
        if chat.kind != "private":
            if not chat.member(person).is_present:
                raise ValueError(f"{person.name} is not in {chat.title!r}: let them join first")
        elif chat.person is not person:
            raise ValueError(f"{person.name} cannot write in somebody else's private chat")
        elif chat.is_blocked:
            raise ValueError(f"{person.name} has blocked the bot: let them start it first")
        else:
            chat.is_started = True

    def _content(self, text: str, picture: File | None, file: File | None) -> Json:
        entities = found(text) or None
        if picture is None and file is None:
            return written(text=text, entities=entities)
        content = written(caption=text or None, caption_entities=entities)
        if picture is not None:
            return content | {"photo": photo(self, _upload(picture, "photo.jpg", "image/jpeg"))}
        assert file is not None
        stored = self.store(_upload(file, "file.txt", "text/plain"), "documents")
        return content | {"document": document(stored)}

    def _press(self, bot: Bot, message: Message, data: str, person: Person) -> Press:
        number = self.count("presses", 4_000_000_000_000_000_001)
        press = self.presses[str(number)] = Press(str(number), person, bot, message, data, self.now)
        self._ask(press)
        return press

    def _ask(self, press: Press) -> None:
        message, shown = press.message, press.message.json
        if message.is_deleted:
            shown = {"chat": message.chat.json(), "message_id": message.id, "date": 0}
        query = {"id": press.id, "from": press.person.user(), "message": shown, "data": press.data}
        announce(self, "callback_query", query | {"chat_instance": f"{message.chat.id * 31}"}, [press.bot])


def _anonymous() -> Json:
    return ANONYMOUS.user() | {"is_bot": True}


def _target(chat: Chat, reply_to: Message | None, thread: int | None) -> Message | None:
    """Return what a message answers; in a topic of a supergroup that is the topic's first message when nothing else."""
    if reply_to is not None or thread is None or thread == GENERAL or chat.kind != "supergroup":
        return reply_to
    return chat.messages.get(thread)


def _upload(file: File, name: str, mime: str) -> Upload:
    return file if isinstance(file, Upload) else Upload(name, file, mime)


def _data(message: Message, button: str) -> str:
    for one in message.buttons:
        if button in (one.get("text"), one.get("callback_data")) and "callback_data" in one:
            data: str = one["callback_data"]
            return data
    raise ValueError(f"no button {button!r}; there are {[one.get('text') for one in message.buttons]}")
