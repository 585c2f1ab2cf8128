"""`glassmind init`: from nothing to a configuration that a start can use, by options or by a person's answers."""

from __future__ import annotations

import os
import time

import pytest

from bot.config import load_config
from tests.bot.cli.process import at_terminal, glassmind, running
from tests.servers.discord import World as DiscordWorld
from tests.servers.discord import discord_server
from tests.servers.model import Fails, model_server
from tests.servers.telegram import World, telegram_server

KEY = "sk-live-0123456789abcdef"  # a canary, not a key
TOKEN = "123456:AAcanary_0123456789-abcdefghij"


@pytest.fixture
async def telegram():
    world = World(clock=lambda: time.time())  # noqa: TID251 - the bot outside lives in real time
    async with telegram_server(world) as server:
        server.town = world
        server.bot, server.root = world.bot("glassmind_bot"), server.base_url.removesuffix("/bot")
        yield server


@pytest.fixture
async def model():
    async with model_server(key=KEY) as server:
        yield server


def configured(home, environ=None):
    """What a start would read; files of others are refused by it."""
    for name in ("config.toml", ".env"):
        if (home / name).exists():
            assert (home / name).stat().st_mode & 0o777 == 0o600
    return load_config(home / "config.toml", environ or {})


def nothing_written(home):
    return sorted(path.name for path in home.iterdir()) == []


async def test_options_alone_are_enough(tmp_path, telegram, model):
    options = ("--platform", "telegram", "--token-stdin", "--platform-url", telegram.root, "--admin-id", "42")
    options += ("--provider", "openai", "--base-url", model.base_url, "--model", "test-model", "--key-stdin")
    ran = await glassmind(tmp_path, "init", *options, typed=f"{telegram.bot.token}\n{KEY}\n")
    assert (ran.status, ran.err) == (0, "")
    assert "✓ @glassmind_bot answers" in ran.out and "answered a one-token request with this key" in ran.out
    assert "https://t.me/glassmind_bot" in ran.out and "make run" in ran.out
    loaded = configured(tmp_path)
    assert loaded.config.model.name == "openai/test-model"
    assert loaded.config.platforms["telegram"].owner_ids == ("42",)
    assert loaded.secrets["platforms.telegram.token"] == telegram.bot.token
    assert loaded.secrets["providers.openai.api_key"] == KEY
    written = (tmp_path / "config.toml").read_text() + ran.out
    assert KEY not in written and telegram.bot.token not in written
    assert {call.method for call in telegram.calls()} == {"getMe", "getWebhookInfo"}
    ran = await glassmind(tmp_path, "config", "check")
    assert ran.status == 0


async def test_whoever_follows_the_link_of_the_terminal_first_owns_the_bot(tmp_path, telegram):
    options = ("--platform", "telegram", "--token-env", "TELEGRAM_TOKEN", "--platform-url", telegram.root)
    environ, world = {"TELEGRAM_TOKEN": telegram.bot.token}, telegram.town
    ran = await glassmind(tmp_path, "init", *options, environ=environ)
    assert (ran.status, ran.err) == (0, "")
    code = ran.out.split("https://t.me/glassmind_bot?start=")[1].split()[0]
    claim = tmp_path / "config.toml.claim"
    assert claim.stat().st_mode & 0o777 == 0o600 and code not in claim.read_text()
    ann, ben = world.person("Ann", "ann"), world.person("Ben", "ben")
    async with running(tmp_path, environ=environ) as bot:
        for person in (ann, ben):
            world.start(person)
            world.say(world.dm(person), person, f"/start {code}")
            said = await bot.logged("owner_claimed" if person is ann else "claim_refused")
            assert said["user"] == str(person.id)
    assert configured(tmp_path, environ).config.platforms["telegram"].owner_ids == (str(ann.id),)
    assert not claim.exists()


async def test_references_are_kept_and_nothing_is_asked_offline(tmp_path):
    secret = tmp_path / "key"
    secret.write_text(f"{KEY}\n")
    secret.chmod(0o600)
    options = ("--platform", "telegram", "--token-env", "MY_TOKEN", "--no-validate", "--provider", "anthropic")
    ran = await glassmind(
        tmp_path, "init", *options, "--model", "a-model", "--key-file", "key", environ={"MY_TOKEN": TOKEN}
    )
    assert (ran.status, ran.err) == (0, "")
    assert not (tmp_path / ".env").exists()
    text = (tmp_path / "config.toml").read_text()
    assert 'token = "env:MY_TOKEN"' in text and f'api_key = "file:{secret}"' in text
    assert "Once it runs, write to it in private: /start claim-" in ran.out


async def test_everything_that_is_missing_is_said_at_once(tmp_path):
    ran = await glassmind(tmp_path, "init", "--provider", "anthropic")
    assert ran.status == 2 and nothing_written(tmp_path)
    assert "--platform is missing" in ran.err and "--model is missing" in ran.err and "Traceback" not in ran.err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--token-env", TOKEN), "never the secret itself"),
        (("--token-env", "NO_SUCH_VARIABLE"), "NO_SUCH_VARIABLE is not set"),
        (("--token-file", "nowhere"), "I cannot read"),
        (("--token-stdin",), "must be a bot's token as BotFather shows it"),
        (("--token-env", "GOOD", "--admin-id", "ann"), "'ann' must be a numeric id"),
        (("--token-env", "GOOD", "--admin-id", "777000"), "shares between many people"),
        (("--token-env", "GOOD", "--platform-url", "example.org"), "must be an address"),
        (("--token-env", "GOOD", "--provider", "openai", "--base-url", "ftp://x"), "must be an address"),
    ],
)
async def test_a_bad_option_is_said_with_its_fix(tmp_path, options, words):
    ran = await glassmind(
        tmp_path,
        "init",
        "--no-validate",
        "--platform",
        "telegram",
        *options,
        typed="my canary\n",
        environ={"GOOD": TOKEN},
    )
    assert ran.status == 2 and nothing_written(tmp_path)
    assert words in ran.err and "Traceback" not in ran.err and "canary" not in ran.err + ran.out


async def test_a_token_or_key_that_is_refused_is_not_written(tmp_path, telegram, model):
    options = ("--platform", "telegram", "--token-env", "T", "--platform-url", telegram.root)
    options += ("--provider", "openai", "--base-url", model.base_url, "--key-env", "K")
    environ = {"T": TOKEN, "K": "sk-another-key-0123456789"}
    ran = await glassmind(tmp_path, "init", *options, environ=environ)
    assert ran.status == 2 and nothing_written(tmp_path)
    assert "Telegram does not know the token" in ran.err and "api_key" in ran.err
    assert TOKEN not in ran.err and environ["K"] not in ran.err
    await telegram.refuse()
    ran = await glassmind(tmp_path, "init", *options, environ=environ)
    assert ran.status == 2 and "Traceback" not in ran.err and TOKEN not in ran.err


async def test_what_only_an_answer_proves_is_found_before_anything_is_written(tmp_path, telegram, model):
    model.public_list = True
    options = ("--platform", "telegram", "--token-env", "T", "--platform-url", telegram.root, "--key-env", "K")
    options += ("--provider", "openai", "--base-url", model.base_url)
    environ = {"T": telegram.bot.token, "K": "sk-another-key-0123456789"}
    ran = await glassmind(tmp_path, "init", *options, "--model", "test-model", environ=environ)
    assert ran.status == 2 and nothing_written(tmp_path) and "api_key" in ran.err
    model.script = [Fails(404, "model_not_found", "The model `test-modle` does not exist")]
    ran = await glassmind(tmp_path, "init", *options, "--model", "test-modle", environ={**environ, "K": KEY})
    assert ran.status == 2 and nothing_written(tmp_path) and "Near: test-model." in ran.err
    asked = len(model.chats)
    ran = await glassmind(tmp_path, "init", *options, "--model", "test-model", "--free", environ={**environ, "K": KEY})
    assert ran.status == 0 and "I did not ask it for an answer (--free)" in ran.out and len(model.chats) == asked


async def test_a_file_that_is_there_is_kept(tmp_path):
    (tmp_path / "config.toml").write_text("# mine\n")
    options = ("init", "--platform", "console", "--no-validate")
    ran = await glassmind(tmp_path, *options)
    assert ran.status == 2 and "already exists" in ran.err
    assert (tmp_path / "config.toml").read_text() == "# mine\n"
    ran = await glassmind(tmp_path, *options, "--force")
    assert ran.status == 0 and (tmp_path / "config.toml.old").read_text() == "# mine\n"
    assert configured(tmp_path).config.platforms["console"].owner_ids == ("1",)


MINE = """\
# mine: by hand
[model]
name = "simulated/simulated-1"   # none to pay for
[providers.simulated]
kind = "simulated"
[platforms.telegram]   # the first
token = "env:TELEGRAM_TOKEN"
base_url = "{url}/bot"
file_url = "{url}/file/bot"
owner_ids = [42]
# the end"""


def has_one_bot(home, telegram):
    """A configuration of somebody who has a bot on Telegram, as it was written by hand."""
    for name, text in (
        ("config.toml", MINE.format(url=telegram.root)),
        (".env", f"# a secret\nTELEGRAM_TOKEN={telegram.bot.token}\n"),
    ):
        (home / name).write_text(text)
        (home / name).chmod(0o600)
    return MINE.format(url=telegram.root)


async def test_a_second_bot_is_added_to_what_is_there_and_both_answer(tmp_path, telegram):
    before, world, helper = has_one_bot(tmp_path, telegram), telegram.town, telegram.town.bot("helper_bot")
    add = ("init", "--add", "--platform", "telegram", "--platform-url", telegram.root)
    for options, typed, words in (
        ((), helper.token, "[platforms.telegram] already exists. Give the new bot another name with --name."),
        (("--name", "Support!"), helper.token, "cannot be the name of a platform"),
        (("--name", "discord"), helper.token, '"discord" is a kind of platform'),
        (("--name", "support"), telegram.bot.token, "the same as platforms.telegram.token"),
        (("--name", "support"), TOKEN, "Telegram does not know the token"),
        (("--name", "support", "--model", "x"), helper.token, "With --add the model stays as configured."),
    ):
        ran = await glassmind(tmp_path, *add, *options, "--token-stdin", typed=typed)
        assert (ran.status, words in ran.err) == (2, True), ran.err
        assert "Traceback" not in ran.err and typed not in ran.err + ran.out
    assert sorted(path.name for path in tmp_path.iterdir()) == [".env", "config.toml"]
    assert (tmp_path / "config.toml").read_text() == before

    ran = await glassmind(tmp_path, *add, "--name", "support", "--token-stdin", typed=helper.token)
    assert (ran.status, ran.err) == (0, "")
    assert "✓ @helper_bot answers" in ran.out and "The previous configuration is now" in ran.out
    assert "If the bot is running, restart it" in ran.out and "claim" not in ran.out
    assert "Nobody owns it yet" in ran.out and "owner_ids in [platforms.support]" in ran.out
    text = (tmp_path / "config.toml").read_text()
    assert text.startswith(f"{before}\n\n[platforms.support]\n") and helper.token not in text + ran.out
    assert (tmp_path / "config.toml.old").read_text() == before
    assert (tmp_path / "config.toml.old").stat().st_mode & 0o777 == 0o600
    env = (tmp_path / ".env").read_text()
    assert env == f"# a secret\nTELEGRAM_TOKEN={telegram.bot.token}\nSUPPORT_TOKEN={helper.token}\n"
    loaded = configured(tmp_path)
    assert loaded.config.platform_names.kinds == {"telegram": "telegram", "support": "telegram"}
    assert loaded.secrets["platforms.support.token"] == helper.token

    ann = world.person("Ann", "ann")
    async with running(tmp_path) as bot:
        for account, name in ((telegram.bot, "telegram"), (helper, "support")):
            private = world.dm(ann, account)
            private.is_started = True
            world.say(private, ann, "are you there?")
            turn = await bot.logged("turn")
            assert (turn["channel"], turn["outcome"]) == (f"{name}:{private.id}", "replied")


def has_one_on_discord(home, account, server):
    """A configuration of somebody who has a bot on Discord, as it was written by hand."""
    keys = f'token = "env:DISCORD_TOKEN"\nrest_url = "{server.api_url}"\nowner_ids = [42]\n'
    text = f"{MINE.partition('[platforms')[0]}[platforms.discord]   # the first\n{keys}"
    for name, written in (("config.toml", text), (".env", f"DISCORD_TOKEN={account.token}\n")):
        (home / name).write_text(written)
        (home / name).chmod(0o600)
    return text


async def test_a_person_adds_a_bot_on_discord_and_both_answer(tmp_path):
    world = DiscordWorld(clock=lambda: time.time())  # noqa: TID251 - the bot outside lives in real time
    first, helper, ann = world.bot(), world.bot("helper"), world.person("Ann")
    kitchen = world.guild("Kitchen", ann, first, helper).channel("table")
    async with discord_server(world) as server:
        before = has_one_on_discord(tmp_path, first, server)
        add = ("init", "--add", "--platform", "discord", "--platform-url", server.api_url)
        for options, typed, words in (
            ((), helper.token, "[platforms.discord] already exists. Give the new bot another name with --name."),
            (("--name", "telegram"), helper.token, '"telegram" is a kind of platform'),
            (("--name", "support"), first.token, "the same as platforms.discord.token"),
            (("--name", "support"), "a.b.canary", "Discord does not know the token"),
        ):
            ran = await glassmind(tmp_path, *add, *options, "--token-stdin", typed=typed)
            assert (ran.status, words in ran.err) == (2, True), ran.err
            assert "Traceback" not in ran.err and typed not in ran.err + ran.out
        assert (tmp_path / "config.toml").read_text() == before and not (tmp_path / "config.toml.old").exists()

        helper.granted.discard("message_content")
        terminal = await at_terminal(tmp_path, "init", "--add", "--platform-url", server.api_url)
        for shown, typed in (
            ("Where will the bot live?", "disc"),
            ("[discord-2]: ", "support"),
            ("Token (it is not shown)", first.token),
            ("✗ the same as platforms.discord.token", None),
            ("Token (it is not shown)", helper.token),
            (f"✓ helper (id {helper.id}) is known to Discord", None),
            ("! Message Content Intent is off", None),
            ("Enter to use those of your other bot there.", None),
            ("Owner ids [42]: ", ""),
            ("✓ Wrote config.toml and .env", None),
            ("- If the bot is running, restart it", None),
            (f"- Add it to a server: https://discord.com/oauth2/authorize?client_id={helper.id}&", None),
        ):
            await terminal.until(shown)
            if typed is not None:
                terminal.type(typed)
        assert await terminal.ended() == 0
        assert helper.token not in terminal.seen and "claim" not in terminal.seen
        assert (tmp_path / "config.toml").read_text().startswith(f"{before}\n[platforms.support]\n")
        assert (tmp_path / ".env").read_text() == f"DISCORD_TOKEN={first.token}\nSUPPORT_TOKEN={helper.token}\n"
        loaded = configured(tmp_path)
        assert loaded.config.platform_names.kinds == {"discord": "discord", "support": "discord"}
        assert loaded.config.platforms["support"].owner_ids == ("42",)

        helper.granted.add("message_content")
        async with running(tmp_path) as bot:
            await server.until(lambda: bool(first.sessions and helper.sessions))
            for account, name in ((first, "discord"), (helper, "support")):
                await ann.says(kitchen, "are you there?", mentions=account)
                turn = await bot.logged("turn")
                assert (turn["channel"].partition(":")[0], turn["outcome"]) == (name, "replied")


async def test_a_person_adds_a_bot_at_the_terminal(tmp_path, telegram):
    before, helper = has_one_bot(tmp_path, telegram), telegram.town.bot("helper_bot")
    terminal = await at_terminal(tmp_path, "init", "--add", "--platform-url", telegram.root)
    for shown, typed in (
        ("Where will the bot live?", ""),
        ("Its name in the configuration", None),
        ("[telegram-2]: ", "telegram"),
        ("✗ [platforms.telegram] already exists.", None),
        ("[telegram-2]: ", "2nd"),
        ("✗ '2nd' cannot be the name of a platform", None),
        ("[telegram-2]: ", ""),
        ("Token (it is not shown)", telegram.bot.token),
        ("✗ the same as platforms.telegram.token", None),
        ("Token (it is not shown)", helper.token),
        ("✓ @helper_bot answers", None),
        ("Press Enter to use those of your other bot there.", None),
        ("Owner ids [42]: ", ""),
        ("✓ Wrote config.toml and .env", None),
    ):
        await terminal.until(shown)
        if typed is not None:
            terminal.type(typed)
    assert await terminal.ended() == 0
    assert helper.token not in terminal.seen and "Which model service" not in terminal.seen
    loaded = configured(tmp_path)
    assert loaded.config.platforms["telegram-2"].owner_ids == ("42",)
    assert loaded.origins["platforms.telegram-2.token"] == "env:TELEGRAM_2_TOKEN"
    assert (tmp_path / "config.toml").read_text().startswith(before)


async def test_whoever_follows_the_link_owns_an_added_bot_where_nobody_owns_any(tmp_path, telegram):
    (tmp_path / "config.toml").write_text('[model]\nname = "simulated/simulated-1"\n')
    (tmp_path / "config.toml").chmod(0o600)
    options = ("--platform", "telegram", "--name", "support", "--token-env", "T", "--platform-url", telegram.root)
    environ, world = {"T": telegram.bot.token}, telegram.town
    ran = await glassmind(tmp_path, "init", "--add", *options, environ=environ)
    assert (ran.status, ran.err) == (0, "")
    code = ran.out.split("https://t.me/glassmind_bot?start=")[1].split()[0]
    ann = world.person("Ann", "ann")
    async with running(tmp_path, environ=environ) as bot:
        world.start(ann)
        world.say(world.dm(ann), ann, f"/start {code}")
        await bot.logged("owner_claimed")
    assert configured(tmp_path, environ).config.platforms["support"].owner_ids == (str(ann.id),)


async def test_a_bot_is_added_only_where_its_table_changes_nothing_else(tmp_path):
    options = ("init", "--add", "--platform", "telegram", "--token-env", "T", "--no-validate")
    ran = await glassmind(tmp_path, *options, environ={"T": TOKEN})
    assert ran.status == 2 and "there is nothing to add a bot to" in ran.err
    for text, words in (
        ("platforms = { console = { owner_ids = [1] } }\n", "not written as tables of their own"),
        ("[platforms.console]\nowner_id = [1]\n", "platforms.console.owner_id"),
        ("[platforms\n", "config.toml"),
    ):
        (tmp_path / "config.toml").write_text(text)
        (tmp_path / "config.toml").chmod(0o600)
        ran = await glassmind(tmp_path, *options, environ={"T": TOKEN})
        assert ran.status == 2 and words in ran.err and "Traceback" not in ran.err, ran.err
        assert (tmp_path / "config.toml").read_text() == text and os.listdir(tmp_path) == ["config.toml"]


async def test_variables_of_others_in_the_env_file_stay(tmp_path):
    (tmp_path / ".env").write_text("OTHER='x'\nTELEGRAM_TOKEN=9:old")
    (tmp_path / ".env").chmod(0o600)
    options = ("init", "--platform", "telegram", "--token-stdin", "--no-validate")
    ran = await glassmind(tmp_path, *options, typed=TOKEN)
    assert ran.status == 2 and "The .env has another value for TELEGRAM_TOKEN" in ran.err
    ran = await glassmind(tmp_path, *options, "--force", typed=TOKEN)
    assert ran.status == 0 and (tmp_path / ".env").read_text() == f"OTHER='x'\nTELEGRAM_TOKEN={TOKEN}\n"
    assert configured(tmp_path).secrets["platforms.telegram.token"] == TOKEN


async def test_discord_says_who_it_is_what_it_may_read_and_how_to_invite_it(tmp_path):
    world = DiscordWorld()
    bot = world.bot()
    async with discord_server(world) as server:
        options = ("init", "--platform", "discord", "--token-env", "DISCORD_TOKEN", "--platform-url", server.api_url)
        ran = await glassmind(tmp_path, *options, environ={"DISCORD_TOKEN": bot.token})
        assert (ran.status, ran.err) == (0, "")
        assert f"{bot.name} (id {bot.id}) is known to Discord" in ran.out
        assert "Message Content Intent is on" in ran.out
        invite = "https://discord.com/oauth2/authorize?client_id="
        assert invite in ran.out and "&scope=bot+applications.commands&permissions=" in ran.out
        assert "Once it runs, write to it in private: !start claim-" in ran.out
        bot.granted.discard("message_content")
        ran = await glassmind(tmp_path, *options, "--force", environ={"DISCORD_TOKEN": bot.token})
        assert ran.status == 0 and "! Message Content Intent is off" in ran.out
        assert "https://discord.com/developers/applications/" in ran.out and "Message Content Intent" in ran.out
        ran = await glassmind(tmp_path, *options, "--force", environ={"DISCORD_TOKEN": "a.b.canary"})
        assert ran.status == 2 and "Discord does not know the token" in ran.err and "Reset Token" in ran.err
        assert not {call.operation for call in server.calls()} - {"get_me", "get_application"}


async def test_a_person_is_asked_again_until_it_is_right(tmp_path, telegram, model):
    terminal = await at_terminal(tmp_path, "init", "--platform-url", telegram.root)
    for shown, typed in (
        ("Where will the bot live? telegram, discord, console [telegram]: ", "teams"),
        ("✗ Type one of: telegram, discord, console.", None),
        ("[telegram]: ", ""),
        ("Token (it is not shown)", "hello"),
        ("✗ must be a bot's token as BotFather shows it", None),
        ("Token (it is not shown)", TOKEN),
        ("✗ Telegram does not know the token", None),
        ("It was not accepted. Keep it as it is? [y/N]", "n"),
        ("Token (it is not shown)", telegram.bot.token),
        ("✓ @glassmind_bot answers", None),
        ("Owner ids: ", "@ann"),
        ("✗ '@ann' must be a numeric id", None),
        ("Owner ids: ", "42, 43"),
        ("Which model service? openai, anthropic, simulated", None),
        ("[openai]: ", ""),
        ("Its address (empty: the service's own): ", model.base_url),
        ("Model [gpt-5-mini]: ", "test-model"),
        ("API key", KEY),
        ("✓ Wrote config.toml and .env", None),
    ):
        await terminal.until(shown)
        if typed is not None:
            terminal.type(typed)
    assert await terminal.ended() == 0
    assert KEY not in terminal.seen and telegram.bot.token not in terminal.seen and TOKEN not in terminal.seen
    loaded = configured(tmp_path)
    assert loaded.config.platforms["telegram"].owner_ids == ("42", "43")
    assert set(loaded.secrets.values()) == {KEY, telegram.bot.token}


async def test_ctrl_c_leaves_nothing_behind(tmp_path):
    terminal = await at_terminal(tmp_path, "init", "--platform", "telegram")
    await terminal.until("Token (it is not shown)")
    assert await terminal.interrupted() == 130
    assert "Stopped; nothing was written." in terminal.seen and "Traceback" not in terminal.seen
    assert nothing_written(tmp_path)


async def test_a_directory_that_cannot_be_written_says_so(tmp_path):
    (tmp_path / "file").write_text("")
    ran = await glassmind(tmp_path, "init", "--platform", "console", "--config", "file/config.toml")
    assert ran.status == 2 and "Traceback" not in ran.err
    assert os.listdir(tmp_path) == ["file"]
