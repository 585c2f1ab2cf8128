"""Who may look into which channel on Discord: decided by the configured ids and by what the server says then."""

from __future__ import annotations

import itertools

import pytest

from tests.dialogs.discord import DiscordBot, a_discord_bot, labels_of
from tests.dialogs.discord_town import CELLS, ROLES, TARGETS, a_town, expected, remembered
from tests.fakes.lengths import whole_or
from tests.servers.discord import Channel, Message
from tests.servers.discord import Person as Account


@pytest.fixture
async def town(tmp_path):
    async with a_town(tmp_path) as town:
        yield town


async def test_two_hundred_and_ten_cells_as_the_server_has_them_now(town):
    assert len(CELLS) == 210
    wrong = [cell for cell in CELLS if await town.decides(*cell) != expected(cell[0], cell[2])]
    wrong += [cell for cell in CELLS if await town.remembers(*cell) != remembered(cell[0], cell[2])]
    assert wrong == []


async def test_who_may_take_messages_out_of_a_channel_moderates_it(town):
    house, demoted, sweeper = town.bot.house, town.people["demoted moderator"], town.people["manager only"]
    sweepers = house.role("sweepers", "manage_messages", members=(demoted, sweeper))
    assert await town.remembers("demoted moderator", "thread", "managed") == (True, True)
    assert await town.decides("demoted moderator", "thread", "managed") == (False, False)
    for target in TARGETS[1:]:
        assert await town.remembers("demoted moderator", "text channel", target) == (False, False), target
    assert await town.remembers("manager only", "thread", "managed") == (False, False), "rights alone give nothing"
    place = town.places["text channel", "managed"]
    place.deny(demoted, "manage_messages")
    assert await town.remembers("demoted moderator", "text channel", "managed") == (False, False)
    house.take(demoted, sweepers)
    assert await town.remembers("demoted moderator", "thread", "managed") == (False, False)


async def test_a_right_that_comes_or_goes_counts_at_once(town):
    house, admin, demoted = town.bot.house, town.people["admin"], town.people["demoted admin"]
    (stewards,) = (role for role in house.roles.values() if role.name == "stewards")
    place = town.places["thread", "managed"]
    house.take(admin, stewards)
    house.give(demoted, stewards)
    assert await town.decides("admin", "thread", "managed") == (False, False)
    assert await town.decides("demoted admin", "thread", "managed") == (True, True)
    place.parent.deny(demoted, "view_channel")
    assert await town.decides("demoted admin", "thread", "managed") == (True, False)
    house.permit(stewards, "manage_messages")
    assert await town.decides("demoted admin", "thread", "managed") == (False, False)
    house.permit(stewards, "administrator")
    assert await town.decides("demoted admin", "thread", "managed") == (True, True)
    house.leave(demoted)
    assert await town.decides("demoted admin", "thread", "managed") == (False, False)


async def test_who_is_in_a_private_thread_no_more_reads_it_no_more(town):
    thread = town.places["private thread", "managed"]
    del thread.joined[town.people["admin"].id]
    assert await town.decides("admin", "private thread", "managed") == (True, False)


async def test_when_the_platform_cannot_be_asked_the_answer_is_no(town):
    await town.bot.server.refuse()
    try:
        for role in ROLES[1:]:
            assert await town.decides(role, "text channel", "managed") == (False, False)
            assert await town.remembers(role, "text channel", "managed") == (False, False)
    finally:
        await town.bot.server.accept()


@pytest.mark.parametrize("how", ["typed", "in a thread", "in private", "/cortex"])
@pytest.mark.parametrize("role", ["owner", "admin", "stranger"])
async def test_the_bot_itself_answers_as_the_table_says(tmp_path, how, role):
    """At command time and at press time: what was said comes to who may read it, and to nobody else."""
    async with a_discord_bot(tmp_path / "data") as bot:
        await bot.app.publish("discord")
        who = {"owner": bot.root, "admin": bot.mod, "stranger": bot.ann}[role]
        bot.house.role("stewards", "manage_guild", members=(bot.ann,))
        where = bot.kitchen
        if how == "in a thread":
            where = await bot.ann.starts_thread(bot.kitchen, "tea")
        await bot.hears(bot.james, f"{bot.at} remember as fact with importance 0.5: the code is 4711.", where)
        await asks(bot, who, how, where)
        read = "\n".join([bot.private(who), *(one.text for one in bot.aside(who))])
        assert ("4711" in read) is (role != "stranger")
        assert "4711" not in "\n".join(text for text in bot.texts(where))
        if role != "admin":
            return
        (where.parent if where.is_thread else where).deny(who, "view_channel")
        before = len(bot.texts(bot.dm(who)))
        await bot.hears(who, f"!cortex memory list {where.mention}", bot.me)
        later = "\n".join(bot.texts(bot.dm(who))[before:])
        assert later and "4711" not in later and "withheld" in later


async def asks(bot: DiscordBot, who: Account, how: str, where: Channel) -> None:
    match how:
        case "in private":
            await bot.hears(who, f"!cortex memory list {where.mention}", bot.me)
        case "/cortex":
            await bot.slash(who, "cortex", where, question="memory list")
        case _:
            await bot.hears(who, "!cortex memory list", where)


ASKERS = [role for role in ROLES if role != "demoted moderator"]
IN_PRIVATE = "direct messages"
WAYS = ["in the channel", "in a thread", "in a post", "in private", "by a native command"]


async def test_a_hundred_and_eighty_questions_and_what_a_press_gets_afterwards(tmp_path):
    """Every role asks from every place about every target; then they lose what they are, and press what they have."""
    async with a_discord_bot(tmp_path / "data", begins=False, further_admins=1) as bot:
        people = await a_staff(bot)
        await bot.open()
        await bot.app.publish("discord")
        await bot.settled()  # whoever registers commands may not be who listens
        targets = await some_targets(bot, people)
        from_where = await some_rooms(bot)
        wrong, buttons = [], []
        for role, way, target in asked_about():
            who = people[role]
            word, title = targets.get(target, (f"discord:dm:{who.id}", IN_PRIVATE))
            before = {one.id for one in seen(bot, who)}
            await asks_about(bot, who, way, from_where.get(way), word)
            new = [one for one in seen(bot, who) if one.id not in before]
            reports = [one for one in new if title in one.text and labels_of(one, "All checks")]
            if bool(reports) is not expected(role, target)[0]:
                wrong.append((role, way, target, [one.text for one in new]))
            buttons += [(who, target, one) for one in reports]
        assert wrong == [], "\n".join(map(str, wrong))
        assert not any("no model used" in text for room in from_where.values() for text in bot.texts(room))
        await nobody_manages(bot)
        for who, target, report in buttons:
            before = {one.id for one in seen(bot, who)}
            press = await bot.presses(who, "All checks", report)
            told = [one.text for one in seen(bot, who) if one.id not in before]
            is_allowed = who is bot.root or target == "own private chat"
            words = "All checks" if is_allowed else "You may not inspect that channel now"
            assert len(told) == 1 and told[0].startswith(words), (told, press.answer)


def asked_about() -> list[tuple[str, str, str]]:
    """Who asks, how, about what: in the suite each asks about each target in another way than the one before."""
    pairs = [*itertools.product(ASKERS, TARGETS)]
    every = [(role, way, target) for role, way, target in itertools.product(ASKERS, WAYS, TARGETS)]
    return whole_or(every, [(role, WAYS[number % len(WAYS)], target) for number, (role, target) in enumerate(pairs)])


def seen(bot: DiscordBot, who: Account) -> list[Message]:
    """Everything that only they see."""
    return [*bot.written(bot.dm(who)), *bot.aside(who)]


async def a_staff(bot: DiscordBot) -> dict[str, Account]:
    moderator, manager, stranger = (bot.world.person(name) for name in ("Moder", "Manager", "Stranger"))
    bot.house.admit(moderator, manager, stranger)
    (keepers,) = (role for role in bot.house.roles.values() if role.name == "keepers")
    bot.house.give(moderator, keepers)
    bot.house.give(manager, keepers)
    (demoted,) = bot.admins
    bot.house.take(demoted, keepers)
    bot.platform = f"moderator_ids = [{moderator.id}]"
    everybody = (bot.root, bot.mod, demoted, moderator, manager, stranger)
    return dict(zip(ASKERS, everybody, strict=True))


async def some_targets(bot: DiscordBot, people: dict[str, Account]) -> dict[str, tuple[str, str]]:
    """Make what is asked about; return how each is written, and by what its report is known."""
    den = bot.world.guild("Den", bot.ann, *people.values())
    den.join(bot.me)
    found = {}
    for number, target in enumerate(TARGETS[:4]):
        channel = (den if "another" in target else bot.house).channel(f"target-{number}")
        await bot.hears(bot.ann, f"{bot.at} hello", channel)
        for who in people.values():
            if lacking := {"hidden": "view_channel", "without history": "read_message_history"}.get(target):
                channel.deny(who, lacking)
        found[target] = (channel.mention, f"#target-{number}")
    for who in (bot.ann, *people.values()):
        await bot.hears(who, "hello", bot.me)
    return found | {TARGETS[5]: (f"discord:dm:{bot.ann.id}", IN_PRIVATE)}


async def some_rooms(bot: DiscordBot) -> dict[str, Channel]:
    forum = bot.house.forum("recipes")
    thread = await bot.ann.starts_thread(bot.kitchen, "tea")
    post = await bot.ann.posts(forum, "tea", "tea?")
    return {"in the channel": bot.kitchen, "in a thread": thread, "in a post": post}


async def asks_about(bot: DiscordBot, who: Account, way: str, where: Channel | None, word: str) -> None:
    try:
        if way != "by a native command":
            raise ValueError(way)
        await bot.slash(who, "cortex", question=f"why {word}")
    except ValueError:  # what steers the bot is not even shown to who does not manage the server
        await bot.hears(who, f"!cortex why {word}", where or bot.me)
    bot.clock.advance(10)


async def nobody_manages(bot: DiscordBot) -> None:
    (keepers,) = (role for role in bot.house.roles.values() if role.name == "keepers")
    bot.house.permit(keepers)
    await bot.settled()
