"""Evidence of a bot that is out of money, stands still, shows a mark for nobody, waits for people, or has a double."""

from __future__ import annotations

from bot.diagnostics.evidence.evidence import Evidence, PendingApproval, ProviderRoute
from bot.domain.channel import ProcessKind
from bot.domain.health import AdapterState, LoopLag, ModelHealth, ProcessVitals, QueueHealth
from bot.domain.ids import UserId
from bot.domain.ledger import (
    AFTER_DELETED,
    AFTER_DELETED_BY,
    ArrivalDisposition,
    LedgerStage,
    Outcome,
    StageRow,
    StageVerdict,
)
from bot.domain.messages import Author, AuthorKind, EventKind, InboundKind, PlatformEvent
from bot.domain.turn import TurnStatus, UsageRow
from tests.fakes.evidence import (
    ARRIVED,
    INBOUND,
    NOW,
    TURN,
    answered,
    attempt,
    call,
    evidence,
    failed_turn,
    gated,
    healthy,
    kept,
    sent,
    stored,
    trail,
    turn,
    up,
)
from tests.fakes.values import outgoing, stopped

CAPPED = stopped("budget", "cost_cap", daily_cost_usd="1.00", cost_today_usd="1.0100")
DAY = 86_400_000


def used(kind: ProcessKind, usd: float) -> UsageRow:
    day = "2025-10-09"
    return UsageRow(kind=kind, model="a/b", day=day, requests=3, input=1000, output=200, cached=0, cost_usd=usd)


def unreachable(words: str, **changes: object) -> Evidence:
    tried = attempt(fault="unreachable", error=words)
    routes = (
        ProviderRoute(provider="openai", host="api.example"),
        ProviderRoute(provider="simulated", host="models.example"),
    )
    return failed_turn("provider: unreachable", tried, **{"routes": routes, **changes})


def lag(ms: float, before: int = 1_000, *, certain: bool = True, what: tuple[str, ...] = ("react",)) -> LoopLag:
    return LoopLag(at=ARRIVED + 2_000 - before, ms=ms, what=what, certain=certain)


def slow(*lags: LoopLag, **changes: object) -> Evidence:
    return healthy(vitals=ProcessVitals(lags=lags), **changes)


def typed(since: int, **changes: object) -> Evidence:
    return healthy(vitals=ProcessVitals(typing_since=since), **changes)


def taken_away(*more: tuple[str, str], gone: int | None = None, part: str = "1 of 1", by: str = "") -> Evidence:
    """An answer that was delivered two seconds after the message, and what became of it afterwards."""
    name = ("delivery", "d0002")
    sent_at = ARRIVED + 2_000

    def row(stage: LedgerStage, at: int, reason: str, *detail: tuple[str, str]) -> StageRow:
        verdict = StageVerdict.PASSED if stage is LedgerStage.DELIVERED else StageVerdict.NOTED
        return StageRow(inbound=INBOUND, at=at, stage=stage, verdict=verdict, reason=reason, detail=(name, *detail))

    rows = [row(LedgerStage.DELIVERED, sent_at, "reply", ("part", part), *more)]
    if gone is not None:
        rows.append(row(LedgerStage.AFTERWARDS, sent_at + gone, AFTER_DELETED, ("part", part)))
        rows += [row(LedgerStage.AFTERWARDS, sent_at + gone, AFTER_DELETED_BY, ("by", by))] if by else []
    return evidence(trail(stored(turn=TURN), *rows), turn=turn(outbox=(sent(),)))


def unreadable(event: PlatformEvent) -> Evidence:
    """A message of which no more is kept than that it came."""
    heard = {"kind": InboundKind.EVENT, "event": event, "text": "", "mentions_bot": True}
    about = stored(Outcome.STORED_ONLY, f"unreadable: {event.name}", disposition=ArrivalDisposition.NOTE, **heard)
    return evidence(trail(about))


SUMMER = kept("Ann likes summer.")
WAITS = PendingApproval(call=5, turn=TURN, memory=SUMMER.id, at=NOW - 600_000, shown="the owners, in private")
OURSELVES = Author(user_id=UserId("7"), name="glassmind", kind=AuthorKind.SELF)
DOUBLE = stored(Outcome.GATED, "author", row=1300, at=ARRIVED + 3_000, author=OURSELVES)
LONG = {"calls": (call(duration_ms=9_000.0),)}
HALVES = tuple(sent(row=90 + n, body=outgoing(inbound=INBOUND, turn=TURN, part=n, parts=2, text="la")) for n in (0, 1))
TWICE = (sent(), sent(row=91, nonce="aa2"))

PRESSED: dict[str, tuple[str, Evidence]] = {
    "cost cap": ("COST-CAP", evidence(gated(CAPPED))),
    "cost cap of yesterday": ("COST-CAP", evidence(gated(CAPPED), now=NOW + DAY)),
    "cost cap, spent on summaries": (
        "COST-CAP",
        evidence(gated(CAPPED), spent=(used(ProcessKind.CHANNEL, 0.1), used(ProcessKind.COMPACTOR, 0.9))),
    ),
    "cost cap, spent on the cortex": ("COST-CAP", evidence(gated(CAPPED), spent=(used(ProcessKind.CORTEX, 0.9),))),
    "cost cap, spent on workers": ("COST-CAP", evidence(gated(CAPPED), spent=(used(ProcessKind.WORKER, 0.9),))),
    "the model's name leads nowhere": ("NET", unreachable("the host name cannot be resolved (dns)")),
    "no TLS with the model": ("NET", unreachable("the TLS connection could not be made (ssl)")),
    "no proxy to the model": (
        "NET",
        unreachable(
            "the proxy refused", routes=(ProviderRoute(provider="openai", host="a.example", proxy="b.example"),)
        ),
    ),
    "no model at the address": (
        "NET",
        unreachable("no connection (refused)", models=(ModelHealth(model="openai/x", last_success_at=NOW - 9_000),)),
    ),
    "no way to the model nor to the platform's events": (
        "NET",
        unreachable("nobody knows", routes=(), adapter=up(state=AdapterState.STARTING)),
    ),
    "a tool held everything up": ("LOOP-BLOCK", slow(lag(2_500))),
    "something beside tools held everything up": ("LOOP-BLOCK", slow(lag(3_000, certain=False, what=()))),
    "it is known where everything stood": (
        "LOOP-BLOCK",
        slow(lag(3_000, certain=False, what=()).replace(stack=("parse (adapter.py:12)", "run (base.py:1)"))),
    ),
    "tools held everything up, again and again": ("LOOP-BLOCK", slow(*(lag(800, n * 100) for n in range(4)))),
    "a tool held everything up until the turn was over": (
        "LOOP-BLOCK",
        failed_turn("timeout", answered(), shape=LONG, vitals=ProcessVitals(lags=(lag(9_000),))),
    ),
    "typing for nobody": ("TYPING", typed(NOW - 60_000)),
    "typing where nothing was said": ("TYPING", evidence(None, vitals=ProcessVitals(typing_since=NOW - 60_000))),
    "it waits for an admin": ("APPROVAL", healthy(approvals=(WAITS,), memories=(SUMMER,))),
    "it waits for an admin, twice": (
        "APPROVAL",
        healthy(approvals=(WAITS, WAITS.replace(memory=9)), memories=(SUMMER,)),
    ),
    "somebody else answers as the bot": ("OTHER-PROCESS", healthy(strangers=(DOUBLE,))),
    "somebody else answers as the bot, again and again": (
        "OTHER-PROCESS",
        healthy(strangers=(DOUBLE, DOUBLE), heartbeat=None),
    ),
    "somebody else replies as the bot": (
        "OTHER-PROCESS",
        healthy(strangers=(DOUBLE.replace(inbound=DOUBLE.inbound.replace(replies_to=str(INBOUND))),)),
    ),
    "one answer went out twice": ("DUP", healthy(turn=turn(outbox=TWICE))),
    "another program was first": ("OTHER-PROCESS", taken_away(("note", "elsewhere"))),
    "the answer was deleted at once": ("OUT-GONE", taken_away(gone=400)),
    "a part of the answer was deleted by somebody": ("OUT-GONE", taken_away(gone=90_000, part="2 of 3", by="a person")),
    "the answer was deleted by a bot that nobody names": ("OUT-GONE", taken_away(gone=4_000, by="a program")),
    "a message has a form that the library does not read": (
        "UNREADABLE",
        unreadable(PlatformEvent(kind=EventKind.UNREADABLE, name="unreadable message", what="KeyError")),
    ),
    "a message is of a kind that nobody knows": (
        "UNREADABLE",
        unreadable(PlatformEvent(kind=EventKind.UNREADABLE, name="hologram")),
    ),
}

UNPRESSED: dict[str, Evidence] = {
    "a moment's lag": slow(lag(300)),
    "a lag before the message": slow(LoopLag(at=ARRIVED - 1, ms=9_000, what=("react",), certain=True)),
    "a lag in a long wait": evidence(
        trail(stored(None, turn=TURN)),
        turn=turn(TurnStatus.RUNNING),
        queue=QueueHealth(running_turn=TURN, running_ms=60_000),
        vitals=ProcessVitals(lags=(lag(2_500),)),
    ),
    "typing while a turn runs": typed(NOW - 60_000, queue=QueueHealth(running_turn=TURN, running_ms=60_000)),
    "typing that ends": typed(NOW - 3_000),
    "two parts of one answer": healthy(turn=turn(outbox=HALVES)),
}
