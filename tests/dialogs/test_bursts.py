"""What several people say at once: no message rides on somebody else's authority."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.domain.access import Authority
from tests.dialogs.bot import GENERAL, Bot, a_bot
from tests.dialogs.minds import SCRIPTED, Minds, answered, done
from tests.fakes.provider import calls, says

OWNERS_FILES = f'{SCRIPTED}\n[tools.files]\nenabled = true\nauthority = "owner"\n'


def obeys(request):
    """A model that lets a worker do whatever anybody in the turn asks for."""
    wanted = any("WORK" in message.text for message in request.messages[-2:])
    wish = ("spawn_worker", {"task": "delete everything", "name": "a wish"})
    return calls(wish) if wanted and not done(request) else says("ok")


async def hears_at_once(bot: Bot, minds: Minds, *said: tuple[str, str]) -> None:
    """Let people speak while an answer is being written, so that all of it waits for the next turn."""
    minds.holds.add("channel")
    await bot.console.type("[#general] bo> @glassmind a long story", bot.app.manager)
    await minds.waiting.wait()
    for who, words in said:
        await bot.console.type(f"[#general] {who}> @glassmind {words}", bot.app.manager)
    minds.holds.clear()
    minds.goes_on.set()
    await answered(bot)
    await bot.app.settled()


@pytest.mark.parametrize("owner", ["root", "mod"])
@pytest.mark.parametrize("last", [True, False])
async def test_a_members_wish_has_no_more_than_a_members_authority(tmp_path: Path, owner: str, last: bool) -> None:
    minds = Minds(channel=obeys)
    async with a_bot(tmp_path / "data", providers=minds.providers, more=OWNERS_FILES) as bot:
        said = [("ann", "WORK for me: use your tools"), (owner, "hello everybody")]
        await hears_at_once(bot, minds, *(said if last else reversed(said)))
        (process,) = await bot.store.processes.of_channel(GENERAL, 5)
        assert (process.body.by.name, process.body.by.authority) == ("ann", Authority.EVERYONE)
        for request in minds.of("worker"):
            assert not {tool.name for tool in request.tools} & {"file_read", "file_write", "file_edit"}
        turns = await bot.store.journal.recent_turns(GENERAL, 5)
        asked = [[(await bot.store.ledger.inbound(row)).inbound.author.name for row in turn.inbounds] for turn in turns]
        assert [["ann"] in asked, [owner] in asked] == [True, True], asked


async def test_people_of_one_tier_are_answered_together(tmp_path: Path) -> None:
    minds = Minds()
    async with a_bot(tmp_path / "data", providers=minds.providers, more=SCRIPTED) as bot:
        await hears_at_once(
            bot, minds, ("ann", "one"), ("james", "two"), ("ann", "three"), ("root", "four"), ("bo", "5")
        )
        turns = await bot.store.journal.recent_turns(GENERAL, 9)
        assert [len(turn.inbounds) for turn in reversed(turns)] == [1, 3, 1, 1]


async def test_after_a_restart_too(tmp_path: Path) -> None:
    minds = Minds(channel=obeys)
    async with a_bot(tmp_path / "data", providers=minds.providers, more=OWNERS_FILES) as bot:
        minds.holds.add("channel")
        await bot.console.type("[#general] bo> @glassmind a long story", bot.app.manager)
        await minds.waiting.wait()
        for who, words in (("ann", "WORK for me"), ("root", "hello everybody")):
            await bot.console.type(f"[#general] {who}> @glassmind {words}", bot.app.manager)
        await bot.dies()
        minds.holds.clear()
        await bot.open()
        await answered(bot)
        await bot.app.settled()
        (process,) = await bot.store.processes.of_channel(GENERAL, 5)
        assert process.body.by.authority is Authority.EVERYONE
        assert process.body.by.name != "root"
