"""The one place that decides who may read a record: it asks for the person behind it as well as for the channel."""

from __future__ import annotations

from typing import NamedTuple

from bot.domain.channel import ProcessKind
from bot.domain.ids import ChannelKey, PersonKey
from bot.domain.ledger import Outcome, StoredInbound
from bot.domain.process import StoredProcess

TALKS = frozenset({ProcessKind.CORTEX, ProcessKind.INSPECTION, ProcessKind.REPLAY})
"""Processes that only ever work for one admin, in private."""

_TALK = frozenset({"cortex", "why"})
"""Why a message counts as a command: it was said to the cortex."""


class RecordOwner(NamedTuple):
    """Whose a record is: a channel's, or one person's. `key` is the channel that it is about (None: about none).

    A private record without a `person` is nobody's: the session that would say whose is not on record any more.
    """

    key: ChannelKey | None
    is_private: bool = False
    person: PersonKey | None = None


class RecordReader(NamedTuple):
    """Who reads. `channels` are those whose records are open to the reader: a process's own, an admin's on asking.

    `person` is whoever reads what is found, alone and in private; None where it may be told to a channel, or where
    nobody knows who reads (another program). `is_host`: whoever can read the files anyway.
    """

    channels: frozenset[ChannelKey] = frozenset()
    person: PersonKey | None = None
    is_host: bool = False


HOST = RecordReader(is_host=True)


def may_read(reader: RecordReader, owner: RecordOwner) -> bool:
    """Say whether a reader gets a record; to whoever does not it does not exist."""
    if reader.is_host:
        return True
    if owner.key is not None and owner.key not in reader.channels:
        return False
    if owner.is_private:
        return owner.person is not None and owner.person == reader.person
    return owner.key is not None


def process_reader(kind: ProcessKind, key: ChannelKey, person: PersonKey, *, is_private: bool) -> RecordReader:
    """Return as what a process reads: for its actor where it works for them alone, else for its channel."""
    alone = is_private or kind in TALKS
    return RecordReader(frozenset({key}), person if alone else None)


def of_channel(key: ChannelKey) -> RecordOwner:
    """Return the owner of what belongs to a channel."""
    return RecordOwner(key)


def of_person(person: PersonKey | None, key: ChannelKey | None = None) -> RecordOwner:
    """Return the owner of what is one person's, about a channel or about none."""
    return RecordOwner(key, is_private=True, person=person)


def of_inbound(stored: StoredInbound) -> RecordOwner:
    """Return whose a message is: the channel's, but for what an admin said to the cortex in their private chat."""
    inbound = stored.inbound
    is_talk = stored.outcome is Outcome.COMMAND and stored.outcome_reason in _TALK
    return of_person(inbound.person, stored.key) if is_talk and inbound.place.is_dm else of_channel(stored.key)


def of_process(process: StoredProcess) -> RecordOwner:
    """Return whose a branch or a worker is: the admin's who sent it out in private, or the channel's."""
    return of_person(process.body.by.person, process.key) if process.body.session else of_channel(process.key)
