"""Nobody owns a new bot: who brings the code of the terminal in private does, once, and is shown a silence."""

from __future__ import annotations

import re
from contextlib import asynccontextmanager
from functools import partial

import pytest

from bot.app.bot import Bot
from bot.cli.demo import play_in_private
from bot.config import LoadedConfig, load_config
from bot.config.owner_claim import CLAIM_HOURS, claim_path, keep_claim, new_code
from bot.ports.first_run import FirstRun, ShownSilence
from tests.dialogs.chat_bot import TOKEN, ChatBot, alive, thinking
from tests.dialogs.discord import DiscordBot
from tests.dialogs.telegram import TelegramBot
from tests.dialogs.tide import TidalClock
from tests.fakes.lengths import whole_or
from tests.servers.discord import World as DiscordWorld
from tests.servers.discord import discord_server
from tests.servers.telegram import World as TelegramWorld
from tests.servers.telegram import telegram_server

CODE = new_code(b"0123456789abcdefghij")
HOUR = 3_600_000
YOURS = "You own me now."
WRONG = "That is not the code I am waiting for. Nothing was changed."


class Unowned(ChatBot):
    """A bot as `init` leaves it: a file of its own, in which nobody is named, and a claim beside it."""

    disk_is_full = False

    @property
    def path(self):
        return self.data.parent / "config.toml"

    @property
    def keys(self) -> str:
        return re.sub(r"(?m)^(\w+)_ids = .*", r"\1_ids = []", super().keys)

    @property
    def config(self) -> LoadedConfig:
        if not self.path.exists():
            self.path.write_text(self.written_config)
            self.path.chmod(0o600)
            keep_claim(self.path, self.name, CODE, self.clock.now() + CLAIM_HOURS * HOUR)
        return load_config(self.path, {TOKEN: self.token})

    async def open(self) -> None:
        await super().open()
        for app in self.apps:
            app.first_run = FirstRun(partial(self.read_again, app), self.play)

    async def read_again(self, app: Bot) -> None:
        await app.running.reload(lambda: self.config)

    async def play(self):
        if self.disk_is_full:
            raise OSError(28, "No space left on device")
        return ShownSilence("#general", "james: hello?", "It chose not to answer.", "glassmind: Yes.")

    async def brings(self, who, code: str, where=None) -> str:
        """Let somebody bring a code in private, or elsewhere; return what they are told."""
        said = await self.hears(who, f"{self.start} {code}", where or self.private_place(who))
        return "\n".join(message.text for message in said)


class NewOnTelegram(Unowned, TelegramBot):
    start = "/start"

    def private_place(self, who):
        return self.dm(who)


class NewOnDiscord(Unowned, DiscordBot):
    start = "!start"

    def private_place(self, who):
        return self.me


@asynccontextmanager
async def a_new_bot(kind, data, more=""):
    time = TidalClock()
    world_of, serve = {"telegram": (TelegramWorld, telegram_server), "discord": (DiscordWorld, discord_server)}[
        kind.name
    ]
    world = world_of(clock=lambda: time.now() / 1000)
    async with serve(world) as server:
        whole = kind(data=data, world=world, server=server, clock=time, **thinking(None, more))
        async with alive(whole) as bot:
            await bot.settled()
            yield bot


@pytest.mark.parametrize("kind", [NewOnTelegram, NewOnDiscord])
async def test_who_brings_the_code_first_owns_the_bot_and_is_shown_a_silence(tmp_path, kind):
    async with a_new_bot(kind, tmp_path / "data") as bot:
        # no other words make an owner
        assert WRONG in await bot.brings(bot.james, new_code(b"9" * 20))
        assert bot.config.config.platforms[bot.name].owner_ids == ()
        before, told = bot.path.read_text(), await bot.brings(bot.ann, CODE)
        assert YOURS in told and "Shall I show you a silence?" in told
        # one line of the file is another, the code is gone, and nobody else gets in with it
        line = f"owner_ids = [{bot.ann.id}]"
        assert bot.path.read_text() == before.replace("owner_ids = []", line)
        assert bot.path.stat().st_mode & 0o777 == 0o600 and not claim_path(bot.path).exists()
        assert "I have an owner already" in await bot.brings(bot.james, CODE)
        (row,) = [row for row in await bot.store.audit.newest(None, 10) if row.body.action == "owner claimed"]
        assert (row.body.actor, row.body.target) == (str(bot.ann.id), f"{bot.key(bot.dm(bot.ann)).channel}")
        # it holds without a restart
        assert "tier: owner" in "".join(
            one.text for one in await bot.hears(bot.ann, "!whoami", bot.private_place(bot.ann))
        )
        # the silence comes to them alone
        public = bot.texts()
        await bot.presses(bot.ann, "Show me")
        shown = bot.texts(bot.dm(bot.ann))[-5:]
        assert shown[0].startswith("This is a demo.") and "planted a memory in #general" in shown[1]
        assert "james: hello?" in shown[1] and "It chose not to answer." in shown[2] and "Yes." in shown[3]
        assert bot.texts() == public and "play" not in bot.private(bot.james)


async def test_a_silence_that_cannot_be_played_is_told(tmp_path):
    async with a_new_bot(NewOnTelegram, tmp_path / "data") as bot:
        bot.disk_is_full = True
        await bot.brings(bot.ann, CODE)
        await bot.presses(bot.ann, "Show me")
        assert bot.texts(bot.dm(bot.ann))[-1].startswith("I could not play it.")


async def test_a_code_is_over_after_a_day(tmp_path):
    async with a_new_bot(NewOnTelegram, tmp_path / "data") as bot:
        bot.clock.advance(CLAIM_HOURS * 3600 + 1)
        assert "That code has expired." in await bot.brings(bot.ann, CODE)
        assert "owner_ids = []" in bot.path.read_text()


async def test_a_code_that_is_void_tells_who_has_several_bots_what_keeps_the_others(tmp_path):
    more = "[platforms.console]\nenabled = false\n"
    async with a_new_bot(NewOnTelegram, tmp_path / "data", more=more) as bot:
        wanted = "put it into owner_ids of [platforms.telegram] in config.toml, and restart me."
        bot.clock.advance(CLAIM_HOURS * 3600 + 1)
        expired = await bot.brings(bot.ann, CODE)
        assert expired.startswith("That code has expired.") and wanted in expired
        (seen,) = await bot.hears(bot.ann, f"/start@glassmind_bot {CODE}")
        assert seen.text.startswith("Others can read that code here") and wanted in seen.text
        assert "--force" not in expired + seen.text


async def test_a_code_that_others_have_read_is_void(tmp_path):
    async with a_new_bot(NewOnTelegram, tmp_path / "data") as bot:
        greeting = await bot.brings(bot.james, f"@glassmind_bot {new_code(b'9' * 20)}", bot.kitchen)
        assert "Others can read" not in greeting and claim_path(bot.path).exists()
        said = await bot.hears(bot.ann, f"/start@glassmind_bot {CODE}")
        assert "Others can read that code here, so it is void." in said[-1].text
        assert not claim_path(bot.path).exists() and "owner_ids = []" in bot.path.read_text()
        assert WRONG in await bot.brings(bot.james, CODE)


async def test_where_the_file_cannot_be_changed_the_line_for_it_is_told(tmp_path):
    async with a_new_bot(NewOnTelegram, tmp_path / "data") as bot:
        bot.path.write_text(bot.path.read_text().replace("owner_ids = []", "owner_ids = [\n]  # nobody"))
        inline = bot.path.read_text().replace("[platforms.telegram]", '[platforms."telegram"]')
        bot.path.write_text(inline)
        said = await bot.brings(bot.ann, CODE)
        assert f"owner_ids = [{bot.ann.id}]" in said and "Put that line there yourself" in said
        assert bot.path.read_text() == inline and claim_path(bot.path).exists()


@pytest.mark.skipif(not whole_or(True, False), reason="the demo is played by test_demo.py; four seconds more: FAULTS=1")
async def test_the_silence_is_played_elsewhere_and_shows_why(capsys):
    _, ignored, report, healed = await play_in_private()
    assert "ann: @glassmind are you there?\nglassmind: Yes, ann, I am here. (simulated)\njames: " in ignored
    assert ignored.endswith("james: @glassmind are you there?")
    assert "#general: the bot chose not to answer" in report and "orders silence" in report
    assert "Yes, james, I am here." in healed
    assert "glassmind<" not in capsys.readouterr().out
