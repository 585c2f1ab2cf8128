"""R34: whatever is sent to the web page, nobody reads there what is not theirs, nothing breaks, and nothing lives.

`fuzz`: requests made of good ones, by people of every tier and by nobody. `raw`: bytes that are no HTTP, on a real
socket. `doors`: forged, replayed, late and foreign links, cookies, words of Telegram's app, states and codes.
`canaries`: what a member writes and is called, on every page. `rights`: every page for every kind of person,
beside what the one place that decides about rights says.
"""

from __future__ import annotations

import asyncio
import logging
import random
import re
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from adapters.page_server import create
from bot.app.window import site_of
from bot.domain.access import AccessRight, AuthorityTiers
from bot.domain.ids import PersonKey, UserId
from bot.messaging.policy.access import HOST_PERSON
from bot.ports.page_server import PageRequest, PageResponse
from bot.text.invisible import HIDDEN, visible_joined
from bot.window.site import LISTS, PAGES_A_MINUTE, RECORDS, Site
from tests.bot.window.browser import FORM, HOST, ORIGIN, Browser, read
from tests.bot.window.test_logins import forged_init_data, keys, said_now
from tests.bot.window.test_screens import GENERAL, addresses, as_person, lived
from tests.dialogs.bot import Bot, a_bot
from tests.faults.family import Family, Size, Verdict
from tests.faults.r29_names import PIECES
from tests.servers.sign_in import SignInServer, sign_in_server

REQUESTS = {Size.SLICE: 120, Size.NIGHTLY: 1000, Size.RELEASE: 1000}
"""Of one case; there are 200 cases of them before a release."""
ATTEMPTS = {Size.SLICE: 60, Size.RELEASE: 500}
"""To come in, of one case; there are 20 cases of them before a release."""
BACK = f"{ORIGIN}/sign-in/back"
FOREIGN = re.compile(rb"walrus")
"""Said in a private chat of somebody who never looks here."""
WORDS = re.compile(rb"good morning|deploy on Fridays|walrus")
PEOPLE = {"owner": "1", "admin": "2", "moderator": "102", "member": "101"}
WHO = ("owner",) * 4 + ("admin",) * 3 + ("moderator",) * 2 + ("member", "nobody")
METHODS = ("GET",) * 40 + ("POST",) * 4 + ("HEAD", "PUT", "DELETE", "OPTIONS", "get", "TRACE", "")
STUFF = (
    *("", "a", "0", "-1", "..", "/", "//", "%2e%2e", "%00", "\x00", "\r\n", "\ud800", "ÿ", "\u202e", "{{7*7}}", "<b>"),
    *("i0000", "r0000", "m" + "0" * 4, "s0000", ".json", ";", "?", "#", "&of=", "%", "%ff", "x" * 300, "9" * 40),
    *("main/console:dm:101", "console:dm:101", "host:0", "main/", "none/console:#general", "here", "@glassmind"),
)  # fmt: skip
DOORS = ("/app", "/app.js", "/sign-in", "/sign-in/back?code=a&state=b", "/sign-in/back?error=access_denied")
IS_IN = re.compile(r"Max-Age=43200|'/overview'")
NAMES = ("of", "a", "b", "q", "page", "which", "at", "mark", "line", "data", "form", "token", "", "OF", "of[]")
SAFE = {"Content-Security-Policy", "X-Content-Type-Options", "X-Frame-Options", "Cache-Control", "Referrer-Policy"}
ODD_HEADERS = {
    "host": (HOST,) * 20 + ("", "evil.example", HOST.upper(), f"{HOST}.", "127.0.0.1", f"{HOST}@evil.example"),
    "origin": (ORIGIN,) * 6 + ("null", "https://evil.example", "", ORIGIN + "/"),
    "sec-fetch-site": ("same-origin",) * 4 + ("cross-site", "none", "x"),
    "content-type": (FORM,) * 5 + ("text/plain", "multipart/form-data; boundary=x", ""),
    "x-forwarded-for": ("127.0.0.1", "::1"),
    "x-forwarded-host": ("evil.example",),
    "x-forwarded-proto": ("https",),
    "forwarded": ("for=127.0.0.1;host=evil.example",),
}


def _cases(size: Size) -> Iterator[str]:
    many = {Size.SLICE: (1, 1, 1, 1), Size.NIGHTLY: (20, 10, 10, 4), Size.RELEASE: (200, 60, 60, 20)}[size]
    names = ("short", "raw", "canaries", "knocks") if size is Size.SLICE else ("fuzz", "raw", "canaries", "doors")
    for name, count in zip(names, many, strict=True):
        yield from (f"{name}/seed{number}" for number in range(count))
    yield "rights/all"


async def _play(key: str, directory: Path) -> Verdict:
    kind = key.partition("/")[0]
    async with sign_in_server(BACK) as discord, a_bot(directory / "data", more=keys(discord.api)) as bot:
        # what is asked for here stands on loopback, and has every way in
        page = bot.app.config.web_page.model_copy(update={"address": ""})
        site = site_of(bot.app, page, bot.app.cortex_wiring)
        await lived(bot)
        if kind == "rights":
            return await _rights(bot, site)
        chance = random.Random(f"{key}")
        if kind in {"doors", "knocks"}:
            return await _doors(bot, site, discord, chance, ATTEMPTS[Size.SLICE if kind == "knocks" else Size.RELEASE])
        if kind == "canaries":
            return await _canaries(bot, site, chance)
        if kind == "raw":
            return await _raw(bot, site, chance)
        return await _fuzz(bot, site, chance, REQUESTS[Size.SLICE if kind == "short" else Size.RELEASE])


# requests


async def _fuzz(bot: Bot, site: Site, chance: random.Random, many: int) -> Verdict:
    people = await _people(bot, site)
    seen = await addresses(people["owner"])
    forms: list[str] = []
    before = await _effects(bot)
    counts, told = dict.fromkeys(("crashed", "foreign", "wrong", "effects"), 0), list[str]()
    for number in range(many):
        if not number % (PAGES_A_MINUTE // 2):
            bot.clock.advance(61)
            # whom what came before has shown out comes in again
            people = await _people(bot, site)
            forms = re.findall(r'name="form" value="([^"]+)"', (await people["owner"].get("/overview")).body.decode())
        who = chance.choice(WHO)
        asked = _asked(chance, seen, people[who].cookie if who in people else "", forms, said_now(bot))
        found = await site.answer(asked)
        if found.events is not None:
            await anext(found.events)
            await found.events.aclose()
        for name in _judged(who, asked, found):
            counts[name] += 1
            told.append(f"{name}: {found.status} {who} {asked!r}")
    counts["effects"] = await _effects(bot) - before
    return Verdict(n=many, counts=counts, trouble="\n".join(told[:10]))


async def _people(bot: Bot, site: Site) -> dict[str, Browser]:
    tiers = AuthorityTiers(frozenset({UserId("1")}), frozenset({UserId("2")}), frozenset({UserId("102")}))
    bot.app.access.take_tiers({"console": tiers})
    return {name: await as_person(bot, site, PersonKey("console", UserId(one))) for name, one in PEOPLE.items()}


async def _effects(bot: Bot) -> int:
    """Count what was changed: a look is no change."""
    return sum(row.body.action != "look" for row in await bot.store.audit.newest(None, 1000))


def _asked(chance: random.Random, seen: list[str], cookie: str, forms: list[str], said: str) -> PageRequest:
    address = chance.choice([*seen, *DOORS, "/live", "/do", "/press", "/enter", "/leave", "/enter/x", "/", "/page.css"])
    path, _, query = address.partition("?")
    for _ in range(chance.choice([0, 0, 0, 1, 2])):
        path = _mutated(chance, path)
    for _ in range(chance.randrange(3)):
        query = _mutated(chance, query)
    while chance.random() < 0.3:
        query += f"&{chance.choice(NAMES)}={_spelt(chance, chance.choice(STUFF))}"
    if chance.random() < 0.15:
        cookie = _mutated(chance, cookie)
    headers: dict[str, list[str]] = {"host": [HOST], "cookie": [cookie]}
    for name, values in ODD_HEADERS.items():
        if chance.random() < (0.1 if name == "host" else 0.2):
            headers[name] = [chance.choice(values) for _ in range(1 if chance.random() < 0.95 else 2)]
    method = "POST" if path in {"/do", "/press", "/enter", "/leave"} else chance.choice(METHODS)
    fields = {chance.choice(NAMES): chance.choice((*STUFF, "fix", "undo", *forms)) for _ in range(chance.randrange(5))}
    if chance.random() < 0.5:
        fields["form"] = chance.choice([*forms, ""])
        headers |= {"origin": [ORIGIN], "content-type": [FORM]}
    if path == "/app" and chance.random() < 0.5:
        method, headers = "POST", headers | {"origin": [ORIGIN], "content-type": [FORM]}
        return PageRequest(method, path, query, headers, _mutated(chance, said).encode("utf-8", "surrogatepass"))
    body = urlencode(fields, errors="surrogatepass").encode() if method == "POST" or chance.random() < 0.05 else b""
    return PageRequest(method, path, query, headers, _mutated_bytes(chance, body))


def _mutated(chance: random.Random, text: str) -> str:
    at, piece = chance.randrange(len(text) + 1), _spelt(chance, chance.choice(STUFF))
    match chance.randrange(4):
        case 0:
            return text[:at] + piece + text[at:]
        case 1:
            return text[:at] + piece
        case 2:
            return text[:at] + text[at + 1 :]
        case _:
            return text[:at] + chr(chance.randrange(0x500)) + text[at + 1 :]


def _spelt(chance: random.Random, text: str) -> str:
    if chance.random() < 0.5:
        return text
    return quote(text.encode("utf-8", "surrogatepass"), safe="" if chance.random() < 0.7 else "/:#")


def _mutated_bytes(chance: random.Random, body: bytes) -> bytes:
    if not body or chance.random() < 0.7:
        return body
    at = chance.randrange(len(body))
    return body[:at] + chance.randbytes(chance.randrange(4)) + body[at + chance.randrange(3) :]


def _judged(who: str, asked: PageRequest, found: PageResponse) -> Iterator[str]:
    """Name what is wrong with an answer."""
    if found.status >= 500 and not (found.status == 503 and asked.path in {"/live", "/sign-in/back"}):
        yield "crashed"
    words = FOREIGN if who in {"owner", "admin"} else WORDS
    if words.search(found.body) and not words.search(asked.query.encode("utf-8", "replace")):
        # a moderator looks through memories
        yield from ["foreign"] if who != "moderator" or FOREIGN.search(found.body) else []
    # Telegram's own page may hold that one in a frame
    if not {name for name, _ in found.headers} >= SAFE - ({"X-Frame-Options"} if asked.path == "/app" else set()):
        yield "wrong"
    is_open = asked.path in {"/page.css", "/keys.js", "/app.js", "/app"} or asked.path.startswith("/enter/")
    if who in {"nobody", "member"} and found.status == 200 and not is_open:
        yield "wrong"


# ways in


@dataclass(frozen=True)
class Seen:
    """What somebody who tries to come in has seen of an owner: all of it was used, but for the session."""

    link: str
    session: str
    said: str
    back: str
    begun: str


async def _doors(bot: Bot, site: Site, discord: SignInServer, chance: random.Random, many: int) -> Verdict:
    """Try to come in by everything that somebody may have seen, kept, guessed or made; then an owner comes in."""
    bot.clock.advance(2)
    seen = await _seen(bot, site, discord)
    told = list[str]()
    for number in range(many):
        # whoever is too fast is refused without a look
        bot.clock.advance(2)
        found = await _knock(bot, site, discord, seen, chance)
        if IS_IN.search(str(found.headers)) or re.search(b"/enter/|#general", found.body):
            told.append(f"{number}: {found.status} {found.headers} {found.body[:200]!r}")
    shut = await _shut(bot, site, discord)
    return Verdict(n=many, counts={"passed": len(told), "wrong": shut}, trouble="\n".join(told[:10]))


async def _seen(bot: Bot, site: Site, discord: SignInServer) -> Seen:
    """Let an owner come in by each way once."""
    by_link, by_app, by_discord = Browser(site), Browser(site), Browser(site)
    link, said = site.sessions.link(PersonKey("console", UserId("1"))), said_now(bot)
    back = discord.agrees(await _sent(by_discord)).removeprefix(ORIGIN)
    begun = by_discord.begun
    await by_link.enters(link)
    await by_app.sends("/app", said)
    await by_discord.get(back)
    assert all([(await one.get("/overview")).status == 200 for one in (by_link, by_app, by_discord)])
    return Seen(link.rpartition("/")[2], by_link.cookie, said, back, begun)


async def _knock(bot: Bot, site: Site, discord: SignInServer, seen: Seen, chance: random.Random) -> PageResponse:
    """Try one thing."""
    thief = Browser(site)
    match chance.randrange(4):
        case 0:
            said = next(forged_init_data(chance, seen.said, said_now(bot), bot, 1))
            return await thief.sends(f"/app{chance.choice(['', '?framed=1'])}", said)
        case 1:
            return await thief.get(await _forged_return(bot, site, discord, thief, chance, seen))
        case 2:
            return await thief.post("/enter", {"token": _forged(chance, seen.link)})
        case _:
            name, _, value = seen.session.partition("=")
            thief.cookie = f"{name}={_forged(chance, value) if chance.random() < 0.9 else ''}"
            found = await thief.get("/overview")
            return found if thief.cookie != seen.session else PageResponse(401)


def _forged(chance: random.Random, text: str) -> str:
    """Return a token or a cookie that is nearly right, or was."""
    at, kind = chance.randrange(len(text) - 8), chance.random()
    if kind < 0.2:
        return text
    if kind < 0.4:
        return chance.randbytes(chance.randrange(120)).hex()
    return text[:at] + (chance.choice("AZaz09-_=") + text[at + 1 :] if kind < 0.9 else "")


async def _sent(browser: Browser) -> str:
    """Begin to sign in; return where the browser is sent."""
    return dict((await browser.get("/sign-in")).headers)["Location"]


async def _forged_return(
    bot: Bot, site: Site, discord: SignInServer, thief: Browser, chance: random.Random, seen: Seen
) -> str:
    """Return with which address, and with which cookie, somebody comes from Discord who did not agree there."""
    own, other = (await _sent(thief)).partition("state=")[2].partition("&")[0], Browser(site)
    begun, code = thief.begun, f"code-{chance.randrange(50)}"
    there = discord.agrees(await _sent(other)).removeprefix(ORIGIN)
    match chance.randrange(7):
        case 0:  # once more what let an owner in
            thief.begun = seen.begun
            return seen.back
        case 1:  # in another browser
            return chance.choice([seen.back, there])
        case 2:  # a code that is guessed
            return f"/sign-in/back?code={code}&state={own}"
        case 3:  # a stranger agrees
            discord.user = {"id": "101"}
            there = discord.agrees(await _sent(thief)).removeprefix(ORIGIN)
            discord.user = {"id": "88"}
            return there
        case 4:  # too late
            bot.clock.advance(301)
            thief.begun = other.begun
            return there
        case 5:  # an owner's code of another sign-in
            return f"/sign-in/back?code={there.partition('code=')[2].partition('&')[0]}&state={own}"
        case _:  # nearly what was begun, or nearly its state
            thief.begun = begun if chance.random() < 0.5 else f"{begun.partition('=')[0]}={_forged(chance, begun)}"
            return f"/sign-in/back?code={code}&state={own[:-1] if thief.begun == begun else own}"


async def _shut(bot: Bot, site: Site, discord: SignInServer) -> int:
    """Count the ways in that do not open to whom they should."""
    bot.clock.advance(61)
    by_app, by_discord = Browser(site), Browser(site)
    await by_app.sends("/app", said_now(bot))
    await by_discord.get(discord.agrees(await _sent(by_discord)).removeprefix(ORIGIN))
    return sum([(await one.get("/overview")).status != 200 for one in (by_app, by_discord)])


# bytes


class _Traces(logging.Handler):
    """Keeps every traceback that is logged."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info or record.levelno >= logging.ERROR:
            self.seen.append(f"log: {record.getMessage()} {record.exc_info}")


async def _raw(bot: Bot, site: Site, chance: random.Random) -> Verdict:
    """Send what no browser sends; then a browser is answered as before."""
    root = (await _people(bot, site))["owner"]
    listens, wrong, many, traces = asyncio.Event(), list[str](), 40, _Traces()
    logging.getLogger().addHandler(traces)
    async with asyncio.TaskGroup() as group:
        ports: list[int] = []
        serving = group.create_task(create({}).serve(site.answer, "127.0.0.1", _free(ports), listens.set, lambda: "en"))
        await listens.wait()
        for _ in range(many):
            sent = _bytes(chance, root.cookie)
            told = await _told(ports[0], sent)
            status = told[9:12]
            if told and (not told.startswith(b"HTTP/1.") or status.startswith(b"5") or FOREIGN.search(told)):
                wrong.append(f"{sent[:200]!r} -> {told[:200]!r}")
        good = f"GET /overview HTTP/1.1\r\nHost: {HOST}\r\nCookie: {root.cookie}\r\nConnection: close\r\n\r\n".encode()
        told = await _told(ports[0], good, ends=False)
        if not told.startswith(b"HTTP/1.1 200"):
            wrong.append(f"a browser was told {told[:200]!r}")
        serving.cancel()
    logging.getLogger().removeHandler(traces)
    wrong += traces.seen
    return Verdict(n=many, counts={"crashed": len(wrong)}, trouble="\n".join(wrong[:5]))


def _free(ports: list[int]) -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        ports.append(one.getsockname()[1])
    return ports[0]


async def _told(port: int, sent: bytes, *, ends: bool = True) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(sent)
        if ends:
            writer.write_eof()
        return await asyncio.wait_for(reader.read(), 10)
    except ConnectionError:
        return b""
    finally:
        writer.close()


def _bytes(chance: random.Random, cookie: str) -> bytes:
    lines = [
        chance.choice(["GET /overview HTTP/1.1", "POST /do HTTP/1.1", "GET / HTTP/9.9", "PRI * HTTP/2", "\x16", ""]),
        f"Host: {chance.choice([HOST, '', 'a b', HOST + chr(0)])}",
        *chance.sample(
            [
                f"Cookie: {cookie}", "Transfer-Encoding: chunked", "Content-Length: 5", "Content-Length: -1",
                "Content-Length: 99999999999999999999", "Transfer-Encoding: chunked, identity", "X: " + "a" * 9000,
                "Upgrade: websocket", "Connection: upgrade", "Expect: 100-continue", ": no name", "no colon",
                "Host: evil.example", "Range: bytes=0-", "Content-Encoding: gzip", "X-Forwarded-For: 127.0.0.1",
            ],
            chance.randrange(6),
        ),
    ]  # fmt: skip
    text = "\r\n".join(lines).encode("latin-1", "replace") + b"\r\n\r\n" + chance.randbytes(chance.randrange(40))
    for _ in range(chance.randrange(4)):
        at = chance.randrange(len(text))
        text = text[:at] + chance.randbytes(chance.randrange(3)) + text[at + chance.randrange(2) :]
    return text


# what members write


async def _canaries(bot: Bot, site: Site, chance: random.Random) -> Verdict:
    """Let somebody with a hostile name say hostile things; look at every page as a browser takes it apart."""
    tricks = [_stored("".join(chance.choices(PIECES, k=chance.randint(1, 3)))) for _ in range(4)]
    for trick in tricks:
        line = " ".join(trick.split()) or "x"
        await bot.says("ann", f"@glassmind remember as fact with importance 0.5: {line}")
        await bot.says("ann", f"@glassmind say {line}")
        await bot.says("ann", line, "#" + (re.sub(r"[^\w-]", "", line)[:20] or "odd"))
    root = (await _people(bot, site))["owner"]
    told, looked = list[str](), 0
    for address in await addresses(root):
        html = (await root.get(address)).body.decode()
        looked += 1
        told += [f"{address}: {one}" for one in lives(html)]
    return Verdict(n=looked, counts={"live": len(told)}, trouble="\n".join(told[:10]))


def _stored(name: str) -> str:
    return re.sub(r"[\x00\ud800-\udfff]", "\ufffd", name)[:200]


def lives(html: str) -> Iterator[str]:
    """Name what could be executed, followed or fetched in a page, and what hides in it."""
    page = read(html)
    for tag, attrs in page.tags:
        yield from (f"<{tag} {name}>" for name in attrs if name.startswith("on") or name in {"style", "srcdoc"})
        if tag in {"style", "img", "iframe", "object", "embed", "base", "video", "audio"}:
            yield f"<{tag}>"
        if tag == "script" and attrs.get("src") != "/keys.js":
            yield "another script"
        if tag == "meta" and "http-equiv" in attrs:
            yield "a refresh"
        for name in ("href", "src", "action", "formaction", "xlink:href"):
            value = attrs.get(name, "/")
            if not value.startswith(("/", "#")) or value.startswith("//"):
                yield f"{tag} leads to {value[:80]}"
    if visible_joined(html) != html:
        yield f"unseen {HIDDEN.findall(html)[:3]!a}"


# rights


async def _rights(bot: Bot, site: Site) -> Verdict:
    """Open every page as everybody; it opens where the chat's own check says so, and nowhere else."""
    people = await _people(bot, site)
    seen, wrong, cells = await addresses(people["owner"]), list[str](), 0
    people["host"] = await as_person(bot, site, HOST_PERSON)
    for who, browser in people.items():
        for address in seen:
            expected = await _may(bot, who, address)
            for one in (address, _as_json(address)):
                cells += 1
                status = (await browser.get(one)).status
                bot.clock.advance(1)
                if (status == 200) is not expected:
                    wrong.append(f"{who} {one}: {status}, expected {'to see it' if expected else 'nothing'}")
    missing = {*LISTS, *RECORDS} - {re.split(r"[/?]", address)[1] for address in seen}
    wrong += [f"no address of {name}" for name in missing]
    return Verdict(n=cells, counts={"wrong": len(wrong)}, trouble="\n".join(wrong[:20]))


async def _may(bot: Bot, who: str, address: str) -> bool:
    """Ask the one place that decides, as a command of the chat does."""
    screen = re.split(r"[/?]", address)[1]
    if who == "member":
        return False
    if screen == "session":
        return who == "owner"
    if who == "host":
        return True
    if screen == "overview" or (address in {"/doctor", "/audit", "/cortex"} and who != "moderator"):
        return True
    right = AccessRight.AUDIT if screen in {"memories", "memory", "spread"} else AccessRight.INSPECT
    if address in {"/doctor", "/audit", "/cortex"}:
        return False
    targets: Any = bot.app.cortex_wiring.targets
    person = PersonKey("console", UserId(PEOPLE[who]))
    found = await targets.anywhere("console:#general")
    return bool(await targets.may(right, person, found)) and GENERAL != ""


def _as_json(address: str) -> str:
    path, mark, query = address.partition("?")
    return f"{path}.json{mark}{query}"


FAMILY = Family("R34", "the web page", _cases, _play, seconds=300)
