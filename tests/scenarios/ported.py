"""Play what was written for the terminal on Telegram and on Discord: the same people, the same words."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from adapters.discord import DiscordAdapter
from adapters.discord.base.settings import Settings as DiscordSettings
from adapters.telegram import TelegramAdapter
from adapters.telegram.settings import Settings as TelegramSettings
from bot.domain.ids import ChannelKey
from bot.domain.messages import OutboundAddress
from tests.dialogs.bot import GENERAL
from tests.scenarios.discord_stage import Screens
from tests.scenarios.holding import Hang, HoldsTyping
from tests.scenarios.online_play import OnDiscord, Online, OnTelegram
from tests.scenarios.online_stage import PATIENCE, OnlineStage
from tests.scenarios.scenario import Scenario
from tests.scenarios.setting import Setting
from tests.scenarios.telegram_stage import Phones

_NAME = "@glassmind "
_SILENT_SECONDS = 75
"""How long no platform may say anything before that is a cause of its own."""
_BREATH = 0.02
"""Seconds by which time moves on, where something waits for its next try."""
_NUMBERS = {"1": "root", "2": "mod", "101": "ann", "102": "james", "103": "bo"}


class OnlyAtTheTerminal(Exception):
    """It takes something that only the terminal of the stage has."""


@dataclass
class Speaker:
    """Stands for the bot of a stage, as far as scenarios reach for it."""

    stage: PortedStage

    @property
    def app(self) -> Any:
        return self.stage.online.app

    @property
    def clock(self) -> Any:
        return self.stage.online.clock

    @property
    def data(self) -> Path:
        return self.stage.online.data

    def set(self, table: str, **keys: Any) -> None:
        self.stage.online.set(table, **keys)

    def __getattr__(self, name: str) -> Any:
        raise OnlyAtTheTerminal(f"bot.{name}")

    def __setattr__(self, name: str, value: Any) -> None:
        match name:
            case "stage":
                super().__setattr__(name, value)
            case "file" | "environ":
                setattr(self.stage.online, name, value)
            case _:
                raise OnlyAtTheTerminal(f"bot.{name}")


@dataclass
class PortedStage:
    """A stage as the terminal's scenarios know it, on a platform."""

    online: Phones | Screens
    replied: str = ""
    said: dict[str, Any] = field(default_factory=dict)
    """What people said, by its words: the newest of each."""
    channels: dict[str, Any] = field(default_factory=dict)

    @property
    def bot(self) -> Speaker:
        return Speaker(self)

    @property
    def server(self) -> Any:
        return self.online.models

    @property
    def store(self) -> Any:
        return self.online.store

    @property
    def simulation(self) -> Any:
        return self.online.providers["simulated"]

    @property
    def platform(self) -> str:
        return self.online.platform

    @property
    def platform_keys(self) -> Mapping[str, Any]:
        return self.online.platform_keys

    @property
    def setting(self) -> Setting:
        return self.online.setting

    @property
    def home(self) -> ChannelKey:
        """The channel in which it happens."""
        return self.online.key(self.online.kitchen)

    @property
    def open(self) -> bool:
        return self.online.open

    def passes(self, seconds: float) -> None:
        """Let time pass; longer than a platform may be silent it does not, while the bot listens."""
        if seconds > _SILENT_SECONDS and self.online.open and self.said:
            raise OnlyAtTheTerminal(f"{seconds:.0f} s in which nothing is heard")
        self.online.passes(seconds)

    async def waits(self, seconds: float) -> None:
        """Let time pass in which the platform is there."""
        await self.online.waits(seconds)

    def address(self, place: str) -> OutboundAddress:
        """Return where a channel's messages are sent."""
        return OutboundAddress(platform=self.online.platform, channel=self.online.key(self.channel(place)).channel)

    async def restart(self) -> None:
        """End and start again, a second later."""
        await self.online.ends("restart")
        self.online.passes(1)
        await self.online.begins()

    def message_id(self, text: str) -> str:
        """Find the newest message that holds a text."""
        put = self.setting.words(text)
        return str([said for said in self.online.messages() if put in said.text][-1].id)

    def heard(self, text: str) -> bool:
        """Say whether the bot has said something that holds a text where everybody reads."""
        return any(text in line for line in self.online.public())

    def number(self, name: str) -> str:
        """Return somebody's id."""
        return str(self.someone(name).id)

    def holds_typing(self) -> Hang:
        """Let the mark that somebody types hang in the kitchen."""
        return self.online.adapter.typing.setdefault(self.home.channel, Hang())  # type: ignore[no-any-return]

    def channel(self, place: str) -> Any:
        """Return a channel by the terminal's name; which is not there yet is made."""
        if place == "#general":
            return self.online.kitchen
        if place not in self.channels:
            someone(self.online, "james")
            online, name = self.online, place.lstrip("#")
            if isinstance(online, Phones):
                people = (online.root, online.mod, online.ann, online.james, online.me)  # type: ignore[attr-defined]
                self.channels[place] = online.world.supergroup(name, *people)
            else:
                self.channels[place] = online.house.channel(name)
        return self.channels[place]

    def someone(self, name: str) -> Any:
        return someone(self.online, name)

    async def says(self, name: str, text: str, place: str = "#general") -> None:
        """Let somebody say something, and everything come of it."""
        await self.says_on(name, text, place)
        await self.settles()

    async def settles(self) -> None:
        """Let everything come of what has happened, tries that wait for their time too."""
        settling = asyncio.ensure_future(self.online.quiet())  # noqa: TID251 - awaited below
        async with asyncio.timeout(PATIENCE):
            while not settling.done():
                await asyncio.sleep(0.03)
                breath = min((slept for slept in self.online.clock.slept[-5:] if slept > _BREATH / 2), default=_BREATH)
                if not settling.done():
                    self.online.clock.advance(min(max(breath, _BREATH), 1.0))
        await settling

    async def says_on(self, name: str, text: str, place: str = "#general") -> None:
        """Let somebody say something, and do not wait for what comes of it."""
        who, meant = self.someone(name), text.startswith(_NAME)
        words = text.removeprefix(_NAME)
        if isinstance(self.online, Phones):
            chat = self.online.world.dm(who) if place == "dm" else self.channel(place)
            self.said[words] = self.online.says(who, f"@glassmind_bot {words}" if meant else words, chat)
        elif place == "dm":
            self.said[words] = await who.says(self.online.me, words)
        else:
            mentions = {"mentions": self.online.me} if meant else {}
            self.said[words] = await self.online.says(who, words, self.channel(place), **mentions)

    async def tells(self, name: str, line: str, place: str = "dm") -> str:
        """Let somebody type a line; return the next report that the bot gives them in private."""
        if line.startswith("/press"):
            raise OnlyAtTheTerminal(line)
        target = self.online.key(self.online.kitchen).channel
        words = f"{line} {target}" if line == "!cortex why" else line
        return str((await self.online.tells(self.someone(name), words, report=line.startswith("!cortex why"))).text)

    async def ends(self, reason: str) -> None:
        """End the process, in order or from one moment to the next."""
        await self.online.ends(reason)

    async def begins(self) -> None:
        await self.online.begins()
        await self.online.quiet()

    def __getattr__(self, name: str) -> Any:
        raise OnlyAtTheTerminal(name)


def someone(online: OnlineStage, name: str) -> Any:
    """Return a person by the terminal's name; who is not there yet comes."""
    if hasattr(online, name):
        return getattr(online, name)
    if isinstance(online, Phones):
        who = online.world.person(name.capitalize(), name)
        online.world.admit(online.kitchen, who)
    else:
        who = online.world.person(name.capitalize(), name)  # type: ignore[attr-defined]
        online.house.admit(who)  # type: ignore[attr-defined]
    setattr(online, name, who)
    return who


def translated(online: OnlineStage, keys: Mapping[str, Any]) -> dict[str, Any]:
    """Write the terminal's ids as this platform has them."""

    def one(entry: str) -> str:
        if entry in _NUMBERS:
            return str(someone(online, _NUMBERS[entry]).id)
        if entry == "#general":
            return str(online.kitchen.id)
        if entry == "terminal":
            if isinstance(online, Phones):
                raise OnlyAtTheTerminal("a server")
            return str(online.house.id)  # type: ignore[attr-defined]
        return str(online.kitchen.id + 1) if entry == "#other" else entry

    return {
        name: [one(str(entry)) for entry in value] if isinstance(value, list) else value for name, value in keys.items()
    }


class _Translating:
    """A stage whose configuration takes the terminal's table for its own."""

    async def ends(self, reason: str) -> None:
        self.adapter.let_go()  # type: ignore[attr-defined]
        await super().ends(reason)  # type: ignore[misc]

    @property
    def settings(self) -> Mapping[str, Any]:
        return {**super().settings, **translated(self, self.tables.get("console", {}))}  # type: ignore[misc,attr-defined,arg-type]


class HeldTelegram(HoldsTyping, TelegramAdapter):
    """The adapter of Telegram, which can be held up."""


class HeldDiscord(HoldsTyping, DiscordAdapter):
    """The adapter of Discord, which can be held up."""


class PortedPhones(_Translating, Phones):
    """Telegram, for what was written for the terminal."""

    def make(self, settings: Mapping[str, Any]) -> HeldTelegram:
        return HeldTelegram(TelegramSettings.model_validate(dict(settings)), self.clock)


class PortedScreens(_Translating, Screens):
    """Discord, for what was written for the terminal."""

    def make(self, settings: Mapping[str, Any]) -> HeldDiscord:
        return HeldDiscord(DiscordSettings.model_validate(dict(settings)), self.clock)


def ported(scenario: Scenario, kind: type[OnTelegram] | type[OnDiscord]) -> Online:
    """Return a scenario of the terminal as one of a platform."""

    async def happens(stage: OnlineStage) -> None:
        if scenario.target != GENERAL or "tls" in scenario.settings:
            raise OnlyAtTheTerminal("another channel, or another line")
        there = PortedStage(stage)  # type: ignore[arg-type]
        await scenario.happens(there)  # type: ignore[arg-type]
        messages = (*there.said.values(), *stage.messages())
        stage.replied = next((one for one in messages if str(one.id) == there.replied), None)

    where = "Telegram" if kind is OnTelegram else "Discord"
    return kind(
        f"{scenario.name}, on {where}",
        scenario.rule,
        happens,  # type: ignore[arg-type]
        sure=scenario.sure,
        script=scenario.script,
        settings={name: keys for name, keys in scenario.settings.items() if name != "tls"},
        on_host=scenario.on_host,
        outside=scenario.outside,
        kind=PortedPhones if kind is OnTelegram else PortedScreens,
    )
