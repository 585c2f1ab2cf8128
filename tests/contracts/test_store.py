"""What every store promises; `store` is one after the other (`stores.py`)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from pydantic import TypeAdapter

from bot.domain.access import Authority, Caller
from bot.domain.channel import ChannelPause, ChannelSettings, LastTurn, ProcessKind, ResponseMode
from bot.domain.dialect import DialectLesson
from bot.domain.finding import (
    ForgetMemory,
    NewAudit,
    NewInvitation,
    NewProposal,
    NewSession,
    ProposalState,
    RestoreMemory,
    ResumeChannel,
)
from bot.domain.handles import SLOTS, Handle, HandleKind, handle, parse_handle
from bot.domain.health import AdapterHealth, AdapterState, Heartbeat, ListenerHealth
from bot.domain.ids import MAIN, AgentId, ChannelId, ChannelKey, PersonKey, UserId
from bot.domain.ledger import (
    ArrivalDisposition,
    GateVerdict,
    InboundOutcome,
    LedgerStage,
    Outcome,
    Settlement,
    StageRow,
    StageVerdict,
    StreamCursor,
)
from bot.domain.memory import MemoryProvenance, MemoryReach, MemoryScope, MemoryType, RelationKind
from bot.domain.messages import (
    AuthorKind,
    ChannelPlace,
    EventKind,
    InboundKind,
    OutgoingFile,
    PlatformEvent,
    Receipt,
    ToolCall,
)
from bot.domain.process import NewProcess, ProcessOrigin
from bot.domain.revisions import BY_ITSELF
from bot.domain.rich_messages import Card, CardField, lay_out
from bot.domain.snapshot import SectionFate
from bot.domain.turn import (
    AttemptRecord,
    CallParts,
    CallQuery,
    CallState,
    ChannelUsage,
    OutboxState,
    ToolCallRecord,
    TurnEnd,
    TurnStatus,
)
from bot.errors import StoreError, UserError
from bot.ports.metrics import Backlog
from bot.ports.store import RetentionPolicy, Store
from tests.fakes import values as v
from tests.fakes.clock import START

DAY = 86_400_000
ADMIN = PersonKey("console", UserId("1"))
FOREVER = RetentionPolicy(ambient_ms=0, messages_ms=0, requests_ms=0, records_ms=0, audit_ms=0, forgotten_ms=0)


def end(turn: int, **changes) -> TurnEnd:
    base = {"turn": turn, "agent": MAIN, "channel": v.GENERAL, "at": START + 5, "status": TurnStatus.REPLIED}
    return TurnEnd(**{**base, **changes})


def seen(row: int, stage: LedgerStage = LedgerStage.TURN) -> StageRow:
    return StageRow(inbound=row, at=START, stage=stage, verdict=StageVerdict.PASSED)


def audited(action: str = "forget", **changes) -> NewAudit:
    base = {"at": START, "platform": "console", "actor": UserId("1"), "actor_name": "root", "action": action}
    return NewAudit(**{**base, "target": "m27d4", **changes})


def offer(fix, secret_id: str = "aa", **changes) -> NewProposal:
    base = {"secret_id": secret_id, "session": 1, "actor": UserId("1"), "platform": "console", "fix": fix}
    times = {"created_at": START, "expires_at": START + 600_000}
    return NewProposal(**{**base, **times, "channel": v.GENERAL, "target": v.GENERAL, **changes})


def invited(secret_id: str = "ab", **changes) -> NewInvitation:
    base = {"secret_id": secret_id, "platform": "console", "actor": UserId("1"), "inbound": 1}
    return NewInvitation(**{**base, "created_at": START, "expires_at": START + 600_000, **changes})


async def arrives(store: Store, text: str = "hello", message_id: str = "1", **changes) -> int:
    row = (await store.ledger.arrive([v.arrival(text, message_id, **changes)], None))[0]
    assert row is not None
    return row


async def is_sound(store: Store) -> bool:
    """Whether what is stored is what was written; beside that each store tells of what it stands on."""
    states = {probe.name: probe.state for probe in await store.probe()}
    about_rows = {states[name] for name in ("store schema", "store integrity", "signed record")}
    return about_rows == {"ok"} and "failed" not in states.values()


# ledger


async def test_a_message_that_arrives_twice_is_stored_once(store: Store):
    first = await store.ledger.arrive([v.arrival("hi", "7"), v.arrival("you", "8")], None)
    again = await store.ledger.arrive([v.arrival("hi", "7"), v.arrival("he", "9")], None)
    assert first == [1, 2]
    assert again[0] is None
    assert [m.inbound.text for m in await store.ledger.recent(v.KEY, 10)] == ["he", "you", "hi"]


async def test_the_same_message_twice_in_one_batch_is_stored_once(store: Store):
    assert await store.ledger.arrive([v.arrival("hi", "7"), v.arrival("hi", "7")], None) == [1, None]


async def test_what_arrives_several_times_at_once_is_stored_once(store: Store):
    assert await store.ledger.arrive([v.arrival("hi", "7")], None) == [1]
    names = ("7", "8", "8", "9", "7", "8")
    found = await asyncio.gather(*(store.ledger.arrive([v.arrival(name, name)], None) for name in names))
    assert [row for (row,) in found if row is None] == [None] * 4
    recent = await store.ledger.recent(v.KEY, 10)
    assert [m.inbound.message_id for m in recent] == ["9", "8", "7"]
    assert [m.id for m in recent[:2]] == [found[3][0], found[1][0]]
    for stored in recent:
        trail = await store.ledger.trail(stored.id)
        assert trail is not None and trail.stages[0].stage is LedgerStage.ARRIVED


async def test_an_edit_is_an_arrival_of_its_own_and_the_newest_form(store: Store):
    await arrives(store, "helo")
    row = await arrives(store, "hello", edit=START + 9, kind="edit", disposition=ArrivalDisposition.AMEND)
    newest = await store.ledger.by_message(v.KEY, "1")
    assert newest is not None
    assert (newest.id, newest.inbound.text, newest.outcome) == (row, "hello", Outcome.STORED_ONLY)


async def test_a_queued_message_has_a_trail_from_the_start(store: Store):
    gates = (v.passed("sender", user_id="100"), v.passed("rate"))
    row = await arrives(store, verdicts=gates)
    trail = await store.ledger.trail(row)
    assert trail is not None
    assert [(s.stage, s.verdict) for s in trail.stages] == [
        (LedgerStage.ARRIVED, StageVerdict.NOTED),
        (LedgerStage.GATES, StageVerdict.PASSED),
        (LedgerStage.QUEUED, StageVerdict.PASSED),
    ]
    assert trail.inbound.inbound == v.inbound()
    assert [m.id for m in await store.ledger.unsettled()] == [row]


async def test_a_stopped_message_says_which_gate_and_what_it_compared(store: Store):
    gates = (v.passed("author"), v.stopped("sender", "user_denied", store_text=False, list="allowed", user_id="100"))
    row = await arrives(store, "secret words", verdicts=gates, disposition=ArrivalDisposition.DROP)
    trail = await store.ledger.trail(row)
    assert trail is not None
    stage = trail.stages[1]
    assert (stage.verdict, stage.reason) == (StageVerdict.STOPPED, "sender")
    detail = dict(stage.detail)
    assert {**detail, "verdicts": ""} == {
        "gate": "sender",
        "reason": "user_denied",
        "list": "allowed",
        "user_id": "100",
        "verdicts": "",
    }
    assert TypeAdapter(tuple[GateVerdict, ...]).validate_json(detail["verdicts"]) == gates
    stored = trail.inbound
    assert (stored.outcome, stored.outcome_reason, stored.text_kept) == (Outcome.GATED, "sender", False)
    assert stored.inbound.text == ""
    assert len(stored.text_sha256) == 64


async def test_a_gate_row_opens_the_trail_that_it_belongs_to(store: Store):
    row = await arrives(store)
    trail = await store.ledger.trail(row)
    assert trail is not None
    shown = parse_handle(handle(HandleKind.GATE, trail.stages[1].id))
    assert shown is not None
    assert await store.ledger.trail_of_stage(shown) == trail
    assert await store.ledger.trail_of_stage(Handle(HandleKind.INBOUND, shown.slot)) is None


async def test_ambient_talk_is_settled_at_once_and_keeps_its_text(store: Store):
    row = await arrives(
        store, disposition=ArrivalDisposition.AMBIENT, verdicts=(v.stopped("addressing", "not_addressed"),)
    )
    stored = await store.ledger.inbound(row)
    assert stored is not None
    assert (stored.outcome, stored.outcome_reason) == (Outcome.STORED_ONLY, "addressing")
    assert stored.inbound.text == "hello"


@pytest.mark.parametrize("disposition", [ArrivalDisposition.QUEUE, ArrivalDisposition.COMMAND])
async def test_what_will_be_answered_stays_open(store: Store, disposition: ArrivalDisposition):
    row = await arrives(store, disposition=disposition)
    assert [m.id for m in await store.ledger.unsettled()] == [row]


async def test_the_first_outcome_stays(store: Store):
    row = await arrives(store)
    await store.ledger.settle([Settlement(inbound=row, at=1, outcome=Outcome.REPLIED, redacted=True)])
    await store.ledger.settle([Settlement(inbound=row, at=2, outcome=Outcome.FAILED, reason="timeout")])
    stored = await store.ledger.inbound(row)
    assert stored is not None
    assert (stored.outcome, stored.outcome_at, stored.redacted) == (Outcome.REPLIED, 1, True)
    assert await store.ledger.unsettled() == []


async def test_the_cursor_moves_with_its_batch(store: Store):
    assert await store.ledger.cursor("telegram", "updates") is None
    await store.ledger.arrive([v.arrival()], StreamCursor(adapter="telegram", stream="updates", value="7"))
    await store.ledger.arrive([], StreamCursor(adapter="telegram", stream="updates", value="9"))
    assert await store.ledger.cursor("telegram", "updates") == "9"


async def test_a_cursor_does_not_move_when_its_batch_fails(store: Store):
    broken = v.arrival("a\ud800b", "2")
    with pytest.raises(UnicodeEncodeError):
        await store.ledger.arrive([v.arrival(), broken], StreamCursor(adapter="a", stream="s", value="7"))
    assert await store.ledger.cursor("a", "s") is None
    assert await store.ledger.recent(v.KEY, 5) == []


async def test_outcomes_are_counted_by_channel_and_first_word(store: Store):
    for number, reason in enumerate(["timeout: 120 s", "timeout", "provider 503"]):
        row = await arrives(store, message_id=str(number))
        await store.ledger.settle([Settlement(inbound=row, at=number, outcome=Outcome.FAILED, reason=reason)])
    await arrives(store, message_id="x", channel=ChannelId("console:b"), disposition=ArrivalDisposition.AMBIENT)
    counts = await store.ledger.counts(v.KEY, 0)
    assert [(c.reason, c.count, c.newest) for c in counts] == [("timeout", 2, 1), ("provider", 1, 2)]
    assert len(await store.ledger.counts(None, 0)) == 3
    assert [c.reason for c in await store.ledger.counts(v.KEY, 2)] == ["provider"]


async def test_what_the_bot_itself_wrote_is_not_counted(store: Store):
    stopped = (GateVerdict(gate="author", passed=False, reason="self", store_text=False),)
    for number, kind in enumerate([AuthorKind.SELF, AuthorKind.BOT, AuthorKind.PERSON]):
        author = v.author().replace(kind=kind, name='"kind":"self"')
        await arrives(
            store, message_id=str(number), author=author, verdicts=stopped, disposition=ArrivalDisposition.DROP
        )
    (count,) = await store.ledger.counts(v.KEY, 0)
    assert (count.outcome, count.reason, count.count) == (Outcome.GATED, "author", 2)
    (ended,) = (await store.ledger.outcomes([v.KEY], 9)).values()
    rows = [row.id for row in await store.ledger.recent(v.KEY, 9) if row.inbound.author.kind is not AuthorKind.SELF]
    assert [(one.row, one.outcome) for one in ended] == [(row, Outcome.GATED) for row in rows] and len(rows) == 2


async def test_how_messages_ended_is_told_of_many_channels_at_once(store: Store):
    other = ChannelKey(MAIN, ChannelId("console:b"))
    first, second, third = [await arrives(store, message_id=str(number)) for number in range(3)]
    await arrives(store, message_id="x", channel=other.channel, disposition=ArrivalDisposition.AMBIENT)
    await store.ledger.settle([Settlement(inbound=second, at=7, outcome=Outcome.REPLIED)])
    keys = [v.KEY, other, ChannelKey(MAIN, ChannelId("console:nowhere"))]
    found = await store.ledger.outcomes(keys, 2)
    assert [*found] == keys and found[keys[2]] == []
    assert found[v.KEY] == [InboundOutcome(third, None, 0), InboundOutcome(second, Outcome.REPLIED, 7)]
    assert [one.outcome for one in found[other]] == [Outcome.STORED_ONLY]
    assert [one.row for one in (await store.ledger.outcomes(keys[:1], 9))[v.KEY]] == [third, second, first]


async def test_the_backlog_is_of_what_waits(store: Store):
    assert await store.backlog() == Backlog(0, 0)
    row = await arrives(store)
    later = await arrives(store, "later", "2")
    waits = await store.ledger.inbound(row)
    assert waits is not None and await store.backlog() == Backlog(0, waits.arrived_at)
    (put,) = await store.outbox.put([v.outgoing("one")], [], START)
    assert (await store.backlog()).pending == 1
    await store.outbox.sent(put.row, Receipt(message_id="9", at=START), [], [])
    done = [Settlement(inbound=one, at=1, outcome=Outcome.REPLIED) for one in (row, later)]
    await store.ledger.settle(done)
    assert await store.backlog() == Backlog(0, 0)


async def test_agents_do_not_see_each_others_messages(store: Store):
    other = AgentId("other")
    await arrives(store)
    await arrives(store, agent=other)
    assert len(await store.ledger.recent(ChannelKey(other, v.GENERAL), 9)) == 1


async def test_order_is_kept_when_many_arrive_at_once(store: Store):
    rows = await asyncio.gather(*(arrives(store, str(n), str(n)) for n in range(300)))
    assert rows == sorted(rows)
    assert [m.inbound.text for m in await store.ledger.unsettled()] == [str(n) for n in range(300)]


async def test_a_handle_means_the_newest_row_of_its_slot(store: Store):
    row = await arrives(store)
    slot = parse_handle(handle(HandleKind.INBOUND, row + SLOTS))
    assert slot is not None
    found = await store.ledger.by_handle(slot)
    assert found is not None and found.id == row
    assert await store.ledger.by_handle(Handle(HandleKind.INBOUND, 77)) is None


# conversations


async def test_a_channel_is_met_once_and_keeps_its_settings(store: Store):
    met = await store.channels.meet(v.KEY, "#general", v.GUILD, v.settings())
    again = await store.channels.meet(v.KEY, "#lounge", v.GUILD, v.settings(ResponseMode.OBSERVE))
    assert met == v.channel(settings=v.settings())
    assert again == v.channel(name="#lounge", settings=v.settings())
    assert await store.channels.load(v.KEY) == again
    assert await store.channels.load(ChannelKey(MAIN, ChannelId("console:never"))) is None


async def test_settings_survive(store: Store):
    paused = ChannelSettings(
        pause=ChannelPause(by=UserId("1"), by_role="admin", at=5, inbound=9, reason="noise"), model="a/b"
    )
    await store.channels.meet(v.KEY, "#general", v.GUILD, v.settings())
    await store.channels.set_settings(v.KEY, paused, BY_ITSELF)
    assert await store.channels.settings(9) == [(v.KEY, paused)]
    state = await store.channels.load(v.KEY)
    assert state is not None and state.settings == paused


async def test_only_what_people_set_is_listed_the_most_recently_used_first(store: Store):
    silent = {ResponseMode.OBSERVE: v.settings(ResponseMode.OBSERVE), ResponseMode.ACTIVE: v.settings()}
    for number, plain in enumerate(silent.values()):
        await store.channels.meet(ChannelKey(MAIN, ChannelId(f"console:{number}")), "plain", v.GUILD, plain)
    chosen = ChannelSettings(mode=ResponseMode.OBSERVE, mode_by=UserId("1"), mode_at=5)
    keys = [ChannelKey(MAIN, ChannelId(name)) for name in ("console:a", "console:b", "console:c")]
    for at, key in enumerate(keys):
        await store.channels.meet(key, "set", v.GUILD, v.settings())
        await store.channels.set_settings(key, chosen, BY_ITSELF)
        await store.channels.reset(key, START + at)
    assert await store.channels.settings(2) == [(keys[2], chosen), (keys[1], chosen)]
    assert len(await store.channels.settings(9)) == 3


async def test_neighbours_are_the_rooms_of_one_guild(store: Store):
    for name, place in {
        "console:b": v.GUILD,
        "console:a": v.GUILD,
        "console:dm": ChannelPlace(is_dm=True, guild_id="1"),
        "console:far": ChannelPlace(guild_id="2"),
        "discord:a": v.GUILD,
    }.items():
        await store.channels.meet(ChannelKey(MAIN, ChannelId(name)), name, place, v.settings())
    await store.channels.meet(v.KEY, "#general", v.GUILD, v.settings())
    assert [c.id for c in await store.channels.neighbours(v.KEY, "1", 9)] == ["console:a", "console:b"]
    assert await store.channels.neighbours(v.KEY, "", 9) == []
    known = await store.channels.known()
    assert len(known) == 6 and all(one.settings == v.settings() for one in known)
    assert await store.channels.look_up(v.KEY) in known
    assert await store.channels.look_up(ChannelKey(MAIN, ChannelId("console:nowhere"))) is None


async def test_a_turn_becomes_history_with_the_talk_before_it(store: Store):
    await store.channels.meet(v.KEY, "#general", v.GUILD, v.settings())
    talk = [v.message(f"talk {n}", ambient=True, inbound=n + 1) for n in range(3)]
    for message in talk:
        await store.channels.hear([(v.KEY, message)], keep=2)
    turn = await store.journal.begin_turn(v.turn_start(), [])
    said = (v.message("bot?", inbound=9), v.call(), v.result(), v.said("yes"))
    await store.journal.end_turn(end(turn, messages=said, context_tokens=321))
    state = await store.channels.load(v.KEY)
    assert state is not None
    assert [t.messages for t in state.turns] == [(*talk[1:], *said)]
    assert state.ambient == ()
    assert state.last == LastTurn(outcome="replied", at=START + 5, context_tokens=321)


async def test_only_the_newest_are_kept_also_when_much_is_heard_at_once(store: Store):
    there = ChannelKey(MAIN, ChannelId("console:there"))
    talk = {key: [v.message(f"talk {n}", ambient=True, inbound=n + 1) for n in range(9)] for key in (v.KEY, there)}
    pairs = [(key, message) for key, messages in talk.items() for message in messages]
    begins = store.journal.begin_turn(v.turn_start(), [])
    hears = [store.channels.hear([pair], keep=3) for pair in pairs[:-1]]
    *_, turn = await asyncio.gather(store.channels.hear(pairs[:3], keep=2), *hears, begins)
    await store.journal.end_turn(end(turn, messages=(v.message("bot?", inbound=99), v.said("yes"))))
    state, other = await store.channels.load(v.KEY), await store.channels.load(there)
    assert state is not None and other is not None
    assert [[m.text for m in t.messages] for t in state.turns] == [["talk 6", "talk 7", "talk 8", "bot?", "yes"]]
    assert (state.ambient, other.ambient) == ((), tuple(talk[there][5:8]))
    assert len(await store.history.search(there, "talk", 99)) == 3
    await store.channels.hear(pairs[-1:], keep=3)
    assert (await store.channels.load(there)).ambient == tuple(talk[there][6:])  # type: ignore[union-attr]


async def test_an_edit_replaces_the_message_wherever_it_stands(store: Store):
    await store.channels.hear([(v.KEY, v.message("helo", inbound=3, ambient=True))], keep=5)
    await store.channels.amend(v.KEY, v.message("hello", inbound=3, ambient=True))
    state = await store.channels.load(v.KEY)
    assert state is not None and [m.text for m in state.ambient] == ["hello"]
    assert await store.history.search(v.KEY, "helo", 5) == []
    assert len(await store.history.search(v.KEY, "hello", 5)) == 1


async def test_a_reset_begins_anew_and_keeps_what_was(store: Store):
    turn = await store.journal.begin_turn(v.turn_start(), [])
    await store.journal.end_turn(end(turn, messages=(v.message("old words"), v.said())))
    await store.channels.reset(v.KEY, START + 9)
    state = await store.channels.load(v.KEY)
    assert state is not None
    assert (state.turns, state.ambient, state.last, state.epoch) == ((), (), None, 1)
    assert len(await store.history.search(v.KEY, "old", 5)) == 1


async def test_a_reset_of_a_channel_never_heard_of_changes_nothing(store: Store):
    await store.channels.reset(v.KEY, START)
    assert await store.channels.load(v.KEY) is None
    assert await store.channels.known() == []


async def test_a_branch_leaves_its_channel_as_it_was(store: Store):
    before = await store.channels.meet(v.KEY, "#general", v.GUILD, v.settings())
    turn = await store.journal.begin_turn(v.turn_start(kind=ProcessKind.INSPECTION, session=3), [])
    await store.journal.end_turn(end(turn))
    assert await store.channels.load(v.KEY) == before
    assert await store.journal.recent_turns(v.KEY, 5) == []


async def test_history_is_searched_in_one_channel_only(store: Store):
    there = ChannelKey(MAIN, ChannelId("console:there"))
    await store.channels.hear([(v.KEY, v.message("the tea is cold", inbound=4, at=77))], keep=5)
    await store.channels.hear([(there, v.message("more tea", inbound=5))], keep=5)
    assert await store.history.search(v.KEY, "tea", 5) == [(4, "ann", "the tea is cold", 77)]


async def test_talk_is_found_before_and_after_a_turn_took_it_up(store: Store):
    said = ["tea or coffee", "coffee, as always", "the tea is out, only coffee and more coffee"]
    for number, text in enumerate(said, 1):
        await store.channels.hear([(v.KEY, v.message(text, ambient=True, inbound=number))], keep=5)

    async def found(words: str) -> list[str]:
        return [text for _, _, text, _ in await store.history.search(v.KEY, words, 5)]

    assert await found("tea") == [said[0], said[2]]
    turn = await store.journal.begin_turn(v.turn_start(), [])
    await store.journal.end_turn(end(turn, messages=(v.message("what about cocoa?", inbound=9), v.said("Cocoa."))))
    assert await found("tea") == [said[0], said[2]]
    await store.channels.hear([(v.KEY, v.message("then tea, please", ambient=True, inbound=10))], keep=5)
    assert set(await found("tea")) == {said[0], said[2], "then tea, please"}
    assert (await found("please tea"))[0] == "then tea, please"
    assert (await found("cocoa what about"))[0] == "what about cocoa?"
    assert len(await store.history.search(v.KEY, "tea coffee cocoa", 2)) == 2


async def test_talk_that_was_let_go_is_not_found(store: Store):
    for number in range(1, 9):
        await store.channels.hear([(v.KEY, v.message(f"word{number} tea", ambient=True, inbound=number))], keep=3)
    assert await store.history.search(v.KEY, "word5", 5) == []
    assert [row for row, *_ in await store.history.search(v.KEY, "tea", 9)] == [8, 7, 6]


# journal


async def test_a_turn_takes_its_messages(store: Store):
    row = await arrives(store)
    turn = await store.journal.begin_turn(v.turn_start(inbounds=(row,)), [seen(row)])
    stored = await store.ledger.inbound(row)
    assert stored is not None and stored.turn == turn
    running = await store.journal.running_turns()
    assert [(t.id, t.inbounds, t.status) for t in running] == [(turn, (row,), TurnStatus.RUNNING)]


async def test_a_turn_ends_in_one_commit(store: Store):
    row = await arrives(store)
    turn = await store.journal.begin_turn(v.turn_start(inbounds=(row,)), [])
    out = await store.journal.end_turn(
        end(
            turn,
            rounds=2,
            messages=(v.message(), v.said()),
            memories=(v.memory(),),
            outbox=(v.outgoing("one", inbound=row, parts=2), v.outgoing("two", inbound=row, part=1, parts=2)),
            stages=(seen(row, LedgerStage.DECIDED),),
            settlements=(Settlement(inbound=row, at=1, outcome=Outcome.REPLIED),),
        )
    )
    assert [(o.body.text, o.body.turn, o.state, o.created_at) for o in out] == [
        ("one", turn, OutboxState.NEW, START + 5),
        ("two", turn, OutboxState.NEW, START + 5),
    ]
    ended = await store.journal.turn(turn)
    assert ended is not None
    assert (ended.status, ended.rounds, ended.has_outbox) == (TurnStatus.REPLIED, 2, True)
    assert await store.outbox.of_inbound(row) == out
    assert len(await store.memories.listed(MAIN, v.GENERAL, "1")) == 1
    assert await store.journal.running_turns() == []
    assert await store.ledger.unsettled() == []


async def test_a_turn_ends_once(store: Store):
    turn = await store.journal.begin_turn(v.turn_start(), [])
    out = await store.journal.end_turn(end(turn, outbox=(v.outgoing(),), messages=(v.message(),)))
    before = await store.channels.load(v.KEY)
    again = await store.journal.end_turn(end(turn, status=TurnStatus.FAILED, outbox=(v.outgoing("twice"),)))
    assert again == out
    assert await store.channels.load(v.KEY) == before
    with pytest.raises(StoreError):
        await store.journal.end_turn(end(999))


async def test_a_turn_ends_together_with_its_answer_and_the_intent_to_send_it(store: Store):
    turn = await store.journal.begin_turn(v.turn_start(), [])
    row = await store.journal.record_request(v.request_record(turn), [])
    answer = AttemptRecord(request=row, number=1, at=START, duration_ms=5, response=v.llm_response())
    parts = (v.outgoing("first", parts=2), v.outgoing("second", part=1, parts=2))
    done = end(turn, attempts=(answer,), outbox=parts, departs=True)
    first, second = await store.journal.end_turn(done)
    assert (first.state, first.attempts) == (OutboxState.SENDING, 1)
    assert (second.state, second.attempts) == (OutboxState.NEW, 0)
    assert await store.journal.end_turn(done) == [first, second]
    stored = await store.journal.request(row)
    assert stored is not None and stored.attempts == (answer,)


async def test_a_turn_ends_with_its_own_chunks_behind_what_a_tool_sent(store: Store):
    turn = await store.journal.begin_turn(v.turn_start(), [])
    (early,) = await store.outbox.put([v.outgoing("by a tool", turn=turn)], [], START)
    (last,) = await store.journal.end_turn(end(turn, outbox=(v.outgoing("the answer"),)))
    assert (last.body.text, last.body.turn) == ("the answer", turn)
    assert await store.journal.end_turn(end(turn)) == [early, last]


async def test_a_turn_that_cannot_be_committed_leaves_nothing(store: Store):
    turn = await store.journal.begin_turn(v.turn_start(), [])
    with pytest.raises(UnicodeEncodeError):
        await store.journal.end_turn(end(turn, messages=(v.message("kept?"),), outbox=(v.outgoing("\ud800"),)))
    stored = await store.journal.turn(turn)
    assert stored is not None and stored.status is TurnStatus.RUNNING
    assert await store.channels.load(v.KEY) is None
    assert (await store.journal.end_turn(end(turn, messages=(v.message("kept?"),)))) == []
    state = await store.channels.load(v.KEY)
    assert state is not None and state.history[0].text == "kept?"


async def test_a_request_is_rebuilt_as_it_was(store: Store):
    turn = await store.journal.begin_turn(v.turn_start(), [])
    request = v.llm_request(messages=(v.message("a"), v.call(), v.result(), v.message("b")))
    record = v.request_record(turn, request, dropped_turns=(3, 4), fallback_of=0)
    row = await store.journal.record_request(record, [])
    stored = await store.journal.request(row)
    assert stored is not None
    assert stored.record == record
    assert stored.record.request.digest == record.digest
    assert await store.journal.requests_of_turn(turn) == [stored]
    assert await store.journal.request_by_handle(Handle(HandleKind.REQUEST, row)) == stored
    assert await store.journal.request(99) is None


@pytest.mark.parametrize("tokens", [(), (1,), (1, 2, 3)])
async def test_odd_token_counts_come_back_as_they_were(store: Store, tokens: tuple[int, ...]):
    request = v.llm_request(messages=(v.message("a"), v.message("b")))
    row = await store.journal.record_request(v.request_record(0, request, message_tokens=tokens), [])
    stored = await store.journal.request(row)
    assert stored is not None and stored.record.message_tokens == tokens


async def test_attempts_stand_with_their_request(store: Store):
    row = await store.journal.record_request(v.request_record(0), [])
    failed = AttemptRecord(request=row, number=1, at=START, duration_ms=5.5, fault="rate", status=429, retry_after=2)
    worked = AttemptRecord(
        request=row, number=2, at=START, duration_ms=9, response=v.llm_response(), cost_usd=0.25, first_token_ms=3.5
    )
    await store.journal.record_attempt(failed)
    await store.journal.record_attempt(worked)
    stored = await store.journal.request(row)
    assert stored is not None
    assert stored.attempts == (failed, worked)
    assert stored.response == v.llm_response()
    usage = await store.meter.usage(v.KEY, 0)
    assert [(u.model, u.day, u.requests, u.input, u.output, u.cost_usd) for u in usage] == [
        ("simulated/echo", "2025-10-09", 1, 100, 10, 0.25)
    ]
    nowhere = ChannelKey(MAIN, ChannelId("x:y"))
    assert await store.meter.usage(nowhere, 0) == []
    spent = await store.meter.spent([v.KEY, nowhere], START)
    assert (spent[v.KEY], spent[nowhere]) == (ChannelUsage(110, 0.25), ChannelUsage())
    assert (await store.meter.spent([v.KEY], START + 1)).get(v.KEY, ChannelUsage()) == ChannelUsage()


async def test_the_sizes_of_the_newest_turns(store: Store):
    for turn in range(1, 8):
        for round_ in range(turn % 3 + 1):
            size = v.stats(1000 * turn + round_)
            record = v.request_record(turn, at=START + turn, round=round_, stats=size)
            await store.journal.record_request(record, [])
    await store.journal.record_request(v.request_record(9, kind=ProcessKind.INSPECTION, at=START), [])
    sizes = await store.meter.sizes(v.KEY, 3)
    assert [(size.turn, size.at) for size in sizes] == [(5, START + 5), (6, START + 6), (7, START + 7)]
    assert [size.stats.total for size in sizes] == [5002, 6000, 7001], "that of the last request of each"
    assert len(await store.meter.sizes(v.KEY, 100)) == 7
    assert await store.meter.sizes(ChannelKey(MAIN, ChannelId("x:y")), 3) == []


async def test_files_that_were_sent_are_named_until_they_have_expired(store: Store):
    file = OutgoingFile(name="x.json", path="x.json", mimetype="application/json")
    bodies = [v.outgoing(kind="file", file=file), v.outgoing(kind="file", file=file), v.outgoing(kind="finding")]
    first, second, words = await store.outbox.put(bodies, [], START)
    assert await store.sent_files.before(START + 1, 10) == []
    for row in (first, second, words):
        await store.outbox.sent(row.row, Receipt(message_id=f"m{row.row}", at=START), [], [])
    assert [row.row for row in await store.sent_files.before(START + 1, 10)] == [first.row, second.row]
    assert [row.row for row in await store.sent_files.before(START + 1, 1)] == [first.row]
    assert await store.sent_files.before(START, 10) == []
    await store.sent_files.ended(first.row, "taken back")
    assert [row.row for row in await store.sent_files.before(START + 1, 10)] == [second.row]
    kept = await store.outbox.get(first.row)
    assert kept is not None and (kept.state, kept.error) == (OutboxState.SENT, "taken back")


async def test_inspections_never_find_themselves(store: Store):
    await store.journal.record_request(v.request_record(0), [])
    await store.journal.record_request(v.request_record(0, kind=ProcessKind.INSPECTION), [])
    assert len(await store.journal.recent_requests(v.KEY, 9)) == 1
    assert await store.journal.request_before(v.KEY, 1) is None
    again = await store.journal.record_request(v.request_record(0), [])
    before = await store.journal.request_before(v.KEY, again)
    assert before is not None and before.id == 1


async def test_tool_calls_come_back_in_model_order(store: Store):
    def traced(name: str, order: int) -> ToolCallRecord:
        return ToolCallRecord(
            tool_name=name,
            raw_arguments_json='{"q": 1,}',
            result_output="fine",
            success=True,
            execution_start=START,
            execution_end=START + 3,
            duration_ms=3.25,
            order_index=order,
            round_number=1,
        )

    rows = await store.journal.record_calls(v.KEY, 5, [traced("second", 1), traced("first", 0)])
    calls = await store.journal.calls_of_turn(5)
    assert [c.tool_name for c in calls] == ["first", "second"]
    assert [c.record_id for c in calls] == [rows[1], rows[0]]
    assert calls[0] == traced("first", 0).replace(record_id=rows[1], turn_summary_id=5)


def ran(name: str, order: int = 0, **changes) -> ToolCallRecord:
    base = {"raw_arguments_json": "{}", "result_output": f"{name} gave", "success": True, "round_number": 0}
    times = {"execution_start": START + order, "execution_end": START + order + 9, "duration_ms": 9.5}
    return ToolCallRecord(**{"tool_name": name, "order_index": order, **base, **times, **changes})


async def test_a_call_that_goes_on_is_kept_at_once_and_gets_its_end_later(store: Store):
    turn = await store.journal.begin_turn(v.turn_start(), [])
    going = ran("dig", state=CallState.RUNNING, result_output="")
    (row,) = await store.journal.record_calls(v.KEY, turn, [going])
    (kept,) = await store.journal.calls_of_turn(turn)
    assert (kept.record_id, kept.is_at, kept.turn_summary_id) == (row, CallState.RUNNING, turn)
    await store.journal.amend_call(kept.replace(state=None, success=False, result_output="a stone", duration_ms=70.0))
    (over,) = await store.journal.calls_of_turn(turn)
    assert (over.record_id, over.is_at, over.result_output, over.duration_ms) == (
        row,
        CallState.FAILED,
        "a stone",
        70.0,
    )
    assert await store.journal.lose_calls(START) == 0
    # a record that is gone stays gone
    await store.journal.amend_call(over.replace(record_id=999))


async def test_calls_that_their_process_did_not_survive_are_not_waited_for(store: Store):
    turn = await store.journal.begin_turn(v.turn_start(), [])
    rows = await store.journal.record_calls(v.KEY, turn, [ran("dig", state=CallState.RUNNING), ran("look", 1)])
    assert await store.journal.lose_calls(START + 1000, [ChannelId("console:#other")]) == 0
    assert await store.journal.lose_calls(START + 1000, [v.GENERAL]) == 1
    assert await store.journal.lose_calls(START + 2000) == 0
    lost, whole = await store.journal.calls_of_turn(turn)
    assert (lost.record_id, lost.is_at, lost.success, lost.execution_end) == (
        rows[0],
        CallState.UNKNOWN,
        False,
        START + 1000,
    )
    assert "Nobody knows whether it was done" in lost.result_output
    assert (whole.is_at, whole.result_output) == (CallState.OK, "look gave")
    await store.journal.end_turn(end(turn))
    parts = (await store.journal.parts(v.KEY, 0, (), 10)).parts
    assert [part.state for part in parts] == [CallState.OK, CallState.UNKNOWN]


async def test_the_log_of_calls_is_one_channels_and_newest_first(store: Store):
    other = ChannelKey(MAIN, ChannelId("console:#other"))
    for key, names in ((v.KEY, "ab"), (other, "c"), (v.KEY, "ba")):
        turn = await store.journal.begin_turn(v.turn_start(key), [])
        calls = [ran(name, n, success=name == "a") for n, name in enumerate(names)]
        await store.journal.record_calls(key, turn, calls)

    async def found(**query) -> str:
        return "".join([r.tool_name for r in await store.journal.logged(CallQuery(**{"key": v.KEY, **query}))])

    assert await found() == "abba"
    assert await found(limit=2, offset=1) == "bb"
    assert await found(tool="a") == "aa" and await found(success=False) == "bb"
    assert await found(tool="a", success=False) == "" and await found(tool="' OR 1=1 --") == ""
    assert await found(turn=handle(HandleKind.TURN, 1)) == "ba"
    assert await found(record=handle(HandleKind.CALL, 2)) == "b"
    assert await found(record=handle(HandleKind.CALL, 3)) == "" and await found(turn=handle(HandleKind.TURN, 2)) == ""
    assert await found(key=other) == "c" and await found(key=None) == "abcba"
    for nonsense in ("x", "t27d4", "x!!!!", "\ud800"):
        assert await found(record=nonsense) == ""
    (record,) = await store.journal.logged(CallQuery(key=v.KEY, record=handle(HandleKind.CALL, 1)))
    assert (record.record_id, record.turn_summary_id, record.result_output) == (1, 1, "a gave")


async def test_what_was_done_in_private_is_in_the_log_for_nobody_but_who_had_it_done(store: Store):
    session = await store.sessions.open(_session(v.KEY.channel))
    root, mod = (PersonKey("console", UserId(name)) for name in ("1", "2"))
    turns = [
        await store.journal.begin_turn(v.turn_start(kind=kind, session=of), [])
        for kind, of in (
            (ProcessKind.CHANNEL, 0),
            (ProcessKind.CORTEX, session.id),
            (ProcessKind.INSPECTION, session.id),
            (ProcessKind.WORKER, session.id),
            (ProcessKind.WORKER, 0),
            (ProcessKind.CORTEX, 99),
        )
    ]
    new = NewProcess(
        agent=v.KEY.agent,
        channel=v.KEY.channel,
        kind=ProcessKind.WORKER,
        task="dig",
        name="dig",
        by=Caller(root, "root", Authority.OWNER),
        parent_turn=turns[1],
        inbound=0,
        origin=ProcessOrigin(platform="console"),
        session=session.id,
    )
    process = await store.processes.begin(new, START)
    # as earlier versions kept it: only the process knows the session
    await store.processes.note(process.id, turns[4], 1, "", 1)
    for turn, name in zip(turns, "abcdef", strict=True):
        await store.journal.record_calls(v.KEY, turn, [ran(name, turn)])

    async def found(**query) -> str:
        return "".join([r.tool_name for r in await store.journal.logged(CallQuery(**{"key": v.KEY, **query}))])

    async def named(actor: PersonKey | None) -> str:
        by_turn = [await found(actor=actor, turn=handle(HandleKind.TURN, turn)) for turn in turns]
        by_call = [await found(actor=actor, record=handle(HandleKind.CALL, row)) for row in range(1, 7)]
        assert by_turn == by_call
        return "".join(by_turn)

    assert await found() == await found(actor=root) == "a", "what is listed may be told to the channel"
    assert await named(None) == await named(mod) == "a" and await named(root) == "abcde"
    owners = [await store.journal.owner_of(turn) for turn in (*turns, 99)]
    assert [owner.person for owner in owners] == [None, root, root, root, root, None, None]
    assert [owner.is_private for owner in owners] == [False, *[True] * 6]


async def test_parts_tell_of_calls_that_a_dead_process_left_without_a_record(store: Store):
    def asks(row: int, *names: str) -> AttemptRecord:
        made = tuple(ToolCall(call_id=f"c{n}", name=name, arguments='{"n":1}') for n, name in enumerate(names))
        return AttemptRecord(
            request=row, number=1, at=START, duration_ms=1.0, response=v.llm_response().replace(calls=made)
        )

    def kept(order: int, round_number: int, **changes: object) -> ToolCallRecord:
        times = {"execution_start": START, "execution_end": START, "duration_ms": 2.0}
        place = {"order_index": order, "round_number": round_number}
        words = {"tool_name": "pay", "raw_arguments_json": "{}", "result_output": f"receipt {order}"}
        return ToolCallRecord(**{**words, **times, **place, "success": True, **changes})

    async def a_turn(status: TurnStatus, rounds: int, *records: ToolCallRecord) -> int:
        turn = await store.journal.begin_turn(v.turn_start(), ())
        for number in range(rounds):
            row = await store.journal.record_request(v.request_record(turn, round=number), ())
            await store.journal.record_attempt(asks(row, "pay", "post"))
        await store.journal.record_calls(v.KEY, turn, records)
        if status is not TurnStatus.RUNNING:
            end = TurnEnd(turn=turn, agent=MAIN, channel=v.GENERAL, at=START, status=status)
            await store.journal.end_turn(end)
        return turn

    done = await a_turn(TurnStatus.REPLIED, 1, kept(0, 0), kept(1, 0, success=False))
    died = await a_turn(TurnStatus.INTERRUPTED, 2, kept(0, 0), kept(1, 0))
    runs = await a_turn(TurnStatus.RUNNING, 1, kept(0, 0))
    parts = await store.journal.parts(v.KEY, 0, [died], 10)
    assert parts.made == ((done, 2), (died, 4))
    found = [(p.turn, p.seq, p.tool, p.state.value, p.text) for p in parts.parts]
    assert found == [
        (died, 3, "post", "unknown", '{"n":1}'),
        (died, 2, "pay", "unknown", '{"n":1}'),
        (died, 1, "pay", "ok", "receipt 1"),
        (died, 0, "pay", "ok", "receipt 0"),
        (done, 1, "pay", "failed", "receipt 1"),
        (done, 0, "pay", "ok", "receipt 0"),
    ]
    assert [part.turn for part in (await store.journal.parts(v.KEY, died, [died], 3)).parts] == [died] * 3
    assert await store.journal.parts(ChannelKey(MAIN, ChannelId("console:#hall")), 0, (), 10) == CallParts()
    assert [await store.journal.asked_for_tools(turn) for turn in (done, died, runs, 99)] == [True, True, True, False]
    (call, _) = await store.journal.calls_of_turn(done)
    by_handle = parse_handle(handle(HandleKind.CALL, call.record_id))
    assert by_handle is not None and await store.journal.call_by_handle(by_handle) == call


async def test_ratios_are_learned(store: Store):
    assert await store.meter.learned_ratio("a/b") == 1.0
    await store.meter.learn_ratio("a/b", 1.2)
    await store.meter.learn_ratio("a/b", 1.3)
    assert await store.meter.learned_ratio("a/b") == 1.3


async def test_lessons_are_kept_once_and_forgotten_by_model(store: Store):
    first = DialectLesson(model="a/b", trait="no_tools", words="does not support tools", at=START)
    other = DialectLesson(model="a/c", trait="nine_ids", words="a length of 9", at=START + 1)
    assert list(store.lessons.known) == []
    await store.lessons.learn([first])
    await store.lessons.learn([first.replace(at=START + 5), other])
    assert list(store.lessons.known) == [first, other]
    assert await store.lessons.forget({"a/b", "x/y"}) == 1
    assert await store.lessons.forget({"a/b"}) == 0
    assert list(store.lessons.known) == [other]


# outbox


async def test_a_chunk_goes_its_way(store: Store):
    row = await arrives(store)
    chunk = (await store.outbox.put([v.outgoing(inbound=row)], [seen(row, LedgerStage.OUTBOX)], START))[0]
    assert chunk.nonce.startswith(store.instance)
    assert len(chunk.nonce) <= 25
    await store.outbox.sending(chunk.row)
    await store.outbox.postponed(chunk.row, "429", START + 9)
    pending = (await store.outbox.pending())[0]
    assert (pending.state, pending.attempts, pending.not_before) == (OutboxState.NEW, 1, START + 9)
    await store.outbox.sending(chunk.row)
    receipt = Receipt(message_id="55", at=START + 1)
    done = [Settlement(inbound=row, at=START + 1, outcome=Outcome.REPLIED)]
    await store.outbox.sent(chunk.row, receipt, [seen(row, LedgerStage.DELIVERED)], done)
    await store.outbox.sent(chunk.row, receipt, [seen(row, LedgerStage.DELIVERED)], done)
    sent = await store.outbox.by_message(v.KEY, "55")
    assert sent is not None
    assert (sent.state, sent.receipt, sent.attempts, sent.error) == (OutboxState.SENT, receipt, 2, "")
    trail = await store.ledger.trail(row)
    assert trail is not None
    assert [s.stage for s in trail.stages][-2:] == [LedgerStage.OUTBOX, LedgerStage.DELIVERED]
    assert trail.inbound.outcome is Outcome.REPLIED
    assert await store.outbox.pending() == []


async def test_a_card_is_kept_in_its_text_alone(store: Store):
    card = Card(title="Tea", fields=(CardField(name="Price", value="2 coins"),))
    text, layout = lay_out(card)
    (put,) = await store.outbox.put([v.outgoing(text, rich=layout)], [], START)
    kept = await store.outbox.get(put.row)
    assert kept == put and kept is not None and kept.body.rich is not None
    assert kept.body.rich.read(kept.body.text) == card


async def test_nonces_are_never_used_twice(store: Store):
    chunks = await store.outbox.put([v.outgoing(str(n)) for n in range(100)], [], START)
    assert len({chunk.nonce for chunk in chunks}) == 100


async def test_a_chunk_that_may_have_arrived_is_uncertain(store: Store):
    rows = [await arrives(store, message_id=str(n)) for n in range(2)]
    lost, dead = await store.outbox.put([v.outgoing(inbound=row) for row in rows], [], START)
    for chunk, uncertain in ((lost, True), (dead, False)):
        outcome = Outcome.UNCERTAIN if uncertain else Outcome.FAILED
        done = [Settlement(inbound=chunk.body.inbound, at=1, outcome=outcome, reason="send")]
        await store.outbox.ended(chunk.row, uncertain=uncertain, error="timed out", stages=[], done=done)
    assert [c.row for c in await store.outbox.in_state(v.KEY, True, 9)] == [lost.row]
    assert [c.error for c in await store.outbox.in_state(v.KEY, False, 9)] == ["timed out"]
    found = await store.outbox.by_handle(Handle(HandleKind.DELIVERY, lost.row))
    assert found is not None and found.state is OutboxState.UNCERTAIN


async def test_replies_that_were_given_up_are_untold_until_a_notice_is_kept(store: Store):
    rows = [await arrives(store, message_id=str(n)) for n in range(3)]
    chunks = await store.outbox.put([v.outgoing(inbound=row) for row in rows], [], START)
    for chunk in chunks[:2]:
        await store.outbox.ended(chunk.row, uncertain=True, error="cut", stages=[], done=[])
    assert [chunk.row for chunk in await store.outbox.untold()] == [chunks[0].row, chunks[1].row]
    await store.outbox.put([v.outgoing("sorry", "notice", inbound=rows[0])], [], START)
    assert [chunk.row for chunk in await store.outbox.untold()] == [chunks[1].row]


# memories


async def test_a_memory_is_seen_only_within_its_reach(store: Store):
    await store.memories.add(
        [
            v.memory("here"),
            v.memory("there", scope_id="console:there"),
            v.memory("guild", scope=MemoryScope.GUILD, scope_id="1"),
            v.memory("other guild", scope=MemoryScope.GUILD, scope_id="2"),
            v.memory("mine", scope=MemoryScope.USER, scope_id="100"),
            v.memory("yours", scope=MemoryScope.USER, scope_id="200"),
            v.memory("same id elsewhere", scope=MemoryScope.USER, scope_id="100", channel=ChannelId("discord:1:2")),
            v.memory("all", scope=MemoryScope.GLOBAL, scope_id=""),
            v.memory("another agent", agent=AgentId("other")),
        ]
    )
    reach = MemoryReach(agent=MAIN, channel=v.GENERAL, guild_id="1", user_id=UserId("100"))
    assert [m.body.content for m in await store.memories.in_reach(reach)] == ["all", "mine", "guild", "here"]
    narrow = MemoryReach(agent=MAIN, channel=v.GENERAL)
    assert [m.body.content for m in await store.memories.in_reach(narrow)] == ["all", "here"]


async def test_search_finds_words_within_reach_only(store: Store):
    await store.memories.add([v.memory("Ann likes green tea"), v.memory("tea elsewhere", scope_id="console:there")])
    reach = MemoryReach(agent=MAIN, channel=v.GENERAL)
    hits = await store.memories.search(reach, "what TEA?", 5)
    assert [m.body.content for m, _ in hits] == ["Ann likes green tea"]
    assert await store.memories.search(reach, "coffee", 5) == []
    assert await store.memories.search(reach, '"(*', 5) == []


async def test_hits_say_what_a_ranking_needs_and_never_what_may_not_be_seen(store: Store):
    ann = MemoryProvenance(author=UserId("7"), author_name="Ann")
    new = [
        v.memory("tea", importance=0.4, type=MemoryType.EVENT, provenance=ann),
        v.memory("tea with milk and sugar"),
        v.memory("tea", scope_id="console:there"),
        v.memory("tea", scope=MemoryScope.USER, scope_id="200"),
        v.memory("forgotten tea"),
    ]
    here, milk, _, _, gone = await store.memories.add(new)
    offered = await store.offers.propose(offer(ForgetMemory(memory=gone, version=1)))
    await store.offers.execute(offered.id, audited())
    reach = MemoryReach(agent=MAIN, channel=v.GENERAL, user_id=UserId("100"))
    hits = await store.memories.hits(reach, "Tea!", None, 9)
    assert [hit.id for hit in hits] == [here, milk] and hits[0].score > hits[1].score > 0
    assert hits[0][2:] == (START, 0, 0.4, "event")
    assert [hit.id for hit in await store.memories.hits(reach, "tea", MemoryType.FACT, 9)] == [milk]
    assert len(await store.memories.hits(reach, "tea", None, 1)) == 1
    assert await store.memories.hits(reach.replace(channel=ChannelId("console:new")), "tea", None, 9) == []
    assert [m.id for m in await store.memories.several([milk, 999, gone, here])] == [milk, here]


async def test_reading_a_memory_is_noted(store: Store):
    row = (await store.memories.add([v.memory(subjects=(UserId("7"),))]))[0]
    await store.memories.touched([row, 99], START + 1)
    found = await store.memories.get(row)
    assert found is not None
    assert (found.last_accessed, found.access_count) == (START + 1, 1)
    assert found.body == v.memory(subjects=(UserId("7"),))
    assert await store.memories.by_handle(Handle(HandleKind.MEMORY, row)) == found
    assert await store.memories.by_author_since(MAIN, UserId("100"), START) == 1
    assert await store.memories.by_author_since(MAIN, UserId("100"), START + 1) == 0


async def linked(store: Store, **changes) -> tuple[int, int]:
    """Two memories; the newer one contradicts the older one."""
    older = (await store.memories.add([v.memory("green tea")]))[0]
    relations = (v.relation(older, RelationKind.CONTRADICTS, 0.25),)
    newer = (await store.memories.add([v.memory("black tea", relations=relations, **changes)]))[0]
    return older, newer


async def test_an_edge_says_what_who_and_when(store: Store):
    older, newer = await linked(store, provenance=MemoryProvenance(author=UserId("100"), turn=7))
    found = await store.memories.edges([older], None)
    assert found == await store.memories.edges([newer], None) == await store.memories.edges([older, newer], None)
    (edge,) = found
    assert (edge.source, edge.target, edge.kind, edge.weight) == (newer, older, RelationKind.CONTRADICTS, 0.25)
    assert (edge.author, edge.turn, edge.at) == (UserId("100"), 7, START)
    assert await store.memories.edges([], None) == await store.memories.edges([newer + 1], None) == []
    stored = await store.memories.get(newer)
    assert stored is not None and stored.body.relations == ()


async def test_an_edge_is_seen_only_where_both_its_ends_are(store: Store):
    here = (await store.memories.add([v.memory("here")]))[0]
    private = {"scope": MemoryScope.USER, "scope_id": "100", "relations": (v.relation(here),)}
    await store.memories.add([v.memory("mine", **private), v.memory("there", scope_id="console:there")])
    reach = MemoryReach(agent=MAIN, channel=v.GENERAL, guild_id="1")
    assert await store.memories.edges([here], reach) == []
    assert len(await store.memories.edges([here], reach.replace(user_id=UserId("100")))) == 1
    assert await store.memories.edges([here], reach.replace(user_id=UserId("100"), agent=AgentId("other"))) == []


async def test_an_edge_is_hidden_while_an_end_is_forgotten(store: Store):
    older, newer = await linked(store)
    for row in (older, newer):
        proposal = await store.offers.propose(offer(ForgetMemory(memory=row, version=1), f"secret {row}"))
        done = await store.offers.execute(proposal.id, audited())
        assert done is not None
        assert await store.memories.edges([older, newer], None) == []
        await store.offers.undo(done.id, audited("undo"))
        assert len(await store.memories.edges([older], None)) == 1


async def test_an_edge_goes_with_the_text_of_either_end(store: Store):
    older, _ = await linked(store)
    proposal = await store.offers.propose(offer(ForgetMemory(memory=older, version=1)))
    await store.offers.execute(proposal.id, audited())
    await store.sweep(FOREVER.replace(forgotten_ms=DAY), START + 2 * DAY)
    later = v.memory("what was wiped is not linked to", relations=(v.relation(older), v.relation(99)))
    await store.memories.add([later])
    assert await store.memories.edges([older], None) == []
    assert await is_sound(store)


async def test_a_turn_stores_its_memories_with_their_edges(store: Store):
    older = (await store.memories.add([v.memory()]))[0]
    await store.channels.meet(v.KEY, "#general", v.GUILD, ChannelSettings())
    turn = await store.journal.begin_turn(v.turn_start(inbounds=()), [])
    await store.journal.end_turn(end(turn, memories=(v.memory("new", relations=(v.relation(older),)),)))
    assert [edge.target for edge in await store.memories.edges([older], None)] == [older]


async def test_a_memory_leads_to_the_requests_that_held_it(store: Store):
    row = (await store.memories.add([v.memory()]))[0]
    source = (f"memory:{handle(HandleKind.MEMORY, row)}", "config:persona", "memory:???")
    held = v.request_record(0, sections=(v.section("bulletin", source),))
    dropped = v.section("bulletin", source).replace(fate=SectionFate.DROPPED, reason="no room")
    rows = [await store.journal.record_request(held, []) for _ in range(2)]
    await store.journal.record_request(v.request_record(0, sections=(dropped,)), [])
    await store.journal.record_request(held.replace(kind=ProcessKind.REPLAY), [])
    assert await store.memories.requests_with(row, 9) == [rows[1], rows[0]]
    assert await store.memories.requests_with(row, 1) == [rows[1]]


# sessions, offers, audit


async def test_a_session_is_found_by_its_thread(store: Store):
    base = {"platform": "console", "actor": UserId("1"), "actor_name": "root", "agent": "main", "target": v.GENERAL}
    where = {"dm_channel": ChannelId("console:dm"), "title": "why", "created_at": START}
    one = await store.sessions.open(NewSession(**base, **where, dm_thread="t1"))
    two = await store.sessions.open(NewSession(**base, **where, dm_thread="t2"))
    assert await store.sessions.of_thread(ADMIN, "console:dm", "t1") == one
    assert await store.sessions.of_thread(ADMIN, "console:dm", "") == two
    assert [*await store.sessions.of_person(ADMIN, 5)] == [two, one]
    assert [*await store.sessions.of_person(ADMIN, 1)] == [two]
    await store.sessions.touch(one.id, START + 60)
    newest = await store.sessions.of_thread(ADMIN, "console:dm", "")
    assert newest is not None and (newest.id, newest.last_at) == (one.id, START + 60)
    stranger = PersonKey("console", UserId("2"))
    assert await store.sessions.of_thread(stranger, "console:dm", "t1") is None
    assert await store.sessions.by_handle(Handle(HandleKind.SESSION, two.id)) == two


async def test_what_ran_for_a_talk_is_found_by_it(store: Store):
    before = await store.ledger_version()
    looked = await store.journal.begin_turn(v.turn_start(kind=ProcessKind.INSPECTION, session=3), [])
    await store.journal.begin_turn(v.turn_start(), [])
    await store.journal.begin_turn(v.turn_start(kind=ProcessKind.INSPECTION, session=4), [])
    asked = await store.journal.begin_turn(v.turn_start(kind=ProcessKind.REPLAY, session=3), [])
    found = await store.journal.turns_of_session(v.KEY, 3, 9)
    assert [one.id for one in found] == [asked, looked]
    assert [one.id for one in await store.journal.turns_of_session(v.KEY, 3, 1)] == [asked]
    # nothing came in, and nothing went on
    assert await store.ledger_version() == before
    await store.ledger.arrive([v.arrival()], None)
    assert await store.ledger_version() != before


async def test_a_forgotten_memory_is_brought_back_by_undo(store: Store):
    row = (await store.memories.add([v.memory()]))[0]
    before = await store.memories.get(row)
    proposal = await store.offers.propose(offer(ForgetMemory(memory=row, version=1)))
    done = await store.offers.execute(proposal.id, audited())
    assert done is not None and done.body.undo == RestoreMemory(memory=row, version=2)
    forgotten = await store.memories.get(row)
    assert forgotten is not None and (forgotten.forgotten_at, forgotten.version) == (START, 2)
    assert await store.memories.in_reach(MemoryReach(agent=MAIN, channel=v.GENERAL)) == []
    undone = await store.offers.undo(done.id, audited("undo"))
    assert undone is not None
    after = await store.memories.get(row)
    assert after is not None and before is not None and after.replace(version=1) == before
    assert await store.offers.undo(done.id, audited("undo")) is None
    first = await store.audit.by_handle(Handle(HandleKind.AUDIT, done.id))
    assert first is not None and first.undone_by == undone.id
    assert await store.audit.verify() == 0


async def test_pressing_twice_does_it_once(store: Store):
    row = (await store.memories.add([v.memory()]))[0]
    proposal = await store.offers.propose(offer(ForgetMemory(memory=row, version=1)))
    done = await asyncio.gather(*(store.offers.execute(proposal.id, audited()) for _ in range(20)))
    assert len([entry for entry in done if entry]) == 1
    assert len(await store.audit.newest(None, 99)) == 1
    closed = await store.offers.get("aa")
    assert closed is not None and closed.state is ProposalState.DONE
    assert await store.offers.of_row(proposal.id) == closed and await store.offers.of_row(proposal.id + 1) is None


async def test_a_stale_offer_changes_nothing_and_is_closed(store: Store):
    row = (await store.memories.add([v.memory()]))[0]
    fix = ForgetMemory(memory=row, version=1)
    first = await store.offers.propose(offer(fix, "aa"))
    second = await store.offers.propose(offer(fix, "bb"))
    assert await store.offers.is_current(fix)
    await store.offers.execute(first.id, audited())
    assert not await store.offers.is_current(fix)
    with pytest.raises(UserError):
        await store.offers.execute(second.id, audited())
    stale = await store.offers.get("bb")
    assert stale is not None and stale.state is ProposalState.STALE
    assert await store.offers.execute(second.id, audited()) is None
    assert len(await store.audit.newest(None, 9)) == 1


async def test_an_expired_offer_does_nothing(store: Store):
    row = (await store.memories.add([v.memory()]))[0]
    proposal = await store.offers.propose(offer(ForgetMemory(memory=row, version=1)))
    with pytest.raises(UserError):
        await store.offers.execute(proposal.id, audited(at=START + 600_001))
    found = await store.memories.get(row)
    assert found is not None and not found.forgotten_at


async def test_a_declined_offer_cannot_be_used(store: Store):
    row = (await store.memories.add([v.memory()]))[0]
    proposal = await store.offers.propose(offer(ForgetMemory(memory=row, version=1)))
    assert await store.offers.close(proposal.id, ProposalState.DECLINED, START)
    assert not await store.offers.close(proposal.id, ProposalState.EXPIRED, START)
    assert await store.offers.execute(proposal.id, audited()) is None


async def test_resuming_ends_this_pause_and_no_later_one(store: Store):
    pause = ChannelPause(by=UserId("2"), by_role="moderator", at=50, inbound=1)
    await store.channels.meet(v.KEY, "#general", v.GUILD, v.settings(pause=pause))
    stale = await store.offers.propose(offer(ResumeChannel(channel=v.GENERAL, paused_at=49), "aa"))
    with pytest.raises(UserError):
        await store.offers.execute(stale.id, audited("resume"))
    good = await store.offers.propose(offer(ResumeChannel(channel=v.GENERAL, paused_at=50), "bb"))
    done = await store.offers.execute(good.id, audited("resume"))
    assert done is not None and done.body.undo is not None
    state = await store.channels.load(v.KEY)
    assert state is not None and state.settings == v.settings()
    await store.offers.undo(done.id, audited("undo"))
    state = await store.channels.load(v.KEY)
    assert state is not None and state.settings == v.settings(pause=pause)


async def test_audit_rows_are_chained_and_listed_by_person(store: Store):
    one = await store.audit.append(audited("read"))
    two = await store.audit.append(audited("read", actor=UserId("2")))
    assert two.prev_hash == one.hash
    assert await store.audit.newest(None, 9) == [two, one]
    assert await store.audit.newest(ADMIN, 9) == [one]


# the whole


async def test_the_last_sign_of_life_is_kept(store: Store):
    assert await store.heartbeat() is None
    beat = Heartbeat(instance="ab", pid=7, started_at=1, at=2, version="0.1.0")
    await store.beat(beat)
    await store.beat(beat.replace(at=3, exit_reason="sigterm"))
    assert await store.heartbeat() == beat.replace(at=3, exit_reason="sigterm")


async def test_probing_a_sound_store(store: Store):
    await arrives(store)
    assert await is_sound(store)


async def test_nothing_is_swept_while_everything_is_kept(store: Store):
    await arrives(store)
    await store.journal.record_request(v.request_record(0), [])
    assert await store.sweep(FOREVER, START + 999 * DAY) == {}


async def test_old_requests_lose_their_content_and_keep_their_figures(store: Store):
    shared = v.message("shared")
    old = await store.journal.record_request(v.request_record(0, v.llm_request([shared, v.message("old")])), [])
    await store.journal.record_attempt(
        AttemptRecord(request=old, number=1, at=START, duration_ms=1, response=v.llm_response())
    )
    request = v.llm_request([shared, v.message("new")])
    new = await store.journal.record_request(v.request_record(0, request, at=START + 2 * DAY), [])
    counts = await store.sweep(FOREVER.replace(requests_ms=DAY), START + 2 * DAY)
    assert counts == {"requests": 1, "responses": 1, "node": 1, "blob": 1}
    assert await store.journal.request(old) is None
    kept = await store.journal.request(new)
    assert kept is not None and kept.record.request == request
    assert (await store.meter.usage(None, 0))[0].input == 100
    again = await store.journal.record_request(v.request_record(0, v.llm_request([shared, v.message("old")])), [])
    assert await store.journal.request(again) is not None


async def test_old_talk_is_wiped_and_leaves_its_hash(store: Store):
    row = await arrives(store, disposition=ArrivalDisposition.AMBIENT)
    await store.channels.hear([(v.KEY, v.message("hello", inbound=row, ambient=True))], keep=9)
    fresh = await arrives(store, message_id="2")
    await store.sweep(FOREVER.replace(ambient_ms=DAY), START + 2 * DAY)
    stored = await store.ledger.inbound(row)
    kept = await store.ledger.inbound(fresh)
    assert stored is not None and kept is not None
    assert (stored.text_kept, len(stored.text_sha256), kept.text_kept) == (False, 64, True)
    state = await store.channels.load(v.KEY)
    assert state is not None and state.ambient == ()


async def test_old_records_go_and_open_ones_stay(store: Store):
    done, open_ = await arrives(store), await arrives(store, message_id="2")
    await store.ledger.settle([Settlement(inbound=done, at=START, outcome=Outcome.REPLIED)])
    await store.sweep(FOREVER.replace(records_ms=DAY), START + 2 * DAY)
    assert await store.ledger.trail(done) is None
    assert await store.ledger.trail(open_) is not None


async def test_the_audit_chain_holds_after_its_oldest_rows_went(store: Store):
    for at in (START, START + 1, START + 5 * DAY):
        await store.audit.append(audited(at=at))
    assert await store.sweep(FOREVER.replace(audit_ms=DAY), START + 5 * DAY) == {"audit": 2}
    assert await store.audit.verify() == 0
    await store.audit.append(audited(at=START + 6 * DAY))
    assert await store.audit.verify() == 0


async def test_forgotten_text_is_wiped_and_cannot_come_back(store: Store):
    row = (await store.memories.add([v.memory("canary words")]))[0]
    proposal = await store.offers.propose(offer(ForgetMemory(memory=row, version=1)))
    done = await store.offers.execute(proposal.id, audited())
    assert done is not None
    await store.sweep(FOREVER.replace(forgotten_ms=DAY), START + 2 * DAY)
    wiped = await store.memories.get(row)
    assert wiped is not None and wiped.body.content == ""
    with pytest.raises(UserError):
        await store.offers.undo(done.id, audited("undo"))
    assert await is_sound(store)


async def test_a_closed_store_says_so(store: Store):
    await store.close()
    with pytest.raises(StoreError):
        await store.ledger.arrive([v.arrival()], None)
    with pytest.raises(StoreError):
        await store.ledger.unsettled()


async def test_what_did_not_reach_the_history_is_found(store: Store):
    ambient = {"disposition": ArrivalDisposition.AMBIENT, "verdicts": (v.stopped("addressing"),)}
    heard = await arrives(store, "heard", "1", **ambient)
    await store.channels.hear([(v.KEY, v.message("heard", inbound=heard, ambient=True))], 50)
    await arrives(store, "a question", "2")
    missed = [await arrives(store, str(n), str(n), **ambient) for n in range(3, 6)]
    elsewhere = await arrives(store, "elsewhere", "1", channel=ChannelId("console:#other"), **ambient)
    edit = await arrives(store, "heart", "1", edit=START, kind="edit", disposition=ArrivalDisposition.AMEND)
    waits = await arrives(store, "the question", "2", edit=START, kind="edit")
    await arrives(store, "gone", "9", disposition=ArrivalDisposition.DROP, verdicts=(v.stopped(store_text=False),))
    found = await store.ledger.unheard(START, 50)
    assert [stored.id for stored in found] == [*missed, elsewhere, edit, waits]
    assert [stored.id for stored in await store.ledger.unheard(START, 1)] == [missed[-1], elsewhere, waits]
    other = [ChannelId("console:#other"), ChannelId("console:#another")]
    assert [stored.id for stored in await store.ledger.unheard(START, 50, other)] == [elsewhere]
    assert [stored.inbound.text for stored in await store.ledger.unsettled([v.GENERAL])] == [
        "a question",
        "the question",
    ]
    assert await store.ledger.unsettled(other) == await store.ledger.unsettled([]) == []
    assert await store.ledger.unheard(START + 1, 50) == []
    await store.channels.hear([(v.KEY, v.message("5", inbound=missed[-1], ambient=True))], 1)
    assert [stored.id for stored in await store.ledger.unheard(START, 50)] == [elsewhere, edit, waits]


# copies


async def test_no_copy_where_none_is_wanted(store: Store):
    off = await store.back_up(FOREVER, START)
    assert (off.state, off.path) == ("off", "")


# previews


async def previewed(store: Store, inbound: int, turn: int, message_id: str = "v1") -> int:
    row = await store.previews.begin(v.outgoing("secret", inbound=inbound, turn=turn), [seen(inbound)], START)
    if message_id:
        await store.previews.shown(row, message_id)
    return row


async def test_a_preview_is_no_part_of_an_answer(store: Store):
    row = await arrives(store)
    turn = await store.journal.begin_turn(v.turn_start(inbounds=(row,)), [])
    preview = await previewed(store, row, turn)
    stored = await store.journal.turn(turn)
    assert stored is not None and not stored.has_outbox
    assert (await store.outbox.pending(), await store.outbox.of_inbound(row)) == ([], [])
    (left,) = await store.previews.left()
    assert (left.row, left.body.kind, left.body.text) == (preview, "preview", "")
    assert left.receipt is not None and left.receipt.message_id == "v1"
    behind = await store.outbox.by_message(v.KEY, "v1")
    assert behind is not None and behind.body.inbound == row
    assert await store.journal.end_turn(end(turn)) == []


async def test_an_answer_closes_the_preview_that_it_edits(store: Store):
    row = await arrives(store)
    turn = await store.journal.begin_turn(v.turn_start(inbounds=(row,)), [])
    await previewed(store, row, turn)
    other = await previewed(store, row, turn, "v2")
    (out,) = await store.journal.end_turn(end(turn, outbox=(v.outgoing(inbound=row, edits="v1"),)))
    assert [left.row for left in await store.previews.left()] == [other]
    await store.outbox.sending(out.row)
    await store.outbox.sent(out.row, Receipt(message_id="v1", at=START), [], [])
    behind = await store.outbox.by_message(v.KEY, "v1")
    assert behind is not None and behind.row == out.row


async def test_a_preview_that_is_ended_stays_ended(store: Store):
    row = await arrives(store)
    preview = await previewed(store, row, 0, "")
    await store.previews.refused(preview, "403", [seen(row)])
    assert [(left.error, left.receipt) for left in await store.previews.left()] == [("403", None)]
    await store.previews.ended(preview, "never shown", [seen(row)])
    await store.previews.ended(preview, "again", [seen(row)])
    await store.previews.shown(preview, "v1")
    assert await store.previews.left() == []
    assert await store.outbox.in_state(v.KEY, False, 9) == []
    trail = await store.ledger.trail(row)
    assert trail is not None
    assert sum(stage.stage is LedgerStage.TURN for stage in trail.stages) == 3, "begun, refused, and ended once"


async def test_an_edit_becomes_a_message_of_its_own(store: Store):
    chunk = (await store.outbox.put([v.outgoing(edits="v1")], [], START))[0]
    await store.outbox.sending(chunk.row)
    await store.outbox.made_new(chunk.row, "message_gone")
    (pending,) = await store.outbox.pending()
    assert (pending.body, pending.state, pending.error) == (v.outgoing(), OutboxState.NEW, "message_gone")
    await store.outbox.sent(chunk.row, Receipt(message_id="5", at=START), [], [])
    await store.outbox.made_new(chunk.row, "too late")
    sent = await store.outbox.by_message(v.KEY, "5")
    assert sent is not None and (sent.state, sent.error) == (OutboxState.SENT, "")


# events, moves, invitations

HALL, ATTIC = ChannelId("console:#hall"), ChannelId("console:#general:7")
HALL_KEY = ChannelKey(MAIN, HALL)


async def happens(store: Store, message_id: str, disposition: ArrivalDisposition, **changes) -> int:
    event = PlatformEvent(kind=EventKind.OTHER, name="new_chat_title")
    base = {"kind": InboundKind.EVENT, "event": event, "disposition": disposition}
    return await arrives(store, "", message_id, **{**base, **changes})


async def test_an_event_that_means_nothing_ends_at_once_and_another_stays_open(store: Store):
    noted = await happens(store, "u1", ArrivalDisposition.NOTE)
    opened = await happens(store, "u2", ArrivalDisposition.EVENT)
    row = await store.ledger.inbound(noted)
    assert row is not None
    assert (row.outcome, row.outcome_reason) == (Outcome.STORED_ONLY, "event: new_chat_title")
    assert [one.id for one in await store.ledger.unsettled()] == [opened]
    assert [one.id for one in await store.ledger.events(v.KEY, 0)] == [opened, noted]
    assert await store.ledger.events(v.KEY, row.arrived_at + 1) == []
    assert await store.ledger.counts(None, 0) == []


async def test_a_move_takes_everything_along_and_is_done_once(store: Store):
    await store.channels.meet(v.KEY, "#general", ChannelPlace(guild_id="#general"), v.settings(model="a/b"))
    row = await arrives(store, "hello", "5")
    turn = await store.journal.begin_turn(v.turn_start(inbounds=(row,)), [])
    await store.journal.record_request(v.request_record(turn), [])
    guild = v.memory("of the guild", scope=MemoryScope.GUILD, scope_id="#general")
    await store.memories.add([v.memory("here"), guild, v.memory("elsewhere", channel=HALL, scope_id=HALL)])
    (unsent,) = await store.outbox.put([v.outgoing(replies_to="5")], [], START)
    (session,) = [await store.sessions.open(_session(v.GENERAL))]
    proposal = await store.offers.propose(offer(ResumeChannel(channel=v.GENERAL, paused_at=1)))
    await store.channels.hear([(ChannelKey(MAIN, ATTIC), v.message("above"))], 5)
    assert await store.channels.move(v.GENERAL, HALL, START)
    assert not await store.channels.move(v.GENERAL, HALL, START)
    assert not await store.channels.move(HALL, v.GENERAL, START), "and never back"
    state = await store.channels.load(v.KEY)
    assert state is not None and (state.id, state.place.guild_id, state.settings.model) == (HALL, "#hall", "a/b")
    assert state == await store.channels.load(HALL_KEY)
    above = await store.channels.load(ChannelKey(MAIN, ChannelId("console:#hall:7")))
    assert above is not None and len(above.ambient) == 1
    reach = MemoryReach(agent=MAIN, channel=HALL, guild_id="#hall")
    found = await store.memories.in_reach(reach)
    assert {memory.body.content for memory in found} == {"here", "of the guild", "elsewhere"}
    assert await store.memories.in_reach(reach.replace(channel=v.GENERAL)) == found
    for memory in found:
        hits = await store.memories.hits(reach, memory.body.content, None, 1)
        assert [hit.id for hit in hits] == [memory.id], "found by its words as well"
    (pending,) = await store.outbox.pending()
    assert (pending.row, pending.body.to.channel, pending.body.replies_to) == (unsent.row, HALL, "")
    assert (await store.sessions.get(session.id)).body.target == HALL  # type: ignore[union-attr]
    moved = await store.offers.get(proposal.body.secret_id)
    assert moved is not None and (moved.body.target, moved.body.fix.channel) == (HALL, HALL)  # type: ignore[union-attr]
    assert [one.id for one in await store.journal.recent_turns(HALL_KEY, 5)] == [turn]
    assert [one.record.channel for one in await store.journal.recent_requests(HALL_KEY, 5)] == [HALL]
    assert all(probe.state != "failed" for probe in await store.probe())


async def test_what_is_written_under_the_old_id_afterwards_lands_under_the_new_one(store: Store):
    row = await arrives(store, "hello", "5")
    turn = await store.journal.begin_turn(v.turn_start(inbounds=(row,)), [])
    await store.channels.move(v.GENERAL, HALL, START)
    bodies = (v.outgoing(replies_to="5", edits="7"),)
    done = end(turn, messages=(v.message(), v.said()), outbox=bodies, memories=(v.memory("late"),))
    (sent,) = await store.journal.end_turn(done)
    assert (sent.body.to.channel, sent.body.replies_to, sent.body.edits) == (HALL, "", "")
    state = await store.channels.load(HALL_KEY)
    assert state is not None and len(state.history) == 2
    assert [m.body.scope_id for m in await store.memories.in_reach(MemoryReach(agent=MAIN, channel=HALL))] == [HALL]
    await store.channels.set_settings(v.KEY, v.settings(model="x/y"), BY_ITSELF)
    await store.channels.meet(v.KEY, "an old name", ChannelPlace(), v.settings())
    state = await store.channels.load(HALL_KEY)
    assert state is not None and (state.settings.model, state.name) != ("x/y", "an old name")


async def test_what_arrived_under_the_old_id_is_found_by_both_and_clashes_with_nothing(store: Store):
    old = await arrives(store, "old five", "5")
    await store.channels.move(v.GENERAL, HALL, START)
    new = await arrives(store, "new five", "5", channel=HALL)
    again = await store.ledger.arrive([v.arrival("old five", "5")], None)
    assert again == [None]
    for key in (v.KEY, HALL_KEY):
        assert [one.id for one in await store.ledger.recent(key, 5)] == [new, old]
    stored = await store.ledger.inbound(old)
    assert stored is not None
    assert (stored.key, stored.inbound.message_id) == (HALL_KEY, "console:#general#5")
    found = [await store.ledger.by_message(HALL_KEY, name) for name in ("5", stored.inbound.message_id)]
    assert [one and one.id for one in found] == [new, old]
    await store.ledger.settle([Settlement(inbound=row, at=START, outcome=Outcome.REPLIED) for row in (old, new)])
    for counted in (None, HALL_KEY, v.KEY):
        assert [(c.channel, c.count) for c in await store.ledger.counts(counted, 0)] == [(HALL, 2)]


async def test_moves_are_known_at_the_next_start(open_store: Callable[[], Awaitable[Store]]):
    store = await open_store()
    await store.channels.move(v.GENERAL, HALL, START)
    await store.channels.move(HALL, ChannelId("console:#roof"), START)
    await store.close()
    store = await open_store()
    assert store.channels.moves.current_id(ATTIC) == "console:#roof:7"
    assert store.channels.moves.former_ids(ChannelId("console:#roof")) == (HALL, v.GENERAL)
    await store.close()


async def test_an_invitation_is_accepted_once_and_in_time(store: Store):
    kept = await store.invitations.invite(invited())
    assert await store.invitations.get("ab") == kept
    assert await store.invitations.get("cd") is None
    results = await asyncio.gather(*(store.invitations.accept(kept.id, audited("start by link")) for _ in range(3)))
    assert sorted(results) == [False, False, True]
    assert len(await store.audit.newest(ADMIN, 9)) == 1
    assert (await store.invitations.get("ab")).used_at == START  # type: ignore[union-attr]
    late = await store.invitations.invite(invited("ef", expires_at=START))
    assert not await store.invitations.accept(late.id, audited())


async def test_an_uncertain_chunk_is_sent_again_once_for_each_try(store: Store):
    (chunk,) = await store.outbox.put([v.outgoing()], [], START)
    await store.outbox.sending(chunk.row)
    note = StageRow(inbound=0, at=START, stage=LedgerStage.OUTBOX, verdict=StageVerdict.NOTED)
    assert await store.outbox.send_again(chunk.row, 1, note, None) is None, "it is not uncertain"
    await store.outbox.ended(chunk.row, uncertain=True, error="cut", stages=[], done=[])
    assert await store.outbox.send_again(chunk.row, 2, note, None) is None
    again = await store.outbox.send_again(chunk.row, 1, note, audited("send again"))
    assert again is not None and (again.row, again.state, again.body) == (chunk.row, OutboxState.NEW, chunk.body)
    assert await store.outbox.send_again(chunk.row, 1, note, audited("send again")) is None
    assert len(await store.audit.newest(ADMIN, 9)) == 1
    assert await store.outbox.get(chunk.row) == again
    assert await store.outbox.get(99) is None


def _session(target: ChannelId) -> NewSession:
    person = {"platform": "console", "actor": UserId("1"), "actor_name": "root", "agent": "main"}
    where = {"dm_channel": ChannelId("console:dm:1"), "dm_thread": "t", "title": "w", "created_at": START}
    return NewSession(**person, **where, target=target)


async def test_how_platforms_are_heard_is_kept_beside_the_sign_of_life(store: Store):
    """The process that listens says it, for those that do not."""
    health = AdapterHealth(name="telegram", state=AdapterState.UP, since=START)
    assert await store.listeners() == []
    for at in (START, START + 2000):
        await store.heard_by_listener(ListenerHealth(health=health, at=at))
    assert await store.listeners() == [ListenerHealth(health=health, at=START + 2000)]
    assert await store.heartbeat() is None
