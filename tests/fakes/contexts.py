"""A whole context stack on fakes, and talk to put into it."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.context.builder import ContextBuilder
from bot.context.gather import ContextAsk, ContextGatherer
from bot.context.section import BotFacts, SectionSources
from bot.context.sections import ORDER
from bot.context.transcript import as_message
from bot.domain.channel import ChannelState, LastTurn, ProcessKind, TurnFinished, apply
from bot.domain.llm import ModelName, ToolDefinition
from bot.domain.messages import Message
from bot.domain.snapshot import ModelLimits, Trigger
from bot.domain.turn import AttemptRecord
from bot.inspect.capture.inspector import ChannelContextInspector
from bot.ports.platform import PlatformCapabilities
from bot.text.redaction import Redactor
from tests.fakes.channels import FakeChannels, FakeDirectory
from tests.fakes.clock import START, FakeClock
from tests.fakes.counter import WordCounter
from tests.fakes.journal import FakeJournal
from tests.fakes.memories import FakeMemories
from tests.fakes.meter import FakeMeter
from tests.fakes.values import MODEL, author, inbound, llm_response, request_record, said, tool_definition, turn_start
from tests.fakes.wires import FakeWires

CONSOLE = PlatformCapabilities(
    max_units=4000,
    idempotent_sends=True,
    reactions=True,
    typing=False,
    buttons=True,
    files=True,
    guidance="console",
)
FACTS = BotFacts(
    bot_name="Glassmind",
    persona="You are friendly and brief.",
    platforms={
        "console": CONSOLE,
        "discord": CONSOLE.replace(guidance="discord", max_units=2000),
        "telegram": CONSOLE.replace(guidance="telegram", max_units=4096, reactions=False),
    },
)
LIMITS = ModelLimits(model=MODEL, window=128_000, max_output=4096)


def limits(window: int = 128_000, max_output: int = 4096, model: str = "simulated/echo") -> ModelLimits:
    provider, _, name = model.partition("/")
    return ModelLimits(model=ModelName(provider=provider, model=name), window=window, max_output=max_output)


def says(text: str = "hello", row: int = 1, user: str = "42", name: str = "ann", *, ambient: bool = False) -> Message:
    """A person's message as the transcript has it."""
    arrived = inbound(text, str(row), author=author(user, name), sent_at=START + 1000 * row)
    return as_message(row, arrived, ambient=ambient)


def trigger(*messages: Message, at: int = START + 60_000) -> Trigger:
    return Trigger(messages=messages or (says("are you there?", 99),), at=at)


def talked(state: ChannelState, *exchanges: tuple[str, str]) -> ChannelState:
    """A channel in which ann asked and the bot answered."""
    for number, (question, answer) in enumerate(exchanges, len(state.turns) + 1):
        messages = (says(question, number), said(answer))
        last = LastTurn(outcome="replied", at=START + 1000 * number, context_tokens=1000 + number)
        state = apply(state, TurnFinished(turn_id=number, messages=messages, last=last))
    return state


@dataclass
class Stack:
    """Everything between a channel's state and a request."""

    memories: FakeMemories = field(default_factory=FakeMemories)
    channels: FakeChannels = field(default_factory=FakeChannels)
    journal: FakeJournal = field(default_factory=FakeJournal)
    meter: FakeMeter = field(default_factory=FakeMeter)
    counter: WordCounter = field(default_factory=WordCounter)
    facts: BotFacts = FACTS
    redactor: Redactor = field(default_factory=lambda: Redactor.of({}))

    @property
    def contexts(self) -> ContextBuilder:
        sources = SectionSources(self.memories, self.channels, self.journal, self.facts, self.redactor)
        return ContextBuilder(ContextGatherer(ORDER, sources), self.counter, self.meter)


def ask(
    state: ChannelState,
    at: Trigger | None = None,
    tools: tuple[ToolDefinition, ...] | None = None,
    limit: ModelLimits = LIMITS,
    kind: ProcessKind = ProcessKind.CHANNEL,
) -> ContextAsk:
    return ContextAsk(kind, state, at or trigger(), (tool_definition(),) if tools is None else tools, limit)


@dataclass
class Looking:
    """An inspector over a stack, with one channel in the registry."""

    state: ChannelState
    stack: Stack = field(default_factory=Stack)
    wires: FakeWires = field(default_factory=FakeWires)
    limit: ModelLimits = LIMITS

    def __post_init__(self) -> None:
        self.directory = FakeDirectory(self.state)
        self.stack.channels.states.setdefault(self.state.key, self.state)
        self.clock = FakeClock()

    @property
    def inspector(self) -> ChannelContextInspector:
        return ChannelContextInspector(
            contexts=self.stack.contexts,
            journal=self.stack.journal,
            channels=self.stack.channels,
            directory=self.directory,
            memories=self.stack.memories,
            wires=self.wires,
            ask_for=lambda state, at: ask(state, at, limit=self.limit),
            clock=self.clock,
        )

    async def send(self, at: Trigger | None = None) -> int:
        """Put a request into the journal as a turn does, and return its number."""
        snapshot = await self.stack.contexts.snapshot(ask(self.state, at, limit=self.limit))
        turn = await self.stack.journal.begin_turn(turn_start(self.state.key), ())
        record = request_record(
            turn,
            snapshot.request,
            self.state.key,
            sections=snapshot.sections,
            stats=snapshot.stats,
            message_tokens=snapshot.message_tokens,
            wire_sha256=self.wires.encode(snapshot.request).sha256,
            encoder=self.wires.encoder(snapshot.request.model),
        )
        row = await self.stack.journal.record_request(record, ())
        attempt = AttemptRecord(request=row, number=1, at=START, duration_ms=1.0, response=llm_response(input=777))
        await self.stack.journal.record_attempt(attempt)
        return row
