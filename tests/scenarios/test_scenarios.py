"""Every way to be silent, from the first message to the answer that an admin reads; and silence where all is well."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable

import pytest

from bot.cortex.words.report import MAX_CHARACTERS, MAX_LINES
from bot.diagnostics.funnel import step_name
from bot.diagnostics.rules import RULES
from bot.text.times import plain_times
from tests.dialogs.bot import PEOPLE
from tests.golden.golden import HERE, matches
from tests.scenarios import online_play
from tests.scenarios.online_play import Online
from tests.scenarios.play import play
from tests.scenarios.played import Played, handles
from tests.scenarios.scenario import HEALTHY, Scenario
from tests.scenarios.table import FAMILIES

SCENARIOS = tuple(scenario for family in FAMILIES.values() for scenario in family)
ACKNOWLEDGED = re.compile(r"\[#[\w-]+\] 👀 on (?:root|mod)'s message")
NUMBERS = re.compile(r"(?<=process )\d+")
CLOCK = re.compile(r"\d\d:\d\d:\d\d|(?<=poll )\d s|(?<=event )\d s")
"""Online time passes by itself while the bot waits before it connects, or tries again."""
LINE = re.compile(r"\.py:\d+")
STOOD = re.compile(r"(?<=For )\d+(?= s, once)")
LEFT = re.compile(
    r"(?<=\d\d:\d\d:\d\d \(in )\d+ (?:s|min)(?=\))"
    r"|(?<=until \d\d:\d\d:\d\d \()\d+ (?:s|min)(?=\))|(?<=left out since )\d\d:\d\d:\d\d"
    r"|(?<=a fresh chat at )\d\d:\d\d:\d\d"
)
"""Time passes while a message that tells of it waits to be edited."""
POLLED = re.compile(r"poll \d+ s ago")
"""Polls come back in real time, which the clock of the bot knows nothing of."""
Plays = Callable[[Scenario], Played]


@pytest.fixture(scope="module")
def plays(tmp_path_factory: pytest.TempPathFactory) -> Plays:
    """Play a scenario; each is played once, however often it is looked at."""
    done: dict[str, Played] = {}

    def played(scenario: Scenario) -> Played:
        if scenario.name not in done:
            directory = tmp_path_factory.mktemp("scenario") / "data"
            online = isinstance(scenario, Online)
            playing = online_play.play(scenario, directory) if online else play(scenario, directory)
            done[scenario.name] = asyncio.run(playing)
        return done[scenario.name]

    return played


def its_rule_explains_it_and_no_other(scenario: Scenario, played: Played) -> None:
    wanted = [scenario.rule] if scenario.rule != HEALTHY else []
    assert [claim.rule for claim in played.claims] == wanted
    assert [finding.rule for finding in played.diagnosis.findings] == wanted


def the_machine_sees_the_same_cause(scenario: Scenario, played: Played) -> None:
    outside = played.outside
    if outside is not None:
        wanted = [scenario.outside or scenario.rule] if scenario.rule != HEALTHY and not scenario.live_only else []
        assert [finding.rule for rule in RULES for finding in rule(outside)] == wanted


def the_report_names_the_evidence_and_the_fix(scenario: Scenario, played: Played) -> None:
    shown = "\n".join((played.owner, *played.buttons))
    assert [words for words in scenario.says if words not in shown] == []
    for finding in played.diagnosis.findings:
        assert finding.confidence is scenario.sure
        assert finding.evidence and finding.evidence[0].handle in played.owner
    # on the machine the same may be less sure: nobody asked the platform
    asked = [played.owner, played.admin] if scenario.live_only else played.reports
    assert all(_verdict(played.owner) == _verdict(report) for report in asked if report)


def the_report_fits_a_phone(scenario: Scenario, played: Played) -> None:
    for report in played.reports:
        assert len(report.splitlines()) <= MAX_LINES
        assert len(report) <= MAX_CHARACTERS
        assert "…" not in report


def the_first_line_gives_nobody_away(scenario: Scenario, played: Played) -> None:
    for report in played.reports:
        verdict = report.splitlines()[0]
        assert verdict[0] in "✗?✓○"
        assert not set(re.findall(r"\w+", verdict.casefold())) & set(PEOPLE)
        assert not set(verdict) & set('"“”«»`')


def every_handle_opens(scenario: Scenario, played: Played) -> None:
    assert handles(played.owner)
    shut = [name for name in handles(played.owner) if name not in played.opened.get(name, "")]
    assert len(shut) == scenario.closed and all(name.startswith("i") for name in shut)


def the_buttons_tell_of_the_same_message(scenario: Scenario, played: Played) -> None:
    for label, page in played.pressed.items():
        refs = [ref.handle for finding in played.diagnosis.findings for ref in finding.evidence]
        failed = [
            f"{step_name(check.name)}: stopped the message"
            for check in played.diagnosis.checks
            if check.state == "failed"
        ]
        refs = [ref for ref in refs if not (scenario.closed and ref.startswith("i"))]
        assert [words for words in (refs if label == "Evidence" else failed) if words not in page] == []


def nobody_else_reads_of_it(scenario: Scenario, played: Played) -> None:
    assert [line for line in played.public if not ACKNOWLEDGED.fullmatch(line)] == []


def the_report_is_the_one_that_was_reviewed(scenario: Scenario, played: Played) -> None:
    (family,) = (name for name, scenarios in FAMILIES.items() if scenario in scenarios)
    page = _page(played)
    assert page in (HERE / f"scenarios/{family}.md").read_text(encoding="utf-8"), page


LOOKS = (
    its_rule_explains_it_and_no_other,
    the_machine_sees_the_same_cause,
    the_report_names_the_evidence_and_the_fix,
    the_report_fits_a_phone,
    the_first_line_gives_nobody_away,
    every_handle_opens,
    the_buttons_tell_of_the_same_message,
    nobody_else_reads_of_it,
    the_report_is_the_one_that_was_reviewed,
)
"""What has to be so of each scenario; it is played once for all of them."""


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name.replace(" ", "_"))
def test_why_is_answered(scenario: Scenario, plays: Plays) -> None:
    played = plays(scenario)
    for look in LOOKS:
        look(scenario, played)


@pytest.mark.parametrize("family", FAMILIES)
def test_what_was_reviewed_is_what_there_is(family: str, plays: Plays, pytestconfig: pytest.Config) -> None:
    names = [scenario.name for scenario in FAMILIES[family]]
    if pytestconfig.getoption("update_snapshots"):
        matches(pytestconfig, f"scenarios/{family}", "\n\n".join(_page(plays(s)) for s in FAMILIES[family]))
    reviewed = (HERE / f"scenarios/{family}.md").read_text(encoding="utf-8")
    assert [line[3:] for line in reviewed.splitlines() if line[3:] in names and line.startswith("## ")] == names
    assert len(re.findall(r"^## ", reviewed, re.MULTILINE)) == len(names)


def test_every_scenario_has_a_name_of_its_own() -> None:
    assert len({scenario.name for scenario in SCENARIOS}) == len(SCENARIOS)


def _verdict(report: str) -> str:
    return report.splitlines()[0][2:]


def _timeless(text: str) -> str:
    return CLOCK.sub("…", LEFT.sub("n", text))


def _page(played: Played) -> str:
    """Show what is read, with the rows' names and the process left out: they say nothing about the words."""
    owner, admin, machine = map(plain_times, (played.owner, played.admin, played.machine))
    # whether a second has passed between the two says nothing about the words
    its_own = {_timeless(line) for line in owner.splitlines()}
    others = [line for line in admin.splitlines()[2:] if _timeless(line) not in its_own]
    instead = ["An admin reads instead:", "", *others, ""] if others else []
    buttons = [" ".join(f"[{label}]" for label in played.buttons), ""] if played.buttons else []
    bodies = [_timeless(POLLED.sub("", text)).splitlines()[2:] for text in (machine, owner)]
    differs = bodies[0] != bodies[1]
    host = ["On the machine:", "", "```", machine, "```"] if machine and differs else []
    text = "\n".join(("```", owner, "```", "", *buttons, *instead, *host)).rstrip()
    text = POLLED.sub("poll n s ago", text)
    text = LEFT.sub("n", STOOD.sub("n", LINE.sub(".py:…", text)))
    for name in handles(text):
        text = text.replace(name, f"{name[0]}····")
    if isinstance(played.scenario, Online):
        text = CLOCK.sub("…", text)
    return f"## {played.scenario.name}\n\n{NUMBERS.sub('1', text)}"
