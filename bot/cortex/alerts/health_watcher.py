"""Keep an eye on the bot itself: alert when a platform goes deaf, report a silence, call the monitor outside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import structlog

from bot.config.schema import AlertsConfig
from bot.context.transcript import utc
from bot.cortex.alerts.adapter_watch import (
    AdapterHearing,
    ClockReading,
    HearingChange,
    HearingLevel,
    level_of,
    news_of,
    observe,
)
from bot.cortex.alerts.admin_alerts import AdminAlerts
from bot.cortex.alerts.downtime import LateMessageCounter, MissedMessages, silence_before
from bot.cortex.alerts.trusted_clock import TrustedClock
from bot.domain.health import AdapterHealth, AdapterState, BotDowntime, Heartbeat
from bot.errors import DamagedRow, DeliveryError
from bot.messaging.intake.recovery import RecoveryResult
from bot.ports.edges import Edges
from bot.ports.platform import PlatformListener
from bot.prompts import render
from bot.runtime.tasks import TaskSupervisor
from bot.sentences import Words, say
from bot.text.figures import duration
from bot.text.text import excerpt

log = structlog.get_logger(__name__)

LOOK_INTERVAL_SECONDS = 10.0
_LATE_ARRIVAL_SECONDS = 60.0
"""How long after a start what was written meanwhile may come in before the silence is reported."""
_RETRY_SECONDS = 300.0
"""How long after an alert reached nobody it is tried again."""
_BOT = ""
"""Stands for the bot itself where a platform's name stands."""
_CLOCK = "the clock"
"""Stands for the clock there."""
_MAX_DETAIL_CHARS = 300
_WITHOUT_DETAIL = {
    AdapterState.STARTING: "alerts.still-connecting",
    AdapterState.CONFLICT: "alerts.token-conflict",
}


@dataclass(eq=False)
class _Letter:
    """Words that are to reach somebody. `due` is when they are sent (monotonic seconds)."""

    words: Words
    first: Sequence[str]
    due: float
    kind: str
    under_way: bool = False


class HealthWatcher:
    """Looks when it is told to; `run` tells it every ten seconds. A platform, and the bot, has one letter at most."""

    def __init__(
        self, edges: Edges, config: AlertsConfig, alerts: AdminAlerts, tasks: TaskSupervisor, clock: TrustedClock
    ) -> None:
        self._edges = edges
        self._config = config
        self._alerts = alerts
        self._tasks = tasks
        self._trusted_clock = clock
        self._is_doubted = False
        self._ears: dict[str, AdapterHearing] = {}
        self._ended: set[str] = set()
        self._letters: dict[str, _Letter] = {}
        self._report_at = self._clock_from = 0.0
        self._missed = MissedMessages()
        self._late: LateMessageCounter | None = None
        self._monitor_failed = False
        self._damaged = 0
        self.unreported: BotDowntime | None = None
        """What the admins have not heard of yet; the next process reports it if this one cannot."""
        self.silence: BotDowntime | None = None
        """The silence that ended with the start of this process."""

    def wake(self, last: Heartbeat | None) -> None:
        """Compare the start of this process with the last sign of life of an earlier one."""
        clock = self._edges.clock
        self.unreported = self.silence = silence_before(last, clock.now(), self._config.silence_after)
        self._report_at = clock.monotonic() + _LATE_ARRIVAL_SECONDS
        self._clock_from = clock.monotonic() + (_LATE_ARRIVAL_SECONDS if self._edges.platforms else 0.0)

    def note_recovery(self, found: RecoveryResult) -> None:
        """Take what the start found unanswered."""
        self._missed = MissedMessages.of(found)

    def ears(self, ears: PlatformListener) -> PlatformListener:
        """Return ears that count what was written during the silence, while there is one to report."""
        if self._late is None and self.unreported is not None:
            self._late = LateMessageCounter(ears, self.unreported)
        return self._late or ears

    async def listen(self, name: str, ears: PlatformListener) -> None:
        """Let a platform deliver. When it ends it hears nothing more, whatever it says of itself."""
        try:
            await self._edges.platforms[name].run(self.ears(ears))
        finally:
            self._ended.add(name)

    async def run(self) -> None:
        """Look every ten seconds."""
        while True:
            await self._edges.clock.sleep(LOOK_INTERVAL_SECONDS)
            self.look()

    async def call_monitor(self) -> None:
        """Call the monitor outside as long as every platform hears, so that it alarms when the calls stop."""
        while self._config.heartbeat_url and self._edges.caller is not None:
            await self._edges.clock.sleep(self._config.heartbeat_seconds)
            if all(level_of(self._health(name).state) < HearingLevel.DEAF for name in self._edges.platforms):
                await self._call()

    async def last_words(self, words: Words) -> None:
        """Tell the owners that the bot stops because it can store nothing; it does not wait for long."""
        await self._alerts.last_words(words)

    def look(self) -> None:
        """Look at every platform, write what is news, and send what is due, in the background."""
        now = ClockReading(self._edges.clock.now(), self._edges.clock.monotonic())
        for name in self._edges.platforms:
            try:
                self._observe(name, now)
            except Exception as error:
                log.error("platform_not_observed", platform=name, error_type=type(error).__name__, exc_info=error)
        if self.unreported is not None and _BOT not in self._letters and now.mono >= self._report_at:
            missed = self._missed._replace(late=self._late.late if self._late else 0)
            words = partial(downtime_text, self.unreported, missed)
            self._letters[_BOT] = _Letter(words, tuple(self._edges.platforms), now.mono, "silence")
        self._look_at_the_clock(now)
        for damage in self._edges.store.damaged[self._damaged :]:
            self._damaged += 1
            self._tasks.spawn("alert", self._alerts.tell(partial(damage_text, damage), kind="damage"))
        for name, letter in self._letters.items():
            if now.mono >= letter.due and not letter.under_way:
                letter.under_way = True
                self._tasks.spawn(f"alert about {name or 'a silence'}", self._send(name, letter))

    def _observe(self, name: str, now: ClockReading) -> None:
        ear = observe(self._ears.get(name), self._health(name), now)
        self._ears[name], news = news_of(ear, self._config.deaf_after, now)
        if news is not None:
            self._write(name, news, now)

    def _look_at_the_clock(self, now: ClockReading) -> None:
        """Write when the clock is not believed, once the platforms have had time to say what it is, and when it is."""
        doubt = self._trusted_clock.doubt_words(now.wall)
        if bool(doubt) == self._is_doubted or now.mono < self._clock_from:
            return
        self._is_doubted = bool(doubt)
        platforms, words = tuple(self._edges.platforms), partial(clock_text, doubt)
        self._letters[_CLOCK] = _Letter(words, platforms, now.mono, "clock" if doubt else "clock is right")

    def _write(self, name: str, news: HearingChange, now: ClockReading) -> None:
        level = news.ear.level
        # `level` is the line's own, and what a platform says of an error may be anybody's words
        log.warning("platform_hears", platform=name, hearing=level.name.lower(), code=news.ear.health.code)
        # news that nobody has heard yet is overtaken by what came after it, which says both
        self._letters[name] = _Letter(
            partial(hearing_text, news), (name,), now.mono, f"hearing:{name}:{level.name.lower()}"
        )

    async def _send(self, name: str, letter: _Letter) -> None:
        reached = await self._alerts.reach(letter.words, letter.first, letter.kind)
        letter.under_way = False
        letter.due = self._edges.clock.monotonic() + _RETRY_SECONDS
        if reached and self._letters.get(name) is letter:
            del self._letters[name]
        if reached and name == _BOT:
            self.unreported = None

    def _health(self, name: str) -> AdapterHealth:
        health = self._edges.health_of(name)
        if name not in self._ended or level_of(health.state) is HearingLevel.DEAF:
            return health
        detail, fix = say("alerts.connection-ended"), say("alerts.connection-ended-fix")
        return health.replace(state=AdapterState.DOWN, detail=health.detail or detail, fix=health.fix or fix)

    async def _call(self) -> None:
        assert self._edges.caller is not None
        try:
            await self._edges.caller.get(self._config.heartbeat_url)
        except DeliveryError as error:
            if not self._monitor_failed:
                log.warning("monitor_not_called", error=str(error))
            self._monitor_failed = True
        else:
            self._monitor_failed = False


def hearing_text(news: HearingChange) -> str:
    """Say that a platform hears worse or better than the admins know."""
    ear, health = news.ear, news.ear.health
    return render(
        "cortex/alert_hearing",
        name=health.name,
        level=ear.level.name.lower(),
        before=news.before.name.lower(),
        since=_minute(ear.since),
        before_since=_minute(news.before_since),
        lasted=duration(max(0, ear.since - news.before_since) / 1000),
        detail=_sentence(health.detail or (say(unsaid) if (unsaid := _WITHOUT_DETAIL.get(health.state)) else "")),
        fix=_sentence(health.fix),
    )


def downtime_text(silence: BotDowntime, missed: MissedMessages) -> str:
    """Say from when to when the bot was down, why, and what was missed."""
    return render(
        "cortex/alert_silence",
        since=_minute(silence.since),
        until=_minute(silence.until),
        lasted=duration((silence.until - silence.since) / 1000),
        starts=silence.starts,
        reason=_sentence(silence.reason),
        missed=missed,
        nothing=not any(missed),
    )


def damage_text(damage: DamagedRow) -> str:
    """Name a damaged row, and what it costs."""
    return say("alerts.damage", damage=str(damage))


def clock_text(doubt: Words | None) -> str:
    """Say that the clock is not believed and why, or (without a doubt) that it is again."""
    return render("cortex/alert_clock", doubt=doubt() if doubt is not None else "")


def _minute(at: int) -> str:
    return utc(at)[:16].replace("T", " ")


def _sentence(text: str) -> str:
    """Quote somebody else's sentence on one line, with its full stop."""
    line = excerpt(text, _MAX_DETAIL_CHARS)
    return line if not line or line[-1] in ".!?…" else f"{line}."
