"""Replies over five parts go out as a file, beginning and all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.domain.handles import HandleKind, handle
from bot.domain.ledger import Outcome
from bot.domain.messages import Inbound, OutgoingMessage
from bot.messaging.delivery.long_reply_file import FOLDER
from bot.text.text import utf16_length
from tests.bot.messaging.house import SECRET, House, house
from tests.fakes import values as v
from tests.fakes.platform import FakePlatform

LONG = "\n\n".join(f"Paragraph {n}: {'word ' * 40}".strip() for n in range(60))


class NoFiles(FakePlatform):
    """A platform that takes words only."""

    def __init__(self) -> None:
        super().__init__()
        self.capabilities = self.capabilities.replace(files=False)


def answers(here: House, text: str) -> None:
    def answer(inbound: Inbound) -> str:
        return text

    here.answer = answer  # type: ignore[method-assign]


def content(sent: OutgoingMessage) -> str:
    """Read what is kept, for our eyes alone."""
    assert sent.file is not None
    path = Path(sent.file.path)
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    return path.read_text()


async def test_a_flood_becomes_a_file_with_its_beginning(tmp_path: Path):
    async with house(tmp_path) as here:
        answers(here, LONG)
        asked = await here.hears("tell me everything")
        (sent,) = here.platform.sent
        row = (await here.trail(asked)).inbound
        assert sent.file is not None
        assert sent.file.name == f"reply-{handle(HandleKind.INBOUND, row.id)}.md"
        assert Path(sent.file.path).parent == tmp_path / "data" / FOLDER
        assert content(sent) == LONG
        assert sent.text.startswith("Paragraph 0: word")
        assert sent.text.endswith(f"{sent.file.name} holds all of it: {len(LONG):,} characters.")
        assert utf16_length(sent.text) <= 1100
        assert (row.outcome, row.redacted) == (Outcome.REPLIED, False)


async def test_five_parts_stay_words(tmp_path: Path):
    async with house(tmp_path, platform=FakePlatform(max_units=100)) as here:
        answers(here, "word " * 95)
        await here.hears("tell me something")
        assert [message.file for message in here.platform.sent] == [None] * 5


async def test_where_no_files_are_taken_it_goes_in_parts(tmp_path: Path):
    async with house(tmp_path, platform=NoFiles()) as here:
        answers(here, LONG)
        await here.hears("tell me everything")
        assert len(here.platform.sent) > 5
        assert not (tmp_path / "data" / FOLDER).exists()


async def test_where_an_excerpt_has_no_room_it_goes_in_parts(tmp_path: Path):
    async with house(tmp_path, platform=FakePlatform(max_units=60)) as here:
        answers(here, LONG)
        await here.hears("tell me everything")
        assert len(here.platform.sent) > 5


async def test_a_secret_is_blacked_out_in_the_file_too(tmp_path: Path):
    async with house(tmp_path) as here:
        answers(here, f"{LONG}\n\nThe key is {SECRET}.")
        asked = await here.hears("tell me everything")
        assert content(here.platform.sent[0]).endswith("The key is [redacted:token:14].")
        assert (await here.trail(asked)).inbound.redacted


async def test_a_name_that_is_taken_is_left_alone(tmp_path: Path):
    """A turn that was cut off before its end had been stored has left its file behind."""
    async with house(tmp_path) as here:
        answers(here, LONG)
        folder = tmp_path / "data" / FOLDER
        folder.mkdir(mode=0o700)
        (folder / f"reply-{handle(HandleKind.INBOUND, 1)}.md").write_text("from before")
        await here.hears("tell me everything")
        file = here.platform.sent[0].file
        assert file is not None
        name = f"reply-{handle(HandleKind.INBOUND, 1)}"
        assert (file.name, Path(file.path).name) == (f"{name}.md", f"{name}-2.md")
        assert (folder / file.name).read_text() == "from before"


async def test_where_it_cannot_be_kept_it_goes_in_parts(tmp_path: Path):
    async with house(tmp_path) as here:
        answers(here, LONG)
        outside = tmp_path / "outside"
        outside.mkdir()
        (tmp_path / "data" / FOLDER).symlink_to(outside)
        await here.hears("tell me everything")
        assert len(here.platform.sent) > 5
        assert os.listdir(outside) == []


async def test_it_is_still_there_after_a_restart(tmp_path: Path):
    async with house(tmp_path) as here:
        answers(here, LONG)
        here.dies_before_sending = True
        await here.hears("tell me everything")
    async with house(tmp_path) as here:
        await here.manager.settled()
        (sent,) = here.platform.sent
        assert content(sent) == LONG


@pytest.mark.parametrize("kind", ["notice", "command"])
async def test_only_replies_become_files(tmp_path: Path, kind: str):
    async with house(tmp_path) as here:
        assert len(await here.sender.parts(v.outgoing(LONG, kind))) > 5


async def test_a_reply_to_nothing_has_a_name_too(tmp_path: Path):
    async with house(tmp_path) as here:
        for changes, name in (({}, "reply.md"), ({"turn": 3}, f"reply-{handle(HandleKind.TURN, 3)}.md")):
            (body,) = await here.sender.parts(v.outgoing(LONG, "reply", **changes))
            assert body.file is not None
            assert body.file.name == name
