"""Which messages are pieces of one thought."""

from __future__ import annotations

import pytest

from bot.domain.messages import PieceSign
from bot.messaging.channels.gathering import DebounceWindow, MessageBurst, continues_thought, signs_of, takes_along
from tests.fakes.values import inbound

FORWARD, ALBUM, LONG = PieceSign.FORWARD, PieceSign.ALBUM, PieceSign.LONG


@pytest.mark.parametrize(
    ("first", "second", "together"),
    [
        ({}, {}, False),
        ({}, {"sign": FORWARD}, True),
        ({"sign": FORWARD}, {}, True),
        ({"sign": LONG}, {}, True),
        ({}, {"sign": FORWARD, "sent_at": 9_000}, False),
        ({"sign": ALBUM, "album": "7"}, {"sign": ALBUM, "album": "7", "sent_at": 9_000}, True),
        ({"sign": ALBUM, "album": "7"}, {"sign": ALBUM, "album": "8", "sent_at": 9_000}, False),
    ],
)
def test_pieces_show_a_sign_and_come_at_once(first, second, together):
    earlier = inbound(sent_at=1_000).replace(**first)
    assert continues_thought(earlier, inbound(sent_at=2_000).replace(**second)) is together


def test_nobody_goes_on_with_what_somebody_else_said():
    first = inbound(sent_at=0, sign=LONG)
    other = first.replace(author=first.author.replace(user_id="99"))
    assert continues_thought(first, first) and not continues_thought(first, other)


def test_in_a_group_what_is_shown_with_a_question_belongs_to_it_and_later_talk_does_not():
    question = inbound(sent_at=0)
    assert takes_along(question, inbound(sent_at=0, sign=FORWARD))
    assert not takes_along(question.replace(sign=FORWARD), inbound(sent_at=0))
    assert takes_along(question.replace(sign=LONG), inbound(sent_at=0))


def test_signs_are_told_in_words_and_once():
    assert (
        signs_of([inbound(sign=ALBUM), inbound(sign=ALBUM), inbound(), inbound(sign=FORWARD)]) == "an album, a forward"
    )


DEBOUNCE = DebounceWindow(quiet=1.5, longest=5.0)


@pytest.mark.parametrize(
    ("burst", "now", "wait"),
    [
        (MessageBurst(None, 10, 10, 1), 10, 0),  # the first message ever
        (MessageBurst(2, 10, 10, 1), 10, 0),  # the first of a burst
        (MessageBurst(9, 10, 10, 1), 10, 1.5),  # the second of a burst
        (MessageBurst(9, 10, 10, 1), 11, 0.5),
        (MessageBurst(9, 10, 10, 1), 30, 0),  # it has waited behind a turn already
        (MessageBurst(None, 10, 10, 2), 10, 1.5),  # two at once
        (MessageBurst(9, 10, 14.8, 6), 14.8, 0.2),  # five seconds at most
        (MessageBurst(9, 10, 16, 7), 16, 0),
    ],
)
def test_how_long_a_turn_waits(burst: MessageBurst, now: float, wait: float):
    assert DEBOUNCE.wait(burst, now) == pytest.approx(wait)


def test_no_debounce_at_all():
    assert DebounceWindow(0, 0).wait(MessageBurst(9, 10, 10, 3), 10) == 0
