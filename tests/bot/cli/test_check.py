"""`glassmind check`: what was kept in a chat is asked again with the prompt, the memories and the model of today."""

from __future__ import annotations

import orjson
import pytest

from bot.domain.decision_check import DecisionCheck
from bot.domain.ids import MAIN, ChannelId, ChannelKey
from tests.bot.cli.process import glassmind
from tests.bot.cli.test_rehearse import PRICES, SKIP, Home
from tests.servers.model import Fails, Says, model_server

GENERAL = ChannelKey(MAIN, ChannelId("console:#general"))


class Checked(Home):
    """A home whose last request is a check."""

    async def keeps(self, expected: str, text: str = "are you there?") -> None:
        async with self.bot() as bot:
            await bot.says("ann", f"@glassmind {text}")
            row = (await bot.store.journal.recent_requests(GENERAL, 1))[0].id
            await bot.store.checks.keep(
                DecisionCheck(request=row, expected=expected, platform="console", actor="1", at=1)
            )
        self.server.received.clear()

    async def check(self, *words: str, status: int = 0):
        ran = await glassmind(self.path, "check", *words)
        assert ran.status == status, ran
        return ran


def obeys(request):
    told = str(request["messages"][0]["content"])
    return SKIP if "Never answer anybody." in told else Says("Yes, I am here.")


@pytest.fixture
async def home(tmp_path):
    async with model_server() as server:
        server.answer = obeys
        yield Checked(tmp_path, server)


async def test_it_holds_before_a_change_of_the_persona_and_fails_after_it(home, snapshot):
    await home.keeps("replied")
    before = home.contents()
    ran = await home.check("--yes", *PRICES)
    assert len(home.server.chats) == 2 and home.contents() == before
    lines = [line for line in ran.out.splitlines() if "requests, about" not in line and not line.startswith("Price")]
    assert "\n".join(lines) == snapshot
    config = home.path / "config.toml"
    config.write_text(config.read_text() + '[bot]\npersona = "Never answer anybody."\n')
    ran = await home.check("--yes", "--json", status=1)
    (one,) = orjson.loads(ran.out)["checks"]
    assert (one["word"], one["hits"], one["runs"], one["seen"]) == ("fails", 0, 2, {"skipped": 2})
    await home.check("--yes", "--as-recorded")


async def test_nobody_is_asked_without_consent_or_above_the_limit(home):
    await home.lived("hello")
    assert "There is no check." in (await home.check(status=2)).err
    await home.keeps("replied")
    assert "I asked nothing. Add --yes" in (await home.check(status=2)).err
    assert "--most-cost needs a price" in (await home.check("--yes", "--most-cost", "1", status=2)).err
    ran = await home.check("--yes", "--most-cost", "0.001", *PRICES, status=2)
    assert "It could cost $" in ran.err and home.server.chats == []


async def test_what_cannot_be_asked_is_no_check_that_holds(home):
    await home.keeps("replied")
    home.server.answer = lambda request: Fails(401, "no such key")
    ran = await home.check("--yes", status=1)
    assert "○" in ran.out and "not asked: " in ran.out and "0 of 1 hold" in ran.out


async def test_a_model_that_cannot_decide_is_unclear(home):
    await home.keeps("replied")
    turns = iter([SKIP, Says("yes")] * 8)
    home.server.answer = lambda request: next(turns)
    ran = await home.check("--yes", status=1)
    assert "? r" in ran.out and "should answer: 4 of 8 (stay silent: 4)" in ran.out and len(home.server.chats) == 8
