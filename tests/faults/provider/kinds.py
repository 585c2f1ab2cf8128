"""The failure table: thirty ways in which a model's service fails, each as the answer that it gives."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from tests.faults.provider.request import Request, Who
from tests.servers.model import (
    FAILURES,
    Calls,
    Cut,
    Declines,
    Empty,
    Fails,
    Garbage,
    Hangs,
    Headed,
    Interrupted,
    NoDone,
    Reply,
    Says,
    Usage,
    body_of,
)

ANSWER = "The tea stands in the kitchen, behind the cups."
REFUSAL = "I'm sorry, I can't help with that."
MALFORMED = (
    '{"query": "te', '{"query": "tea"', '{"query": "tea",}', "{'query': 'tea'}", '{query: "tea"}', "null", "[1]",
    '"tea"', "NaN", '{"query": NaN}', '{"query": 1e999}', '{"query": "\\ud800"}', '{"query": "tea"} {"query": "tea"}',
    "[" * 3000, '{"a":' * 3000, "\x00", "tea" * 40_000,
)  # fmt: skip
"""Seventeen forms of arguments that are no JSON object, or one that nothing can be done with."""


class Broken(StrEnum):
    """What goes wrong before there is a connection that a server could answer on."""

    REFUSED = "refused"
    DNS = "dns"
    TLS = "tls"


class Owed(StrEnum):
    """What a person must get, where the fault is met by a turn of theirs that has rounds left."""

    ANSWER = "answer"
    NOTICE = "notice"
    EITHER = "either"


Fault = Callable[[Request, int], Reply | Broken]
"""What the service does with a request; the number chooses among variants."""


@dataclass(frozen=True)
class Kind:
    """One kind. It strikes at every attempt, or `once`; `second` says that a second model stands by, and of whom."""

    fault: Fault
    owed: Owed = Owed.NOTICE
    once: bool = False
    quick: bool = False
    """Whether the client is given little time, because the service takes all of it."""
    cools: bool = False
    """Whether the service may ask to be left alone for longer than anybody waits."""
    window: int = 128_000
    second: str = ""
    """`same`: another model of the same service; `other`: one that speaks the other language."""


def look(request: Request, query: str = "tea") -> tuple[str, str]:
    """A call of a tool that whoever asks has."""
    if request.who is Who.WORKER or request.who is Who.COMPACTOR:
        return "list_all_tools", json.dumps({"group": query})
    return "memory_recall", json.dumps({"query": query})


def _calls(arguments: str, finish: str = "tool_calls") -> Fault:
    return lambda request, _: Calls([(look(request)[0], arguments)], finish_reason=finish)


def _wrong_types(request: Request, number: int) -> Reply:
    wrong = [{"query": 5}, {"query": None}, {"query": ["tea"]}, {"query": {"a": 1}}, {"limit": "many", "q": True}]
    return Calls([(look(request)[0], json.dumps(wrong[number % len(wrong)]))])


def _unknown(request: Request, number: int) -> Reply:
    return Calls([(("shell_of_doom", "", "x" * 200, "memory recall\n", "../etc")[number % 5], "{}")])


def _same_ids(request: Request, _: int) -> Reply:
    return Calls([look(request, "tea"), look(request, "cups"), look(request, "pot")], ids=["one", "one", ""])


def _two_hundred(request: Request, _: int) -> Reply:
    return Calls([look(request, f"tea {n}") for n in range(200)])


def _large_results(request: Request, number: int) -> Reply:
    return Calls([("list_all_tools", json.dumps({"group": f"{n}"} if number % 2 else {})) for n in range(60)])


def _endless(request: Request, number: int) -> Reply:
    return Calls([look(request, f"tea {request.number if number % 2 else 0}")])


def _cut(request: Request, number: int) -> Reply:
    said = Says(ANSWER, chunks=6)
    language = (
        "anthropic" if isinstance(request.body.get("tool_choice"), dict) or "system" in request.body else "openai"
    )
    length = len(body_of(said, request.body, language=language))
    return Cut(length * number // 27, said, reset=number % 2 == 1)


def _skewed(request: Request, number: int) -> Reply:
    date = ("Thu, 01 Jan 1970 00:00:00 GMT", "Tue, 19 Jan 2038 03:14:08 GMT", "yesterday")[number % 3]
    if number % 2:
        return Headed({"Date": date, "Retry-After": "Tue, 19 Jan 2038 03:14:09 GMT"}, Fails(429, None, "slow down"))
    return Headed({"Date": date}, Says(ANSWER))


def _usage(_: Request, number: int) -> Reply:
    return Says(ANSWER, usage=(None, Usage(-5, -7), Usage(0, 0), Usage(10**12, 3, cached_tokens=10**13))[number % 4])


def _of(*replies: Reply) -> Fault:
    return lambda _, number: replies[number % len(replies)]


KINDS: Mapping[str, Kind] = {
    "refused": Kind(lambda *_: Broken.REFUSED),
    "dns": Kind(lambda *_: Broken.DNS),
    "tls": Kind(lambda *_: Broken.TLS),
    "hangs_before_headers": Kind(_of(Hangs()), quick=True),
    "hangs_in_the_stream": Kind(_of(Hangs("between_tokens", Says(ANSWER)), Hangs("first_token")), quick=True),
    "cut": Kind(_cut),
    "no_done": Kind(_of(NoDone(Says(ANSWER))), Owed.ANSWER),
    "429": Kind(_of(FAILURES["rate_limited"], FAILURES["quota_spent"])),
    "429_for_so_long": Kind(
        _of(FAILURES["rate_limited_for"], Fails(429, None, "slow", retry_after=86_400)), cools=True
    ),
    "5xx": Kind(_of(*(FAILURES[name] for name in ("broken", "bad_gateway", "unavailable", "overloaded")))),
    "html": Kind(_of(Garbage(b"<html><body>hello</body></html>", kind="text/html"), FAILURES["html_gateway"])),
    "401_402": Kind(_of(FAILURES["bad_key"], FAILURES["no_credit"])),
    "too_long": Kind(_of(FAILURES["context_too_long"])),
    "empty": Kind(_of(Empty(), Empty(content=None, reasoning_tokens=900, finish_reason="length"))),
    "blank": Kind(_of(Says(" \n\t "), Says("\u200b\u2060"))),
    "declines": Kind(_of(Declines(REFUSAL)), Owed.ANSWER),
    "half_a_call": Kind(_calls('{"query": "te', "length"), Owed.EITHER, once=True),
    "half_a_call_as_whole": Kind(_calls('{"query": "te'), Owed.ANSWER, once=True),
    "malformed": Kind(lambda request, n: _calls(MALFORMED[n % 17])(request, n), Owed.ANSWER, once=True),
    "unknown_tool": Kind(_unknown, Owed.ANSWER, once=True),
    "wrong_types": Kind(_wrong_types, Owed.ANSWER, once=True),
    "same_ids": Kind(_same_ids, Owed.ANSWER, once=True),
    "200_calls": Kind(_two_hundred, Owed.ANSWER, once=True),
    "results_too_large": Kind(_large_results, Owed.EITHER, once=True, window=9000),
    "endless": Kind(_endless, Owed.NOTICE),
    "the_same_three_times": Kind(lambda r, _: Calls([look(r)] * 3), Owed.ANSWER, once=True),
    "usage": Kind(_usage, Owed.ANSWER),
    "another_model_goes_on": Kind(_of(FAILURES["unavailable"]), Owed.ANSWER, second="other"),
    "another_model_after_half": Kind(
        _of(Interrupted(FAILURES["overloaded"], Says(ANSWER)), Cut(900, Says(ANSWER, chunks=9))),
        Owed.ANSWER,
        second="same",
    ),
    "clock": Kind(_skewed, Owed.EITHER, cools=True),
}
