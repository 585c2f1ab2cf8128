"""What can be said of a bot that may be dead, from its last sign of life."""

from __future__ import annotations

import pytest

from bot.cortex.doctor.examination import exit_status
from bot.cortex.doctor.heartbeat_status import is_alive, pulse
from bot.domain.health import KILLED, AdapterHealth, AdapterState, Heartbeat

NOW = 1_760_000_000_000
MINUTE = 60_000


def beat(**changes):
    return Heartbeat(**{"instance": "aa", "pid": 7, "started_at": 0, "at": NOW, "version": "0.1.0", **changes})


def adapter(state, **changes):
    return AdapterHealth(name="telegram", state=state, since=NOW, **changes)


@pytest.mark.parametrize(
    ("last", "status", "said"),
    [
        (None, 1, "no bot has run"),
        (beat(), 0, "running: pid 7"),
        (beat(at=NOW - 2 * MINUTE), 1, "not running: killed, or the machine went down"),
        (beat(exit_reason=KILLED), 1, "not running: killed, or the machine went down"),
        (beat(at=NOW - MINUTE, exit_reason="stopped by a signal"), 1, "not running: stopped by a signal"),
    ],
)
def test_a_dead_bot_is_never_well(last, status, said):
    rows = pulse(last, NOW)
    assert exit_status(rows) == status
    assert said in rows[0].evidence
    assert is_alive(last, NOW) is (status == 0)
    assert bool(rows[0].fix) is (status > 0)


@pytest.mark.parametrize(
    ("state", "status"),
    [
        (AdapterState.UP, 0),
        (AdapterState.STARTING, 0),
        (AdapterState.DISABLED, 0),
        (AdapterState.DEGRADED, 1),
        (AdapterState.CONFLICT, 1),
        (AdapterState.DOWN, 1),
    ],
)
def test_what_a_platform_said_of_itself_is_a_row(state, status):
    health = adapter(state, detail="two pollers", fix="stop one")
    rows = pulse(beat(adapters=(health,)), NOW)
    assert exit_status(rows) == status
    assert (rows[1].name, rows[1].evidence, rows[1].fix) == ("platform telegram", f"{state}: two pollers", "stop one")


def test_what_a_dead_bot_said_of_its_platforms_is_old_news():
    assert len(pulse(beat(at=0, adapters=(adapter(AdapterState.UP),)), NOW)) == 1
