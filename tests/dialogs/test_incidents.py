"""A model service in trouble: owners and admins get one message each, which follows the trouble to its end."""

from __future__ import annotations

import pytest

from bot.sentences import say
from tests.dialogs.served import BOTS, Stage, a_stage
from tests.servers.model import FAILURES, Fails, Hangs, Reply, Says

PLATFORMS = pytest.mark.parametrize("platform", BOTS)
SECRET = "canary-7f3a"
"""Stands in what people write, and in what the service says: no admin is told either of them."""
TROUBLE: dict[str, tuple[Reply, str, str]] = {
    "a refused key": (FAILURES["bad_key"], "refuses my key", "Check the key"),
    "no credit": (FAILURES["no_credit"], "has no credit left", "Top up"),
    "a limit": (Fails(429, message=f"slow down, {SECRET}"), "limits how often", "Raise the limit"),
    "no answer in time": (Hangs(), "does not answer in time", "status page"),
}


def cards(it: Stage) -> list[str]:
    """What the owner was told in private."""
    bot = it.bot
    return [text for text in bot.texts(bot.dm(bot.root)) if say("alerts.title") not in text]


async def ask(it: Stage, text: str = f"hello {SECRET}") -> None:
    await it.asks(text)
    await it.bot.settled()


@PLATFORMS
@pytest.mark.parametrize("trouble", TROUBLE)
async def test_one_message_follows_it_to_its_end(tmp_path, platform, trouble):
    reply, what, advice = TROUBLE[trouble]
    async with a_stage(tmp_path / "data", platform) as it:
        it.server.answer = lambda _: reply
        await ask(it)
        (card,) = cards(it)
        assert card.startswith(f"✗ The model service openai {what}") and advice in card
        assert (
            "Seen in 1 channel, 1 time." in card and "Without an answer: 1." in card and "there is no fallback" in card
        )
        await ask(it)
        (card,) = cards(it)
        assert "Seen in 1 channel, 2 times." in card and "Without an answer: 2." in card
        it.server.answer = lambda _: Says("fine again")
        await it.passes(120)
        await ask(it)
        (card,) = cards(it)
        assert card.startswith("✓ Over: the model service openai answers again.") and what in card
        assert it.bot.texts()[-1] == "fine again"
        assert SECRET not in card and "Ann" not in card and "kitchen" not in card


@PLATFORMS
async def test_it_goes_on_in_the_same_message_after_a_restart(tmp_path, platform):
    async with a_stage(tmp_path / "data", platform) as it:
        it.server.answer = lambda _: FAILURES["bad_key"]
        await ask(it)
        await it.bot.restart()
        await ask(it)
        (card,) = cards(it)
        assert "Seen in 1 channel, 2 times." in card
        await it.bot.restart()
        it.server.answer = lambda _: Says("fine again")
        await ask(it)
        (card,) = cards(it)
        assert card.startswith("✓ Over")


@PLATFORMS
async def test_a_fallback_that_answers_is_told_of(tmp_path, platform):
    async with a_stage(tmp_path / "data", platform, model='fallbacks = ["openai/spare"]') as it:
        it.server.answer = lambda asked: Says("from the spare") if asked["model"] == "spare" else FAILURES["no_credit"]
        await ask(it)
        (card,) = cards(it)
        assert "Answered by another model instead: 1." in card and "Without an answer" not in card
        assert "Nobody answers" not in card and it.bot.texts() == ["from the spare"]


@PLATFORMS
async def test_a_fallback_that_fails_too_is_named(tmp_path, platform):
    async with a_stage(tmp_path / "data", platform, model='fallbacks = ["openai/spare"]') as it:
        it.server.answer = lambda asked: Fails(500) if asked["model"] == "spare" else FAILURES["no_credit"]
        await ask(it)
        (card,) = cards(it)
        assert "Nobody answers in its place: openai/spare fails too." in card and "no fallback" not in card
        it.server.answer = lambda asked: Says("from the spare") if asked["model"] == "spare" else FAILURES["no_credit"]
        await it.passes(120)
        await ask(it)
        (card,) = cards(it)
        assert "Answered by another model instead: 1." in card and "Nobody answers" not in card


@PLATFORMS
async def test_a_fallback_of_the_same_account_fails_with_it(tmp_path, platform):
    async with a_stage(tmp_path / "data", platform, model='fallbacks = ["openai/spare"]') as it:
        it.server.answer = lambda _: FAILURES["no_credit"]
        await ask(it)
        (card,) = cards(it)
        assert "Model: openai/spare" in card and "Nobody answers in its place: these models all fail." in card


@PLATFORMS
async def test_what_begins_again_much_later_is_another_message(tmp_path, platform):
    async with a_stage(tmp_path / "data", platform) as it:
        for _ in range(2):
            it.server.answer = lambda _: FAILURES["bad_key"]
            await ask(it)
            it.server.answer = lambda _: Says("fine")
            await it.passes(60)
            await ask(it)
            await it.passes(3600)
        assert [card.partition(" ")[0] for card in cards(it)] == ["✓", "✓"]


@PLATFORMS
async def test_a_request_that_came_through_at_the_second_try_is_no_incident(tmp_path, platform):
    async with a_stage(tmp_path / "data", platform) as it:
        it.server.script += [FAILURES["rate_limited"], Says("fine")]
        await ask(it)
        assert cards(it) == [] and it.bot.texts() == ["fine"]
