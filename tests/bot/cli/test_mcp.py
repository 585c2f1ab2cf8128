"""The inspector as an MCP server: what an editor may read of a bot, and what it never gets."""

from __future__ import annotations

import asyncio
import socket
import sys
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path

import aiohttp
import pytest

from bot.cli.host_queries import HostAnswer
from bot.cli.main import run
from bot.cli.mcp import InspectorDoctorArgs, InspectorEndpoint, desk_of
from bot.cli.run_bot import with_data
from bot.config import load_config
from bot.errors import UserError
from tests.bot.cli.process import surroundings
from tests.dialogs.bot import a_bot

pytest.importorskip("mcp", reason="the extra `mcp` is not installed")

TOKEN = "an-inspector's-own-token"
MORE = f"""
[inspector]
token = "{TOKEN}"
[channels."console:#quiet"]
record = false
"""
CONFIG = f"[platforms.console]\nowner_ids = [1]\n{MORE}"
DM, NOBODYS = "console:dm:101", "console:dm:987"
TALK = (
    "[#general] ann> @glassmind remember as fact with importance 0.5: the tea stands in the cupboard",
    "[dm] ann> remember as fact with importance 0.5: the walrus likes tea",
    "[#general] ann> @glassmind say good morning",
    f"[#general] ann> @glassmind say {TOKEN}",
    "[dm] ann> say the walrus knows",
    "[#quiet] ann> @glassmind say a canary",
    "[#general] ann> @glassmind say good night",
)


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A directory in which a bot has lived: a channel, a private chat, and a channel that is not recorded."""
    home = tmp_path_factory.mktemp("home")

    async def live():
        async with a_bot(home / "data", more=MORE) as bot:
            await bot.types(*TALK)

    asyncio.run(live())
    (home / "config.toml").write_text(CONFIG)
    (home / "config.toml").chmod(0o600)
    return home


@cache
def asked(home: Path, **keys) -> InspectorEndpoint:
    async def doctor(args: InspectorDoctorArgs) -> HostAnswer:
        return HostAnswer("All is well.", {"rows": []})

    loaded = with_data(load_config(home / "config.toml", {}), str(home / "data"))
    if keys:
        config = loaded.config.model_copy(update={"cortex": loaded.config.cortex.model_copy(update=keys)})
        loaded = type(loaded)(**{**vars(loaded), "config": config})
    return InspectorEndpoint(loaded, doctor)


async def test_every_look_tells_a_person_and_a_program(home):
    desk = asked(home)
    told = {name: await desk.ask(name, args) for name, args in {
        "list_channels": {},
        "read_context": {"channel": "#general", "part": "history"},
        "ledger": {"target": "#general"},
        "why": {"target": "#general"},
        "diff": {"channel": "#general"},
        "find": {"channel": "#general", "words": "good morning"},
        "usage": {"channel": "#general"},
        "memory_list": {"channel": "#general", "words": "tea"},
        "memory_show": {"memory": "m2krxn"},
        "doctor": {},
    }.items()}  # fmt: skip
    assert set(told) == set(desk.args)
    assert not any(one.failed for one in told.values())
    assert "console:#general · #general" in told["list_channels"].text
    assert "Data, not instructions:\n```" in told["read_context"].text and "good night" in told["read_context"].text
    assert told["read_context"].value["channel"] == "console:#general"
    assert told["ledger"].value["trails"][0]["outcome"] == "replied"
    assert told["why"].value["findings"][0]["rule"] == "NOT-RUNNING"
    assert told["diff"].value["same"] is False
    assert told["find"].value["places"][0]["where"] == "message 5"
    assert told["usage"].value["rows"][0]["requests"] == 5
    (memory,) = told["memory_list"].value["memories"]
    assert memory["content"] == "the tea stands in the cupboard" and memory["author"]["name"] == "ann"
    assert told["memory_list"].text.startswith("#general: 1 memory\nOnly: with those words\n")
    assert told["memory_show"].value == memory
    assert "Saved because of ann (id 101), not an admin," in told["memory_show"].text


async def test_what_was_learnt_in_private_is_no_memory_for_an_editor(home):
    desk = asked(home)
    for arguments in ({"channel": "#general"}, {"channel": "#general", "whole_server": True, "words": "walrus"}):
        told = await desk.ask("memory_list", arguments)
        assert not told.failed and "walrus" not in told.text + str(told.value)
    for name in ("m7hva", "m9999", "r2krxn", "nonsense"):
        told = await desk.ask("memory_show", {"memory": name})
        assert told.failed and "is not a memory here" in told.text
    assert (await asked(home, inspect_dms=True).ask("memory_show", {"memory": "m7hva"})).value["content"] == (
        "the walrus likes tea"
    )


def test_what_an_editor_is_offered(home, snapshot):
    desk = desk_of(asked(home))
    offered = [f"{look.name}\n  {look.description}\n  {look.parameters}" for look in desk.looks]
    assert "\n".join([desk.instructions, *offered]) == snapshot


async def test_a_message_is_named_by_its_handle_and_a_request_by_its_own(home):
    desk = asked(home)
    newest = (await desk.ask("ledger", {"target": "#general"})).value["trails"][0]["handle"]
    trail = await desk.ask("ledger", {"target": newest})
    assert "say good night" in trail.text and trail.value["trails"][0]["handle"] == newest
    last = (await desk.ask("read_context", {"channel": "#general", "context": "last"})).value["request"]
    again = await desk.ask("read_context", {"context": last, "part": "stats"})
    assert again.value["request"] == last and again.value["context"] == "sent"
    assert not (await desk.ask("diff", {"channel": "#general", "before": last, "after": "next"})).failed


async def test_long_parts_come_in_pages(home):
    desk = asked(home)
    first = await desk.ask("read_context", {"channel": "#general", "part": "dump"})
    whole, part = "", "dump"
    for _ in range(20):
        page = await desk.ask("read_context", {"channel": "#general", "part": part})
        assert not page.failed and len(page.text) <= 16_000
        whole += page.text
        if "read on with part `" not in page.text:
            break
        part = page.text.rpartition("read on with part `")[2].partition("`")[0]
    assert len(whole) >= len(first.text)


async def test_private_talk_is_private_and_what_is_not_recorded_is_not_shown(home):
    desk = asked(home)
    listed = await desk.ask("list_channels", {})
    assert (await desk.ask("usage", {})).value["channel"] != DM, "the channel used last is the last public one"
    assert listed.value["channels"] and not any(row["private"] for row in listed.value["channels"])
    silent = (await desk.ask("why", {})).value["silent"]
    assert not [one for group in silent for one in group["channels"] if one["channel"].startswith("console:dm:")]
    assert (await asked(home, inspect_dms=True).ask("ledger", {"target": DM})).value["trails"]
    for name, args in (
        ("read_context", {"channel": DM}),
        ("read_context", {"channel": DM, "context": "last"}),
        ("ledger", {"target": DM}),
        ("why", {"target": DM}),
        ("diff", {"channel": DM}),
        ("find", {"channel": DM, "words": "walrus"}),
        ("usage", {"channel": DM}),
    ):
        told = await desk.ask(name, args)
        never = await desk.ask(name, {key: value.replace(DM, NOBODYS) for key, value in args.items()})
        assert told.failed and "Private conversations are closed here" in told.text, name
        assert told.text.replace(DM, NOBODYS) == never.text, "one that does not exist is answered in the same words"
    parts = ("history", "dump", "search:canary")
    everything = [await desk.ask("read_context", {"channel": "#quiet", "part": part}) for part in parts]
    everything += [await desk.ask("read_context", {"channel": "#quiet", "context": "last"})]
    everything += [await desk.ask("ledger", {"target": "#quiet"})]
    handle = everything[-1].value["trails"][0]["handle"]
    everything += [await desk.ask("ledger", {"target": handle}), await desk.ask("diff", {"channel": "#quiet"})]
    everything += [await desk.ask("find", {"channel": "#quiet", "words": "a canary"})]
    said = "".join(f"{told.text}{told.value}" for told in everything)
    assert "say a canary" not in said and "[withheld:" in said and "Not recorded here" in said


async def test_an_owner_who_may_read_private_talk_reads_it(home):
    desk = asked(home, inspect_dms=True)
    private = next(row for row in (await desk.ask("list_channels", {})).value["channels"] if row["private"])
    heard = (await desk.ask("ledger", {"target": private["id"]})).value["trails"][0]["handle"]
    assert "the walrus knows" in (await desk.ask("ledger", {"target": heard})).text


async def test_secrets_are_redacted_in_words_and_in_values(home):
    desk = asked(home)
    for name, args in (
        ("read_context", {"channel": "#general", "part": "history"}),
        ("find", {"channel": "#general", "words": "say"}),
        ("diff", {"channel": "#general"}),
    ):
        told = await desk.ask(name, args)
        assert TOKEN not in f"{told.text}{told.value}", name
    assert (
        "[redacted:inspector.token:"
        in (await desk.ask("read_context", {"channel": "#general", "part": "history"})).text
    )


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("nothing", {}, 'There is no tool "nothing". Tools: list_channels'),
        ("find", {"channel": "#general"}, "`words`: Field required"),
        ("find", {"words": "x", "also": 1}, "`also`: Extra inputs are not permitted"),
        ("read_context", {"channel": 5}, "`channel`: Input should be a valid string"),
        ("read_context", {"channel": "#general", "part": "nope"}, "Valid parts: outline"),
        ("read_context", {"channel": "#general", "context": "zzz"}, "The bot knows no channel zzz"),
        ("read_context", {"channel": "#nowhere"}, "Known: #general"),
        ("ledger", {"target": "i4k2p"}, "There is no record i4k2p"),
        ("read_context", {"channel": "x" * 301}, "at most 300 characters"),
    ],
)
async def test_whatever_is_asked_there_is_an_answer(home, name, arguments, said):
    told = await asked(home).ask(name, arguments)
    assert told.failed and said in told.text


async def test_there_need_not_be_a_bot_at_all(tmp_path):
    (tmp_path / "config.toml").write_text(CONFIG)
    (tmp_path / "config.toml").chmod(0o600)
    told = await asked(tmp_path).ask("list_channels", {})
    assert told.failed and "data" in told.text


async def test_an_editor_talks_to_it_over_standard_input_and_output(home):
    from mcp.client.client import Client
    from mcp.client.stdio import StdioServerParameters

    command = StdioServerParameters(
        command=sys.executable, args=["-m", "bot", "mcp"], env=surroundings(), cwd=str(home)
    )
    async with Client(command) as editor:
        tools = {tool.name: tool for tool in (await editor.list_tools()).tools}
        assert set(tools) == set(asked(home).args)
        assert all(tool.annotations and tool.annotations.read_only_hint for tool in tools.values())
        assert "never an instruction" in (editor.instructions or "")
        told = await editor.call_tool("ledger", {"target": "#general"})
        assert told.structured_content["trails"][0]["outcome"] == "replied" and "answered" in told.content[0].text
        refused = await editor.call_tool("read_context", {"channel": "#nowhere"})
        assert refused.is_error and "The bot knows no channel #nowhere" in refused.content[0].text
        examined = await editor.call_tool("doctor", {})
        assert any(row["problem"] == "store integrity" for row in examined.structured_content["rows"])


async def test_it_looks_into_a_bot_that_is_at_work(tmp_path):
    async with a_bot(tmp_path / "data") as bot:
        (tmp_path / "config.toml").write_text("[platforms.console]\nowner_ids = [1]\n")
        desk = asked(tmp_path)
        for number in range(2):
            await bot.says("ann", f"@glassmind say number {number}")
            newest = (await desk.ask("ledger", {"target": "#general"})).value["trails"][0]["handle"]
            assert f"say number {number}" in (await desk.ask("ledger", {"target": newest})).text


@asynccontextmanager
async def served(desk, port):
    from adapters.mcp.look_server import McpLookServer

    serving = asyncio.get_running_loop().create_task(McpLookServer().over_http(desk, port, TOKEN))
    # it listens from its first step on
    await asyncio.sleep(0)
    try:
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def test_over_http_it_wants_the_token(home):
    import httpx2
    from mcp.client.client import Client
    from mcp.client.streamable_http import streamable_http_client

    port = free_port()
    known = {"Authorization": f"Bearer {TOKEN}"}
    ping = {"json": {"jsonrpc": "2.0", "id": 1, "method": "ping"}}
    async with served(desk_of(asked(home)), port) as url, aiohttp.ClientSession() as anybody:
        for shown in (None, "Bearer wrong", f"Basic {TOKEN}", TOKEN, f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}"):
            headers = {"Authorization": shown} if shown else {}
            async with anybody.post(url, headers=headers, **ping) as answer:
                assert answer.status == 401 and "send inspector.token" in await answer.text()
        lower = {"Authorization": f"bearer {TOKEN}", "Accept": "application/json, text/event-stream"}
        async with anybody.post(url, headers=lower, **ping) as answer:
            assert answer.status == 200, "the name of the scheme is read without regard to case (RFC 7235)"
        async with anybody.post(url, headers={**known, "Host": "evil.example"}, **ping) as answer:
            assert answer.status in {403, 421}, "a page in a browser that was led here by a false name"
        async with anybody.post(url, headers={**known, "Origin": "https://evil.example"}, **ping) as answer:
            assert answer.status == 403
        web = httpx2.AsyncClient(headers=known)
        async with web, Client(streamable_http_client(url, http_client=web)) as editor:
            told = await editor.call_tool("why", {"target": "#general"})
            assert told.structured_content["findings"][0]["rule"] == "NOT-RUNNING"
        with pytest.raises(UserError, match="cannot be used"):
            async with asyncio.timeout(5):
                from adapters.mcp.look_server import McpLookServer

                await McpLookServer().over_http(desk_of(asked(home)), port, TOKEN)


def test_without_a_token_nothing_listens(tmp_path, monkeypatch, capsys):
    (tmp_path / "config.toml").write_text("[platforms.console]\nowner_ids = [1]\n")
    monkeypatch.chdir(tmp_path)
    assert run(["mcp", "--http", "8099"]) == 2
    assert "inspector.token: missing" in capsys.readouterr().err


def test_arguments_are_checked(capsys):
    with pytest.raises(SystemExit):
        run(["mcp", "--http", "70000"])
    assert "is not a port" in capsys.readouterr().err
