"""A running bot is told to read its configuration again: it takes what it can, and says what it cannot."""

from __future__ import annotations

import asyncio
import os
import signal
import time

import pytest

from tests.bot.cli.process import at_terminal, glassmind, running
from tests.servers.telegram import World, telegram_server


class Scene:
    """Ann owns the bot, Ben wants to; both have opened its private chat."""

    def __init__(self, home, world, server):
        self.home, self.world, self.server = home, world, server
        self.me, self.ann, self.ben = world.bot("glassmind_bot"), world.person("Ann", "ann"), world.person("Ben", "ben")
        world.start(self.ann)
        world.start(self.ben)
        self.write(f"owner_ids = [{self.ann.id}]")

    def write(self, own, rest=""):
        urls = f'base_url = "{self.server.base_url}"\nfile_url = "{self.server.base_file_url}"'
        text = f'[platforms.telegram]\ntoken = "env:TELEGRAM_TOKEN"\n{urls}\npoll_timeout = 1\n{own}\n{rest}\n'
        (self.home / "config.toml").write_text(text)

    @property
    def environ(self):
        return {"TELEGRAM_TOKEN": self.me.token}

    async def answers(self, person, text, words):
        """Say something in private, and wait for an answer with these words."""
        before = len(self.texts(person))
        self.world.say(self.world.dm(person), person, text)
        await self.tells(person, words, before)

    async def tells(self, person, words, before=0):
        try:
            async with asyncio.timeout(15):
                await self.server.until(lambda: any(words in text for text in self.texts(person)[before:]))
        except TimeoutError:
            raise AssertionError(f"{words!r} was never said: {self.texts(person)[before:]}") from None

    def texts(self, person):
        return [message.text for message in self.world.messages(self.world.dm(person)) if message.author is self.me]


@pytest.fixture
async def scene(tmp_path):
    world = World(clock=lambda: time.time())  # noqa: TID251 - the bot outside lives in real time
    async with telegram_server(world) as server:
        yield Scene(tmp_path, world, server)


async def test_a_changed_file_is_taken_over_or_waits_or_is_refused(scene):
    both = f"owner_ids = [{scene.ann.id}, {scene.ben.id}]"
    async with running(scene.home, environ=scene.environ) as bot:
        await scene.answers(scene.ben, "/pause", "You may use:")
        # what the file says holds after a reload, and not before
        scene.write(both)
        await scene.answers(scene.ann, "!cortex doctor", "config.toml or the .env beside it has changed since")
        bot.reload()
        done = await bot.logged("config_reloaded")
        assert (done["taken"], done["needs_a_restart"]) == (["platforms.telegram.owner_ids"], [])
        await scene.answers(scene.ben, "!cortex doctor", "configuration: config.toml, as it was read at")
        await scene.answers(scene.ben, "/pause", "aused")
        await scene.answers(scene.ben, "/resume", "")
        # what needs a restart waits for it, and the owners are told
        scene.write(
            both, '[bot]\npersona = "stern"\n[limits]\nuser_per_minute = 1\n[channels."telegram:7"]\nmode = "active"'
        )
        bot.reload()
        done = await bot.logged("config_reloaded")
        assert done["needs_a_restart"] == ["bot.persona"]
        assert set(done["taken"]) == {"limits.user_per_minute", "channels.telegram:7.mode"}
        await scene.tells(scene.ann, "Waiting for a restart: bot.persona.")
        # what cannot be used changes nothing, and the owners are told
        scene.write("owner_ids = []", '[limits]\nuser_per_minuet = 5\n[bot]\nlog_level = "loud"')
        bot.reload()
        assert len((await bot.logged("config_refused"))["problems"]) == 2
        await scene.tells(scene.ann, "- limits.user_per_minuet: unknown key. Did you mean user_per_minute?")
        await scene.answers(scene.ben, "!cortex doctor", "was refused at")
        # an adapter's own keys are looked at as well, though none of them is live
        scene.write(both, "[providers.a]\nkind = 'openai'\nconnect_timeout = 0")
        bot.reload()
        (problem,) = (await bot.logged("config_refused"))["problems"]
        assert problem.startswith("providers.a.connect_timeout: ")
        assert await bot.stop() == 0


async def test_keys_that_fit_only_together_wait_together(scene):
    async with running(scene.home, environ=scene.environ) as bot:
        rest = '[providers.local]\nkind = "openai"\n[channels."telegram:7"]\nmodel = "local/small"\n'
        scene.write(f"owner_ids = [{scene.ann.id}]", rest)
        bot.reload()
        assert (await bot.logged("config_waits_as_a_whole"))["problems"][0].startswith("channels.telegram:7.model")
        done = await bot.logged("config_reloaded")
        assert done["taken"] == [] and done["needs_a_restart"] == ["providers.local", "channels.telegram:7.model"]


ODD = {
    "pipe": "config.toml: cannot be read (it is a pipe, not a file)",
    "huge": "config.toml: cannot be read (it is larger than 1,024 KiB)",
    "folder": "config.toml: cannot be read (it is a folder, not a file)",
    "device": "config.toml: cannot be read (it is a device, not a file)",
    "gone": "config.toml: not found",
    "open": "anybody on this machine can change it",
    "pipe beside": ".env: cannot be read (it is a pipe, not a file)",
}


def replaced(path, kind):
    """Put something odd in the place of the configuration, or of the file beside it."""
    if kind == "open":
        path.chmod(0o666)
        return
    if kind == "pipe beside":
        os.mkfifo(path.parent / ".env", 0o600)
        return
    path.unlink()
    if kind == "pipe":
        os.mkfifo(path, 0o600)
    elif kind == "huge":
        path.touch(0o600)
        os.truncate(path, 100 * 1024**3)
    elif kind == "folder":
        path.mkdir()
    elif kind == "device":
        path.symlink_to("/dev/zero")


@pytest.mark.parametrize(("kind", "words"), ODD.items())
async def test_whatever_takes_the_place_of_the_file_keeps_nobody_waiting(scene, kind, words):
    """Answers go on, the owner hears one line, and the first request to stop ends it at once."""
    async with running(scene.home, environ=scene.environ) as bot:
        replaced(scene.home / "config.toml", kind)
        bot.reload()
        (problem,) = (await bot.logged("config_refused"))["problems"]
        assert words in problem and len(problem) < 400
        await scene.tells(scene.ann, words)
        await scene.answers(scene.ben, "hello, are you there?", "")
        assert sum(words in text for text in scene.texts(scene.ann)) == 1
        asked = time.monotonic()
        assert await bot.stop() == 0 and time.monotonic() - asked < 10


async def test_the_log_level_changes_at_once(scene):
    async with running(scene.home, environ=scene.environ) as bot:
        scene.write(f"owner_ids = [{scene.ann.id}]", '[bot]\nlog_level = "warning"')
        bot.reload()
        await bot.logged("config_reloaded")
        scene.write(f"owner_ids = [{scene.ann.id}]")
        bot.reload()
        # the first word after a silent reload is that of the next one, which says everything again
        await scene.answers(scene.ann, "/status", "")
        bot.reload()
        assert (await bot.logged("config_reloaded"))["taken"] == []


async def test_who_closes_the_terminal_stops_the_bot(scene):
    terminal = await at_terminal(scene.home, "run", environ=scene.environ)
    await terminal.until('"started"')
    terminal.process.send_signal(signal.SIGHUP)
    await terminal.until('"config_reloaded"')
    terminal.close()
    assert await terminal.ended() == 0
    ran = await glassmind(scene.home, "status", environ=scene.environ)
    assert ran.status == 1 and "ended: stopped by a signal" in ran.out


async def test_the_doctor_on_the_host_looks_at_a_running_bot(scene):
    kitchen = scene.world.supergroup("kitchen", scene.ann, scene.ben)
    scene.world.privacy(False)
    scene.world.add_bot(kitchen, by=scene.ann)
    async with running(scene.home, environ=scene.environ):
        scene.world.say(kitchen, scene.ben, "@glassmind_bot hello")
        await scene.server.until(lambda: any(message.author is scene.me for message in scene.world.messages(kitchen)))
        ran = await glassmind(scene.home, "doctor", environ=scene.environ)
        while "platform telegram: starting" in ran.out:
            # the last sign of life is of the moment before; the next one comes within seconds
            ran = await glassmind(scene.home, "doctor", environ=scene.environ)
        assert ran.status == 0, ran.out
        assert "✓ process: running" in ran.out and "✓ platform telegram: up" in ran.out
        assert f"✓ telegram telegram:{kitchen.id}: the bot is a member and may send" in ran.out
        assert "✓ telegram admins: I can message 1 of 1 in private" in ran.out
        assert "✓ clock: " in ran.out and "✓ store space: " in ran.out and ran.out.endswith("All is well.\n")
        kitchen.member(scene.me).status = "left"
        ran = await glassmind(scene.home, "doctor", "#kitchen", environ=scene.environ)
        assert ran.status == 1 and "→ Add the bot to the chat." in ran.out
    ran = await glassmind(scene.home, "doctor", environ=scene.environ)
    assert ran.status == 1 and "! process: not running: stopped by a signal" in ran.out


async def test_a_webhook_of_another_program_is_removed_by_a_start_that_says_so(scene):
    scene.world.set_webhook("https://other.example/hook")
    async with running(scene.home, environ=scene.environ) as bot:
        line = await bot.logged("telegram_poll_failed")
        assert line["code"] == "webhook" and "glassmind run --take-over" in line["fix"]
    assert scene.me.webhook.url
    async with running(scene.home, "--take-over", environ=scene.environ) as bot:
        await bot.logged("telegram_webhook_removed")
        await scene.answers(scene.ann, "/status", "telegram: up")
        # a reload does not take it back, and what the file says is not called stale
        bot.reload()
        assert (await bot.logged("config_reloaded"))["needs_a_restart"] == []
        assert "an edit is not active" not in (await glassmind(scene.home, "why", environ=scene.environ)).out
    assert not scene.me.webhook.url
    # it was for that run alone
    scene.world.set_webhook("https://other.example/hook")
    async with running(scene.home, environ=scene.environ) as bot:
        await bot.logged("telegram_poll_failed")
    assert scene.me.webhook.url


async def test_the_host_sees_which_edit_is_not_active(scene):
    """The names of keys go with the sign of life; no value does."""
    scene.write(f"owner_ids = [{scene.ann.id}]\nallowed_users = [{scene.ann.id}]")
    async with running(scene.home, environ=scene.environ):
        scene.world.say(scene.world.dm(scene.ben), scene.ben, "hello?")
        scene.write(f"owner_ids = [{scene.ann.id}]")
        said, last = "", time.monotonic() + 45
        while "an edit is not active" not in said:
            assert time.monotonic() < last, said
            scene.world.say(scene.world.dm(scene.ben), scene.ben, "hello?")
            said = (await glassmind(scene.home, "why", environ=scene.environ)).out
    assert "platforms.telegram.allowed_users" in said
    assert "has a new value in config.toml" in said
