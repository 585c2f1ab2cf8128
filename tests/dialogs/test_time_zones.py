"""What time it is where people are: by the configuration, by the channel, and by what somebody said of themselves."""

from __future__ import annotations

import re
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from bot.errors import ConfigError
from bot.runtime import time_zones
from tests.dialogs.bot import a_bot
from tests.dialogs.discord import a_discord_bot
from tests.dialogs.minds import SCRIPTED, Minds, answered, done
from tests.dialogs.telegram import AT, a_telegram_bot
from tests.fakes.provider import ScriptedProvider, calls, says

NOW = re.compile(r"- Now: ([^\n]*)")


def spawns(request):
    """A model that hands the first message out to a worker."""
    wish = ("spawn_worker", {"task": "look it up", "name": "a look"})
    return says("ok") if done(request) or "look it up" not in request.messages[-1].text else calls(wish)


BERLIN = 'timezone = "Europe/Berlin"\n'


def now_of(model: ScriptedProvider) -> str:
    return NOW.findall("\n".join(m.text for m in model.requests[-1].messages))[-1]


def at(bot, zone: str) -> str:
    return datetime.fromtimestamp(bot.clock.now() / 1000, ZoneInfo(zone)).strftime("%A %Y-%m-%d %H:%M")


@pytest.fixture
def model() -> ScriptedProvider:
    return ScriptedProvider(says("noted"))


async def test_where_nothing_is_set_there_is_utc_alone(tmp_path, model):
    async with a_telegram_bot(tmp_path / "data", model=model) as bot:
        await bot.hears(bot.ann, f"{AT} hello")
        assert re.fullmatch(r"[\d-]+T[\d:]+Z", now_of(model))


async def test_the_model_reads_both_times(tmp_path, model):
    async with a_telegram_bot(tmp_path / "data", model=model, bot_keys=BERLIN) as bot:
        await bot.hears(bot.ann, f"{AT} hello")
        assert "Z; here it is " in now_of(model) and "(Europe/Berlin)" in now_of(model)
        assert at(bot, "Europe/Berlin") in now_of(model)


async def test_a_channel_may_be_elsewhere(tmp_path, model):
    more = '[channels."telegram:-1002000000001"]\ntimezone = "Asia/Tokyo"\n'
    async with a_telegram_bot(tmp_path / "data", model=model, bot_keys=BERLIN, more=more) as bot:
        await bot.hears(bot.ann, f"{AT} hello")
        assert "(Asia/Tokyo)" in now_of(model) and "Berlin" not in now_of(model)
        await bot.hears(bot.ann, "hello", bot.dm(bot.ann))
        assert "(Europe/Berlin)" in now_of(model)


@pytest.mark.parametrize("words", ["Asia/Tokyo", "asia/tokyo", "tokyo", "Tokyo"])
async def test_somebody_says_where_they_are(tmp_path, model, words):
    async with a_telegram_bot(tmp_path / "data", model=model, bot_keys=BERLIN) as bot:
        (told,) = await bot.hears(bot.ann, f"/timezone {words}", bot.dm(bot.ann))
        assert told.text.startswith(f"Your time zone is Asia/Tokyo: it is {at(bot, 'Asia/Tokyo')}")
        await bot.hears(bot.ann, f"{AT} hello")
        assert re.search(r"; here it is .* \(Europe/Berlin\); for Ann it is .* \(Asia/Tokyo\)$", now_of(model))
        await bot.hears(bot.james, f"{AT} hello")
        assert "Tokyo" not in now_of(model), "it is Ann's alone"
        await bot.restart()
        await bot.hears(bot.ann, f"{AT} hello")
        assert "for Ann it is" in now_of(model)
        (told,) = await bot.hears(bot.ann, "/timezone off", bot.dm(bot.ann))
        assert "I forgot your time zone" in told.text
        await bot.hears(bot.ann, f"{AT} hello")
        assert "for Ann" not in now_of(model)


async def test_on_discord_too(tmp_path, model):
    async with a_discord_bot(tmp_path / "data", model=model) as bot:
        await bot.hears(bot.ann, "!timezone America/New_York", bot.me)
        await bot.hears(bot.ann, f"{bot.at} hello")
        assert re.search(r"Z; for Ann it is .* \(America/New_York\)$", now_of(model))


async def test_what_is_no_zone_is_refused_with_what_is_near(tmp_path, model):
    async with a_telegram_bot(tmp_path / "data", model=model) as bot:
        (told,) = await bot.hears(bot.ann, "/timezone Europe/Berln", bot.dm(bot.ann))
        assert "Near: Europe/Berlin" in told.text
        (told,) = await bot.hears(bot.ann, "/timezone", bot.dm(bot.ann))
        assert told.text.startswith("You have not told me a time zone. Times here are in UTC.")
        assert model.requests == []


async def test_it_is_told_as_kept_and_goes_with_who_is_forgotten(tmp_path, model):
    async with a_telegram_bot(tmp_path / "data", model=model) as bot:
        dm = bot.dm(bot.ann)
        await bot.hears(bot.ann, "/timezone Asia/Tokyo", dm)
        (kept,) = await bot.hears(bot.ann, "/mydata", dm)
        assert "1 time zone or language set by you" in kept.text
        await bot.hears(bot.ann, "/forgetme now", dm)
        await bot.hears(bot.ann, "hello", dm)
        assert "for Ann" not in now_of(model)
        assert await bot.store.zones.all() == []


@pytest.mark.parametrize(
    ("name", "near"),
    [("Europe/Berln", "Europe/Berlin"), ("europe/berlin", "Europe/Berlin"), ("New York", "America/New_York")],
)
def test_the_configuration_refuses_what_is_no_zone(name, near):
    from bot.config import parse_config

    for table in ("[bot]", '[channels."telegram:1"]'):
        with pytest.raises(ConfigError) as refused:
            parse_config(f'{table}\ntimezone = "{name}"\n', {})
        assert near in str(refused.value) and "timezone" in str(refused.value)


async def test_without_a_database_everything_goes_on_in_utc_and_the_doctor_says_so(tmp_path, model, monkeypatch):
    monkeypatch.setattr(time_zones, "known_zones", lambda: frozenset())
    monkeypatch.setattr(time_zones, "_zone", lambda name: None)
    async with a_telegram_bot(tmp_path / "data", model=model, bot_keys=BERLIN) as bot:
        await bot.hears(bot.ann, f"{AT} hello")
        assert re.fullmatch(r"[\d-]+T[\d:]+Z", now_of(model))
        await bot.hears(bot.root, "!cortex doctor")
        told = bot.private(bot.root)
        assert "no time zone database" in told and "Europe/Berlin" in told and "tzdata" in told


async def test_what_works_for_somebody_reads_their_time_too(tmp_path):
    minds = Minds(channel=spawns)
    more = f'{SCRIPTED}\n[channels."console:#general"]\ntimezone = "Asia/Tokyo"\n'
    async with a_bot(tmp_path / "data", providers=minds.providers, more=more) as bot:
        await bot.console.type("[#general] ann> @glassmind look it up", bot.app.manager)
        await answered(bot)
        await bot.app.settled()
        (request, *_) = minds.of("worker")
        assert "(Asia/Tokyo)" in "\n".join(message.text for message in request.messages)
