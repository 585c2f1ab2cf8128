"""The blocks of a request: a map that adds up, groups that hold each block once, and quotes that are found."""

from __future__ import annotations

import re

import pytest

from bot.domain.channel import ProcessKind
from bot.domain.messages import Message, Role, TextPart
from bot.domain.turn import TurnEnd, TurnStart, TurnStatus
from bot.window.recent_captures import KEPT_SECONDS
from bot.window.request_blocks import BLOCKS_A_GROUP, MAX_BARS
from tests.bot.window.browser import read
from tests.bot.window.test_screens import GENERAL, as_person
from tests.bot.window.test_site import ROOT, a_page
from tests.dialogs.bot import GENERAL as KEY

MANY = 1200


async def long_talk(bot, many: int = MANY) -> None:
    """Let the history of a channel have so many messages, each with its number."""
    said = tuple(
        Message(role=(Role.USER, Role.ASSISTANT)[n % 2], parts=(TextPart(text=f"word-{n} Some Words"),), at=1)
        for n in range(many)
    )
    agent, channel = KEY
    journal = bot.store.journal
    row = await journal.begin_turn(TurnStart(agent=agent, channel=channel, kind=ProcessKind.CHANNEL, at=1), ())
    end = TurnEnd(turn=row, agent=agent, channel=channel, at=1, status=TurnStatus.REPLIED, messages=said)
    await journal.end_turn(end)


NEXT = f"/context?of={GENERAL}&which=next"


async def test_a_long_request_comes_in_groups_of_which_each_is_a_link(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        await long_talk(bot)
        root = await as_person(bot, site, ROOT)
        whole = (await root.json(NEXT))["blocks"]
        first = (await root.get(NEXT)).body.decode()
        page = read(first)
        shown = numbers(page)
        # the first, and the newest
        assert shown[:BLOCKS_A_GROUP] == [*range(1, BLOCKS_A_GROUP + 1)] and shown[-1] == len(whole)
        rests = [(int(a["data-first"]), int(a["data-last"])) for _, a in page.tags if "data-first" in a]
        assert len(shown) + sum(last - begin + 1 for begin, last in rests) == len(whole)
        bars = [float(a["width"]) for tag, a in page.tags if tag == "rect" and a.get("height") == "40"]
        assert sum(bars) == pytest.approx(1000, abs=5) and len(bars) <= 2 * MAX_BARS
        links = [one for one in page.links() if one.startswith("/context") and f"from={rests[2][0]}#" in one]
        bot.clock.advance(70)
        # by itself it is a page; for a page that is open already, its blocks alone
        alone = read((await root.get(links[0].partition("#")[0])).body.decode())
        part = (await root.get(f"{links[0].partition('#')[0]}&have=")).body.decode()
        for found in (alone, read(part)):
            assert set(range(rests[2][0], rests[2][1] + 1)) <= set(numbers(found))
        assert numbers(read(part)) == [*range(rests[2][0], rests[2][1] + 1)] and len(part) < len(first) / 2
        assert whole[rests[2][0] - 1]["words"] in part
        # what has gone on since is not put in the middle of what was
        bot.clock.advance(KEPT_SECONDS)
        await bot.says("ann", "@glassmind say good morning")
        assert (await root.get(f"{links[0].partition('#')[0]}&have=")).status == 404


async def test_words_are_found_on_the_server_in_a_long_request(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        await long_talk(bot)
        root = await as_person(bot, site, ROOT)
        html = (await root.get(f"{NEXT}&mark=word-777")).body.decode()
        assert '<mark id="marked">word-777</mark>' in html and "stands in 1 block:" in html
        text = await root.text(f"{NEXT}&mark=SOME+words")
        assert f"stands in {MANY:,} blocks" in text.replace("\u202f", ",") and "more" in text


async def test_the_groups_of_a_request_that_was_sent_are_those_of_that_request(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        await long_talk(bot)
        await bot.says("ann", "@glassmind say good morning")
        root = await as_person(bot, site, ROOT)
        page = read((await root.get(f"/context?of={GENERAL}&which=last")).body.decode())
        link = next(one for one in page.links() if "&from=" in one)
        assert re.match(r"/request/r\w{4,5}\?as=", link)
        await bot.says("ann", "@glassmind say hello")
        assert (await root.get(f"{link.partition('#')[0]}&have=")).status == 200
        # what is kept of a request that was just read is not shown in another's language
        for wanted, said in (("de", "wie sie hinausging"), ("en", "as it went out"), ("de", "wie sie hinausging")):
            page = await root.get(link.partition("?")[0], accept_language=wanted)
            assert said in page.body.decode(), wanted


def numbers(page) -> list[int]:
    return [int(a["id"][1:]) for tag, a in page.tags if tag == "li" and re.fullmatch(r"b\d+", a.get("id", ""))]
