"""What a person reads first. The texts are golden (tests/golden/report)."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.cortex.words.report import (
    MAX_CHARACTERS,
    MAX_LINES,
    findings_text,
    first_message,
    report_buttons,
    silence_message,
)
from bot.diagnostics.diagnose import diagnose
from bot.diagnostics.evidence.evidence import LastAnswer
from bot.domain.access import Authority
from bot.domain.finding import Confidence, Diagnosis, EvidenceQuote, EvidenceRef, Finding, ForgetMemory, FunnelStage
from bot.domain.ledger import Outcome, OutcomeCount
from bot.sentences import say
from bot.text.text import unfence
from bot.text.times import plain_times
from tests.bot.diagnostics.scenarios import HEALTHY, PAUSE_STOP, PAUSED, SCENARIOS
from tests.fakes.clock import START
from tests.fakes.evidence import evidence, gated, healthy
from tests.fakes.values import GENERAL
from tests.golden.golden import matches

SESSION = "s4t8q"


def report(diagnosis: Diagnosis, viewer: Authority = Authority.ADMIN) -> str:
    return plain_times(first_message(diagnosis, SESSION, viewer))


def labels(diagnosis: Diagnosis) -> tuple[str, ...]:
    return tuple(button.label for button in report_buttons(diagnosis))


def golden(name: str) -> str:
    return f"report/{name.replace(',', '').replace(' ', '_')}"


def of(name: str) -> Diagnosis:
    return diagnose(SCENARIOS[name][1])


@pytest.mark.parametrize(
    "name",
    [
        "told to be silent",
        "chose silence",
        "sender not listed",
        "a name among the users",
        "not addressed",
        "key refused",
        "too long, by our count",
        "a call without a result",
        "a turn beyond its limit",
        "all spent on thinking",
        "not delivered",
        "loop guard",
        "from outside, no outcome",
        "may have arrived",
        "the process is dead",
    ],
)
def test_the_first_message(name: str, pytestconfig: pytest.Config) -> None:
    assert matches(pytestconfig, golden(name), report(of(name)))


def test_the_page_of_the_layout(pytestconfig: pytest.Config) -> None:
    count = OutcomeCount(channel=GENERAL, outcome=Outcome.GATED, reason="pause", count=39, newest=START)
    last = LastAnswer(inbound=5, at=START - 2_000_000, delivery=90)
    about = evidence(gated(PAUSE_STOP), settings=PAUSED, counts=(count,), last_answer=last)
    assert matches(pytestconfig, golden("paused, with a long queue"), report(diagnose(about)))
    assert labels(diagnose(about)) == ("Resume #support…", "Evidence", "Ask", "All checks")


@pytest.mark.parametrize("name", ["answered", "being worked on", "nothing ever arrived", "a command"])
def test_when_nothing_is_wrong(name: str, pytestconfig: pytest.Config) -> None:
    assert matches(pytestconfig, golden(f"healthy {name}"), report(diagnose(HEALTHY[name])))


@pytest.mark.parametrize("name", SCENARIOS)
@pytest.mark.parametrize("viewer", [Authority.ADMIN, Authority.OWNER])
def test_it_fits_on_a_phone(name: str, viewer: Authority) -> None:
    text = report(of(name), viewer)
    assert len(text) <= MAX_CHARACTERS
    assert len(text.splitlines()) <= MAX_LINES
    assert text.splitlines()[1].endswith(f"rules only, no model used · {SESSION}")
    wide = [line for line in text.splitlines()[:-3] if len(line) > 64 and not line.startswith("→")]
    assert wide == []


def test_the_lock_screen_shows_no_name_and_no_quote() -> None:
    first = report(of("told to be silent")).splitlines()[0]
    assert first == "? #support: the bot chose not to answer"
    assert "ann instructed" not in report(of("told to be silent"))


def test_an_operator_reads_what_an_operator_can_do() -> None:
    assert "Tell the operator" in report(of("key refused"), Authority.ADMIN)
    assert "Renew the provider's key" in report(of("key refused"), Authority.OWNER)


def test_a_long_answer_loses_records_before_reasons() -> None:
    long = Finding(
        rule="PAUSED",
        stage=FunnelStage.GATE,
        confidence=Confidence.CONFIRMED,
        verdict="v" * 200,
        why=tuple(letter * 150 for letter in "abcdef"),
        evidence=tuple(EvidenceRef(handle="iq7kt", what="w" * 200) for _ in range(3)),
        advice="x" * 300,
    )
    text = report(diagnose(healthy()).replace(findings=(long,)))
    assert len(text) <= MAX_CHARACTERS
    assert len(text.splitlines()) <= MAX_LINES


def test_a_hostile_channel_name_forges_no_line() -> None:
    name = "#x\n✓ all is well @everyone [a](https://evil.example)\u202e"
    text = report(diagnose(healthy(name=name)))
    assert len([line for line in text.splitlines() if line.startswith("✓")]) == 2
    assert "@everyone" not in text
    assert "https://" not in text
    assert "\u202e" not in text


def test_buttons_name_their_effect() -> None:
    assert labels(of("told to be silent")) == ("Show m2aefk", "Forget m2aefk…", "Prove it…", "Evidence", "Ask")
    assert labels(diagnose(HEALTHY["answered"])) == ("Ask", "All checks")


def claimed(claim: str, *quotes: EvidenceQuote) -> Finding:
    return Finding(
        rule="branch",
        stage=FunnelStage.DECISION,
        confidence=Confidence.LIKELY,
        verdict=claim,
        evidence=(EvidenceRef(handle="m2aefk", what=""), EvidenceRef(handle="rnk6s", what="")),
        quotes=quotes,
        fix=ForgetMemory(memory=7, version=1),
    )


def test_what_a_branch_found_is_said_to_be_a_models(pytestconfig: pytest.Config) -> None:
    first = claimed(
        "The memory forbids it. Visit https://evil.example/steal?x=1 @everyone\n```\nAdmin: all is well",
        EvidenceQuote(handle="m2aefk", text="Do not ans\u200bwer ann.\n```"),
    )
    text = findings_text((first, claimed("Nothing else.")))
    assert matches(pytestconfig, golden("findings of a branch"), text)
    assert text.count(say("report.by-model")) == 2
    assert "https://" not in text


def test_a_long_claim_is_cut() -> None:
    text = findings_text((claimed("word " * 400),))
    assert len(text) < 800
    assert text.rstrip("`\n").endswith("…")


@given(st.text(max_size=300), st.text(max_size=120))
def test_no_claim_leaves_its_fence(claim: str, quote: str) -> None:
    text = findings_text((claimed(claim, EvidenceQuote(handle="m2aefk", text=quote)),))
    head, _, rest = text.partition(say("report.by-model"))
    assert head.startswith("1. likely")
    fenced, _, quoted = rest.partition("\nm2aefk, as it is stored\n")
    assert unfence(fenced[fenced.index("\n") + 1 :]) is not None or "m2aefk, as it is stored" in claim
    assert unfence(quoted) is not None or "m2aefk, as it is stored" in claim
    assert all(unicodedata.category(c) not in {"Cf", "Co", "Cs"} for c in text)


def test_of_the_suspects_of_a_silence_as_many_are_told_as_there_is_room_for() -> None:
    suspects = [(f"{number} A memory", '  "its words"', "  fits its reason") for number in (1, 2, 3)]
    ways = [("It called skip.", "Likely:", *(line for one in suspects[:count] for line in one)) for count in (3, 2, 1)]
    text = silence_message(of("chose silence"), SESSION, ways)
    assert "2 A memory" in text and "3 A memory" not in text
    assert text.count("\n") < MAX_LINES and "Reword" not in text and "Evidence" not in text
    assert 'Why  It called skip.\nLikely:\n1 A memory\n  "its words"' in text
    # how to try them is said where that costs no suspect
    assert "prove" not in text and "→ `prove i" in silence_message(of("chose silence"), SESSION, ways[2:])
