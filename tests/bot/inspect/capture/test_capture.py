"""A capture says how exact it is."""

from __future__ import annotations

from bot.domain.handles import has_digit
from bot.domain.snapshot import CaptureKind
from tests.fakes.contexts import Looking
from tests.fakes.values import KEY, channel


async def test_each_kind_of_capture_has_its_own_words():
    look = Looking(channel())
    look.directory.flying[KEY] = (await look.inspector.inspect(KEY)).snapshot
    await look.send()
    notes = {which: (await look.inspector.inspect(KEY, which)).note for which in CaptureKind}
    assert notes[CaptureKind.SENT].startswith("sent: request r")
    assert notes[CaptureKind.IN_FLIGHT].startswith("in flight: ")
    assert notes[CaptureKind.NEXT].startswith("next: exact up to")


async def test_only_what_was_sent_has_a_handle():
    look = Looking(channel())
    await look.send()
    assert (await look.inspector.inspect(KEY)).handle == ""
    sent = await look.inspector.inspect(KEY, CaptureKind.SENT)
    assert has_digit(sent.handle) and sent.digest == sent.request.digest
