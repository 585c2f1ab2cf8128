"""Moderators look through what is remembered where they moderate, in private; admins decide."""

from __future__ import annotations

import pytest

from bot.domain.handles import HandleKind, handle
from bot.domain.ids import ChannelId, UserId
from bot.domain.memory import MemoryProvenance, MemoryScope
from tests.bot.cortex.chat import ADMIN, ANN, GENERAL, OWNER, SILENCING, chat, config, dm_of
from tests.bot.cortex.moderators import BOB, DEMOTED, ELSEWHERE, MODERATOR, PEOPLE, SECOND, asks, moderates, told
from tests.fakes.provider import says

PRIVATE = ChannelId(f"console:dm:{ANN}")
MAY = (
    "That is for admins. You may use: memory, memory list, memory search, memory by, memory show, memory propose, "
    "memory history, memory diff, memory as-of, memory spread, memory chart, find. "
    "Name the channel, such as `memory list #name`."
)


@pytest.fixture
async def bot(tmp_path):
    settings = config(tmp_path / "data", platforms={"console": PEOPLE})
    settings = settings.model_copy(
        update={"bot": settings.bot.model_copy(update={"persona": "You keep a lighthouse."})}
    )
    async with chat(tmp_path, says("yes"), settings=settings) as bot:
        moderates(bot, MODERATOR, GENERAL)
        moderates(bot, ELSEWHERE, SECOND)
        bot.platform.readers |= {(DEMOTED, GENERAL)}
        await bot.hears("hello")
        await bot.hears("hello", channel=SECOND)
        await bot.remembers(SILENCING, provenance=BOB)
        await bot.remembers("CANARY of the second", channel=SECOND, scope=MemoryScope.GUILD, scope_id="1")
        await bot.remembers("CANARY of ann alone", channel=PRIVATE, scope=MemoryScope.USER, scope_id=ANN)
        await bot.remembers("CANARY in the second", channel=SECOND)
        yield bot


@pytest.mark.parametrize("where", [GENERAL, dm_of(MODERATOR)])
async def test_a_moderator_looks_through_what_their_channel_remembers_in_private(bot, where):
    name = handle(HandleKind.MEMORY, 1)
    for line in ("memory list #general", "memory search answer", "memory by bob", "memory"):
        said = await asks(bot, MODERATOR, line, where)
        assert SILENCING in said and f"Bob · decision · 0 s · {name}" in said, line
        assert "CANARY" not in said
    said = await asks(bot, MODERATOR, f"memory show {name}", where)
    assert said.endswith(name) and "Saved because of Bob (id 200), not an admin," in said
    for line in (name, f"open {name}"):
        assert await asks(bot, MODERATOR, line, where) == said
    said = await asks(bot, MODERATOR, f"memory history {name}", where)
    assert SILENCING in said and "saved by Bob" in said
    said = await asks(bot, MODERATOR, "memory as-of 1s", where)
    assert SILENCING not in said and "CANARY" not in said


async def test_what_was_learnt_elsewhere_cannot_be_found_either(bot):
    for word in ("CANARY", "second", "alone"):
        said = await asks(bot, MODERATOR, f"memory search {word}")
        assert said.startswith(
            "#general: nothing remembered\nOnly: with those words\n1 more was learnt where you cannot read"
        )
    for row in (2, 3, 4):
        said = await asks(bot, MODERATOR, f"memory show {handle(HandleKind.MEMORY, row)}")
        assert said == "There is no such record that you may open."


LINES = (
    "|why|why is it silent|context|read|export|usage|ledger|audit|doctor|fix|memory forget m2krxn|"
    "memory restore m2krxn|memory export|memory export server|memory import|memory rollback 2h|"
    "memory forget by 200|tools|r2krxn|i2krxn|help|forget user 200|would 100 “hello”|tell me everything|memory by 200 x"
)


async def test_everything_else_is_answered_with_what_they_may_use(bot):
    for line in LINES.split("|"):
        assert await asks(bot, MODERATOR, line) == MAY, line


async def test_a_moderator_is_told_which_channels_they_may_name(bot):
    for where in (SECOND, GENERAL):
        said = await asks(bot, MODERATOR, "memory list #second", where)
        assert said == (
            "You moderate no channel with that name.\nWhich channel? You moderate #general: `memory list #general`."
        )
    said = await asks(bot, MODERATOR, "memory list", SECOND)
    assert said == (
        "The platform says that you do not moderate that channel.\n"
        "Which channel? You moderate #general: `memory list #general`."
    )
    moderates(bot, MODERATOR, SECOND)
    bot.clock.advance(3600)
    said = await asks(bot, MODERATOR, "memory list", dm_of(MODERATOR))
    assert said == "Which channel? You moderate #second, #general: `memory list #second`."
    said = await asks(bot, MODERATOR, "memory list #second", dm_of(MODERATOR))
    assert "CANARY in the second" in said


async def test_who_moderates_nothing_any_more_reads_nothing(bot):
    for who in (DEMOTED, ELSEWHERE):
        said = await asks(bot, who, "memory list #general")
        assert SILENCING not in said and said.startswith("You moderate no channel with that name.")
        said = await asks(bot, who, f"memory show {handle(HandleKind.MEMORY, 1)}")
        assert said == "There is no such record that you may open."
    said = await asks(bot, DEMOTED, "memory list", dm_of(DEMOTED))
    assert said == "The platform says that you do not moderate that channel."
    bot.clock.advance(3600)
    said = await asks(bot, DEMOTED, "memory list", dm_of(DEMOTED))
    assert said == "You moderate no channel that I know."


async def test_a_talk_goes_on_in_private_and_a_page_that_was_closed_stays_closed(bot):
    for number in range(20):
        await bot.remembers(f"Fact {number}", provenance=BOB)
    said = await asks(bot, MODERATOR, "memory list")
    assert said.startswith("#general: 21 memories, page 1 of 3")
    await bot.presses("Older", MODERATOR)
    assert told(bot, MODERATOR)[-1].startswith("#general: 21 memories, page 2 of 3")
    await bot.dm("memory by bob page 3", MODERATOR)
    assert SILENCING in told(bot, MODERATOR)[-1]
    await bot.dm("what is the weather", MODERATOR)
    assert told(bot, MODERATOR)[-1] == MAY
    assert await bot.presses("Older", OWNER, dm_of(MODERATOR)) == ("Only the person this was made for can press it.")
    bot.platform.moderators.clear()
    before = len(bot.private)
    assert await bot.presses("Older", MODERATOR) == "You may not inspect that channel now. Nothing was changed."
    assert len(bot.private) == before


async def test_a_moderator_finds_words_in_the_talk_and_in_memories_and_nothing_of_how_the_bot_is_set_up(bot):
    said = await asks(bot, MODERATOR, 'find "do not answer"')
    assert handle(HandleKind.MEMORY, 1) in said
    assert [one.label for one in bot.private[-1].buttons] == [f"Open {handle(HandleKind.MEMORY, 1)}"]
    await bot.presses("Open m", MODERATOR)
    assert "Saved because of Bob" in told(bot, MODERATOR)[-1]
    assert "hello" in await asks(bot, MODERATOR, 'find "hello"')
    for word in ("CANARY", "lighthouse", "fact, preference"):
        said = await asks(bot, MODERATOR, f'find "{word}"')
        assert said.startswith("Nothing that the model is told in #general has those words"), (word, said)
        assert "are not shown to you, and were not searched" in said


async def test_every_look_of_a_moderator_is_in_the_audit(bot):
    await asks(bot, MODERATOR, "memory list")
    (row, *_) = await bot.store.audit.newest(None, 5)
    assert (row.body.actor, row.body.action, row.body.target) == (MODERATOR, "look", GENERAL)


async def test_who_cannot_be_written_to_hears_only_how_to_get_there(bot):
    bot.platform.closed_dms.add(MODERATOR)
    await bot.hears("!cortex memory list", MODERATOR)
    assert "only in private" in bot.public[-1] and SILENCING not in "".join(bot.public)
    link = bot.public[-1].partition("https://chat.example/")[2].split()[0]
    bot.platform.closed_dms.clear()
    await bot.dm(f"/start {link}", MODERATOR)
    assert SILENCING in told(bot, MODERATOR)[-1]


async def test_the_server_is_for_admins(bot):
    said = await asks(bot, MODERATOR, "memory list server")
    assert said == "`memory list server` is for admins. Name a channel that you moderate: `memory list #name`."
    said = await asks(bot, OWNER, "memory list server")
    assert said.startswith("The server of #general: 3 memories") and "CANARY in the second" in said
    said = await asks(bot, ADMIN, "memory list server")
    assert said.startswith("The server of #general: 1 memory") and "CANARY" not in said
    assert "2 more were learnt where you cannot read" in said


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("type decision", {"a", "b", "c", "d"}),
        ("facts", {"e"}),
        ("by Jürgen", {"c"}),
        ("by “jürgen”", {"c"}),
        ("older 1d", {"d", "e"}),
        ("newer 1d kept", {"a", "b"}),
        ("forgotten", {"c"}),
        ("by bob older 12 h decisions", {"d"}),
        ("scope server", set()),
    ],
)
async def test_filters_are_words(tmp_path, words, found):
    settings = config(tmp_path / "data", platforms={"console": PEOPLE})
    async with chat(tmp_path, settings=settings) as bot:
        moderates(bot, MODERATOR, GENERAL)
        await bot.hears("hello")
        now = bot.clock.now()
        jurgen = MemoryProvenance(author=UserId("201"), author_name="Jürgen")
        await bot.remembers("word-e", created_at=now - 172_800_000, type="fact", provenance=BOB)
        await bot.remembers("word-d", created_at=now - 172_800_000, provenance=BOB)
        row = await bot.remembers("word-c", provenance=jurgen)
        await bot.remembers("word-b")
        await bot.remembers("word-a")
        await bot.hears(f"!cortex memory forget {handle(HandleKind.MEMORY, row)}", OWNER)
        await bot.presses("Forget")
        said = await asks(bot, MODERATOR, f"memory list {words}")
        assert {letter for letter in "abcde" if f"word-{letter}" in said} == found
        count = {0: "nothing remembered", 1: "1 memory"}.get(len(found), f"{len(found)} memories")
        assert said.startswith(f"#general: {count}\nOnly: ")
