"""What the host's commands say, of a bot that is dead and of one that lives."""

from __future__ import annotations

import pytest

from bot.cli.host_queries import HostQueries
from bot.domain.health import Heartbeat
from bot.domain.ids import ChannelId
from bot.domain.stale_config import StaleConfig, StaleKey
from bot.errors import UserError
from tests.bot.cortex.chat import GENERAL, OWNER, chat, config


def beat(at, **changes):
    return Heartbeat(**{"instance": "aa", "pid": 7, "started_at": at, "at": at, "version": "0.1.0", **changes})


async def paused(bot):
    await bot.hears("hello")
    bot.clock.advance(60)
    await bot.hears("!pause", OWNER)
    await bot.hears("anybody?")


async def test_why_reads_the_store_alone(tmp_path):
    async with chat(tmp_path) as bot:
        await paused(bot)
        await bot.store.beat(beat(bot.clock.now()))
        host = HostQueries(bot.store, bot.config, bot.clock)
        shown = await host.why(None, everywhere=False)
        assert "is paused" in shown.text
        assert shown.value["findings"][0]["rule"] == "PAUSED"
        assert (await host.why(GENERAL, everywhere=False)).text == shown.text
        groups = await host.why(None, everywhere=True)
        assert "pause" in groups.text
        assert groups.value["silent"][0]["channels"][0]["channel"] == GENERAL


async def test_why_of_a_former_id_is_about_the_channel_as_it_is_now(tmp_path):
    async with chat(tmp_path) as bot:
        await paused(bot)
        await bot.store.beat(beat(bot.clock.now()))
        hall = ChannelId("console:#hall")
        await bot.store.channels.move(GENERAL, hall, bot.clock.now())
        host = HostQueries(bot.store, bot.config, bot.clock)
        shown = await host.why(GENERAL, everywhere=False)
        assert (shown.value["findings"][0]["rule"], shown.value["channel"]) == ("PAUSED", hall)
        assert (await host.why(hall, everywhere=False)).text == shown.text
        listed = await host.ledger(GENERAL)
        assert f"({hall})" in listed.text and "3 messages" in listed.text
        everywhere = await host.why(None, everywhere=True)
        assert [c["channel"] for group in everywhere.value["silent"] for c in group["channels"]] == [hall]
        await bot.hears(f"!cortex why {GENERAL}", OWNER, ChannelId("console:#second"))
        assert "is paused" in bot.last


async def test_why_says_when_the_process_is_dead(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        await bot.store.beat(beat(bot.clock.now(), exit_reason="stopped by a signal"))
        bot.clock.advance(3600)
        host = HostQueries(bot.store, bot.config, bot.clock)
        status = await host.status()
        assert status.text.startswith("✗ not running")
        assert "stopped by a signal" in status.text
        assert status.value["running"] is False
        await bot.store.beat(beat(bot.clock.now()))
        assert (await host.status()).text.startswith("✓ running")


async def test_ledger_lists_how_messages_ended(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        shown = await HostQueries(bot.store, bot.config, bot.clock).ledger("#general")
        assert "answered" in shown.text
        assert "hello" not in shown.text
        assert shown.value[0]["outcome"] == "replied"


async def test_an_unknown_channel_is_answered_with_the_closest(tmp_path):
    async with chat(tmp_path) as bot:
        host = HostQueries(bot.store, bot.config, bot.clock)
        with pytest.raises(UserError, match="No message"):
            await host.why(None, everywhere=False)
        await bot.hears("hello")
        with pytest.raises(UserError, match="console:#general"):
            await host.ledger("#genral")


async def test_a_channel_where_everybody_is_shut_out_is_known(tmp_path):
    console = {"owner_ids": [OWNER], "default_mode": "active", "allowed_users": ["7"]}
    async with chat(tmp_path, settings=config(tmp_path / "data", platforms={"console": console})) as bot:
        await bot.hears("hello")
        host = HostQueries(bot.store, bot.config, bot.clock)
        shown = await host.why(None, everywhere=False)
        assert shown.value["findings"][0]["rule"] == "GATE-USER"
        assert (await host.why(None, everywhere=True)).value["silent"][0]["channels"][0]["channel"] == GENERAL


async def test_the_machine_has_no_buttons_so_the_words_say_what_to_do(tmp_path):
    async with chat(tmp_path) as bot:
        await paused(bot)
        await bot.store.beat(beat(bot.clock.now()))
        assert "Say `resume`" in (await HostQueries(bot.store, bot.config, bot.clock).why(None, everywhere=False)).text
        await bot.hears("!cortex why", OWNER)
        assert "Say `resume`" not in bot.last


async def test_why_knows_from_a_sign_of_life_which_edits_are_not_active(tmp_path):
    edited = StaleConfig(keys=(StaleKey(key="platforms.console.allowed_users", file="config.toml", live=True),))
    platform = {"owner_ids": [OWNER], "default_mode": "active", "allowed_users": [int(OWNER)]}
    async with chat(tmp_path, settings=config(tmp_path, platforms={"console": platform})) as bot:
        await bot.hears("hello")
        host = HostQueries(bot.store, bot.config, bot.clock)
        for lives, finds in ((beat(bot.clock.now(), stale=edited), True), (beat(bot.clock.now()), False)):
            await bot.store.beat(lives)
            rules = [found["rule"] for found in (await host.why(None, everywhere=False)).value["findings"]]
            assert ("CFG-STALE" in rules) is finds
        # the next process reads the files anew
        await bot.store.beat(beat(bot.clock.now(), stale=edited, exit_reason="stopped by a signal"))
        rules = [found["rule"] for found in (await host.why(None, everywhere=False)).value["findings"]]
        assert "CFG-STALE" not in rules
