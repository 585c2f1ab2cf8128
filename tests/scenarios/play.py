"""Play a scenario to its end, ask why as admins do, and open everything that the answer points at."""

from __future__ import annotations

from pathlib import Path

from bot.cortex.targets.record_lookup import RecordLookup
from bot.diagnostics.collect.collector import EvidenceCollector, EvidenceQuery
from tests.scenarios.played import Played, handles
from tests.scenarios.scenario import Scenario
from tests.scenarios.stage import Stage, a_stage


async def play(scenario: Scenario, directory: Path) -> Played:
    """Let it happen, and ask."""
    async with a_stage(directory, scenario.script, scenario.settings) as stage:
        await scenario.happens(stage)
        played = await (ask_the_host(scenario, stage) if scenario.on_host else _ask(scenario, stage))
        assert stage.server.script == [], "the model was asked less often than the scenario says"
        return played


async def _ask(scenario: Scenario, stage: Stage) -> Played:
    """The owner asks, opens each handle by typing it in the thread, and presses; then an admin asks."""
    evidence = await stage.evidence(scenario.target, name_of(scenario))
    before = len(stage.bot.public())
    why, old = scenario.why.format(replied=stage.replied), max(stage.terminal.world.buttons, default=0)
    owner = await stage.tells("root", why, scenario.place)
    labels = tuple(hanging.label for number, hanging in stage.terminal.world.buttons.items() if number > old)
    opened = {name: await stage.tells("root", name) for name in handles(owner)}
    wanted = [label for label in ("Evidence", "All checks") if label in labels]
    pressed = {label: await stage.tells("root", f"/press {label}") for label in wanted}
    # other people's direct messages are for the owner alone
    admin = "" if evidence.target.place.is_dm else await stage.tells("mod", why, scenario.place)
    return Played(scenario, evidence, owner, admin, labels, opened, pressed, tuple(stage.bot.public()[before:]))


async def ask_the_host(scenario: Scenario, stage: Stage) -> Played:
    if stage.open:
        await stage.bot.app.maintenance.beat()
    async with stage.host() as host:
        collector = EvidenceCollector(host.store, host.clock, host.config)
        evidence = await collector.collect(scenario.target, name_of(scenario), EvidenceQuery())
        text = (await host.why(scenario.target.channel, everywhere=False)).text
        records = RecordLookup(host.store, host.clock)
        read = {name: await records.read(name) for name in handles(text)}
        opened = {name: f"{found.handle} {found.text}" for name, found in read.items() if found}
        return Played(scenario, evidence, text, opened=opened)


def name_of(scenario: Scenario) -> str:
    return scenario.target.channel.partition(":")[2]
