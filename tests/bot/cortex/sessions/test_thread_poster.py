"""Files go to the admin alone: what is to leave the chat again is one message, and a refused file leaves its words."""

from __future__ import annotations

import pytest

from bot.cortex.sessions.thread_poster import ThreadPoster
from bot.domain.finding import NewSession, StoredSession
from bot.domain.ids import MAIN, ChannelId, UserId
from bot.domain.messages import Button, OutgoingFile
from bot.errors import DeliveryError
from bot.sentences import say
from tests.fakes.clock import START, FakeClock
from tests.fakes.delivery import FakeDelivery

DUMP = OutgoingFile(name="x-context.json", path="x", mimetype="application/json")
PICTURE = OutgoingFile(name="context.png", path="y", mimetype="image/png")
BUTTONS = (Button(label="ok", data="o"),)


class Touched:
    async def touch(self, session: int, at: int) -> None:
        self.at = at


@pytest.fixture
def delivery():
    return FakeDelivery()


@pytest.fixture
def post(delivery):
    return ThreadPoster(delivery, Touched(), FakeClock(), lambda _: "en")


def session() -> StoredSession:
    body = NewSession(
        agent=MAIN,
        platform="console",
        actor=UserId("1"),
        actor_name="root",
        dm_channel=ChannelId("console:dm:1"),
        dm_thread="1",
        target=ChannelId("console:#general"),
        title="x",
        created_at=START,
    )
    return StoredSession(id=1, body=body, last_at=START)


async def test_dumps_are_marked_and_pictures_are_not(post, delivery):
    await post.say(session(), "see", file=DUMP)
    await post.say(session(), "see", file=PICTURE)
    await post.say(session(), "see")
    assert [body.kind for body in delivery.sent] == ["file", "finding", "finding"]
    assert all(body.to.private_to == "1" for body in delivery.sent)


async def test_many_words_stand_before_a_dump_and_beside_a_picture(post, delivery):
    await post.say(session(), "x" * 1001, BUTTONS, DUMP)
    words, dump = delivery.sent
    assert (words.kind, words.text, words.file) == ("finding", "x" * 1001, None)
    assert (dump.kind, dump.text, dump.file, dump.buttons) == ("file", DUMP.name, DUMP, BUTTONS)
    await post.say(session(), "x" * 1001, file=PICTURE)
    assert delivery.sent[2].file == PICTURE and len(delivery.sent) == 3


@pytest.mark.parametrize("code", ["too_large", "file_too_large", "file_gone"])
async def test_a_file_that_is_refused_leaves_its_words(post, delivery, code):
    delivery.errors = [DeliveryError("no", code=code, permanent=True)]
    await post.say(session(), "see /data/x", BUTTONS, DUMP)
    (body,) = delivery.sent
    assert (body.text, body.file, body.buttons) == (f"see /data/x\n{say('sessions.not-attached')}", None, BUTTONS)


async def test_a_closed_door_stays_closed(post, delivery):
    delivery.errors = [DeliveryError("no", code="dm_closed", permanent=True)]
    with pytest.raises(DeliveryError, match="no"):
        await post.say(session(), "see", file=DUMP)
    assert delivery.sent == []
