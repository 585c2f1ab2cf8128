"""What an adapter says of its own hearing, read in the rules' words."""

from __future__ import annotations

import pytest

from bot.diagnostics.evidence.adapter_facts import (
    adapter_fault,
    backlog_growth,
    channel_probe,
    freshness,
    pending_updates,
)
from bot.domain.health import AdapterState, ProbeResult
from tests.bot.diagnostics.scenarios import PRIVATE, ailing
from tests.fakes.evidence import NOW, healthy, up


@pytest.mark.parametrize("code", ["conflict", "webhook", "token", "stalled", "piling", "store"])
def test_what_does_not_pass_by_itself_counts_at_once(code: str) -> None:
    assert adapter_fault(healthy(adapter=ailing(code).replace(since=NOW))) == code


@pytest.mark.parametrize("code", ["network", "internal"])
def test_what_may_pass_counts_when_it_lasts(code: str) -> None:
    assert adapter_fault(healthy(adapter=ailing(code).replace(since=NOW - 19_000))) == ""
    assert adapter_fault(healthy(adapter=ailing(code).replace(since=NOW - 20_000))) == code
    assert adapter_fault(healthy(adapter=ailing(code, AdapterState.DOWN).replace(since=NOW))) == code


def test_a_word_that_nobody_knows_is_no_reason() -> None:
    assert adapter_fault(healthy(adapter=ailing("shard_asleep"))) == ""
    assert adapter_fault(healthy(adapter=ailing("conflict"), running=False)) == ""
    assert adapter_fault(healthy(adapter=None)) == ""


def test_a_platform_that_is_polled_tells_of_polls() -> None:
    about = healthy()
    assert freshness(about, up()) == "event 2 s ago"
    assert freshness(about, ailing("")) == "poll 31 s ago"
    assert freshness(about, up(facts=(("last_poll_at", "0"),))) == "no poll yet"


def test_what_the_platform_says_now_counts_more_than_what_it_said() -> None:
    asked = ProbeResult(name="telegram webhook", state="ok", evidence="", facts=(("pending_updates", "7"),))
    assert pending_updates(healthy(adapter=ailing(""), probes=(asked,))) == 7
    assert pending_updates(healthy(adapter=ailing(""), probes=None)) == 2
    assert pending_updates(healthy(adapter=up(facts=(("pending_updates", "100 or more"),)))) == 100
    assert pending_updates(healthy(adapter=up(facts=(("pending_updates", "many"),)))) == 0


def test_what_piles_up_is_told_from_what_only_waits() -> None:
    def piled(*facts: tuple[str, str]) -> int:
        return backlog_growth(healthy(adapter=up(facts=facts)))

    assert piled(("pending_updates", "7"), ("pending_before", "3")) == 4
    assert piled(("pending_updates", "7")) == piled(("pending_updates", "3"), ("pending_before", "many")) == 0


def test_the_probe_of_the_channel_is_told_from_that_of_the_account() -> None:
    account = ProbeResult(name="telegram account", state="ok", evidence="")
    assert channel_probe(healthy(probes=(account, PRIVATE))) == PRIVATE
    assert channel_probe(healthy(probes=(account,))) is None
    assert channel_probe(healthy(probes=None)) is None
