"""What came of a memory: counted, listed, and taken back with all of it."""

from __future__ import annotations

import re
from pathlib import Path

from bot.cortex.sessions.button_signing import ButtonVerb
from bot.domain.handles import SLOTS, HandleKind, handle
from bot.domain.ids import ChannelId, UserId
from bot.domain.memory import MemoryProvenance, MemoryScope
from bot.domain.messages import ChannelPlace
from tests.bot.cortex.chat import ADMIN, ANN, GENERAL, OWNER, STRANGER, chat, config
from tests.bot.cortex.moderators import BOB, ELSEWHERE, MODERATOR, PEOPLE, asks, moderates, told
from tests.fakes.provider import calls, says

SECOND = ChannelId("console:#second")
SAVES = [calls(("memory_save", {"content": "hello means tea", "type": "fact"})), says("noted")]


def name(row: int) -> str:
    return handle(HandleKind.MEMORY, row)


async def test_a_memory_is_followed_from_the_requests_to_what_was_saved_there(tmp_path, snapshot):
    async with chat(tmp_path, says("hi"), *SAVES, says("yes")) as bot:
        await bot.hears("hi there")
        first = await bot.remembers("Ann likes tea.")
        await bot.hears("remember that hello means tea")
        await bot.hears("hello?")
        await bot.hears(f"!cortex memory spread {name(first)}", OWNER)
        assert bot.last == snapshot(name="counts")
        assert all(len(line) <= 40 for line in bot.last.split("```")[1].splitlines())
        await bot.presses("Requests")
        assert re.sub(r"\d\d:\d\d", "HH:MM", bot.last) == snapshot(name="requests")
        await bot.presses("Counts")
        assert "memories" in bot.last
        await bot.presses("Memories")
        assert name(first + 1) in bot.last and name(first) not in bot.last.splitlines()[2]


async def test_what_nobody_was_told_came_to_nothing(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        row = await bot.remembers("Ann likes tea.")
        await bot.hears(f"!cortex memory spread {name(row)}", OWNER)
        assert "No stored record" in bot.last


async def test_of_a_person_and_of_a_time(tmp_path):
    async with chat(tmp_path, says("yes")) as bot:
        await bot.hears("hello")
        james = MemoryProvenance(author=UserId("200"), author_name="James")
        await bot.remembers("The door is green.", provenance=james)
        await bot.remembers("The door is red.", provenance=james)
        await bot.remembers("Ann likes tea.")
        await bot.hears("which colour?")
        for asked in ("by james", "by 200", "by <@200> 2h", "by @James since 1d"):
            await bot.hears(f"!cortex memory spread {asked}", OWNER)
            assert "2 memories by James" in bot.last, asked
        await bot.presses("Requests")
        assert "1 to 1 of 1" in bot.last
        await bot.hears("!cortex memory spread since 2h", OWNER)
        assert "3 memories saved since" in bot.last
        await bot.hears("!cortex memory spread by 300", OWNER)
        assert "Nothing of theirs" in bot.last


async def test_what_happened_where_an_admin_may_not_look_is_counted_and_withheld(tmp_path):
    async with chat(tmp_path, says("yes")) as bot:
        await bot.hears("hello")
        await bot.hears("hello", channel=SECOND)
        row = await bot.remembers("Ann likes tea.", scope=MemoryScope.GUILD, scope_id="1")
        await bot.hears("hello again")
        await bot.hears("hello again", channel=SECOND)
        await bot.hears(f"!cortex memory spread {name(row)}", ADMIN)
        assert "2 more are not shown to you" in bot.last
        await bot.presses("Requests", ADMIN)
        assert "1 to 1 of 1" in bot.last and "second" not in bot.last
        await bot.hears(f"!cortex memory spread {name(row)}", OWNER)
        assert "not shown" not in bot.last


async def test_a_memory_of_a_channel_that_one_may_not_see_does_not_exist(tmp_path):
    async with chat(tmp_path, says("yes")) as bot:
        await bot.hears("hello")
        await bot.hears("hello", channel=SECOND)
        row = await bot.remembers("CANARY", channel=SECOND, scope_id=SECOND)
        await bot.hears(f"!cortex memory spread {name(row)}", ADMIN)
        assert "no such record" in bot.last.lower()
        before = len(bot.private)
        await bot.hears(f"!cortex memory spread {name(row)}", STRANGER)
        assert len(bot.private) == before


async def test_all_that_came_of_it_is_forgotten_and_comes_back(tmp_path, snapshot):
    async with chat(tmp_path, says("hi"), *SAVES, says("yes")) as bot:
        await bot.hears("hi there")
        first = await bot.remembers("Ann likes tea.")
        await bot.hears("remember that hello means tea")
        await bot.hears(f"!cortex memory spread {name(first)}", OWNER)
        await bot.presses("Forget all")
        assert bot.last == snapshot(name="offer")
        kept = [await bot.store.memories.get(row) for row in (first, first + 1)]
        assert not any(memory.forgotten_at for memory in kept)
        await bot.presses("Take back")
        assert bot.last == snapshot(name="done")
        gone = [await bot.store.memories.get(row) for row in (first, first + 1)]
        assert all(memory.forgotten_at for memory in gone)
        await bot.presses("Undo")
        back = [await bot.store.memories.get(row) for row in (first, first + 1)]
        assert not any(memory.forgotten_at for memory in back)
        assert "undone" in bot.last


async def moderated(bot, scope: MemoryScope = MemoryScope.GUILD) -> int:
    """A memory of the first channel that the whole server knows, and that was in both and in a private chat."""
    moderates(bot, MODERATOR, GENERAL)
    moderates(bot, ELSEWHERE, SECOND)
    await bot.hears("hi there")
    await bot.hears("hi there", channel=SECOND)
    known = {"scope": scope, "scope_id": "1" if scope is MemoryScope.GUILD else GENERAL}
    row = await bot.remembers("Ann likes tea.", provenance=BOB, **known)
    await bot.hears("remember that hello means tea")
    await bot.hears("hello?")
    return row


def moderators(tmp_path):
    return config(tmp_path / "data", platforms={"console": PEOPLE})


async def test_a_moderator_looks_at_what_came_of_it_where_they_moderate(tmp_path, snapshot):
    async with chat(tmp_path, says("hi"), says("hi"), *SAVES, says("yes"), settings=moderators(tmp_path)) as bot:
        row = await moderated(bot)
        page = await asks(bot, MODERATOR, f"memory spread {name(row)}")
        assert page == snapshot(name="moderator") and "Ann likes tea." in page
        assert "do not moderate" not in page
        labels = [one.label for one in bot.private[-1].buttons]
        assert labels and not any("Forget" in one for one in labels)
        await bot.presses("Requests", MODERATOR)
        shown = told(bot, MODERATOR)[-1]
        assert "held it" in shown and "second" not in shown
        # how often it is told elsewhere does not show, only that it is
        pages = set()
        for _ in range(3):
            await bot.hears("what now?", channel=SECOND)
            pages.add(
                re.sub(
                    r"requests +\d+ +\d+|answers +\d+ +\d+",
                    "",
                    await asks(bot, MODERATOR, f"memory spread {name(row)}"),
                )
            )
        (page,) = pages
        assert "It also went into channels that you do not moderate." in page and "not shown to you" not in page


async def test_what_is_said_in_private_is_no_elsewhere(tmp_path):
    async with chat(tmp_path, says("hi"), says("hi"), *SAVES, says("yes"), settings=moderators(tmp_path)) as bot:
        row = await moderated(bot)
        before = await asks(bot, MODERATOR, f"memory spread {name(row)}")
        await bot.hears(f"!cortex what does {name(row)} do?", OWNER)
        dm = ChannelId(f"console:dm:{ANN}")
        await bot.hears("hello", ANN, dm, place=ChannelPlace(is_dm=True, guild_id="1"))
        assert await asks(bot, MODERATOR, f"memory spread {name(row)}") == before


async def test_whoever_moderates_another_channel_sees_nothing(tmp_path):
    async with chat(tmp_path, says("hi"), says("hi"), *SAVES, says("yes"), settings=moderators(tmp_path)) as bot:
        row = await moderated(bot)
        for asked in (f"memory spread {name(row)}", f'memory propose spread {name(row)} "why"'):
            assert "no such record" in (await asks(bot, ELSEWHERE, asked, SECOND)).lower()
        for asked in ("memory spread by bob", "memory spread since 2h"):
            assert "Nothing" in await asks(bot, ELSEWHERE, asked, SECOND)


async def test_taking_back_stays_with_admins_whatever_is_pressed(tmp_path):
    async with chat(tmp_path, says("hi"), says("hi"), *SAVES, says("yes"), settings=moderators(tmp_path)) as bot:
        row = await moderated(bot)
        await asks(bot, MODERATOR, f"memory spread {name(row)}")
        (counts,) = (one for one in bot.private[-1].buttons if one.label.startswith("Memories"))
        # what an admin's button would ask for, on a button that is theirs: the page asks once more who they are
        session = await bot.store.sessions.get(1)
        take_back = 7 * (1 << 14) * SLOTS + row
        forged = bot.app.cortex.presses.buttons.row(
            session, ButtonVerb.SPREAD, "Forget all that came of it…", take_back
        )
        await bot.press_data(forged.data, MODERATOR)
        assert "Take back" not in str(bot.private[-1].buttons) and counts.label.startswith("Memories (1")
        assert not (await bot.store.memories.get(row)).forgotten_at


async def test_a_moderator_proposes_to_take_it_back_and_an_admin_decides(tmp_path, snapshot):
    async with chat(tmp_path, says("hi"), says("hi"), *SAVES, says("yes"), settings=moderators(tmp_path)) as bot:
        row = await moderated(bot)
        page = await asks(bot, MODERATOR, f"memory spread {name(row)}")
        assert f'`memory propose spread {name(row)} "why"`' in page
        said = await asks(bot, MODERATOR, f'memory propose spread {name(row)} "it is a lie"')
        assert said.startswith("Proposed to 3 admins: ")
        card = next(one for one in reversed(bot.private) if one.to.private_to == ADMIN and one.buttons)
        assert re.sub(r"\d+ (s|min) old", "N s old", card.text) == snapshot(name="card")
        assert "waits for an admin already" in await asks(bot, MODERATOR, f'memory propose forget {name(row)} "again"')
        await bot.press_data(next(one.data for one in card.buttons if one.label == "Approve"), ADMIN)
        assert all([(await bot.store.memories.get(one)).forgotten_at for one in (row, row + 1)])
        decided = f"✓ user2 approved: {name(row)} is forgotten with all that came of it (2 memories)."
        assert told(bot, MODERATOR)[-1] == decided
        await bot.presses("Undo", ADMIN)
        assert not any([(await bot.store.memories.get(one)).forgotten_at for one in (row, row + 1)])
        assert told(bot, MODERATOR)[-1] == f"user2 took that back: {name(row)} is as it was."


async def test_a_moderators_picture_shows_nothing_of_what_they_do_not_moderate(tmp_path):
    async with chat(tmp_path, says("hi"), says("hi"), *SAVES, says("yes"), settings=moderators(tmp_path)) as bot:
        row = await moderated(bot)

        def drawn_for(who: str) -> bytes:
            file = [one for one in bot.private if one.to.private_to == who][-1].file
            assert file is not None
            return Path(file.path).read_bytes()

        async def picture(who: str) -> bytes:
            await bot.hears(f"!cortex memory spread {name(row)} chart", who)
            return drawn_for(who)

        seen, whole = set(), set()
        for _ in range(3):
            # it is told in the other channel, and in private
            await bot.hears("what now?", channel=SECOND)
            await bot.dm("and now?", ANN)
            seen.add(await picture(MODERATOR))
            whole.add(await picture(OWNER))
        assert len(seen) == 1 and len(whole) == 3 and not seen & whole
        # here it shows
        await bot.hears("and now?")
        assert await picture(MODERATOR) not in seen
