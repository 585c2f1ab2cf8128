"""What the bot remembers has a past: an admin sees who changed what, and goes back."""

from __future__ import annotations

import re

import pytest

from bot.app.retention import retention_of
from bot.domain.channel import ResponseMode
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import UserId
from bot.domain.memory import MemoryProvenance
from tests.dialogs.bot import GENERAL, a_bot
from tests.dialogs.stores import OF_A_FILE
from tests.fakes import values as v

HOUR = 3600.0


@pytest.fixture
async def bot(tmp_path):
    async with a_bot(tmp_path) as bot:
        await bot.says("ann", "hello")
        await bot.says("bo", "hello")
        yield bot


async def asks(bot, text: str, name: str = "root") -> str:
    before = len(bot.lines)
    await bot.says(name, f"!cortex {text}")
    return "\n".join(bot.lines[before:])


def named(row: int) -> str:
    return handle(HandleKind.MEMORY, row)


async def remembers(bot, words: str, who: str = "ann", user: str = "101") -> int:
    said = MemoryProvenance(author=UserId(user), author_name=who, inbound=1)
    (row,) = await bot.store.memories.add([v.memory(words, provenance=said, created_at=bot.clock.now())])
    return row


async def raid(bot) -> None:
    """Mod has a lie kept, and lets the bot answer nothing."""
    await remembers(bot, "Pigs can fly", "mod", "2")
    await bot.says("mod", "/quiet")


async def test_history_tells_who_changed_a_memory_and_when(bot):
    await remembers(bot, "Ann likes tea")
    bot.clock.advance(HOUR)
    offered = await asks(bot, f"memory forget {named(1)}")
    await presses(bot, offered, f"Forget {named(1)}")
    page = await asks(bot, f"memory history {named(1)}")
    assert "Ann likes tea" in page
    assert re.search(r"saved by ann, 1 h ago\n.*fact, importance 0\.60", page)
    assert re.search(r"forgotten by root, \d+ s ago", page)


async def test_diff_tells_what_came_and_what_is_set(bot):
    await remembers(bot, "Ann likes tea")
    bot.clock.advance(2 * HOUR)
    await raid(bot)
    page = await asks(bot, "memory diff 1h")
    assert "+ Pigs can fly" in page and "saved by mod" in page and "Ann likes tea" not in page
    assert "~ mode: when addressed → only listens" in page and "set by mod" in page


async def test_nothing_changed_is_said(bot):
    assert "changed since" in (page := await asks(bot, "memory diff 1h")) and "nothing" in page


async def test_as_of_tells_what_was_remembered_then(bot):
    await remembers(bot, "Ann likes tea")
    bot.clock.advance(2 * HOUR)
    await presses(bot, await asks(bot, f"memory forget {named(1)}"), f"Forget {named(1)}")
    await remembers(bot, "Pigs can fly", "mod", "2")
    bot.clock.advance(60)
    page = await asks(bot, "memory as-of 1h")
    assert "Ann likes tea" in page and "forgotten since" in page and "Pigs" not in page


@pytest.mark.parametrize(
    "words", ["memory as-of 2025-13-01", "memory diff 2999-01-01", "memory rollback today 23:59 by ann"]
)
async def test_a_time_that_cannot_be_read_is_said_with_those_that_can(bot, words):
    assert "Write `2h`" in await asks(bot, words)


async def test_a_rollback_is_shown_first_then_done_then_undone(bot):
    await remembers(bot, "Ann likes tea")
    bot.clock.advance(2 * HOUR)
    await raid(bot)
    bot.clock.advance(60)
    offered = await asks(bot, "memory rollback 1h by mod")
    assert "only what mod changed" in offered and "- Pigs can fly" in offered
    assert "~ mode: only listens → when addressed" in offered
    assert (await bot.store.memories.get(2)).forgotten_at == 0
    done = await presses(bot, offered, "Undo 2 changes")
    assert "undone:" in done
    assert (await bot.store.memories.get(2)).forgotten_at and not (await bot.store.memories.get(1)).forgotten_at
    assert any("glassmind<" in line for line in await bot.says("ann", "@glassmind are you there?"))
    await asks(bot, "audit")
    await presses(bot, done, "Undo")
    assert not (await bot.store.memories.get(2)).forgotten_at
    state = await bot.store.channels.load(GENERAL)
    assert state.settings.mode is ResponseMode.OBSERVE


async def test_of_somebody_who_changed_nothing_nothing_can_be_taken_back(bot):
    bot.clock.advance(60)
    assert "Nothing that was changed" in await asks(bot, "memory rollback 1h by ann")


@OF_A_FILE
async def test_before_versions_were_kept_nothing_can_be_told(tmp_path):
    from tests.adapters.sqlite.governance.test_revisions import before_versions

    async with a_bot(tmp_path) as bot:
        await bot.says("ann", "hello")
        await remembers(bot, "Ann likes tea")
        await bot.close()
        before_versions(bot.data)
        await bot.open()
        bot.clock.advance(HOUR)
        assert "Changes are on record since" in await asks(bot, "memory rollback 2h")
        assert "Changes are on record since" in await asks(bot, "memory as-of 2h")
        assert "there when versions began by ann" in await asks(bot, f"memory history {named(1)}")


async def test_an_admin_sees_what_would_be_found_and_which_part_each_reason_had(bot):
    await remembers(bot, "Ann likes green tea")
    await remembers(bot, "The tea room is closed on Monday")
    page = await asks(bot, "memory recall green tea")
    assert "for these words I would find 2 memories, best first" in page
    first, second = page[page.index("1. Ann likes green tea") :].split("2. The tea room")
    given = [float(points) for points in re.findall(r"\+ ([\d.]+)  ", first)]
    assert "shared words, place 1" in first and "importance, place" in first
    total = float(re.search(r"([\d.]+) points · m", first)[1])
    assert abs(sum(given) - total) <= 0.2 and "shared words, place 2" in second
    assert max(len(line[2:]) for line in page.split("```")[1].split("\n")) <= 38
    assert "I would find nothing" in await asks(bot, "memory recall zebras")
    # that an admin looked is no reading by the bot
    assert (await bot.store.memories.get(1)).access_count == 0


async def test_strangers_get_no_page(bot):
    await remembers(bot, "Ann likes tea")
    assert "saved" not in await asks(bot, f"memory history {named(1)}", "ann")


async def presses(bot, page: str, label: str) -> str:
    assert label in page
    before = len(bot.lines)
    await bot.types(f"/press {label}")
    return "\n".join(bot.lines[before:])


async def test_the_reason_of_a_pause_goes_with_who_gave_it_for_good(bot):
    await bot.says("mod", "/pause XYZZY is loud")
    offered = await asks(bot, "forget user 2")
    await presses(bot, offered, "Forget id 2 for good")
    await bot.app.settled()
    # what is set next is set upon what is held in memory
    await bot.says("root", "/mention-only")
    state = await bot.store.channels.load(GENERAL)
    assert state.settings.pause is not None and not state.settings.pause.reason
    assert not await bot.store.verify()
    held = b"".join(path.read_bytes() for path in bot.data.iterdir() if path.is_file())
    assert b"XYZZY" not in held


async def test_where_an_old_past_is_gone_it_is_said_when_the_rest_begins(bot):
    await remembers(bot, "Ann likes tea")
    bot.clock.advance(400 * 24 * HOUR)
    await bot.store.sweep(retention_of(bot.config.config), bot.clock.now())
    for asked in ("memory as-of 399d", "memory rollback 399d", "memory diff 399d", f"memory history {named(1)}"):
        page = await asks(bot, asked)
        assert "Changes are on record since" in page and "35 d ago" not in page, asked
    assert "Ann likes tea" in await asks(bot, "memory as-of 300d")
    assert "Ann likes tea" in (page := await asks(bot, f"memory history {named(1)}"))
    assert "there when versions began, 365 d ago" in page and "ann" not in page.partition("began")[2]
    assert "forget versions" in await asks(bot, "audit")


async def test_what_was_forgotten_to_make_room_comes_back_with_a_rollback_and_stays(tmp_path):
    async with a_bot(tmp_path / "crowded", more="[memory]\nper_channel = 2\n") as bot:
        await bot.says("ann", "hello")
        for words in ("Ann likes tea", "Ann likes cake", "Ann likes milk"):
            await remembers(bot, words)
        bot.clock.advance(2 * HOUR)
        await bot.app.maintenance.sweep()
        page = await asks(bot, "memory diff 1h")
        assert "- Ann likes tea" in page and "forgotten to make room" in page
        offered = await asks(bot, "memory rollback 1h")
        assert "Ann likes tea" in offered
        await presses(bot, offered, "Undo 1 change")
        await bot.app.maintenance.sweep()
        (tea, cake) = [await bot.store.memories.get(row) for row in (1, 2)]
        assert not tea.forgotten_at and cake.forgotten_at, "another one goes instead"
