"""Counters, and the three pages on which a monitor reads them: `/metrics`, `/healthz`, `/readyz`."""

from __future__ import annotations

import asyncio
import threading
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate

import structlog
from aiohttp import web
from prometheus_client import CollectorRegistry, Counter, Gauge, disable_created_metrics
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.metrics_core import HistogramMetricFamily
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

from bot.domain.ledger import Outcome
from bot.domain.turn import AttemptRecord
from bot.errors import ProviderFault
from bot.ports.clock import Clock
from bot.ports.metrics import ProcessGauges, ReadGauges, TurnPart

log = structlog.get_logger(__name__)

BUCKETS = (0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0)
"""Seconds: from a commit to a turn that waited for a model that had to be loaded."""
_ENDS = tuple(str(floatToGoString(end)) for end in (*BUCKETS, float("inf")))  # type: ignore[no-untyped-call]
AGAIN_SECONDS = 15.0
"""After which an address that somebody else had is tried again: the bot before this one may still be ending."""
_HEADER_BYTES = 8190
_CANCELLED = "cancelled"


class TurnSeconds(Collector):
    """How long turns and their parts take. Seven are told of every turn: this way each costs a fifth."""

    def __init__(self) -> None:
        self._counts = {part: [0] * (len(BUCKETS) + 1) for part in TurnPart}
        self._sums = dict.fromkeys(TurnPart, 0.0)
        # the writer's thread tells of some, the loop's of others
        self._lock = threading.Lock()

    def add(self, part: TurnPart, seconds: float) -> None:
        """Take in how long a part took."""
        place = bisect_left(BUCKETS, seconds)
        with self._lock:
            self._counts[part][place] += 1
            self._sums[part] += seconds

    def collect(self) -> Iterator[HistogramMetricFamily]:
        """Yield it as the library writes histograms: each bucket holds those below it."""
        said = "How long turns take, and each of their parts; part=whole is all but the sending."
        found = HistogramMetricFamily("glassmind_turn_seconds", said, labels=["part"])
        with self._lock:
            counts, sums = {part: [*accumulate(each)] for part, each in self._counts.items()}, dict(self._sums)
        for part, each in counts.items():
            buckets = list(zip(_ENDS, each, strict=True))
            found.add_metric([part.value], buckets, sums[part])
        yield found


class PrometheusExporter:
    """Implements `bot.ports.metrics.MetricsExporter`. The labels are names of our own, of platforms and of models."""

    def __init__(self, listen: str, platforms: Sequence[str], providers: Sequence[str], clock: Clock) -> None:
        host, _, port = listen.rpartition(":")
        self._host, self._port = host.strip("[]"), int(port)
        self._clock = clock
        # when each of them was first counted is nothing that anybody asks of a bot
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self._registry = registry = CollectorRegistry()
        self._inbound = Counter(
            "glassmind_inbound", "Messages that came to their outcome.", ["platform", "outcome"], registry=registry
        )
        self._gates = Counter("glassmind_gate", "Messages that a gate stopped.", ["gate"], registry=registry)
        self._turns = TurnSeconds()
        registry.register(self._turns)
        self._pending = Gauge("glassmind_outbox_pending", "Parts of messages that are not sent yet.", registry=registry)
        self._unanswered = Gauge(
            "glassmind_unanswered_age_seconds", "Age of the oldest message without an outcome.", registry=registry
        )
        self._errors = Counter(
            "glassmind_provider_errors",
            "Requests that a model service failed.",
            ["provider", "fault"],
            registry=registry,
        )
        self._tokens = Counter(
            "glassmind_tokens", "Tokens as the model services counted them.", ["model", "kind"], registry=registry
        )
        self._cost = Counter("glassmind_cost_dollars", "What the requests cost, in US dollars.", registry=registry)
        self._lag = Gauge(
            "glassmind_loop_lag_seconds",
            "The latest that the event loop came in the last quarter of a minute.",
            registry=registry,
        )
        self._memory = Gauge("glassmind_memory_bytes", "Memory that the process has to itself.", registry=registry)
        self._findings = Counter(
            "glassmind_findings", "Causes of silence that admins were told.", ["cause"], registry=registry
        )
        # finding a child by its labels takes longer than counting with it, and there are few of them
        self._settled = cache(self._inbound.labels)
        self._stopped = cache(self._gates.labels)
        self._used = cache(self._tokens.labels)
        self._begin_at_nought(platforms, providers)

    def _begin_at_nought(self, platforms: Sequence[str], providers: Sequence[str]) -> None:
        """Let everything that can go wrong be seen from its first time on: an increase needs a number before it."""
        for platform in platforms:
            for outcome in Outcome:
                self._inbound.labels(platform, outcome.value)
        for provider in providers:
            for fault in ProviderFault:
                self._errors.labels(provider, fault.value)

    def settled(self, platform: str, outcome: Outcome) -> None:
        """Count an inbound that came to its outcome."""
        self._settled(platform, outcome.value).inc()

    def stopped(self, gate: str) -> None:
        """Count an inbound that a gate stopped."""
        self._stopped(gate).inc()

    def attempted(self, model: str, attempt: AttemptRecord) -> None:
        """Count what a request to a model cost, took, and came to."""
        if attempt.first_token_ms is not None:
            self.took(TurnPart.FIRST_TOKEN, attempt.first_token_ms / 1000)
        if attempt.response is None:
            # whoever stopped a turn says nothing against the service
            if attempt.fault != _CANCELLED:
                self._errors.labels(model.partition("/")[0], attempt.fault).inc()
            return
        self.took(TurnPart.MODEL, attempt.duration_ms / 1000)
        self._cost.inc(attempt.cost_usd or 0.0)
        usage = attempt.response.usage
        for kind, tokens in (("input", usage.input), ("output", usage.output), ("cached", usage.cached)):
            self._used(model, kind).inc(tokens or 0)

    def took(self, part: TurnPart, seconds: float) -> None:
        """Take in how long a part of a turn took."""
        # a clock that was set back in between would make it negative
        self._turns.add(part, max(0.0, seconds))

    def found(self, cause: str) -> None:
        """Count a cause that an admin was told."""
        self._findings.labels(cause).inc()

    async def serve(self, read: ReadGauges) -> None:
        """Answer until cancelled; wait for the address while somebody else has it."""
        runner = web.AppRunner(self._application(read), access_log=None, max_field_size=_HEADER_BYTES)
        await runner.setup()
        try:
            await self._listen(runner)
            await asyncio.Event().wait()
        finally:
            await runner.cleanup()

    @property
    def address(self) -> str:
        """Where it answers, as it was configured; with the port that was given where that is 0."""
        return f"{self._host}:{self._port}"

    def _application(self, read: ReadGauges) -> web.Application:
        async def metrics(_: web.Request) -> web.Response:
            self._look(await read())
            return web.Response(
                body=generate_latest(self._registry), headers={"Content-Type": CONTENT_TYPE_PLAIN_0_0_4}
            )

        async def health(_: web.Request) -> web.Response:
            now = await read()
            return _answer(now, well=not now.store_fault)

        async def ready(_: web.Request) -> web.Response:
            now = await read()
            return _answer(now, well=now.is_ready)

        application = web.Application(client_max_size=1024)
        application.add_routes([web.get("/metrics", metrics), web.get("/healthz", health), web.get("/readyz", ready)])
        return application

    async def _listen(self, runner: web.AppRunner) -> None:
        was_told = False
        while True:
            site = web.TCPSite(runner, self._host, self._port)
            try:
                await site.start()
            except OSError as error:
                if not was_told:
                    log.error("metrics_not_served", address=self.address, error=error.strerror, again_in=AGAIN_SECONDS)
                was_told = True
                await self._clock.sleep(AGAIN_SECONDS)
            else:
                self._port = runner.addresses[0][1]
                log.info("metrics_served", address=self.address)
                return

    def _look(self, now: ProcessGauges) -> None:
        self._pending.set(now.pending)
        self._unanswered.set(now.unanswered_age)
        self._lag.set(now.loop_lag)
        self._memory.set(now.memory)


def _answer(now: ProcessGauges, *, well: bool) -> web.Response:
    """Say how each part is; the words are our own, and none of them is anybody's message."""
    platforms = {one.platform: {"hears": one.hears, "state": one.state, "code": one.code} for one in now.hearing}
    told = {"process": "up", "store": now.store_fault or "ok", "platforms": platforms, "ready": now.is_ready}
    return web.json_response(told, status=200 if well else 503)
