"""Who taught it how much, and when: for those who may look, and of what they may read."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.cortex.pages import chart_pictures
from bot.cortex.pages.memory_chart_page import ordered, teaching_chart, timeline_text
from bot.domain.access import Authority
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import PersonKey, UserId
from bot.domain.memory import MemoryProvenance, MemoryScope, MemoryType
from bot.domain.memory_timeline import MemoryCount, MemoryTimeline, TeacherCounts, TimelineSpan
from bot.inspect.charts.chart import ChartStyle
from bot.inspect.charts.memory_drawing import draw_teaching
from bot.messaging.delivery.long_reply_file import FOLDER
from bot.text.markdown.tables import MAX_PHONE_COLUMNS, columns
from bot.text.redaction import Redactor
from tests.bot.cortex.chat import ADMIN, GENERAL, OWNER, STRANGER, Chat, chat, config
from tests.bot.cortex.moderators import MODERATOR, PEOPLE, SECOND, asks, moderates
from tests.fakes.clock import START

DAY = 86_400_000
NOTHING = Redactor.of({})


def by(user: str, name: str) -> MemoryProvenance:
    return MemoryProvenance(author=UserId(user), author_name=name)


def pictures(bot: Chat) -> list[Path]:
    return sorted((Path(bot.config.bot.data_dir) / FOLDER).glob("memories*.png"))


async def taught(bot: Chat) -> None:
    await bot.hears("hello")
    await bot.remembers("The door is green.", provenance=by(OWNER, "root"), created_at=bot.clock.now() - 3 * DAY)
    for number in range(12):
        await bot.remembers(f"Door number {number}", provenance=by("200", "James"), type=MemoryType.FACT)
    await bot.remembers("Long ago.", provenance=by("200", "James"), created_at=bot.clock.now() - 90 * DAY)


async def test_the_table_and_the_picture_come_together(tmp_path, snapshot):
    async with chat(tmp_path) as bot:
        await taught(bot)
        await bot.hears("!cortex memory chart", OWNER)
        assert bot.last == snapshot(name="table")
        assert all(columns(line) <= MAX_PHONE_COLUMNS for line in bot.last.split("```")[1].splitlines())
        file = bot.private[-1].file
        assert [Path(file.path)] == pictures(bot) and file.mimetype == "image/png"
        await bot.hears("!cortex memory chart 2d", OWNER)
        assert bot.last.startswith("#general: who taught it, 48 hours to ") and "12 remembered" in bot.last
        await bot.hears("!cortex memory chart #general 20w", OWNER)
        assert "14 remembered" in bot.last and "older" not in bot.last


async def test_nothing_is_said_and_not_drawn(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        await bot.hears("!cortex memory chart", OWNER)
        assert bot.last.splitlines()[1:] == ["0 remembered"] and bot.private[-1].file is None
        await bot.remembers("Long ago.", created_at=bot.clock.now() - 90 * DAY)
        await bot.hears("!cortex memory chart", OWNER)
        assert bot.last.splitlines()[1:] == ["0 remembered", "1 more is older."] and pictures(bot) == []


@pytest.mark.parametrize(
    ("why", "said"),
    [("off", "off in my settings (`picture` under `[cortex]`)"), ("missing", "pip install 'glassmind[charts]'")],
)
async def test_without_pictures_the_table_says_all_and_why(tmp_path, monkeypatch, why, said):
    if why == "missing":
        monkeypatch.setattr(chart_pictures, "can_draw", lambda: False)
    more = {"picture": "off"} if why == "off" else {}
    async with chat(tmp_path, settings=config(tmp_path / "data", cortex=more)) as bot:
        await taught(bot)
        await bot.hears("!cortex memory chart", OWNER)
        assert said in bot.last and "James" in bot.last and "12" in bot.last
        assert bot.private[-1].file is None and pictures(bot) == []
        row = await bot.remembers("Ann likes tea.")
        await bot.hears("hello again")
        await bot.hears(f"!cortex memory spread {handle(HandleKind.MEMORY, row)} chart", OWNER)
        assert said in bot.last and "requests" in bot.last
        assert "Draw it" not in [button.label for button in bot.private[-1].buttons]


async def test_a_moderator_sees_who_taught_where_they_moderate_and_nobody_else(tmp_path):
    async with chat(tmp_path, settings=config(tmp_path / "data", platforms={"console": PEOPLE})) as bot:
        moderates(bot, MODERATOR, GENERAL)
        await bot.hears("hello")
        await bot.hears("hello", channel=SECOND)
        everywhere = {"scope": MemoryScope.GUILD, "scope_id": "1"}
        await bot.remembers("tea", provenance=by("200", "James"))
        await bot.remembers("CANARY", channel=SECOND, provenance=by("300", "Canary"), **everywhere)
        said = await asks(bot, MODERATOR, "memory chart")
        assert "James" in said and "Canary" not in said and "1 remembered" in said
        assert "1 more was learnt where you cannot read: not counted here." in said
        assert (await asks(bot, MODERATOR, "memory chart server")).startswith("`memory list server` is for admins.")
        said = await asks(bot, MODERATOR, "memory chart #second")
        assert "Canary" not in said and "remembered" not in said
        said = await asks(bot, ADMIN, "memory chart")
        assert "Canary" not in said
        await bot.hears("!cortex memory chart server", OWNER)
        assert bot.last.startswith("The server of #general") and "Canary" in bot.last and "2 remembered" in bot.last
        before = len(bot.private)
        await bot.hears("!cortex memory chart", STRANGER)
        assert len(bot.private) == before
        moderates(bot, MODERATOR)
        bot.platform.moderators.clear()
        assert "James" not in await asks(bot, MODERATOR, "memory chart")


async def test_whoever_wished_to_be_forgotten_is_not_drawn(tmp_path):
    async with chat(tmp_path) as bot:
        await taught(bot)
        await bot.store.erasures.erase(PersonKey("console", UserId("200")))
        await bot.hears("!cortex memory chart", OWNER)
        assert "1 remembered" in bot.last and "James" not in bot.last and "older" not in bot.last


async def test_a_spread_is_drawn_when_asked_for_and_by_its_button(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hi there")
        row = await bot.remembers("Ann likes tea.")
        await bot.hears("and now?")
        await bot.hears(f"!cortex memory spread {handle(HandleKind.MEMORY, row)}", OWNER)
        assert bot.private[-1].file is None
        await bot.presses("Draw it")
        file = bot.private[-1].file
        assert file.name.startswith("spread") and "what came of" in bot.last
        for asked in (f"{handle(HandleKind.MEMORY, row)} chart", "by ann chart", "by ann 2h chart", "since 2h chart"):
            await bot.hears(f"!cortex memory spread {asked}", OWNER)
            assert bot.private[-1].file, (asked, bot.last)


SPAN = TimelineSpan(START // DAY * DAY - 29 * DAY, DAY, 30)


def teacher(user: str, name: str, *counts: tuple[int, int]) -> TeacherCounts:
    steps = [MemoryCount(*one) for one in counts]
    return TeacherCounts(PersonKey("console", UserId(user)), name, (*[MemoryCount()] * (30 - len(steps)), *steps))


def test_who_decides_comes_first_and_everybody_else_last():
    tiers = {"1": Authority.OWNER, "5": Authority.MODERATOR}
    people = (
        teacher("9", "zoe", (9, 0)),
        teacher("5", "mod", (2, 1)),
        TeacherCounts(None, "", (MemoryCount(1, 0),) * 30, 1204),
        teacher("1", "root", (1, 0)),
    )
    timeline = MemoryTimeline(SPAN, people, (("fact", 12), ("identity", 2), ("human", 2), ("todo", 1), ("goal", 3)), 4)
    found = ordered(timeline, lambda person: tiers.get(person.user_id, Authority.EVERYONE), NOTHING)
    assert [(one.name, one.role) for one in found] == [
        ("root", Authority.OWNER),
        ("mod", Authority.MODERATOR),
        ("zoe", Authority.EVERYONE),
        ("1,204 others", None),
    ]
    chart = teaching_chart(timeline, found, "#general")
    assert chart.title == "#general: who taught it" and chart.rest[1] == "1 of them forgotten since"
    assert sum(sum(band.kept) + sum(band.forgotten) for band in chart.bands) == timeline.total.total == 43
    kinds, *notes = chart.notes
    assert kinds == "12 facts, 2 identities, 2 about people, 1 todo, 3 more"
    assert notes == ["4 more are older", "roles as they are now"]
    assert [mark.bar for mark in chart.marks] == [0, 7, 14, 22, 29]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.text(max_size=200), st.integers(0, 10**7), st.integers(0, 10**7)), max_size=6))
def test_whatever_somebody_is_called_the_table_fits_and_the_picture_is_drawn(people):
    teachers = tuple(teacher(str(n), name, (kept, gone)) for n, (name, kept, gone) in enumerate(people))
    timeline = MemoryTimeline(SPAN, teachers, (("fact", 1),))
    found = ordered(timeline, lambda _: Authority.MODERATOR, NOTHING)
    text = timeline_text(timeline, found, "#general", 0, NOTHING)
    if timeline.total.total:
        rows = text.split("\n```", 2)[1].splitlines()[1:]
        assert len(rows) == len(people) + 1
        assert all(columns(line) <= MAX_PHONE_COLUMNS for line in rows)


@pytest.mark.parametrize("name", ["\u202eevil", "a" + "\u0301" * 90, "x" * 200, "*" * 60, "```", "<@1>", "日本語" * 60])
def test_a_name_breaks_nothing(name):
    timeline = MemoryTimeline(SPAN, (teacher("1", name, (3, 1)),), (("fact", 4),))
    found = ordered(timeline, lambda _: Authority.ADMIN, NOTHING)
    text = timeline_text(timeline, found, "#general", 0, NOTHING)
    assert "\u202e" not in text and text.count("```") == 4
    assert all(columns(line) <= MAX_PHONE_COLUMNS for line in text.splitlines()[3:5])
    assert draw_teaching(teaching_chart(timeline, found, "#general"), ChartStyle.DARK)


def test_a_secret_that_is_a_name_is_not_shown():
    redactor = Redactor.of({"key": "sk-hunter2hunter2hunter2HUNTER2"})
    timeline = MemoryTimeline(SPAN, (teacher("1", "sk-hunter2hunter2hunter2HUNTER2", (3, 1)),))
    found = ordered(timeline, lambda _: Authority.ADMIN, redactor)
    assert "hunter2" not in str(teaching_chart(timeline, found, "#general"))
    assert "hunter2" not in timeline_text(timeline, found, "#general", 0, redactor)
