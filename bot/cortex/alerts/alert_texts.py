"""The words of alerts about the bot's own hearing and life; they hold nothing that anybody wrote in a chat."""

from __future__ import annotations

from bot.context.transcript import utc
from bot.cortex.alerts.adapter_watch import News
from bot.cortex.alerts.downtime import Missed
from bot.domain.health import AdapterState, Silence
from bot.errors import DamagedRow
from bot.prompts import render
from bot.text.figures import duration
from bot.text.text import excerpt

_LONGEST = 300
_WITHOUT_DETAIL = {
    AdapterState.STARTING: "it is still trying to connect",
    AdapterState.CONFLICT: "another program uses the bot's token",
}


def of_hearing(news: News) -> str:
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
        detail=_sentence(health.detail or _WITHOUT_DETAIL.get(health.state, "")),
        fix=_sentence(health.fix),
    )


def of_silence(silence: Silence, missed: Missed) -> str:
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


def of_damage(damage: DamagedRow) -> str:
    """Name a damaged row, and what it costs."""
    return f"{damage} I go on without that one thing."


def of_clock(doubt: str) -> str:
    """Say that the clock is not believed and why, or (without a doubt) that it is again."""
    return render("cortex/alert_clock", doubt=doubt)


def _minute(at: int) -> str:
    return utc(at)[:16].replace("T", " ")


def _sentence(text: str) -> str:
    """Quote somebody else's sentence on one line, with its full stop."""
    line = excerpt(text, _LONGEST)
    return line if not line or line[-1] in ".!?…" else f"{line}."
