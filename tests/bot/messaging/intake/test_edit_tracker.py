from __future__ import annotations

from bot.domain.messages import Inbound, InboundKind
from bot.messaging.intake.edit_tracker import EditTracker
from tests.fakes import values as v


def edit(at: int, message_id: str = "1") -> Inbound:
    return v.inbound(f"text {at}", message_id, kind=InboundKind.EDIT, edit=at)


def gone(at: int) -> Inbound:
    return v.inbound("", "1", kind=InboundKind.DELETE, edit=at)


def test_the_newest_edit_counts():
    changes = EditTracker()
    assert changes.note(edit(2))
    assert not changes.note(edit(1))
    assert changes.note(edit(3))
    assert changes.of(v.inbound()) == edit(3)


def test_nothing_follows_a_deletion():
    changes = EditTracker()
    assert changes.note(gone(1))
    assert not changes.note(edit(5))
    assert changes.of(v.inbound()) == gone(1)


def test_what_nobody_changed_has_no_change():
    assert EditTracker().of(v.inbound()) is None


def test_memory_is_bounded():
    changes = EditTracker()
    for n in range(1500):
        changes.note(edit(1, str(n)))
    assert changes.of(v.inbound(message_id="0")) is None
    assert changes.of(v.inbound(message_id="1499")) is not None
