"""Whether it adds up in the end: what was owed stands once, or somebody was told why not; and the store is whole."""

from __future__ import annotations

from bot.agent.turn.ending import failed_result, failure_notice
from bot.domain.ledger import FailReason, Outcome
from bot.prompts import render
from bot.sentences import say
from tests.faults.failpoints.house import House, Owed
from tests.faults.story import UNHAPPY

REGRETS = (
    "may not have arrived",
    "may not have been delivered",
    "could not be delivered",
    "I could not answer",
    say("cortex.cut-off"),
    render("cut_off"),
    failure_notice(failed_result(FailReason.INTERNAL, "interrupted")),
)
"""What people read where something came to nothing."""
AS_ONE = ("coalesced into", "edited")
"""Reasons of a message that another one stands for."""


async def adds_up(house: House) -> None:
    """Check everything that must hold wherever a process was killed; raise AssertionError with the whole story."""
    try:
        await _is_whole(house)
        for owed in house.owed:
            await _stands_once(house, owed)
    except AssertionError as error:
        raise AssertionError(f"{error}\n{house}") from error


async def _is_whole(house: House) -> None:
    store = house.bot.store
    assert await store.ledger.unsettled() == [], "a message has no outcome"
    assert await store.outbox.pending() == [], "something still waits to be sent"
    assert await store.journal.running_turns() == [], "a turn has not ended"
    assert await store.processes.running() == [], "a process has not ended"
    assert list(await store.verify()) == [], "a row is not what was written"
    assert await store.audit.verify() == 0, "the chain of the audit is broken"
    assert [one for one in await store.probe() if one.state == "failed"] == [], "the store is not well"


async def _stands_once(house: House, owed: Owed) -> None:
    told = house.told()
    count = sum(text.count(owed.words) for _, text in told)
    assert count <= 1, f"twice: {owed.name!r} was answered {count} times"
    rows = await house.rows(owed) if owed.message_id or house.name == "console" else []
    ends = [(row.outcome, row.outcome_reason) for row in rows]
    if count:
        return
    if owed.instead and any(owed.instead in text for _, text in told):
        return
    if not rows and (house.name == "console" or not owed.message_id):
        return  # the terminal died with the process, before anything was promised
    assert rows, f"lost: {owed.name!r} was never heard"
    if any(reason.startswith(AS_ONE) for _, reason in ends):
        return
    what = "silent" if {end for end, _ in ends} & UNHAPPY else "lost"
    assert house.is_marked(owed) or _says_so(house, owed), f"{what}: {owed.name!r} ended as {ends}, nobody was told"


def _says_so(house: House, owed: Owed) -> bool:
    """Whether there is a word of regret where it was asked, or where an admin reads it."""
    places = {owed.key.channel, house.key("root", "dm").channel}
    return any(where in places and any(words in text for words in REGRETS) for where, text in house.told())


async def uncertain(house: House) -> int:
    """Count the messages whose answer nobody can be sure of."""
    keys = {owed.key for owed in house.owed}
    return sum([one.outcome is Outcome.UNCERTAIN for key in keys for one in await house.messages(key)])
