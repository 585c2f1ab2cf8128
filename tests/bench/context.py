"""Measure assembling, counting and exporting; run with `python -m tests.bench.context`, prints JSON (milliseconds)."""

from __future__ import annotations

import asyncio
import gc
import json
import statistics
import time
from collections.abc import Callable
from typing import Any

import orjson

from adapters.tiktoken import TiktokenCounter
from bot.context.assemble import assemble
from bot.context.builder import ContextBuilder
from bot.context.gather import ContextGatherer
from bot.context.section import BotFacts, SectionSources
from bot.context.sections import ORDER
from bot.context.tokens import count_function
from bot.domain.base import canonical_json
from bot.domain.channel import ChannelState, LastTurn, TurnFinished, apply
from bot.domain.dialect import PLAIN, Dialect
from bot.domain.llm import LLMRequest, ModelName, ToolDefinition, WireRequest
from bot.domain.snapshot import ContextInputs, ModelLimits, Tokenizer
from bot.inspect.capture.capture import ContextCapture
from bot.inspect.capture.inspector import ChannelContextInspector
from bot.inspect.capture.redact_view import CachedRedactor, CaptureReader, view_for_reader
from bot.inspect.usage.export import export
from bot.text.redaction import Redactor
from tests.fakes.channels import FakeChannels, FakeDirectory
from tests.fakes.clock import FakeClock
from tests.fakes.contexts import CONSOLE, ask, says, trigger
from tests.fakes.journal import FakeJournal
from tests.fakes.memories import FakeMemories
from tests.fakes.meter import FakeMeter
from tests.fakes.values import channel, memory, said

MODEL = ModelName(provider="openai", model="gpt-5-mini")
LIMITS = ModelLimits(model=MODEL, window=400_000, max_output=8192)
WORDS = "the quick brown fox jumps over a lazy dog while gray pigeons watch from the wet roof".split()  # noqa: SIM905


def prose(words: int, seed: int) -> str:
    picked = (WORDS[(seed * 7 + n * (3 + seed % 5)) % len(WORDS)] for n in range(words))
    return " ".join(word + ("." if n % 17 == 16 else "") for n, word in enumerate(picked))


def talk(messages: int, words: int, seed: int = 0) -> ChannelState:
    state = channel()
    for number in range(1, messages // 2 + 1):
        pair = (
            says(f"{seed}.{number} {prose(words, number)}", number),
            said(f"{seed}/{number} {prose(words, number + 1)}"),
        )
        last = LastTurn(outcome="replied", at=number, context_tokens=number)
        state = apply(state, TurnFinished(turn_id=number, messages=pair, last=last))
    return state


def tools(count: int, words: int) -> tuple[ToolDefinition, ...]:
    schema = {
        "type": "object",
        "properties": {f"field_{n}": {"type": "string", "description": prose(12, n)} for n in range(8)},
    }
    text = canonical_json(schema)
    return tuple(ToolDefinition(name=f"tool_{n}", description=prose(words, n), parameters=text) for n in range(count))


class Encoder:
    """Writes bodies as the OpenAI adapter does."""

    def __init__(self) -> None:
        from adapters.model_http.json_cache import JsonFragments

        self.fragments = JsonFragments()

    def encode(self, request: LLMRequest, dialect: Dialect | None = None) -> WireRequest:
        from adapters.openai.encode import encode_chat

        return encode_chat(request, fragments=self.fragments, dialect=dialect or PLAIN)

    def encoder(self, model: ModelName) -> str:
        return "openai-chat/2"


class Bench:
    """The case of the acceptance figures: system 12k, 20 tools 5.5k, history 37k tokens in 200 messages."""

    def __init__(self) -> None:
        self.counter = TiktokenCounter()
        facts = BotFacts(bot_name="Glassmind", persona=prose(9_600, 3), platforms={"console": CONSOLE})
        memories = FakeMemories(*(memory(prose(9, n), created_at=n) for n in range(20)))
        self.state = talk(200, 152)
        self.channels = FakeChannels(self.state)
        self.journal = FakeJournal()
        self.sources = SectionSources(memories, self.channels, self.journal, facts, Redactor.of({}))
        self.contexts = ContextBuilder(ContextGatherer(ORDER, self.sources), self.counter, FakeMeter())
        self.tools = tools(20, 90)
        self.encoder = Encoder()
        self.redactor = CachedRedactor(Redactor.of({"model.api_key": "sk-0123456789abcdef0123"}))
        self.inspector = ChannelContextInspector(
            contexts=self.contexts,
            journal=self.journal,
            channels=self.channels,
            directory=FakeDirectory(self.state),
            memories=memories,
            wires=self.encoder,
            ask_for=lambda state, at: ask(state, at, self.tools, LIMITS),
            clock=FakeClock(),
        )

    async def inputs(self, state: ChannelState) -> ContextInputs:
        tokenizer = self.counter.tokenizer(str(MODEL))
        return await self.contexts.gatherer.gather(ask(state, trigger(), self.tools, LIMITS), tokenizer)

    def everything(self, inputs: ContextInputs, tokenizer: Tokenizer) -> None:
        snapshot = assemble(inputs, ORDER[inputs.kind], count_function(tokenizer, self.counter))
        assert snapshot.digest


def median(work: Callable[[], Any], times: int = 30) -> float:
    samples = []
    for _ in range(times):
        gc.collect()
        began = time.perf_counter()
        work()
        samples.append((time.perf_counter() - began) * 1000)
    return round(statistics.median(samples), 3)


async def median_async(work: Callable[[], Any], times: int = 30) -> float:
    samples = []
    for _ in range(times):
        gc.collect()
        began = time.perf_counter()
        await work()
        samples.append((time.perf_counter() - began) * 1000)
    return round(statistics.median(samples), 3)


async def per_turn(bench: Bench, messages: int) -> float:
    """CPU of gathering, assembling, encoding one more turn of a chat that is so long already."""
    state = talk(messages, 40, seed=messages)
    for _ in range(3):
        bench.encoder.encode((await bench.contexts.snapshot(ask(state, trigger(), bench.tools, LIMITS))).request)
    samples = []
    for number in range(30):
        pair = (says(f"more {number}", 1000 + number), said("yes"))
        last = LastTurn(outcome="replied")
        state = apply(state, TurnFinished(turn_id=1000 + number, messages=pair, last=last))
        began = time.process_time()
        for _ in range(5):
            snapshot = await bench.contexts.snapshot(ask(state, trigger(), bench.tools, LIMITS))
            bench.encoder.encode(snapshot.request)
        samples.append((time.process_time() - began) * 200)
    return round(statistics.median(samples), 3)


async def main() -> None:
    bench = Bench()
    began = time.perf_counter()
    await bench.contexts.counter.warm(["load"])
    load_ms = (time.perf_counter() - began) * 1000
    tokenizer = bench.counter.tokenizer(str(MODEL))

    async def capture() -> ContextCapture:
        return await bench.inspector.inspect(bench.state.key)

    def written(inspection: ContextCapture) -> bytes:
        shown = view_for_reader(inspection, CaptureReader(reads_content=True, operator=True), bench.redactor)
        return export(shown, "2026-11-21T03:00:00+01:00", "here")

    cold = []
    for number in range(7):
        fresh = ContextInputs.model_validate_json((await bench.inputs(talk(200, 152, number + 1))).model_dump_json())
        bench.counter._kept.clear()
        gc.collect()
        began = time.perf_counter()
        bench.everything(fresh, tokenizer)
        cold.append((time.perf_counter() - began) * 1000)
    inputs = await bench.inputs(bench.state)
    inspection = await capture()
    stats = inspection.numbers.stats
    document = written(inspection)

    def known() -> None:
        bench.everything(inputs, tokenizer)
        written(inspection)

    texts = [inspection.request.system_text, *(text for m in inspection.request.messages for text in m.texts)]
    texts += [tool.json_text for tool in inspection.request.tools]
    ready = orjson.loads(document)

    def floor() -> None:
        encode = bench.counter._core.encode_ordinary
        for text in texts:
            encode(text)

    figures = {
        "floor_bare_tokenizer_ms": median(floor),
        "floor_bare_dump_ms": median(lambda: orjson.dumps(ready, option=orjson.OPT_INDENT_2)),
        "system_tokens": stats.system_prompt,
        "tools_tokens": stats.tools,
        "history_tokens": stats.history,
        "total_tokens": stats.total,
        "messages": len(inspection.request.messages),
        "table_load_ms": round(load_ms, 1),
        "assemble_counts_known_ms": median(lambda: bench.everything(inputs, tokenizer)),
        "export_ms": median(lambda: written(inspection)),
        "export_bytes": len(document),
        "assemble_and_export_known_ms": median(known),
        "assemble_and_count_unknown_ms": round(statistics.median(cold), 3),
        "inspect_again_ms": await median_async(capture),
        "cpu_per_turn_at_25_ms": await per_turn(bench, 25),
        "cpu_per_turn_at_400_ms": await per_turn(bench, 400),
    }
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    asyncio.run(main())
