"""Play a row in a setting of its own, ask why, and keep what the rules said."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from pydantic import Field

from bot.cortex.words.report import MAX_CHARACTERS, MAX_LINES
from bot.diagnostics.diagnose import diagnose
from bot.domain.base import FrozenModel
from bot.domain.finding import Confidence, Diagnosis
from tests.diagnose import surroundings
from tests.diagnose.causes import CONSOLE
from tests.diagnose.pairs import BEHIND
from tests.diagnose.rows import DiagnosisRow
from tests.scenarios import online_play, play
from tests.scenarios.online_play import KITCHEN, Online
from tests.scenarios.ported import OnlyAtTheTerminal, PortedStage
from tests.scenarios.scenario import HEALTHY, Scenario
from tests.scenarios.setting import Setting
from tests.scenarios.stage import Stage, a_stage

_SECONDS = 60.0
_QUIET_SCENARIOS = frozenset({"nothing was ever said"})
"""Around which nothing may happen: that is what they are about."""


class Diagnosed(FrozenModel):
    """What the rules said of a row. `found` are their ids, the first first; `trouble` is why it was not played.

    `sure` is what the first is called. `faults` is what else is wrong with the first message. `told` is what
    people, the model and the services said in it, in the words of this setting.
    """

    name: str
    platform: str
    seed: int
    wanted: tuple[str, ...]
    found: tuple[str, ...] = ()
    sure: str = ""
    faults: tuple[str, ...] = ()
    report: str = Field("", repr=False)
    told: tuple[str, ...] = Field((), repr=False)
    trouble: str = ""
    is_terminal_only: bool = False

    @property
    def holds(self) -> bool:
        """Whether all that is wanted was found, in this order, and nothing else."""
        return not self.trouble and not self.faults and self.found == self.wanted

    @property
    def is_falsely_sure(self) -> bool:
        """Whether a cause that it is not was called confirmed."""
        return self.sure == Confidence.CONFIRMED and self.found[:1] != self.wanted[:1]


async def played(row: DiagnosisRow, seed: int) -> Diagnosed:
    """Play a row in the setting of a seed; 0 is the one that it was written in.

    What a busy machine had no time for says nothing of the rules, and is played once more.
    """
    once = await _played_once(row, seed)
    return await _played_once(row, seed) if once.trouble.startswith(TimeoutError.__name__) else once


async def _played_once(row: DiagnosisRow, seed: int) -> Diagnosed:
    blank = Diagnosed(name=row.name, platform=row.platform, seed=seed, wanted=_wanted(row))
    with tempfile.TemporaryDirectory(prefix="glassmind-diagnose-") as folder:
        try:
            async with asyncio.timeout(_SECONDS), _stage(row, seed, Path(folder) / "data") as stage:
                return await _played(row, blank, stage)
        except OnlyAtTheTerminal as missing:
            return blank.replace(is_terminal_only=row.is_ported, trouble=f"takes {missing}")
        except Exception as error:  # noqa: BLE001 - the other rows are played, and the table says so
            return blank.replace(trouble=f"{type(error).__name__}: {error}"[:300])


@asynccontextmanager
async def _stage(row: DiagnosisRow, seed: int, directory: Path) -> AsyncIterator[Any]:
    scenario, setting = row.scenario, Setting(seed)
    if isinstance(scenario, Online):
        async with scenario.stage(directory, setting) as online:
            yield online
    else:
        async with a_stage(directory, scenario.script, scenario.settings, setting) as stage:
            yield stage


async def _played(row: DiagnosisRow, blank: Diagnosed, stage: Any) -> Diagnosed:
    scenario = row.scenario
    speaking = stage if isinstance(stage, Stage) else PortedStage(stage)
    if blank.seed and scenario.name.partition(", on ")[0] not in _QUIET_SCENARIOS:
        own = tuple(stage.setting.told)
        await surroundings.happen(speaking, stage.setting.chance())
        stage.setting.told[:] = own
    await scenario.happens(stage)
    if row.behind:
        await BEHIND[row.behind].happens(stage)
    told = tuple(stage.setting.told)
    diagnosis, text = await _asked(scenario, stage)
    findings = (*diagnosis.findings[:1], *diagnosis.beside)
    sure = diagnosis.findings[0].confidence.value if diagnosis.findings else ""
    found = tuple(finding.rule for finding in findings)
    return blank.replace(found=found, sure=sure, report=text, told=told, faults=tuple(_faults(diagnosis, text)))


async def _asked(scenario: Scenario, stage: Any) -> tuple[Diagnosis, str]:
    """Ask with a phone where that is possible, on the machine else."""
    if isinstance(scenario, Online):
        if scenario.on_host:
            told = await online_play.ask_the_host(scenario, stage)
            return told.diagnosis, told.owner
        evidence = await stage.evidence(scenario.at(stage), online_play.name_of(scenario, stage))
        chat = stage.kitchen if scenario.place == "kitchen" or stage.replied else None
        why = scenario.why.format(target=scenario.at(stage).channel)
        asker = stage.mod if stage.setting.seed % 2 and scenario.target == KITCHEN else stage.root
        report = await stage.tells(asker, why, chat, report=True, reply_to=stage.replied)
        return diagnose(evidence), report.text
    if scenario.on_host:
        told = await play.ask_the_host(scenario, stage)
        return told.diagnosis, told.owner
    evidence = await stage.evidence(scenario.target, play.name_of(scenario))
    asker = "mod" if stage.setting.seed % 2 and not evidence.target.place.is_dm else "root"
    return diagnose(evidence), await stage.tells(asker, scenario.why.format(replied=stage.replied), scenario.place)


def _faults(diagnosis: Diagnosis, text: str) -> list[str]:
    """Say what is wrong with the first message: too long, without the verdict, or without a word on what to do."""
    faults = []
    if len(text) > MAX_CHARACTERS or len(text.splitlines()) > MAX_LINES:
        faults.append(f"{len(text)} characters, {len(text.splitlines())} lines")
    if diagnosis.findings:
        first = diagnosis.findings[0]
        told = "→" in text or first.fix is not None
        faults += [] if told else ["nobody is told what to do"]
        lost = [one.verdict for one in diagnosis.beside if one.verdict.partition(": ")[2] not in " ".join(text.split())]
        faults += [f"not told: {verdict}" for verdict in lost]
    return faults


def _wanted(row: DiagnosisRow) -> tuple[str, ...]:
    first = () if row.scenario.rule == HEALTHY else (row.scenario.rule,)
    if not row.behind:
        return first
    behind = BEHIND[row.behind]
    return (behind.rule, *first) if behind.comes_first else (*first, behind.rule)


def platform_title(row: DiagnosisRow) -> str:
    return "terminal" if row.platform == CONSOLE else row.platform
