"""Find out what somebody means: a channel, a message by its link, or a record by its handle. The one reader of targets.

It asks nobody's permission: that is for whoever shows what is found.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import NamedTuple

from bot.diagnostics.collect.lookup import find_message, known_channel
from bot.domain.handles import Handle, HandleKind, handle, parse_handle
from bot.domain.ids import ChannelId, ChannelKey
from bot.domain.ledger import StoredInbound
from bot.domain.permalinks import MessageLocation, is_some_dm, locate
from bot.domain.platform_names import BY_KIND, PlatformNames
from bot.errors import UserError
from bot.inspect.capture.channel_lookup import resolve
from bot.ports.channels import KnownChannel
from bot.ports.store import Store
from bot.sentences import say
from bot.text.text import quote_line

_MAX_LISTED_CHANNELS = 5
_OTHER_RECORDS: Mapping[HandleKind, str] = {
    HandleKind.MEMORY: "targets.is-memory",
    HandleKind.AUDIT: "targets.is-audit",
    HandleKind.CALL: "targets.is-call",
    HandleKind.SESSION: "targets.is-session",
}
"""Records that no single message stands behind, and what each can be used for."""


class ParsedTarget(NamedTuple):
    """A channel, and what was named of it by `name`; 0: none. `lost`: a message was named that the ledger has not.

    `turn` is the one that a named turn or request is of: whose that is says who may read it. `said` is the message of
    ours that was named itself, of which `inbound` is what it answers (empty: none).
    """

    key: ChannelKey
    name: str = ""
    inbound: int = 0
    request: int = 0
    lost: bool = False
    turn: int = 0
    said: str = ""


class TargetParser:
    """Reads what is typed after a command, in a chat and on the host alike."""

    def __init__(self, store: Store, platforms: PlatformNames = BY_KIND) -> None:
        self._store = store
        self._platforms = platforms
        self._of_kind: Mapping[HandleKind, Callable[[Handle], Awaitable[ParsedTarget | None]]] = {
            HandleKind.INBOUND: self._of_inbound,
            HandleKind.GATE: self._of_gate,
            HandleKind.TURN: self._of_turn,
            HandleKind.REQUEST: self._of_request,
            HandleKind.DELIVERY: self._of_delivery,
        }

    async def find(
        self, text: str, located: MessageLocation | None, here: ChannelKey, known: Sequence[KnownChannel]
    ) -> ParsedTarget | None:
        """Return what is meant, None when nothing known is. `located` is how the platform itself reads the text.

        A channel's own name comes before a handle that is spelt like it.
        """
        readings = (located,) if located is not None else self._platforms.readings(locate(text))
        if readings and readings[0].message_id:
            # of several bots of one service the asker's own is meant, or else whichever knows the place
            found = [one for place in readings if (one := await self._linked(place, here, known)) is not None]
            return next((one for one in found if not one.lost), found[0] if found else None)
        for written in dict.fromkeys((*(place.channel for place in readings), text)):
            # one platform's reading of a bare number may be another platform's channel
            key = await self._channel(written, here, known)
            if key is not None:
                return ParsedTarget(key)
        parsed = parse_handle(text)
        return await self._of_kind[parsed.kind](parsed) if parsed and parsed.kind in self._of_kind else None

    async def request_of(self, meant: ParsedTarget) -> int:
        """Return the request that is meant, or that a message's turn sent last; raise UserError when there is none."""
        if meant.request:
            return meant.request
        stored = await self._store.ledger.inbound(meant.inbound) if meant.inbound else None
        sent = await self._store.journal.requests_of_turn(stored.turn) if stored and stored.turn else ()
        if sent:
            return sent[-1].id
        if stored and stored.outcome:
            outcome = say("records.outcome", outcome=stored.outcome.value)
            raise UserError(say("targets.no-request-ended", name=meant.name, outcome=outcome))
        raise UserError(say("targets.no-request", name=meant.name))

    async def _channel(self, written: str, here: ChannelKey, known: Sequence[KnownChannel]) -> ChannelKey | None:
        try:
            return resolve(_public(written), here, known)
        except UserError:
            # a channel from which nothing was ever let in is asked about most urgently
            stopped = await known_channel(self._store.ledger, ChannelKey(here.agent, ChannelId(written)))
            return stopped.key if stopped else None

    async def _linked(
        self, located: MessageLocation, here: ChannelKey, known: Sequence[KnownChannel]
    ) -> ParsedTarget | None:
        channel = await self._channel(located.channel, here, known)
        own = channel or ChannelKey(here.agent, located.channel)
        below = [c.key for c in known if c.id.startswith(f"{located.channel}:")]
        for key in (own, *below):
            message = await find_message(self._store, key, located.message_id)
            if message is not None:
                ours = await self._store.outbox.by_message(key, located.message_id)
                return _message(message, located.message_id if ours is not None else "")
        return ParsedTarget(own, say("targets.message", message=located.message_id), lost=True) if channel else None

    async def _of_inbound(self, parsed: Handle) -> ParsedTarget | None:
        stored = await self._store.ledger.by_handle(parsed)
        return _message(stored) if stored else None

    async def _of_gate(self, parsed: Handle) -> ParsedTarget | None:
        trail = await self._store.ledger.trail_of_stage(parsed)
        return _message(trail.inbound) if trail else None

    async def _of_turn(self, parsed: Handle) -> ParsedTarget | None:
        turn = await self._store.journal.turn_by_handle(parsed)
        if turn is None:
            return None
        sent = await self._store.journal.requests_of_turn(turn.id)
        about = turn.inbounds[-1] if turn.inbounds else 0
        return ParsedTarget(turn.key, handle(HandleKind.TURN, turn.id), about, sent[-1].id if sent else 0, turn=turn.id)

    async def _of_request(self, parsed: Handle) -> ParsedTarget | None:
        stored = await self._store.journal.request_by_handle(parsed)
        if stored is None:
            return None
        turn = await self._store.journal.turn(stored.record.turn)
        about = turn.inbounds[-1] if turn and turn.inbounds else 0
        key = ChannelKey(stored.record.agent, stored.record.channel)
        return ParsedTarget(key, handle(HandleKind.REQUEST, stored.id), about, stored.id, turn=stored.record.turn)

    async def _of_delivery(self, parsed: Handle) -> ParsedTarget | None:
        sent = await self._store.outbox.by_handle(parsed)
        answered = await self._store.ledger.inbound(sent.body.inbound) if sent and sent.body.inbound else None
        receipt = sent.receipt if sent is not None else None
        return _message(answered, receipt.message_id if receipt is not None else "") if answered else None


def about_message(meant: ParsedTarget) -> int:
    """Return the message that is meant, 0 when only a channel is; raise UserError when what was named has none."""
    if meant.name and not meant.inbound:
        raise UserError(say("targets.no-message", name=meant.name))
    return meant.inbound


def lost_message_error(meant: ParsedTarget, channel: str) -> UserError:
    """Say that a channel is known, but not the message of it that was named."""
    name = quote_line(channel, 60)
    return UserError(say("targets.lost-message", channel=name, id=str(meant.key), message=meant.name))


def unknown_channel_error(
    text: str, located: MessageLocation | None, here: ChannelKey, known: Sequence[KnownChannel]
) -> UserError:
    """Say that nothing is known under that name, and what is closest."""
    parsed, located = parse_handle(text), located or locate(text)
    if parsed and parsed.kind in _OTHER_RECORDS:
        what = say(_OTHER_RECORDS[parsed.kind], handle=text.strip().lower())
        return UserError(say("targets.takes-channel-or", what=what, handles=say("targets.usable-handles")))
    if located is not None and is_some_dm(located.channel):
        return UserError(say("targets.no-direct-message", message=located.message_id))
    missing = say("targets.no-record", handle=text.strip().lower()) if parsed else ""
    if located and located.message_id:
        missing = say("targets.no-such-message", message=located.message_id)
    try:
        resolve(_public(located.channel if located else text), here, known)
    except UserError as error:
        return UserError(f"{missing} {error}" if missing else str(error))
    channels = ", ".join(channel.id for channel in known[:_MAX_LISTED_CHANNELS])
    return UserError(say("targets.name-a-channel", channels=channels or say("targets.there-is-none")))


def _public(written: str) -> str:
    """Write a public name that the platform did not translate as a channel's name would be: `@name`."""
    path = written.partition(":")[2]
    return path if path.startswith("@") else written


def _message(stored: StoredInbound, said: str = "") -> ParsedTarget:
    return ParsedTarget(stored.key, handle(HandleKind.INBOUND, stored.id), stored.id, said=said)
