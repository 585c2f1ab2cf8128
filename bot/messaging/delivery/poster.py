"""Post one chunk until the platform took it or nothing more can be done, with every step on record."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, Protocol

import structlog

from bot.config.schema import LimitsConfig
from bot.domain.delivery_failures import code_in
from bot.domain.handles import HandleKind, handle
from bot.domain.health import AdapterState
from bot.domain.ids import ChannelId, PersonKey, platform_of
from bot.domain.ledger import FailReason, LedgerStage, Outcome, Settlement, StageRow, StageVerdict
from bot.domain.messages import Button, Receipt
from bot.domain.turn import NewOutbox, OutboxState, StoredOutbox
from bot.errors import DeliveryError
from bot.messaging.delivery.retry_policy import (
    PRIVATE_KINDS,
    GiveUp,
    Park,
    Retry,
    RouteStatus,
    SendAttempts,
    SendPacing,
    code_of,
    decide,
    is_too_old,
    is_unsent,
)
from bot.ports.clock import Clock
from bot.ports.journal import Outbox
from bot.ports.platform import MESSAGE_GONE, Platform
from bot.runtime.backoff import Backoff
from bot.runtime.files import is_file
from bot.sentences import ENGLISH, Words, later, said_in
from bot.text.redaction import RedactedText

ButtonFor = Callable[[PersonKey, ChannelId], Button]
"""Makes a button that one person can press, in one private channel."""
PostToPlatform = Callable[[StoredOutbox], Awaitable[Receipt]]
"""Gives one chunk to its platform, once; raises DeliveryError."""
log = structlog.get_logger(__name__)
_NO_WAY_OUT = frozenset({"not_connected", "not_private", "file_gone"})
"""Refusals that a message of its own would meet as well."""
_MAX_START_SECONDS = 120.0
_LOOK_SECONDS = 0.5


class PlatformOutage:
    """A platform that cannot be reached, and the channels in which something waits for it, in the order of trying."""

    __slots__ = ("backoff", "due", "scout", "waiting", "was_well")

    def __init__(self, was_well: bool) -> None:
        self.backoff = Backoff()
        self.waiting: dict[ChannelId, None] = {}
        self.scout: ChannelId | None = None
        self.due = 0.0
        self.was_well = was_well


class PlatformOutages:
    """The platforms that cannot be reached now. `is_well` says whether an adapter finds that its platform is."""

    def __init__(self, clock: Clock, is_well: Callable[[str], bool]) -> None:
        self._clock = clock
        self._is_well = is_well
        self._now: dict[str, PlatformOutage] = {}
        self._back: list[ChannelId] = []

    @property
    def any(self) -> bool:
        """Whether a channel waits to be tried again."""
        return bool(self._now or self._back)

    def is_on(self, platform: str) -> bool:
        """Say whether something waits for a platform."""
        return platform in self._now

    def wait(self, channel: ChannelId) -> None:
        """Note that a channel has something for a platform that cannot be reached; it is the last in line."""
        platform = platform_of(channel)
        outage = self._now.get(platform)
        if outage is None:
            outage = self._now[platform] = PlatformOutage(self._is_well(platform))
            outage.scout = channel
        outage.waiting[channel] = None
        self._return(outage, channel)

    def left(self, channel: ChannelId) -> None:
        """Note that nothing waits in a channel any more; if it was to find something out, it has not."""
        outage = self._now.get(platform_of(channel))
        if outage is None:
            return
        outage.waiting.pop(channel, None)
        self._return(outage, channel)
        if not outage.waiting and outage.scout is None:
            del self._now[platform_of(channel)]

    def over(self, platform: str) -> None:
        """Note that a platform has answered: everything that waits for it may go out."""
        outage = self._now.pop(platform, None)
        if outage is not None:
            self._back += outage.waiting

    def due(self) -> list[ChannelId]:
        """Return the channels that are to be tried now: all of a platform that is back, else one now and then."""
        found, self._back = self._back, []
        for platform, outage in self._now.items():
            is_well = self._is_well(platform)
            has_come_back = is_well and not outage.was_well
            outage.was_well = is_well
            is_due = has_come_back or self._clock.monotonic() >= outage.due
            if outage.scout is None and outage.waiting and is_due:
                outage.scout = next(iter(outage.waiting))
                del outage.waiting[outage.scout]
                found.append(outage.scout)
        return found

    def _return(self, outage: PlatformOutage, channel: ChannelId) -> None:
        if outage.scout == channel:
            outage.scout = None
            outage.due = self._clock.monotonic() + outage.backoff.next()


class Routes(NamedTuple):
    """The ways to the platforms; none leads to one that is not connected."""

    platforms: Mapping[str, Platform]

    def of(self, row: StoredOutbox, *, is_shut: bool) -> RouteStatus:
        """Return the way of a chunk."""
        platform, is_edit = self.platforms.get(row.body.to.platform), bool(row.body.edits)
        if platform is None:
            return RouteStatus(is_edit)
        return RouteStatus(is_edit or platform.capabilities.idempotent_sends, platform.health().code, is_shut)

    def is_well(self, name: str) -> bool:
        """Say whether an adapter finds that its platform can be reached."""
        platform = self.platforms.get(name)
        return platform is not None and platform.health().state is AdapterState.UP

    def pace_parts(self, name: str) -> int:
        """Return `PlatformCapabilities.pace_parts` of a platform."""
        platform = self.platforms.get(name)
        return platform.capabilities.pace_parts if platform is not None else 0


class AdminAlert(Protocol):
    """Tells the admins something, each in their language; the words hold no content of any channel."""

    def __call__(self, words: Words, button: ButtonFor | None = None, kind: str = "") -> Coroutine[Any, Any, None]:
        """Say it, with a button for each of them; what is of one kind is one message, which says how often."""


class ResendOffer(NamedTuple):
    """What may be offered for a chunk that may not have arrived: to who asked (None: nobody can), and to the admins."""

    asker: Button | None
    admin: ButtonFor


OfferResend = Callable[[int], Awaitable[ResendOffer | None]]
"""Offers to send a chunk once more, by its row."""


@dataclass(kw_only=True, eq=False)
class Poster:
    """Posts chunks one at a time; who calls it keeps them in order. `redact` is the one redactor's."""

    outbox: Outbox
    platforms: Mapping[str, Platform]
    clock: Clock
    limits: LimitsConfig
    redact: Callable[[str], RedactedText]
    post_to_platform: PostToPlatform
    _is_patient: bool = field(init=False, default=False)
    _waited: set[str] = field(init=False, default_factory=set)

    @cached_property
    def _ways(self) -> Routes:
        return Routes(self.platforms)

    @cached_property
    def pacing(self) -> SendPacing:
        """How fast each channel takes messages."""
        return SendPacing(self.limits.sends_per_second, self._ways.pace_parts)

    @cached_property
    def outages(self) -> PlatformOutages:
        """Which platforms cannot be reached."""
        return PlatformOutages(self.clock, self._ways.is_well)

    def be_patient(self) -> None:
        """Expect platforms that are still starting: there is something to send before anything was heard."""
        self._is_patient = True

    def is_free(self, body: NewOutbox) -> bool:
        """Say whether nothing keeps a chunk from being handed to its platform now."""
        to = body.to
        has_started = not self._is_patient or to.platform in self._waited
        is_due = not self.pacing.wait(to.channel, self.clock.monotonic())
        return to.platform in self.platforms and has_started and is_due and body.file is None

    async def post(self, row: StoredOutbox) -> Receipt:
        """Return the platform's word; raise DeliveryError when the chunk is given up, or `waits`: that is on record."""
        channel = row.body.to.channel
        tries, not_before = SendAttempts(), row.not_before
        is_intended = row.state is OutboxState.SENDING
        if is_too_old(row, self.clock.now()):
            await self._give_up(row, _waited_for(row), uncertain=False)
        if self._is_patient:
            await self._started(row.body.to.platform)
        while True:
            await self._until(channel, not_before)
            try:
                receipt = await self._once(row, is_intended)
            except DeliveryError as error:
                is_intended = False
                _log_fault(row, error)
                fate = self._judged(row, error, tries)
                if not isinstance(fate, GiveUp):
                    tries, not_before = await self._postponed(row, error, fate)
                    row = row.model_copy(update={"attempts": row.attempts + 1})
                elif _deserves_its_own(row, error):
                    row, tries, not_before = await self._made_new(row, error), SendAttempts(), 0
                else:
                    await self._give_up(row, error, uncertain=fate.uncertain)
            else:
                self.outages.over(row.body.to.platform)
                self.pacing.took(channel, self.clock.monotonic())
                await self._taken(row, receipt)
                return receipt

    def _judged(self, row: StoredOutbox, error: DeliveryError, tries: SendAttempts) -> Retry | GiveUp | Park:
        """Say what follows from a failure, and note what it tells of the way."""
        platform, clock = row.body.to.platform, self.clock
        if error.retry_after is not None:
            self.pacing.slow_down(row.body.to.channel, clock.monotonic() + error.retry_after)
        if not is_unsent(error) and not error.uncertain:
            self.outages.over(platform)
        way = self._ways.of(row, is_shut=self.outages.is_on(platform))
        return decide(error, tries, self.limits, way)

    async def _give_up(self, row: StoredOutbox, error: DeliveryError, *, uncertain: bool) -> NoReturn:
        await self.end(row, error, uncertain=uncertain)
        raise DeliveryError(error.words, code=code_of(error), uncertain=uncertain, permanent=not uncertain) from error

    async def _postponed(self, row: StoredOutbox, error: DeliveryError, fate: Retry | Park) -> tuple[SendAttempts, int]:
        """Keep a chunk for another attempt; return what was tried and when to try again, or raise that it waits."""
        now, code = self.clock.now(), code_of(error)
        not_before = now + round(fate.wait * 1000) if isinstance(fate, Retry) else now
        await self.outbox.postponed(row.row, f"{code}: {said_in(ENGLISH, error.words)}", not_before)
        if isinstance(fate, Park):
            log.info("waits_for_platform", channel=row.body.to.channel, code=code)
            raise DeliveryError(error.words, code=code, waits=True) from error
        return fate.tries, not_before

    async def renewed(self, row: StoredOutbox) -> StoredOutbox:
        """Return a chunk that has waited, as it stands now; its channel may have another id, for one."""
        return await self.outbox.get(row.row) or row

    async def post_unkept(self, row: StoredOutbox) -> None:
        """Hand over a chunk that the store does not know, once; raise DeliveryError."""
        if self._is_patient:
            await self._started(row.body.to.platform)
        await self._until(row.body.to.channel, 0)
        await self._once(row, is_intended=True)
        self.pacing.took(row.body.to.channel, self.clock.monotonic())

    async def _made_new(self, row: StoredOutbox, error: DeliveryError) -> StoredOutbox:
        """Let a chunk whose preview cannot be edited be a message of its own; the preview goes if it can."""
        body, code = row.body, code_of(error)
        log.info("edit_refused", channel=body.to.channel, code=code)
        await self.outbox.made_new(row.row, f"{code}: {said_in(ENGLISH, error.words)}")
        if error.code != MESSAGE_GONE:
            try:
                await self.platforms[body.to.platform].retract(body.to.channel, body.edits)
            except Exception as also:  # noqa: BLE001 - it would be nicer if it went; the answer does not depend on it
                log.warning("preview_stays", channel=body.to.channel, error_type=type(also).__name__)
        return row.model_copy(update={"body": body.model_copy(update={"edits": ""})})

    async def end(self, row: StoredOutbox, error: DeliveryError, *, uncertain: bool) -> None:
        """Put on record that a chunk is given up."""
        now, code = self.clock.now(), code_of(error)
        reason = f"{FailReason.SEND}:{code}"
        outcome = Outcome.UNCERTAIN if uncertain else Outcome.FAILED
        done = [Settlement(inbound=row.body.inbound, at=now, outcome=outcome, reason=reason)] if _answers(row) else []
        verdict = StageVerdict.NOTED if uncertain else StageVerdict.FAILED
        log.warning(
            "not_delivered",
            platform=row.body.to.platform,
            channel=row.body.to.channel,
            kind=row.body.kind,
            code=code,
            uncertain=uncertain,
            correlation=_correlation(row),
        )
        words = said_in(ENGLISH, error.words)
        stages = _stages(row, now, verdict, (reason, ("error", words)))
        text = f"{code}: {words}"
        await self.outbox.ended(row.row, uncertain=uncertain, error=text, stages=stages, done=done)

    async def _taken(self, row: StoredOutbox, receipt: Receipt) -> None:
        now, body = self.clock.now(), row.body
        stages = _stages(row, now, StageVerdict.PASSED, (body.kind, ("message_id", receipt.message_id)), receipt.note)
        done = []
        if _answers(row) and body.part == body.parts - 1:
            done = [Settlement(inbound=body.inbound, at=now, outcome=Outcome.REPLIED, redacted=body.redacted)]
        await self.outbox.sent(row.row, receipt, stages, done)

    async def _once(self, row: StoredOutbox, is_intended: bool) -> Receipt:
        """Hand a chunk over with its intent on record, which may be there already."""
        must_be_private(row.body)
        if row.body.to.platform not in self.platforms:
            words = later("delivery_failures.not-connected", platform=row.body.to.platform)
            raise DeliveryError(words, code="not_connected", permanent=True)
        file = row.body.file
        if file is not None and not await asyncio.to_thread(is_file, Path(file.path)):
            raise DeliveryError(later("delivery_failures.file-gone", name=file.name), code="file_gone", permanent=True)
        if not is_intended:
            await self.outbox.sending(row.row)
        try:
            return await self.post_to_platform(row)
        except DeliveryError as error:
            failure = _discreet(error, self.redact)
        except Exception as error:
            name = type(error).__name__
            log.error("send_failed", platform=row.body.to.platform, error_type=name, exc_info=error)
            words = later("delivery_failures.broke", error=name)
            raise DeliveryError(words, code="internal", uncertain=True) from error
        raise failure

    async def _started(self, name: str) -> None:
        """Wait while a platform is starting, once and within reason."""
        platform = self.platforms.get(name)
        if platform is None or name in self._waited:
            return
        await has_started(platform, self.clock)
        self._waited.add(name)

    async def _until(self, channel: ChannelId, not_before: int) -> None:
        clock, pacing = self.clock, self.pacing
        # again after each wait: channels that are counted together wait for each other
        while (wait := max(pacing.wait(channel, clock.monotonic()), (not_before - clock.now()) / 1000)) > 0:
            await clock.sleep(wait)
        pacing.leaves(channel, clock.monotonic())


def _log_fault(row: StoredOutbox, error: DeliveryError) -> None:
    """Note that a platform did not take a chunk; what it says may be somebody's words, and stands in the record."""
    log.info(
        "platform_fault",
        platform=row.body.to.platform,
        channel=row.body.to.channel,
        kind=row.body.kind,
        code=code_of(error),
        again_after=error.retry_after,
        correlation=_correlation(row),
    )


def _correlation(row: StoredOutbox) -> str:
    """The message that a chunk answers; where there is none, its turn, or else the chunk itself."""
    if row.body.inbound:
        return handle(HandleKind.INBOUND, row.body.inbound)
    return handle(HandleKind.TURN, row.body.turn) if row.body.turn else handle(HandleKind.DELIVERY, row.row)


def _discreet(error: DeliveryError, redact: Callable[[str], RedactedText]) -> DeliveryError:
    """Return a failure whose words can be stored: what a platform repeats may be anybody's secret."""
    told = redact(said_in(ENGLISH, error.words))
    if not told.count:
        return error
    return DeliveryError(
        told.text,
        code=error.code,
        retry_after=error.retry_after,
        uncertain=error.uncertain,
        permanent=error.permanent,
    )


async def has_started(platform: Platform, clock: Clock) -> None:
    """Return when a platform is no longer starting, or takes too long for it."""
    end = clock.monotonic() + _MAX_START_SECONDS
    while platform.health().state is AdapterState.STARTING and clock.monotonic() < end:
        await clock.sleep(_LOOK_SECONDS)


def must_be_private(body: NewOutbox) -> None:
    """Refuse to let private content go where more than one person reads; this door is never open."""
    if body.kind in PRIVATE_KINDS and body.to.private_to is None:
        words = later("delivery_failures.for-one-alone", kind=body.kind)
        raise DeliveryError(words, code="not_private", permanent=True)


def _deserves_its_own(row: StoredOutbox, error: DeliveryError) -> bool:
    """Say whether a refused edit becomes a message: an answer is never lost with the preview that it was to replace."""
    return bool(row.body.edits) and row.body.inbound > 0 and error.permanent and error.code not in _NO_WAY_OUT


def _waited_for(row: StoredOutbox) -> DeliveryError:
    """Return what a chunk has waited for in vain, from its record."""
    code, words = code_in(row.error), row.error.partition(": ")[2]
    return DeliveryError(words, code=code, permanent=True)


def _answers(row: StoredOutbox) -> bool:
    return row.body.kind == "reply" and row.body.inbound > 0


def _stages(
    row: StoredOutbox, at: int, verdict: StageVerdict, what: tuple[str, tuple[str, str]], note: str = ""
) -> list[StageRow]:
    """Describe a delivery for the trail of the message that it answers; nothing when it answers none."""
    if not row.body.inbound:
        return []
    reason, found = what
    name = ("delivery", handle(HandleKind.DELIVERY, row.row))
    part = ("part", f"{row.body.part + 1} of {row.body.parts}")
    more = [
        (key, value)
        for key, value in (("note", note), ("as_text", ", ".join(row.body.as_text).replace(".", "[.]")))
        if value
    ]
    detail = (name, found, part, *more)
    return [
        StageRow(
            inbound=row.body.inbound, at=at, stage=LedgerStage.DELIVERED, verdict=verdict, reason=reason, detail=detail
        )
    ]
