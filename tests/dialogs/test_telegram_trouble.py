"""What Telegram does to a bot besides talking: each trouble has a name, a fix, and an end, and nothing is lost."""

from __future__ import annotations

import asyncio

import pytest

from bot.domain.health import AdapterState
from bot.domain.ledger import Outcome, StageVerdict
from tests.dialogs.stores import make_room
from tests.dialogs.telegram import AT, TelegramBot, a_telegram_bot
from tests.servers.telegram import CONFLICT, Answers, BadGateway, Drops, Flood, Person, Truncated
from tests.servers.telegram.shapes import Scene, shapes


@pytest.fixture
async def bot(tmp_path):
    async with a_telegram_bot(tmp_path / "data") as bot:
        yield bot


async def shows(bot: TelegramBot, state: AdapterState, code: str) -> str:
    """Wait until the platform's health says so; return the fix that it names."""
    await bot.server.until(lambda: (bot.telegram.health().state, bot.telegram.health().code) == (state, code))
    fix: str = bot.telegram.health().fix
    assert fix
    return fix


# the disk


async def test_who_asks_while_the_storage_is_full_hears_so_once_and_is_answered_later(bot, monkeypatch):
    make_room(monkeypatch, bot.store, -1)
    bot.clock.advance(2)
    begun = bot.clock.monotonic()
    for word in ("one", "two"):
        bot.say(bot.ann, f"{AT} say {word}")
    await bot.server.until(lambda: bool(bot.texts()))
    assert bot.texts()[0].startswith("My storage is full")
    assert await bot.store.ledger.recent(bot.key(), 9) == await bot.store.outbox.pending() == []
    make_room(monkeypatch, bot.store, 1 << 40)
    await bot.settled()
    *told, answer = bot.texts()
    assert answer == "two"
    assert len(told) <= 1 + (bot.clock.monotonic() - begun) / 3600


# who gets nothing

SCENE = Scene(
    {"id": -1_002_000_000_001, "type": "supergroup", "title": "kitchen"},
    {"id": 5_000_000_001, "is_bot": False, "first_name": "Root", "username": "root"},
    {"id": 7_000_000_001, "is_bot": True, "first_name": "Glassmind", "username": "glassmind_bot"},
    {"id": -1_002_000_000_009, "type": "channel", "title": "news"},
    "!cortex why",
)
SHAPES = {shape.name: shape for shape in shapes(SCENE)}


async def test_an_order_counts_only_where_its_author_typed_it_themselves(bot):
    """The owner's name stands on every one of these updates; most of them are not the owner's word."""
    for number, (name, shape) in enumerate(SHAPES.items()):
        before = len(bot.sends())
        bot.world.push(as_news(shape.update, number))
        await bot.settled()
        bot.clock.advance(60)
        words = [call for call in bot.sends()[before:] if call.params["chat_id"] == bot.root.id]
        public = [call for call in bot.sends()[before:] if call.params["chat_id"] != bot.root.id]
        assert bool(words) == shape.counts, name
        assert public == [], name
    rows = await bot.store.ledger.recent(bot.key(), 200)
    assert all(row.outcome is not None for row in rows)


def as_news(update: dict, number: int) -> dict:
    """Give a message a number of its own, so that it is none that was heard before."""
    (kind,) = update
    body = update[kind]
    fresh = {"message_id": 910_000 + number} if isinstance(body, dict) and "message_id" in body else {}
    return {kind: body | fresh if isinstance(body, dict) else body}


async def test_unknown_kinds_leave_a_row_and_hide_nothing(bot):
    bot.world.push({"brand_new_thing": {"hello": "there"}})
    bot.world.push({"message": {"message_id": "no number", "chat": 7}})
    bot.world.push({})
    (answer,) = await bot.hears(bot.ann, f"{AT} say yes")
    assert answer.text == "yes"


async def test_an_anonymous_admin_is_no_admin(bot):
    assert await bot.hears(bot.root, "!cortex why", anonymous=True) == []
    assert bot.private(bot.root) == ""


async def test_a_channel_post_starts_nothing(bot):
    news = bot.world.channel("news", bot.root, bot.me)
    bot.world.publish(news, f"{AT} !cortex why")
    bot.world.publish(news, f"{AT} are you there?")
    await bot.settled()
    assert bot.sends() == []


async def test_a_stranger_who_asks_the_cortex_hears_nothing(bot):
    assert await bot.hears(bot.ann, "!cortex why") == []
    asked = await bot.newest()
    assert asked.outcome is Outcome.COMMAND
    trail = await bot.store.ledger.trail(asked.id)
    assert [row.reason for row in trail.stages if row.verdict is StageVerdict.STOPPED] == ["denied"]


# a private chat that nobody has opened


async def test_a_closed_private_chat_is_opened_by_a_link_that_brings_the_answer(bot):
    await bot.hears(bot.ann, f"{AT} are you there?")
    (hint,) = await bot.hears(bot.mod, "!cortex why")
    assert hint.chat is bot.kitchen and "only in private" in hint.text
    link = next(word for word in hint.text.split() if word.startswith("https://t.me/"))
    assert await follows(bot, bot.james, link) == "I did not make this link for you. Nothing was done."
    assert "kitchen: all is well" in await follows(bot, bot.mod, link)
    assert (await follows(bot, bot.mod, link)).startswith("This link was used at")
    assert {call.params["chat_id"] for call in bot.sends() if "all is well" in str(call.params)} == {bot.mod.id}


async def test_a_link_outlives_a_kill(bot):
    (hint,) = await bot.hears(bot.mod, "!cortex why")
    link = next(word for word in hint.text.split() if word.startswith("https://t.me/"))
    await bot.dies()
    await bot.lives_again()
    assert "kitchen" in await follows(bot, bot.mod, link)


async def follows(bot: TelegramBot, who: Person, link: str) -> str:
    """Let somebody follow a link; return what they read then."""
    before = len(bot.texts(bot.dm(who)))
    bot.world.follow(who, link)
    await bot.settled()
    return "\n".join(bot.texts(bot.dm(who))[before:])


# greetings and menus


async def test_a_bot_that_is_brought_in_says_how_it_answers(bot):
    yard = bot.world.supergroup("yard", bot.root, bot.ann)
    bot.world.add_bot(yard)
    await bot.settled()
    (greeting,) = bot.texts(yard)
    assert greeting.startswith("Hello, I am Glassmind.") and "when somebody addresses me" in greeting


async def test_the_menu_is_published(bot):
    await bot.app.publish("telegram")
    everyone = [command["command"] for command in bot.me.commands["default"]]
    assert {"help", "start", "status"} <= set(everyone) and "pause" not in everyone
    assert any("pause" in str(commands) for scope, commands in bot.me.commands.items() if str(bot.root.id) in scope)


# the connection


@pytest.mark.parametrize(
    "fault",
    [
        Drops(),
        Drops(applied=True),
        BadGateway(),
        Flood(3),
        CONFLICT,
        Truncated(),
        Truncated(cut=True),
        Answers(b"[]"),
        Answers(b'{"ok": false}'),
        Answers(b'{"ok": true, "result": {"not": "a list"}}'),
        Answers(b'{"ok": true, "result": [1, null, "x"]}'),
        Answers(b"\xff\xfe nonsense", 500),
    ],
    ids=repr,
)
async def test_a_poll_that_fails_loses_nothing_and_repeats_nothing(bot, fault):
    bot.server.fault("getUpdates", fault, times=2)
    bot.say(bot.ann, f"{AT} say one")
    await bot.settled()
    bot.say(bot.ann, f"{AT} say two")
    await bot.settled()
    assert bot.texts() == ["one", "two"]


async def test_another_poller_is_named_and_outlived(bot):
    bot.server.fault("getUpdates", CONFLICT, times=6)
    bot.world.push({"poll": {"id": "wakes the poll"}})
    fix = await shows(bot, AdapterState.CONFLICT, "conflict")
    assert "Stop the other program" in fix
    (answer,) = await bot.hears(bot.ann, f"{AT} say yes")
    assert answer.text == "yes"


async def test_somebody_elses_webhook_is_reported_and_left_alone(tmp_path):
    async with a_telegram_bot(tmp_path / "data", begins=False) as bot:
        bot.world.set_webhook("https://elsewhere.example/secret-path")
        await bot.open()
        fix = await shows(bot, AdapterState.CONFLICT, "webhook")
        assert "take_over" in fix and "secret-path" not in str(bot.telegram.health())
        assert bot.me.webhook.url


async def test_a_wrong_token_is_named_and_not_asked_for_again_and_again(tmp_path):
    async with a_telegram_bot(tmp_path / "data", begins=False) as bot:
        token = bot.me.token
        del bot.world.bots[token]
        bot.me.token = "7000000001:wrong"
        await bot.open()
        bot.world.bots[token] = bot.me
        fix = await settles_down(bot)
        assert "BotFather" in fix


async def settles_down(bot: TelegramBot) -> str:
    async with asyncio.timeout(10):
        while bot.telegram.health().code != "token":  # noqa: ASYNC110 - a refused token makes no call that is heard
            await asyncio.sleep(0)
    health = bot.telegram.health()
    assert health.state is AdapterState.DOWN
    return health.fix


async def test_a_token_that_is_revoked_while_it_runs_is_named(bot):
    await bot.hears(bot.ann, f"{AT} say one")
    bot.world.revoke()
    assert "BotFather" in await settles_down(bot)
    bot.say(bot.ann, f"{AT} say two")
    await bot.restart()  # with the new token
    await bot.settled()
    assert bot.texts() == ["one", "two"]


async def test_a_token_never_shows(bot, capsys):
    for fault in (Drops(), BadGateway(body=bot.me.token.encode()), Truncated()):
        bot.server.fault("sendMessage", fault)
        bot.server.fault("getUpdates", fault)
        await bot.hears(bot.ann, f"{AT} say yes")
    said = "\n".join(str(call.params) for call in bot.server.calls()) + capsys.readouterr().out
    assert bot.me.token.partition(":")[2] not in said + str(bot.telegram.health())
