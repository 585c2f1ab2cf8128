"""What waits for a process is part of what is kept of somebody, and goes with it; it is readable for nobody else."""

from __future__ import annotations

from typing import Any

from bot.domain.heard import HeardInbound, heard_json, read_heard
from bot.domain.ids import ChannelId, PersonKey, UserId
from bot.domain.messages import (
    Author,
    EventKind,
    Inbound,
    InboundKind,
    MessageReference,
    PlatformEvent,
    ReferenceKind,
)
from bot.ports.leases import gateway_lease
from bot.ports.relay import RelayedEvent
from tests.adapters.postgres.machines import Machines
from tests.contracts.test_store import DAY, FOREVER
from tests.fakes import values as v
from tests.fakes.clock import START

HERE, THERE = ChannelId("discord:1:1"), ChannelId("discord:1:2")
ANN, BEN = (Author(user_id=UserId(user), name=name) for user, name in (("7", "Ann"), ("8", "Ben")))
PERSON = PersonKey("discord", ANN.user_id)
WORDS, TOKEN = "the-door-code-is-7391", "token-of-an-interaction"


def says(number: int, author: Author = ANN, text: str = WORDS, channel: ChannelId = HERE, **more: Any) -> Inbound:
    return v.inbound(text, str(number), adapter="discord", channel=channel, author=author, **more)


def brings(kind: ReferenceKind) -> dict[str, Any]:
    return {"refers": (MessageReference(kind=kind, author=ANN, text=WORDS),)}


def on_its_way(inbound: Inbound) -> RelayedEvent:
    heard = HeardInbound(inbound=inbound, handoff=TOKEN)
    return RelayedEvent(inbound.channel, "heard", heard_json(heard), heard.key)


async def test_words_that_no_process_has_taken_up_are_counted_and_erased(machines: Machines):
    leases = await machines.leases("gateway", joins=True)
    gateway = await machines.store("gateway", await leases.take(gateway_lease("discord")))
    _, worker = await machines.worker("worker")
    moved = PlatformEvent(kind=EventKind.MOVED, name="moved", moved_to=THERE)
    joined = says(6, text="", kind=InboundKind.EVENT, event=moved)
    everything = [
        says(1),
        says(2, channel=THERE),
        says(3, BEN, "hello"),
        says(4, BEN, "I agree", **brings(ReferenceKind.ANSWERED)),
        says(5, BEN, WORDS, **brings(ReferenceKind.FORWARDED)),
        joined,
    ]
    await gateway.relay.pass_on([*map(on_its_way, everything), RelayedEvent(HERE, "reload", "[]")], None)
    # what was stored and is only not taken away yet is counted where it is stored
    await worker.ledger.arrive([v.arrival(WORDS, "1", adapter="discord", channel=HERE, author=ANN)], None)

    rows = machines.server.run("SELECT body FROM glassmind.relayed")
    assert len(rows) == 7 and not any(one in str(rows) for one in (WORDS, TOKEN, "Ann"))
    found = await worker.erasures.footprint(PERSON)
    assert (found.messages, found.quotations) == (3, 2) and set(found.channels) == {HERE, THERE}
    assert (await worker.erasures.footprint(PERSON, [THERE])).messages == 1

    assert (await worker.erasures.erase(PERSON, [THERE])).messages == 1
    assert (await worker.erasures.erase(PERSON)).messages == 2
    assert (await worker.erasures.footprint(PERSON)).is_empty
    left = [one.event for one in (await worker.relay.events(None, 9)).events]
    heard = [read_heard(HeardInbound, one.body).inbound for one in left if one.kind == "heard"]
    assert [(one.author.name, one.text, one.refers) for one in heard] == [
        ("Ben", "hello", ()),
        ("Ben", "I agree", ()),
        ("Ben", "", ()),
        ("", "", ()),
    ]
    assert heard[-1].event == moved, "where a group moved to is still to be heard"


async def test_what_nobody_takes_up_is_kept_no_longer_than_messages(machines: Machines):
    leases = await machines.leases("gateway", joins=True)
    gateway = await machines.store("gateway", await leases.take(gateway_lease("discord")))
    await gateway.relay.pass_on([on_its_way(says(1))], None)
    machines.server.run("UPDATE glassmind.relayed SET at = at - interval '2 days'")
    await gateway.relay.pass_on([on_its_way(says(2))], None)
    assert await gateway.sweep(FOREVER, START) == {}
    assert await gateway.sweep(FOREVER.replace(messages_ms=DAY), START) == {"never_taken_up": 1}
    assert [one.event.key for one in (await gateway.relay.events(None, 9)).events] == [on_its_way(says(2)).key]
