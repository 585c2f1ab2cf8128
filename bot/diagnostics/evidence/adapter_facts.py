"""Read what an adapter says of its own hearing: why it hears nothing, since when, and what the platform told it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from bot.domain.bot_accounts import FOREIGN
from bot.domain.health import AdapterHealth, AdapterState, ProbeResult
from bot.domain.ids import ChannelId, platform_of
from bot.domain.ledger import ArrivalDisposition, InboundTrail, StoredInbound
from bot.domain.messages import AuthorKind, EventKind, Inbound, InboundKind
from bot.sentences import say
from bot.text.times import age

if TYPE_CHECKING:
    from bot.diagnostics.evidence.evidence import Evidence

CONFLICT, WEBHOOK, TOKEN, NETWORK, STALLED = "conflict", "webhook", "token", "network", "stalled"
PILING, STORE, INTERNAL, PRIVACY = "piling", "store", "internal", "privacy"
INTENTS, SHARDS, API_VERSION, SESSION_LIMIT = "intents", "shards", "api_version", "session_limit"
CONTENT_INTENT = "content_intent"
NOT_MEMBER, NO_SUCH_PLACE = "not_member", "chat_not_found"
SLOW_MODE, GUILDS_AWAY, INTERACTIONS = "slow_mode", "guilds_away", "interactions_host"
LAST_POLL, PENDING, READS_ALL = "last_poll_at", "pending_updates", "can_read_all_group_messages"
WEBHOOK_HOST, WEBHOOK_ERROR, PENDING_BEFORE = "webhook_host", "webhook_error", "pending_before"
MESSAGE_CONTENT, REQUESTED_CONTENT, RECONNECTS = "message_content", "requested_content", "reconnects_1h"
LAST_CLOSE = "last_close_code"
"""Names of facts that adapters and probes give."""

_IMMEDIATE_FAULTS = frozenset(
    {CONFLICT, WEBHOOK, TOKEN, FOREIGN, STALLED, PILING, STORE, INTENTS, SHARDS, API_VERSION, SESSION_LIMIT}
)
_PASSING_FAULTS = frozenset({NETWORK, INTERNAL})
_BLIP_MS = 20_000
"""How long a fault that passes by itself lasts before it explains a silence."""

_RECENT_MESSAGE_MS = 60_000
"""What came so shortly before a question weighs more than what the platform says when it is asked."""

_MIN_MESSAGES, _EMPTY_SHARE = 5, 0.9
"""How many messages without a word, and what part of all, say that the words are kept back."""


def adapter_fault(evidence: Evidence) -> str:
    """Return why the adapter hears nothing, in its own word; empty while it hears, and when it gives no reason."""
    adapter = evidence.adapter
    if adapter is None or not evidence.running or not evidence.adapter_enabled or adapter.state is AdapterState.UP:
        return ""
    code = adapter.code or (CONFLICT if adapter.state is AdapterState.CONFLICT else "")
    lasts = adapter.state is AdapterState.DOWN or evidence.now - adapter.since >= _BLIP_MS
    return code if code in _IMMEDIATE_FAULTS or (code in _PASSING_FAULTS and lasts) else ""


def fact(facts: tuple[tuple[str, str], ...], name: str) -> str:
    """Return what is known under a name; empty when nothing is."""
    return dict(facts).get(name, "")


def last_poll(adapter: AdapterHealth) -> int:
    """Return when a poll last came back (UTC ms); 0 when none did, and for platforms that are not polled."""
    said = fact(adapter.facts, LAST_POLL)
    return int(said) if said.isascii() and said.isdigit() else 0


def is_polled(adapter: AdapterHealth) -> bool:
    """Say whether the adapter fetches what arrives, so that its polls tell more than events do."""
    return bool(fact(adapter.facts, LAST_POLL))


def freshness(evidence: Evidence, adapter: AdapterHealth) -> str:
    """Say how fresh the connection is: `poll 3 s ago`, or `event 2 min ago` where nothing is polled."""
    polled = last_poll(adapter)
    if is_polled(adapter):
        return say("funnel.poll", age=age(evidence.now - polled)) if polled else say("funnel.no-poll")
    if not adapter.last_event_at:
        return say("funnel.no-event")
    return say("funnel.event", age=age(evidence.now - adapter.last_event_at))


def pending_updates(evidence: Evidence) -> int:
    """Return how many updates wait at the platform, as far as it said so just now, else when it last did."""
    adapter = evidence.adapter
    told = [probe.facts for probe in evidence.probes or ()] + ([adapter.facts] if adapter else [])
    counts = [count for facts in told if (count := fact(facts, PENDING).partition(" ")[0]).isdigit()]
    return int(counts[0]) if counts else 0


def backlog_growth(evidence: Evidence) -> int:
    """Return how many more updates wait at the platform than when it was asked before, and none was heard between."""
    before = fact(evidence.adapter.facts, PENDING_BEFORE) if evidence.adapter else ""
    return max(0, pending_updates(evidence) - int(before)) if before.isdigit() else 0


def channel_probe(evidence: Evidence) -> ProbeResult | None:
    """Return what the platform said of the channel itself just now; None where it was not asked, or did not answer."""
    told = _asked_of_channel(evidence)
    return None if told is None or told.code == NETWORK else told


def probe_unanswered(evidence: Evidence) -> bool:
    """Say whether the platform was asked how it is, or how the channel is, and did not answer."""
    told = _asked_of_channel(evidence)
    return evidence.probes is None or (told is not None and told.code == NETWORK)


def _asked_of_channel(evidence: Evidence) -> ProbeResult | None:
    return probe_of(evidence.probes or (), evidence.target.channel)


def probe_of(probes: Iterable[ProbeResult], channel: ChannelId) -> ProbeResult | None:
    """Return what a platform said of the bot's rights in a channel, among all that it said; None: nothing."""
    return next((probe for probe in probes if probe.name.endswith(f" {channel}")), None)


def recent_message_age(evidence: Evidence) -> int:
    """Return how long ago somebody's message came from the channel, where that is so short that it proves hearing.

    In milliseconds, at least 1; 0 where nothing came of late. A native command comes from where nothing else is heard,
    and what came before the bot's rights were changed there proves nothing of how they are now.
    """
    said = takewhile(_is_no_change_of_rights, (trail.inbound for trail in evidence.recent))
    typed = (one for one in said if one.inbound.kind is InboundKind.MESSAGE and one.inbound.ephemeral is None)
    newest = next((one.arrived_at for one in typed), 0)
    since = evidence.now - newest
    return max(1, since) if newest and since < _RECENT_MESSAGE_MS else 0


def _is_no_change_of_rights(stored: StoredInbound) -> bool:
    return stored.inbound.event is None or stored.inbound.event.kind is not EventKind.RIGHTS


def unavailable_since(evidence: Evidence) -> int:
    """Return since when the platform itself says that the channel's server is unavailable (UTC ms); 0: it does not."""
    told = fact(evidence.adapter.facts, GUILDS_AWAY) if evidence.adapter else ""
    guild = evidence.target.place.guild_id
    known = dict(one.split(":", 1) for one in told.split() if ":" in one)
    since = known.get(guild, "") if guild else ""
    return int(since) if since.isascii() and since.isdigit() else 0


def withholds_talk(evidence: Evidence) -> bool:
    """Say whether the platform keeps plain talk of this group away: by its newest word, else by that on the account."""
    if evidence.target.place.is_dm or evidence.adapter is None or not evidence.running or adapter_fault(evidence):
        return False
    told = channel_probe(evidence)
    if told is not None:
        return told.code == PRIVACY
    # the bot may be an admin of the group: what came from there tells
    return fact(evidence.adapter.facts, READS_ALL) == "no" and not heard_plain_talk(evidence)


def heard_plain_talk(evidence: Evidence) -> bool:
    """Say whether anything came lately that a bot under privacy is never told of."""
    return any(_is_plain(trail.inbound.inbound) for trail in evidence.recent)


def _is_plain(said: Inbound) -> bool:
    if said.kind is not InboundKind.MESSAGE or said.author.kind is not AuthorKind.PERSON:
        return False
    return not (said.mentions_bot or said.replies_to_bot or said.text.startswith("/"))


class EmptyMessages(NamedTuple):
    """How many of the plain messages that came lately were without a word."""

    empty: int
    of: int


def is_blind(evidence: Evidence) -> bool:
    """Say whether the platform itself says that the bot may not read what is said in servers."""
    adapter, told = evidence.adapter, evidence.probes or ()
    if adapter is None or evidence.target.place.is_dm:
        return False
    off = fact(adapter.facts, MESSAGE_CONTENT) == "no" or adapter.code == CONTENT_INTENT
    return off or lacks_request(evidence) or any(probe.code == CONTENT_INTENT for probe in told)


def lacks_request(evidence: Evidence) -> bool:
    """Say whether the bot does not even ask for the words."""
    return evidence.adapter is not None and fact(evidence.adapter.facts, REQUESTED_CONTENT) == "no"


def empty_messages(evidence: Evidence) -> EmptyMessages | None:
    """Return how many came without a word, where that is nearly all that was not meant for the bot by a mention."""
    plain = [trail.inbound.inbound for trail in evidence.recent if _is_plain(trail.inbound.inbound)]
    empty = sum(trail.inbound.disposition is ArrivalDisposition.DROP and _was_empty(trail) for trail in evidence.recent)
    return (
        EmptyMessages(empty, len(plain)) if len(plain) >= _MIN_MESSAGES and empty >= _EMPTY_SHARE * len(plain) else None
    )


def _was_empty(trail: InboundTrail) -> bool:
    return trail.inbound.outcome_reason == "content"


def platform_title(channel: ChannelId) -> str:
    """Name the platform as people write it."""
    return platform_of(channel).capitalize()
