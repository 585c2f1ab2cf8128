"""Play a scenario on Telegram: the owner and an admin ask with their phones, and somebody asks on the machine."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from bot.cortex.records import Records
from bot.diagnostics.collect import Ask, Collector
from bot.domain.ids import MAIN, ChannelId, ChannelKey
from tests.scenarios.played import Played, handles
from tests.scenarios.scenario import Scenario
from tests.scenarios.telegram_stage import Phones, phones
from tests.servers.telegram.state import FIRST_SUPERGROUP

KITCHEN = ChannelKey(MAIN, ChannelId(f"telegram:{FIRST_SUPERGROUP}"))


@dataclass(frozen=True, repr=False)
class OnTelegram(Scenario):
    """`place` is where the question is typed: in a `dm` where nobody else reads it, or in the `kitchen`.

    `{target}` in it is the channel that is asked about.
    """

    target: ChannelKey = KITCHEN
    place: str = "dm"
    why: str = "!cortex why {target}"


async def play(scenario: OnTelegram, directory: Path) -> Played:
    """Let it happen, and ask: with a phone unless nothing arrives any more, and on the machine always."""
    async with phones(directory, scenario.script, scenario.settings) as stage:
        await scenario.happens(stage)  # type: ignore[arg-type]
        played = await (_ask_the_host(scenario, stage) if scenario.on_host else _ask(scenario, stage))
        assert stage.models.script == [], "the model was asked less often than the scenario says"
        return played


async def _ask(scenario: OnTelegram, stage: Phones) -> Played:
    """The owner asks, opens each handle by typing it, and presses; then an admin asks, then the machine is asked."""
    evidence = await stage.evidence(scenario.target, _name(scenario, stage))
    machine = await _ask_the_host(scenario, stage)
    before, chat = len(stage.public()), stage.kitchen if scenario.place == "kitchen" else None
    why = scenario.why.format(target=scenario.target.channel)
    report = await stage.tells(stage.root, why, chat, report=True)
    labels = tuple(str(button["text"]) for button in report.buttons)
    opened = {name: (await stage.tells(stage.root, name)).text for name in handles(report.text)}
    wanted = [label for label in ("Evidence", "All checks") if label in labels]
    pressed = {label: await stage.presses(stage.root, report, label) for label in wanted}
    # other people's direct messages are for the owner alone
    private = evidence.target.place.is_dm or scenario.target.channel != KITCHEN.channel
    admin = "" if private else (await stage.tells(stage.mod, why, chat, report=True)).text
    public = tuple(stage.public()[before:])
    return Played(
        scenario, evidence, report.text, admin, labels, opened, pressed, public, machine.owner, machine.evidence
    )


async def _ask_the_host(scenario: OnTelegram, stage: Phones) -> Played:
    async with stage.host() as host:
        evidence = await Collector(host.store, host.clock, host.config).collect(
            scenario.target, _name(scenario, stage), Ask()
        )
        text = (await host.why(scenario.target.channel, everywhere=False)).text
        records = Records(host.store, MAIN, host.clock)
        read = {name: await records.read(name) for name in handles(text)}
        opened = {name: f"{found.handle} {found.text}" for name, found in read.items() if found}
        return Played(scenario, evidence, text, opened=opened)


def _name(scenario: OnTelegram, stage: Phones) -> str:
    names = {stage.key(chat): chat.title for chat in stage.world.chats.values()}
    return names.get(scenario.target) or "direct messages"
