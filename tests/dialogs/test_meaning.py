"""Memories are found in other words where a service makes vectors of them; where not, by their words as ever."""

from __future__ import annotations

from contextlib import asynccontextmanager

import pytest

from adapters.openai import create_embedder
from bot.domain.channel import ProcessKind
from bot.domain.embedding import VectorQuery
from bot.domain.memory import MemoryReach
from tests.dialogs.bot import GENERAL, a_bot
from tests.fakes.provider import ScriptedProvider, calls, says
from tests.servers.embeddings import MODEL, embedding_server

MEANS = {"flat": "rent", "pay": "due", "apartment": "rent", "wohnung": "rent"}
RENT = "The rent is due on the first."
ASKED = "When do we pay for the flat?"
HERE = MemoryReach(agent=GENERAL.agent, channel=GENERAL.channel)
KEY = "sk-abcdefghijklmnopqrstuvwxyz123456"


@asynccontextmanager
async def a_house(path, *script, more=""):
    """A bot whose model follows a script, beside a service of vectors."""
    async with embedding_server(MEANS) as service:
        embedder = create_embedder("service", {"base_url": service.base_url, "api_key": KEY}, MODEL)
        model = ScriptedProvider(*script, name="simulated")
        config = f"[embeddings]\nprice_input = 20.0\nseconds = 0.3\n{more}"
        async with a_bot(path, providers={"simulated": model}, more=config, embedder=embedder) as bot:
            bot.service, bot.model = service, model
            try:
                yield bot
            finally:
                await embedder.close()


def remembers(content):
    return calls(("memory_save", {"content": content, "type": "fact"}))


def looks_for(words):
    return calls(("memory_recall", {"query": words}))


async def found(bot, words):
    """What the model reads when it looks for words."""
    bot.model.script[:] = [looks_for(words), says("I see.")]
    await bot.says("ann", "glassmind, look")
    return bot.model.requests[-1].messages[-1].json_text


async def saved(bot, *contents):
    for content in contents:
        bot.model.script[:] = [remembers(content), says("Noted.")]
        await bot.says("ann", "glassmind, note this")


async def vectors(bot):
    return (await bot.store.vectors.count(f"service/{MODEL}")).vectors


async def embedded(bot, key):
    return [row for row in await bot.store.meter.usage(key, 0) if row.kind is ProcessKind.EMBEDDING]


async def doctor(bot):
    return "\n".join(await bot.says("root", "!cortex doctor", "dm"))


async def test_a_question_in_other_words_finds_the_memory_and_what_it_cost_is_counted(tmp_path):
    async with a_house(tmp_path / "data", says("Hello.")) as bot:
        await saved(bot, RENT, "Bo plays chess.")
        assert bot.service.asked == [], "nothing is made while somebody waits"
        assert "No memory fits" in await found(bot, "flat")
        await bot.app.mind.meaning.fill()
        assert await vectors(bot) == 2 and bot.service.keys[-1] == f"Bearer {KEY}"
        assert RENT in await found(bot, "flat pay")
        rows = await embedded(bot, None)
        words = sum(len(text.split()) for texts in bot.service.asked for text in texts)
        assert sum(row.input for row in rows) == words
        assert sum(row.cost_usd for row in rows) == pytest.approx(words * 20 / 1_000_000)
        assert "embedding" in "\n".join(await bot.says("root", "/usage"))
        assert "by words and meaning; 2 of 2 have a vector" in await doctor(bot)


async def test_a_service_that_is_silent_delays_one_search_by_its_limit_and_is_told_of_once(tmp_path, caplog):
    async with a_house(tmp_path / "data", says("Hello.")) as bot:
        await saved(bot, RENT)
        await bot.app.mind.meaning.fill()
        bot.service.hangs = True
        before = len(bot.service.asked)
        for _ in range(3):
            assert RENT in await found(bot, "rent"), "its words still find it"
        assert len(bot.service.asked) == before + 1, "and nobody else waits for it meanwhile"
        told = await doctor(bot)
        assert "by words alone: no vectors within 0.3 s; 1 of 1 have a vector" in told
        bot.service.hangs = False
        bot.service.open_again.set()
        bot.clock.advance(61)
        assert RENT in await found(bot, "flat pay")
        assert "by words and meaning" in await doctor(bot)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda body: {"data": "none"}, "something else than vectors"),
        (lambda body: {"data": body["data"][:-1]}, "0 vectors for 1 texts"),
        (lambda body: {"data": [{"index": 0, "embedding": [0.0, 0.0]}]}, "zero"),
        (lambda body: {"data": [{"index": 0, "embedding": [1.0] * 9}]}, "9 numbers now, not 64"),
        (lambda body: [], "something else than vectors"),
    ],
)
async def test_what_is_no_vector_is_told_of_and_changes_no_search(tmp_path, spoil, words):
    async with a_house(tmp_path / "data", says("Hello.")) as bot:
        await saved(bot, RENT)
        await bot.app.mind.meaning.fill()
        bot.service.spoil = spoil
        assert RENT in await found(bot, "rent")
        assert words in await doctor(bot)


async def test_who_is_forgotten_takes_the_vectors_along_and_no_secret_leaves(tmp_path):
    async with a_house(tmp_path / "data", says("Hello.")) as bot:
        await saved(bot, RENT, f"The service key is {KEY} for all.")
        await bot.app.mind.meaning.fill()
        assert await vectors(bot) == 2
        assert KEY not in bot.service.told and "[redacted" in bot.service.told
        await bot.says("ann", "!forgetme now", "dm")
        await bot.app.maintenance.sweep()
        await bot.app.settled()
        assert await vectors(bot) == 0
        assert "rent" not in await found(bot, "flat pay")
        model = bot.app.mind.meaning.client.model
        nearest = await bot.store.vectors.nearest(HERE, VectorQuery(model, bot.service.vector(RENT)), None, 5)
        assert nearest == []


async def test_who_opted_out_is_told_to_no_service(tmp_path):
    async with a_house(tmp_path / "data", says("Hello.")) as bot:
        await saved(bot, RENT)
        await bot.says("ann", "!optout", "dm")
        await bot.app.mind.meaning.fill()
        assert RENT not in bot.service.told


async def test_a_text_that_the_service_does_not_take_keeps_no_other_from_its_vector(tmp_path):
    async with a_house(tmp_path / "data", says("Hello.")) as bot:
        bot.service.refuses = "chess"
        await saved(bot, RENT, "Bo plays chess.", "The lift is broken.")
        await bot.app.mind.meaning.fill()
        assert await vectors(bot) == 2
        await bot.app.mind.meaning.fill()
        assert sum("chess" in text for texts in bot.service.asked[1:] for text in texts) <= 3


async def test_a_day_that_has_cost_enough_makes_no_more_vectors(tmp_path):
    async with a_house(tmp_path / "data", says("Hello."), more="batch = 1\n") as bot:
        await saved(bot, RENT, "Bo plays chess.")
        limits = bot.app.mind.meaning.client.limits
        bot.app.mind.meaning.client.limits = limits._replace(daily_cost=lambda: 0.0001)
        await bot.app.mind.meaning.fill()
        assert await vectors(bot) == 1
        bot.clock.advance(86_400)
        await bot.app.mind.meaning.fill()
        assert await vectors(bot) == 2


async def test_a_model_that_was_replaced_behind_its_name_has_everything_made_anew_by_the_next_start(tmp_path):
    async with a_house(tmp_path / "data", says("Hello.")) as bot:
        await saved(bot, RENT, "Bo plays chess.")
        await bot.app.mind.meaning.fill()
        bot.service.numbers = 48
        await bot.restart()
        await bot.app.mind.meaning.fill()
        assert bot.app.mind.meaning.client.model.endswith("#48") and await vectors(bot) == 2
        assert RENT in await found(bot, "flat pay")


async def test_that_an_admin_looked_stands_under_no_channel(tmp_path):
    async with a_house(tmp_path / "data", says("Hello.")) as bot:
        await saved(bot, RENT)
        await bot.app.mind.meaning.fill()
        await found(bot, "flat pay")
        own, asked = await embedded(bot, GENERAL), len(bot.service.asked)
        bot.model.script[:] = [looks_for("flat pay"), says("There is one.")]
        await bot.says("root", "!cortex inspect #general what does it know of the flat?", "dm")
        await bot.app.settled()
        assert len(bot.service.asked) == asked + 1
        assert own and await embedded(bot, GENERAL) == own
