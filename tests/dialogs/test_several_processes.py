"""A gateway listens and two workers answer: people notice nothing of it, also when one of them is killed.

All other dialogs are held so with GLASSMIND_STORE=workers (README.md).
"""

from __future__ import annotations

import asyncio

import pytest

from bot.app import channel_holder
from bot.cli.host_queries import HostQueries
from bot.domain.dialect import DialectLesson
from bot.domain.ledger import Outcome
from bot.errors import ProviderFault
from tests.dialogs import stores
from tests.dialogs.telegram import AT, a_telegram_bot, labels_of
from tests.dialogs.test_telegram import WHY, forgets_and_takes_back, is_silenced, remembered
from tests.fakes.provider import ScriptedProvider, fails, says
from tests.fakes.wheels import installed, written

WATCHES = """
from bot.api import *


async def ended(turn):
    with folder.joinpath("turns").open("a") as file:
        file.write(turn.status.value + " ")


async def crash(call, desk):
    raise KeyError("gone")


def build(setup):
    global folder
    folder = setup.folder
    crashes = ChatCommand("crash", Authority.EVERYONE, "x", crash)
    return Contributions(hooks=[PluginHook("notes", ended)], commands=[crashes])


plugin = Plugin(build, PluginSettings)
"""


@pytest.fixture(autouse=True)
def several(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stores, "ON_SERVER", True)
    monkeypatch.setattr(stores, "SEVERAL", True)


@pytest.mark.parametrize("pooled", [False, True], ids=["direct", "pooled"])
async def test_who_takes_over_from_a_killed_worker_answers_what_that_one_did_not(tmp_path, monkeypatch, pooled):
    monkeypatch.setattr(stores, "POOLED", pooled)
    thinks = asyncio.Event()

    async def never(request: object) -> object:
        thinks.set()
        return await asyncio.Event().wait()

    model = ScriptedProvider(says("the first"), never, says("by the other one"), says("I am"))
    async with a_telegram_bot(tmp_path / "data", model=model) as bot:
        several = bot.several
        groups, private = several.workers
        await bot.hears(bot.ann, f"{AT} who are you?")
        assert bot.texts() == ["the first"]
        bot.say(bot.ann, f"{AT} and now?")
        await thinks.wait()
        # the talk is with the process that does not have the group
        bot.say(bot.root, "!cortex why #kitchen", bot.dm(bot.root))
        await bot.server.caught_up(bot.me)
        await several.handled()
        await private.bot.settled()
        assert "is in progress: turn" in bot.private(bot.root)
        bot.app = private.bot
        await several.kills(groups)
        bot.say(bot.root, "!cortex why #kitchen", bot.dm(bot.root))
        await bot.server.caught_up(bot.me)
        await several.handled()
        await private.bot.settled()
        newest = bot.texts(bot.dm(bot.root))[-1]
        assert "its process is silent" in newest and "worker of groups has this channel" in newest
        # so does who looks from the host, and both know of what nobody has taken up
        bot.say(bot.ann, f"{AT} are you there?")
        await bot.server.caught_up(bot.me)
        await private.bot.maintenance.beat()
        asked = HostQueries(private.bot.edges.store, private.bot.config, private.bot.edges.clock)
        said = (await asked.why("#kitchen", everywhere=False)).text
        assert "worker of groups has this channel" in said and "1 message waits to be taken up" in said
        assert bot.texts() == ["the first"]
        await several.takes_everything(private)
        await bot.settled()
        assert bot.texts() == ["the first", "by the other one", "I am"]
        heard = await private.bot.edges.store.ledger.recent(bot.key(), 9)
        assert [one.outcome for one in heard] == [Outcome.REPLIED] * 3
        assert await private.bot.edges.store.verify() == []


async def test_a_fix_that_is_pressed_in_private_is_done_by_the_process_that_has_the_group(tmp_path):
    """Its conversation is read anew there, and there the admin's proof is waited for."""
    async with a_telegram_bot(tmp_path / "data") as bot:
        await is_silenced(bot)
        await bot.hears(bot.root, WHY)
        await forgets_and_takes_back(bot)
        await bot.hears(bot.root, "!cortex doctor", bot.dm(bot.root))
        # the process that is asked does not listen itself
        assert "✓ platform telegram: up" in bot.private(bot.root)


async def test_a_fix_for_a_process_that_is_dead_is_done_by_the_next_one_and_can_be_undone(tmp_path, monkeypatch):
    monkeypatch.setattr(channel_holder, "SHORT_SECONDS", 0.02)
    monkeypatch.setattr(channel_holder, "LONGEST_SECONDS", 0.1)
    async with a_telegram_bot(tmp_path / "data") as bot:
        groups, private = bot.several.workers
        await is_silenced(bot)
        await bot.hears(bot.root, WHY)
        await bot.presses(bot.root, "Forget m")
        preview = bot.written(bot.dm(bot.root))[-1]
        bot.app = private.bot
        await bot.several.kills(groups)
        bot.world.press(preview, labels_of(preview, "Forget m")[0], bot.root)
        async with asyncio.timeout(60):
            while "I keep this" not in bot.private(bot.root):
                bot.several.bell.ring()
                await asyncio.sleep(0.002)
        assert await remembered(bot)
        await bot.several.takes_everything(private)
        await bot.settled()
        assert "is forgotten" in bot.private(bot.root) and not await remembered(bot)
        await bot.presses(bot.root, "Undo")
        assert "is back as it was" in bot.private(bot.root) and await remembered(bot)


async def test_trouble_with_a_service_is_told_by_the_process_that_met_it_first_alone(tmp_path):
    model = ScriptedProvider(says("hello"), fails(ProviderFault.AUTH))
    async with a_telegram_bot(tmp_path / "data", model=model) as bot:
        bot.world.start(bot.ann)
        await bot.hears(bot.ann, "hello?", bot.dm(bot.ann))
        await bot.hears(bot.ann, f"{AT} and here?")
        bot.clock.advance(60)
        await bot.hears(bot.ann, "and again?", bot.dm(bot.ann))
        assert len([text for text in bot.texts(bot.dm(bot.root)) if "refuses my key" in text]) == 1
        # what one of them learns of a service the other one knows, too
        lessons = [DialectLesson(model=f"a/{n}", trait="no_tools", words="no tools", at=n) for n in (1, 2)]
        for store, lesson in zip(bot.several.stores[1:], lessons, strict=True):
            await store.lessons.learn([lesson])
        for worker in bot.several.workers:
            await worker.holder.look()
            assert list(worker.bot.edges.store.lessons.known) == lessons


async def test_a_plugin_hears_of_turns_in_every_process_and_is_told_of_once_it_is_switched_off(tmp_path):
    with installed(written(tmp_path / "site", "watches", WATCHES)):
        async with a_telegram_bot(tmp_path / "data", more="[plugins.watches]") as bot:
            bot.world.start(bot.ann)
            await bot.hears(bot.ann, f"{AT} hello")
            await bot.hears(bot.ann, "and here?", bot.dm(bot.ann))
            assert (tmp_path / "data/plugins/watches/turns").read_text() == "replied replied "
            for _ in range(3):
                await bot.hears(bot.ann, "/crash")
            assert "Plugin watches 1.0: command crash is switched off after 3 faults." in bot.private(bot.root)


async def test_what_was_handed_on_and_never_handled_is_answered_by_who_does_all_of_it_later(tmp_path, monkeypatch):
    """The platform was read beyond it, and tells it to nobody again."""
    async with a_telegram_bot(tmp_path / "data") as bot:
        await bot.hears(bot.ann, f"{AT} hello")
        for worker in list(bot.several.workers):
            await bot.several.kills(worker)
        bot.say(bot.ann, f"{AT} is anybody there?")
        await bot.server.caught_up(bot.me)
        await bot.several.let_go()
        await bot.several.deaf()
        await bot.adapter.close()
        monkeypatch.setattr(stores, "SEVERAL", False)
        bot.several = None
        await bot.open()
        await bot.settled()
        assert len(bot.texts()) == 2 and (await bot.newest()).outcome is Outcome.REPLIED


async def test_words_that_wait_for_a_process_are_among_what_is_kept_and_what_is_forgotten(tmp_path):
    async with a_telegram_bot(tmp_path / "data") as bot:
        bot.world.start(bot.ann)
        groups, private = bot.several.workers
        await bot.several.settled()
        bot.app = private.bot
        await bot.several.kills(groups)
        bot.say(bot.ann, f"{AT} my door code is 7391")

        async def asks(command: str) -> str:
            bot.say(bot.ann, command, bot.dm(bot.ann))
            await bot.server.caught_up(bot.me)
            await private.holder.look()
            await private.bot.settled()
            return bot.texts(bot.dm(bot.ann))[-1]

        before, after = await asks("/mydata"), await asks("/forgetme now")
        assert "3 messages" in before, "the start, the question, and the one that waits"
        assert "are forgotten" in after and "messages" in after
        assert not [one for one in await waiting_in(private) if "7391" in one]
        await bot.several.takes_everything(private)
        await bot.settled()
        assert bot.texts() == []


async def waiting_in(worker) -> list[str]:
    relay = worker.bot.edges.store.relay
    return [one.event.body for one in (await relay.events(None, 99)).events]


@pytest.mark.parametrize(("silent", "told"), [("20 seconds", False), ("20 minutes", True)])
async def test_who_keeps_house_next_tells_of_a_silence_that_there_was_whatever_the_clock_of_who_did_it(
    tmp_path, silent, told
):
    async with a_telegram_bot(tmp_path / "data") as bot:
        groups, private = bot.several.workers
        await groups.take_house()
        store = private.bot.edges.store
        last = await store.heartbeat()
        # its machine's clock was ten minutes behind, or its next sign of life came ten minutes too late
        await store.beat(last.replace(at=bot.clock.now() - 600_000))
        await bot.several.kills(groups)
        silent_since, dead = f"clock_timestamp() - interval '{silent}'", f"until < '{stores.FOR_EVER}'"
        stores.change_behind(bot.data, f"UPDATE lease_owner SET until = {silent_since} WHERE {dead}")
        await private.take_house()
        assert (private.bot.watch.silence is not None) is told
