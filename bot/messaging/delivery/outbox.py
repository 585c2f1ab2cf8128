"""The one door for sending: kept first, then sent, per channel in order, never twice; and nobody waits in vain."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Container, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import count
from pathlib import Path

import structlog

from bot.config.schema import ConversationConfig, LimitsConfig
from bot.domain.channel_moves import ChannelMoves, is_of_former, with_current_address
from bot.domain.delivery_failures import fix_of
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import ChannelId, platform_of
from bot.domain.ledger import LedgerStage, StageRow, StageVerdict
from bot.domain.messages import OutboundAddress, OutgoingMessage, Receipt
from bot.domain.recovery_scope import RecoveryScope
from bot.domain.rich_messages import RichLayout
from bot.domain.turn import NewOutbox, OutboxState, StoredOutbox
from bot.errors import DeliveryError, name_of
from bot.messaging.delivery.long_reply_file import MAX_PARTS, as_reply_file
from bot.messaging.delivery.poster import AdminAlert, ButtonFor, OfferResend, Poster, must_be_private
from bot.messaging.delivery.previews import LeftPreviews
from bot.messaging.delivery.retry_policy import code_of
from bot.messaging.delivery.send_queues import SendQueues
from bot.messaging.delivery.streaming import AnswerStreams
from bot.ports.clock import Clock
from bot.ports.delivery import AnswerStream, PendingAnswer
from bot.ports.journal import Outbox, PreviewStore
from bot.ports.platform import Platform, PlatformCapabilities
from bot.runtime.tasks import TaskSupervisor
from bot.sentences import Words, later, say, speaking
from bot.text.links_as_text import as_text
from bot.text.redaction import RedactedText
from bot.text.splitter import split

log = structlog.get_logger(__name__)

_NOT_CONNECTED = PlatformCapabilities(
    max_units=2000, idempotent_sends=False, reactions=False, typing=False, buttons=False, files=False, guidance=""
)

_LOOK_SECONDS = 0.5
_GIVEN_UP = frozenset({OutboxState.DEAD, OutboxState.UNCERTAIN})


@dataclass(frozen=True, kw_only=True, eq=False)
class OutboxSender:
    """Implements `bot.ports.delivery.Delivery`.

    `redact` and `redact_unfinished` are the one redactor's; `tasks` are its own. `moves` says where channels are now,
    because what waits in memory may have been written for an old id. Replies that are too long are kept below
    `data_dir`. `name_of` says what people call a channel. `tells_of_right` is asked about what was refused for good, by
    its code: True where the admins are told that a right is gone. `is_at_work`: no other process can have taken over.
    """

    outbox: Outbox
    previews: PreviewStore
    platforms: Mapping[str, Platform]
    clock: Clock
    tasks: TaskSupervisor
    limits: LimitsConfig
    conversation: ConversationConfig
    redact: Callable[[str], RedactedText]
    redact_unfinished: Callable[[str], RedactedText]
    data_dir: Path
    alert: AdminAlert
    moves: Callable[[], ChannelMoves]
    offer_resend: OfferResend
    name_of: Callable[[ChannelId], Awaitable[str]]
    language: Callable[[NewOutbox], Awaitable[str]]
    tells_of_right: Callable[[StoredOutbox, str], Awaitable[bool]]
    is_at_work: Callable[[], bool]
    _unkept: Iterator[int] = field(init=False, default_factory=lambda: count(1))

    @cached_property
    def _poster(self) -> Poster:
        return Poster(
            outbox=self.outbox,
            platforms=self.platforms,
            clock=self.clock,
            limits=self.limits,
            redact=self.redact,
            post_to_platform=self.post_to_platform,
        )

    @cached_property
    def queues(self) -> SendQueues:
        """What waits to be sent, by channel."""
        return SendQueues(self._poster, self.tasks, self._tell, self.clock)

    @cached_property
    def streams(self) -> AnswerStreams:
        """What shows answers while they are written."""
        return AnswerStreams(
            previews=self.previews,
            clock=self.clock,
            tasks=self.tasks,
            pacing=self._poster.pacing,
            rules=self.conversation,
            redact=self.redact_unfinished,
            say=self.say,
            is_free=self.queues.is_free,
            moves=self.moves,
            is_at_work=self.is_at_work,
        )

    async def parts(self, body: NewOutbox) -> tuple[NewOutbox, ...]:
        """Redact a body and split it for its platform; the first part takes the place of a preview that it edits.

        Links of others are shown as text from here on, so that every later try shows the same.

        Buttons and file go with the last part.

        A reply of more than five parts becomes a file with an excerpt, where the platform takes files. A card or a
        poll whose text is no longer what was laid out is only text.
        """
        must_be_private(body)
        redacted, can = self.redact(body.text), self.capabilities(body.to.platform)
        # a caption has no room for what a table may need, and is never drawn as one
        tables, was_redacted = can.tables and body.file is None, body.redacted or redacted.count > 0

        def cut(text: str) -> tuple[str, ...]:
            return split(text, can.max_units, can.max_marks, tables=tables) or ("",)

        pieces = as_text(redacted.text, body.as_text, cut)
        if body.rich is not None and (pieces != (body.text,) or not _draws(can, body.rich)):
            body = body.model_copy(update={"rich": None})
        if len(pieces) == 1:
            return (body.model_copy(update={"text": pieces[0], "redacted": was_redacted, "part": 0, "parts": 1}),)
        body = body.model_copy(update={"text": redacted.text, "redacted": was_redacted})
        if len(pieces) > MAX_PARTS and can.files and body.kind == "reply" and body.file is None:
            filed = await as_reply_file(self.data_dir, body, can.max_units)
            if filed is not None:
                # a message of words does not become one with a file
                return (filed.model_copy(update={"edits": ""}),)
        bare, last = body.model_copy(update={"buttons": (), "file": None}), len(pieces) - 1
        found = [
            (body if n == last else bare).model_copy(
                update={"text": piece, "part": n, "parts": len(pieces), "edits": "" if n else body.edits}
            )
            for n, piece in enumerate(pieces)
        ]
        return tuple(found)

    def departs(self, rows: Sequence[NewOutbox]) -> bool:
        """Say whether the first of these would be handed over at once, because nothing is to be waited for."""
        return bool(rows) and self.queues.is_free(rows[0].to.channel) and self._poster.is_free(rows[0])

    def enqueue(self, rows: Sequence[StoredOutbox]) -> None:
        """Send in the background, in order for each channel; what was sent or given up already is left alone."""
        for row in rows:
            if row.state in {OutboxState.NEW, OutboxState.SENDING}:
                self.queues.push(row)

    async def deliver(self, rows: Sequence[StoredOutbox]) -> tuple[str, ...]:
        """Send now, behind what waits for the same channel; raise DeliveryError after the last attempt."""
        # shielded: who stops waiting does not stop the sending
        waiting = [asyncio.shield(self.queues.push(row).taken()) for row in rows]
        done = await asyncio.gather(*waiting, return_exceptions=True)
        for result in done:
            if isinstance(result, BaseException):
                raise result
        return tuple(str(result) for result in done)

    async def say(self, body: NewOutbox) -> tuple[str, ...]:
        """Keep, send and return message ids."""
        return await self.deliver(await self._keep(body))

    async def say_unkept(self, body: NewOutbox) -> None:
        """Say something once, without a trace: for when nothing can be kept. A failure is logged, never raised."""
        now, first = self.clock.now(), (await self.parts(body))[0]
        nonce = f"u{now:x}-{next(self._unkept):x}"
        row = StoredOutbox(row=0, nonce=nonce, body=first, state=OutboxState.SENDING, created_at=now)
        try:
            await self._poster.post_unkept(row)
        except DeliveryError as error:
            log.warning("not_said", channel=body.to.channel, code=code_of(error), error=name_of(error))

    async def react(self, channel: ChannelId, message_id: str, emoji: str) -> bool:
        """React, where the platform can; a failure is False, never an exception."""
        platform = self.platforms.get(platform_of(channel))
        if platform is None or not platform.capabilities.reactions or not message_id or is_of_former(message_id):
            return False
        if not self.is_at_work():
            return False
        try:
            await platform.react(channel, message_id, emoji)
        except DeliveryError as error:
            log.info("reaction_refused", channel=channel, code=code_of(error))
            return False
        return True

    async def take_back(self, promised: ChannelId) -> None:
        """Take back the promise of an answer to a native command; what cannot be taken back is on no record."""
        platform = self.platforms.get(platform_of(promised))
        try:
            if platform is not None:
                await platform.retract(promised, "")
        except DeliveryError as error:
            log.info("promise_stays", channel=promised, code=code_of(error))

    def writing(self, answer: PendingAnswer) -> AbstractAsyncContextManager[AnswerStream]:
        """Let people see that an answer is being written, and the answer itself where that is possible."""
        return self.streams.writing(answer, self.platforms.get(answer.to.platform))

    def capabilities(self, platform: str) -> PlatformCapabilities:
        """What a platform can do; as little as possible for one that is not connected."""
        found = self.platforms.get(platform)
        return found.capabilities if found else _NOT_CONNECTED

    def home(self, channel: ChannelId) -> OutboundAddress:
        """The public address of a channel."""
        return OutboundAddress(platform=platform_of(channel), channel=channel)

    async def recover(self, left: LeftPreviews, scope: RecoveryScope) -> int:
        """Take up what a dead process left; return how many chunks may have arrived and are flagged, not sent again."""
        for preview in left.continued:
            self.streams.leave(preview)
        for preview in left.stale:
            self.streams.withdraw(preview, self.platforms.get(preview.body.to.platform))
        pending = await (self.outbox.pending() if scope.channels is None else self.outbox.left(list(scope.channels)))
        untold = [row for row in await self.outbox.untold() if scope.covers(row.body.to.channel)]
        if pending or untold:
            self._poster.be_patient()
        firsts = {row.body.inbound: row for row in reversed(untold)}
        await _by_channel([row for row in untold if row is firsts[row.body.inbound]], self._tell_ended)
        return await self._send_left(pending)

    async def adopt(self, scope: RecoveryScope) -> int:
        """Send what processes that are over left for channels in which this one is at work; return as `recover`."""
        return await self._send_left(await self.outbox.left(list(scope.channels or ())))

    async def _send_left(self, pending: Sequence[StoredOutbox]) -> int:
        flagged = [row for row in pending if _may_be_there(row, self.capabilities(row.body.to.platform))]
        await _by_channel(pending, partial(self._send_one_left, {row.row for row in flagged}))
        return len(flagged)

    async def _send_one_left(self, flagged: Container[int], row: StoredOutbox) -> None:
        if row.row in flagged:
            error = DeliveryError(later("delivery_failures.cut-off"), code="cut", uncertain=True)
            # first, so that a kill in between leaves it to be told again
            with speaking(await self.language(row.body)):
                self.enqueue([kept for word in _for_who_waits(row) for kept in await self._keep(word)])
            await self._poster.end(row, error, uncertain=True)
            await self._tell(row, error)
        else:
            # a new attempt has an intent of its own; nobody knows what became of one that was cut off
            known = "" if row.state is OutboxState.SENDING else row.error
            self.enqueue([row.model_copy(update={"state": OutboxState.NEW, "error": known})])

    async def _tell_ended(self, row: StoredOutbox) -> None:
        await self._tell(row, _ended_by(row))

    @property
    def busy(self) -> bool:
        """Whether something is being sent; what waits for a platform that cannot be reached is not."""
        return self.tasks.busy

    async def settled(self) -> None:
        """Return when nothing waits to be sent."""
        await self.tasks.idle()

    async def post_to_platform(self, row: StoredOutbox) -> Receipt:
        """Give one chunk to its platform, where its channel is now; raise DeliveryError."""
        while not self.is_at_work():
            # it has slept since it was to be sent: whoever went on meanwhile may have sent it, and then this one ends
            await self.clock.sleep(_LOOK_SECONDS)
        body = with_current_address(row.body, self.moves())
        message = OutgoingMessage(
            nonce=row.nonce,
            to=body.to,
            text=body.text,
            replies_to=body.replies_to,
            edits=body.edits,
            buttons=body.buttons,
            file=body.file,
            since=row.created_at if row.attempts else 0,
            answers=body.answers,
            part=body.part,
            rich=body.rich.read(body.text) if body.rich is not None else None,
        )
        return await self.platforms[body.to.platform].send(message)

    async def _tell(self, row: StoredOutbox, error: DeliveryError) -> None:
        """Let nobody wait in vain: the person is told where possible, the admins always. Others hear it from `say`."""
        name, body, resend = handle(HandleKind.DELIVERY, row.row), row.body, None
        if body.kind == "reply":
            if error.uncertain and self.capabilities(body.to.platform).buttons:
                resend = await self.offer_resend(row.row)
            with speaking(await self.language(body)):
                if error.uncertain:
                    text = say("messaging.may-be-lost", handle=name)
                else:
                    text = say("messaging.not-delivered", code=code_of(error), handle=name)
            buttons = (resend.asker,) if resend and resend.asker else ()
            notice = NewOutbox(
                kind="notice",
                to=body.to,
                text=text,
                inbound=body.inbound,
                replies_to=body.replies_to,
                buttons=buttons,
            )
            self.enqueue(await self._keep(notice))
        elif body.kind == "notice" and body.inbound:  # a notice about nothing that arrived is an alert itself
            await self.react(body.to.channel, body.replies_to, "⚠️")
            if _is_known(await self.outbox.of_inbound(body.inbound)):
                return
        else:
            return
        place, code = await self.name_of(body.to.channel), code_of(error)

        def words() -> str:
            return say(
                "messaging.alert-uncertain" if error.uncertain else "messaging.alert-not-delivered",
                kind=body.kind,
                place=place,
                code=code,
                handle=name,
                fix=fix_of(code, name) or say("messaging.see-the-platform", handle=name),
            )

        # not awaited: the alert may have to go out through this very lane
        self.tasks.spawn("alert", self._alert(row, error, words, resend.admin if resend else None))

    async def _alert(self, row: StoredOutbox, error: DeliveryError, words: Words, button: ButtonFor | None) -> None:
        """Tell the admins, unless whoever watches over rights tells them more than this."""
        if error.uncertain or not await self.tells_of_right(row, code_of(error)):
            await self.alert(words, button, "undelivered")

    async def _keep(self, body: NewOutbox) -> Sequence[StoredOutbox]:
        parts = await self.parts(body)
        now, detail = self.clock.now(), (("kind", body.kind), ("parts", str(len(parts))))
        stage = StageRow(
            inbound=body.inbound, at=now, stage=LedgerStage.OUTBOX, verdict=StageVerdict.PASSED, detail=detail
        )
        return await self.outbox.put(parts, [stage] if body.inbound else [], now)


def _draws(can: PlatformCapabilities, rich: RichLayout) -> bool:
    return can.polls if rich.hours else can.cards


def _may_be_there(row: StoredOutbox, can: PlatformCapabilities) -> bool:
    """Say whether a chunk may have arrived and cannot be repeated; an edit can."""
    return row.state is OutboxState.SENDING and not row.body.edits and not can.idempotent_sends


def _for_who_waits(row: StoredOutbox) -> Sequence[NewOutbox]:
    """Return what is said where something else than a reply may be lost; who would have heard of that has died."""
    body = row.body
    if body.kind == "reply" or (body.kind == "notice" and body.inbound):
        return ()
    answers = {"inbound": body.inbound, "replies_to": body.replies_to}
    return (
        NewOutbox(
            kind="notice",
            to=body.to,
            text=say("messaging.may-be-lost", handle=handle(HandleKind.DELIVERY, row.row)),
            **answers,
        ),
    )


def _is_known(rows: Sequence[StoredOutbox]) -> bool:
    """Say whether the admins have heard already that the answer to this message was given up."""
    return any(row.body.kind == "reply" and row.state in _GIVEN_UP for row in rows)


def _ended_by(row: StoredOutbox) -> DeliveryError:
    """Return what gave a chunk up, from its record."""
    is_uncertain = row.state is OutboxState.UNCERTAIN
    code, _, words = row.error.partition(": ")
    return DeliveryError(words, code=code, uncertain=is_uncertain, permanent=not is_uncertain)


async def _by_channel(rows: Sequence[StoredOutbox], do: Callable[[StoredOutbox], Awaitable[None]]) -> None:
    """Do something with each row, in order within a channel: what several channels store is stored together."""
    channels: dict[ChannelId, list[StoredOutbox]] = {}
    for row in rows:
        channels.setdefault(row.body.to.channel, []).append(row)

    async def in_order(its: Sequence[StoredOutbox]) -> None:
        for row in its:
            await do(row)

    await asyncio.gather(*map(in_order, channels.values()))
