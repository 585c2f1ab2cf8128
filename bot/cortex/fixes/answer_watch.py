"""Tell an admin of the next answer in a channel that they changed something for: that is the proof that it helped."""

from __future__ import annotations

from typing import NamedTuple

from bot.cortex.sessions.thread_poster import ThreadPoster, person_of
from bot.domain.finding import StoredSession
from bot.domain.ids import ChannelKey
from bot.domain.turn import TurnOutcome, TurnStatus
from bot.ports.clock import Clock
from bot.runtime.lru_cache import LRUCache
from bot.runtime.tasks import TaskSupervisor
from bot.sentences import say
from bot.text.figures import duration
from bot.text.text import quote_line
from bot.text.times import clock_time

_MAX_WATCHED = 200
_PATIENCE_SECONDS = 6 * 3600.0
"""An answer that comes later says little about what was changed."""
_MAX_REASON_CHARS = 120


class _Watched(NamedTuple):
    session: StoredSession
    audit: str
    since: float


class AnswerWatch:
    """Waits for the next turn of a channel, once; a change made later takes the place of an earlier one."""

    def __init__(self, post: ThreadPoster, clock: Clock, tasks: TaskSupervisor) -> None:
        self._post = post
        self._clock = clock
        self._tasks = tasks
        self._watched: LRUCache[ChannelKey, _Watched] = LRUCache(_MAX_WATCHED)

    def wait_for(self, session: StoredSession, key: ChannelKey, name: str) -> None:
        """Tell of the next turn there; `name` is the audit row of what was changed."""
        self._watched.put(key, _Watched(session, name, self._clock.monotonic()))

    def forget(self, key: ChannelKey) -> None:
        """Tell of nothing: somebody follows certain messages there."""
        self._watched.drop(key)

    def ended(self, turn: TurnOutcome) -> None:
        """Hear of a turn that ended."""
        if turn.status not in _MARKS or (watched := self._watched.drop(turn.key)) is None:
            return
        if self._clock.monotonic() - watched.since <= _PATIENCE_SECONDS:
            self._tasks.spawn(f"verify {watched.audit}", self._tell(watched, turn))

    async def _tell(self, watched: _Watched, turn: TurnOutcome) -> None:
        with self._post.speaking_to(person_of(watched.session)):
            await self._post.say_or_log(watched.session, _words(watched, turn))


def _words(watched: _Watched, turn: TurnOutcome) -> str:
    values = {
        "mark": _MARKS[turn.status],
        "time": clock_time(turn.at),
        "took": duration(max(0, turn.at - turn.asked_at) / 1000),
        "handle": watched.audit,
    }
    why = quote_line(turn.reason, _MAX_REASON_CHARS)
    if turn.status is TurnStatus.REPLIED:
        return say("fixes.next-answered", **values)
    if turn.status is TurnStatus.SKIPPED:
        return say("fixes.next-silent-why", why=why, **values) if why else say("fixes.next-silent", **values)
    return say("fixes.next-failed-why", why=why, **values) if why else say("fixes.next-failed", **values)


_MARKS = {TurnStatus.REPLIED: "✓", TurnStatus.SKIPPED: "○", TurnStatus.FAILED: "✗"}
