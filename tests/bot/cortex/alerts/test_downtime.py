"""What counts as a silence, and what is counted of it."""

from __future__ import annotations

from bot.cortex.alerts.downtime import LateMessageCounter, MissedMessages, silence_before
from bot.domain.health import BotDowntime, Heartbeat
from bot.domain.ledger import Outcome, Settlement
from bot.domain.messages import AuthorKind, InboundKind
from bot.messaging.intake.recovery import RecoveryResult
from tests.fakes import values as v
from tests.fakes.clock import START


def beat(**changes) -> Heartbeat:
    return Heartbeat(**{"instance": "aa", "pid": 7, "started_at": 1, "at": START, "version": "0.1.0", **changes})


def test_a_silence_is_longer_than_the_limit():
    assert silence_before(None, START, 300) is None
    assert silence_before(beat(), START + 300_000, 300) is None
    assert silence_before(beat(), START - 86_400_000, 300) is None
    assert silence_before(beat(exit_reason="stopped"), START + 300_001, 300) == BotDowntime(
        since=START, until=START + 300_001, reason="stopped"
    )


def test_what_was_not_reported_goes_on_with_its_first_reason():
    owed = BotDowntime(since=1, until=START, reason="stopped", starts=2)
    found = silence_before(beat(unreported=owed, exit_reason="another"), START + 5, 300)
    assert found == BotDowntime(since=1, until=START + 5, reason="stopped", starts=3)
    assert silence_before(beat(unreported=owed), START - 9, 300).until == START


def test_an_older_sign_of_life_is_read_as_it_was_written():
    older = beat().model_dump_json(exclude={"unreported"})
    assert Heartbeat.model_validate_json(older) == beat()


def test_what_the_start_found_is_counted():
    ended = [Outcome.INTERRUPTED, Outcome.FAILED, Outcome.UNCERTAIN, Outcome.SUPERSEDED, Outcome.REPLIED]
    settled = tuple(Settlement(inbound=n, at=START, outcome=outcome) for n, outcome in enumerate(ended, 1))
    found = RecoveryResult((), settled, closed_turns=4, waiting_for_delivery=5, uncertain=2)
    assert MissedMessages.of(found) == MissedMessages(resumed=0, ready=5, broken_off=2, uncertain=3)
    assert not any(MissedMessages.of(RecoveryResult()))


class Listener:
    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.error: Exception | None = None

    async def receive(self, batch, cursor):
        if self.error is not None:
            raise self.error
        self.batches.append([inbound.message_id for inbound in batch])

    async def cursor(self, adapter, stream):
        return f"{adapter} {stream}"

    async def pressed(self, press):
        return "done"

    async def settled(self):
        self.batches.append(["settled"])

    def language(self):
        return "de"


async def test_only_people_who_wrote_in_the_silence_came_late():
    inside = START + 5
    listener = Listener()
    ears = LateMessageCounter(listener, BotDowntime(since=START, until=START + 10))
    batch = [
        v.inbound("late", "1", sent_at=inside),
        v.inbound("before", "2", sent_at=START),
        v.inbound("after", "3", sent_at=START + 10),
        v.inbound("edited", "4", sent_at=inside, kind=InboundKind.EDIT, edit=1),
        v.inbound("a program", "5", sent_at=inside, author=v.author().replace(kind=AuthorKind.BOT)),
    ]
    await ears.receive(batch, None)
    await ears.receive(batch[:1], None)
    assert ears.late == 1 and listener.batches == [["1", "2", "3", "4", "5"], ["1"]]
    await ears.settled()
    assert listener.batches[-1] == ["settled"]
    assert (await ears.cursor("discord", "x"), await ears.pressed(None)) == ("discord x", "done")
    assert ears.language() == "de"


async def test_what_could_not_be_stored_is_not_counted_yet():
    listener = Listener()
    ears = LateMessageCounter(listener, BotDowntime(since=START, until=START + 10))
    listener.error = OSError("full")
    try:
        await ears.receive([v.inbound("late", "1", sent_at=START + 5)], None)
    except OSError:
        assert ears.late == 0
