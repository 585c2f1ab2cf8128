"""The page from the host: over the data directory of a dead bot, by a link that its own user prints."""

from __future__ import annotations

import asyncio
import re
import socket
import sys
from asyncio.subprocess import PIPE

import aiohttp
import pytest

from tests.bot.cli.process import at_terminal, glassmind, running, surroundings
from tests.dialogs.bot import a_bot

CONFIG = "[platforms.console]\nowner_ids = [1]\n"
OFF = """
PARTS = ("bot.window", "bot.app.window", "bot.ports.page_logins", "adapters.page_server", "adapters.telegram.init_data",
         "adapters.discord.oauth")
import sys
import bot.app.bot, bot.app.agent, bot.app.cortex, bot.app.adapters, bot.cli.run_bot, bot.cli.host
print([name for name in sys.modules if name.startswith(PARTS)])
"""


@pytest.fixture
async def home(tmp_path):
    """A directory in which a bot has lived."""
    async with a_bot(tmp_path / "data") as bot:
        await bot.says("ann", "@glassmind say good morning")
    (tmp_path / "config.toml").write_text(CONFIG)
    (tmp_path / "config.toml").chmod(0o600)
    return tmp_path


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


async def test_the_host_opens_a_dead_bot_and_prints_a_second_link(home):
    port, jar = str(free_port()), aiohttp.CookieJar(unsafe=True)
    terminal = await at_terminal(home, "web", "--port", port)
    try:
        await terminal.until("Ctrl-C closes the page.")
        first = re.search(r"Open (http://\S+)", terminal.seen)[1]
        second = (await glassmind(home, "web", "--link", "--port", port)).out.strip()
        assert first.startswith(f"http://127.0.0.1:{port}/enter/") and second.startswith(f"http://127.0.0.1:{port}/")
        async with aiohttp.ClientSession(cookie_jar=jar, headers={"Origin": f"http://127.0.0.1:{port}"}) as browser:
            for link, status in ((first, 200), (first, 403), (second, 200)):
                form = {"token": link.rpartition("/")[2]}
                async with browser.post(f"http://127.0.0.1:{port}/enter", data=form) as found:
                    assert found.status == status
            async with browser.get(f"http://127.0.0.1:{port}/channel.json?of=main/console:%23general") as found:
                assert (await found.json())["messages"][0]["answers"][0]["text"] == "good morning"
    finally:
        await terminal.interrupted()


async def test_a_running_bot_opens_its_page_and_goes_on_without_where_the_port_is_taken(home):
    port = free_port()
    (home / "config.toml").write_text(f"{CONFIG}[web_page]\nenabled = true\nport = {port}\n")
    async with running(home) as bot:
        assert (await bot.logged("web_page_open"))["address"] == f"http://127.0.0.1:{port}"
        link = (await glassmind(home, "web", "--link")).out.strip()
        own = {"Origin": f"http://127.0.0.1:{port}"}
        form, jar = {"token": link.rpartition("/")[2]}, aiohttp.CookieJar(unsafe=True)
        async with (
            aiohttp.ClientSession(cookie_jar=jar, headers=own) as browser,
            browser.post(f"http://127.0.0.1:{port}/enter", data=form) as found,
        ):
            assert found.status == 200 and "The bot runs." in await found.text()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", port))
        taken.listen()
        async with running(home) as bot:
            assert f"Port {port} of 127.0.0.1 cannot be used" in (await bot.logged("web_page_not_open"))["why"]
            assert (await glassmind(home, "status")).status == 0


async def test_without_a_bot_ever_there_is_nothing_to_open(tmp_path):
    (tmp_path / "config.toml").write_text(CONFIG)
    (tmp_path / "config.toml").chmod(0o600)
    ran = await glassmind(tmp_path, "web", "--link")
    assert ran.status == 2 and "no store" in ran.err


async def test_a_host_that_others_reach_is_refused_unless_it_is_said_twice(home):
    for more, status in (('host = "0.0.0.0"', 2), ('host = "0.0.0.0"\nbeyond_this_machine = true', 0)):
        (home / "config.toml").write_text(f"{CONFIG}[web_page]\nenabled = true\n{more}\n")
        ran = await glassmind(home, "config", "check")
        assert ran.status == status, ran
        assert ("can be reached from other machines" in ran.err + ran.out) is bool(status)


async def test_nothing_of_the_page_is_loaded_where_nobody_wants_it(tmp_path):
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", OFF, cwd=tmp_path, env=surroundings(), stdout=PIPE, stderr=PIPE
    )
    out, err = await process.communicate()
    assert out.decode().strip() == "[]", err.decode()


async def test_the_demo_shows_its_case_in_a_browser(tmp_path):
    port, jar = str(free_port()), aiohttp.CookieJar(unsafe=True)
    terminal = await at_terminal(tmp_path, "demo", "--page", "--port", port)
    try:
        await terminal.until("Ctrl-C ends it.")
        link, case = re.search(r"Open (http://\S+)\s+then (http://\S+)", terminal.seen).groups()
        async with aiohttp.ClientSession(cookie_jar=jar, headers={"Origin": f"http://127.0.0.1:{port}"}) as browser:
            async with browser.post(f"http://127.0.0.1:{port}/enter", data={"token": link.rpartition("/")[2]}) as found:
                assert found.status == 200
            async with browser.get(case) as found:
                assert "the bot chose not to answer" in await found.text()
    finally:
        await terminal.interrupted()
