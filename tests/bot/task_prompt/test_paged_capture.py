"""A page is never larger than the room that is left, says what is missing, and changes nothing."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.context.tokens import by_bytes
from bot.domain.snapshot import ContextSnapshot
from bot.errors import ToolError
from bot.inspect.capture.part_reader import read
from bot.task_prompt.paged_capture import MIN_PAGE_TOKENS, ReadingRoom
from tests.bot.context.shown import capture
from tests.bot.task_prompt.gatherers.grounds import shown
from tests.fakes.contexts import Stack, ask, limits, says, talked
from tests.fakes.reading import reading
from tests.fakes.values import call, channel, result

WORDS = {17: "lighthouse"}
MORNING = "The boat leaves in the morning. " * 12
TALK = shown(
    *(says(f"{WORDS.get(number, 'lemon')} number {number}. {MORNING}", number) for number in range(1, 60)),
    call("memory_recall", '{"query":"lemons"}'),
    result("no such table " * 40, ok=False),
)
CAPTURED = replace(asyncio.run(capture()), messages=TALK)


async def sent(window: int) -> ContextSnapshot:
    """What a process with such a window was sent last; the answer takes 100 tokens of it."""
    return await Stack().contexts.snapshot(ask(channel(), limit=limits(window, 100)))


def room_of(snapshot: ContextSnapshot) -> int:
    left = snapshot.inputs.limits
    return (left.window - left.max_output - snapshot.stats.total - 60) // 2


SENT = {window: asyncio.run(sent(window)) for window in (1700, 2400, 4000, 9000, 128_000)}
PARTS = ("outline", "history:1-61", "history", "section:operating_contract", "ledger", "status", "dump", "search:lemon")


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(PARTS), st.sampled_from(sorted(SENT)))
def test_a_page_fits_the_room_that_is_left(part, window):
    snapshot = SENT[window]
    page = asyncio.run(reading(CAPTURED).read(part, snapshot))
    assert by_bytes(page) <= max(room_of(snapshot), MIN_PAGE_TOKENS + 60) and len(page) <= 17_000
    whole = read(part, CAPTURED, 10**9)
    assert page == whole or re.search(r"left out|cut to the room", page)


async def test_a_history_is_cut_to_what_the_question_is_about():
    page = await reading(CAPTURED, "what about the lighthouse?").read("history:1-61", SENT[4000])
    assert "lighthouse number 17." in page and "[cut to the room that you have left" in page
    missing = re.search(r"left out: (history:.*?); character by character .*`history:1-61@0`\]$", page)
    assert missing and ", " in missing[1]
    assert page.count("lemon number") < 59


async def test_pieces_stand_in_the_order_in_which_they_were_said():
    page = await reading(CAPTURED, "what failed?").read("history:1-61", SENT[9000])
    said = [int(number) for number in re.findall(r"^## history:(\d+)", page, re.MULTILINE)]
    assert said == sorted(said) and len(said) > 1 and "failed: no such table" in page


async def test_a_page_from_a_character_on_is_exact():
    room = reading(CAPTURED)
    page = await room.read("history:1-61@100", SENT[2400])
    whole = read("history:1-61", CAPTURED, 10**9).split("\n", 2)[2]
    piece = re.search(r"```\n(.*)\n```\n\[characters 100-(\d+) of", page, re.DOTALL)
    assert piece and piece[1] == whole[100 : int(piece[2])]


async def test_calls_of_one_round_share_what_is_left():
    room, snapshot = reading(CAPTURED), SENT[9000]
    pages = await asyncio.gather(*(room.read("history:1-61", snapshot) for _ in range(4)))
    sizes = [by_bytes(page) for page in pages]
    assert sizes == sorted(sizes, reverse=True) and sum(sizes) < 2 * room_of(snapshot)
    later = ask(talked(channel(), ("more", "yes")), limit=limits(9000, 100))
    again = await room.read("history:1-61", await Stack().contexts.snapshot(later))
    assert by_bytes(again) > sizes[-1], "another round has its own room"


async def test_without_room_the_model_is_told_to_answer():
    room = reading(CAPTURED)
    with pytest.raises(ToolError, match="Answer with what you have read"):
        for _ in range(20):
            await room.read("history:1-61", SENT[4000])
    with pytest.raises(ToolError, match="Valid parts"):
        await room.read("everything", SENT[4000])


async def test_reading_changes_nothing():
    before = replace(CAPTURED)
    room: ReadingRoom = reading(CAPTURED)
    for part in PARTS:
        await room.read(part, SENT[128_000])
    assert before == CAPTURED
