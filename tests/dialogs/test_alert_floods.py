"""What happens again and again is one message, which says how often; a bell rings when it comes back after a rest."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.config import LoadedConfig
from bot.errors import ConfigError
from tests.dialogs.test_alerts import Talk, talk
from tests.fakes.platform import gone


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Talk]:
    async with talk(tmp_path) as found:
        yield found


async def reloads(here: Talk, number: int) -> None:
    def read() -> LoadedConfig:
        raise ConfigError((f"limits.user_per_minuet{number}: unknown key",))

    await here.bot.app.running.reload(read)
    await here.bot.app.settled()


def messages(here: Talk, person: str) -> list[str]:
    """What stands in somebody's chat: each message as it was edited last."""
    shown: dict[str, str] = {}
    for number, sent in enumerate(here.discord.sent, 1):
        if str(sent.to.private_to) == person:
            shown[sent.edits or f"p{number}"] = sent.text
    return list(shown.values())


async def test_four_hundred_bad_reloads_are_one_message_that_edits_itself(here: Talk) -> None:
    begun = here.bot.clock.monotonic()
    for number in range(400):
        await reloads(here, number)
        here.bot.clock.advance(1)
    here.bot.clock.advance(10)
    await reloads(here, 400)
    for person in ("11", "12"):
        (text,) = messages(here, person)
        assert "limits.user_per_minuet400" in text, "another reason is shown in the same message"
        assert "(401 times since 08:5" in text
        edits = (here.bot.clock.monotonic() - begun) / 10
        assert len(here.told(person)) <= edits + 2, "an edit every ten seconds is the most"
    assert len(here.terminal) <= 2, "a terminal cannot edit: one message an hour"


async def test_after_a_restart_the_same_message_goes_on(here: Talk) -> None:
    await reloads(here, 1)
    await here.bot.restart()
    await here.bot.says("ann", "hi")
    await reloads(here, 2)
    (text,) = messages(here, "11")
    assert "user_per_minuet2" in text and "(2 times since" in text


async def test_what_comes_back_after_an_hour_rings_again(here: Talk) -> None:
    await reloads(here, 1)
    here.bot.clock.advance(3601)
    await reloads(here, 2)
    assert [text.count("times since") for text in messages(here, "11")] == [0, 0]


async def test_a_message_that_an_admin_removed_is_written_anew(here: Talk) -> None:
    await reloads(here, 1)
    here.bot.clock.advance(20)
    here.discord.fails([gone()])
    await reloads(here, 2)
    assert any("user_per_minuet2" in text and "(2 times since" in text for text in messages(here, "11"))
    assert any("user_per_minuet2" in text for text in messages(here, "12"))
