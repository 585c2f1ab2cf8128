"""`glassmind rehearse` on a data directory that a bot has lived in: price first, compared, and nothing done."""

from __future__ import annotations

import hashlib
import sqlite3
from contextlib import asynccontextmanager

import orjson
import pytest

from adapters.openai import create as openai
from tests.bot.cli.process import glassmind
from tests.dialogs.bot import a_bot
from tests.fakes.lengths import whole_or
from tests.servers.model import Calls, Fails, Says, model_server, quarter

SKIP = Calls([("skip", '{"category": "not_addressed", "reason": "nobody asked"}')])
PRICES = ("--price-input", "2", "--price-output", "8")
MORE = '[model]\nname = "openai/test-model"\n[providers.openai]\nkind = "openai"\nbase_url = "{url}"\n'


class Home:
    """A directory with a configuration and a data directory in which a bot has answered."""

    def __init__(self, path, server):
        self.path, self.server, self.data = path, server, path / "data"
        (path / "config.toml").write_text(
            MORE.format(url=server.base_url) + "[platforms.console]\nowner_ids = [1]\npeople = { admin = 1, ann = 7 }\n"
        )

    @asynccontextmanager
    async def bot(self):
        """Let the bot live."""
        made = openai("openai", {"base_url": self.server.base_url})
        more = MORE.format(url=self.server.base_url)
        async with a_bot(self.data, providers={"openai": made}, more=more) as bot:
            yield bot
        await made.close()

    async def lived(self, *said: str) -> None:
        async with self.bot() as bot:
            for number, text in enumerate(said):
                # in many rooms talk stays short, and a test quick
                place = "#tea" if text.startswith("tea") else f"#room{number // 5}" if len(said) > 50 else "#general"
                await bot.says("ann", f"@glassmind {text}", place)
        self.server.received.clear()

    async def rehearse(self, *words: str, status: int = 1):
        ran = await glassmind(self.path, "rehearse", *words)
        assert ran.status == status, ran
        return ran

    def contents(self) -> dict[str, str]:
        """Every table and every file, but for what rehearsals write down."""
        tables = sqlite3.connect(f"file:{self.data / 'glassmind.db'}?mode=ro", uri=True)
        names = [row[0] for row in tables.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        found = {name: digest(repr(tables.execute(f'SELECT * FROM "{name}"').fetchall()).encode()) for name in names}
        tables.close()
        files = [one for one in self.data.rglob("*") if one.is_file() and one.parent.name != "rehearsals"]
        return found | {str(one): digest(one.read_bytes()) for one in files if not one.name.endswith(("-shm", "-wal"))}


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@pytest.fixture
async def home(tmp_path):
    async with model_server() as server:
        server.answer = lambda request: Says("It is half past four.")
        yield Home(tmp_path, server)


async def test_two_hundred_turns_change_nothing_and_cost_what_was_said(home):
    """Of the suite it plays 60."""
    many = whole_or(200, 60)
    await home.lived(*(f"question {n}: what time is it, and how long is tea to draw?" for n in range(many)))
    before = home.contents()

    def answer(request):
        newest = next(m["content"] for m in reversed(request["messages"]) if m["role"] == "user")
        return (
            SKIP if "question 7:" in str(newest) or "question 50:" in str(newest) else Says("Half past four, I think.")
        )

    home.server.answer = answer
    ran = await home.rehearse("--model", "openai/other-model", "--last", str(many), *PRICES, "--yes", "--json")
    result = orjson.loads(ran.out)
    assert home.contents() == before
    assert len(home.server.chats) == many and {chat["model"] for chat in home.server.chats} == {"other-model"}
    assert result["same"]["hits"] == many - 2 and result["same"]["low"] < 1 - 2 / many < result["same"]["high"]
    changed = [turn for turn in result["turns"] if turn["changed"]]
    assert [turn["after"] for turn in changed] == ["skipped (not_addressed)"] * 2
    assert all(turn["before"] == "replied" and turn["turn"].startswith("t") for turn in changed)
    answered = quarter(b"Half past four, I think.") * 8
    charged = sum(quarter(one.body) * 2 + answered for one in home.server.received) / 1e6
    forecast = await home.rehearse("--model", "openai/other-model", "--last", str(many), *PRICES, status=2)
    said = next(line for line in forecast.out.splitlines() if line.startswith("Price: about "))
    assert abs(float(said.split("$")[1]) / charged - 1) < 0.2, (said, charged)
    assert result["cost_usd"] == pytest.approx(charged, rel=0.05)
    kept = orjson.loads((home.path / result["path"]).read_bytes())
    assert len(kept["runs"]) == many and {run["kind"] for run in kept["runs"]} == {"replay"}
    assert "half past" not in (home.path / result["path"]).read_text().lower()


async def test_what_it_takes_is_said_first_and_nobody_is_asked_without_consent(home, snapshot):
    await home.lived("hello", "tea, please")
    ran = await home.rehearse("--without", "silence_rules", status=2)
    assert home.server.chats == [] and "I asked nothing. Add --yes" in ran.err
    ran = await home.rehearse("--without", "silence_rules", *PRICES, "--most-cost", "0.001", status=2)
    assert home.server.chats == [] and "more than $0.001. Raise --most-cost" in ran.err
    ran = await home.rehearse("--most-cost", "1", status=2)
    assert "--most-cost needs the price of openai/test-model, which I don't know." in ran.err
    ran = await home.rehearse("--without", "silence_rules", *PRICES, "--most-cost", "1", "--yes", status=0)
    measured = ("Up to", "Price", "Time", "Asked: 4", "The runs")
    lines = [line for line in ran.out.splitlines() if not line.startswith(measured)]
    assert "\n".join(lines) == snapshot


async def test_another_persona_or_less_is_what_the_model_is_told(home):
    await home.lived("hello")
    (home.path / "pirate.md").write_text("You are a pirate.\n")
    await home.rehearse("--persona", "pirate.md", "--without", "silence_rules", "--yes", status=0)
    told = str(home.server.chats[0]["messages"][0]["content"])
    assert "You are Glassmind.\n\nYou are a pirate." in told.replace("\\n", "\n") and "helpful, friendly" not in told
    for words, why in {
        ("--persona", "gone.md"): "I cannot read gone.md: No such file or directory.",
        ("--without", "sience_rules"): "told anything called sience_rules. `glassmind context` lists",
        ("--model", "nowhere/x"): "no provider named 'nowhere' is configured",
        ("--channel", "#nowhere"): "#nowhere",
        ("--price-input", "1"): "Give both --price-input and --price-output.",
    }.items():
        assert why in (await home.rehearse(*words, "--yes", status=2)).err
    assert len(home.server.chats) == 1


async def test_one_channel_alone(home):
    await home.lived("hello", "tea, please", "good night")
    ran = await home.rehearse("--channel", "#tea", "--yes", "--json", status=0)
    assert [turn["channel"] for turn in orjson.loads(ran.out)["turns"]] == ["#tea"]


async def test_a_turn_with_calls_is_asked_for_round_by_round_until_it_differs(home):
    home.server.script = [Calls([("memory_recall", '{"query": "tea"}')]), Says("Tea is at four.")]
    await home.lived("when is tea?")
    home.server.script = [Calls([("memory_recall", '{"query": "tea time"}')]), SKIP]
    ran = await home.rehearse("--yes", "--json")
    (turn,) = orjson.loads(ran.out)["turns"]
    assert (turn["before"], turn["after"]) == ("replied", "skipped (not_addressed)") and len(home.server.chats) == 2
    assert home.server.chats[1]["messages"][-1]["role"] == "tool"
    home.server.received.clear()
    ran = await home.rehearse("--yes", "--json")
    (turn,) = orjson.loads(ran.out)["turns"]
    assert (turn["before"], turn["after"]) == ("called (memory_recall)", "replied") and len(home.server.chats) == 1


async def test_a_service_that_is_out_of_credit_ends_it_at_once(home):
    await home.lived(*(f"question {n}" for n in range(12)))
    home.server.answer = lambda request: Fails(401, "no such key")
    ran = await home.rehearse("--yes")
    assert "Stopped after" in ran.out and "No turn could be compared." in ran.out and len(home.server.chats) <= 4


async def test_the_limit_ends_it_before_it_is_passed(home):
    await home.lived("one", "two", "three", "four", "five", "six")
    home.server.answer = lambda request: Says("word " * 800)
    ran = await home.rehearse(*PRICES, "--most-cost", "0.05", "--yes", "--json")
    result = orjson.loads(ran.out)
    assert result["stopped"] == "the next request could go over the limit of $0.05"
    assert 0.03 < result["cost_usd"] <= 0.05 and len(home.server.chats) == 3


async def test_without_anything_to_ask_for(home):
    await home.lived()
    assert "There is no turn to rehearse." in (await home.rehearse("--yes", status=2)).err
