"""Keep the owners and admins informed of trouble with a model service, in one message that follows it to its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import structlog

from bot.agent.turn.circuit_breaker import RequestOwner
from bot.cortex.alerts.admin_alerts import AdminAlerts, ButtonsFor, MakeCardButton
from bot.domain.ids import ChannelId, PersonKey
from bot.domain.incident import MAX_PLACES, CardAction, Incident
from bot.domain.ledger import FailReason
from bot.domain.llm import ModelName
from bot.domain.messages import Button
from bot.domain.turn import TurnOutcome, TurnStatus
from bot.errors import ProviderError, ProviderFault
from bot.ports.clock import Clock
from bot.prompts import render
from bot.runtime.tasks import TaskSupervisor
from bot.sentences import say
from bot.text.times import clock_time

log = structlog.get_logger(__name__)

_PASSING_FAULTS = frozenset({ProviderFault.UNREACHABLE, ProviderFault.OVERLOADED})
"""What mostly goes by itself: it is told when it has met a second request."""
ALERTED_FAULTS = _PASSING_FAULTS | {
    ProviderFault.AUTH,
    ProviderFault.CREDIT,
    ProviderFault.TIMEOUT,
    ProviderFault.RATE,
}
"""What whoever runs the bot can do something about, and would hear of from its users otherwise."""
_FAULT_CODES = frozenset(f"{FailReason.PROVIDER}:{fault.value}" for fault in ALERTED_FAULTS)
_TOLD_FROM = 2
_SAME_INCIDENT_MS = 600_000
"""What begins again so soon after its end goes on as the same incident."""

Event = Callable[[], None]


@dataclass
class IncidentAlerts:
    """Implements `bot.agent.turn.model_client.ServiceObserver`.

    `has_fallback` says whether other models stand in.
    """

    alerts: AdminAlerts
    clock: Clock
    tasks: TaskSupervisor
    has_fallback: bool
    card: MakeCardButton | None = None

    def __post_init__(self) -> None:
        """Begin with nothing known: what an earlier process left is read with the first event."""
        self._known: dict[tuple[str, str], Incident] = {}
        self._news: set[tuple[str, str]] = set()
        self._own: set[tuple[str, str]] = set()
        self._events: list[Event] = []
        self._is_recalled = False
        self._is_at_work = False

    def failed(self, model: ModelName, error: ProviderError, by: RequestOwner) -> None:
        """Begin an incident, or count one more request that met it."""
        if error.fault in ALERTED_FAULTS:
            self._take(lambda: self._met(model, error, str(by.channel)))

    def answered(self, model: ModelName, before: Sequence[ModelName]) -> None:
        """End what a model that answers had to do with; count an answer in the place of others."""
        if self._is_recalled and not self._known and not self._events:
            return
        self._take(lambda: self._went_on(model, tuple(before)))

    def ended(self, turn: TurnOutcome) -> None:
        """Keep in mind who got no answer by it."""
        if turn.status is TurnStatus.FAILED and turn.inbound and turn.code in _FAULT_CODES:
            self._take(lambda: self._kept_waiting(turn))

    def unanswered(self, models: Sequence[ModelName]) -> None:
        """Count a question that nobody answered."""
        self._take(lambda: self._stayed(tuple(models)))

    def _take(self, event: Event) -> None:
        self._events.append(event)
        if self._is_at_work:
            return
        try:
            self.tasks.spawn("incidents", self._work())
        except RuntimeError:
            return  # the bot is stopping
        self._is_at_work = True

    async def _work(self) -> None:
        """Take in what happened and tell of it; those who tell see to it that a message is not edited too often."""
        try:
            await self._recall()
            while self._events:
                self._take_in()
                await self._tell()
        finally:
            self._is_at_work = False

    def _take_in(self) -> None:
        events, self._events = self._events, []
        for event in events:
            event()
        now = self.clock.now()
        for key, one in tuple(self._known.items()):
            if one.ended and now - one.ended > _SAME_INCIDENT_MS and key not in self._news:
                del self._known[key]
                self._own.discard(key)

    async def _tell(self) -> None:
        news, self._news = self._news, set()
        for key in news:
            incident = self._known[key]
            if incident.fault in _PASSING_FAULTS and incident.failed < _TOLD_FROM:
                continue
            if key not in self._own and await self._is_told(incident):
                continue
            self._own.add(key)
            words = partial(incident_text, incident, has_fallback=self.has_fallback)
            await self.alerts.follow(incident, words, self._buttons(incident))

    async def _is_told(self, incident: Incident) -> bool:
        """Say whether another process tells of the same trouble; who met it first follows it to its end."""
        for one in await self.alerts.followed():
            is_same = (one.provider, one.fault) == (incident.provider, incident.fault)
            if is_same and one.kind != incident.kind and not one.ended:
                return incident.last - one.last <= _SAME_INCIDENT_MS
        return False

    async def _recall(self) -> None:
        """Go on with what an earlier process had told of."""
        if self._is_recalled:
            return
        found = await self.alerts.followed()
        self._is_recalled = True
        for one in found:
            self._known.setdefault((one.provider, one.fault), one)

    def _met(self, model: ModelName, error: ProviderError, place: str) -> None:
        now, key = self.clock.now(), (model.provider, error.fault.value)
        before = self._known.get(key)
        if before is None or (before.ended and now - before.ended > _SAME_INCIDENT_MS):
            before = Incident(provider=model.provider, fault=error.fault.value, since=now, last=now)
            log.warning("incident_began", provider=model.provider, fault=error.fault.value)
        again_at = now + round(1000 * error.retry_after) if error.retry_after else 0
        self._put(before.met(str(model), place, now, again_at))

    def _went_on(self, model: ModelName, before: Sequence[ModelName]) -> None:
        now, name = self.clock.now(), str(model)
        for one in tuple(self._known.values()):
            if not one.ended and name in one.models:
                after = one.recovered(name, now)
                self._put(after)
                if after.ended:
                    log.info("incident_over", provider=one.provider, fault=one.fault, ms=now - one.since)
        for one in self._met_by(before):
            self._put(one.replace(instead=one.instead + 1))

    def _stayed(self, models: Sequence[ModelName]) -> None:
        for one in self._met_by(models):
            self._put(one.left_alone([str(model) for model in models]))

    def _kept_waiting(self, turn: TurnOutcome) -> None:
        fault = turn.code.partition(":")[2]
        for one in tuple(self._known.values()):
            if not one.ended and one.fault == fault:
                self._put(one.kept_waiting(turn.inbound, turn.person))

    def _met_by(self, models: Sequence[ModelName]) -> list[Incident]:
        """Return what goes on with one of these models."""
        names = {str(model) for model in models}
        return [one for one in self._known.values() if not one.ended and names & set(one.models)]

    def _buttons(self, incident: Incident) -> ButtonsFor | None:
        card, waiting = self.card, len(incident.waiting)
        if card is None or not waiting:
            return None

        def made(person: PersonKey, channel: ChannelId) -> tuple[Button, ...]:
            def button(action: CardAction, label: str) -> Button:
                return card(person, channel, incident.kind, action, label)

            answer = button(CardAction.ANSWER, say("alerts.answer", count=waiting))
            if incident.ended:
                return (answer,)
            model = button(CardAction.MODEL, say("alerts.other-model"))
            return (model, button(CardAction.TELL, say("alerts.tell-channels")), answer)

        return made

    def _put(self, incident: Incident) -> None:
        key = incident.provider, incident.fault
        self._known[key] = incident
        self._news.add(key)


def incident_text(incident: Incident, *, has_fallback: bool) -> str:
    """Say what happened, since when, whom it met, what came of it, and what to do; nobody's words are in it."""
    places = len(incident.places)
    return render(
        "cortex/incident",
        incident=incident,
        since=clock_time(incident.since),
        last=clock_time(incident.last),
        ended=clock_time(incident.ended),
        again=clock_time(incident.again_at) if incident.again_at > incident.last else "",
        places=f"{places}" if places < MAX_PLACES else say("alerts.places-or-more", places=MAX_PLACES),
        has_fallback=has_fallback,
        waiting=len(incident.waiting),
        people=len(incident.people),
    )
