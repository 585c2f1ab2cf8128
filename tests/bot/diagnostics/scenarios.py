"""One piece of evidence per way to be silent: the rule that must fire, and only it."""

from __future__ import annotations

from bot.diagnostics.evidence import ConfiguredLists, Evidence
from bot.domain.channel import ChannelSettings, Pause, ResponseMode
from bot.domain.health import AdapterState, ModelHealth, QueueHealth
from bot.domain.ids import UserId
from bot.domain.ledger import Outcome
from bot.domain.llm import FinishReason, ModelName
from bot.domain.memory import MemoryType
from bot.domain.messages import Author, AuthorKind, Place
from bot.domain.turn import OutboxState, TurnStatus
from tests.fakes.clock import START
from tests.fakes.evidence import (
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
from tests.fakes.values import call as asks
from tests.fakes.values import llm_request, message, settings, stats, stopped
from tests.fakes.values import result as answers

PAUSE = Pause(by=UserId("9"), by_role="moderator", at=START - 1_000_000, inbound=1200)
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


SCENARIOS: dict[str, tuple[str, Evidence]] = {
    # process
    "the process is dead": ("NOT-RUNNING", healthy(running=False, live=False, heartbeat=beat(exit_reason="killed"))),
    "the process vanished": ("NOT-RUNNING", evidence(None, running=False, live=False)),
    "it never ran": ("NOT-RUNNING", evidence(None, running=False, live=False, heartbeat=None)),
    "the adapter is not enabled": ("NOT-RUNNING", evidence(None, adapter=None, adapter_enabled=False)),
    "the adapter is down": ("NOT-RUNNING", healthy(adapter=up(state=AdapterState.DOWN, detail="connection refused"))),
    "restarted over the message": ("NOT-RUNNING", evidence(trail(stored(Outcome.INTERRUPTED)))),
    "two pollers": ("TG-409", healthy(adapter=up(state=AdapterState.CONFLICT))),
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
    "cost cap": (
        "PAUSED",
        evidence(gated(stopped("budget", "cost_cap", daily_cost_usd="1.00", cost_today_usd="1.0100"))),
    ),
    "not addressed": (
        "GATE-MENTION",
        evidence(
            gated(stopped("addressing", "not_addressed", mode="mention_only"), mentions_bot=False),
            settings=settings(ResponseMode.MENTION_ONLY),
        ),
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
    "out of time at a tool": (
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
    "both models fail": (
        "LLM-AUTH",
        failed_turn(
            "provider: not_found",
            shape={"requests": (requested(failed("auth", 401)), requested(failed("not_found", 404), request=OTHER))},
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
    "too long, says the provider": ("CTX-OVERFLOW", _full("context_length")),
    "too long, by our count": ("CTX-OVERFLOW", _full("bad_request")),
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
        "DEC-EMPTY",
        failed_turn("empty", answered("", FinishReason.LENGTH, output=1024, reasoning=1024)),
    ),
    "filtered": ("DEC-EMPTY", failed_turn("empty", answered("", FinishReason.CONTENT_FILTER, output=3))),
    "out of rounds": ("DEC-EMPTY", failed_turn("rounds", answered(""), shape={"calls": (call("web_search"),) * 9})),
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
    "answered": healthy(),
    "answered in a direct message": healthy(place=Place(is_dm=True)),
    "answered in mention-only mode": healthy(settings=ChannelSettings()),
    "nothing ever arrived": evidence(None),
    "answered beside a memory about somebody else": healthy(memories=(kept("Do not answer Bob."),)),
    "answered although a memory forbids it": healthy(memories=(BLOCKING,)),
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
}
