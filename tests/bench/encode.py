"""Measure what the encoder costs: `python -m tests.bench.encode` prints one JSON line."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import orjson

from adapters.model_http.json_cache import JsonFragments
from adapters.openai.encode import encode_chat
from bot.domain.base import canonical_json
from bot.domain.llm import LLMRequest, ToolDefinition
from bot.domain.messages import Message
from tests.fakes.values import call, llm_request, message, result, said

RUNS = 200


def request_of(messages: int, tools: int) -> LLMRequest:
    """Build a request of a busy channel: talk, answers, and a tool call in every tenth turn."""
    talk: list[Message] = []
    while len(talk) < messages:
        number = len(talk)
        talk += [message(f"message {number}: " + "what about the plan for tomorrow, please? " * 6, at=number)]
        talk += [call("memory_recall", '{"query": "plan"}', f"c{number}"), result("- nothing " * 20, f"c{number}")]
        talk += [said(f"answer {number}: " + "the plan stands as we left it. " * 8) for _ in range(3)]
    schema = {"type": "object", "properties": {f"p{n}": {"type": "string", "description": "d" * 60} for n in range(6)}}
    offered = [
        ToolDefinition(name=f"tool_{n}", description="Does something useful. " * 12, parameters=canonical_json(schema))
        for n in range(tools)
    ]
    system = [(f"section_{n}", "A rule that everybody keeps. " * 40) for n in range(10)]
    return llm_request(talk[:messages], system, offered)


def timed(run: Callable[[], object], runs: int = RUNS) -> dict[str, float]:
    """Run and return microseconds."""
    taken = []
    for _ in range(runs):
        started = time.perf_counter()
        run()
        taken.append((time.perf_counter() - started) * 1e6)
    return {"p50_us": round(statistics.median(taken), 1), "p95_us": round(sorted(taken)[int(runs * 0.95)], 1)}


def main() -> None:
    """Print the figures."""
    request = request_of(200, 20)
    kept = JsonFragments()
    wire = encode_chat(request, fragments=kept)
    anew = iter([_anew(request) for _ in range(30)])
    fresh = timed(lambda: encode_chat(next(anew), fragments=JsonFragments()), 30)
    figures = {
        "messages": len(request.messages),
        "tools": len(request.tools),
        "body_bytes": len(wire.body),
        "cold_with_digests": fresh,
        "cold": timed(lambda: encode_chat(request, fragments=JsonFragments())),
        "warm": timed(lambda: encode_chat(request, fragments=kept)),
        "warm_one_new_message": timed(_next_turn(request, kept)),
        "orjson_of_the_same_body": timed(lambda: orjson.dumps(_PARSED.setdefault("body", orjson.loads(wire.body)))),
    }
    print(orjson.dumps(figures).decode())


_PARSED: dict[str, object] = {}


def _anew(request: LLMRequest) -> LLMRequest:
    return LLMRequest.model_validate(request.model_dump())


def _next_turn(request: LLMRequest, kept: JsonFragments) -> Callable[[], object]:
    number = iter(range(10**9))

    def run() -> object:
        newer = request.model_copy(update={"messages": (*request.messages[1:], message(f"new {next(number)}"))})
        return encode_chat(newer, fragments=kept)

    return run


if __name__ == "__main__":
    main()
