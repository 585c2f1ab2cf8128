"""A model that does anything at all: whatever it says or calls, every turn has one ending and no wall is passed."""

from __future__ import annotations

import os
import random
from typing import Any

import pytest
import structlog

from bot.agent.processes.branch import Branch
from bot.agent.turn.turn import TurnLimits
from bot.domain.channel import ChannelReset
from bot.domain.ids import ChannelId
from bot.domain.ledger import Outcome
from bot.domain.llm import LLMResponse
from bot.domain.memory import Memory
from bot.domain.messages import Role, ToolCall
from bot.domain.turn import TurnStatus
from bot.errors import DeliveryError, ProviderFault
from bot.text.text import clean
from bot.tools.runtime.executor import is_object
from tests.bot.agent.processes.test_branch import job
from tests.bot.agent.room import Room
from tests.fakes.provider import calls, fails, says
from tests.fakes.values import memory

PROGRAMS = 1100 if os.environ.get("SOAK") else 100
CANARY = "canary-of-another-channel"
NAMES = [
    "reply", "skip", "react", "memory_save", "memory_recall", "channel_recall", "read_channel_context",
    "memory_delete", "shell", "context_inspect", "", "rm -rf /", "reply\n", "x" * 200, "\ud800",
]  # fmt: skip
VALUES: list[Any] = [
    "console:#general", "console:#other", "main/console:#other", "do not answer ann", "ann likes tea", "", "x" * 30_000,
    "decision", "fact", "instructed", "not_for_me", "hybrid", "outline", "search:canary", "history:1-99", "dump",
    0, -1, 5, 0.5, None, True, [], {}, ["a"], {"a": 1}, "\ud800", "\x00", "👍",
]  # fmt: skip
KEYS = [
    "text", "reason", "category", "emoji", "content", "type", "importance", "query", "mode", "limit", "channel_id",
    "part", "ctx", "memories", "args",
]  # fmt: skip
RAW = ["", "{", "[]", "null", "not json", '{"text": "a"', '{"text": NaN}', '{"a":' * 200, "\x00", "{}", '{"text":"hi"}']
TEXTS = [
    "",
    "",
    " ",
    "hello",
    "NO_REPLY",
    "<tool_call>",
    '{"name": "reply"}',
    "x" * 9000,
    "\x00",
    "\ud83d",
    "```\n" * 50,
]
WRITERS = {"reply", "skip", "react", "memory_save"}


@pytest.fixture(autouse=True)
def quiet():
    with structlog.testing.capture_logs():
        yield


class Puppet:
    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.asked: list[ToolCall] = []

    def arguments(self) -> Any:
        if self.chance.random() < 0.2:
            return self.chance.choice(RAW)
        keys = self.chance.sample(KEYS, self.chance.randrange(0, 5))
        return {key: self.chance.choice([v for v in VALUES if v != "\ud800"]) for key in keys}

    def sensible(self) -> tuple[str, Any]:
        return self.chance.choice(
            [
                ("reply", {"text": f"t{self.chance.randrange(4)}"}),
                ("skip", {"reason": "because of this", "category": self.chance.choice(["instructed", "not_for_me"])}),
                ("react", {"emoji": "👍"}),
                ("memory_save", {"content": "do not answer ann", "type": "decision"}),
                ("memory_recall", {"query": self.chance.choice(["", "canary"])}),
                ("channel_recall", {"query": "canary"}),
                ("read_channel_context", {"channel_id": "console:#other", "part": "dump"}),
                ("read_channel_context", {"channel_id": "console:#general", "part": "search:canary"}),
            ]
        )

    def __call__(self, request: Any) -> LLMResponse:
        roll = self.chance.random()
        if roll < 0.06:
            # the one that ends a turn in a way of its own is not to be left to chance among so many
            raise fails(self.chance.choice([*ProviderFault, *[ProviderFault.CONTEXT_LENGTH] * 8]))
        if roll < 0.07:
            raise ZeroDivisionError
        text = self.chance.choice(TEXTS)
        if roll < 0.3:
            return says(text)
        wanted = [
            self.sensible() if self.chance.random() < 0.5 else (self.chance.choice(NAMES), self.arguments())
            for _ in range(self.chance.choice([1, 1, 1, 2, 2, 3, 4, 5, 30]))
        ]
        ids = [self.chance.choice(["a", "b", "", "c d", f"{n}"]) for n in range(len(wanted))]
        response = calls(*wanted, text=text, ids=ids)
        if request.tool_choice.value == "auto":
            self.asked += response.calls
        return response


def canaried(room: Room) -> Room:
    """Let the bot know nothing but one thing that was learnt elsewhere."""
    other = ChannelId("console:#other")
    room.memories.kept = [Memory(id=1, body=memory(CANARY, scope_id=other, channel=other))]
    return room


def check_pairs(messages: Any) -> None:
    """Every call is an object with a result right after it, and every result has its call."""
    for at, message in enumerate(messages):
        if message.calls:
            assert [c.call_id for c in message.calls] == [r.call_id for r in messages[at + 1].results]
            assert all(is_object(c.arguments) for c in message.calls)
        if message.role is Role.TOOL:
            assert messages[at - 1].calls


async def run_program(room: Room, seed: int) -> Puppet:
    puppet = Puppet(seed)
    room.provider.script = [puppet]
    errors = puppet.chance.choice([[], [], [DeliveryError("no", code="1")], [DeliveryError("?", uncertain=True)]])
    room.delivery.errors = list(errors)
    room.delivery.sent.clear()
    room.provider.requests.clear()
    room.clock.advance(3600)  # whatever was left alone after a failure may be asked again
    await room.hears(f"program {seed}", mentions_bot=puppet.chance.random() < 0.5)
    return puppet


def check_ending(room: Room) -> None:
    """There is one, it is honest, and the inbound has an outcome or a reply on its way."""
    end = room.end
    assert [e.turn for e in room.journal.ends] == [len(room.journal.turns)]
    assert end.status in {TurnStatus.REPLIED, TurnStatus.SKIPPED, TurnStatus.FAILED}
    answered = [body.kind for body in room.delivery.sent if body.inbound == room.heard]
    settled = [s.outcome for s in end.settlements]
    assert len(settled) == (0 if end.outbox and end.status is TurnStatus.REPLIED else 1)
    if end.status is TurnStatus.FAILED:
        assert answered == ["notice"]
    if end.status is TurnStatus.REPLIED:
        assert answered or settled == [Outcome.UNCERTAIN]


async def test_every_turn_of_a_channel_has_one_ending_whatever_the_model_does():
    room = canaried(Room(says(""), limits=TurnLimits(rounds=4, seconds=20), sample=0.1))
    seen = set()
    for seed in range(PROGRAMS):
        puppet = await run_program(room, seed)
        check_ending(room)
        records = await room.journal.calls_of_turn(room.end.turn)
        assert [r.raw_arguments_json for r in records] == [clean(c.arguments).text for c in puppet.asked]
        assert [r.order_index for r in records] == list(range(len(puppet.asked)))
        assert not any(CANARY in r.result_output for r in records)
        for messages in (room.end.messages, *(r.messages for r in room.provider.requests)):
            check_pairs(messages)
        seen.add(room.end.reason.split(":")[0])
        room.journal.ends.clear()
        room.channel.record(ChannelReset())
        canaried(room)
    assert room.notes.rows == []
    assert {"", "instructed", "not_for_me", "reacted", "empty", "rounds", "provider", "too_large", "internal"} <= seen


async def test_no_inspection_writes_or_reads_another_channel_whatever_the_model_does():
    room = canaried(Room(says(""), sample=0.1))
    wanted = await job(room, rounds=4)
    room.provider.requests.clear()
    state, seen = room.state, set()
    for seed in range(PROGRAMS):
        puppet = Puppet(seed)
        room.provider.script = [puppet]
        room.clock.advance(3600)
        branch = Branch(room.turns)
        found = await branch.conclude(wanted)
        await branch.end(())
        await room.tasks.idle()
        seen.add(found.kind)
        assert found.kind in {"conclusion", "failure"}
        end = room.end
        assert (end.memories, end.outbox, end.messages, end.settlements) == ((), (), (), ())
        for record in await room.journal.calls_of_turn(found.turn):
            assert CANARY not in record.result_output
            assert not (record.success and record.tool_name in WRITERS)
            if record.success and record.tool_name == "read_channel_context":
                assert "#other" not in record.raw_arguments_json.split('"part"')[0]
    assert seen == {"conclusion", "failure"}
    assert room.delivery.sent == [] and room.delivery.reactions == []
    assert [m.access_count for m in room.memories.kept] == [0]
    assert room.state is state
    assert {tool.name for tool in wanted.tools} & WRITERS == set()
