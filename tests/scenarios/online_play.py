"""Play a scenario on a platform: the owner and an admin ask with their phones, and somebody asks on the machine."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path

from bot.cortex.targets.record_lookup import RecordLookup
from bot.diagnostics.collect.collector import EvidenceCollector, EvidenceQuery
from bot.domain.ids import MAIN, ChannelId, ChannelKey
from tests.scenarios.discord_stage import Screens, screens
from tests.scenarios.online_stage import OnlineStage
from tests.scenarios.played import Played, handles
from tests.scenarios.scenario import Scenario
from tests.scenarios.setting import Setting
from tests.scenarios.telegram_stage import Phones, phones

KITCHEN = ChannelKey(MAIN, ChannelId("kitchen"))
"""Stands for the kitchen of the stage, whatever its id."""


@dataclass(frozen=True, repr=False)
class Online(Scenario):
    """`place` is where the question is typed: in a `dm` where nobody else reads it, or in the `kitchen`.

    `{target}` in it is the channel that is asked about.
    """

    target: ChannelKey = KITCHEN
    place: str = "dm"
    why: str = "!cortex why {target}"

    def stage(self, directory: Path, setting: Setting | None = None) -> AbstractAsyncContextManager[OnlineStage]:
        """Open the stage that it is played on."""
        raise NotImplementedError

    def at(self, stage: OnlineStage) -> ChannelKey:
        """Return the channel that is asked about."""
        return stage.key(stage.kitchen) if self.target == KITCHEN else self.target


@dataclass(frozen=True, repr=False)
class OnTelegram(Online):
    """Played with phones."""

    kind: type[Phones] = Phones

    def stage(self, directory: Path, setting: Setting | None = None) -> AbstractAsyncContextManager[OnlineStage]:
        return phones(directory, self, setting, self.kind)


@dataclass(frozen=True, repr=False)
class OnDiscord(Online):
    """Played in a server."""

    kind: type[Screens] = Screens

    def stage(self, directory: Path, setting: Setting | None = None) -> AbstractAsyncContextManager[OnlineStage]:
        return screens(directory, self, setting, self.kind)


async def play(scenario: Online, directory: Path) -> Played:
    """Let it happen, and ask: with a phone unless nothing arrives any more, and on the machine always."""
    async with scenario.stage(directory) as stage:
        await scenario.happens(stage)  # type: ignore[arg-type]
        played = await (ask_the_host(scenario, stage) if scenario.on_host else _ask(scenario, stage))
        assert stage.models.script == [], "the model was asked less often than the scenario says"
        return played


async def _ask(scenario: Online, stage: OnlineStage) -> Played:
    """The owner asks, opens each handle by typing it, and presses; then an admin asks, then the machine is asked."""
    evidence = await stage.evidence(scenario.at(stage), name_of(scenario, stage))
    machine = await ask_the_host(scenario, stage)
    before, chat = len(stage.public()), stage.kitchen if scenario.place == "kitchen" or stage.replied else None
    why = scenario.why.format(target=scenario.at(stage).channel)
    report = await stage.tells(stage.root, why, chat, report=True, reply_to=stage.replied)
    labels = stage.labels(report)
    opened = {name: (await stage.tells(stage.root, name)).text for name in handles(report.text)}
    wanted = [label for label in ("Evidence", "All checks") if label in labels]
    pressed = {label: await stage.presses(stage.root, report, label) for label in wanted}
    # other people's direct messages are for the owner alone
    private = evidence.target.place.is_dm or scenario.target != KITCHEN
    admin = "" if private else (await stage.tells(stage.mod, why, chat, report=True, reply_to=stage.replied)).text
    public = tuple(stage.public()[before:])
    return Played(
        scenario, evidence, report.text, admin, labels, opened, pressed, public, machine.owner, machine.evidence
    )


async def ask_the_host(scenario: Online, stage: OnlineStage) -> Played:
    async with stage.host() as host:
        evidence = await EvidenceCollector(host.store, host.clock, host.config).collect(
            scenario.at(stage), name_of(scenario, stage), EvidenceQuery()
        )
        text = (await host.why(scenario.at(stage).channel, everywhere=False)).text
        records = RecordLookup(host.store, host.clock)
        read = {name: await records.read(name) for name in handles(text)}
        opened = {name: f"{found.handle} {found.text}" for name, found in read.items() if found}
        return Played(scenario, evidence, text, opened=opened)


def name_of(scenario: Online, stage: OnlineStage) -> str:
    return stage.names.get(scenario.at(stage)) or "direct messages"
