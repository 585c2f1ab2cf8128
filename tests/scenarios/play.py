"""Play a scenario to its end, ask why as admins do, and open everything that the answer points at."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bot.cortex.records import Records
from bot.diagnostics.collect import Ask, Collector
from bot.diagnostics.diagnose import diagnose
from bot.diagnostics.evidence import Evidence
from bot.diagnostics.rules import ALL
from bot.domain.finding import Diagnosis, Finding
from bot.domain.handles import parse_handle
from bot.domain.ids import MAIN
from tests.scenarios.scenario import Scenario
from tests.scenarios.stage import Stage, a_stage

_WORD = re.compile(r"(?<![\w#-])[mridgtas][0-9a-hjkmnp-tv-z]{4}(?![\w-])")
_NO_HANDLES = re.compile(r"after|again|asked|gates|meant|reads|share|speak|spent|stand|start|stays|taken|there")
"""Words of ours that only look like handles."""


@dataclass(frozen=True)
class Played:
    """What came of a scenario: the evidence, what two admins read, and what they got for what they typed and pressed.

    `public` are the lines that everybody could read after the question was asked.
    """

    scenario: Scenario
    evidence: Evidence
    owner: str
    admin: str = ""
    buttons: tuple[str, ...] = ()
    opened: Mapping[str, str] = field(default_factory=dict)
    pressed: Mapping[str, str] = field(default_factory=dict)
    public: tuple[str, ...] = ()

    @property
    def diagnosis(self) -> Diagnosis:
        return diagnose(self.evidence)

    @property
    def claims(self) -> list[Finding]:
        """What every rule says, the silenced ones too."""
        return [finding for rule in ALL for finding in rule(self.evidence)]

    @property
    def reports(self) -> list[str]:
        return [text for text in (self.owner, self.admin) if text]


def handles(text: str) -> list[str]:
    """Every handle that a report names."""
    return [
        name for name in dict.fromkeys(_WORD.findall(text)) if not _NO_HANDLES.fullmatch(name) and parse_handle(name)
    ]


async def play(scenario: Scenario, directory: Path) -> Played:
    """Let it happen, and ask."""
    async with a_stage(directory, scenario.script, scenario.settings) as stage:
        await scenario.happens(stage)
        played = await (_ask_the_host(scenario, stage) if scenario.on_host else _ask(scenario, stage))
        assert stage.server.script == [], "the model was asked less often than the scenario says"
        return played


async def _ask(scenario: Scenario, stage: Stage) -> Played:
    """The owner asks, opens each handle by typing it in the thread, and presses; then an admin asks."""
    evidence = await stage.evidence(scenario.target, _name(scenario))
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


async def _ask_the_host(scenario: Scenario, stage: Stage) -> Played:
    if stage.open:
        await stage.bot.app.beat()
    async with stage.host() as host:
        collector = Collector(host.store, host.clock, host.config)
        evidence = await collector.collect(scenario.target, _name(scenario), Ask())
        text = (await host.why(scenario.target.channel, everywhere=False)).text
        records = Records(host.store, MAIN, host.clock)
        read = {name: await records.read(name) for name in handles(text)}
        opened = {name: f"{found.handle} {found.text}" for name, found in read.items() if found}
        return Played(scenario, evidence, text, opened=opened)


def _name(scenario: Scenario) -> str:
    return scenario.target.channel.partition(":")[2]
