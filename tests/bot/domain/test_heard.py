"""What is heard by one process is the same to another, also to one of the version before or after it."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.heard import HeardInbound, HeardPress, heard_json, read_heard
from bot.domain.ids import ChannelId, PersonKey, UserId
from bot.domain.ledger import StreamCursor
from bot.domain.messages import (
    Attachment,
    AttachmentKind,
    Author,
    ButtonPress,
    ChannelPlace,
    EventKind,
    Inbound,
    LinkPreview,
    Mention,
    MentionKind,
    MessageReference,
    PieceSign,
    PlatformEvent,
    ReferenceKind,
)
from bot.domain.word_origins import OriginSource, WordAuthority, WordOrigins
from tests.golden.golden import matches

SECRET = '{"window":{"token":"aW50ZXJhY3Rpb24"}}'
ANN = Author(user_id=UserId("11"), name="Ann \U0001f375")
TEA = Attachment(kind=AttachmentKind.IMAGE, name="tea.png", mimetype="image/png", reference="https://x/1", size=12)
INBOUND = HeardInbound(
    inbound=Inbound(
        adapter="discord",
        channel=ChannelId("discord:1:2"),
        channel_name="#tea",
        place=ChannelPlace(guild_id="1", parents=("3", "4")),
        message_id="1234567890123456789",
        edit=1_760_000_000_123,
        author=ANN,
        text="why so \u202e silent?\n\ufffd",
        sent_at=1_760_000_000_000,
        mentions_bot=True,
        mentions_others=True,
        replies_to="99",
        replies_to_bot=True,
        forwarded=True,
        original_sha256="ab" * 32,
        attachments=(TEA,),
        event=PlatformEvent(kind=EventKind.MOVED, name="moved", moved_to=ChannelId("discord:1:5"), what="+1"),
        ephemeral=ChannelId("discord:ephemeral:7"),
        sign=PieceSign.ALBUM,
        album="a1",
        as_channel=True,
        mentioned=(Mention(kind=MentionKind.ROLE, name="Cooks", id="8", is_held=True),),
        account_names=("glass", "Glassmind"),
        refers=(
            MessageReference(
                kind=ReferenceKind.ANSWERED,
                author=ANN,
                text="tea?",
                at=5,
                message_id="99",
                is_part=True,
                attachments=(TEA,),
                links=(LinkPreview(url="https://tea.example", title="Tea"),),
            ),
        ),
        origins=WordOrigins(sources=(OriginSource(WordAuthority.OUTSIDE, "tea.example"),), more=2),
    ),
    handoff=SECRET,
)
PRESS = HeardPress(
    press=ButtonPress(
        person=PersonKey("discord", UserId("11")),
        name="Ann",
        channel=ChannelId("discord:ephemeral:6"),
        data="x" * 64,
        place=ChannelPlace(guild_id="1"),
        ephemeral=ChannelId("discord:ephemeral:7"),
        around=ChannelId("discord:1:2"),
    ),
    handoff=SECRET,
)
CURSOR = StreamCursor(adapter="telegram", stream="updates", value="41")
PINNED = {"inbound": INBOUND, "press": PRESS, "cursor": CURSOR}


def plain(what: str) -> Any:
    return orjson.loads(what)


# made when it is played: two seconds, which every process that collects this file would take
@given(st.deferred(lambda: st.from_type(HeardInbound) | st.from_type(HeardPress) | st.from_type(StreamCursor)))
def test_nothing_is_lost_on_the_way(heard: Any):
    assert read_heard(type(heard), heard_json(heard)) == heard


@pytest.mark.parametrize("name", PINNED)
def test_what_is_written_stays_readable_to_the_version_beside(pytestconfig: pytest.Config, name: str):
    heard = PINNED[name]
    written = orjson.dumps(plain(heard_json(heard)), option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS).decode()
    assert matches(pytestconfig, f"heard/{name}", written)
    assert read_heard(type(heard), written) == heard


def test_what_a_later_version_adds_is_passed_over_and_what_an_earlier_one_left_out_has_its_default():
    def more(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: more(one) for name, one in value.items()} | {"of_tomorrow": [1]}
        return [more(one) for one in value] if isinstance(value, list) else value

    for heard in (INBOUND, CURSOR):
        assert read_heard(type(heard), orjson.dumps(more(plain(heard_json(heard)))).decode()) == heard
    least = {"adapter": "telegram", "channel": "telegram:1", "channel_name": "direct messages", "message_id": "3"}
    least |= {"author": {"user_id": "1", "name": "Ann"}, "text": "hi", "sent_at": 5}
    found = read_heard(HeardInbound, orjson.dumps({"inbound": least}).decode())
    assert found == HeardInbound(inbound=Inbound.model_validate(least)) and not found.handoff
    unknown = least | {"kind": "event", "event": {"kind": "of_tomorrow", "name": "x"}}
    told = read_heard(HeardInbound, orjson.dumps({"inbound": unknown}).decode()).inbound.event
    assert told is not None and told.kind is EventKind.OTHER, "it leaves its row"
    with pytest.raises(ValueError, match="author"):
        read_heard(HeardInbound, '{"inbound": {"adapter": "telegram"}}')


def test_it_is_for_the_channel_in_which_people_see_it_and_has_one_name():
    assert (INBOUND.channel, PRESS.channel) == ("discord:1:2", "discord:1:2")
    assert PRESS.replace(press=PRESS.press.replace(around=None)).channel == "discord:ephemeral:6"
    again = INBOUND.replace(handoff="")
    edited = INBOUND.replace(inbound=INBOUND.inbound.replace(edit=1_760_000_000_124))
    assert again.key == INBOUND.key != edited.key


def test_the_secret_of_a_window_is_shown_to_nobody_who_prints_it():
    assert "aW50" not in f"{INBOUND!r} {INBOUND} {PRESS!r}" and "aW50" in heard_json(INBOUND)
    for heard, needed in ((INBOUND, '"adapter":'), (PRESS, '"person":')):
        with pytest.raises(ValueError, match="Field required") as caught:
            read_heard(type(heard), heard_json(heard).replace(needed, '"x":'))
        assert "aW50" not in str(caught.value) and "Ann" not in str(caught.value)
