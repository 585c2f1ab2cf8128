"""A browser without a screen: it keeps its cookie, follows where it is sent, and reads what is written."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import quote, urlencode

import orjson

from bot.ports.page_server import PageRequest, PageResponse
from bot.window.site import Site

HOST = "127.0.0.1:8787"
ORIGIN = f"http://{HOST}"
FORM = "application/x-www-form-urlencoded"


@dataclass
class Browser:
    """`cookie` is that of a session; `begun` is that of a sign-in which is under way."""

    site: Site
    cookie: str = ""
    last: PageResponse = field(default_factory=lambda: PageResponse(0))
    begun: str = ""

    @property
    def origin(self) -> str:
        return self.site.address.url

    async def get(self, address: str, **headers: str) -> PageResponse:
        return await self.asks("GET", address, "", headers)

    async def post(self, address: str, form: dict[str, str], **headers: str) -> PageResponse:
        return await self.sends(address, urlencode(form), **headers)

    async def sends(self, address: str, body: str, **headers: str) -> PageResponse:
        """Send a form that is written already."""
        return await self.asks("POST", address, body, {"origin": self.origin, "content_type": FORM, **headers})

    async def enters(self, link: str) -> PageResponse:
        """Follow a link from the chat, and press the button of its page."""
        await self.get(link.removeprefix(self.origin))
        return await self.post("/enter", {"token": link.rpartition("/")[2]})

    async def json(self, address: str) -> dict:
        path, mark, query = address.partition("?")
        found = await self.get(f"{path}.json{mark}{query}")
        assert found.status == 200, found.body
        return orjson.loads(found.body)

    async def text(self, address: str) -> str:
        found = await self.get(address)
        assert found.status == 200, (address, found.status, found.body[:2000])
        return read(found.body.decode()).text

    async def asks(self, method, address, body, headers) -> PageResponse:
        """Send any request."""
        path, _, query = address.partition("?")
        held = "; ".join(filter(None, (self.cookie, self.begun)))
        sent = {"host": [self.site.address.host], **({"cookie": [held]} if held else {})}
        sent |= {name.replace("_", "-"): [value] for name, value in headers.items()}
        self.last = await self.site.answer(PageRequest(method, path, query, sent, body.encode()))
        for name, value in self.last.headers:
            if name == "Set-Cookie" and value.startswith(self.site.address.sign_in_cookie):
                self.begun = value.partition(";")[0]
            elif name == "Set-Cookie":
                self.cookie = value.partition(";")[0]
        return self.last


def of(channel: str, agent: str = "main") -> str:
    return quote(f"{agent}/{channel}", safe="")


class Page(HTMLParser):
    """What a page is made of: its tags with their attributes, and its words."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.words: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data):
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).split())

    def links(self) -> list[str]:
        return [attrs["href"] for tag, attrs in self.tags if tag == "a" and "href" in attrs]


def read(html: str) -> Page:
    page = Page()
    page.feed(html)
    return page
