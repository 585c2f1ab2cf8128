"""Take slash commands and presses of buttons, answer each of them in time, and hand them to the bot."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import structlog
from discord import AppCommandType, Interaction, InteractionType

from adapters.discord.base.authors import author_of_user
from adapters.discord.base.handoff import InteractionWindow
from adapters.discord.base.interaction_windows import OPEN_SECONDS, OpenInteraction, OpenInteractions
from adapters.discord.base.places import NAME, of_interaction
from adapters.discord.interactions.menus import picked_line
from adapters.discord.speaking.deps import DiscordDeps
from adapters.discord.speaking.ephemeral import EphemeralSpeaker
from adapters.discord.speaking.find_posted import sent_at
from bot.domain.ids import ChannelId, PersonKey, UserId, ephemeral_id, is_ephemeral
from bot.domain.messages import ButtonPress, Inbound
from bot.errors import StoreError
from bot.ports.platform import PlatformListener
from bot.runtime.tasks import TaskSupervisor
from bot.sentences import known_language, later, said_in
from bot.text.text import clean

log = structlog.get_logger(__name__)

Note = Callable[[str, str], None]
"""Keeps something that the bot's health tells."""

_DEFER_SECONDS = 1.0
"""Seconds after which an answer to a press is promised instead of waited for."""
_NOT_STORED, _BROKE = "messaging.not-stored", "messaging.command-broke"


def _said_to(interaction: Interaction, name: str, ears: PlatformListener) -> str:
    """Say a sentence in the language of somebody's Discord, or else in the bot's."""
    return said_in(known_language(str(interaction.locale)) or ears.language(), later(name))


def press_of(interaction: Interaction, session: OpenInteraction, channel: ChannelId) -> ButtonPress:
    """Take a press; who pressed comes from the platform's session, and everything else may be forged."""
    data: Any = interaction.data or {}
    where = of_interaction(interaction)
    return ButtonPress(
        person=PersonKey(NAME, UserId(str(interaction.user.id))),
        name=clean(interaction.user.display_name).text,
        channel=channel,
        data=clean(str(data.get("custom_id", ""))).text,
        place=where.place,
        ephemeral=session.channel,
        locale=str(interaction.locale),
        around=where.channel if is_ephemeral(channel) else None,
    )


class InteractionHandler:
    """Answers for everything that people do besides writing. Unless it `speaks`, others show what is pressed."""

    def __init__(self, desk: DiscordDeps, note: Note, *, speaks: bool = True) -> None:
        self._speaks = speaks
        self.sessions = OpenInteractions(desk.clock)
        self.ephemeral = EphemeralSpeaker(desk, self.sessions, self._was_late)
        self._desk = desk
        self._note = note
        self._late = 0
        self._tasks = TaskSupervisor()

    def take(self, interaction: Interaction, ears: PlatformListener) -> None:
        """Start what follows from an interaction; return at once. What the gateway repeats is taken once."""
        session = self.sessions.begin(
            interaction.id, interaction.application_id, interaction.token, interaction.user.id
        )
        if session is None:
            return
        if interaction.guild_id is None and interaction.channel_id is not None and interaction.context.dm_channel:
            self._desk.dms.learn(interaction.user.id, interaction.channel_id)
        name, work = self._work(interaction, session, ears)
        try:
            self._tasks.spawn(name, work)
        except RuntimeError:
            log.info("discord_interaction_at_the_end", kind=interaction.type.name)

    async def close(self) -> None:
        """Let go of what is being answered."""
        await self._tasks.close()

    def hand_over(self, heard: Inbound | ButtonPress) -> InteractionWindow | None:
        """Return what was opened for something that was heard, for the process that acts on it.

        A press is answered here as well: with the words that the other process returns.
        """
        if heard.ephemeral is None:
            return None
        return self.sessions.hand_over(heard.ephemeral, is_shared=isinstance(heard, ButtonPress))

    def take_up(self, window: InteractionWindow) -> None:
        """Open what another process handed over for what is left of its time, by Discord's clock."""
        begun, ahead = sent_at(window.number), self._desk.rest.server_clock.ahead(self._desk.clock.now())
        passed = (self._desk.clock.now() + ahead - begun) / 1000 if ahead is not None else 0.0
        self.sessions.take_up(window, OPEN_SECONDS - passed)

    def take_up_press(self, press: ButtonPress) -> ButtonPress:
        """Return a press as this process knows where its button stands: in what it was told of, or in what is new."""
        number = press.channel.rpartition(":")[2]
        is_open = number.isdecimal() and self.sessions.is_known(int(number))
        if press.ephemeral is None or is_open or not is_ephemeral(press.channel):
            return press
        return press.replace(channel=press.ephemeral)

    def _channel(self, interaction: Interaction, session: OpenInteraction) -> ChannelId:
        """Say where the button stands: what one person alone was shown stands in no channel."""
        message = interaction.message
        if message is None:
            return of_interaction(interaction).channel
        shown = self.sessions.channel_of(message.id)
        if shown is not None or not message.flags.ephemeral:
            return shown or of_interaction(interaction).channel
        begun = None if self._speaks else message.interaction_metadata
        # shown by a process before this one, for whom nobody can say which interaction it was
        return session.channel if begun is None else ephemeral_id(NAME, begun.id)

    def _work(
        self, interaction: Interaction, session: OpenInteraction, ears: PlatformListener
    ) -> tuple[str, Coroutine[Any, Any, None]]:
        match interaction.type:
            case InteractionType.application_command:
                return "slash command", self._command(interaction, session, ears)
            case InteractionType.component:
                return "press", self._press(interaction, session, ears)
            case InteractionType.autocomplete:
                return "autocomplete", self.ephemeral.no_choices(session)
            case _:
                return "interaction", self.ephemeral.answer(session, "")

    async def _command(self, interaction: Interaction, session: OpenInteraction, ears: PlatformListener) -> None:
        # before anything else: after three seconds nothing can be said any more
        is_in_time = await self.ephemeral.defer(session)
        said = self._said(interaction, session)
        try:
            await ears.receive([said if is_in_time else said.replace(ephemeral=None)], None)
        except StoreError as error:
            log.error("discord_command_not_stored", error=str(error))
            await self.ephemeral.answer(session, _said_to(interaction, _NOT_STORED, ears))
        except Exception:
            await self.ephemeral.answer(session, _said_to(interaction, _BROKE, ears))
            raise

    def _said(self, interaction: Interaction, session: OpenInteraction) -> Inbound:
        where = of_interaction(interaction)
        cleaned = clean(command_line(interaction.data or {}))
        return Inbound(
            adapter=NAME,
            channel=where.channel,
            channel_name=where.name,
            place=where.place,
            message_id=str(interaction.id),
            author=author_of_user(interaction.user, self._desk.account.my_id),
            text=cleaned.text,
            sent_at=sent_at(interaction.id),
            mentions_bot=True,
            original_sha256=cleaned.original_sha256 or "",
            ephemeral=session.channel,
            replies_to=picked_message(interaction.data or {}),
            locale=str(interaction.locale),
        )

    async def _press(self, interaction: Interaction, session: OpenInteraction, ears: PlatformListener) -> None:
        patience = self._tasks.spawn("promise an answer", self._promised(session))
        try:
            text = await ears.pressed(press_of(interaction, session, self._channel(interaction, session)))
        except Exception:
            await self.ephemeral.answer(session, _said_to(interaction, _BROKE, ears))
            raise
        finally:
            patience.cancel()
        await self.ephemeral.answer(session, text)

    async def _promised(self, session: OpenInteraction) -> None:
        await self._desk.clock.sleep(_DEFER_SECONDS)
        # a task of its own: once it is on its way nobody stops it, because it may have been taken
        self._tasks.spawn("promise", self.ephemeral.defer(session))

    def _was_late(self) -> None:
        self._late += 1
        self._note("late_interactions", str(self._late))
        self._note("last_late_interaction_at", str(self._desk.clock.now()))


def command_line(data: Any) -> str:
    """Write a native command as it would be typed."""
    if picked_message(data):
        return picked_line(str(data.get("name", "")))
    options = data.get("options") or ()
    words = [str(option["value"]) for option in options if option.get("value") is not None]
    return " ".join([f"/{data.get('name', '')}", *words])


def picked_message(data: Any) -> str:
    """Return the message in whose menu a command was picked; empty for one that was typed."""
    return str(data.get("target_id") or "") if data.get("type") == AppCommandType.message.value else ""
