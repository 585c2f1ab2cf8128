from __future__ import annotations

from pathlib import Path

from bot.domain.ledger import ArrivalDisposition, Outcome
from bot.domain.messages import AuthorKind
from tests.bot.messaging.house import ADMIN, config, house
from tests.fakes import values as v


async def test_the_rate_is_counted_as_messages_arrive(tmp_path: Path):
    async with house(tmp_path, config(limits={"user_per_minute": 2})) as here:
        asked = [await here.hears(f"question {n}") for n in range(3)]
        assert await here.outcome(asked[2]) == (Outcome.GATED, "rate")
        other = await here.hears("question", by="101")
        assert (await here.outcome(other))[0] is Outcome.REPLIED
        here.clock.advance(61)
        later = await here.hears("question")
        assert (await here.outcome(later))[0] is Outcome.REPLIED


async def test_two_bots_do_not_talk_for_ever(tmp_path: Path):
    settings = config(console={"allow_bots": True, "default_mode": "active"}, limits={"loop_guard_messages": 3})
    async with house(tmp_path, settings) as here:
        robot = v.author("9", "robot", AuthorKind.BOT)
        said = [await here.hears("beep", author=robot) for _ in range(5)]
        outcomes = [await here.outcome(one) for one in said]
        assert outcomes[2][0] is Outcome.REPLIED
        assert outcomes[3:] == [(Outcome.GATED, "loop")] * 2
        await here.hears("stop it, you two")
        again = await here.hears("beep", author=robot)
        assert (await here.outcome(again))[0] is Outcome.REPLIED


async def test_a_dry_run_counts_nothing_and_stores_nothing(tmp_path: Path):
    async with house(tmp_path, config(limits={"user_per_minute": 1})) as here:
        for _ in range(3):
            verdicts = here.judge.would(here.inbound("what if?"))
            assert all(verdict.passed for verdict in verdicts)
        assert await here.store.ledger.recent(v.KEY, 10) == []


async def test_names_are_the_bots_and_the_platforms(tmp_path: Path):
    async with house(tmp_path, config(console={"names": ["gm", "Glass"]})) as here:
        assert here.judge.names("console") == ("Glass", "gm")
        assert here.judge.names("elsewhere") == ("Glass",)


async def test_a_platform_that_is_not_configured_has_plain_lists(tmp_path: Path):
    async with house(tmp_path) as here:
        inbound = here.inbound("hello", by=ADMIN, adapter="elsewhere")
        arrival = here.judge.arrival(inbound, here.clock.now())
        assert arrival.disposition is ArrivalDisposition.QUEUE
        assert here.judge.facts(inbound).tier.word == "everyone"
