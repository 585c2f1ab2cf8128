"""A message and a `!cortex why` go through the rooms as docs/architecture.md says, step after step."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import pytest

from tests.architecture.test_pages import way
from tests.architecture.tree import ROOT
from tests.dialogs.telegram import AT, TelegramBot, a_telegram_bot


@pytest.fixture
async def bot(tmp_path):
    async with a_telegram_bot(tmp_path / "data") as bot:
        yield bot


@contextmanager
def walked() -> Iterator[list[tuple[str, str]]]:
    """Every function of ours that the event loop's thread enters, in order."""
    before, found = sys.getprofile(), []
    prefix = f"{ROOT}/"

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(prefix):
            found.append((code.co_filename.removeprefix(prefix), code.co_qualname))

    # Python 3.11 looks at what is pending before it enters a function that is watched, and enters it only when nothing
    # is: a thread that wants its turn all the time would keep this one there for ever
    usually = sys.getswitchinterval()
    sys.setswitchinterval(1.0)
    sys.setprofile(note)
    try:
        yield found
    finally:
        sys.setprofile(before)
        sys.setswitchinterval(usually)


def follows(steps: list[tuple[str, str]], found: list[tuple[str, str]]) -> None:
    """Each step comes some time after the one before it."""
    rest = iter(found)
    for step in steps:
        assert any(one == step for one in rest), f"{step[0]} {step[1]} does not come after the step before it"


async def test_a_message_goes_its_way(bot: TelegramBot) -> None:
    await bot.hears(bot.ann, f"{AT} hello")
    with walked() as found:
        assert await bot.hears(bot.james, f"{AT} are you there?")
    follows(way("message"), found)


async def test_why_goes_its_way(bot: TelegramBot) -> None:
    await bot.hears(bot.ann, f"{AT} hello")
    with walked() as found:
        assert await bot.hears(bot.root, "!cortex why")
    follows(way("why"), found)
