"""What the page can change: what the private chat can, as it does, for its person alone, by forms of its own."""

from __future__ import annotations

import re

import pytest

from bot.app.window import site_of
from bot.domain.access import AuthorityTiers
from bot.domain.channel import ResponseMode
from bot.domain.ids import PersonKey, UserId
from bot.messaging.policy.access import HOST_PERSON
from bot.ports.page_server import PageResponse
from bot.window.page_changes import OFFERED
from tests.bot.cortex.chat import ADMIN, ADMIN_TOO, chat, dm_of
from tests.bot.cortex.chat import GENERAL as GENERAL_ID
from tests.bot.window.browser import Browser, of, read
from tests.bot.window.test_screens import GENERAL, as_person
from tests.bot.window.test_site import ROOT, a_page
from tests.dialogs.bot import GENERAL as GENERAL_KEY


class Forms:
    """The forms of a page, by what their buttons say."""

    def __init__(self, html: str) -> None:
        self.found: dict[str, tuple[str, dict[str, str]]] = {}
        for action, inner in re.findall(r'<form[^>]*method="post" action="([^"]+)">(.*?)</form>', html, re.DOTALL):
            tags = read(inner)
            fields = {attrs["name"]: attrs.get("value", "") for tag, attrs in tags.tags if tag == "input"}
            self.found[re.search(r"<button[^>]*>([^<]+)</button>", inner)[1]] = (action, fields)

    def of(self, label: str) -> tuple[str, dict[str, str]]:
        found = [one for name, one in self.found.items() if name.startswith(label)]
        assert found, f"no button {label!r}; there are {[*self.found]}"
        return found[0]


async def presses(browser: Browser, page: PageResponse, label: str) -> PageResponse:
    return await browser.post(*Forms(page.body.decode()).of(label))


async def test_a_pause_is_ended_from_the_page_and_taken_up_again(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        await bot.says("ann", "@glassmind say good morning")
        await bot.says("root", "@glassmind !pause")
        root = await as_person(bot, site, ROOT)
        page = await presses(root, await root.get(f"/channel?of={GENERAL}"), "What can be changed")
        page = await presses(root, page, "Resume")
        # nothing is changed before it is confirmed
        assert (await bot.store.channels.load(GENERAL_KEY)).settings.pause is not None
        page = await presses(root, page, "Resume")
        assert page.status == 200 and "is no longer paused" in read(page.body.decode()).text
        assert (await bot.store.channels.load(GENERAL_KEY)).settings.pause is None
        # the receipt stands in the private chat too
        assert any("is no longer paused" in line for line in bot.lines)
        rows = [row.body for row in await bot.store.audit.newest(ROOT, 5)]
        assert "resume channel" in [row.action for row in rows]
        page = await presses(root, page, "Undo")
        assert (await bot.store.channels.load(GENERAL_KEY)).settings.pause is not None
        assert (await root.get("/audit")).status == 200


async def test_a_memory_is_forgotten_from_its_page_and_undone_from_the_audit(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        await bot.says("ann", "@glassmind remember as decision with importance 0.8: we deploy on Fridays")
        then = bot.clock.now()
        bot.clock.advance(120)
        root = await as_person(bot, site, ROOT)
        name = (await root.json(f"/memories?of={GENERAL}"))["memories"][0]["handle"]
        offer = await presses(root, await root.get(f"/memory/{name}"), "Forget it")
        assert "Forget" in read(offer.body.decode()).text
        done = await presses(root, offer, "Forget")
        assert "is forgotten" in read(done.body.decode()).text
        assert (await root.json(f"/memories?of={GENERAL}"))["memories"][0]["forgotten_at"]
        assert "gone" in (await root.get(f"/memories?of={GENERAL}")).body.decode()
        # it held then, whatever came later
        past = (await root.get(f"/memories?of={GENERAL}&at={then}")).body.decode()
        assert "since then forgotten" in past and "gone" not in past
        # an offer is used once
        again = await presses(root, offer, "Forget")
        assert "Done" in read(again.body.decode()).text
        back = await presses(root, await root.get("/audit"), "Undo")
        await presses(root, back, "Undo")
        assert not (await root.json(f"/memories?of={GENERAL}"))["memories"][0]["forgotten_at"]


async def test_another_mode_is_set_by_the_line_that_the_chat_takes(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        await bot.says("ann", "@glassmind say good morning")
        root = await as_person(bot, site, ROOT)
        _, form = Forms((await root.get(f"/channel?of={GENERAL}")).body.decode()).of("What can be changed")
        page = await root.post("/do", {**form, "line": "fix mode observe"})
        await presses(
            root, page, next(one for one in Forms(page.body.decode()).found if not one.startswith(("Keep", "Leave")))
        )
        assert (await bot.store.channels.load(GENERAL_KEY)).settings.mode is ResponseMode.OBSERVE


@pytest.mark.parametrize("line", ["why", "web", "export", "forget-user 101", "record off", "help", "", "x" * 300])
async def test_what_has_no_button_is_not_done_by_a_form(tmp_path, line):
    async with a_page(tmp_path) as (bot, site):
        await bot.says("ann", "@glassmind say good morning")
        root = await as_person(bot, site, ROOT)
        _, form = Forms((await root.get(f"/channel?of={GENERAL}")).body.decode()).of("What can be changed")
        found = await root.post("/do", {**form, "line": line})
        assert "cannot be done from the page" in read(found.body.decode()).text
        assert Forms(found.body.decode()).found.keys() <= {"Leave"}
        assert line not in OFFERED


async def test_without_the_token_of_the_form_nothing_is_offered_or_done(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        await bot.says("ann", "@glassmind say good morning")
        await bot.says("root", "@glassmind !pause")
        other = await as_person(bot, site, ROOT)
        bot.clock.advance(1)
        root = await as_person(bot, site, ROOT)
        action, form = Forms((await root.get(f"/channel?of={GENERAL}")).body.decode()).of("What can be changed")
        _, theirs = Forms((await other.get(f"/channel?of={GENERAL}")).body.decode()).of("What can be changed")
        for token in ("", "guessed", theirs["form"]):
            assert (await root.post(action, {**form, "form": token})).status == 403
            assert (await root.post("/press", {"form": token, "data": "x"})).status == 403
        assert (await root.post(action, form, origin="https://evil.example")).status == 403
        assert (await root.post(action, form, sec_fetch_site="cross-site")).status == 403
        assert (await root.post(action, form, content_type="text/plain")).status == 415
        assert (await Browser(site).post(action, form)).status == 404
        assert (await root.get(f"/do?line=fix&of={GENERAL}&form={form['form']}")).status == 404
        assert (await bot.store.channels.load(GENERAL_KEY)).settings.pause is not None


async def test_a_button_of_somebody_else_does_nothing(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        await bot.remembers()
        site = site_of(bot.app, bot.config.web_page, bot.app.cortex_wiring)
        mine, theirs = [await as_person(bot, site, PersonKey("console", UserId(one))) for one in (ADMIN, ADMIN_TOO)]
        name = (await mine.json(f"/memories?of={of(GENERAL_ID)}"))["memories"][0]["handle"]
        offer = await presses(mine, await mine.get(f"/memory/{name}"), "Forget it")
        _, form = Forms(offer.body.decode()).of("Forget")
        _, own = Forms((await theirs.get("/overview")).body.decode()).of("Leave")
        for data in (form["data"], form["data"][:-1] + "A", "x" * 32, ""):
            found = await theirs.post("/press", {"form": own["form"], "data": data})
            assert "Nothing was changed" in read(found.body.decode()).text
        assert not (await mine.json(f"/memories?of={of(GENERAL_ID)}"))["memories"][0]["forgotten_at"]
        # nor does it in the chat of the one for whom it was made, pressed by the other
        await bot.press_data(form["data"], ADMIN_TOO, dm_of(ADMIN_TOO))
        assert not (await mine.json(f"/memories?of={of(GENERAL_ID)}"))["memories"][0]["forgotten_at"]
        assert "is forgotten" in read((await mine.post("/press", form)).body.decode()).text


async def test_a_right_that_is_lost_between_preview_and_press_changes_nothing(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        await bot.remembers()
        site = site_of(bot.app, bot.config.web_page, bot.app.cortex_wiring)
        admin = await as_person(bot, site, PersonKey("console", UserId(ADMIN)))
        name = (await admin.json(f"/memories?of={of(GENERAL_ID)}"))["memories"][0]["handle"]
        offer = await presses(admin, await admin.get(f"/memory/{name}"), "Forget it")
        bot.platform.admins.discard((ADMIN, GENERAL_ID))
        refused = await presses(admin, offer, "Forget")
        assert "Nothing was changed" in read(refused.body.decode()).text
        bot.platform.admins.add((ADMIN, GENERAL_ID))
        assert not (await admin.json(f"/memories?of={of(GENERAL_ID)}"))["memories"][0]["forgotten_at"]
        bot.app.access.take_tiers({"console": AuthorityTiers()})
        assert (await presses(admin, offer, "Forget")).status == 403


async def test_who_cannot_be_written_to_in_private_changes_nothing(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        site = site_of(bot.app, bot.config.web_page, bot.app.cortex_wiring)
        admin = await as_person(bot, site, PersonKey("console", UserId(ADMIN)))
        bot.platform.closed_dms.add(ADMIN)
        page = await admin.get(f"/channel?of={of(GENERAL_ID)}")
        found = await presses(admin, page, "What can be changed")
        assert "could not write to you in private" in read(found.body.decode()).text


async def test_the_host_and_a_moderator_change_nothing(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        await bot.says("ann", "@glassmind remember as decision with importance 0.8: we deploy on Fridays")
        root, host = await as_person(bot, site, ROOT), await as_person(bot, site, HOST_PERSON)
        name = (await root.json(f"/memories?of={GENERAL}"))["memories"][0]["handle"]
        page = (await host.get(f"/memory/{name}")).body.decode()
        assert [*Forms(page).found] == ["Leave"] and "Read-only" in page
        form = {"form": Forms(page).of("Leave")[1]["form"], "of": "main/console:#general", "line": "fix"}
        refused = await host.post("/do", form)
        assert refused.status == 404 and "Nothing is changed here" in refused.body.decode()
        bot.app.access.take_tiers({"console": AuthorityTiers(moderators=frozenset({UserId("1")}))})
        page = (await root.get(f"/memory/{name}")).body.decode()
        assert [*Forms(page).found] == ["Leave"]
        form["form"] = Forms(page).of("Leave")[1]["form"]
        for line in ("fix", f"memory forget {name}"):
            found = await root.post("/do", {**form, "line": line})
            assert "no such record" in read(found.body.decode()).text
