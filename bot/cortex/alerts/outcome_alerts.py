"""Tell owners when a channel's turns begin to end otherwise, or its history is too full, in one message to its end."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import partial

import structlog

from bot.cortex.alerts.admin_alerts import AdminAlerts, ButtonsFor, MakeCardButton, told_troubles
from bot.cortex.alerts.incident_alerts import ALERTED_FAULTS
from bot.domain.ids import ChannelId, ChannelKey, PersonKey
from bot.domain.incident import CardAction, ChannelTrouble, TroubleKind
from bot.domain.messages import Button
from bot.domain.turn import StoredTurn, TurnOutcome, TurnStatus
from bot.mind.outcome_changes import Ending, OutcomeChange, OutcomeWatch
from bot.ports.journal import Journal
from bot.prompts import render
from bot.runtime.lru_cache import LRUCache
from bot.runtime.tasks import TaskSupervisor
from bot.sentences import say
from bot.text.text import one_line_name
from bot.text.times import clock_time

log = structlog.get_logger(__name__)

_MAX_CHANNELS = 2000
_LOOK_BACK = 1000
"""So many earlier turns of a channel say what is usual there, when the bot meets it again after a start."""
FULL_PERCENT = 80.0
EMPTY_PERCENT = 70.0
_FULL_IN_A_ROW = 3
"""Shortening begins beside the turn that finds a history full, and is given this long."""
_MAX_UNANSWERED = 50
"""So many turns without an answer are remembered, for those who may have to be answered after all."""
_ENDINGS = {
    TurnStatus.REPLIED: Ending.ANSWERED,
    TurnStatus.SKIPPED: Ending.SKIPPED,
    TurnStatus.FAILED: Ending.FAILED,
}
_KINDS = {Ending.SKIPPED: TroubleKind.SKIPS, Ending.FAILED: TroubleKind.FAILURES}
_OF_THE_SERVICE = frozenset(f"provider:{fault.value}" for fault in ALERTED_FAULTS)
"""Failures that the message about the model service counts."""


class _Watched:
    """One channel: its endings, and what is heard while the earlier ones are read."""

    __slots__ = ("full", "heard", "is_loaded", "unanswered", "watch")

    def __init__(self) -> None:
        self.unanswered: deque[TurnOutcome] = deque(maxlen=_MAX_UNANSWERED)
        self.watch = OutcomeWatch()
        self.heard: list[TurnOutcome] = []
        self.is_loaded = False
        self.full = 0


@dataclass(eq=False, kw_only=True)
class OutcomeAlerts:
    """Hears of every turn (`ended`), and tells in the background. Private chats are nobody's business but their own.

    What a channel was told of outlives a restart in the message itself, and what is usual there in its turns.
    """

    alerts: AdminAlerts
    journal: Journal
    card: MakeCardButton
    tasks: TaskSupervisor

    def __post_init__(self) -> None:
        """Begin with nothing known."""
        self._channels: LRUCache[ChannelKey, _Watched] = LRUCache(_MAX_CHANNELS)
        self._troubles: dict[tuple[ChannelKey, TroubleKind], ChannelTrouble] = {}
        self._is_recalled = False

    def ended(self, turn: TurnOutcome) -> None:
        """Take in how a turn ended; nearly always nothing follows from it."""
        if turn.is_private or turn.status not in _ENDINGS or turn.code in _OF_THE_SERVICE:
            return
        found = self._channels.get(turn.key)
        if found is None:
            found = _Watched()
            self._channels.put(turn.key, found)
            self.tasks.spawn(f"earlier turns of {turn.key}", self._load(turn.key, found))
        if not found.is_loaded:
            found.heard.append(turn)
            return
        self._hear(found, turn)

    def _hear(self, found: _Watched, turn: TurnOutcome) -> None:
        change = found.watch.ended(_ENDINGS[turn.status], turn.at)
        if turn.status is not TurnStatus.REPLIED:
            found.unanswered.append(turn)
        if change is not None:
            self._changed(found, turn, change)
        elif self._troubles:
            self._goes_on(turn)
        if turn.fullness >= FULL_PERCENT or found.full:
            self._filled(found, turn)

    async def _load(self, key: ChannelKey, found: _Watched) -> None:
        """Learn what is usual from earlier turns, and go on with what was told before a restart."""
        if not self._is_recalled:
            self._is_recalled = True
            for one in await told_troubles(self.alerts):
                self._troubles[ChannelKey(one.agent, one.channel), one.what] = one
        newest, heard = 0, {one.number: one for one in found.heard}
        for turn in reversed(await self.journal.recent_turns(key, _LOOK_BACK)):
            if (ending := _ending_of(turn)) is not None:
                # what changed in them was told then
                found.watch.ended(ending, turn.ended_at)
                if ending is not Ending.ANSWERED:
                    found.unanswered.append(heard.get(turn.id) or _as_ended(turn))
            newest = turn.id
        waiting, found.heard, found.is_loaded = found.heard, [], True
        for ended in waiting:
            if ended.number > newest:
                self._hear(found, ended)
            elif ended.number == newest or ended is waiting[-1]:
                self._caught_up(found, ended)

    def _caught_up(self, found: _Watched, turn: TurnOutcome) -> None:
        """Compare what was told with what earlier turns say, once they were read."""
        for ending, what in _KINDS.items():
            told = self._troubles.get((turn.key, what))
            if told is not None and not told.ended and ending not in found.watch.risen:
                # it went by in a time that the bot did not see
                self._put(turn, told.replace(ended=turn.at, last=turn.at))
        self._goes_on(turn)

    def _changed(self, found: _Watched, turn: TurnOutcome, change: OutcomeChange) -> None:
        what = _KINDS[change.kind]
        before = self._troubles.get((turn.key, what))
        if change.is_over:
            if before is not None and not before.ended:
                log.info("outcomes_as_usual", channel=turn.key.channel, what=what.value)
                self._put(turn, before.replace(ended=change.since, last=turn.at))
            return
        log.warning("outcomes_changed", channel=turn.key.channel, what=what.value, count=change.found, of=change.of)
        began = ChannelTrouble(
            what=what,
            agent=turn.key.agent,
            channel=turn.key.channel,
            since=change.since,
            last=turn.at,
            count=change.found,
            of=change.of,
            before=change.before_of_20,
            code=turn.code,
        )
        for one in found.unanswered:
            if one.at >= change.since:
                began = began.kept_waiting(one.inbound, one.person)
        self._put(turn, began)

    def _goes_on(self, turn: TurnOutcome) -> None:
        """Count one more turn of a channel that is told of; who is answered changes no message."""
        for ending, what in _KINDS.items():
            one = self._troubles.get((turn.key, what))
            if one is None or one.ended:
                continue
            if ending is not _ENDINGS[turn.status]:
                self._troubles[turn.key, what] = one.replace(of=one.of + 1)
                continue
            more = one.replace(last=turn.at, count=one.count + 1, of=one.of + 1)
            self._put(turn, more.kept_waiting(turn.inbound, turn.person))

    def _filled(self, found: _Watched, turn: TurnOutcome) -> None:
        key = turn.key, TroubleKind.CONTEXT
        standing = self._troubles.get(key)
        is_open = standing is not None and not standing.ended
        found.full = found.full + 1 if turn.fullness >= FULL_PERCENT else found.full
        if standing is not None and is_open:
            if turn.fullness < EMPTY_PERCENT:
                found.full = 0
                self._put(turn, standing.replace(ended=turn.at, last=turn.at, percent=turn.fullness))
            return
        if turn.fullness < FULL_PERCENT:
            found.full = 0
        elif found.full >= _FULL_IN_A_ROW:
            began = ChannelTrouble(
                what=TroubleKind.CONTEXT,
                agent=turn.key.agent,
                channel=turn.key.channel,
                since=turn.at,
                last=turn.at,
                count=found.full,
                percent=turn.fullness,
            )
            self._put(turn, began)

    def _put(self, turn: TurnOutcome, trouble: ChannelTrouble) -> None:
        self._troubles[turn.key, trouble.what] = trouble
        words = partial(trouble_text, trouble, turn.name)
        buttons = self._buttons(trouble)
        self.tasks.spawn(f"tell of {trouble.kind}", self.alerts.follow(trouble, words, buttons, owners_only=True))

    def _buttons(self, trouble: ChannelTrouble) -> ButtonsFor:
        return lambda person, channel: card_buttons(self.card, person, channel, trouble)


def card_buttons(
    card: MakeCardButton, person: PersonKey, channel: ChannelId, about: ChannelTrouble
) -> tuple[Button, ...]:
    """Return what can be pressed below a message about a channel: while it goes on, or when it is over."""

    def button(action: CardAction, label: str) -> Button:
        return card(person, channel, about.kind, action, label)

    if about.what is TroubleKind.CONTEXT:
        return ()
    waiting = len(about.waiting)
    answer = (button(CardAction.ANSWER, say("alerts.answer", count=waiting)),) if waiting else ()
    if about.ended:
        return answer
    why = button(CardAction.WHY, say("alerts.why"))
    if about.what is TroubleKind.RIGHTS:
        return (why,)  # nobody can be answered there, nor be told anything
    return (
        why,
        button(CardAction.MODEL, say("alerts.other-model")),
        button(CardAction.TELL, say("alerts.tell-channel")),
        *answer,
    )


def trouble_text(trouble: ChannelTrouble, name: str) -> str:
    """Say what has changed in a channel, since when, and for how many; nobody's words are in it."""
    return render(
        "cortex/trouble",
        trouble=trouble,
        where=one_line_name(name, 40),
        since=clock_time(trouble.since),
        last=clock_time(trouble.last),
        ended=clock_time(trouble.ended),
        waiting=len(trouble.waiting),
        people=len(trouble.people),
        percent=round(trouble.percent),
    )


def _as_ended(turn: StoredTurn) -> TurnOutcome:
    """Return an earlier turn as far as it is known; whose message it was stands in the ledger."""
    at, inbound = turn.ended_at, turn.inbounds[-1] if turn.inbounds else 0
    return TurnOutcome(turn.key, "", False, turn.id, turn.status, turn.reason, at, at, inbound=inbound)


def _ending_of(turn: StoredTurn) -> Ending | None:
    """Return how an earlier turn ended, as far as it counts."""
    if turn.status is TurnStatus.FAILED and ":".join(turn.reason.split(": ")[:2]) in _OF_THE_SERVICE:
        return None
    return _ENDINGS.get(turn.status)
