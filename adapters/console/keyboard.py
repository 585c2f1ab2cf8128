"""What is typed, turned into what a platform delivers: messages, edits, presses."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from adapters.console import screen
from adapters.console.world import GUILD, NAME, ConsoleWorld, dm_of, is_dm
from bot.domain.ids import ChannelId, PersonKey, UserId, channel_id
from bot.domain.messages import Author, ButtonPress, ChannelPlace, Inbound, InboundKind, OutboundAddress
from bot.errors import StoreError
from bot.ports.clock import Clock
from bot.ports.platform import PlatformListener
from bot.sentences import Words, later, said_in
from bot.text.text import clean

COMMAND_SIGNS = ("!", "/")

_SPEECH = re.compile(r"\[(?P<place>#[^\]\s]{1,64}|dm)\] (?P<name>[\w.-]{1,64})> ?(?P<text>.*)", re.DOTALL)
_OWN_VERBS = frozenset(
    {"as", "join", "dm", "reply", "edit", "delete", "history", "press"}
    | {"promote", "demote", "closedm", "opendm", "ids", "quit", "help-console"}
)


_VERBS_WITH_TEXT = frozenset({"reply", "edit"})


@dataclass(frozen=True, slots=True)
class TypedSpeech:
    """Speech. Empty `place` and `name`: where and who one is."""

    text: str
    place: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class ConsoleCommand:
    """A command of the console."""

    verb: str
    rest: str = ""


def parse_line(line: str) -> TypedSpeech | ConsoleCommand | None:
    """Read one line; None for an empty line and for a comment (`# ...`).

    Names and ids come out clean; what is said comes as it was typed, as the hash of that is kept.
    """
    if not line.strip() or line.startswith("# "):
        return None
    spoken = _SPEECH.fullmatch(line)
    if spoken:
        return TypedSpeech(spoken["text"], clean(spoken["place"]).text, spoken["name"])
    if line.startswith("/"):
        verb, _, rest = line[1:].partition(" ")
        if verb.lower() in _OWN_VERBS:
            return _parse_command(verb.lower(), rest.strip())
    return TypedSpeech(line)


def _parse_command(verb: str, rest: str) -> ConsoleCommand:
    target, space, text = rest.partition(" ")
    return ConsoleCommand(verb, clean(target).text + space + (text if verb in _VERBS_WITH_TEXT else clean(text).text))


@dataclass(frozen=True, slots=True)
class _TypedMessage:
    """A message as it was typed, before it becomes an inbound."""

    text: str
    replies_to: str = ""
    kind: InboundKind = InboundKind.MESSAGE
    message_id: str = ""


@dataclass(frozen=True, slots=True)
class KeyboardReader:
    """Reads typed lines. `echo` prints speech as a transcript shows it, for scripts."""

    world: ConsoleWorld
    clock: Clock
    bot_name: str
    echo: bool
    show: Callable[[str], None]

    async def type(self, line: str, ears: PlatformListener) -> bool:
        """Take one typed line; False when it was /quit."""
        match parse_line(line):
            case None:
                return True
            case ConsoleCommand(verb="quit"):
                return False
            case ConsoleCommand() as own:
                await self._own(own, ears)
            case TypedSpeech() as say:
                await self._say(say, ears)
        return True

    async def _say(self, say: TypedSpeech, ears: PlatformListener) -> None:
        world = self.world
        world.speaker = say.name or world.speaker
        if say.place:
            own = dm_of(world.number(world.speaker))
            world.here = own if say.place == "dm" else channel_id(NAME, say.place)
        if self.echo:
            place = world.place(OutboundAddress(platform=NAME, channel=world.here))
            self.show(screen.person_lines(place, world.speaker, say.text))
        await self._hear(_TypedMessage(say.text), ears)

    async def _hear(self, typed: _TypedMessage, ears: PlatformListener) -> None:
        try:
            await ears.receive([self._inbound(typed)], None)
        except StoreError as error:
            self.world.unheard = error.words
            self._tell(later("console.not-heard", bot=self.bot_name, why=error.words))
            return
        words = typed.text.casefold().removeprefix(f"@{self.bot_name}".casefold()).lstrip()
        if not words.startswith(COMMAND_SIGNS):  # orders are heard even where nothing else is
            self.world.unheard = None

    def _inbound(self, typed: _TypedMessage) -> Inbound:
        world, cleaned, now = self.world, clean(typed.text), self.clock.now()
        original = typed.kind is InboundKind.MESSAGE
        said = world.remember(world.here, world.speaker, cleaned.text, by_bot=False) if original else None
        answered = world.find(typed.replies_to)
        private = is_dm(world.here)
        return Inbound(
            adapter=NAME,
            channel=world.here,
            channel_name="direct messages" if private else world.here.removeprefix(f"{NAME}:"),
            place=_place(world.here),
            kind=typed.kind,
            message_id=said.message_id if said else typed.message_id,
            edit=0 if original else now,
            author=Author(user_id=world.number(world.speaker), name=world.speaker),
            text=cleaned.text,
            sent_at=now,
            mentions_bot=f"@{self.bot_name}".casefold() in cleaned.text.casefold(),
            replies_to=typed.replies_to,
            replies_to_bot=bool(answered and answered.by_bot),
            original_sha256=cleaned.original_sha256 or "",
        )

    async def _own(self, own: ConsoleCommand, ears: PlatformListener) -> None:
        world = self.world
        target, _, rest = own.rest.partition(" ")
        match own.verb:
            case "as":
                name, _, number = own.rest.partition("=")
                if number.isascii() and number.isdigit():
                    world.people[name] = UserId(number)
                world.speaker = name or world.speaker
            case "join":
                world.here = channel_id(NAME, own.rest if own.rest.startswith("#") else f"#{own.rest}")
            case "dm":
                world.here = dm_of(world.number(world.speaker))
            case "reply":
                await self._hear(_TypedMessage(rest, replies_to=target), ears)
            case "edit" | "delete":
                await self._hear(_TypedMessage(rest, kind=InboundKind(own.verb), message_id=target), ears)
            case "press":
                await self._press(own.rest, ears)
            case _:
                self._around(own)

    async def _press(self, which: str, ears: PlatformListener) -> None:
        world = self.world
        button = world.button(which) if which else None
        if button is None:
            known = ", ".join(f"{number} {hanging.label}" for number, hanging in world.buttons.items())
            name = "console.no-such-button" if known else "console.no-buttons"
            self._tell(later(name, which=which, buttons=known))
            return
        person = PersonKey(NAME, world.number(world.speaker))
        at = button.channel
        press = ButtonPress(person=person, name=world.speaker, channel=at, data=button.data, place=_place(at))
        answer = await ears.pressed(press)
        if answer:
            self._tell(later("console.seen-by-one", name=world.speaker, text=answer))

    def _around(self, own: ConsoleCommand) -> None:
        world, number = self.world, self.world.number(own.rest) if own.rest else UserId("")
        changes: dict[str, Callable[[UserId], None]] = {
            "promote": world.admins.add,
            "demote": world.admins.discard,
            "closedm": world.closed.add,
            "opendm": world.closed.discard,
        }
        if own.verb in changes:
            changes[own.verb](number)
        elif own.verb == "ids":
            world.show_ids = own.rest != "off"
        elif own.verb == "history":
            for said in world.said:
                if said.channel == world.here:
                    self.show(f"{said.message_id}  {said.name}: {said.text}")
        else:
            self._tell(later("console.help"))

    def _tell(self, words: Words) -> None:
        self.show(said_in(self.world.language, words))


def _place(channel: ChannelId) -> ChannelPlace:
    private = is_dm(channel)
    return ChannelPlace(is_dm=private, guild_id="" if private else GUILD)
