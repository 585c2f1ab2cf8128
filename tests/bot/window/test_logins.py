"""The ways into the page besides a link: what Telegram's app says, and what Discord says; and nobody else's word."""

from __future__ import annotations

import random
import re
from contextlib import asynccontextmanager
from urllib.parse import parse_qsl, quote, urlencode

import pytest
import structlog

from bot.app.window import site_of
from bot.config import parse_config
from bot.domain.access import AuthorityTiers
from bot.domain.ids import UserId
from bot.errors import ConfigError
from bot.window.logins import OneTimeUse
from bot.window.mini_app_login import AHEAD_MS, INIT_DATA_MS
from bot.window.oauth_login import SIGN_IN_MS, SIGN_INS_A_MINUTE
from bot.window.site import REFUSALS_A_MINUTE
from tests.bot.window.browser import Browser
from tests.dialogs.bot import a_bot
from tests.servers.sign_in import CLIENT_ID, CLIENT_SECRET, SECRETS, sign_in_server
from tests.servers.telegram.mini_apps import init_data

TOKEN = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"
BACK = "https://bot.example.org/sign-in/back"
KEYS = """
[web_page]
enabled = true
address = "https://bot.example.org"
telegram_app = true
discord_client_id = "{client}"
discord_client_secret = "{secret}"
[platforms.telegram]
token = "{token}"
owner_ids = [77]
[platforms.discord]
token = "a.bot.token"
rest_url = "{api}"
owner_ids = [88]
"""


def keys(api: str = "http://127.0.0.1:9") -> str:
    return KEYS.format(client=CLIENT_ID, secret=CLIENT_SECRET, token=TOKEN, api=api)


@asynccontextmanager
async def open_to_apps(data):
    """A bot whose page can be opened within Telegram, and what its owner hears there now."""
    async with a_bot(data, more=keys()) as bot:
        bot.clock.advance(2)
        yield bot, site_of(bot.app, bot.app.config.web_page, bot.app.cortex_wiring)


@asynccontextmanager
async def open_to_discord(data):
    async with sign_in_server(BACK) as discord, a_bot(data, more=keys(discord.api)) as bot:
        yield bot, site_of(bot.app, bot.app.config.web_page, bot.app.cortex_wiring), discord


def said_now(bot, user: int | str = 77, later: float = 1, **more) -> str:
    return init_data(more.pop("token", TOKEN), user, bot.clock.now() / 1000 + later, **more)


def leads(found) -> str:
    return dict(found.headers).get("Location", "")


def words(found) -> str:
    return " ".join(re.sub("<[^>]+>", " ", found.body.decode().partition("<main")[2]).split())


# within Telegram


async def test_what_telegrams_app_says_opens_the_page_once(tmp_path):
    async with open_to_apps(tmp_path) as (bot, site):
        await bot.says("ann", "@glassmind say good morning")
        root, again = Browser(site), Browser(site)
        page = await root.get("/app")
        assert page.status == 200 and b'src="/app.js"' in page.body and b"https://telegram.org" not in page.body
        said = said_now(bot, name="Рут 🙂")
        entered = await root.sends("/app", said)
        assert (entered.status, leads(entered)) == (303, "/overview")
        assert dict(entered.headers)["Set-Cookie"].endswith("HttpOnly; SameSite=Strict; Secure")
        assert "#general" in await root.text("/overview")
        # the same again, and the same in other spellings
        for other in (said, "&".join(reversed(said.split("&"))), urlencode(parse_qsl(said)), said.replace("A", "%41")):
            refused = await again.sends("/app", other)
            assert (refused.status, again.cookie) == (403, "")
            assert "Telegram could not let you in" in words(refused) and "press the button" in words(refused)
        bot.app.access.take_tiers({"telegram": AuthorityTiers(owners=frozenset({UserId("1")}))})
        assert (await root.get("/overview")).status == 403


async def test_late_early_and_from_before_the_start_is_all_the_same_to_a_forger(tmp_path):
    async with open_to_apps(tmp_path) as (bot, site):
        bot.clock.advance(2 * INIT_DATA_MS / 1000)
        good = (-INIT_DATA_MS / 1000 + 2, AHEAD_MS / 1000 - 1)
        bad = (-INIT_DATA_MS / 1000 - 1, AHEAD_MS / 1000 + 2, -2 * INIT_DATA_MS / 1000, 1e9)
        refused = set()
        for later in bad:
            found = await Browser(site).sends("/app", said_now(bot, later=later))
            refused.add((found.status, found.body))
        refused.add((403, (await Browser(site).sends("/app", "hash=" + "0" * 64)).body))
        assert len(refused) == 1 and refused.pop()[0] == 403
        for later in good:
            assert (await Browser(site).sends("/app", said_now(bot, later=later))).status == 303
        fresh = site_of(bot.app, bot.app.config.web_page, bot.app.cortex_wiring)
        assert (await Browser(fresh).sends("/app", said_now(bot, later=-3))).status == 403


async def test_a_person_without_rights_is_told_as_whom_they_came_and_gets_nothing(tmp_path):
    async with open_to_apps(tmp_path) as (bot, site):
        ann = Browser(site)
        with structlog.testing.capture_logs() as lines:
            found = await ann.sends("/app", said_now(bot, 101))
        assert [(line["event"], line["what"], line["user"]) for line in lines] == [("refused", "page", "101")]
        assert (found.status, ann.cookie) == (403, "")
        assert "You may not look in here" in words(found) and "You came as Telegram 101" in words(found)
        assert (await ann.get("/overview")).status == 401


async def test_in_a_frame_of_telegrams_page_there_is_no_cookie_and_a_link_for_a_tab(tmp_path):
    async with open_to_apps(tmp_path) as (bot, site):
        root, tab = Browser(site), Browser(site)
        found = await root.sends("/app?framed=1", said_now(bot))
        assert (found.status, root.cookie) == (200, "") and "Set-Cookie" not in dict(found.headers)
        link = re.search(rb'href="(https://bot\.example\.org/enter/[\w-]+)"', found.body)[1].decode()
        assert (await tab.enters(link)).status == 303 and (await tab.get("/overview")).status == 200
        for one in (await root.get("/app"), found, await root.sends("/app", "x")):
            policy = dict(one.headers)["Content-Security-Policy"]
            assert policy.endswith("frame-ancestors https://web.telegram.org") and "default-src 'self'" in policy
            assert not {"X-Frame-Options", "Cross-Origin-Opener-Policy"} & set(dict(one.headers))
        for address in ("/overview", "/", "/enter/x", "/sign-in", "/page.css", "/app.js", "/app/", "/App"):
            headers = dict((await tab.get(address)).headers)
            assert headers["X-Frame-Options"] == "DENY"
            assert headers["Content-Security-Policy"].endswith("frame-ancestors 'none'"), address


async def test_of_thousands_of_forged_words_of_an_app_none_lets_in(tmp_path):
    """10,000 of them, and whole requests, are in `make faults FAMILY=R34`."""
    async with open_to_apps(tmp_path) as (bot, site):
        chance, used = random.Random(34), said_now(bot)
        assert (await Browser(site).sends("/app", used)).status == 303
        entered = sum(
            (found := site.app.read(one)) is not None and site.app.use(found)
            for one in forged_init_data(chance, used, said_now(bot), bot, 2000)
        )
        assert entered == 0
        assert (await Browser(site).sends("/app", said_now(bot, query_id="B"))).status == 303


def forged_init_data(chance, used, fresh, bot, many):
    """What somebody may send who has heard an owner's own word, used and unused, and has an account like everybody."""
    pairs, other = parse_qsl(fresh), "110201543:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    for _ in range(many):
        match chance.randrange(9):
            case 0:
                yield used
            case 1:  # a letter is another one, where that means something else
                at = chance.randrange(len(fresh))
                turned = fresh[:at] + chance.choice("0a_=&%+Z\nÿ") + fresh[at + 1 :]
                yield turned if parse_qsl(turned) != pairs else used
            case 2:  # an own account's word, with the owner's number in it
                yield said_now(bot, 101).replace("id%22%3A%20101", "id%22%3A%2077")
            case 3:  # another bot's
                yield said_now(bot, token=other)
            case 4:
                yield said_now(bot, later=chance.choice([-301, -1000, 32, 1e6]))
            case 5:  # a field comes twice, goes, or is another one
                name, value = chance.choice(pairs)
                rest = [pair for pair in pairs if pair[0] != name]
                yield urlencode(chance.choice([[*pairs, (name, value)], rest, [*rest, (name, value + "1")]]))
            case 6:  # two fields in one
                (a, b), (c, d), *rest = chance.sample(pairs, len(pairs))
                yield urlencode([(a, f"{b}\n{c}={d}"), *rest])
            case 7:
                yield urlencode({**dict(pairs), "hash": chance.randbytes(32).hex()})
            case _:
                yield quote("".join(chance.choices("ab/=%\0'\"<>{}&", k=chance.randrange(300))), safe="=&%")


async def test_no_word_of_a_bot_or_of_nobody_is_taken(tmp_path):
    async with open_to_apps(tmp_path) as (bot, site):
        odd = ['{"id": 77, "is_bot": true}', '{"id": "77"}', '{"id": 77.0}', '{"id": true}', '{"id": -77}', "77"]
        odd += ['[{"id": 77}]', "", "{", '{"id": 9007199254740993000}', '{"ID": 77}']
        for user in odd:
            assert (await Browser(site).sends("/app", said_now(bot, user=user))).status == 403, user
        for more in ({"auth_date": ""}, {"auth_date": "-1"}, {"auth_date": "1e9"}, {"auth_date": "١٢٣"}):
            assert (await Browser(site).sends("/app", said_now(bot, **more))).status == 403, more


async def test_only_the_page_itself_may_send_an_apps_word(tmp_path):
    async with open_to_apps(tmp_path) as (bot, site):
        said, root = said_now(bot), Browser(site)
        for headers in ({"origin": "https://evil.example"}, {"origin": "null"}, {"sec_fetch_site": "cross-site"}):
            assert (await root.sends("/app", said, **headers)).status == 403
        assert (await root.sends("/app", said, content_type="application/json")).status == 415
        assert (await root.sends("/app", said)).status == 303
        tried = [(await Browser(site).sends("/app", f"a={number}")).status for number in range(REFUSALS_A_MINUTE + 9)]
        assert set(tried) == {403, 429}
        assert (await Browser(site).sends("/app", said_now(bot, query_id="C"))).status == 303


def test_where_nothing_more_can_be_remembered_nothing_is_taken(monkeypatch):
    monkeypatch.setattr("bot.window.logins._MAX_USED", 3)
    book = OneTimeUse(1000)
    assert [book.use(bytes([number]), number) for number in range(4)] == [True, True, True, False]
    assert book.use(b"later", 1000) and not book.use(b"\1", 1000)


# by Discord


async def test_discord_says_who_somebody_is_and_nothing_of_what_it_gave_is_left(tmp_path):
    async with open_to_discord(tmp_path) as (bot, site, discord):
        await bot.says("ann", "@glassmind say good morning")
        root = Browser(site)
        assert b"Sign in with Discord" in (await root.get("/overview")).body
        with structlog.testing.capture_logs() as lines:
            begun = await root.get("/sign-in", sec_fetch_site="same-origin")
            cookie = dict(begun.headers)["Set-Cookie"]
            assert cookie.startswith("__Host-glassmind-sign-in=") and "HttpOnly; SameSite=Lax; Secure" in cookie
            assert begun.status == 303 and leads(begun).startswith(f"{discord.url}/oauth2/authorize?")
            back = discord.agrees(leads(begun)).removeprefix("https://bot.example.org")
            entered = await root.get(back, sec_fetch_site="cross-site")
        # the strict cookie does not come along from elsewhere, so the page goes on by itself
        assert entered.status == 200 and b'http-equiv="refresh" content="0; url=/overview"' in entered.body
        cookies = [value for name, value in entered.headers if name == "Set-Cookie"]
        assert "Max-Age=0" in cookies[0] and cookies[1].endswith("Max-Age=43200; HttpOnly; SameSite=Strict; Secure")
        assert "#general" in await root.text("/overview")
        assert [call.removeprefix("/api/v10") for call in discord.calls] == [
            "/oauth2/token", "/users/@me", "/oauth2/token/revoke",
        ]  # fmt: skip
        assert discord.tokens == {}
        code = dict(parse_qsl(back.partition("?")[2]))["code"]
        kept = b"".join(one.read_bytes() for one in tmp_path.rglob("*") if one.is_file())
        for secret in (*SECRETS, CLIENT_SECRET):
            assert secret not in str(lines) and secret.encode() not in kept + entered.body
        assert code not in str(lines) and code.encode() not in kept
        assert (await root.get(back)).status == 403


async def test_a_sign_in_ends_in_the_browser_that_began_it_once_and_within_minutes(tmp_path):
    async with open_to_discord(tmp_path) as (bot, site, discord):
        root, thief = Browser(site), Browser(site)

        async def begins(browser):
            return discord.agrees(leads(await browser.get("/sign-in"))).removeprefix("https://bot.example.org")

        back, own = await begins(root), await begins(thief)
        state, theirs = (dict(parse_qsl(one.partition("?")[2]))["state"] for one in (back, own))
        tried = [
            (thief, back), (thief, back.replace(state, theirs).replace("code=code-0", "code=")), (root, own),
            (Browser(site), back), (root, back.replace("iss=http", "iss=https")), (root, back.replace("state", "stat")),
        ]  # fmt: skip
        for browser, address in tried:
            begun = browser.begun
            assert (await browser.get(address)).status == 403 and browser.cookie == ""
            browser.begun = begun
        assert discord.calls == []
        bot.clock.advance(SIGN_IN_MS / 1000)
        late = await root.get(back)
        assert late.status == 403 and "took longer than five minutes" in words(late) and discord.calls == []
        # a code that belongs to another sign-in does not fit what this browser began
        mixed, fresh = await begins(root), await begins(thief)
        code, other = (dict(parse_qsl(one.partition("?")[2]))["code"] for one in (mixed, fresh))
        assert (await root.get(mixed.replace(code, other))).status == 403
        assert discord.calls == ["/api/v10/oauth2/token"] and root.cookie == thief.cookie == ""


async def test_what_went_wrong_at_discord_is_said_and_nobody_is_in(tmp_path):
    async with open_to_discord(tmp_path) as (bot, site, discord):

        async def comes_back(changes=lambda back: back):
            browser = Browser(site)
            address = discord.agrees(leads(await browser.get("/sign-in")))
            found = await browser.get(changes(address.removeprefix("https://bot.example.org")))
            assert browser.cookie == "" and b"Sign in with Discord" in found.body
            return found.status, words(found)

        status, said = await comes_back(lambda back: re.sub("code=[^&]+", "error=access_denied", back))
        assert status == 403 and "You did not agree at Discord" in said and discord.calls == []
        discord.user = {"id": "101"}
        status, said = await comes_back()
        assert status == 403 and "You came as Discord 101" in said and discord.tokens == {}
        for user in ({"id": "88", "bot": True}, {"id": 88}, {"id": "88x"}, {}, {"username": "88"}):
            discord.user = user
            assert (await comes_back())[0] == 403
        discord.user, discord.scope = {"id": "88"}, "identify guilds"
        assert (await comes_back())[0] == 403
        discord.scope = "identify"
        bot.clock.advance(61)
        for path in ("/api/v10/oauth2/token", "/api/v10/users/@me"):
            for answer in ((500, b""), (401, SECRETS[0].encode()), (302, b"")):
                discord.troubles = {path: answer}
                with structlog.testing.capture_logs() as lines:
                    status, said = await comes_back()
                assert status == 503 and "Discord cannot be asked now" in said
                assert [line["event"] for line in lines] == ["page_sign_in_failed"] and SECRETS[0] not in str(lines)
        for body in (b"", b"[]", b"\xff", b"{" * 90_000):
            discord.troubles = {"/api/v10/oauth2/token": (200, body)}
            assert (await comes_back())[0] == 403
        discord.troubles = {"/api/v10/oauth2/token/revoke": (500, b"")}
        root = Browser(site)
        assert (
            await root.get(discord.agrees(leads(await root.get("/sign-in")))[len("https://bot.example.org") :])
        ).status


async def test_nobody_lets_the_bot_ask_discord_as_often_as_they_like(tmp_path):
    async with open_to_discord(tmp_path) as (_, site, discord):
        statuses = []
        for number in range(SIGN_INS_A_MINUTE + 5):
            browser = Browser(site)
            state = dict(parse_qsl(leads(await browser.get("/sign-in"))))["state"]
            statuses.append((await browser.get(f"/sign-in/back?code=guess{number}&state={state}")).status)
        assert statuses.count(403) == len(discord.calls) == SIGN_INS_A_MINUTE and statuses[-1] == 429


async def test_another_page_begins_no_sign_in_and_a_preview_ends_none(tmp_path):
    async with open_to_discord(tmp_path) as (_, site, discord):
        root = Browser(site)
        for site_of_origin in ("cross-site", "same-site", "x"):
            assert (await root.get("/sign-in", sec_fetch_site=site_of_origin)).status == 403 and root.begun == ""
        for method in ("HEAD", "POST"):
            found = await root.asks(method, "/sign-in/back?code=a&state=b", "", {"origin": root.origin})
            assert found.status in {405, 415}
        assert discord.calls == []


async def test_the_doctor_says_how_people_come_in_and_whether_discord_knows_the_way_back(tmp_path):
    async with open_to_discord(tmp_path) as (bot, _, discord):

        async def told():
            return "\n".join(await bot.says("root", "!cortex doctor", "dm"))

        assert "add a redirect: web_page.address with /sign-in/back behind it" in await told()
        discord.redirects = [BACK]
        said = await told()
        assert "people get in by a link, Telegram's app, Discord" in said
        assert "the portal knows where people come back to" in said
        discord.troubles = {"/api/v10/applications/@me": (500, b"")}
        assert "localhost answered 500" in await told()


# where neither is configured


async def test_without_them_their_addresses_are_like_any_other(tmp_path):
    async with a_bot(tmp_path, more="[web_page]\nenabled = true\n") as bot:
        site = site_of(bot.app, bot.app.config.web_page, bot.app.cortex_wiring)
        nobody = Browser(site)
        for address in ("/app", "/sign-in", "/sign-in/back?code=a&state=b"):
            found = await nobody.get(address)
            assert found.status == 401 and b"Sign in with" not in found.body
            assert dict(found.headers)["X-Frame-Options"] == "DENY"
        assert (await nobody.sends("/app", said_now(bot))).status == 404


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        (
            {'address = "https://bot.example.org"': ""},
            "web_page.address: telegram_app needs one that begins with https",
        ),
        ({"https://bot": "http://bot"}, "web_page.address: discord_client_id needs one that begins with https"),
        ({f'discord_client_secret = "{CLIENT_SECRET}"': ""}, "web_page.discord_client_secret: missing."),
        ({f'discord_client_id = "{CLIENT_ID}"': ""}, "web_page.discord_client_id: missing."),
        (
            {"[platforms.telegram]": "[platforms.telegram]\nenabled = false"},
            "Add an enabled [platforms.telegram] table",
        ),
        ({"[platforms.discord]": "[platforms.discord]\nenabled = false"}, "Add an enabled [platforms.discord] table"),
        ({f'"{CLIENT_ID}"': '"my bot"'}, "web_page.discord_client_id"),
    ],
)
def test_half_a_way_in_stops_the_start_with_a_clear_line(changes, problem):
    text = keys()
    assert parse_config(text, {}).secrets["web_page.discord_client_secret"] == CLIENT_SECRET
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    with pytest.raises(ConfigError) as refused:
        parse_config(text, {})
    assert problem in str(refused.value) and CLIENT_SECRET not in str(refused.value)


def test_a_secret_that_cannot_be_read_is_named_once():
    with pytest.raises(ConfigError) as refused:
        parse_config(keys().replace(f'"{CLIENT_SECRET}"', '"env:NOT_THERE"'), {})
    (problem,) = refused.value.problems
    assert problem.startswith("web_page.discord_client_secret: env:NOT_THERE cannot be resolved")
