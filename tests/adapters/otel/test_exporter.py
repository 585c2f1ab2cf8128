"""Spans on their way: nobody waits for a collector, and what is said of it names no key."""

from __future__ import annotations

import subprocess  # noqa: TID251 - what a start loads is told by a process of its own
import sys
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from adapters.otel import create
from adapters.otel.otlp import encode
from adapters.otel.span import Span, SpanKind, TraceIds
from bot.config import parse_config
from bot.domain.turn import TurnEnd, TurnStatus
from bot.errors import ConfigError
from bot.ports.traces import TracesExporter
from tests.fakes import values as v
from tests.fakes.clock import FakeClock
from tests.servers.collector import Collector, collector, seen_span


def exporting(address: str, clock: FakeClock | None = None, **more: Any) -> TracesExporter:
    made = create({"endpoint": address, "version": "1", **more}, clock or FakeClock(), lambda text: text)
    made.begin(b"key")
    return made


def turn_end(number: int) -> TurnEnd:
    status = TurnStatus.REPLIED
    return TurnEnd(turn=number, agent=v.MAIN, channel=v.KEY.channel, at=v.START + 1000, status=status)


def a_turn(exporter: TracesExporter, number: int = 1) -> None:
    start = v.turn_start(inbounds=(number,))
    exporter.began(number, start)
    exporter.ended(turn_end(number), start)


async def handed_over(it: Collector, exporter: Any, turns: int = 1) -> None:
    for number in range(turns):
        a_turn(exporter, number + 1)
    await exporter.hand_over()


def test_bytes_are_those_that_the_protocols_own_classes_read():
    attributes = (("a", "ü" * 200), ("b", 7), ("c", 0.5), ("d", ("x", "y")), ("e", None), ("f", ""), ("g", lambda: "s"))
    span = Span("n", SpanKind.CLIENT, b"t" * 16, b"s" * 8, b"p" * 8, 1.5, 2.5, attributes, is_error=True, event="v")
    batch = ExportTraceServiceRequest.FromString(encode([span, span._replace(event="")], [("service.name", "x")], "1"))
    (resource,) = batch.resource_spans
    (scope,) = resource.scope_spans
    first, second = map(seen_span, scope.spans)
    assert first.attributes == second.attributes == {"a": "ü" * 200, "b": 7, "c": 0.5, "d": ("x", "y"), "g": "s"}
    assert first.events == [("v", first.attributes)] and not second.events
    assert (first.trace, first.id, first.parent, first.kind, first.is_error) == (b"t" * 16, b"s" * 8, b"p" * 8, 3, True)
    assert (first.start, first.end) == (1_500_000, 2_500_000)
    assert scope.scope.name == "glassmind" and resource.resource.attributes[0].value.string_value == "x"


def test_half_characters_break_no_batch():
    span = Span("n", SpanKind.CLIENT, b"t" * 16, b"s" * 8, b"", 1, 2, (("a", "x\ud800"),))
    batch = ExportTraceServiceRequest.FromString(encode([span], [], "1"))
    assert seen_span(batch.resource_spans[0].scope_spans[0].spans[0])["a"] == "x?"


def test_two_bots_have_no_name_in_common():
    one, other = TraceIds(b"one"), TraceIds(b"other")
    assert one.trace(1, 0) != other.trace(1, 0) and one.span("turn", 1) != other.span("turn", 1)
    assert one.trace(1, 0) == TraceIds(b"one").trace(1, 5) != one.trace(0, 1)


async def test_a_turn_that_an_earlier_process_began_stands_in_the_trace_of_its_message():
    async with collector() as it:
        exporter: Any = exporting(it.address)
        exporter.ended(turn_end(4), v.turn_start(inbounds=(2, 3)))
        exporter.ended(turn_end(5), v.turn_start(inbounds=(3,)))
        await exporter.hand_over()
        first, second = it.spans
        assert first.trace == second.trace and first.id != second.id
        await exporter.close()


async def test_a_collector_that_takes_a_part_is_believed():
    async with collector() as it:
        it.answers = [3]
        exporter: Any = exporting(it.address)
        await handed_over(it, exporter, 5)
        assert exporter.health() == (it.address.removeprefix("http://"), "", 0, 3)
        await exporter.close()


async def test_waits_grow_and_are_never_long(monkeypatch):
    async with collector() as it:
        it.answers = [503] * 9
        exporter: Any = exporting(it.address)
        a_turn(exporter)
        waits = [await exporter.hand_over() for _ in range(9)]
        assert waits == [10, 20, 40, 60, 60, 60, 60, 60, 60]
        assert await exporter.hand_over() == 5 and len(it.spans) == 1
        await exporter.close()


async def test_what_is_refused_is_not_sent_again():
    async with collector() as it:
        it.answers = [400]
        exporter: Any = exporting(it.address)
        await handed_over(it, exporter, 2)
        await exporter.hand_over()
        assert not it.batches and exporter.health().dropped == 2 and exporter.health().fault == "400"
        await exporter.close()


async def test_an_end_hands_over_what_is_left_and_waits_for_nobody_who_is_away():
    async with collector() as it:
        exporter: Any = exporting(it.address)
        a_turn(exporter)
        await exporter.close()
        assert len(it.spans) == 1


async def test_of_an_address_the_host_alone_is_told():
    exporter = exporting("http://somebody:hidden@127.0.0.1:9/secret/v1/traces")
    assert exporter.health().host == "127.0.0.1:9"
    await exporter.close()


def test_without_the_extra_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr("adapters.otel.find_spec", lambda name: None if name == "opentelemetry.proto" else object())
    with pytest.raises(ConfigError, match=r"pip install 'glassmind\[otel\]'"):
        create({"endpoint": "http://127.0.0.1:9"}, FakeClock(), str)


def test_nothing_of_it_is_loaded_where_nobody_looks():
    code = (
        "import sys\nfrom bot.app import adapters, bot\nimport adapters.otel\n"
        "loaded = [name for name in sys.modules if name.startswith(('opentelemetry', 'google'))]\n"
        "assert not loaded and 'adapters.otel.exporter' not in sys.modules, loaded\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_address_that_is_none_is_refused():
    with pytest.raises(ConfigError, match=r"traces\.endpoint"):
        parse_config('[traces]\nendpoint = "collector:4318"\n', {})


def test_headers_are_secrets():
    loaded = parse_config(
        '[traces]\nendpoint = "http://127.0.0.1:9"\nheaders = {"x-key" = "env:KEY"}\n', {"KEY": "hidden1"}
    )
    assert loaded.secrets == {"traces.headers.x-key": "hidden1"}
