"""The world of one test: who there is, where they talk, and what time it is."""

from __future__ import annotations

from . import posting
from .bot import Bot
from .channel import Channel
from .guild import Guild
from .message import JOINED, Message
from .state import State
from .talk import Person
from .values import User

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.Gabcde."  # shaped as a real one; the rest says which bot


class World(State):
    """People, bots and guilds; `clock` gives seconds, and `wait` lets time pass on top of it."""

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.passed += seconds
        self.changed.set()

    def person(self, display: str, username: str | None = None) -> Person:
        """Make somebody with an account."""
        person = Person(self.snowflake(), username or display.lower().replace(" ", "_"), display, self)
        self.users[person.id] = person
        return person

    def bot(self, username: str = "glassmind", owner: User | None = None) -> Bot:
        """Make a bot, with every privileged intent granted at the portal."""
        number = self.snowflake()
        bot = Bot(number, username, None, f"{TOKEN}{username}-{number}", owner)
        self.users[number] = self.bots[bot.token] = bot
        return bot

    def guild(self, name: str, *members: User) -> Guild:
        """Make a guild; the first member owns it; everybody was there all along."""
        guild = Guild(self.snowflake(), name, self, members[0])
        guild.admit(*members)
        assert guild.everyone in guild.roles.values()
        self.guilds[guild.id] = guild
        return guild

    def dm(self, person: User, bot: Bot | None = None) -> Channel:
        """Return the direct messages of a person with a bot (with the only one, when none is named)."""
        return posting.direct(self, bot or self.only_bot(), person)

    def rename(self, bot: Bot, username: str, display: str | None = None) -> None:
        """Give the bot other names, as in the developer portal: it is told by USER_UPDATE."""
        bot.username, bot.display = username, display
        for session in bot.sessions:
            session.add("USER_UPDATE", bot.json())
        self.changed.set()

    def revoke(self, bot: Bot | None = None) -> str:
        """Reset a bot's token at the portal and return the new one."""
        revoked = bot or self.only_bot()
        del self.bots[revoked.token]
        revoked.token = f"{TOKEN}again-{self.count('tokens')}-{revoked.id}"
        self.bots[revoked.token] = revoked
        return revoked.token

    def name_token(self, token: str, bot: Bot | None = None) -> None:
        """Give a bot a token of another shape, as a server of one's own may."""
        named = bot or self.only_bot()
        del self.bots[named.token]
        named.token = token
        self.bots[token] = named

    async def speaks_through_webhook(self, channel: Channel, name: str, text: str) -> Message:
        """Let a program write through a webhook of the channel."""
        author = Hook(self.snowflake(), name)
        message = posting.post(channel, author, text, webhook=author.id)
        await self.flushed()
        return message

    async def sweeps(self, by: User, *messages: Message) -> None:
        """Let a program delete messages; many of one channel at once are told of at once."""
        posting.sweep(messages)
        for channel in {one.channel.id: one.channel for one in messages}.values():
            if channel.guild is not None:
                channel.guild.log_sweep(by, channel, len(messages))
        await self.flushed()

    async def welcomes(self, channel: Channel, who: User) -> Message:
        """Let the guild say in a channel that somebody has come."""
        message = posting.post(channel, who, "", kind=JOINED)
        await self.flushed()
        return message


class Hook(User):
    """What a webhook's messages show as their author: a bot in form, with no account."""

    @property
    def is_bot(self) -> bool:
        """Say whether a program speaks here."""
        return True
