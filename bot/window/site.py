"""The whole page: takes what a browser sent, believes nothing of it, and answers with a screen, its values, or why not.

Every right is asked for at every look: a cookie says who somebody is, and never what they may see.
"""

from __future__ import annotations

import asyncio
import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from importlib.resources import files
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

import orjson
import structlog

from bot.domain.access import Authority
from bot.domain.finding import NewAudit
from bot.domain.ids import PersonKey
from bot.errors import BotError, DamagedRow, StoreError
from bot.messaging.policy.access import HOST_PERSON
from bot.ports.clock import Clock
from bot.ports.governance import AuditTrail
from bot.ports.page_server import PageRequest, PageResponse
from bot.prompts import render_page
from bot.runtime.lru_cache import LRUCache
from bot.runtime.rate_limiter import RateLimiter
from bot.text.invisible import visible_joined
from bot.text.redaction import Redactor
from bot.text.text import clean
from bot.text.times import plain_times
from bot.window.contexts import context, diff, request
from bot.window.investigations import cortex, session, why
from bot.window.logins import SESSION_MS, PageSession, PageSessions
from bot.window.overview import overview
from bot.window.remembered import memories, memory, record, spread
from bot.window.talk import channel, message
from bot.window.upkeep import audit, cost, doctor, work
from bot.window.visit import Screen, Visit, WindowSources

log = structlog.get_logger(__name__)

LISTS: Mapping[str, Screen] = {
    "overview": overview,
    "channel": channel,
    "memories": memories,
    "context": context,
    "diff": diff,
    "why": why,
    "work": work,
    "cost": cost,
    "cortex": cortex,
    "doctor": doctor,
    "audit": audit,
}
"""Screens that are named by their address alone."""
RECORDS: Mapping[str, Screen] = {
    "message": message,
    "request": request,
    "memory": memory,
    "spread": spread,
    "session": session,
    "record": record,
}
"""Screens of one thing, whose handle stands behind their name."""
_PATH = re.compile(r"/(?P<screen>[a-z]{2,12})(?:/(?P<name>[a-z][0-9a-z]{1,11}))?(?P<json>\.json)?", re.ASCII)
_STATIC = {"/page.css": "text/css; charset=utf-8", "/keys.js": "text/javascript; charset=utf-8"}
_HTML, _JSON = "text/html; charset=utf-8", "application/json"
_SAFE = (
    (
        "Content-Security-Policy",
        "default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self'; frame-ancestors 'none'",
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    # `no-referrer` would have browsers send no origin with our own forms
    ("Referrer-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
)
_MAX_PATH_CHARS, _MAX_QUERY_CHARS, _MAX_FIELDS, _MAX_COOKIE_CHARS = 600, 2000, 12, 4096
_MAX_LOOKS_AT_ONCE = 2
"""Looks at the same time; the others wait, so that the machine stays the bot's."""
PAGES_A_MINUTE, REFUSALS_A_MINUTE = 240, 60


@dataclass(frozen=True)
class SiteAddress:
    """Where the page is reached: `scheme://host[:port]`. Nothing is answered under any other name."""

    url: str

    @property
    def host(self) -> str:
        """What a browser that means us says in `Host`."""
        return self.url.partition("://")[2]

    @property
    def is_secure(self) -> bool:
        """Whether cookies may be kept to https."""
        return self.url.startswith("https://")

    @property
    def cookie(self) -> str:
        """The name of our cookie. Cookies know no ports: two bots of one machine must not log each other out."""
        return "__Host-glassmind" if self.is_secure else f"glassmind-{self.host.rpartition(':')[2]}"


class Refusal(NamedTuple):
    """Why there is no page: a status, and the name of its words in `prompts/en/window/problem.html.j2`."""

    status: int
    kind: str
    said: str = ""


@dataclass(frozen=True, kw_only=True, eq=False)
class Site:
    """Answers what browsers ask. `people` are the doors for persons (None: over a directory alone), `host` its own.

    `audit` takes who looked; None where nothing may be written.
    """

    address: SiteAddress
    sessions: PageSessions
    clock: Clock
    redactor: Redactor
    host: WindowSources
    people: WindowSources | None = None
    audit: AuditTrail | None = None
    _turns: asyncio.Semaphore = field(init=False, default_factory=lambda: asyncio.Semaphore(_MAX_LOOKS_AT_ONCE))
    _noted: LRUCache[tuple[PersonKey, str, int], bool] = field(init=False, default_factory=lambda: LRUCache(10_000))
    _pages: RateLimiter[PersonKey] = field(init=False)
    _refused: RateLimiter[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_pages", RateLimiter(self.clock, PAGES_A_MINUTE))
        object.__setattr__(self, "_refused", RateLimiter(self.clock, REFUSALS_A_MINUTE))

    async def answer(self, asked: PageRequest) -> PageResponse:
        """Answer whatever came."""
        try:
            return await self._answer(asked)
        except Exception as error:
            log.error("page_broke", error_type=type(error).__name__, exc_info=error)
            return self._refuse(asked, Refusal(500, "broke"))

    async def _answer(self, asked: PageRequest) -> PageResponse:
        if refusal := self._unwelcome(asked):
            return self._refuse(asked, refusal)
        if asked.method == "POST":
            return self._changed(asked)
        if asked.path in _STATIC:
            return _static(asked.path)
        if asked.path.startswith("/enter/"):
            # what only looks at a link, as previews of chats do, does not use it up
            return self._html(200, "enter", {"token": asked.path.removeprefix("/enter/")})
        session = self.sessions.of(self._cookie(asked))
        if session is None:
            return self._refuse(asked, Refusal(401, "nobody"))
        if not self._pages.take(session.person):
            return self._refuse(asked, Refusal(429, "too_fast"))
        return await self._look(asked, session)

    def _unwelcome(self, asked: PageRequest) -> Refusal | None:
        """Say why a request is not even read: another host's, another site's, of another kind, or too large."""
        if asked.header("host").lower() != self.address.host:
            return Refusal(421, "host")
        if asked.method not in {"GET", "HEAD", "POST"}:
            return Refusal(405, "method")
        if "origin" in asked.headers and asked.header("origin") != self.address.url:
            return Refusal(403, "origin")
        is_form = asked.method == "POST"
        if is_form and (not asked.header("origin") or asked.header("sec-fetch-site") not in {"", "same-origin"}):
            return Refusal(403, "origin")
        if asked.method != "POST" and asked.body:
            return Refusal(400, "unread")
        cookies = sum(len(value) for value in asked.headers.get("cookie", ()))
        if len(asked.path) > _MAX_PATH_CHARS or len(asked.query) > _MAX_QUERY_CHARS or cookies > _MAX_COOKIE_CHARS:
            return Refusal(414, "too_long")
        return None

    def _changed(self, asked: PageRequest) -> PageResponse:
        """Let somebody in, or out: all that can be changed here."""
        if asked.header("content-type").partition(";")[0].strip() != "application/x-www-form-urlencoded":
            return self._refuse(asked, Refusal(415, "unread"))
        form = _fields(asked.body.decode("latin-1"))
        if form is None:
            return self._refuse(asked, Refusal(400, "unread"))
        if asked.path == "/enter":
            found = self.sessions.enter(form.get("token", ""))
            if found is None:
                # whoever tries many keeps nobody out who has a link
                is_slow = self._refused.take("all")
                return self._refuse(asked, Refusal(403, "link") if is_slow else Refusal(429, "too_fast"))
            cookie, session = found
            log.info("page_entered", person=f"{session.person.platform}:{session.person.user_id}")
            return self._to("/overview", self._set_cookie(cookie, SESSION_MS // 1000))
        session_cookie = self._cookie(asked)
        session_now = self.sessions.of(session_cookie)
        if asked.path != "/leave" or session_now is None:
            return self._refuse(asked, Refusal(404, "absent"))
        if not hmac.compare_digest(form.get("form", "").encode(), session_now.form.encode()):
            return self._refuse(asked, Refusal(403, "origin"))
        self.sessions.leave(session_cookie)
        return self._to("/", self._set_cookie("", 0))

    async def _look(self, asked: PageRequest, session: PageSession) -> PageResponse:
        is_host = session.person == HOST_PERSON
        sources = self.host if is_host else self.people
        caller = sources.targets.caller(session.person, session.person.user_id) if sources else None
        if sources is None or caller is None or caller.authority < Authority.MODERATOR:
            # a right that was taken away ends what it had opened
            self.sessions.leave(self._cookie(asked))
            return self._refuse(asked, Refusal(403, "right"))
        if asked.path == "/":
            return self._to("/overview")
        found, query = _PATH.fullmatch(asked.path), _fields(asked.query)
        if query is None:
            return self._refuse(asked, Refusal(400, "unread"))
        name = (found["name"] or "") if found else ""
        screen = (RECORDS if name else LISTS).get(found["screen"]) if found else None
        if screen is None or found is None:
            return self._refuse(asked, Refusal(404, "absent"), session)
        try:
            async with self._turns:
                value = await screen(Visit(sources, caller, name, query))
            await self._note(session.person, value)
        except (DamagedRow, StoreError) as error:
            return self._refuse(asked, Refusal(503, "store", str(error)), session)
        except BotError as error:
            return self._refuse(asked, Refusal(404, "absent", str(error)), session)
        shown = await asyncio.to_thread(self._clean, value)
        if found["json"]:
            return self._respond(200, _JSON, orjson.dumps(shown, option=orjson.OPT_INDENT_2))
        told = {
            **shown,
            "json": _json_address(asked),
            "form": session.form,
            "person": _person(session.person),
            "is_admin": caller.authority >= Authority.ADMIN,
        }
        return await asyncio.to_thread(self._html, 200, value["screen"], told)

    async def _note(self, person: PersonKey, value: Mapping[str, Any]) -> None:
        """Put on record, once an hour, that a channel was looked into, as every look in the chat is."""
        seen = value.get("channel")
        if self.audit is None or seen is None or person == HOST_PERSON:
            return
        now, target = self.clock.now(), seen["id"]
        key = (person, target, now // 3_600_000)
        if self._noted.get(key):
            return
        self._noted.put(key, True)
        row = NewAudit(
            at=now,
            platform=person.platform,
            actor=person.user_id,
            actor_name=person.user_id,
            action="look",
            target=target,
            detail="page",
        )
        await self.audit.append(row)

    def _clean(self, value: Any) -> Any:
        """Return values as they may be shown: secrets taken out, what hides in a text written out."""
        if isinstance(value, str):
            return visible_joined(plain_times(self.redactor.redact(value).text))
        if isinstance(value, dict):
            return {str(key): self._clean(item) for key, item in value.items()}
        return [self._clean(item) for item in value] if isinstance(value, list | tuple) else value

    def _refuse(self, asked: PageRequest, refusal: Refusal, session: PageSession | None = None) -> PageResponse:
        said = self._clean(refusal.said)
        if asked.path.endswith(".json"):
            body = orjson.dumps({"error": refusal.kind, "said": said})
            return self._respond(refusal.status, _JSON, body)
        told = {"status": refusal.status, "kind": refusal.kind, "said": said, "is_in": session is not None}
        return self._html(refusal.status, "problem", told)

    def _html(self, status: int, template: str, values: Mapping[str, Any]) -> PageResponse:
        page = {"screen": template, "form": "", "person": "", "json": "", "is_admin": False, "channel": None, **values}
        return self._respond(status, _HTML, render_page(f"window/{template}", **page).encode("utf-8", "replace"))

    @staticmethod
    def _respond(status: int, kind: str, body: bytes) -> PageResponse:
        return PageResponse(status, body, (("Content-Type", kind), *_SAFE))

    def _to(self, path: str, *headers: tuple[str, str]) -> PageResponse:
        return PageResponse(303, b"", (("Location", path), *headers, *_SAFE))

    def _cookie(self, asked: PageRequest) -> str:
        try:
            jar = SimpleCookie(asked.header("cookie"))
        except CookieError:
            return ""
        found = jar.get(self.address.cookie)
        return found.value if found is not None else ""

    def _set_cookie(self, value: str, seconds: int) -> tuple[str, str]:
        secure = "; Secure" if self.address.is_secure else ""
        held = f"{self.address.cookie}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}"
        return "Set-Cookie", held


def _static(path: str) -> PageResponse:
    body = files("bot.window").joinpath("static", path[1:]).read_bytes()
    return PageResponse(200, body, (("Content-Type", _STATIC[path]), *_SAFE))


def _fields(text: str) -> dict[str, str] | None:
    """Read a query or a form; None where it cannot be read, or names something twice."""
    try:
        pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=_MAX_FIELDS, errors="replace")
    except ValueError:
        return None
    found = {clean(name).text: clean(value).text for name, value in pairs}
    return found if len(found) == len(pairs) else None


def _json_address(asked: PageRequest) -> str:
    return f"{asked.path}.json?{asked.query}" if asked.query else f"{asked.path}.json"


def _person(person: PersonKey) -> str:
    return "the host" if person == HOST_PERSON else f"{person.platform} {person.user_id}"
