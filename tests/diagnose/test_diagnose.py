"""The table of causes is whole, and a part of what `make diagnose` plays holds here."""

from __future__ import annotations

import pytest

from tests.bot.diagnostics.rules.test_all import WANTED
from tests.diagnose.causes import CAUSE_OF, CAUSES, PLATFORMS
from tests.diagnose.page import PAGE, page
from tests.diagnose.pairs import BEHIND, pairs
from tests.diagnose.playing import Diagnosed, played
from tests.diagnose.rows import DiagnosisRow, platform_of, rows
from tests.diagnose.score import score
from tests.diagnose.table import confusion, few_ways, figures, holds, table
from tests.scenarios.setting import Setting
from tests.scenarios.table import FAMILIES

SEED = 7
SAMPLE = (
    "the key is refused, on Telegram",
    "a memory orders silence, on Discord",
    "an anonymous admin gives a command",
    "the chat of a voice channel takes Connect",
    "answered beside talk",
)
PAIRS = ("it claims to have saved + another program answers, too", "a memory orders silence + the adapter goes down")
EVERY = {row.name: row for row in (*rows(), *pairs())}


@pytest.mark.parametrize("name", (*SAMPLE, *PAIRS))
async def test_in_other_words_and_among_other_things_it_is_the_same_cause(name: str) -> None:
    done = await played(EVERY[name], SEED)
    assert (done.found, done.faults, done.trouble) == (done.wanted, (), "")


def test_every_rule_tells_a_cause_that_has_a_number() -> None:
    assert set(CAUSE_OF) == WANTED
    numbers = [cause.number for cause in CAUSES]
    assert numbers == sorted(set(numbers))


def test_every_cause_has_a_scenario() -> None:
    scenarios = [one for family in FAMILIES.values() for one in family]
    played_on = {(CAUSE_OF[one.rule].number, platform_of(one)) for one in scenarios if one.rule}
    lacking = [cause.number for cause in CAUSES if not any((cause.number, where) in played_on for where in PLATFORMS)]
    assert lacking == []


def test_the_page_is_the_one_that_is_made() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run python -m tests.diagnose.page"


def test_there_are_pairs_and_healthy_rows_enough() -> None:
    assert len(list(pairs())) >= 20
    assert all(set(BEHIND) >= {row.behind} for row in pairs())
    assert sum(not row.scenario.rule for row in rows()) * 3 >= 40


def test_a_setting_puts_the_same_thing_the_same_way() -> None:
    first, second, plain = Setting(SEED), Setting(SEED), Setting()
    assert first.words("@x are you there?") == second.words("@x are you there?") != "@x are you there?"
    assert plain.words("are you there?") == "are you there?" and plain.name("Ann") == "Ann"
    assert first.start == second.start != plain.start
    assert len({Setting(seed).words("are you there?") for seed in range(1, 30)}) >= 3


def _said(wanted: str, *found: str, **changes: object) -> Diagnosed:
    body = {"name": wanted, "platform": "console", "seed": 1, "wanted": (wanted,) if wanted else (), "found": found}
    return Diagnosed.model_validate({**body, **changes})


def test_the_table_counts_what_is_wrong() -> None:
    done = [
        _said("PAUSED", "PAUSED", sure="confirmed"),
        _said("DUP", "OUT-GONE", sure="confirmed"),
        _said("", "TYPING", sure="likely"),
        _said("DUP", is_terminal_only=True, trouble="takes terminal"),
    ]
    known = figures(done)
    assert (known["first"], known["plays"], known["false_alarms"], known["falsely_sure"]) == (1, 2, 1, 1)
    assert confusion(done) == {"DUP": {"OUT-GONE": 1}, "PAUSED": {"PAUSED": 1}, "healthy": {"TYPING": 1}}
    assert "wanted DUP, found OUT-GONE" in table(done) and not holds(done)
    assert holds([done[0], done[3]])


def test_a_whole_look_is_a_row_of_the_scorecard_for_each_bar() -> None:
    ways = [_said("PAUSED", "PAUSED", seed=seed, told=(f"way {seed}",)) for seed in range(3)]
    rows = {row.figure: row for row in score([*ways, _said("", "TYPING", seed=2), _said("DUP", seed=1)])}
    assert rows["the right cause first, setting 0"].holds and not rows["the right cause first, setting 1"].holds
    assert rows["false alarms where nothing is wrong"].text.startswith("1 of 1")
    assert rows["confirmed, and wrong"].holds
    assert few_ways([*ways, _said("DUP", "DUP")]) == ["29 on console (1)"]


def test_a_row_names_what_stands_behind_it() -> None:
    assert DiagnosisRow(EVERY[SAMPLE[0]].scenario, "telegram", "x").name == f"{SAMPLE[0]} + x"
