"""Workers read the web where the configuration lets them, and people read what came of it."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from tests.dialogs.bot import GENERAL, Bot, a_bot
from tests.dialogs.minds import SCRIPTED, Minds, asked, done
from tests.dialogs.test_work import RESULT, answers
from tests.fakes.provider import calls, says
from tests.servers.site import Answer, Site, site

KEY = "canary-search-key-0123"


def sends_a_worker(request):
    if RESULT in asked(request):
        return says("back: " + ("42" if "the number is 42" in asked(request) else "nothing"))
    return says("Let me see.") if done(request) else calls(("spawn_worker", {"task": "find the number"}))


def table(server: Site, more: str = "", *, enabled: bool = True) -> str:
    on = "true" if enabled else "false"
    return f"""{SCRIPTED}
[tools.web]
enabled = {on}
authority = "everyone"
own_hosts = ["{server.host}"]
{more}
"""


def results(minds: Minds) -> str:
    """What the worker was given for its calls, in order."""
    return "\n".join(one.text for m in minds.of("worker")[-1].messages for one in m.results)


async def ask(bot: Bot) -> list[str]:
    await bot.says("ann", "@glassmind what is the number?")
    return answers(bot)


async def test_a_worker_searches_reads_and_brings_it_back(tmp_path: Path) -> None:
    async with site() as server:
        found = [{"title": "Numbers", "url": f"{server.url}/page", "content": "all of them"}]
        server.pages["/search"] = Answer(orjson.dumps({"results": found}), "application/json")
        server.pages["/page"] = Answer(b"<title>Numbers</title><p>the number is 42")

        def works(request):
            steps = (
                calls(("web_search", {"query": "number"})),
                calls(("web_fetch", {"url": f"{server.url}/page"})),
                calls(("web_fetch", {"url": "http://169.254.169.254/latest/meta-data/"})),
                calls(("finish", {"outcome": "done", "result": "the number is 42"})),
            )
            return steps[min(done(request), 3)]

        minds = Minds(channel=sends_a_worker, worker=works)
        search = f'search = "searxng"\nsearch_url = "{server.url}"\nsearch_key = "{KEY}"'
        async with a_bot(tmp_path / "data", providers=minds.providers, more=table(server, search)) as bot:
            assert await ask(bot) == ["Let me see.", "back: 42"]
            told = results(minds)
            assert "1. Numbers" in told and 'Title, as it calls itself: "Numbers"' in told
            assert "```\nthe number is 42\n```" in told and "is not public" in told
            assert KEY not in told and KEY not in repr(bot.app.config.tools)
            (process,) = await bot.store.processes.of_channel(GENERAL, 5)
            records = await bot.store.journal.calls_of_turn(process.turn)
            assert [(r.tool_name, r.success) for r in records][:3] == [
                ("web_search", True),
                ("web_fetch", True),
                ("web_fetch", False),
            ]
        assert server.paths == ["/search?q=number&format=json", "/page"]


@pytest.mark.parametrize(
    ("more", "enabled", "offered"),
    [
        ("", True, {"web_fetch"}),
        ('search = "brave"\nsearch_key = "k"', True, {"web_fetch", "web_search"}),
        ("channels = []", True, set()),
        ('channels = ["console:#general"]', True, {"web_fetch"}),
        ("", False, set()),
        ("enabled_by_nobody = 1", None, set()),
    ],
)
async def test_what_is_not_granted_or_not_there_is_not_offered(
    tmp_path: Path, more: str, enabled: bool | None, offered: set[str]
) -> None:
    minds = Minds(channel=sends_a_worker)
    async with site() as server:
        config = SCRIPTED if enabled is None else table(server, more, enabled=enabled)
        async with a_bot(tmp_path / "data", providers=minds.providers, more=config) as bot:
            await ask(bot)
    names = {tool.name for tool in minds.of("worker")[0].tools}
    assert names & {"web_fetch", "web_search", "browser"} == offered


async def test_the_doctor_says_what_workers_may_read(tmp_path: Path) -> None:
    async with site() as server:
        more = table(server) + '[tools.browser]\nenabled = true\nprogram = "/no/such/chromium"\n'
        async with a_bot(tmp_path / "data", more=more) as bot:
            said = "\n".join(await bot.says("root", "!cortex doctor", "dm"))
        assert f"pages are read, also from {server.host}" in said
        assert "browser: pages are not opened: there is no program /no/such/chromium" in said
    async with a_bot(tmp_path / "other") as bot:
        said = "\n".join(await bot.says("root", "!cortex doctor", "dm"))
        assert "web and browser are off (tools.web.enabled and tools.browser.enabled)" in said
