"""A command, a press or a form that somebody sent, and what the bot showed for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from . import delivery
from .channel import Channel
from .message import Message
from .permissions import in_channel
from .refusals import ACKNOWLEDGED, BAD_TOKEN, Refused, unknown
from .values import Json, User

if TYPE_CHECKING:
    from .bot import Bot

COMMAND, COMPONENT, AUTOCOMPLETE, MODAL = 2, 3, 4, 5


@dataclass(slots=True, eq=False, repr=False)
class Interaction:
    """One interaction; `message` is the one whose component was used.

    `answer` is the first callback as it came, `original` the message it made or changed, `messages` everything the
    person was shown for it by id, `modal` the form they were shown.
    """

    id: int
    token: str
    kind: int
    bot: Bot
    person: User
    channel: Channel
    data: Json
    at: float
    message: Message | None = None
    answer: Json | None = None
    original: Message | None = None
    messages: dict[int, Message] = field(default_factory=dict)
    modal: Json | None = None
    is_loading: bool = False

    @property
    def has_failed(self) -> bool:
        """Say whether the person was told that the application did not respond."""
        world = self.channel.world
        return self.answer is None and world.now - self.at > world.switches.acknowledge

    @property
    def shown(self) -> list[Message]:
        """List what the person sees for it now, in its order."""
        return [one for one in self.messages.values() if not one.is_deleted]

    async def answered(self) -> Interaction:
        """Wait until the bot has answered it in any way."""
        await self.channel.world.until(lambda: self.answer is not None, lambda: "the interaction was never answered")
        return self

    async def shows(self, text: str = "") -> Message:
        """Wait until the person is shown a message that says this, for them alone or for all; loading is none."""

        def found() -> Message | None:
            ready = [one for one in self.shown if not (self.is_loading and one is self.original)]
            return next((one for one in ready if text in one.text), None)

        words = f"the interaction never showed {text!r}, but "
        message = await self.channel.world.until(found, lambda: words + repr([one.text for one in self.shown]))
        assert message is not None
        return message

    def acknowledge(self, answer: Json) -> None:
        """Take the first answer, in time and only once."""
        if self.has_failed:
            raise unknown("interaction")
        if self.answer is not None:
            raise Refused(*ACKNOWLEDGED)
        self.answer = answer
        self.channel.world.changed.set()

    def check_token(self) -> None:
        """Refuse what comes too late, or before there is an answer."""
        world = self.channel.world
        if world.now - self.at > world.switches.token_life:
            raise Refused(*BAD_TOKEN)
        if self.answer is None:
            raise unknown("Webhook")

    def send(self) -> None:
        """Hand it to the bot, unless the portal names an address that gets it instead."""
        guild = self.channel.guild
        self.bot.asked.append(self)
        for session in self.bot.sessions:
            if not self.bot.endpoint and session.holds(guild):
                session.add("INTERACTION_CREATE", self.json())
        self.channel.world.changed.set()

    def json(self) -> Json:
        """Write the `Interaction` object."""
        guild, channel = self.channel.guild, self.channel
        body: Json = {"id": str(self.id), "application_id": str(self.bot.id), "type": self.kind, "data": self.data}
        body |= {
            "token": self.token,
            "version": 1,
            "locale": getattr(self.person, "locale", "en-US"),
            "entitlements": [],
            "entitlement_skus": [],
        }
        body |= {"channel_id": str(channel.id), "channel": channel.whole(self.bot), "attachment_size_limit": 10_485_760}
        body |= {"app_permissions": str(in_channel(channel, self.bot)), "context": 0 if guild else 1}
        if self.message is not None:
            body["message"] = self.message.json(self.bot)
        if guild is None:
            return body | {"user": self.person.json(), "authorizing_integration_owners": {"1": str(self.person.id)}}
        permissions = str(in_channel(channel, self.person))
        body["member"] = guild.members[self.person.id].json() | {"permissions": permissions}
        body["channel"]["permissions"] = permissions
        body |= {
            "guild_id": str(guild.id),
            "guild_locale": "en-US",
            "authorizing_integration_owners": {"0": str(guild.id)},
        }
        return body | {"guild": {"id": str(guild.id), "locale": "en-US", "features": []}}

    def metadata(self) -> Json:
        """Write the `MessageInteractionMetadata` object of what it makes."""
        owners = delivery.guild_id(self.channel)
        owner = {"0": owners["guild_id"]} if owners else {"1": str(self.person.id)}
        body: Json = {"id": str(self.id), "type": self.kind, "user": self.person.json()}
        return body | {"authorizing_integration_owners": owner, "name": self.data.get("name", "")}
