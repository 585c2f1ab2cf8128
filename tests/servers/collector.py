"""A collector of OpenTelemetry's protocol on a loopback socket, which reads what it gets and answers as it is told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)


@dataclass
class Seen:
    """A span as a viewer has it."""

    name: str
    kind: int
    trace: bytes
    id: bytes
    parent: bytes
    start: int
    end: int
    attributes: dict[str, Any]
    events: list[tuple[str, dict[str, Any]]]
    is_error: bool

    def __getitem__(self, name: str) -> Any:
        return self.attributes.get(name)


@dataclass
class Collector:
    """What came, and what is answered: each of `answers` once, a status or how many spans are refused; then 200."""

    address: str = ""
    batches: list[ExportTraceServiceRequest] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)
    hangs: asyncio.Event | None = None

    @property
    def spans(self) -> list[Seen]:
        return [seen_span(span) for batch in self.batches for span in _spans(batch)]

    def named(self, *beginnings: str) -> list[Seen]:
        return [span for span in self.spans if span.name.startswith(beginnings)]

    async def take(self, request: web.Request) -> web.Response:
        body = await request.read()
        if self.hangs is not None:
            await self.hangs.wait()
        answer = self.answers.pop(0) if self.answers else 200
        self.headers.append(dict(request.headers))
        if answer >= 300:
            return web.Response(status=answer, text="no: zyzzyva")
        self.bodies.append(body)
        self.batches.append(ExportTraceServiceRequest.FromString(body))
        said = ExportTraceServiceResponse()
        said.partial_success.rejected_spans = answer if answer < 200 else 0
        return web.Response(body=said.SerializeToString(), content_type="application/x-protobuf")


@asynccontextmanager
async def collector() -> AsyncIterator[Collector]:
    """Collect until the block ends."""
    it = Collector()
    application = web.Application(client_max_size=64 << 20)
    application.add_routes([web.post("/v1/traces", it.take)])
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    it.address = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield it
    finally:
        if it.hangs is not None:
            it.hangs.set()
        await runner.cleanup()


def _spans(batch: ExportTraceServiceRequest) -> Iterator[Any]:
    for resource in batch.resource_spans:
        for scope in resource.scope_spans:
            yield from scope.spans


def seen_span(span: Any) -> Seen:
    events = [(event.name, _dict(event.attributes)) for event in span.events]
    times = span.start_time_unix_nano, span.end_time_unix_nano
    ids = span.trace_id, span.span_id, span.parent_span_id
    return Seen(span.name, span.kind, *ids, *times, _dict(span.attributes), events, span.status.code == 2)


def _dict(pairs: Any) -> dict[str, Any]:
    return {pair.key: _value(pair.value) for pair in pairs}


def _value(value: Any) -> Any:
    which = value.WhichOneof("value")
    if which == "array_value":
        return tuple(_value(one) for one in value.array_value.values)
    return getattr(value, which) if which else None
