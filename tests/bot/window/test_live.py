"""Pages that are open hear of news within seconds, and end within one where a right is lost; the clock is a value."""

from __future__ import annotations

import asyncio
import re
from itertools import pairwise

import pytest

from bot.app.window import site_of
from bot.domain.access import AuthorityTiers
from bot.domain.ids import ChannelId, PersonKey, UserId
from bot.ports.page_server import PageRequest, PageResponse
from bot.window.channel_board import LOOKER_SECONDS, SHARED_SECONDS
from bot.window.channel_board import QUIET_SECONDS as BOARD_SECONDS
from bot.window.live import (
    CHANGED,
    CLOSED,
    MAX_ASKED,
    MAX_AT_ONCE,
    MAX_STREAMS,
    MAX_STREAMS_A_PERSON,
    PACE_SECONDS,
    QUIET_SECONDS,
    SIGN,
    SIGN_SECONDS,
    STREAM_SECONDS,
    TICK_SECONDS,
    tick_of,
)
from tests.bot.cortex.chat import ADMIN, ADMIN_TOO, chat
from tests.bot.cortex.chat import GENERAL as GENERAL_ID
from tests.bot.window.browser import HOST, Browser, of, read
from tests.bot.window.test_screens import GENERAL, as_person
from tests.bot.window.test_site import ROOT, a_page


async def opens(browser: Browser, address: str) -> PageResponse:
    """Open the stream that a page names for itself."""
    page = read((await browser.get(address)).body.decode())
    (live,) = [attrs["data-live"] for _, attrs in page.tags if "data-live" in attrs]
    path, _, query = live.partition("?")
    return await browser.site.answer(PageRequest("GET", path, query, {"host": [HOST], "cookie": [browser.cookie]}))


async def hears(clock, events, wanted: bytes) -> float:
    """Listen until an event comes; return how many seconds that took."""
    begun = clock.monotonic()
    async for event in events:
        if event == wanted:
            return clock.monotonic() - begun
    raise AssertionError(f"it never said {wanted!r}")


@pytest.mark.parametrize("address", ["/overview", f"/channel?of={GENERAL}", f"/work?of={GENERAL}"])
async def test_news_come_within_seconds_and_nothing_while_there_are_none(tmp_path, address):
    async with a_page(tmp_path) as (bot, site):
        await bot.says("ann", "@glassmind say good morning")
        root = await as_person(bot, site, ROOT)
        found = await opens(root, address)
        assert found.status == 200 and dict(found.headers)["Content-Type"] == "text/event-stream"
        events = found.events
        assert await anext(events) == SIGN
        # only signs of life, as long as nobody says anything
        begun = bot.clock.monotonic()
        assert [await anext(events) for _ in range(2)] == [SIGN, SIGN]
        assert bot.clock.monotonic() - begun >= 2 * SIGN_SECONDS
        await bot.says("ann", "@glassmind say hello")
        assert await hears(bot.clock, events, CHANGED) <= QUIET_SECONDS + TICK_SECONDS
        await events.aclose()
        assert site.live.streams == 0


async def test_other_channels_are_no_news(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        await bot.says("ann", "@glassmind say good morning")
        root = await as_person(bot, site, ROOT)
        found = await opens(root, f"/channel?of={GENERAL}")
        assert await anext(found.events) == SIGN
        await bot.says("bo", "@glassmind say hello", "#other")
        assert await anext(found.events) == SIGN
        await found.events.aclose()


@pytest.mark.parametrize("address", ["/overview", f"/channel?of={GENERAL}"])
async def test_who_is_no_admin_any_more_is_out_within_a_second(tmp_path, address):
    async with a_page(tmp_path) as (bot, site):
        await bot.says("ann", "@glassmind say good morning")
        root = await as_person(bot, site, ROOT)
        found = await opens(root, address)
        assert await anext(found.events) == SIGN
        bot.app.access.take_tiers({"console": AuthorityTiers()})
        assert await hears(bot.clock, found.events, CLOSED) <= 1.0
        assert [one async for one in found.events] == [] and site.live.streams == 0


async def test_a_right_that_the_platform_took_away_ends_it_within_a_second(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        site = site_of(bot.app, bot.config.web_page, bot.app.cortex_wiring)
        admin = await as_person(bot, site, PersonKey("console", UserId(ADMIN)))
        found = await opens(admin, f"/channel?of={of(GENERAL_ID)}")
        assert await anext(found.events) == SIGN
        bot.platform.admins.discard((ADMIN, GENERAL_ID))
        assert await hears(bot.clock, found.events, CLOSED) <= 1.0


async def test_several_pages_of_one_person_all_end_within_a_second(tmp_path):
    """However many are open; the platform is asked once a tick for all that show the same channel."""
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        other = ChannelId("console:#other")
        await bot.hears("hello", channel=other)
        bot.platform.admins |= {(ADMIN, other), (ADMIN_TOO, GENERAL_ID)}
        site = site_of(bot.app, bot.config.web_page, bot.app.cortex_wiring)
        people = [await as_person(bot, site, PersonKey("console", UserId(one))) for one in (ADMIN, ADMIN_TOO)]
        addresses = [f"/{screen}?of={of(one)}" for screen in ("channel", "work") for one in (GENERAL_ID, other)]
        mine = [(await opens(people[0], one)).events for one in addresses * 2]
        theirs = (await opens(people[1], addresses[0])).events
        for one in (*mine, theirs):
            assert await anext(one) == SIGN
        asked, slept, tick = len(bot.platform.asked), len(bot.clock.slept), tick_of(bot.clock)
        bot.clock.auto = False
        async with asyncio.TaskGroup() as tasks:
            closing = [tasks.create_task(hears(bot.clock, one, CLOSED)) for one in mine]
            staying = tasks.create_task(hears(bot.clock, theirs, CLOSED))
            await bot.until(lambda: len(bot.clock.slept) == slept + len(mine) + 1)
            assert len(bot.platform.asked) == asked + 3
            bot.platform.admins -= {(ADMIN, GENERAL_ID), (ADMIN, other)}
            lost = bot.clock.monotonic()
            bot.clock.advance((tick + 1) * TICK_SECONDS - lost + 0.002)
            assert bot.clock.monotonic() - lost <= 1.0
            await asyncio.wait(closing)
            assert len(bot.platform.asked) == asked + 6 and not staying.done()
            staying.cancel()
        for one in (*mine, theirs):
            await one.aclose()
        assert site.live.streams == 0


async def test_a_page_for_which_a_platform_could_not_be_asked_in_time_is_not_followed(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        others = [ChannelId(f"console:#{number}") for number in range(MAX_ASKED)]
        for one in others:
            await bot.hears("hello", channel=one)
        site = site_of(bot.app, bot.config.web_page, bot.app.cortex_wiring)
        people = [PersonKey("console", UserId(one)) for one in (ADMIN, ADMIN_TOO)]
        bot.platform.admins |= {(one.user_id, where) for one in people for where in others}
        many = [await as_person(bot, site, one) for one in people]
        follows = [(await opens(many[n % 2], f"/channel?of={of(one)}")).events for n, one in enumerate(others)]
        for one in follows:
            assert await anext(one) == SIGN
        assert (await opens(many[0], f"/channel?of={of(GENERAL_ID)}")).status == 503
        # of owners no platform is asked, and what is asked already is asked for any number of pages
        root = await as_person(bot, site, ROOT)
        for browser, address in ((root, GENERAL_ID), (many[0], others[0])):
            more = await opens(browser, f"/channel?of={of(address)}")
            assert more.status == 200 and await anext(more.events) == SIGN
            await more.events.aclose()
        await follows[0].aclose()
        assert (await opens(many[0], f"/channel?of={of(GENERAL_ID)}")).status == 200
        for one in follows[1:]:
            await one.aclose()


async def test_all_whose_overview_is_open_are_told_at_once_and_look_at_the_store_once(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        await bot.says("ann", "@glassmind say good morning")
        root, board, told = await as_person(bot, site, ROOT), site.people.board, list[float]()
        follows = [(await opens(root, "/overview")).events for _ in range(8)]
        for one in follows:
            assert await anext(one) == SIGN
        for number in range(3):
            before = board.number
            await bot.says("ann", f"@glassmind say {number}")
            bot.clock.auto = False
            async with asyncio.TaskGroup() as tasks:
                waiting = [tasks.create_task(hears(bot.clock, one, CHANGED)) for one in follows]
                while not any(one.done() for one in waiting):
                    bot.clock.advance(TICK_SECONDS)
                    await they_have_looked()
                # nobody waits for their turn
                assert all(one.done() for one in waiting)
            bot.clock.auto = True
            told.append(bot.clock.monotonic())
            for _ in follows:
                assert len((await root.json("/overview"))["channels"][0]["outcomes"]) == number + 2
            assert board.number == before + 1
        pace = max(BOARD_SECONDS, LOOKER_SECONDS * len(follows))
        assert all(pace <= late - early <= pace + 2 * TICK_SECONDS for early, late in pairwise(told)), told
        for one in follows:
            await one.aclose()


async def they_have_looked():
    for _ in range(50):
        await asyncio.sleep(0)


async def test_who_saw_an_older_overview_is_told_of_the_newer_one(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        await bot.says("ann", "@glassmind say good morning")
        root = await as_person(bot, site, ROOT)
        seen = (await root.json("/overview"))["board"]
        bot.clock.advance(SHARED_SECONDS)
        await bot.says("ann", "@glassmind say hello")
        # somebody else looks before the page of the first is followed
        assert (await root.json("/overview"))["board"] == seen + 1
        found = await root.get(f"/live?seen={seen}")
        assert [await anext(found.events) for _ in range(2)] == [SIGN, CHANGED]
        await found.events.aclose()


async def test_leaving_closes_every_page(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        root = await as_person(bot, site, ROOT)
        found = await opens(root, "/overview")
        assert await anext(found.events) == SIGN
        form = re.search(r'name="form" value="([^"]+)"', (await root.get("/overview")).body.decode())[1]
        assert (await root.post("/leave", {"form": form})).status == 303
        assert await hears(bot.clock, found.events, CLOSED) <= 1.0


async def test_no_more_pages_are_followed_than_there_is_room_for(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        root = await as_person(bot, site, ROOT)
        mine = [await opens(root, "/overview") for _ in range(MAX_STREAMS_A_PERSON)]
        for one in mine:
            assert await anext(one.events) == SIGN
        assert (await opens(root, "/overview")).status == 503
        await mine[0].events.aclose()
        assert (await opens(root, "/overview")).status == 200
        assert site.live.streams == MAX_STREAMS_A_PERSON - 1 < MAX_STREAMS
        # what nobody closes ends by itself, and the browser begins another
        begun = bot.clock.monotonic()
        assert [one async for one in mine[1].events][-1] == SIGN
        assert bot.clock.monotonic() - begun <= STREAM_SECONDS + 1


async def test_a_channel_that_changes_all_the_time_is_told_more_seldom_the_more_pages_are_open(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        await bot.says("ann", "@glassmind say good morning")
        root = await as_person(bot, site, ROOT)
        many, counted = 8, [0] * 8
        follows = [(await opens(root, f"/channel?of={GENERAL}")).events for _ in range(many)]
        for one in follows:
            assert await anext(one) == SIGN
        begun = bot.clock.monotonic()
        for _ in range(12):
            await bot.says("ann", "hm")
            for number, one in enumerate(follows):
                counted[number] += await anext(one) == CHANGED
        spent = bot.clock.monotonic() - begun
        # each hears at once, and then in turn
        assert all(1 <= one <= MAX_AT_ONCE + 1 + spent / (PACE_SECONDS * many) for one in counted), (counted, spent)
        for one in follows:
            await one.aclose()


async def test_who_may_not_look_hears_nothing(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        await bot.says("ann", "@glassmind say good morning")
        nobody = Browser(site)
        assert (await nobody.get("/live")).status == 401
        bot.app.access.take_tiers(
            {"console": AuthorityTiers(frozenset(), frozenset({UserId("102")}), frozenset({UserId("103")}))}
        )
        for person in ("102", "103"):
            browser = await as_person(bot, site, PersonKey("console", UserId(person)))
            assert (await browser.get(f"/live?of={GENERAL}")).status == 404
            assert (await browser.get("/live?of=a&of=b")).status == 400
