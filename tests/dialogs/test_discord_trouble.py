"""What Discord does to a bot besides talking: each trouble has a name, a fix, and an end, and nothing is lost."""

from __future__ import annotations

import pytest

from bot.domain.health import AdapterState
from bot.domain.ledger import Outcome
from tests.dialogs.discord import DiscordBot, a_discord_bot
from tests.dialogs.stores import make_room
from tests.fakes.provider import ScriptedProvider, says
from tests.inside.discord import rest_of
from tests.servers.discord import CLOUDFLARE, BadGateway, Closes, Cuts, Drops, Flood, Garbled, Refuses, Twice


@pytest.fixture
async def bot(tmp_path):
    async with a_discord_bot(tmp_path / "data") as bot:
        yield bot


async def shows(bot: DiscordBot, state: AdapterState, code: str) -> str:
    """Wait until the platform's health says so; return the fix that it names."""
    await bot.server.until(lambda: (bot.discord.health().state, bot.discord.health().code) == (state, code))
    return bot.discord.health().fix


# the connection


async def test_a_wrong_token_is_named_and_not_asked_for_again_and_again(tmp_path):
    async with a_discord_bot(tmp_path / "data", begins=False) as bot:
        bot.server.fault("*", Refuses(401, 0, "401: Unauthorized"), times=99)
        await bot.open()
        fix = await shows(bot, AdapterState.DOWN, "token")
        assert "token" in fix.lower() and bot.me.token not in str(bot.discord.health())
        calls = len(bot.server.calls())
        bot.clock.advance(600)
        await bot.settled()
        assert len(bot.server.calls()) - calls <= 10


@pytest.mark.parametrize("code", [4000, 4001, 4002, 4003, 4005, 4007, 4008, 4009])
async def test_a_connection_that_is_closed_is_opened_again_and_nothing_is_lost(bot, code):
    await bot.hears(bot.ann, f"{bot.at} say one")
    bot.server.gateway.close(code)
    await bot.says(bot.ann, f"{bot.at} say two")
    await bot.settled()
    assert bot.texts() == ["one", "two"]


@pytest.mark.parametrize(
    "fault",
    [Twice(), Twice(renumbered=True), Cuts(), Cuts(after=True), Closes(4000), Closes(4009, after=True), Garbled()],
    ids=repr,
)
async def test_an_event_that_goes_wrong_on_its_way_is_answered_once(bot, fault):
    await bot.hears(bot.ann, f"{bot.at} say one")
    bot.server.fault_event("MESSAGE_CREATE", fault)
    await bot.says(bot.ann, f"{bot.at} say two")
    await bot.settled()
    if isinstance(fault, Garbled):
        # nothing tells of what came as half a document; the next reading back finds it
        await bot.restart()
        await bot.settled()
    assert bot.texts() == ["one", "two"]


@pytest.mark.parametrize(
    "fault", [BadGateway(), Drops(), Flood(0.05), CLOUDFLARE], ids=["502", "dropped", "429", "ban"]
)
async def test_a_start_that_fails_is_tried_again(tmp_path, fault):
    async with a_discord_bot(tmp_path / "data", begins=False) as bot:
        bot.server.fault("get_gateway_bot", fault)
        await bot.open()
        await bot.settled()
        (answer,) = await bot.hears(bot.ann, f"{bot.at} say yes")
        assert answer.text == "yes"


async def test_an_intent_that_is_refused_is_named_and_given_later_is_enough(tmp_path):
    async with a_discord_bot(tmp_path / "data", begins=False) as bot:
        bot.me.granted -= {"message_content"}
        await bot.open()
        await bot.settled()
        await bot.hears(bot.ann, f"{bot.at} say one")
        await bot.hears(bot.root, f"{bot.at} !cortex why")
        report = bot.private(bot.root)
        assert "Message Content" in report and bot.discord.health().code == "content_intent"
        bot.me.granted |= {"message_content"}
        await bot.restart()
        await bot.settled()
        (answer,) = await bot.hears(bot.ann, "glassmind, are you there?")
        assert "I am here" in answer.text


# interactions


async def test_a_command_that_is_answered_too_late_is_answered_all_the_same(bot):
    """Three seconds are over before the promise arrives: the answer goes where a typed command's would."""
    await bot.app.publish("discord")
    bot.server.fault("callback", Refuses(404, 10062, "Unknown interaction"), times=2)
    typed = await bot.slash(bot.mod, "why")
    assert typed.shown == [] and "#kitchen" in bot.private(bot.mod)
    assert "#kitchen" not in "\n".join(bot.texts())
    facts = dict(bot.discord.health().facts)
    assert facts["late_interactions"] == "1" and int(facts["last_late_interaction_at"]) > 0


async def test_a_press_that_is_answered_too_late_has_its_effect_once(bot):
    await bot.hears(bot.mod, "!cortex why")
    bot.server.fault("callback", Refuses(404, 10062, "Unknown interaction"), times=2)
    before = len(bot.written(bot.dm(bot.mod)))
    press = await bot.presses(bot.mod, "All checks")
    assert press.shown == [] and len(bot.written(bot.dm(bot.mod))) == before + 1


async def test_commands_that_cannot_be_registered_are_named_to_who_asks(bot):
    bot.server.fault("put_commands", Refuses(400, 30034, "Max number of daily application command creates"), times=9)
    await bot.app.publish("discord")
    await bot.hears(bot.ann, f"{bot.at} hello")
    await bot.hears(bot.root, "!cortex doctor")
    assert "commands_quota" in bot.private(bot.root) or "slash commands" in bot.private(bot.root)


# the people


async def test_a_stranger_who_asks_the_cortex_hears_nothing(bot):
    assert await bot.hears(bot.ann, "!cortex why") == []
    assert (await bot.newest()).outcome is Outcome.COMMAND


async def test_a_token_never_shows(bot, capsys):
    for fault in (Drops(), BadGateway(body=bot.me.token.encode()), Refuses(400, 50035, bot.me.token)):
        bot.server.fault("create_message", fault)
        await bot.hears(bot.ann, f"{bot.at} say yes")
    await bot.hears(bot.root, "!cortex why")
    said = "\n".join(str(call.json) for call in bot.sends()) + capsys.readouterr().out
    assert bot.me.token not in said + str(bot.discord.health())


# the disk


async def test_who_asks_while_the_storage_is_full_hears_so_once_and_is_answered_later(bot, monkeypatch):
    make_room(monkeypatch, bot.store, -1)
    bot.clock.advance(2)
    begun = bot.clock.monotonic()
    for word in ("one", "two"):
        await bot.says(bot.ann, f"{bot.at} say {word}")
    await bot.server.until(lambda: bool(bot.texts()))
    assert bot.texts()[0].startswith("My storage is full")
    make_room(monkeypatch, bot.store, 1 << 40)
    await bot.settled()
    *told, answer = bot.texts()
    assert answer == "two"
    assert len(told) <= 1 + (bot.clock.monotonic() - begun) / 3600


# what Discord refuses


async def test_an_answer_that_waits_because_much_was_refused_says_so_and_goes_out_in_the_end(tmp_path, monkeypatch):
    monkeypatch.setattr("adapters.discord.rest.invalid_budget.PAUSE", 0.05)
    monkeypatch.setattr("adapters.discord.speaking.sender.PAUSE", 0.05)
    put_off = []

    def refused(_):
        for _ in range(500):
            rest_of(bot.speaker).invalid.note(429, {"X-RateLimit-Global": "true", "Retry-After": "1"})
        return says("one")

    async with a_discord_bot(tmp_path / "data", model=ScriptedProvider(refused)) as bot:
        postponed = bot.store.outbox.postponed

        async def noted(row, error, not_before):
            put_off.append((error, not_before > bot.clock.now()))
            await postponed(row, error, not_before)

        monkeypatch.setattr(bot.store.outbox, "postponed", noted)
        await bot.hears(bot.ann, f"{bot.at} hello")
        assert bot.texts() == ["one"]
        ((error, is_later),) = put_off
        assert error.startswith("flood: Discord refused 500 requests within 10 minutes") and is_later
        await bot.hears(bot.root, "!cortex doctor")
        assert "calls go one by one" in bot.private(bot.root)
