"""People talk: they say, edit, react, press, and use commands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import content, posting
from .bot import Bot
from .channel import FORUM, PRIVATE_THREAD, PUBLIC_THREAD, Channel
from .interaction import COMMAND, COMPONENT, MODAL, Interaction
from .message import Message
from .options import chosen, picked
from .permissions import bits, in_channel, sees
from .values import Json, Role, Upload, User

if TYPE_CHECKING:
    from .state import State

BUTTON = 2
Place = Channel | Bot


@dataclass(slots=True, eq=False, repr=False)
class Person(User):
    """Somebody with an account; `takes_dms` is their privacy switch for direct messages from servers."""

    world: State = None  # type: ignore[assignment]
    takes_dms: bool = True
    locale: str = "en-US"
    """The language of their app, which interactions tell."""

    def dm(self, bot: Bot | None = None) -> Channel:
        """Return the direct messages with a bot (with the only one, when none is named)."""
        return posting.direct(self.world, bot or self.world.only_bot(), self)

    async def says(
        self,
        where: Place,
        text: str = "",
        *,
        mentions: User | Role | Iterable[User | Role] = (),
        reply_to: Message | None = None,
        files: Sequence[Upload] = (),
        **extra: Any,
    ) -> Message:
        """Write; `mentions` go before the text, and more words set raw fields of the wire form."""
        channel = self._enter(where, "send_messages")
        named = [mentions] if isinstance(mentions, User | Role) else list(mentions)
        words = " ".join([*(one.mention for one in named), *([text] if text else [])])
        fields = content.mentioned(channel, self, words, None) | posting.reply_fields(reply_to)
        if reply_to is not None and reply_to.author not in (self, *fields["mentions"]):
            fields["mentions"] = [*fields["mentions"], reply_to.author]
        attachments = [posting.attached(channel, file) for file in files]
        message = posting.post(channel, self, words, attachments=attachments, extra=extra, **fields)
        await self.world.flushed()
        return message

    async def edits(self, message: Message, text: str) -> Message:
        """Change what was said."""
        posting.revise(message, content=text, **content.renamed(message, text, None))
        await self.world.flushed()
        return message

    async def deletes(self, message: Message) -> None:
        """Delete a message; of somebody else's the audit log tells."""
        if message.channel.guild is not None:
            message.channel.guild.log_deletion(self, message.author, message.channel)
        posting.remove(message)
        await self.world.flushed()

    async def reacts(self, message: Message, emoji: str, *, back: bool = False) -> None:
        """React to a message, or take the reaction back."""
        (posting.unreact if back else posting.react)(message, self, emoji)
        await self.world.flushed()

    async def types(self, where: Place) -> None:
        """Begin to type."""
        posting.types(self._enter(where, "send_messages"), self)
        await self.world.flushed()

    async def starts_thread(self, at: Message | Channel, name: str, *, private: bool = False) -> Channel:
        """Open a thread from a message, or in a channel."""
        if isinstance(at, Message):
            thread = posting.branch(at, name, self)
        else:
            thread = posting.open_thread(at, PRIVATE_THREAD if private else PUBLIC_THREAD, name, self)
            if not private:
                posting.announce_thread(thread, self)
        await self.world.flushed()
        return thread

    async def posts(self, forum: Channel, title: str, text: str, **more: Any) -> Channel:
        """Open a post in a forum; its first message has the id of the post."""
        if forum.kind != FORUM:
            raise ValueError(f"#{forum.name} is no forum")
        self._enter(forum, "send_messages")
        thread = posting.open_thread(forum, PUBLIC_THREAD, title, self)
        posting.post(thread, self, text, thread.id, **content.mentioned(thread, self, text, None), **more)
        await self.world.flushed()
        return thread

    async def presses(self, message: Message, button: str, *, raw: bool = False) -> Interaction:
        """Press a button by its label or its id; `raw` sends the words as an id that no button has."""
        control = {"custom_id": button, "type": BUTTON} if raw else _control(message, button)
        if control.get("disabled"):
            raise ValueError(f"the button {button!r} is disabled")
        return await self._use(message, {"custom_id": control["custom_id"], "component_type": BUTTON})

    async def chooses(self, message: Message, menu: str, *values: str) -> Interaction:
        """Choose from a menu, named by its id or its placeholder, by the labels or values of its options."""
        control = _control(message, menu)
        options = {one["label"]: one["value"] for one in control.get("options", ())}
        data = {"custom_id": control["custom_id"], "component_type": control["type"]}
        return await self._use(message, data | {"values": [options.get(value, value) for value in values]})

    async def slash(self, where: Place, command: str, **options: Any) -> Interaction:
        """Use a command, named with its group and subcommand, such as `memory forget`."""
        channel = self._enter(where, "use_application_commands")
        bot = next(user for user in _bots(channel) if isinstance(user, Bot))
        data = chosen(bot, channel, command, options)
        if (needed := data.pop("needs", None)) and not in_channel(channel, self) & int(needed) == int(needed):
            raise ValueError(f"{self.name} is not shown /{command} in #{channel.name}: it needs permissions {needed}")
        return await self._interacts(bot, COMMAND, channel, data)

    async def picks(self, command: str, message: Message) -> Interaction:
        """Use a command from the menu of a message: *Apps*, and its name."""
        channel = self._enter(message.channel, "use_application_commands")
        bot = next(user for user in _bots(channel) if isinstance(user, Bot))
        data = picked(bot, channel, command, message)
        if (needed := data.pop("needs", None)) and not in_channel(channel, self) & int(needed) == int(needed):
            raise ValueError(f"{self.name} is not shown {command!r} in #{channel.name}: it needs permissions {needed}")
        return await self._interacts(bot, COMMAND, channel, data)

    async def submits(self, asked: Interaction, **fields: str) -> Interaction:
        """Send the form that an interaction showed, by the ids of its fields."""
        if asked.modal is None:
            raise ValueError("no form was shown")
        rows = [{"type": 1, "components": [{"type": 4, "custom_id": key, "value": fields[key]}]} for key in fields]
        data = {"custom_id": asked.modal["custom_id"], "components": rows}
        return await self._interacts(asked.bot, MODAL, asked.channel, data, asked.message)

    async def _use(self, message: Message, data: Json) -> Interaction:
        if message.is_for not in (None, self):
            raise ValueError(f"{self.name} does not see that message")
        bot = message.author if isinstance(message.author, Bot) else self.world.only_bot()
        return await self._interacts(bot, COMPONENT, message.channel, data, message)

    async def _interacts(
        self, bot: Bot, kind: int, channel: Channel, data: Json, message: Message | None = None
    ) -> Interaction:
        world = self.world
        number = world.snowflake()
        token = f"aW50ZXJhY3Rpb246{number}"
        interaction = Interaction(number, token, kind, bot, self, channel, data, world.now, message)
        world.interactions[token] = interaction
        interaction.send()
        await world.flushed()
        return interaction

    def _enter(self, where: Place, permission: str) -> Channel:
        channel = self.dm(where) if isinstance(where, Bot) else where
        if channel.is_gone:
            raise ValueError(f"#{channel.name} is deleted")
        if channel.is_thread and permission == "send_messages":
            permission = "send_messages_in_threads"
        if not sees(channel, self) or not in_channel(channel, self) & bits([permission]):
            raise ValueError(f"{self.name} lacks {permission} in #{channel.name}")
        return channel


def _control(message: Message, words: str) -> Json:
    for one in message.buttons:
        if words in (one.get("label"), one.get("custom_id"), one.get("placeholder")) and "custom_id" in one:
            return one
    raise ValueError(f"nothing is called {words!r}; there are {[one.get('label') for one in message.buttons]}")


def _bots(channel: Channel) -> list[User]:
    if channel.guild is None:
        return channel.recipients
    found: list[User] = [one.who for one in channel.guild.members.values() if isinstance(one.who, Bot)]
    if not found:
        raise ValueError(f"there is no bot in {channel.guild.name!r}")
    return found
