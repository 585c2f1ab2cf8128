"""What goes from the process that hears to the one that acts is read by the version beside, and shows no secret."""

from __future__ import annotations

import structlog

from adapters.discord.base.handoff import DiscordHandoff, InteractionWindow, KnownChannels

WHOLE = DiscordHandoff(
    channels={2: 1, 3: 1},
    threads=(3,),
    away={1: 1_760_000_000_000},
    dms={11: 12},
    window=InteractionWindow(number=7, application=8, token="s3cret", user=11, stage="deferred", is_shared=True),
)
PINNED = (
    '{"channels":{"2":1,"3":1},"threads":[3],"away":{"1":1760000000000},"dms":{"11":12},'
    '"window":{"number":7,"application":8,"token":"s3cret","user":11,"stage":"deferred","is_shared":true}}'
)


def test_what_is_written_stays_readable():
    assert WHOLE.stored == PINNED and DiscordHandoff.read(PINNED) == WHOLE
    assert DiscordHandoff().stored == "" and DiscordHandoff.read("") == DiscordHandoff()
    later = PINNED.replace('"window":{', '"more":[1],"window":{"age":5,')
    assert DiscordHandoff.read(later) == WHOLE
    assert DiscordHandoff.read('{"window":{"number":7}}').window == InteractionWindow(number=7)


def test_what_cannot_be_read_tells_nothing_and_shows_nothing():
    with structlog.testing.capture_logs() as logged:
        for text in ("{", "[]", PINNED.replace('"user":11', '"user":"s3cret"')):
            assert DiscordHandoff.read(text) == DiscordHandoff()
    assert [one["event"] for one in logged] == ["handoff_unreadable"] * 3
    assert "s3cret" not in f"{logged}{WHOLE!r}{WHOLE}"


def test_a_thread_is_known_and_no_channel_of_the_guild():
    known = KnownChannels()
    known.learn(WHOLE)
    assert (known.guild_of(2), known.guild_of(3), known.guild_of(4)) == (1, 1, None)
    assert (known.is_channel(2), known.is_channel(3), known.is_channel(4)) == (True, False, False)
