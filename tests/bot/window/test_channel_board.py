"""The overview is looked up once for all who look, and again as soon as something has changed."""

from __future__ import annotations

from bot.app.window import site_of
from bot.domain.ids import ChannelId, PersonKey, UserId
from bot.window.channel_board import MAX_BOARD_SECONDS, SHARED_SECONDS
from tests.bot.cortex.chat import ADMIN, ADMIN_TOO, GENERAL, OWNER, chat
from tests.bot.window.browser import read
from tests.bot.window.test_screens import as_person
from tests.bot.window.test_site import ROOT, a_page


async def test_nothing_is_looked_up_again_while_nothing_changes(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        await bot.says("ann", "@glassmind say good morning")
        root, board = await as_person(bot, site, ROOT), site.people.board
        for _ in range(3):
            await root.json("/overview")
            bot.clock.advance(SHARED_SECONDS)
        assert board.number == 1
        await bot.says("ann", "@glassmind say hello")
        assert len((await root.json("/overview"))["channels"][0]["outcomes"]) == 2 and board.number == 2
        # what was spent in a day changes by itself
        bot.clock.advance(MAX_BOARD_SECONDS)
        await root.json("/overview")
        assert board.number == 3


async def test_what_is_shared_is_shown_to_each_as_far_as_they_may_see_it_now(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        other = ChannelId("console:#other")
        await bot.hears("hello", channel=other)
        bot.platform.admins.add((ADMIN_TOO, other))
        site = site_of(bot.app, bot.config.web_page, bot.app.cortex_wiring)
        people = [await as_person(bot, site, PersonKey("console", UserId(one))) for one in (OWNER, ADMIN, ADMIN_TOO)]

        async def shown() -> list[set[str]]:
            return [{row["id"] for row in (await one.json("/overview"))["channels"]} for one in people]

        assert await shown() == [{GENERAL, other}, {GENERAL}, {GENERAL, other}]
        bot.platform.admins -= {(ADMIN, GENERAL), (ADMIN_TOO, other)}
        assert await shown() == [{GENERAL, other}, set(), {GENERAL}]
        assert site.people.board.number == 1


async def test_a_page_that_is_open_is_sent_what_has_changed(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        for room in ("#one", "#two"):
            await bot.says("ann", "@glassmind say good morning", room)
        root = await as_person(bot, site, ROOT)
        page = read((await root.get("/overview")).body.decode())
        had = {attrs["data-version"] for _, attrs in page.tags if "data-version" in attrs}
        assert len(had) == 2
        await bot.says("ann", "@glassmind say hello", "#two")
        part = (await root.get(f"/overview?have={'.'.join(had)}")).body.decode()
        shown = read(part)
        same = [attrs["data-same"] for tag, attrs in shown.tags if "data-same" in attrs]
        new = [attrs["data-version"] for tag, attrs in shown.tags if "data-version" in attrs]
        assert len(same) == len(new) == 1 and set(same) < had and not set(new) & had
        assert "#two" in part and "#one" not in part and "<html" not in part and "<main" in part
