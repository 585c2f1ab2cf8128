"""Many channels, most of them silent: what they cost a bot that was started anew, and how large it gets on the way."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from tests.bench._chats import Json
from tests.bench._loopback import Remote, a_loopback
from tests.bench.floor import come_to_rest, rss_mib
from tests.bench.telegram import a_bot
from tests.faults.family import Verdict

EACH = 10
"""Messages in each channel, of which one is for the bot."""
AT_ONCE = 200
SECONDS = 1.0
"""How long the model thinks."""
SLOWEST_TURN = 0.05
"""Seconds that a bot may need until a question is with the model, when all come together."""
A_FEW = range(10)


def hold(channels: int, directory: Path) -> Verdict:
    """Let all channels talk, 200 model calls at a time; then start with them, and without any."""
    nobody = directory / "nobody"
    nobody.mkdir()
    # one loopback for all: what it numbers has to go on after a restart, as it does in life
    with a_loopback() as loopback:
        talked = _talk(loopback, channels, directory)
        idle = _at_rest(loopback, directory) - _at_rest(loopback, nobody)
    return replace(talked, figures={**talked.figures, "idle_mib": idle})


def let_talk(channels: int, directory: Path) -> Verdict:
    """Let people talk in all channels and ask the bot something in each, so many at a time."""
    with a_loopback() as loopback:
        return _talk(loopback, channels, directory)


def _talk(loopback: Remote, channels: int, directory: Path) -> Verdict:
    at_once = min(AT_ONCE, channels)
    with a_bot(loopback, home=directory) as bot:
        bot.lag()
        talked = loopback.order("groups", pid=bot.pid, many=channels, each=EACH, at_once=at_once, delay=SECONDS)
        _, lag, _ = bot.lag()
        together = _at_once(loopback, bot.pid, at_once) if at_once == AT_ONCE else talked
        rss = rss_mib(bot.pid, "VmHWM")
    stored, answered, disorder = _kept(directory)
    lost = channels * EACH - stored + talked["lost"] + channels - answered
    return Verdict(
        n=channels * EACH,
        counts={"lost": lost, "twice": talked["twice"], "disorder": disorder},
        figures={
            "rss_mib": rss,
            "per_s": talked["per_second"],
            "calls_at_once": together["calls_at_once"],
            "lag_p99_ms": lag,
            "answer_p99_ms": talked["p99_ms"],
        },
    )


def _at_once(loopback: Remote, pid: int, people: int) -> Json:
    """Let so many people ask while the model thinks for long enough that all of its calls are under way together."""
    asked = loopback.order("crowd", pid=pid, people=[*range(people)], messages=1, delay=people * SLOWEST_TURN)
    assert not asked["lost"], f"{asked['lost']} of {people} questions at once were not answered"
    assert asked["calls_at_once"] >= 0.95 * people, f"only {asked['calls_at_once']} model calls at once"
    return asked


def _at_rest(loopback: Remote, home: Path) -> float:
    """Return the resident memory of a bot that has started, answered a few people, and rests.

    A bot that answers as soon as it is started is still loading its token table, which takes 50 MiB meanwhile and 40
    MiB then: two of them can be compared only when both have come to rest.
    """
    with a_bot(loopback, home=home) as bot:
        asked = loopback.order("crowd", pid=bot.pid, people=[*A_FEW], messages=3, delay=0.0)
        assert not asked["lost"], f"{asked['lost']} of {3 * len(A_FEW)} questions were not answered"
        come_to_rest(bot.pid)
        return rss_mib(bot.pid)


_KEPT = """
    SELECT count(*), count(*) FILTER (WHERE outcome = 'replied'), count(*) FILTER (WHERE number < before)
    FROM (SELECT outcome, CAST(message_id AS INTEGER) AS number,
                 lag(CAST(message_id AS INTEGER)) OVER (PARTITION BY channel ORDER BY id) AS before
          FROM inbound WHERE channel LIKE 'telegram:-%')
"""


def _kept(home: Path) -> tuple[int, int, int]:
    """Return how many messages of groups are stored, how many were answered, and how many stand behind a later one."""
    with closing(sqlite3.connect(next((home / "data").glob("*.db")))) as connection:
        stored, answered, disorder = connection.execute(_KEPT).fetchone()
        return stored, answered, disorder
