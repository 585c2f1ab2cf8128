"""One piece of evidence per way to be silent: the rule that must fire, and only it."""

from __future__ import annotations

from bot.diagnostics.evidence.evidence import ConfiguredLists, Evidence, FreshChat, ProviderRoute
from bot.domain.channel import ChannelPause, ChannelSettings, LeftOutMessage, ResponseMode
from bot.domain.health import (
    AdapterHealth,
    AdapterState,
    AwaitedModel,
    BotDowntime,
    ModelHealth,
    ProbeResult,
    ProcessVitals,
    QueueHealth,
    TurnTime,
)
from bot.domain.ids import ChannelId, UserId
from bot.domain.ledger import ArrivalDisposition, InboundTrail, LedgerStage, Outcome, StageRow, StageVerdict
from bot.domain.llm import FinishReason, ModelName
from bot.domain.memory import MemoryType
from bot.domain.messages import Author, AuthorKind, ChannelPlace, EventKind, InboundKind, PlatformEvent
from bot.domain.turn import OutboxState, TurnStatus
from tests.bot.diagnostics.pressed import PRESSED, UNPRESSED
from tests.bot.diagnostics.subtle import SOUND, SUBTLE
from tests.fakes.clock import START
from tests.fakes.evidence import (
    INBOUND,
    NOW,
    TURN,
    answered,
    beat,
    call,
    evidence,
    failed,
    failed_turn,
    gated,
    healthy,
    kept,
    requested,
    sent,
    skipped,
    stored,
    trail,
    turn,
    up,
)
from tests.fakes.values import GUILD, llm_request, message, settings, stats, stopped
from tests.fakes.values import call as asks
from tests.fakes.values import result as answers

PAUSE = ChannelPause(by=UserId("9"), by_role="moderator", at=START - 1_000_000, inbound=1200)
PAUSED = settings(ResponseMode.MENTION_ONLY, pause=PAUSE)
OBSERVING = settings(ResponseMode.OBSERVE, mode_at=START - 5_000)
BLOCKING = kept(
    "ann instructed Glassmind to stop responding to her after config advice went wrong.",
    type=MemoryType.DECISION,
    importance=0.9,
    created_at=NOW - 7_200_000,
)
TORN = llm_request(messages=(message(), asks(call_id="c1"), message("again")))
FULL = llm_request()
OTHER = llm_request(model=ModelName(provider="simulated", model="other"))
PAUSE_STOP = stopped(
    "pause",
    "paused",
    pause="on",
    set_by="9",
    set_by_role="moderator",
    set_at=str(PAUSE.at),
    set_with="1200",
    set_reason="",
)
SENDER_STOP = stopped("sender", "user_denied", store_text=False, list="allowed_users", entries="42, 43", user_id="100")
NAMELESS = Author(user_id=UserId("100"), name="kitchen", kind=AuthorKind.ANONYMOUS_ADMIN)
PLACE_STOP = stopped(
    "place",
    "channel_denied",
    store_text=False,
    list="allowed_channels",
    entries="console:#other",
    channel_id="console:#general",
)


def _with_status(outcome: Outcome | None, status: TurnStatus, state: OutboxState, **row: object) -> Evidence:
    about = trail(stored(outcome, turn=TURN))
    return evidence(about, turn=turn(status, outbox=(sent(state, **row),)))


def _pair(fault: str) -> Evidence:
    request = requested(failed(fault, 400), request=TORN)
    return failed_turn(f"provider: {fault}", shape={"requests": (request,)})


def _full(fault: str) -> Evidence:
    request = requested(failed(fault, 400), request=FULL, stats=stats(total=7_500))
    return failed_turn(f"provider: {fault}", shape={"requests": (request,)})


def _refused(error: str, attempts: int = 1, **changes: object) -> Evidence:
    row = sent(OutboxState.DEAD, error=error, attempts=attempts)
    return failed_turn(f"send:{error.partition(':')[0]}", answered(), shape={"outbox": (row,)}, **changes)


def ailing(code: str, state: AdapterState = AdapterState.DEGRADED, **facts: str) -> AdapterHealth:
    """An adapter that polls; without a code it is well. It has been so for half a minute."""
    known = {"last_poll_at": str(NOW - 31_000), "pending_updates": "2"}
    detail = facts.pop("detail", "")
    state = state if code else AdapterState.UP
    return up(state=state, code=code, detail=detail, since=NOW - 30_000, facts=tuple({**known, **facts}.items()))


def listening(code: str = "", **facts: str) -> AdapterHealth:
    """An adapter to which events come; without a code it is well."""
    detail = facts.pop("detail", "")
    state = AdapterState.DEGRADED if code else AdapterState.UP
    return up(state=state, code=code, detail=detail, since=NOW - 30_000, facts=tuple(facts.items()))


def commands_only(**changes: object) -> Evidence:
    return evidence(None, recent=(COMMAND,), **changes)


def loading(until: int) -> AwaitedModel:
    """A local model that was asked a while ago."""
    return AwaitedModel(model="ollama/large", since=NOW - 240_000, until=until, loads=True)


def late(outcome: Outcome | None = Outcome.REPLIED, **changes: object) -> Evidence:
    """A message that was written an hour before it came, and a process that began in between."""
    about = trail(stored(outcome, sent_at=START - 3_600_000, at=NOW - 2_000, turn=TURN if outcome else 0))
    base = {"heartbeat": beat(started_at=NOW - 10_000), "turn": turn(outbox=(sent(),)) if outcome else None}
    return evidence(about, **{**base, **changes})


def before(about: Evidence) -> Evidence:
    """The same, with a message that came before the bot was down for days."""
    old = trail(stored(turn=TURN, at=DAYS.since - 1_000))
    return about.replace(target=about.target.replace(about=old))


def delivered(**detail: str) -> StageRow:
    name = (("delivery", "dm3d2"), ("message_id", "99"), ("part", "1 of 1"))
    rows = (*name, *detail.items())
    return StageRow(
        inbound=INBOUND, at=NOW, stage=LedgerStage.DELIVERED, verdict=StageVerdict.PASSED, reason="reply", detail=rows
    )


def happened(kind: EventKind, row: int) -> InboundTrail:
    """The bot came or went."""
    about = stored(
        Outcome.STORED_ONLY, row=row, kind=InboundKind.EVENT, event=PlatformEvent(kind=kind, name="my_chat_member")
    )
    return trail(about)


ACTIVE = settings(ResponseMode.ACTIVE)
DAYS = BotDowntime(since=NOW - 200_000_000, until=NOW - 5_000, reason="stopped by a signal")
COMMAND = trail(
    stored(Outcome.COMMAND, row=1233, disposition=ArrivalDisposition.COMMAND, text="/why", mentions_bot=False)
)
PLAIN = trail(stored(Outcome.STORED_ONLY, "addressing", row=1232, text="hello all", mentions_bot=False))
PRIVATE = ProbeResult(name="telegram console:#general", state="warning", evidence="is member", code="privacy")
ADMINISTERS = PRIVATE.replace(state="ok", code="", evidence="is administrator")
WORDLESS = listening("content_intent", message_content="no")
EMPTY = gated(stopped("content", "empty", store_text=False), text="", mentions_bot=False)
NO_RIGHTS = PRIVATE.replace(state="failed", code="rights", facts=(("missing", "Send Messages, Attach Files"),))
TIMED_OUT = PRIVATE.replace(state="failed", code="timed_out", facts=(("until", str(NOW + 600_000)),))
NO_VIEW = PRIVATE.replace(
    state="failed",
    code="no_access",
    evidence="the bot can't view the channel",
    fix="Edit Channel, Permissions: View Channel on.",
    facts=(("missing", "View Channel"), ("denied", "denied to @everyone in the channel")),
)
RESTRICTED = PRIVATE.replace(state="failed", code="no_rights", facts=(("denied", "an admin restricted the bot"),))
JUST_HEARD = (trail(stored(at=NOW - 2_000)),)
UNSCOPED = ProbeResult(name="slash commands", state="failed", evidence="50001", code="commands_scope")
OUTSIDE = PRIVATE.replace(state="failed", code="not_member", evidence="kicked")
PARTED, CAME = (happened(kind, row) for kind, row in ((EventKind.LEFT, 1240), (EventKind.JOINED, 1241)))
BLIND = ailing("", can_read_all_group_messages="no")
SUPERGROUP = ChannelId("telegram:-1002000000002")
OUTGROWN = evidence(
    gated(
        stopped("place", "channel_denied", list="allowed_channels", entries="-4000001", channel_id=SUPERGROUP),
        channel=SUPERGROUP,
    ),
    lists=ConfiguredLists(allowed_channels=("-4000001",)),
    namesakes=(ChannelId("telegram:-4000001"),),
)
OUTGROWN = OUTGROWN.replace(target=OUTGROWN.target.replace(channel=SUPERGROUP))

SCENARIOS: dict[str, tuple[str, Evidence]] = {
    **SUBTLE,
    **PRESSED,
    # process
    "the process is dead": ("NOT-RUNNING", healthy(running=False, live=False, heartbeat=beat(exit_reason="killed"))),
    "the process vanished": ("NOT-RUNNING", evidence(None, running=False, live=False)),
    "it never ran": ("NOT-RUNNING", evidence(None, running=False, live=False, heartbeat=None)),
    "the adapter is not enabled": ("NOT-RUNNING", evidence(None, adapter=None, adapter_enabled=False)),
    "the adapter is down": ("NOT-RUNNING", healthy(adapter=up(state=AdapterState.DOWN, detail="connection refused"))),
    "restarted over the message": ("NOT-RUNNING", evidence(trail(stored(Outcome.INTERRUPTED)))),
    # the connection
    "two pollers": ("TG-409", healthy(adapter=up(state=AdapterState.CONFLICT))),
    "two pollers, by the adapter's word": ("TG-409", healthy(adapter=ailing("conflict", AdapterState.CONFLICT))),
    "a webhook": ("TG-WEBHOOK", healthy(adapter=ailing("webhook", AdapterState.CONFLICT, webhook_host="x.example"))),
    "the token is refused": ("TOKEN", evidence(None, adapter=ailing("token", AdapterState.DOWN))),
    "no name": ("NET", healthy(adapter=ailing("network", detail="dns: getMe: the host name cannot be resolved"))),
    "an error without a class": ("NET", healthy(adapter=ailing("network", detail="Bad Gateway"))),
    "no connection for long": ("NET", healthy(adapter=ailing("stalled", detail="connect: getUpdates: no connection"))),
    "no poll comes back": ("TG-STALL", healthy(adapter=ailing("stalled"))),
    "polls come back empty while updates wait": ("TG-STALL", healthy(adapter=ailing("piling", pending_before="1"))),
    "an answer that never comes": (
        "TG-STALL",
        healthy(adapter=ailing("stalled", detail="timeout: getUpdates: no answer within 45 s")),
    ),
    "no heartbeat is answered": ("DC-ZOMBIE", healthy(adapter=listening("stalled"))),
    "intents are refused": ("DC-ZOMBIE", healthy(adapter=listening("intents", detail="4013: intents"))),
    "shards are refused": ("DC-ZOMBIE", healthy(adapter=listening("shards", detail="4010: shard 3 of 2"))),
    "an old gateway version": ("DC-ZOMBIE", healthy(adapter=listening("api_version", detail="4012: version"))),
    "too many sessions today": ("DC-ZOMBIE", healthy(adapter=listening("session_limit"))),
    "it connects again and again": (
        "DC-ZOMBIE",
        healthy(adapter=listening(reconnects_1h="14", last_close_code="4000")),
    ),
    "no room for what arrives": ("NOT-RUNNING", healthy(adapter=ailing("store", detail="it waits at Telegram"))),
    "the adapter raises": ("NOT-RUNNING", healthy(adapter=ailing("internal", detail="KeyError"))),
    # arrival
    "no words, by the platform's word": ("DC-INTENT", evidence(EMPTY, adapter=WORDLESS, settings=ACTIVE)),
    "no words, because none are asked for": (
        "DC-INTENT",
        evidence(EMPTY, adapter=listening(requested_content="no"), settings=ACTIVE),
    ),
    "no words, by what came": ("DC-INTENT", evidence(EMPTY, adapter=listening(), recent=(EMPTY,) * 9)),
    "a message without a word": ("DC-INTENT", evidence(EMPTY, adapter=listening())),
    "nothing heard, and no words": ("DC-INTENT", evidence(None, adapter=WORDLESS, settings=ACTIVE)),
    "the scope is missing": ("SLASH", evidence(None, adapter=listening(), probes=(UNSCOPED,))),
    "commands were not taken": ("SLASH", healthy(adapter=listening(commands="failed:commands_quota"))),
    "commands came too late": (
        "SLASH",
        healthy(adapter=listening(late_interactions="3", last_late_interaction_at=str(NOW - 60_000))),
    ),
    "privacy, by the platform's word": ("TG-PRIVACY", commands_only(settings=ACTIVE, probes=(PRIVATE,))),
    "privacy, by the account's word": ("TG-PRIVACY", commands_only(settings=ACTIVE, adapter=BLIND)),
    "privacy, and the platform does not answer": (
        "TG-PRIVACY",
        commands_only(settings=ACTIVE, adapter=BLIND, probes=None),
    ),
    "privacy where nobody was answered": ("TG-PRIVACY", commands_only(probes=(PRIVATE,), settings=ChannelSettings())),
    "privacy where replies are answered": (
        "TG-PRIVACY",
        healthy(settings=ACTIVE, probes=(PRIVATE,), recent=(trail(stored(replies_to_bot=True)), COMMAND)),
    ),
    "thrown out, by the platform's word": ("REMOVED", healthy(probes=(OUTSIDE,), recent=(trail(stored()),))),
    "thrown out, by the last event": ("REMOVED", healthy(recent=(PARTED, trail(stored())))),
    "written while it was down": ("BOOT-DROP", late()),
    "written while it was down, and being answered": ("BOOT-DROP", late(None, queue=QueueHealth(waiting=1))),
    "down for days": ("BOOT-DROP", evidence(None, adapter=ailing(""), heartbeat=beat(silence=DAYS))),
    "down for days after an answer": ("BOOT-DROP", before(healthy(adapter=ailing(""), heartbeat=beat(silence=DAYS)))),
    # gates
    "written by a bot": (
        "BOT-AUTHOR",
        evidence(
            gated(
                stopped("author", "bot_author", store_text=False, author_kind="bot", allow_bots="off"),
                author=Author(user_id=UserId("5"), name="mee6", kind=AuthorKind.BOT),
            )
        ),
    ),
    "loop guard": (
        "BOT-AUTHOR",
        evidence(gated(stopped("loop", "loop_guard", bots_in_a_row="6", loop_guard_messages="6"))),
    ),
    "sender not listed": ("GATE-USER", evidence(gated(SENDER_STOP), lists=ConfiguredLists(allowed_users=("42", "43")))),
    "sender blocked": (
        "GATE-USER",
        evidence(
            gated(stopped("sender", "user_denied", list="blocked_users", entries="100", user_id="100")),
            lists=ConfiguredLists(blocked_users=("100",)),
        ),
    ),
    "channel not listed": (
        "GATE-CHANNEL",
        evidence(gated(PLACE_STOP), lists=ConfiguredLists(allowed_channels=("console:#other",))),
    ),
    "server not listed": (
        "GATE-CHANNEL",
        evidence(
            gated(stopped("place", "guild_denied", list="allowed_guilds", entries="7", guild_id="1")),
            lists=ConfiguredLists(allowed_guilds=("7",)),
        ),
    ),
    "a group of the same name became a supergroup": ("SUPERGROUP", OUTGROWN),
    "direct messages off": ("GATE-CHANNEL", evidence(gated(stopped("place", "dm_denied", allow_dms="off")))),
    "the server's id among the users": (
        "AUTH-KIND",
        evidence(
            gated(SENDER_STOP),
            lists=ConfiguredLists(allowed_users=("42", "77")),
            other_ids=(("guild", UserId("77")), ("channel", UserId("#general"))),
        ),
    ),
    "a name among the users": (
        "AUTH-KIND",
        evidence(gated(SENDER_STOP), lists=ConfiguredLists(allowed_users=("42", "@Ann"))),
    ),
    "a user's id among the channels": (
        "AUTH-KIND",
        evidence(gated(PLACE_STOP), lists=ConfiguredLists(allowed_channels=("console:#other", "100"))),
    ),
    "paused": ("PAUSED", evidence(gated(PAUSE_STOP), settings=PAUSED)),
    "paused then, lifted since": ("PAUSED", evidence(gated(PAUSE_STOP))),
    "paused after the last answer": ("PAUSED", healthy(settings=PAUSED)),
    "paused and nothing arrived": ("PAUSED", evidence(None, settings=PAUSED)),
    "observing": ("PAUSED", evidence(gated(stopped("mode", "mode_observe", mode="observe")), settings=OBSERVING)),
    "observing after the last answer": ("PAUSED", healthy(settings=OBSERVING)),
    "too many messages": (
        "PAUSED",
        evidence(gated(stopped("rate", "rate_user", user_id="100", user_per_minute="20 of 20"))),
    ),
    "too many that wait": (
        "PAUSED",
        evidence(gated(stopped("rate", "rate_waiting", waiting_per_channel="500 of 500"))),
    ),
    "not addressed": (
        "GATE-MENTION",
        evidence(
            gated(stopped("addressing", "not_addressed", mode="mention_only"), mentions_bot=False),
            settings=settings(ResponseMode.MENTION_ONLY),
        ),
    ),
    "a plugin's gate": (
        "GATE-PLUGIN",
        evidence(gated(stopped("quiet-hours", "quiet hours", plugin="house-rules 1.2", until="07:00"))),
    ),
    # queue
    "a turn beyond its limit": (
        "Q-STUCK",
        evidence(
            trail(stored(None, turn=TURN)),
            turn=turn(TurnStatus.RUNNING),
            queue=QueueHealth(running_turn=TURN, running_ms=300_000, running_what="tool web_search"),
        ),
    ),
    "a turn beyond the time that it was given": (
        "Q-STUCK",
        evidence(
            trail(stored(None, turn=TURN)),
            turn=turn(TurnStatus.RUNNING),
            queue=QueueHealth(running_turn=TURN, running_ms=500_000),
            vitals=ProcessVitals(turns=(TurnTime(turn=TURN, most_ms=420_000),)),
        ),
    ),
    "a model that was waited for long enough": (
        "Q-STUCK",
        evidence(
            trail(stored(None, turn=TURN)),
            turn=turn(TurnStatus.RUNNING),
            queue=QueueHealth(running_turn=TURN, running_ms=500_000),
            vitals=ProcessVitals(turns=(TurnTime(turn=TURN, most_ms=420_000, awaited=loading(until=NOW - 1)),)),
        ),
    ),
    "waiting behind a hung turn": (
        "Q-STUCK",
        evidence(
            trail(stored(None)),
            queue=QueueHealth(waiting=3, oldest_wait_ms=50_000, running_turn=TURN, running_ms=121_000),
        ),
    ),
    "waiting for nothing": (
        "Q-STUCK",
        evidence(trail(stored(None)), queue=QueueHealth(waiting=1, oldest_wait_ms=60_000)),
    ),
    "in no queue": ("Q-STUCK", evidence(trail(stored(None)))),
    "from outside, no outcome": ("Q-STUCK", evidence(trail(stored(None, at=NOW - 900_000)), live=False)),
    "then a tool used up the time": (
        "Q-STUCK",
        failed_turn("timeout", answered(), shape={"calls": (call("web_search", duration_ms=119_000.0),)}),
    ),
    # request
    "key refused": ("LLM-AUTH", failed_turn("provider: auth", failed("auth", 401))),
    "no credit": ("LLM-AUTH", failed_turn("provider: credit", failed("credit", 402))),
    "rate limited": ("LLM-AUTH", failed_turn("provider: rate", failed("rate", 429, retry_after=30.0))),
    "provider down": ("LLM-AUTH", failed_turn("provider: server", failed("server", 503), failed("server", 503))),
    "unknown model": ("LLM-AUTH", failed_turn("provider: not_found", failed("not_found", 404))),
    "refused for no known reason": ("LLM-AUTH", failed_turn("provider: bad_request", failed("bad_request", 400))),
    "out of time at the provider": ("LLM-AUTH", failed_turn("timeout")),
    "cooling down": (
        "LLM-AUTH",
        failed_turn(
            "provider: cooling_down",
            shape={"requests": ()},
            models=(ModelHealth(model="openai/x", cooling_until=NOW + 30_000, fault="auth"),),
        ),
    ),
    "left alone since other work failed": (
        "BREAKER",
        failed_turn(
            "provider: cooling_down",
            shape={"requests": ()},
            models=(
                ModelHealth(
                    model="openai/x",
                    cooling_until=NOW + 30_000,
                    fault="auth",
                    opened_at=START,
                    opened_until=NOW + 30_000,
                    opened_in="c:#x",
                ),
            ),
        ),
    ),
    "more than the service takes at a time": (
        "SERVICE-LIMIT",
        failed_turn("provider: too_large", failed("too_large", 413, limit=6_000, size=7_913)),
    ),
    "what was overheard is flagged": (
        "FLAG-OVERHEARD",
        healthy(
            turn=turn(requests=(requested(answered()),), outbox=(sent(),)),
            settings=settings(left_out=(LeftOutMessage(inbound=7, digest="x", at=NOW, turn=TURN),)),
        ),
    ),
    "somebody began anew": ("FRESH-CHAT", healthy(fresh_chat=FreshChat(name="Bo", at=NOW - 60_000, audit=4))),
    "an anonymous admin, and a list of people": (
        "ANON-ADMIN",
        evidence(gated(SENDER_STOP, author=NAMELESS), lists=ConfiguredLists(allowed_users=("42", "43"))),
    ),
    "a command of an anonymous admin": (
        "ANON-ADMIN",
        evidence(trail(stored(Outcome.COMMAND, "pause denied: anonymous_admin", author=NAMELESS))),
    ),
    "both models fail": (
        "LLM-AUTH",
        failed_turn(
            "provider: not_found",
            shape={"requests": (requested(failed("auth", 401)), requested(failed("not_found", 404), request=OTHER))},
        ),
    ),
    "the key is refused, and nobody listens at the fallback": (
        "LLM-AUTH",
        failed_turn(
            "provider: unreachable",
            shape={"requests": (requested(failed("auth", 401)), requested(failed("unreachable"), request=OTHER))},
        ),
    ),
    "failing and still trying": (
        "LLM-AUTH",
        evidence(
            trail(stored(None, turn=TURN)),
            turn=turn(TurnStatus.RUNNING, requests=(requested(failed("overloaded", 529)),)),
            queue=QueueHealth(running_turn=TURN, running_ms=60_000),
        ),
    ),
    "flagged by the service's filter": ("FLAGGED", failed_turn("provider: flagged", failed("flagged", 403))),
    "refused for what nobody knows": (
        "LLM-AUTH",
        failed_turn("provider: refused", failed("refused", 403, named=False)),
    ),
    "too long, says the provider": ("CTX-OVERFLOW", _full("context_length")),
    "too long, by our count": ("CTX-OVERFLOW", _full("bad_request")),
    "too large once its tools had answered": ("CTX-OVERFLOW", failed_turn("too_large", answered(""))),
    "too large to send": ("CTX-OVERFLOW", failed_turn("too_large", shape={"requests": ()})),
    "a call without a result": ("CTX-ORPHAN", _pair("tool_pairing")),
    "a torn pair behind a plain 400": ("CTX-ORPHAN", _pair("bad_request")),
    # decision
    "chose silence": ("DEC-SILENT", skipped()),
    "chose silence beside a harmless memory": ("DEC-SILENT", skipped(kept("Ann likes tea."))),
    "told to be silent": ("MEM-DIRECTIVE", skipped(BLOCKING)),
    "told to be silent to everybody": ("MEM-DIRECTIVE", skipped(kept("Do not answer anyone in this channel."))),
    "empty": ("DEC-EMPTY", failed_turn("empty", answered("", output=0))),
    "all spent on thinking": (
        "THOUGHT-ONLY",
        failed_turn("empty", answered("", FinishReason.LENGTH, output=1024, reasoning=1024)),
    ),
    "filtered": ("DEC-EMPTY", failed_turn("empty", answered("", FinishReason.CONTENT_FILTER, output=3))),
    "used up its rounds": (
        "DEC-EMPTY",
        failed_turn("rounds", answered(""), shape={"calls": (call("web_search"),) * 9}),
    ),
    # delivery
    "an exception": ("OUT-SWALLOW", failed_turn("internal: KeyError", answered())),
    "not delivered": (
        "OUT-SWALLOW",
        failed_turn("send:50013", answered(), shape={"outbox": (sent(OutboxState.DEAD, error="50013"),)}),
    ),
    "sending fails again and again": (
        "OUT-SWALLOW",
        _with_status(None, TurnStatus.REPLIED, OutboxState.NEW, attempts=3, error="rate limited"),
    ),
    "an answer waits for its platform": (
        "OUT-SWALLOW",
        _with_status(None, TurnStatus.REPLIED, OutboxState.NEW, attempts=7, error="unreachable: no connection"),
    ),
    "an answer waits for a token that is taken": (
        "OUT-SWALLOW",
        _with_status(None, TurnStatus.REPLIED, OutboxState.SENDING, attempts=1, error="token: Unauthorized"),
    ),
    "an answer waits, and nothing is heard either": (
        "NET",
        evidence(
            trail(stored(None, turn=TURN)),
            turn=turn(outbox=(sent(OutboxState.NEW, error="http_403: a page"),)),
            adapter=ailing("network", detail="dns: getMe: no address"),
        ),
    ),
    "the topic is closed": ("OUT-SWALLOW", _refused("topic_closed: Bad Request: TOPIC_CLOSED")),
    "a file too large": ("OUT-SWALLOW", _refused("file_too_large: Request Entity Too Large")),
    "too long for the platform": ("OUT-LENGTH", _refused("too_long: message is too long")),
    "marks refused, and plain text too": ("OUT-PARSE", _refused("markup: can't parse entities")),
    "sent without its formatting": (
        "OUT-PARSE",
        evidence(trail(stored(turn=TURN), delivered(note="markup")), turn=turn(outbox=(sent(),))),
    ),
    "told to wait": (
        "RATE-OUT",
        _with_status(None, TurnStatus.REPLIED, OutboxState.NEW, error="flood: wait", not_before=NOW + 30_000),
    ),
    "told to wait with the end of an answer": (
        "RATE-OUT",
        _with_status(
            None,
            TurnStatus.REPLIED,
            OutboxState.NEW,
            error="flood: wait",
            not_before=NOW,
            body=sent().body.replace(edits="98"),
        ),
    ),
    "told to wait until the turn was over": (
        "RATE-OUT",
        failed_turn("timeout", answered(), shape={"outbox": (sent(OutboxState.NEW, error="flood: wait"),)}),
    ),
    "told to wait too often": ("RATE-OUT", _refused("flood: too many requests", attempts=26)),
    "the person blocked the bot": ("DM-CLOSED", _refused("dm_closed: blocked", place=ChannelPlace(is_dm=True))),
    "an admin's findings are refused": (
        "DM-CLOSED",
        healthy(
            place=ChannelPlace(is_dm=True), undelivered=(sent(OutboxState.DEAD, "finding", error="dm_closed: blocked"),)
        ),
    ),
    "a right is missing": ("DC-PERMS", _refused("rights: Missing Permissions", probes=(NO_RIGHTS,))),
    "no access, by the platform's refusal": ("DC-PERMS", _refused("no_access: HTTP 403, code 50001: Missing Access")),
    "no access, by what the platform says now": ("DC-VIEW", healthy(probes=(NO_VIEW,))),
    "no right to connect": ("DC-CONNECT", healthy(probes=(NO_VIEW.replace(facts=(("missing", "Connect"),)),))),
    "a channel that is not shown": ("DC-PERMS", healthy(probes=(NO_VIEW.replace(code="hidden", facts=()),))),
    "a channel that is gone": ("REMOVED", healthy(probes=(NO_VIEW.replace(code="chat_not_found", facts=()),))),
    "restricted by an admin": ("TG-PERMS", _refused("no_rights: not enough rights", probes=(RESTRICTED,))),
    "the server has an outage": (
        "DC-OUTAGE",
        healthy(adapter=listening(guilds_away=f"{GUILD.guild_id}:{NOW - 90_000}")),
    ),
    "commands go to an address of the portal": (
        "DC-ENDPOINT",
        healthy(adapter=listening(interactions_host="bots.example")),
    ),
    "flagged as a spammer": (
        "OUT-REFUSED",
        _refused("account_flagged: HTTP 403, code 20026: You are flagged"),
    ),
    "refused, and nobody knows why": ("OUT-REFUSED", _refused("refused: HTTP 403, code 777001: The tide is out")),
    "slow mode, by the platform's own number": (
        "SLOW-MODE",
        _with_status(None, TurnStatus.REPLIED, OutboxState.NEW, error="slow_mode: wait", not_before=NOW + 30_000),
    ),
    "an archived thread": ("DC-PERMS", _refused("archived: Thread is archived")),
    "a locked thread": ("DC-PERMS", _refused("locked: Thread is locked")),
    "the bot is timed out, and nobody was heard": ("DC-PERMS", evidence(None, probes=(TIMED_OUT,))),
    "the old id is refused": ("SUPERGROUP", _refused("migrated: group chat was upgraded")),
    "sending, and not a word": (
        "OUT-SWALLOW",
        _with_status(None, TurnStatus.REPLIED, OutboxState.SENDING, created_at=NOW - 151_000),
    ),
    "the adapter broke": (
        "OUT-SWALLOW",
        _with_status(
            Outcome.UNCERTAIN, TurnStatus.REPLIED, OutboxState.UNCERTAIN, error="internal: the adapter failed: KeyError"
        ),
    ),
    "may have arrived": ("OUT-SWALLOW", _with_status(Outcome.UNCERTAIN, TurnStatus.REPLIED, OutboxState.UNCERTAIN)),
    "said to be answered, but was not sent": (
        "OUT-SWALLOW",
        _with_status(Outcome.REPLIED, TurnStatus.REPLIED, OutboxState.DEAD, error="gone"),
    ),
    "a turn without an end": ("OUT-SWALLOW", evidence(trail(stored(None, turn=TURN)), turn=turn(TurnStatus.FAILED))),
}

HEALTHY: dict[str, Evidence] = {
    "said to be hidden, and has just been heard": healthy(probes=(NO_VIEW,), recent=JUST_HEARD),
    "said to be gone, and has just been heard": healthy(
        probes=(NO_VIEW.replace(code="chat_not_found"),), recent=JUST_HEARD
    ),
    "another server has an outage": healthy(adapter=listening(guilds_away=f"77:{NOW - 90_000}")),
    **SOUND,
    **UNPRESSED,
    "answered": healthy(),
    "answered in a direct message": healthy(place=ChannelPlace(is_dm=True)),
    "answered in mention-only mode": healthy(settings=ChannelSettings()),
    "nothing ever arrived": evidence(None),
    "answered beside a memory about somebody else": healthy(memories=(kept("Do not answer Bob."),)),
    "answered although a memory forbids it": healthy(memories=(BLOCKING,)),
    "answered although words are kept back": healthy(adapter=WORDLESS),
    "answered by an adapter that connected anew twice": healthy(adapter=listening(reconnects_1h="2")),
    "answered after a late command yesterday": healthy(
        adapter=listening(late_interactions="1", last_late_interaction_at=str(NOW - 86_400_000), commands="synced")
    ),
    "answered although a right is missing": healthy(probes=(NO_RIGHTS,)),
    "answered after a failed attempt": healthy(
        turn=turn(requests=(requested(failed("server", 503), answered()),), outbox=(sent(),))
    ),
    "answered by the fallback": healthy(
        turn=turn(requests=(requested(failed("auth", 401)), requested(answered(), row=800)), outbox=(sent(),))
    ),
    "answered with whole tool pairs": healthy(
        turn=turn(
            requests=(requested(answered(), request=llm_request(messages=(message(), asks(), answers(), message()))),),
            outbox=(sent(),),
        )
    ),
    "being worked on": evidence(
        trail(stored(None, turn=TURN)),
        turn=turn(TurnStatus.RUNNING, requests=(requested(),)),
        queue=QueueHealth(running_turn=TURN, running_ms=4_000, running_what="model"),
    ),
    "waiting its turn": evidence(
        trail(stored(None, at=NOW - 30_000)),
        queue=QueueHealth(waiting=1, oldest_wait_ms=30_000, running_turn=TURN, running_ms=31_000),
    ),
    "a local model that is still being loaded": evidence(
        trail(stored(None, turn=TURN)),
        turn=turn(TurnStatus.RUNNING, requests=(requested(),)),
        queue=QueueHealth(running_turn=TURN, running_ms=241_000),
        vitals=ProcessVitals(turns=(TurnTime(turn=TURN, most_ms=420_000, awaited=loading(until=NOW + 60_000)),)),
    ),
    "a local model that is still being loaded, seen from outside": evidence(
        trail(stored(None, turn=TURN, at=NOW - 400_000)),
        turn=turn(TurnStatus.RUNNING, requests=(requested(),)),
        last_request=requested(),
        routes=(ProviderRoute(provider=requested().record.request.model.provider, host="localhost", load_seconds=300),),
        live=False,
    ),
    "just let in": evidence(trail(stored(None, at=NOW - 2_000)), queue=QueueHealth(waiting=1, oldest_wait_ms=2_000)),
    "being sent, for a while": _with_status(None, TurnStatus.REPLIED, OutboxState.SENDING, created_at=NOW - 149_000),
    "waiting for the platform's pace": _with_status(
        None, TurnStatus.REPLIED, OutboxState.NEW, created_at=NOW - 600_000, not_before=NOW + 1_000
    ),
    "being sent": evidence(trail(stored(None, turn=TURN)), turn=turn(outbox=(sent(OutboxState.SENDING),))),
    "replaced by a later one": evidence(trail(stored(Outcome.SUPERSEDED, "coalesced into i0000"))),
    "a command": evidence(trail(stored(Outcome.COMMAND))),
    "stopped on request": evidence(trail(stored(Outcome.CANCELLED, turn=TURN)), turn=turn(TurnStatus.CANCELLED)),
    "answered, and no adapter known from outside": healthy(adapter=None, live=False),
    "a poll failed just now": healthy(adapter=ailing("network", detail="cut: x").replace(since=NOW - 5_000)),
    "the platform asks to poll more slowly": healthy(adapter=ailing("flood")),
    "a platform that does not answer a probe": healthy(probes=None),
    "privacy, and plain talk came all the same": commands_only(settings=ACTIVE, probes=(PRIVATE,)).replace(
        recent=(COMMAND, PLAIN)
    ),
    "privacy, but the bot is an admin": commands_only(settings=ACTIVE, adapter=BLIND, probes=(ADMINISTERS,)),
    "privacy, and who spoke to it was answered": healthy(
        settings=ChannelSettings(), probes=(PRIVATE,), recent=(trail(stored()),)
    ),
    "thrown out, and back": healthy(recent=(CAME, PARTED, trail(stored()))),
    "thrown out, and back unheard": healthy(probes=(ADMINISTERS,), recent=(PARTED, trail(stored()))),
    "privacy, in a direct message": healthy(place=ChannelPlace(is_dm=True), adapter=BLIND, settings=ACTIVE),
    "a message that came a little late": evidence(
        trail(stored(sent_at=NOW - 60_000, at=NOW - 2_000, turn=TURN)),
        turn=turn(outbox=(sent(),)),
        heartbeat=beat(started_at=NOW - 10_000),
    ),
    "down for days, and answering again": healthy(adapter=ailing(""), heartbeat=beat(silence=DAYS)),
    "down for hours": evidence(None, adapter=ailing(""), heartbeat=beat(silence=DAYS.replace(since=NOW - 20_000_000))),
    "a chat that was closed, and from which something came since": healthy(
        place=ChannelPlace(is_dm=True),
        undelivered=(sent(OutboxState.DEAD, "finding", error="dm_closed: blocked", created_at=START - 1),),
        recent=(trail(stored()),),
    ),
    "sent as it was written": evidence(trail(stored(turn=TURN), delivered()), turn=turn(outbox=(sent(),))),
}
