"""What time it is where people talk, and for whom."""

from __future__ import annotations

from bot.config import parse_config
from bot.domain.channel_moves import ChannelMoves
from bot.domain.ids import ChannelId, PersonKey, UserId
from bot.domain.messages import Author, AuthorKind
from bot.messaging.policy.local_times import LocalTimes
from tests.fakes.clock import START

HERE, ANN = ChannelId("telegram:-7"), PersonKey("telegram", UserId("5"))


class Kept:
    def __init__(self) -> None:
        self.rows: dict[PersonKey, str] = {}

    async def all(self):
        return list(self.rows.items())

    async def choose(self, person, zone):
        self.rows[person] = zone


def times(text: str = "", kept: Kept | None = None) -> LocalTimes:
    return LocalTimes(parse_config(text, {}).config, kept or Kept(), lambda: ChannelMoves())


def who(number: str, kind: AuthorKind = AuthorKind.PERSON) -> Author:
    return Author(user_id=UserId(number), name=f"P{number}\nx", kind=kind)


def test_utc_is_not_told_twice():
    assert times().at(START, HERE, [who("5")]) == ()


def test_a_channel_overrules_the_bot():
    told = times('[bot]\ntimezone = "Europe/Berlin"\n[channels."telegram:-7"]\ntimezone = "Asia/Tokyo"\n')
    assert told.zone_of(HERE) == "Asia/Tokyo"
    assert told.zone_of(ChannelId("telegram:-8")) == "Europe/Berlin"


async def test_each_who_asks_is_told_of_once_and_under_a_name_of_one_line():
    own = times()
    await own.set(ANN, "Asia/Tokyo")
    (found,) = own.at(START, HERE, [who("5"), who("6"), who("5"), None])
    assert (found.zone, found.whose) == ("Asia/Tokyo", "P5 x")
    assert own.at(START, HERE, [who("5", AuthorKind.CHANNEL_POST)]) == ()
    await own.set(ANN, "")
    assert own.at(START, HERE, [who("5")]) == ()


async def test_it_is_there_after_a_start_and_gone_with_who_is_forgotten():
    kept = Kept()
    kept.rows[ANN] = "Asia/Tokyo"
    own = times(kept=kept)
    await own.load()
    assert own.own(ANN) == "Asia/Tokyo"
    own.forget(ANN)
    assert own.own(ANN) == ""
