"""Who may read a record: the channel is asked for, and the person behind it."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from bot.domain.channel import ProcessKind
from bot.domain.ids import MAIN, ChannelId, ChannelKey, PersonKey, UserId
from bot.domain.record_access import HOST, RecordOwner, RecordReader, may_read, of_channel, of_person, process_reader

HERE, THERE = (ChannelKey(MAIN, ChannelId(name)) for name in ("console:#here", "console:#there"))
ROOT, MOD = (PersonKey("console", UserId(name)) for name in ("1", "2"))
OWNERS = st.builds(RecordOwner, st.sampled_from([HERE, THERE, None]), st.booleans(), st.sampled_from([ROOT, MOD, None]))
READERS = st.builds(
    RecordReader, st.frozensets(st.sampled_from([HERE, THERE])), st.sampled_from([ROOT, MOD, None]), st.just(False)
)


@given(READERS, OWNERS)
def test_nobody_reads_what_is_somebody_elses(reader, owner):
    if may_read(reader, owner):
        assert owner.key is None or owner.key in reader.channels
        assert not owner.is_private or owner.person == reader.person is not None
    assert may_read(HOST, owner)


def test_a_conversation_reads_what_is_its_channels_and_nothing_that_is_private():
    talks = {ProcessKind.CORTEX, ProcessKind.INSPECTION, ProcessKind.REPLAY}
    for kind, is_private, person in itertools.product(ProcessKind, (False, True), (ROOT, MOD)):
        reader = process_reader(kind, HERE, person, is_private=is_private)
        assert may_read(reader, of_channel(HERE)) and not may_read(reader, of_channel(THERE))
        is_told_alone = is_private or kind in talks
        assert may_read(reader, of_person(ROOT, HERE)) == (is_told_alone and person == ROOT)
        assert not may_read(reader, of_person(ROOT, THERE))


def test_whose_session_is_gone_is_nobodys_and_a_lost_right_closes_what_is_ones_own():
    assert not may_read(RecordReader(frozenset({HERE}), None), of_person(None, HERE))
    assert not may_read(RecordReader(frozenset({HERE}), ROOT), of_person(None, HERE))
    assert not may_read(RecordReader(frozenset(), ROOT), of_person(ROOT, HERE))
    assert may_read(RecordReader(frozenset(), ROOT), of_person(ROOT))
