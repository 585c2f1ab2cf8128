"""Spans on their way to a collector: a bounded queue, and one task that hands them over and waits while it is away."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import structlog
from yarl import URL

from adapters.otel.content import ContentWriter
from adapters.otel.otlp import encode, rejected
from adapters.otel.span import Span
from adapters.otel.span_recorder import SpanRecorder
from adapters.webhook import HttpCaller, Settings
from bot.errors import DeliveryError
from bot.ports.clock import Clock
from bot.ports.traces import TraceHealth

log = structlog.get_logger(__name__)

EVERY_SECONDS = 5.0
"""Between batches: a viewer is not asked before somebody has changed to its window."""
MOST_WAITING = 8_192
"""Spans that wait at most; then the oldest make room. Of some 2 KB each, where no content is shown."""
BATCH = 512
TIMEOUT_SECONDS = 10.0
LONGEST_WAIT = 60.0
LAST_SECONDS = 2.0
"""What an end waits for the collector, so that the last turns are shown."""
PATH = "/v1/traces"
_HEADERS = {"Content-Type": "application/x-protobuf"}


class OtlpExporter(SpanRecorder):
    """Implements `bot.ports.traces.TracesExporter`. Whatever the collector does, nobody else waits for it."""

    def __init__(
        self, content: ContentWriter, caller: HttpCaller, address: str, headers: Mapping[str, str], clock: Clock
    ) -> None:
        super().__init__(content, self._queue)
        self._caller, self._clock = caller, clock
        self._address, self._headers = address, {**headers, **_HEADERS}
        # the rest of an address can hold a key
        url = URL(address)
        self._host = f"{url.host}:{url.port}"
        self._resource: Sequence[tuple[str, str]] = ()
        self._version = ""
        self._waiting: deque[Span] = deque()
        self._body = b""
        self._in_body = 0
        self._failures = 0
        self._fault, self._since = "", 0
        self._dropped = 0

    def speak_as(self, service: str, version: str) -> None:
        """Name who is spoken of."""
        self._version = version
        self._resource = (("service.name", service), ("service.version", version))

    async def run(self) -> None:
        """Hand spans over until cancelled."""
        wait = EVERY_SECONDS
        while True:
            await self._clock.sleep(wait)
            wait = await self.hand_over()

    async def close(self) -> None:
        """Hand over what is left, for a moment at most."""
        if not self._fault:
            with suppress(TimeoutError):
                async with asyncio.timeout(LAST_SECONDS):
                    await self.hand_over()
        await self._caller.close()

    def health(self) -> TraceHealth:
        """Say whether spans are taken."""
        return TraceHealth(self._host, self._fault, self._since, self._dropped)

    def _queue(self, span: Span) -> None:
        if len(self._waiting) >= MOST_WAITING:
            with suppress(IndexError):
                self._waiting.popleft()
            self._dropped += 1
        self._waiting.append(span)

    async def hand_over(self) -> float:
        """Send what waits, batch by batch; return after how many seconds to look again."""
        while self._body or self._waiting:
            if not self._body:
                await self._fill()
            try:
                answer = await self._caller.hand_over(self._address, self._body, self._headers)
            except DeliveryError as error:
                self._note(error)
                if not error.permanent:
                    self._failures += 1
                    return error.retry_after or min(LONGEST_WAIT, EVERY_SECONDS * 2.0**self._failures)
                # what is refused is refused again
                self._dropped += self._in_body
            else:
                self._well(rejected(answer))
            self._body, self._in_body = b"", 0
        return EVERY_SECONDS

    async def _fill(self) -> None:
        spans = [self._waiting.popleft() for _ in range(min(BATCH, len(self._waiting)))]
        # hundreds of spans take milliseconds, and redacting what people said longer
        self._body = await asyncio.to_thread(encode, spans, self._resource, self._version)
        self._in_body = len(spans)

    def _note(self, error: DeliveryError) -> None:
        if error.code != self._fault:
            log.error("traces_not_taken", host=self._host, code=error.code, waiting=len(self._waiting))
            self._since = self._since or self._clock.now()
        self._fault = error.code

    def _well(self, refused: int) -> None:
        self._failures = 0
        self._dropped += refused
        if self._fault:
            log.info("traces_taken_again", host=self._host, dropped=self._dropped)
        self._fault, self._since = "", 0


def create_exporter(settings: Mapping[str, Any], clock: Clock, redact: Callable[[str], str]) -> OtlpExporter:
    """Build it of the table `[traces]`, with the version of the program."""
    own = dict(settings)
    endpoint, headers = str(own.pop("endpoint")).rstrip("/"), own.pop("headers", {})
    service, version = own.pop("service_name", "glassmind"), own.pop("version", "")
    address = endpoint if endpoint.endswith(PATH) else endpoint + PATH
    content = ContentWriter(frozenset(name for name, is_on in own.items() if is_on), redact)
    exporter = OtlpExporter(content, HttpCaller(Settings(timeout=TIMEOUT_SECONDS)), address, headers, clock)
    exporter.speak_as(service, version)
    return exporter
