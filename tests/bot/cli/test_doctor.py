"""`glassmind doctor` against real sockets: what is wrong is said with evidence and fix, and nothing is changed."""

from __future__ import annotations

import time

import orjson
import pytest

from tests.bot.cli.process import Ran, at_terminal, glassmind, running
from tests.servers.discord import World as DiscordWorld
from tests.servers.discord import discord_server
from tests.servers.model import model_server
from tests.servers.telegram import World, telegram_server

KEY = "sk-live-0123456789abcdef"  # a canary, not a key


class Home:
    """A directory with a configuration for a world and a model server."""

    def __init__(self, path, world, telegram, model):
        self.path, self.world, self.telegram, self.model = path, world, telegram, model
        self.bot, self.ann = world.bot("glassmind_bot"), world.person("Ann", "ann")
        self.write(owner=self.ann.id)
        (path / ".env").write_text(f"TELEGRAM_TOKEN={self.bot.token}\nOPENAI_API_KEY={KEY}\n")
        (path / ".env").chmod(0o600)

    def write(self, owner, more=""):
        (self.path / "config.toml").write_text(
            f"""
            [model]
            name = "openai/test-model"
            [providers.openai]
            kind = "openai"
            base_url = "{self.model.base_url}"
            api_key = "env:OPENAI_API_KEY"
            [platforms.telegram]
            token = "env:TELEGRAM_TOKEN"
            base_url = "{self.telegram.base_url}"
            file_url = "{self.telegram.base_file_url}"
            owner_ids = [{owner}]
            {more}
            """
        )

    async def doctor(self, *words: str) -> tuple[Ran, dict]:
        ran = await glassmind(self.path, "doctor", "--json", *words)
        assert KEY not in ran.out + ran.err and self.bot.token not in ran.out + ran.err
        return ran, {row["problem"]: row for row in orjson.loads(ran.out)}


@pytest.fixture
async def home(tmp_path):
    world = World()
    async with telegram_server(world) as telegram, model_server(key=KEY) as model:
        yield Home(tmp_path, world, telegram, model)


async def test_before_the_first_start_only_the_start_is_missing(home):
    home.world.dm(home.ann).is_started = True
    ran, rows = await home.doctor()
    assert ran.status == 1
    assert {name for name, row in rows.items() if row["state"] != "ok"} == {"store"}
    assert rows["store"]["fix"] == "Start the bot: glassmind run."
    assert "2 variables from .env" in rows["configuration"]["evidence"]
    assert "lists 1 model to this key, and to nobody without one" in rows["provider openai"]["evidence"]
    assert "answered a one-token request with this key" in rows["answer of openai/test-model"]["evidence"]
    assert len(home.model.chats) == 1
    assert "@glassmind_bot answers" in rows["telegram account"]["evidence"]
    assert "I can message 1 of 1 in private" in rows["telegram admins"]["evidence"]
    assert "UTC" in rows["clock"]["evidence"] and rows["files"]["state"] == "ok"
    # looking never polls, so it never takes an update from the bot
    assert {call.method for call in home.telegram.calls()} == {"getMe", "getWebhookInfo", "getChat"}


async def test_what_is_broken_is_said_with_evidence_and_fix(home):
    (home.path / ".env").write_text(f"TELEGRAM_TOKEN={home.bot.token}\nOPENAI_API_KEY=sk-wrong-key-0123456789\n")
    ran, rows = await home.doctor()
    assert ran.status == 1
    assert rows["provider openai"]["state"] == "failed" and "api_key" in rows["provider openai"]["fix"]
    assert rows["telegram admins"]["state"] == "failed" and "press Start" in rows["telegram admins"]["fix"]
    await home.model.refuse()
    ran, rows = await home.doctor()
    assert "network" in rows["provider openai"]["fix"]


async def test_for_free_no_model_is_asked(home):
    _, rows = await home.doctor("--free")
    row = rows["answer of openai/test-model"]
    assert row["state"] == "ok" and "I did not ask it for an answer (--free)" in row["evidence"]
    home.model.public_list = True
    _, rows = await home.doctor("--free")
    assert rows["answer of openai/test-model"]["state"] == "unknown" and home.model.chats == []


async def test_a_wrong_key_is_found_where_everybody_may_read_the_list(home):
    home.model.public_list = True
    (home.path / ".env").write_text(f"TELEGRAM_TOKEN={home.bot.token}\nOPENAI_API_KEY=sk-wrong-key-0123456789\n")
    ran, rows = await home.doctor()
    assert ran.status == 1 and "proves no key" in rows["provider openai"]["evidence"]
    row = rows["answer of openai/test-model"]
    assert row["state"] == "failed" and "HTTP 401" in row["evidence"] and "api_key" in row["fix"]


async def test_an_unusable_configuration_is_the_first_finding(home):
    home.write(owner=home.ann.id, more="poll_timeuot = 3")
    ran, rows = await home.doctor()
    assert ran.status == 2
    assert "Did you mean `poll_timeout`?" in rows["configuration"]["evidence"]
    ran = await glassmind(home.path, "doctor")
    assert ran.status == 2 and ran.out.startswith("✗ configuration: platforms.telegram.poll_timeuot: unknown key.")


async def test_the_token_of_another_bot_is_named_before_the_start_and_after_it(home):
    home.world.dm(home.ann).is_started = True
    async with running(home.path):
        await home.telegram.caught_up()
    assert "telegram data" not in (await home.doctor())[1]
    del home.world.bots[home.bot.token]
    other = home.world.bot("other_bot")
    (home.path / ".env").write_text(f"TELEGRAM_TOKEN={other.token}\nOPENAI_API_KEY={KEY}\n")
    ran, rows = await home.doctor()
    assert ran.status == 1 and rows["telegram account"]["state"] == "ok"
    row = rows["telegram data"]
    assert row["state"] == "failed" and "the token is of @other_bot" in row["evidence"]
    assert row["fix"].startswith("Put the token of @glassmind_bot into")
    async with running(home.path) as process:
        line = await process.logged("telegram_poll_failed")
        assert line["level"] == "error" and line["code"] == "account" and line["fix"] == row["fix"]
        assert (await home.doctor())[1]["telegram data"]["state"] == "failed"


async def test_discord_is_asked_about_the_channels_used_last(tmp_path):
    world = DiscordWorld(clock=lambda: time.time())  # noqa: TID251 - the bot outside lives in real time
    me, ann = world.bot(), world.person("Ann")
    support = world.guild("Kitchen", ann, me).channel("support")
    async with discord_server(world) as server:
        urls = f'rest_url = "{server.api_url}"\ngateway_url = "{server.gateway_url}"\ncdn_url = "{server.cdn_url}"'
        (tmp_path / "config.toml").write_text(f'[platforms.discord]\ntoken = "env:T"\nowner_ids = [{ann.id}]\n{urls}\n')
        environ = {"T": me.token}
        async with running(tmp_path, environ=environ):
            await server.called("put_commands")
            await ann.says(support, "hello", mentions=me)
            await server.called("create_message")
            ran = await glassmind(tmp_path, "doctor", environ=environ)
        assert ran.status == 0, ran.out
        assert "✓ platform discord: up" in ran.out and "✓ discord message content: " in ran.out
        assert "the bot may read and write there" in ran.out
        assert "✓ discord admins: I can message 1 of 1 in private" in ran.out
        me.granted.discard("message_content")
        ran = await glassmind(tmp_path, "doctor", environ=environ)
        assert ran.status == 1 and "✗ discord message content: " in ran.out and "Message Content Intent" in ran.out


async def test_a_person_at_a_terminal_sees_a_table(home):
    terminal = await at_terminal(home.path, "doctor")
    assert await terminal.ended() == 1
    assert "result" in terminal.seen and "telegram webhook" in terminal.seen and "→ Start the bot" in terminal.seen


async def test_a_channel_that_nothing_ever_came_from_is_asked_about(tmp_path):
    world = DiscordWorld(clock=lambda: time.time())  # noqa: TID251 - the bot outside lives in real time
    me, ann = world.bot(), world.person("Ann")
    kitchen = world.guild("Kitchen", ann, me)
    staff = kitchen.category("Staff")
    staff.deny(kitchen.everyone, "view_channel")
    desk = kitchen.channel("desk", under=staff)
    async with discord_server(world) as server:
        urls = f'rest_url = "{server.api_url}"\ngateway_url = "{server.gateway_url}"\ncdn_url = "{server.cdn_url}"'
        (tmp_path / "config.toml").write_text(f'[platforms.discord]\ntoken = "env:T"\nowner_ids = [{ann.id}]\n{urls}\n')
        environ = {"T": me.token}
        for written in ("#desk", f"discord:{kitchen.id}:{desk.id}"):
            ran = await glassmind(tmp_path, "doctor", written, environ=environ)
            assert "the bot can't view the channel" in ran.out and "Edit Category (Staff)" in ran.out
        ran = await glassmind(tmp_path, "doctor", "#nowhere", environ=environ)
        assert ran.status != 0 and "No platform shows me a place of that name" in ran.out + ran.err
        async with running(tmp_path, environ=environ):
            await server.called("put_commands")
            await ann.says(kitchen.channel("lobby"), "hello", mentions=me)
            await server.called("create_message")
            ran = await glassmind(tmp_path, "doctor", "#desk", environ=environ)
        assert "Edit Category (Staff)" in ran.out
