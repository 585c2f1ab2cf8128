"""Sending a file."""

from __future__ import annotations

import base64

import pytest

from bot.errors import DeliveryError, ToolError
from bot.tools.runtime.effects import SentFile
from bot.tools.send_file import send
from tests.bot.agent.room import Room
from tests.bot.tools.kit import context
from tests.fakes.provider import calls, says


def sends(**arguments: str):
    return calls(("send_file", {"filename": "notes.md", "content": "# Tea", **arguments}))


def results(room: Room) -> list[str]:
    return [result.text for message in room.provider.requests[1].messages for result in message.results]


async def test_a_file_goes_out_and_is_kept_and_comes_back_into_the_history():
    room = Room(sends(caption="Here."), says("It is above."))
    await room.hears()
    body, answer = room.delivery.sent
    assert (body.text, body.file.name, body.file.mimetype, body.kind) == ("Here.", "notes.md", "text/markdown", "reply")
    assert room.files.kept[body.file.path] == b"# Tea"
    assert results(room) == ["notes.md (5 bytes) is sent as message p0."]
    assert answer.text == "It is above."
    (note,) = [message.text for message in room.state.history if "you_sent" in message.text]
    assert '{"bytes":5,"file":"notes.md","message_id":"p0","seen":"not shown","type":"text/markdown"}' in note


async def test_a_file_alone_is_an_answer():
    room = Room(sends(), says(""))
    await room.hears()
    assert room.end.reason == "sent as a file" and room.end.status.value == "replied"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"filename": "../../etc/passwd"}, "is no file name"),
        ({"filename": ".."}, "is no file name"),
        ({"filename": "a\x00/b.md"}, "is no file name"),
        ({"content": "not base64!", "encoding": "base64"}, "is not base64"),
        ({"content": "ZZ=", "encoding": "base64"}, "is not base64"),
        ({"content": ""}, "at least 1 character"),
        ({"encoding": "zip"}, "'text' or 'base64'"),
    ],
)
async def test_what_cannot_be_sent_is_said(arguments, told):
    room = Room(sends(**arguments), says("no"))
    await room.hears()
    assert told in results(room)[0] and room.files.kept == {}


async def test_bytes_go_out_as_they_are():
    data = bytes(range(256))
    room = Room(sends(filename="a.bin", content=base64.b64encode(data).decode(), encoding="base64"), says("ok"))
    await room.hears()
    assert list(room.files.kept.values()) == [data]
    assert room.delivery.sent[0].file.mimetype == "application/octet-stream"


async def test_a_platform_that_refuses_or_is_silent_is_told_of():
    room = Room(sends(), sends(filename="b.md"), says("hm"))
    room.delivery.errors = [
        DeliveryError("too large", code="too_large", permanent=True),
        DeliveryError("cut", uncertain=True),
    ]
    await room.hears()
    texts = [result.text for message in room.provider.requests[2].messages for result in message.results]
    assert "refused it (too_large)" in texts[0] and "not known whether the file arrived" in texts[1]
    assert not any("you_sent" in message.text for message in room.state.history)


async def test_a_file_that_waits_for_its_platform_is_not_sent_again():
    room = Room(sends(), sends(), says("hm"))
    room.delivery.errors = [DeliveryError("no connection", code="unreachable", waits=True)]
    await room.hears()
    texts = [result.text for message in room.provider.requests[2].messages for result in message.results]
    assert "goes out by itself" in texts[0] and "went out in this turn already" in texts[1]


async def test_one_turn_sends_few_files_and_none_twice():
    many = calls(*(("send_file", {"filename": f"{n}.md", "content": "x"}) for n in range(7)))
    room = Room(sends(), sends(), many, says("ok"))
    await room.hears()
    texts = [result.text for message in room.provider.requests[3].messages for result in message.results]
    assert "went out in this turn already" in texts[1]
    assert sum("is sent as message" in text for text in texts) <= 7
    assert SentFile.__doc__


async def test_nothing_of_what_an_admin_has_done_in_private_goes_out_into_the_channel():
    room, file = Room(says("")), SentFile(b"x", "a.txt", "text/plain")
    with pytest.raises(ToolError, match="an admin alone"):
        await send(await context(is_private=True), room.delivery, room.files, file, "")
    assert not room.delivery.sent and not room.files.kept
