"""Who gets in at the web page, and who does not: links, cookies, hosts, origins, and rights that are taken away."""

from __future__ import annotations

import base64
import inspect
import random
import re
import socket
from contextlib import asynccontextmanager

import pytest

from bot.app.adapters import page_server
from bot.app.window import site_of
from bot.cortex.sessions.page_links import LINK_MS, LinkSigner
from bot.domain.access import AuthorityTiers
from bot.domain.ids import PersonKey, UserId
from bot.ports.page_server import PageRequest
from bot.sentences import own_languages, sentence_source, written_entries
from bot.window import site
from bot.window.logins import SESSION_MS
from tests.bot.window.browser import HOST, ORIGIN, Browser, of
from tests.dialogs.bot import a_bot
from tests.fakes.clock import FakeEntropy

ROOT, ANN = PersonKey("console", UserId("1")), PersonKey("console", UserId("101"))
ON = "[web_page]\nenabled = true\n"
GENERAL = of("console:#general")


@asynccontextmanager
async def a_page(data, more=ON):
    async with a_bot(data, more=more) as bot:
        yield bot, site_of(bot.app, bot.app.config.web_page, bot.app.cortex_wiring)


async def link_of(bot) -> str:
    said = "\n".join(await bot.says("root", "!cortex web", "dm"))
    found = re.search(r"http://127\.0\.0\.1:8787/enter/[\w-]+", said)
    assert found, said
    return found[0]


async def test_an_owner_asks_in_private_and_looks(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        await bot.says("ann", "@glassmind say good morning")
        root = Browser(site)
        assert (await root.get("/overview")).status == 401
        assert (await root.enters(await link_of(bot))).status == 303
        seen = await root.text("/overview")
        assert "#general" in seen and "answers" in seen
        talk = await root.text(f"/channel?of={GENERAL}")
        assert "good morning" in talk and "ann" in talk and "answered" in talk


async def test_looking_at_a_link_does_not_use_it_up_and_pressing_does(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        link = await link_of(bot)
        preview, root, again = Browser(site), Browser(site), Browser(site)
        for _ in range(3):
            assert (await preview.get(link.removeprefix(ORIGIN))).status == 200
            assert (await preview.get("/overview")).status == 401
        assert (await root.enters(link)).status == 303
        assert (await again.enters(link)).status == 403
        assert (await again.get("/overview")).status == 401
        assert (await root.get("/overview")).status == 200


async def test_a_link_is_good_for_two_minutes(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        late, early = await link_of(bot), Browser(site)
        bot.clock.advance(LINK_MS / 1000)
        assert (await early.enters(late)).status == 403
        assert "older than two minutes" in early.last.body.decode()


async def test_a_session_ends_after_twelve_hours_or_when_it_is_left(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        root, other = Browser(site), Browser(site)
        await root.enters(await link_of(bot))
        await other.enters(await link_of(bot))
        form = re.search(r'name="form" value="([^"]+)"', (await other.get("/overview")).body.decode())[1]
        assert (await other.post("/leave", {"form": "guessed"})).status == 403
        assert (await other.post("/leave", {"form": form})).status == 303
        assert (await other.get("/overview")).status == 401
        bot.clock.advance(SESSION_MS / 1000)
        assert (await root.get("/overview")).status == 401


async def test_who_is_refused_reads_why_in_their_own_language_or_in_that_of_their_browser(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        stranger, root = Browser(site), Browser(site)
        for wanted, said in (
            ("de-AT,de;q=0.9,en;q=0.1", ('<html lang="de">', "Du bist nicht angemeldet")),
            ("en-GB", ('<html lang="en">', "You are not signed in")),
            ("fr", ('<html lang="en">', "You are not signed in")),
        ):
            found = await stranger.get("/overview", accept_language=wanted)
            assert found.status == 401 and all(words in found.body.decode() for words in said), wanted
        await root.enters(await link_of(bot))
        await bot.says("root", "/language de", "dm")
        link = (await link_of(bot)).removeprefix(ORIGIN)
        for token, said in ((link, "Diese Seite öffnen?"), (f"{link}x", "Open this page?")):
            assert said in (await stranger.get(token, accept_language="en")).body.decode()
        refused = (await root.get("/nothing", accept_language="en")).body.decode()
        assert "Hier ist nichts für dich" in refused and "Zur Übersicht" in refused
        await bot.says("root", "/language en", "dm")
        assert "There is nothing here" in (await root.get("/nothing", accept_language="de")).body.decode()


def test_each_refusal_has_its_words_in_every_language_that_has_any():
    kinds = set(re.findall(r'(?:Refusal\(\d+|_turn_away\(asked), "(\w+)"', inspect.getsource(site)))
    for language in own_languages():
        entries = written_entries(sentence_source("window_problem", language))
        for name in ("head", "next"):
            assert kinds <= set(re.findall(r"(?m)^   [ *]\[(\w+)\]", entries[name])), (language, name)


async def test_a_right_that_is_taken_away_closes_the_page_at_the_next_look(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        root = Browser(site)
        await root.enters(await link_of(bot))
        assert (await root.get("/overview")).status == 200
        bot.app.access.take_tiers({"console": AuthorityTiers()})
        assert (await root.get("/overview")).status == 403
        bot.app.access.take_tiers({"console": AuthorityTiers(owners=frozenset({ROOT.user_id}))})
        assert (await root.get("/overview")).status == 401


async def test_a_genuine_link_gives_a_stranger_nothing(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        signer, ann = site.sessions.signer, Browser(site)
        await ann.enters(signer.link(ANN, bot.clock.now(), FakeEntropy("a stranger")))
        assert (await ann.get("/overview")).status == 403
        assert "console:" not in ann.last.body.decode()


async def test_a_link_from_before_the_start_and_one_of_another_page_let_nobody_in(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        signer, entropy, now = site.sessions.signer, FakeEntropy("links"), bot.clock.now()
        old = signer.link(ROOT, site.sessions.started_at - 1, entropy)
        ahead = signer.link(ROOT, now + 5000, entropy)
        elsewhere = LinkSigner(signer.key, "http://127.0.0.1:9999").link(ROOT, now, entropy)
        foreign = LinkSigner(b"another bot's key", signer.address).link(ROOT, now, entropy)
        for link in (old, ahead, elsewhere, foreign):
            browser = Browser(site)
            assert (await browser.post("/enter", {"token": link.rpartition("/")[2]})).status == 403
            assert browser.cookie == ""


async def test_of_ten_thousand_forged_links_and_cookies_none_lets_in(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        chance, browser = random.Random(30), Browser(site)
        used = await link_of(bot)
        await browser.enters(used)
        own, token = browser.cookie, used.rpartition("/")[2]
        fresh = (await link_of(bot)).rpartition("/")[2]
        raw = base64.urlsafe_b64decode(fresh + "=" * (-len(fresh) % 4))

        def forged() -> str:
            kind = chance.randrange(6)
            if kind == 0:  # a bit of a good one is turned
                at = chance.randrange(len(raw))
                turned = bytes((*raw[:at], raw[at] ^ 1 << chance.randrange(8), *raw[at + 1 :]))
                return base64.urlsafe_b64encode(turned).decode().rstrip("=")
            if kind == 1:  # another person is put behind the seal
                return base64.urlsafe_b64encode(raw[:56] + b"console:%d" % chance.randrange(2, 99)).decode()
            if kind == 2:
                return token  # replayed
            if kind == 3:
                return fresh[: chance.randrange(len(fresh))]
            if kind == 4:
                return base64.urlsafe_b64encode(chance.randbytes(chance.randrange(120))).decode()
            return "".join(chance.choices("ab/=%\0ÿ'\"<>-_ 09", k=chance.randrange(300)))

        entered = 0
        for number in range(10_000):
            if not number % 50:
                bot.clock.advance(0.001)
            entered += site.sessions.enter(forged()) is not None
        assert entered == 0
        name = own.partition("=")[0]
        for _ in range(10_000):
            value = own.partition("=")[2]
            at = chance.randrange(len(value))
            tried = chance.choice([value[:at] + chance.choice("AZaz09-_") + value[at + 1 :], value[:at], forged(), ""])
            assert tried == value or site.sessions.of(tried) is None
        browser.cookie = f"{name}={fresh}"
        assert (await browser.get("/overview")).status == 401
        assert site.sessions.enter(fresh) is not None


@pytest.mark.parametrize("host", ["", "evil.example", "127.0.0.1", "localhost:8787", "127.0.0.1:8787.evil.example"])
async def test_under_another_name_nothing_is_answered(tmp_path, host):
    async with a_page(tmp_path) as (bot, site):
        root = Browser(site)
        await root.enters(await link_of(bot))
        assert (await root.get("/overview", host=host)).status == 421
        twice = PageRequest("GET", "/overview", "", {"host": [HOST, HOST], "cookie": [root.cookie]})
        assert (await site.answer(twice)).status == 421


@pytest.mark.parametrize(
    "origin", ["null", "https://evil.example", "http://127.0.0.1:9999", "https://127.0.0.1:8787", ""]
)
async def test_another_origin_changes_nothing(tmp_path, origin):
    async with a_page(tmp_path) as (bot, site):
        link = (await link_of(bot)).rpartition("/")[2]
        browser = Browser(site)
        assert (await browser.post("/enter", {"token": link}, origin=origin)).status == 403
        assert (await browser.post("/enter", {"token": link}, sec_fetch_site="cross-site")).status == 403
        assert (await browser.get("/overview", origin="https://evil.example")).status == 403
        assert (await browser.post("/enter", {"token": link})).status == 303


async def test_what_is_no_look_is_refused(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        root = Browser(site)
        await root.enters(await link_of(bot))
        headers = {"host": [HOST], "cookie": [root.cookie]}
        asked = {
            405: [
                PageRequest(method, "/overview", "", headers) for method in ("PUT", "DELETE", "OPTIONS", "TRACE", "X")
            ],
            414: [
                PageRequest("GET", "/" + "a" * 700, "", headers),
                PageRequest("GET", "/overview", "a=" + "b" * 3000, headers),
                PageRequest("GET", "/overview", "", {**headers, "cookie": ["a" * 5000]}),
            ],
            400: [
                PageRequest("GET", "/overview", "", headers, b"a body"),
                PageRequest("GET", "/channel", "of=a&of=b", headers),
                PageRequest("GET", "/channel", "&".join(f"a{n}=1" for n in range(20)), headers),
            ],
            404: [
                PageRequest("GET", path, "", headers)
                for path in ("/nothing", "/message", "/message/i0000", "/request/../../x", "/memory/%00", "/channel/x")
            ],
        }
        for status, requests in asked.items():
            for one in requests:
                found = await site.answer(one)
                assert found.status == status, one
                assert dict(found.headers)["Content-Security-Policy"].startswith("default-src 'self';")
        many = [(await root.get("/overview")).status for _ in range(300)]
        assert many.count(429) > 0


async def test_pages_are_safe_to_show(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        root = Browser(site)
        assert "HttpOnly; SameSite=Strict" in dict((await root.enters(await link_of(bot))).headers)["Set-Cookie"]
        headers = dict((await root.get("/overview")).headers)
        assert headers["X-Content-Type-Options"] == "nosniff" and headers["Cache-Control"] == "no-store"
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert (await root.get("/page.css")).status == (await root.get("/keys.js")).status == 200


async def test_behind_https_the_cookie_stays_there(tmp_path):
    more = f'{ON}address = "https://bot.example.org"\n'
    async with a_page(tmp_path, more) as (bot, site):
        browser = Browser(site)
        link = site.sessions.signer.link(ROOT, bot.clock.now(), FakeEntropy("https"))
        assert link.startswith("https://bot.example.org/enter/")
        form = {"token": link.rpartition("/")[2]}
        found = await browser.post("/enter", form, host="bot.example.org", origin="https://bot.example.org")
        cookie = dict(found.headers)["Set-Cookie"]
        assert cookie.startswith("__Host-glassmind=") and cookie.endswith(
            "; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure"
        )


async def test_a_look_stands_in_the_audit(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        await bot.says("ann", "@glassmind say good morning")
        root = Browser(site)
        await root.enters(await link_of(bot))
        for _ in range(3):
            await root.text(f"/channel?of={GENERAL}")
        rows = [row.body for row in await bot.store.audit.newest(None, 20)]
        looks = [row for row in rows if row.detail == "page"]
        assert [(row.action, row.target, row.actor) for row in looks] == [("look", "console:#general", "1")]


async def test_whoever_tries_many_links_is_slowed_down_and_keeps_nobody_out(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        thief, root = Browser(site), Browser(site)
        tried = [(await thief.post("/enter", {"token": f"a{number}"})).status for number in range(100)]
        assert set(tried) == {403, 429} and tried.count(403) == 60
        assert (await root.enters(await link_of(bot))).status == 303


async def test_without_the_page_the_command_says_how_to_turn_it_on(tmp_path):
    async with a_bot(tmp_path) as bot:
        said = "\n".join(await bot.says("root", "!cortex web", "dm"))
        assert "The web page is off" in said and "http://" not in said


async def test_where_the_port_is_taken_the_command_says_so(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        async with a_bot(tmp_path, more=f"{ON}port = {port}\n") as bot:
            await bot.app.show_pages(page_server)
            said = "\n".join(await bot.says("root", "!cortex web", "dm"))
            assert f"Port {port} of 127.0.0.1 cannot be used" in said and "/enter/" not in said


async def test_a_link_is_no_secret_that_the_redactor_takes_out(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        for _ in range(20):
            assert site.sessions.signer.read((await link_of(bot)).rpartition("/")[2]) is not None


async def test_what_a_proxy_says_of_itself_is_believed_by_nobody(tmp_path):
    """Where the page is reached is configured; no header tells it, so that nobody can."""
    async with a_page(tmp_path) as (bot, site):
        root = Browser(site)
        await root.enters(await link_of(bot))
        forged = {"x_forwarded_host": "evil.example", "x_forwarded_proto": "https", "forwarded": "host=evil.example"}
        seen = await root.get("/overview", **forged)
        assert seen.status == 200 and b"evil" not in seen.body
        assert "evil" not in dict((await root.get("/", **forged)).headers)["Location"]
        assert (await root.get("/overview", host="evil.example", x_forwarded_host=HOST)).status == 421
