"""The rows of the scorecard: which figure, from which cases, and how it must stand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.faults.measures import Measure, at_least, at_most, counted, mostly_at_most, none, spread, total


def _all(key: str) -> bool:
    return True


def under(*places: str) -> Callable[[str], bool]:
    """Choose the cases whose key begins so."""
    return lambda key: key.startswith(places)


@dataclass(frozen=True)
class Row:
    """One row. `families` are where its cases come from, `chosen` says which of them by their key."""

    number: int
    figure: str
    families: tuple[str, ...]
    measures: tuple[Measure, ...]
    chosen: Callable[[str], bool] = _all
    command: str = ""
    """How to get the figure, where it is not `make faults FAMILY=...`."""
    why_not: str = ""
    """Why it is not run here."""
    play: str = ""
    """The play against a real model that it is from, where it is no family's: see `tests.model`."""


ROWS = (
    Row(
        1, "kill -9 at every syscall of a recorded run: messages lost", ("F2",), (none("lost", "corrupt", least=4000),)
    ),
    Row(2, "the same on Discord: answered twice", ("F2",), (none("twice", least=500),), under("discord/")),
    Row(
        3,
        "the same on Telegram: answered twice, or lost with nobody told; replies that nobody can be sure of",
        ("F2",),
        (none("twice", "silent", least=500), counted("uncertain", "shown as uncertain"), spread("window_ms", "ms")),
        under("telegram/"),
    ),
    Row(
        4,
        "random kill -9 under load: lost, twice, out of order",
        ("F4",),
        (none("lost", "twice", "disorder"), total("kills", 1000), total("messages", 10_000)),
    ),
    Row(5, "kill -9 during recovery, then recovery", ("F3",), (none("lost", "twice", "corrupt", least=600),)),
    Row(6, "power loss: images of the disk", ("F5",), (none("corrupt", "lost", least=12_000),)),
    Row(
        7,
        "ENOSPC and EIO at every write and fsync; a full disk",
        ("F6",),
        (none("lost", "corrupt", "stuck", least=1500),),
    ),
    Row(8, "one flipped bit: altered rows that were used unseen", ("F7",), (none("unseen", least=5000),)),
    Row(
        9,
        "Discord messages of a downtime: missed, or taken up twice",
        ("F8",),
        (none("missed", "again", least=100), total("caught_up", 1000)),
        under("downtime"),
    ),
    Row(
        10,
        "schedules of faults at the gateway and the polling: lost, twice",
        ("F8", "F9"),
        (none("lost", "twice", "disorder", least=4000),),
        under("seed"),
    ),
    Row(
        11,
        "faults of the model's provider: no message, more than one, another reason named, an exception that escaped",
        ("F10",),
        (none("silent", "wordy", "misnamed", "escaped", least=1200),),
    ),
    Row(12, "an answer cut at every byte: hung, lost, twice", ("F11",), (none("hung", "lost", "twice", least=1200),)),
    Row(
        13,
        "a storm of 429s: undelivered, out of order",
        ("F12",),
        (none("lost", "disorder", least=10_000), at_most("invalid_per_10min", 1000, "invalid requests in 10 min")),
    ),
    Row(
        14,
        "channels held: 10,000; messages lost, twice, out of order; answers while 200 calls of a second are under way",
        ("F15",),
        (
            at_most("idle_mib", 5, "MiB more"),
            at_most("rss_mib", 250, "MiB in all"),
            spread("answer_p99_ms", "ms"),
            none("lost", "twice", "disorder"),
        ),
        under("channels"),
    ),
    Row(
        15,
        "durable messages, order kept",
        ("F15",),
        (at_least("durable_per_s", 2000, "a second"), none("lost", "disorder")),
        under("throughput"),
    ),
    Row(
        16,
        "acknowledged durably, at 1,000 a second; a page by itself; messages left out because the whole machine stood",
        ("F15",),
        (at_most("ack_p99_ms", 10, "ms"), spread("disk_p99_ms", "ms"), spread("standstill_pct", "%")),
        under("ack"),
    ),
    Row(
        17,
        "the loop's lag under load and an export of 1 MB",
        ("F15",),
        (at_most("lag_p99_ms", 50, "ms"),),
        under("lag", "channels"),
    ),
    Row(
        18,
        "SIGTERM at any moment: late, wrong status, lost, twice",
        ("F17",),
        (none("late", "wrong_status", "lost", "twice", least=1000), at_most("stop_s", 10, "s")),
    ),
    Row(
        19,
        "programs of a hostile model: unconfirmed changes, foreign secrets, live links or pings, outside the DM",
        ("F13",),
        (none("unconfirmed", "foreign", "live", "elsewhere", least=1_000_000),),
    ),
    Row(
        20,
        "injections into a real model that took effect",
        (),
        (),
        command="PLAY=injections make test-model",
        why_not="it needs a real model",
        play="injections",
    ),
    Row(21, "authorisation: cells decided wrongly", ("R21",), (none("wrong", least=269),)),
    Row(
        22,
        "confirmations forged, replayed, stale, pressed twice: effects too many",
        ("R22",),
        (none("effects", least=110_000),),
    ),
    Row(23, "canaries of secrets in logs, errors, exports, store", ("R23",), (none("leaked", least=2880),)),
    Row(
        24,
        "fuzzed inputs: crashes, broken properties",
        ("F14",),
        (none("crashed", least=1_000_000), at_most("slowest_pattern_ms", 50, "ms"), total("guided_seconds", 1800)),
    ),
    Row(
        25,
        "runaway models and floods: limits passed",
        ("F16",),
        (none("passed", least=1000), at_most("slower_percent", 20, "% slower replies in a flood")),
    ),
    Row(
        26,
        "no reader but its actor gets a byte of a cortex, inspection or private-work record",
        ("R26",),
        (none("foreign", "leaked", "wrong", least=100_000),),
    ),
    Row(
        27,
        "worlds in which somebody is forgotten: words of theirs that are left, bytes of others that changed",
        ("R27",),
        (none("wrong", least=1000),),
    ),
    Row(
        28,
        "programs of commands by strangers and members: something of others changed, somebody not answered",
        ("R28",),
        (none("changed", "unanswered", least=10_000),),
    ),
    Row(
        29,
        "names: live links, markup, mentions, forged lines, raw control characters",
        ("R29",),
        (none("live", least=5000),),
    ),
    Row(
        30,
        "a leap of the clock wipes nothing; an honest clock wipes what is due on time",
        ("R30",),
        (none("wiped", least=1000),),
    ),
    Row(
        31,
        "an hour's growth: 18,000 messages in 50 chats, half of them answered; the longest look for garbage",
        ("R31",),
        (
            at_most("rss_end_mib", 220, "MiB at the end"),
            at_most("last_half_grew_mib", 5, "MiB more over the last half"),
            at_most("longest_garbage_ms", 50, "ms"),
        ),
        under("hour"),
    ),
    Row(
        32,
        "every import and file the chat can do without: no answer, or one that does not name it",
        ("R32",),
        (none("silent", least=850),),
    ),
    Row(
        33,
        "looks into memories of five servers by admins, moderators, models and editors: words of another place",
        ("R33",),
        (none("foreign", least=1000),),
    ),
    Row(
        34,
        "the web page: requests, bytes, canaries and rights: broken, of somebody else, alive, done",
        ("R34",),
        (none("crashed", "foreign", "wrong", "effects", "live", "passed", least=200_000),),
    ),
    Row(
        35,
        "processes on one database, killed, stopped, cut off: lost, twice, out of order; until another one is at work",
        ("R35",),
        (
            none("lost", "twice", "silent", "corrupt", least=1000),
            total("kills", 1000),
            total("standstills", 200),
            total("cuts", 100),
            total("restarts", 50),
            total("full_disks", 40),
            mostly_at_most("answered_s", 0.99, 6, "s", "a killed worker's channels answered, p99", least=100),
            mostly_at_most("standby_s", 0.99, 6, "s", "one that stands by at work, p99", least=100),
            mostly_at_most("facts_s", 1.0, 1, "s", "first facts, at most", least=100),
            spread("listening_s", "s", "a killed gateway's messages answered"),
            spread("handover_s", "s", "after one was asked to end"),
            spread("after_restart_answered_s", "s", "answered where the database fell as well"),
            spread("pooled_after_restart_answered_s", "s", "the same behind pgbouncer, which waits for up to 15 s"),
            spread("after_restart_facts_s", "s", "facts where the database fell as well"),
            spread("load_average", "", "load of 2 cores meanwhile"),
        ),
    ),
)
