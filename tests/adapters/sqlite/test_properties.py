"""What the store rebuilds is what was put in, whatever was put in."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.sqlite import SqliteStore
from adapters.sqlite.engine.search import match
from bot.domain.channel import (
    AmbientHeard,
    ChannelEvent,
    ChannelPause,
    ChannelReset,
    ChannelState,
    MessageEdited,
    ResponseMode,
    SettingsChanged,
    Turn,
    TurnFinished,
    apply,
)
from bot.domain.ids import MAIN, UserId
from bot.domain.memory import MemoryReach
from bot.domain.messages import Message, Role, TextPart, ToolCall, ToolResult
from bot.domain.revisions import BY_ITSELF
from bot.domain.tool_pairing import pair_tool_calls
from bot.domain.turn import StoredRequest, TurnEnd, TurnStatus
from tests.adapters.sqlite.opened import opened
from tests.fakes import values as v
from tests.fakes.clock import START

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
PARTS = st.one_of(
    st.builds(TextPart, text=TEXT),
    st.builds(ToolCall, call_id=TEXT, name=TEXT, arguments=TEXT),
    st.builds(ToolResult, call_id=TEXT, text=TEXT, ok=st.booleans()),
)
MESSAGES = st.builds(
    Message,
    role=st.sampled_from(Role),
    parts=st.lists(PARTS, max_size=3).map(tuple),
    author=st.one_of(st.none(), st.builds(v.author, name=TEXT)),
    at=st.integers(0, START),
    inbound=st.integers(0, 6),
    message_id=TEXT,
    ambient=st.booleans(),
)
ENDS = st.builds(
    TurnEnd,
    turn=st.just(0),
    agent=st.just(MAIN),
    channel=st.just(v.GENERAL),
    at=st.integers(0, START),
    status=st.sampled_from([status for status in TurnStatus if status is not TurnStatus.RUNNING]),
    reason=TEXT,
    messages=st.lists(MESSAGES, max_size=4).map(tuple),
    context_tokens=st.integers(0, 9999),
)
PAUSES = st.builds(ChannelPause, by=st.just(UserId("1")), by_role=TEXT, at=st.integers(0, 99), inbound=st.just(0))
SETTINGS = st.builds(v.settings, mode=st.sampled_from(ResponseMode), pause=st.none() | PAUSES, model=TEXT)
STEPS = st.lists(
    st.one_of(
        ENDS,
        st.builds(AmbientHeard, message=MESSAGES, keep=st.integers(0, 3)),
        st.builds(SettingsChanged, settings=SETTINGS),
        st.builds(MessageEdited, message=MESSAGES),
        st.just(ChannelReset()),
    ),
    max_size=12,
)
QUICK = settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))


def with_store(test: Callable[[SqliteStore], Awaitable[None]]) -> None:
    async def run(directory: str) -> None:
        async with opened(Path(directory)) as store:
            await test(store)

    # these tests are about content; a disk that is busy elsewhere would only make them slow
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as directory:
        asyncio.run(run(directory))


async def do(store: SqliteStore, step: TurnEnd | ChannelEvent) -> ChannelEvent:
    """Do to the store what the event does to the state."""
    match step:
        case TurnEnd():
            end = step.replace(turn=await store.journal.begin_turn(v.turn_start(), []))
            await store.journal.end_turn(end)
            return TurnFinished(turn_id=end.turn, messages=end.messages, last=end.last)
        case AmbientHeard(message=message, keep=keep):
            await store.channels.hear([(v.KEY, message)], keep)
        case SettingsChanged(settings=changed):
            await store.channels.set_settings(v.KEY, changed, BY_ITSELF)
        case MessageEdited(message=message):
            await store.channels.amend(v.KEY, message)
        case ChannelReset():
            await store.channels.reset(v.KEY, START)
        case _:
            raise AssertionError(step)
    return step


@QUICK
@given(STEPS)
def test_a_loaded_channel_is_what_events_made_of_it(steps: list[TurnEnd | ChannelEvent]) -> None:
    async def run(store: SqliteStore) -> None:
        state: ChannelState = await store.channels.meet(v.KEY, "#general", v.GUILD, v.settings())
        for step in steps:
            state = apply(state, await do(store, step))
        # these messages are of any shape; a call without a result, which no turn leaves, is given one when it is read
        turns = tuple(Turn(id=turn.id, messages=pair_tool_calls(turn.messages)) for turn in state.turns)
        state = state.replace(turns=turns)
        loaded = await store.channels.load(v.KEY)
        assert loaded == state
        assert loaded is not None
        assert [message.digest for message in loaded.history] == [message.digest for message in state.history]
        assert [Message.model_validate(m.model_dump()).digest for m in loaded.history] == [
            message.digest for message in state.history
        ]
        assert not await store.verify()

    with_store(run)


REQUESTS = st.builds(
    v.llm_request,
    messages=st.lists(MESSAGES, max_size=6),
    system=st.lists(st.tuples(TEXT, TEXT), max_size=4),
    tools=st.lists(st.builds(v.tool_definition, name=TEXT, description=TEXT), max_size=3),
)


@QUICK
@given(st.lists(REQUESTS, min_size=1, max_size=6), st.data())
def test_every_request_is_rebuilt_exactly(requests: list, data: st.DataObject) -> None:
    records = [
        v.request_record(
            0,
            request,
            sections=tuple(v.section(name, text=text) for name, text in data.draw(st.lists(st.tuples(TEXT, TEXT)))),
            message_tokens=tuple(data.draw(st.lists(st.integers(0, 9), min_size=n, max_size=n))),
            dropped_turns=tuple(data.draw(st.lists(st.integers(0, 9), max_size=3))),
        )
        for request in requests
        for n in [len(request.messages)]
    ]

    async def run(store: SqliteStore) -> None:
        rows = [await store.journal.record_request(record, []) for record in records]
        for row, record in zip(rows, records, strict=True):
            stored: StoredRequest | None = await store.journal.request(row)
            assert stored is not None
            assert stored.record == record
            assert type(record).model_validate(stored.record.model_dump()).request.digest == record.digest

    with_store(run)


PAYLOADS = ["'", '"', "--", ";", "/*", "*/", "\\", "%", "_", "*", "(", ")", "{", "}", "^", ":", "+", "-", "\0", "\x1f"]
CLAUSES = [
    "' OR 1=1 --",
    '" OR ""="',
    "'; DROP TABLE memory; --",
    "1) UNION SELECT secret FROM meta --",
    "NEAR(a b, 1)",
    "text : x",
    "a AND NOT b",
    "{text} : a",
    "^start",
    "pre*",
    "' AND sleep(9) AND '",
    "%27%20OR%201=1",
    "'||(SELECT 1)||'",
    "1; ATTACH DATABASE '/tmp/x' AS y",
    "' AND randomblob(1000000000) --",
    '"unclosed',
    "rank MATCH 'bm25(0)'",
    "\u2019 OR \u20191\u2019=\u20191",
    "OR OR OR",
    "AND",
]


def hostile() -> list[str]:
    texts = [
        before + clause + after for clause in CLAUSES for before in ("", "tea ", "'", '"', ")") for after in ("", "'")
    ]
    texts += [a + b + c for a in PAYLOADS for b in PAYLOADS for c in ("x", " tea")][:320]
    return texts


def test_five_hundred_hostile_strings_are_only_text() -> None:
    texts = hostile()
    assert len(texts) >= 500

    async def run(store: SqliteStore) -> None:
        reach = MemoryReach(agent=MAIN, channel=v.GENERAL)
        await store.memories.add([v.memory("tea"), v.memory("foreign tea", scope_id="console:other")])
        for number, text in enumerate(texts):
            hits = await store.memories.search(reach, text, 50)
            assert all(hit.body.scope_id == v.GENERAL for hit, _ in hits), text
            await store.history.search(v.KEY, text, 5)
            await store.ledger.by_message(v.KEY, text)
            await store.offers.get(text)
            assert await store.ledger.cursor(text, text) is None
            row = (await store.ledger.arrive([v.arrival(text, f"{number}{text}")], None))[0]
            assert row is not None
            stored = await store.ledger.inbound(row)
            assert stored is not None and stored.inbound.text == text
        assert len(await store.memories.in_reach(reach)) == 1
        assert not await store.verify()

    with_store(run)


@given(st.text())
def test_a_query_holds_nothing_but_quoted_words(text: str) -> None:
    query = match(text)
    assert query == "" or all(part.startswith('"') and part.endswith('"') for part in query.split(" OR "))
    assert query.count('"') == 2 * len([part for part in query.split(" OR ") if part])
