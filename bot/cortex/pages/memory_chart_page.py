"""Show who taught the bot how much, and when: a table for a phone, and the same as a picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.pages.chart_pictures import ChartPictures
from bot.cortex.pages.memory_audit import MemoryAudit, cut_columns
from bot.cortex.targets.session_context import SessionContext
from bot.cortex.targets.texts import channel_word
from bot.cortex.words.quoting import quoted
from bot.domain.access import Authority
from bot.domain.ids import PersonKey
from bot.domain.memory_timeline import MemoryTimeline, TeacherCounts, TimelineSpan, sum_counts
from bot.inspect.charts.memory_values import MAX_TEACHERS, AxisMark, TeacherBand, TeachingChart
from bot.prompts import render
from bot.sentences import say
from bot.text.figures import exact_number, quantity
from bot.text.markdown.tables import MAX_PHONE_COLUMNS, columns
from bot.text.redaction import Redactor
from bot.text.text import one_line_name

_DAY_MS = 86_400_000
_MAX_NAME = 32
_MAX_EXACT = 100_000
_ROWS = 8
"""So many spans of time stand in a table; each may be several bars of the picture."""
_BAR_COLUMNS = 12
_MARKS = 4
_HOURS_A_DAY = 24
_WORDS = {Authority.OWNER: "owner", Authority.ADMIN: "admin", Authority.MODERATOR: "moderator"}


class ChartQuery(NamedTuple):
    """Of how long a time (ms, back from now), and whether of the whole server."""

    span_ms: int
    everywhere: bool = False


class Teacher(NamedTuple):
    """Somebody, as they are shown: `role` is their tier now, and None where they are several people."""

    name: str
    role: Authority | None
    counts: TeacherCounts


@dataclass(frozen=True)
class MemoryChartPages:
    """Answers `memory chart`: of what was learnt where somebody may read, and of nothing else."""

    audit: MemoryAudit
    pictures: ChartPictures

    async def taught(self, talk: SessionContext, query: ChartQuery) -> ThreadReply:
        """Say, and draw where that can be done, who taught how much."""
        audit = self.audit
        span = TimelineSpan.back(audit.clock.now(), query.span_ms)
        reach = await audit.reach(talk.caller.person, talk.target, query.everywhere)
        found = await audit.store.memory_audit.timeline(reach.places, reach.open_ones, span, MAX_TEACHERS)
        teachers = ordered(found, self._tier, audit.redactor)
        place = channel_word(talk.target)
        place = say("memory_chart.server", place=place) if query.everywhere else place
        text = timeline_text(found, teachers, place, reach.hidden, audit.redactor)
        if not found.total.total:
            return ThreadReply(text)
        note, picture = self.pictures.why_not(talk.session), None
        if not note:
            people = {one.person for one in found.teachers if one.person is not None}
            drawn = await self.pictures.picture("memories", lambda: teaching_chart(found, teachers, place), people)
            note, picture = drawn.note, drawn.file
        return ThreadReply(f"{text}\n\n{note}" if note else text, file=picture)

    def _tier(self, person: PersonKey) -> Authority:
        return self.audit.targets.caller(person, "").authority


def ordered(timeline: MemoryTimeline, tier: Callable[[PersonKey], Authority], redactor: Redactor) -> Sequence[Teacher]:
    """Return who taught, those who decide first and everybody else last, with names that can be shown."""
    found = []
    for one in timeline.teachers:
        if one.person is None:
            found.append(Teacher(say("memory_chart.others", count=one.people), None, one))
        else:
            name = one_line_name(redactor.redact(one.name).text, _MAX_NAME)
            found.append(Teacher(name, tier(one.person), one))
    return sorted(found, key=lambda one: (one.role is None, -(one.role or 0)))


def timeline_text(
    timeline: MemoryTimeline, teachers: Sequence[Teacher], place: str, hidden: int, redactor: Redactor
) -> str:
    """Write what the picture shows."""
    total = timeline.total
    head = _row(say("memory_chart.who"), "", say("memory_chart.saved"), say("memory_chart.gone"))
    rows = [head, *map(_teacher_row, teachers)] if total.total else []
    return render(
        "cortex/memory_chart",
        place=place,
        span=_span_words(timeline.span),
        total=exact_number(total.total),
        forgotten=exact_number(total.forgotten) if total.forgotten else "",
        rows=quoted("\n".join(rows), redactor) if rows else "",
        times=tuple(_time_rows(timeline)) if total.total else (),
        kinds=_kinds(timeline),
        older=exact_number(timeline.older) if timeline.older else "",
        hidden=exact_number(hidden) if hidden else "",
    ).strip()


def teaching_chart(timeline: MemoryTimeline, teachers: Sequence[Teacher], place: str) -> TeachingChart:
    """Return what the picture shows."""
    span, total = timeline.span, timeline.total
    forgotten = say("memory_chart.none-forgotten")
    if total.forgotten:
        forgotten = say("memory_chart.forgotten-since", count=total.forgotten)
    return TeachingChart(
        title=say("memory_chart.title", place=place),
        subtitle=say("memory_chart.one-bar", span=_span_words(span), step=span.step_ms // _DAY_MS),
        total=exact_number(total.total),
        rest=(say("memory_chart.in-that-time"), forgotten),
        bars=span.steps,
        bands=tuple(_band(one) for one in teachers),
        marks=tuple(_marks(span)),
        notes=tuple(_notes(timeline, teachers)),
    )


def _band(teacher: Teacher) -> TeacherBand:
    steps, total, person = teacher.counts.steps, teacher.counts.total, teacher.counts.person
    amount = exact_number(total.total)
    if total.forgotten:
        amount = say("memory_chart.amount", count=total.total, forgotten=total.forgotten)
    return TeacherBand(
        name=teacher.name,
        role=teacher.role,
        kept=tuple(step.kept for step in steps),
        forgotten=tuple(step.forgotten for step in steps),
        amount=amount,
        stand_in=f"id {one_line_name(person.user_id, _MAX_NAME)}" if person is not None else "",
    )


def _notes(timeline: MemoryTimeline, teachers: Sequence[Teacher]) -> Iterator[str]:
    yield _kinds(timeline)
    if timeline.older:
        yield say("memory_chart.older", count=timeline.older)
    if any(teacher.role for teacher in teachers):
        yield say("memory_chart.roles-now")


def _marks(span: TimelineSpan) -> Iterator[AxisMark]:
    """Name the first bar, the last, and some between."""
    for bar in sorted({round(n * (span.steps - 1) / _MARKS) for n in range(_MARKS + 1)}):
        yield AxisMark(bar, _day(span, bar))


def _teacher_row(teacher: Teacher) -> str:
    total = teacher.counts.total
    role = say("memory_chart.role", role=_WORDS.get(teacher.role, "member")) if teacher.role is not None else ""
    return _row(teacher.name, role, _short(total.total), _short(total.forgotten) if total.forgotten else "")


def _row(name: str, role: str, saved: str, gone: str) -> str:
    """Write a row of 38 columns; letters that take two, and those that take none, are counted as they are drawn."""
    tail = f" {role:<9} {saved:>6} {gone:>5}"
    name = cut_columns(name, MAX_PHONE_COLUMNS - len(tail))
    return f"{name}{' ' * (MAX_PHONE_COLUMNS - len(tail) - columns(name))}{tail}".rstrip()


def _time_rows(timeline: MemoryTimeline) -> Iterator[str]:
    """Write when it was, the newest last, in no more rows than a phone shows at once."""
    span, steps = timeline.span, timeline.steps
    least = -(-span.steps // _ROWS)
    together = next((many for many in range(least, 2 * least) if span.steps % many == 0), least)
    # the last row ends with now: where it does not work out, the first one is of fewer steps
    firsts = sorted({max(0, span.steps - together * n) for n in range(1, _ROWS + 1)})
    rows = [(first, sum_counts(steps[first:after])) for first, after in zip(firsts, [*firsts[1:], None], strict=True)]
    most = max(count.total for _, count in rows)
    for first, count in rows:
        bar = "█" * max(1, round(_BAR_COLUMNS * count.total / most)) if count.total else ""
        day = say("memory_chart.from", day=_day(span, first))
        yield f"{day:<17}{_short(count.total):>7} {bar}".rstrip()


def _kinds(timeline: MemoryTimeline) -> str:
    named = ", ".join(_kind(kind, many) for kind, many in timeline.kinds[:4])
    more = sum(many for _, many in timeline.kinds[4:])
    return say("memory_chart.more-kinds", kinds=named, count=more) if more else named


def _kind(kind: str, many: int) -> str:
    return say("memory_chart.kind", kind=one_line_name(kind, 16, "other"), count=many)


def _span_words(span: TimelineSpan) -> str:
    """Say how long it was, and until when."""
    end = datetime.fromtimestamp(span.until / 1000 - 1, UTC)
    if span.step_ms < _DAY_MS:
        many, unit, until = span.steps, "hour", f"{end:%H}:59"
    else:
        days = span.step_ms // _DAY_MS
        many, unit = (span.steps, "day") if days == 1 else (span.steps * days // 7, "week")
        until = _date(end)
    return say("memory_chart.span", count=many, unit=unit, until=until)


def _day(span: TimelineSpan, step: int) -> str:
    """Write when a step begins: the hour where steps are hours, the day, and the month where they are long."""
    at = datetime.fromtimestamp(span.at(step) / 1000, UTC)
    if span.step_ms < _DAY_MS:
        hour = f"{at:%H}:00"
        return hour if span.steps <= _HOURS_A_DAY else f"{_date(at)} {hour}"
    if span.steps * span.step_ms <= 366 * _DAY_MS:
        return _date(at)
    return say("memory_chart.month-of-year", month=f"{at:%b}", number=str(at.month), year=str(at.year))


def _date(at: datetime) -> str:
    return say("memory_chart.date", day=str(at.day), month=f"{at:%b}", number=str(at.month))


def _short(count: int) -> str:
    return exact_number(count) if count < _MAX_EXACT else quantity(count)
