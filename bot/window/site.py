"""The whole page: takes what a browser sent, believes nothing of it, and answers with a screen, its values, or why not.

Every right is asked for at every look: a cookie says who somebody is, and never what they may see.
"""

from __future__ import annotations

import asyncio
import hmac
import re
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import partial
from http.cookies import CookieError, SimpleCookie
from importlib.resources import files
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

import orjson
import structlog

from bot.config.schema import SIGN_IN_BACK
from bot.cortex.targets.tool_page import newest_work
from bot.domain.access import Authority, Caller
from bot.domain.finding import NewAudit
from bot.domain.ids import PersonKey
from bot.errors import BotError, DamagedRow, DeliveryError, StoreError, name_of
from bot.messaging.policy.access import HOST_PERSON
from bot.ports.clock import Clock
from bot.ports.governance import AuditTrail
from bot.ports.page_server import PageRequest, PageResponse
from bot.prompts import render_page
from bot.runtime.lru_cache import LRUCache
from bot.runtime.rate_limiter import RateLimiter
from bot.sentences import ENGLISH, say, speaking
from bot.text.invisible import visible_joined
from bot.text.redaction import Redactor
from bot.text.text import clean
from bot.text.times import plain_times
from bot.window.contexts import context, diff, request
from bot.window.investigations import cortex, session, why
from bot.window.live import LiveFeed
from bot.window.logins import SESSION_MS, PageSession, PageSessions
from bot.window.mini_app_login import MiniAppLogin
from bot.window.oauth_login import SIGN_IN_MS, OAuthLogin
from bot.window.overview import overview
from bot.window.page_changes import PageChanges
from bot.window.page_pieces import PieceWriter
from bot.window.remembered import memories, memory, record, spread
from bot.window.talk import channel, message
from bot.window.upkeep import audit, cost, doctor, work
from bot.window.visit import LookForm, Screen, Visit, WindowSources

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
_LIVE = frozenset({"channel", "work"})
"""Screens of a channel that are told of news."""
_IN_PIECES = {"overview": "channels"}
"""Screens that show a list of which each piece is the same for everybody who may see it, by the name of the list."""
_CHANGES = frozenset({"/do", "/press"})
_NOBODY: Mapping[str, Any] = {
    **dict.fromkeys(("form", "person", "json", "live"), ""),
    **dict.fromkeys(("is_admin", "may_change"), False),
    "layout": "window/page.html.j2",
    "channel": None,
}
"""What a page knows of who looks where nobody is in."""
_PATH = re.compile(r"/(?P<screen>[a-z]{2,12})(?:/(?P<name>[a-z][0-9a-z]{1,11}))?(?P<json>\.json)?", re.ASCII)
_ENTER = "/enter/"
_APP, _SIGN_IN = "/app", "/sign-in"
"""Ways in besides a link, where they are configured."""
_SCRIPT = "text/javascript; charset=utf-8"
_STATIC = {"/page.css": "text/css; charset=utf-8", "/keys.js": _SCRIPT, "/app.js": _SCRIPT}
_HTML, _JSON = "text/html; charset=utf-8", "application/json"
_POLICY = "default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self'; frame-ancestors "
_SAFE = (
    ("Content-Security-Policy", f"{_POLICY}'none'"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    # `no-referrer` would have browsers send no origin with our own forms
    ("Referrer-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
)
_NEVER_FRAMED = {"Content-Security-Policy", "X-Frame-Options", "Cross-Origin-Opener-Policy"}
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
        return self._named("glassmind")

    @property
    def sign_in_cookie(self) -> str:
        """The name of the cookie by which a browser knows what it began."""
        return self._named("glassmind-sign-in")

    def _named(self, name: str) -> str:
        return f"__Host-{name}" if self.is_secure else f"{name}-{self.host.rpartition(':')[2]}"

    def session_header(self, value: str, seconds: int) -> tuple[str, str]:
        """Return the header by which a browser keeps a session, or drops it at once."""
        return self._header(self.cookie, value, seconds, "Strict")

    def sign_in_header(self, value: str, seconds: int) -> tuple[str, str]:
        """Return the header by which it keeps what it began."""
        # it has to come along when the service sends the browser back, and opens nothing by itself
        return self._header(self.sign_in_cookie, value, seconds, "Lax")

    def _header(self, name: str, value: str, seconds: int, same_site: str) -> tuple[str, str]:
        secure = "; Secure" if self.is_secure else ""
        return "Set-Cookie", f"{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite={same_site}{secure}"


class Refusal(NamedTuple):
    """Why there is no page: a status, and the name of its words in `prompts/en/sentences/window_problem.ftl`.

    `person` is as whom somebody came.
    """

    status: int
    kind: str
    said: str = ""
    person: str = ""


@dataclass(frozen=True, kw_only=True, eq=False)
class Site:
    """Answers what browsers ask. `people` are the doors for persons (None: over a directory alone), `host` its own.

    `audit` takes who looked, and `changes` makes what persons change; None where nothing may be written. `app` and
    `oauth` are ways in besides a link; None where they are not configured. `language` is that of a person, or of
    somebody of whom nothing but what their browser wants is known.
    """

    address: SiteAddress
    sessions: PageSessions
    clock: Clock
    redactor: Redactor
    host: WindowSources
    language: Callable[[PersonKey | None, str], str]
    people: WindowSources | None = None
    audit: AuditTrail | None = None
    changes: PageChanges | None = None
    app: MiniAppLogin | None = None
    oauth: OAuthLogin | None = None
    _turns: asyncio.Semaphore = field(init=False, default_factory=lambda: asyncio.Semaphore(_MAX_LOOKS_AT_ONCE))
    _noted: LRUCache[tuple[PersonKey, str, int], bool] = field(init=False, default_factory=lambda: LRUCache(10_000))
    live: LiveFeed = field(init=False)
    _rows: PieceWriter = field(init=False)
    _pages: RateLimiter[PersonKey] = field(init=False)
    _refused: RateLimiter[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "live", LiveFeed(self.clock))
        object.__setattr__(self, "_rows", PieceWriter(self._clean))
        object.__setattr__(self, "_pages", RateLimiter(self.clock, PAGES_A_MINUTE))
        object.__setattr__(self, "_refused", RateLimiter(self.clock, REFUSALS_A_MINUTE))

    async def answer(self, asked: PageRequest) -> PageResponse:
        """Answer whatever came, in the language of who asked."""
        person = _person_asking(asked, self.sessions, self._cookie(asked))
        # values for programs are the same for everybody
        language = ENGLISH if asked.path.endswith(".json") else self.language(person, asked.language)
        with speaking(language):
            try:
                found = await self._answer(asked)
            except Exception as error:
                log.error("page_broke", error_type=type(error).__name__, exc_info=error)
                found = self._refuse(asked, Refusal(500, "broke"))
        return _framed(found, self.app.verifier.embedder) if self.app and asked.path == _APP else found

    async def _answer(self, asked: PageRequest) -> PageResponse:
        if refusal := self._unwelcome(asked):
            return self._refuse(asked, refusal)
        if asked.method == "POST":
            return await self._changed(asked)
        if asked.path in _STATIC:
            return _static(asked.path)
        if asked.path.startswith(_ENTER):
            # what only looks at a link, as previews of chats do, does not use it up
            return self._html(200, "enter", {"token": asked.path.removeprefix(_ENTER)})
        if self.app is not None and asked.path == _APP:
            return self._html(200, "app", {})
        if self.oauth is not None and asked.path in {_SIGN_IN, SIGN_IN_BACK}:
            return await self._sign_in(asked, self.oauth)
        session = self.sessions.of(self._cookie(asked))
        if session is None:
            return self._refuse(asked, Refusal(401, "nobody"))
        if not self._pages.take(session.person):
            return self._refuse(asked, Refusal(429, "too_fast"))
        if asked.path == "/live":
            return await self._follow(asked, session)
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

    async def _changed(self, asked: PageRequest) -> PageResponse:
        """Let somebody in, or out, or do what the chat does at a press."""
        if asked.header("content-type").partition(";")[0].strip() != "application/x-www-form-urlencoded":
            return self._refuse(asked, Refusal(415, "unread"))
        if self.app is not None and asked.path == _APP:
            return self._let_in_by_app(asked, self.app)
        form = _fields(asked.body.decode("latin-1"))
        if form is None:
            return self._refuse(asked, Refusal(400, "unread"))
        if asked.path == "/enter":
            return self._let_in(asked, form)
        cookie = self._cookie(asked)
        session = self.sessions.of(cookie)
        if asked.path not in {"/leave", *_CHANGES} or session is None:
            return self._refuse(asked, Refusal(404, "absent"))
        if not hmac.compare_digest(form.get("form", "").encode(), session.form.encode()):
            return self._refuse(asked, Refusal(403, "origin"))
        if asked.path == "/leave":
            self.sessions.leave(cookie)
            return self._to("/", self.address.session_header("", 0))
        return await self._change(asked, session, form)

    def _let_in(self, asked: PageRequest, form: Mapping[str, str]) -> PageResponse:
        found = self.sessions.enter(form.get("token", ""))
        if found is None:
            return self._turn_away(asked, "link")
        return self._to("/overview", self._welcome(*found, by="link"))

    def _let_in_by_app(self, asked: PageRequest, app: MiniAppLogin) -> PageResponse:
        said = app.read(asked.body.decode("latin-1"))
        if said is None:
            return self._turn_away(asked, "app")
        if self._seen_by(said.person) is None:
            return self._refuse(asked, _stranger(said.person))
        if not app.use(said):
            return self._turn_away(asked, "app")
        if asked.query == "framed=1":
            # no cookie of ours goes into a frame of somebody else's page, nor does any page but this
            told = {"link": self.sessions.link(said.person), "embedder": app.verifier.embedder}
            return self._html(200, "app_tab", told)
        return self._to("/overview", self._welcome(*self.sessions.begin(said.person), by="app"))

    async def _sign_in(self, asked: PageRequest, oauth: OAuthLogin) -> PageResponse:
        """Send a browser to the service, or take it back from there."""
        if asked.method != "GET":
            return self._refuse(asked, Refusal(405, "method"))
        if asked.path == _SIGN_IN:
            if asked.header("sec-fetch-site") not in {"", "none", "same-origin"}:
                return self._refuse(asked, Refusal(403, "origin"))
            attempt = oauth.begin()
            return self._to(attempt.address, self.address.sign_in_header(attempt.cookie, SIGN_IN_MS // 1000))
        told, cookie = _fields(asked.query) or {}, self._cookie(asked, self.address.sign_in_cookie)
        is_theirs = told.get("iss", oauth.service.issuer) == oauth.service.issuer
        begun = oauth.ended(cookie, told.get("state", "")) if is_theirs else None
        if begun is None:
            return self._turn_away(asked, "oauth")
        found = await self._signed_in(oauth, begun, told.get("code", ""))
        forget = self.address.sign_in_header("", 0)
        if isinstance(found, Refusal):
            refused = self._refuse(asked, found)
            return refused._replace(headers=(*refused.headers, forget))
        # who comes from elsewhere brings no strict cookie along: the next step begins here
        page = self._html(200, "signed_in", {})
        return page._replace(headers=(*page.headers, forget, self._welcome(*self.sessions.begin(found), by="oauth")))

    async def _signed_in(self, oauth: OAuthLogin, begun: bytes, code: str) -> PersonKey | Refusal:
        if not code:
            return Refusal(403, "oauth_no")
        if not oauth.asking.take("all"):
            return Refusal(429, "too_fast")
        try:
            person = await oauth.person(begun, code)
        except DeliveryError as error:
            log.warning("page_sign_in_failed", service=oauth.service.name, error=name_of(error))
            return Refusal(503, "oauth_away")
        if person is None:
            return Refusal(403, "oauth")
        return person if self._seen_by(person) else _stranger(person)

    def _welcome(self, cookie: str, session: PageSession, *, by: str) -> tuple[str, str]:
        """Return the header that gives a browser its session."""
        log.info("page_entered", person=f"{session.person.platform}:{session.person.user_id}", by=by)
        return self.address.session_header(cookie, SESSION_MS // 1000)

    def _turn_away(self, asked: PageRequest, kind: str) -> PageResponse:
        # whoever tries many keeps nobody out who has what it takes
        is_slow = self._refused.take("all")
        return self._refuse(asked, Refusal(403, kind) if is_slow else Refusal(429, "too_fast"))

    async def _change(self, asked: PageRequest, session: PageSession, form: Mapping[str, str]) -> PageResponse:
        """Offer something, or do what a button asks for; every right is asked for where the chat asks for it."""
        seen = self._seen_by(session.person)
        if seen is None:
            self.sessions.leave(self._cookie(asked))
            return self._refuse(asked, Refusal(403, "right"))
        if not self._pages.take(session.person):
            return self._refuse(asked, Refusal(429, "too_fast"))
        sources, caller = seen
        if self.changes is None or session.person == HOST_PERSON:
            return self._refuse(asked, Refusal(404, "read_only"), session)
        visit = Visit(sources, caller, query=form)
        try:
            if asked.path == "/do":
                value = await self.changes.offer(visit, form.get("line", ""))
            else:
                value = await self.changes.pressed(visit, form.get("data", ""))
        except (DamagedRow, StoreError) as error:
            return self._refuse(asked, Refusal(503, "store", str(error)), session)
        except BotError as error:
            # said in words, as in the chat: nothing was changed
            value = {"screen": "offer", "channel": None, "answer": str(error), "pieces": [], "buttons": []}
        return await self._page(asked, session, caller, value)

    async def _look(self, asked: PageRequest, session: PageSession) -> PageResponse:
        seen = self._seen_by(session.person)
        if seen is None:
            # a right that was taken away ends what it had opened
            self.sessions.leave(self._cookie(asked))
            return self._refuse(asked, Refusal(403, "right"))
        sources, caller = seen
        if asked.path == "/":
            return self._to("/overview")
        found, query = _PATH.fullmatch(asked.path), _fields(asked.query)
        if query is None:
            return self._refuse(asked, Refusal(400, "unread"))
        name = (found["name"] or "") if found else ""
        screen = (RECORDS if name else LISTS).get(found["screen"]) if found else None
        if screen is None or found is None:
            return self._refuse(asked, Refusal(404, "absent"), session)
        # what only wants news of a page that it shows has no need of the rest
        have = query.pop("have", None)
        form = LookForm.WHOLE if found["json"] else LookForm.PAGE if have is None else LookForm.PART
        try:
            async with self._turns:
                value = await screen(Visit(sources, caller, name, query, form))
            await self._note(session.person, value)
        except (DamagedRow, StoreError) as error:
            return self._refuse(asked, Refusal(503, "store", str(error)), session)
        except BotError as error:
            return self._refuse(asked, Refusal(404, "absent", str(error)), session)
        if found["json"]:
            shown = await asyncio.to_thread(self._clean, value)
            return self._respond(200, _JSON, orjson.dumps(shown, option=orjson.OPT_INDENT_2))
        return await self._page(asked, session, caller, value, have)

    async def _page(
        self,
        asked: PageRequest,
        session: PageSession,
        caller: Caller,
        value: dict[str, Any],
        have: str | None = None,
    ) -> PageResponse:
        """Write a page; of one that somebody shows already only its middle, without the pieces that they `have`."""
        pieces: dict[str, Any] = {}
        if value["screen"] in _IN_PIECES:
            name = _IN_PIECES[value["screen"]]
            items = value[name]
            value = {**value, name: ()}
            pieces["rows"] = await self._rows.rendered(f"window/{value['screen']}_row", items, (have or "").split("."))
        told = {
            **await asyncio.to_thread(self._clean, value),
            **pieces,
            "layout": "window/page.html.j2" if have is None else "window/middle.html.j2",
            "json": _json_address(asked) if asked.method != "POST" else "",
            "form": session.form,
            "person": _person(session.person),
            "is_admin": caller.authority >= Authority.ADMIN,
            "live": _live_address(value),
            "may_change": self._may_change(caller),
        }
        return await asyncio.to_thread(self._html, 200, value["screen"], told)

    def _may_change(self, caller: Caller) -> bool:
        return self.changes is not None and caller.person != HOST_PERSON and caller.authority >= Authority.ADMIN

    async def _follow(self, asked: PageRequest, session: PageSession) -> PageResponse:
        """Tell a page that is open of news, for as long as its person may look."""
        query, seen = _fields(asked.query), self._seen_by(session.person)
        if query is None or seen is None:
            return self._refuse(asked, Refusal(400, "unread") if seen else Refusal(403, "right"))
        sources, caller = seen
        if not self.live.has_room(session.person):
            return self._refuse(asked, Refusal(503, "too_fast"))
        visit, cookie, live = Visit(sources, caller, query=query), self._cookie(asked), self.live
        try:
            target = (await visit.channel()).target if query.get("of") else None
        except BotError as error:
            return self._refuse(asked, Refusal(404, "absent", str(error)))
        # of owners no platform is asked
        is_asked = target is not None and caller.authority is not Authority.OWNER
        right = (session.person, target.key) if target is not None and is_asked else None
        if right is not None and not live.rights.has_room(right):
            return self._refuse(asked, Refusal(503, "too_fast"))

        async def may() -> bool:
            now = self._seen_by(session.person)
            if self.sessions.of(cookie) is None or now is None:
                return False
            if target is None:
                return True
            ask = partial(sources.targets.may_inspect, session.person, target)
            if right is not None:
                return await live.rights.holds(right, ask)
            return now[1].authority is Authority.OWNER and await ask()

        async def news() -> Hashable:
            if target is None:
                return await sources.board.news(live.streams)
            newest = tuple(await sources.store.ledger.recent(target.key, 1))
            # private work of somebody else is no news
            works = await newest_work(sources.store.processes, target, session.person) if query.get("work") else ()
            return newest, tuple(works)

        shown = _number(query.get("seen", "")) if target is None else None
        events = live.follow(session.person, may, news, right=right, shown=shown)
        return PageResponse(200, b"", (("Content-Type", "text/event-stream"), *_SAFE), events)

    def _seen_by(self, person: PersonKey) -> tuple[WindowSources, Caller] | None:
        """Return through which doors somebody looks, and who they are now; None where they may look at nothing."""
        sources = self.host if person == HOST_PERSON else self.people
        caller = sources.targets.caller(person, person.user_id) if sources else None
        if sources is None or caller is None or caller.authority < Authority.MODERATOR:
            return None
        return sources, caller

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
        return _shown_values(value, self._shown_text, {})

    def _shown_text(self, text: str) -> str:
        return visible_joined(plain_times(self.redactor.redact(text).text))

    def _refuse(self, asked: PageRequest, refusal: Refusal, session: PageSession | None = None) -> PageResponse:
        said = self._clean(refusal.said)
        if asked.path.endswith(".json"):
            body = orjson.dumps({"error": refusal.kind, "said": said})
            return self._respond(refusal.status, _JSON, body)
        told = {"status": refusal.status, "kind": refusal.kind, "said": said, "is_in": session is not None}
        told |= {"person": refusal.person, "service": self.oauth.service.name if self.oauth else ""}
        return self._html(refusal.status, "problem", told)

    def _html(self, status: int, template: str, values: Mapping[str, Any]) -> PageResponse:
        told = {"screen": template, **_NOBODY, **values}
        page = render_page(f"window/{template}", **told)
        return self._respond(status, _HTML, page.encode("utf-8", "replace"))

    @staticmethod
    def _respond(status: int, kind: str, body: bytes) -> PageResponse:
        return PageResponse(status, body, (("Content-Type", kind), *_SAFE))

    def _to(self, path: str, *headers: tuple[str, str]) -> PageResponse:
        return PageResponse(303, b"", (("Location", path), *headers, *_SAFE))

    def _cookie(self, asked: PageRequest, name: str = "") -> str:
        try:
            jar = SimpleCookie(asked.header("cookie"))
        except CookieError:
            return ""
        found = jar.get(name or self.address.cookie)
        return found.value if found is not None else ""


def _person_asking(asked: PageRequest, sessions: PageSessions, cookie: str) -> PersonKey | None:
    """Return who asks, as far as that is known; who follows a link is not in yet, but it was made for somebody."""
    link = sessions.signer.read(asked.path.removeprefix(_ENTER)) if asked.path.startswith(_ENTER) else None
    known = link or sessions.of(cookie)
    return known.person if known else None


def _stranger(person: PersonKey) -> Refusal:
    log.info("refused", what="page", user=person.user_id, platform=person.platform)
    return Refusal(403, "right", person=_person(person))


def _shown_values(value: Any, shown: Callable[[str], str], known: dict[str, str]) -> Any:
    """Return values with every text of them as it is shown; most of a page's texts are a few words again and again."""
    if isinstance(value, str):
        found = known.get(value)
        if found is None:
            found = known[value] = shown(value)
        return found
    if isinstance(value, dict):
        return {str(key): _shown_values(item, shown, known) for key, item in value.items()}
    return [_shown_values(item, shown, known) for item in value] if isinstance(value, list | tuple) else value


def _static(path: str) -> PageResponse:
    body = files("bot.window").joinpath("static", path[1:]).read_bytes()
    return PageResponse(200, body, (("Content-Type", _STATIC[path]), *_SAFE))


def _framed(found: PageResponse, embedder: str) -> PageResponse:
    """Let the platform's own pages, and nobody else's, hold a page in a frame."""
    kept = [(name, value) for name, value in found.headers if name not in _NEVER_FRAMED]
    return found._replace(headers=(*kept, ("Content-Security-Policy", f"{_POLICY}{embedder}")))


def _fields(text: str) -> dict[str, str] | None:
    """Read a query or a form; None where it cannot be read, or names something twice."""
    try:
        pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=_MAX_FIELDS, errors="replace")
    except ValueError:
        return None
    found = {clean(name).text: clean(value).text for name, value in pairs}
    return found if len(found) == len(pairs) else None


def _number(said: str) -> int:
    return int(said) if said.isascii() and said.isdigit() and len(said) < 15 else 0


def _live_address(value: Mapping[str, Any]) -> str:
    """Return by which address a screen is told of news; empty for one that stays as it is."""
    if value["screen"] == "overview":
        return f"/live?seen={value['board']}"
    if value["screen"] not in _LIVE:
        return ""
    works = {"work": "1"} if value["screen"] == "work" else {}
    return f"/live?{urlencode({'of': value['channel']['of'], **works})}"


def _json_address(asked: PageRequest) -> str:
    return f"{asked.path}.json?{asked.query}" if asked.query else f"{asked.path}.json"


def _person(person: PersonKey) -> str:
    return say("window.the-host") if person == HOST_PERSON else f"{person.platform} {person.user_id}"
