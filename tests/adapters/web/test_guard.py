"""Whatever way an address of the inside is written, nobody gets there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress

import pytest

from adapters.browser.proxy import browser_proxy
from adapters.web import Settings, WebClient
from adapters.web.guard import AddressGuard, PinnedResolver, may_be_own, why_not_public
from bot.errors import ToolError
from tests.adapters.web.corpus import SPELLINGS, TURNS
from tests.servers.site import Answer, Site, site


class Names:
    """A resolver that answers as strangers would have it."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        turns = TURNS.get(host, ((),))
        found = turns[min(self.asked.count(host), len(turns) - 1)]
        self.asked.append(host)
        return found


@pytest.fixture
async def inside() -> AsyncIterator[Site]:
    async with site(secret=Answer(b"secret")) as server:
        yield server


@pytest.fixture
async def outside() -> AsyncIterator[Site]:
    """Stands for the public web: the operator has named it as their own."""
    async with site() as server:
        yield server


def client(inside: Site, outside: Site, names: Names | None = None) -> WebClient:
    """A client that may call the very port at which the inside listens: its address alone must be what stops it."""
    ports = (80, 443, inside.listener.port)
    made = Settings(ports=ports, own_hosts=(outside.host,), seconds=5)
    guard = made.guard()
    return WebClient(made, AddressGuard(guard.ports, guard.own, guard.blocked, names) if names else guard)


def spelled(inside: Site) -> list[str]:
    return [spelling.replace("PORT", str(inside.listener.port)) for spelling in SPELLINGS]


def test_the_corpus_is_large_enough() -> None:
    assert len(set(SPELLINGS)) + len(TURNS) >= 90


async def test_no_spelling_leads_inside(inside: Site, outside: Site):
    web = client(inside, outside)
    for url in spelled(inside):
        with pytest.raises(ToolError) as caught:
            await web.fetch(url, anew=True)
        assert len(str(caught.value)) < 400
    assert inside.visits == []


async def test_no_redirect_leads_inside(inside: Site, outside: Site):
    web = client(inside, outside)
    for number, url in enumerate(spelled(inside)):
        if "\n" in url or not url.strip():
            continue  # no header can say this
        path = f"/{number}"
        outside.leads(path, url, (301, 302, 303, 307, 308)[number % 5])
        try:
            page = await web.fetch(outside.url + path, anew=True)
        except ToolError:
            continue
        # what looks like a path of the same server was asked of the same server
        assert page.url.startswith(outside.url) and "secret" not in page.text
    assert inside.visits == []


async def test_a_long_way_round_leads_inside_neither(inside: Site, outside: Site):
    outside.leads("/a", "/b")
    outside.leads("/b", f"//localhost:{inside.listener.port}/secret")
    with pytest.raises(ToolError, match=r"leads on to one that is not called\. localhost is not public"):
        await client(inside, outside).fetch(f"{outside.url}/a", anew=True)
    assert inside.visits == []


@pytest.mark.parametrize("name", TURNS)
async def test_no_name_leads_inside(inside: Site, outside: Site, name: str):
    names = Names()
    web = client(inside, outside, names)
    for _ in range(3):
        with pytest.raises(ToolError, match=r"is not public|cannot be found|cannot be read"):
            await web.fetch(f"http://{name}:{inside.listener.port}/secret", anew=True)
    assert inside.visits == [] and name in names.asked


async def test_what_was_not_checked_gets_no_socket(inside: Site):
    """The last fence stands alone: a resolver that is tricked would still open nothing."""
    pinned = PinnedResolver(AddressGuard())
    for target in (("127.0.0.1", inside.listener.port), ("93.184.216.34", 80)):
        with pytest.raises(OSError, match="was not checked"):
            pinned.socket((2, 1, 6, "", target))
    pinned.checked.add(("93.184.216.34", 80))
    pinned.socket((2, 1, 6, "", ("93.184.216.34", 80))).close()


async def test_no_way_out_of_the_browser_leads_inside(inside: Site, outside: Site):
    guard = AddressGuard(frozenset({80, 443, inside.listener.port}), frozenset({outside.host}))
    async with browser_proxy(guard, 1_000_000) as way_out:
        way_out.is_open = True
        for url in spelled(inside):
            target = url.partition("://")[2].partition("/")[0] or url
            for line in (f"GET {url} HTTP/1.1", f"CONNECT {target} HTTP/1.1"):
                assert "secret" not in await _asked(way_out.port, f"{line}\r\nHost: {target}\r\n\r\n")
    assert inside.visits == []


async def test_the_way_out_of_the_browser_leads_out(inside: Site, outside: Site):
    outside.pages["/page"] = Answer(b"hello", headers={"Connection": "keep-alive"})
    async with browser_proxy(AddressGuard(own=frozenset({outside.host})), 1_000_000) as way_out:
        way_out.is_open = True
        request = f"GET {outside.url}/page?a=b HTTP/1.1\r\nHost: {outside.host}\r\nProxy-Connection: keep-alive\r\n\r\n"
        assert "hello" in await _asked(way_out.port, request)
        tunnelled = await _asked(way_out.port, f"CONNECT {outside.host} HTTP/1.1\r\n\r\n", "GET /page HTTP/1.0\r\n\r\n")
        assert "hello" in tunnelled
        # what comes behind a request goes to the same server, whatever it says
        smuggled = f"GET {inside.url}/secret HTTP/1.1\r\nHost: {inside.host}\r\n\r\n"
        assert "secret" not in (await _asked(way_out.port, request + smuggled)).partition("\r\n\r\n")[0]
    assert outside.paths[0] == "/page?a=b" and inside.visits == []
    assert "Proxy-Connection" not in outside.visits[0].headers


async def test_the_way_out_is_shut_before_the_page_is_asked_for_and_when_it_had_enough(outside: Site):
    outside.pages["/"] = Answer(b"x" * 10_000, endless=True)
    request = f"GET {outside.url}/ HTTP/1.1\r\nHost: {outside.host}\r\n\r\n"
    async with browser_proxy(AddressGuard(own=frozenset({outside.host})), 50_000) as way_out:
        assert await _asked(way_out.port, request) == ""
        way_out.is_open = True
        assert len(await _asked(way_out.port, request)) >= 10_000
        assert way_out.is_full and way_out.received < 50_000 + 128 * 1024
        assert await _asked(way_out.port, request) == ""
    assert len(outside.visits) == 1


async def _asked(port: int, request: str, then: str = "") -> str:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request.encode("utf-8", "replace"))
    answer = b""
    if then:
        answer = await reader.readuntil(b"\r\n\r\n")
        writer.write(then.encode())
    with suppress(ConnectionError):
        answer += await reader.read()
    writer.close()
    return answer.decode("utf-8", "replace")


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("8.8.8.8", True),
        ("172.15.255.255", True),
        ("172.32.0.1", True),
        ("100.63.255.255", True),
        ("2606:4700:4700::1111", True),
        ("2a00:1450:4001:81a::200e", True),
        ("2001:4860:4860::8888", True),
        ("2001::1", False),
        ("2001:db8::1", False),
        ("5f00::1", False),
        ("4000::1", False),
        ("::ffff:8.8.8.8", False),
        ("1.2.3", False),
    ],
)
def test_public_addresses_are_public(address: str, public: bool):
    assert (why_not_public(address) == "") is public


def test_own_servers_are_those_of_private_networks_and_never_metadata():
    assert all(map(may_be_own, ("127.0.0.1", "::1", "10.1.2.3", "192.168.1.1", "fd12::1")))
    assert not any(map(may_be_own, ("169.254.169.254", "fd00:ec2::254", "fe80::1", "8.8.8.8", "0.0.0.0", "nonsense")))


async def test_an_own_server_is_open_at_its_very_port_and_name_only(inside: Site):
    guard = AddressGuard(own=frozenset({f"wiki.example:{inside.listener.port}"}), lookup=Names())
    assert guard.url(f"http://wiki.example:{inside.listener.port}/")
    for other in (f"http://wiki.example:{inside.listener.port + 1}/", f"http://127.0.0.1:{inside.listener.port}/"):
        with pytest.raises(ToolError):
            guard.url(other)


async def test_what_the_operator_blocks_is_blocked_with_all_below_it():
    guard = AddressGuard(blocked=frozenset({"example.org"}))
    for url in ("https://example.org/", "https://EXAMPLE.org./", "https://a.b.example.org/"):
        with pytest.raises(ToolError, match="blocked by the operator"):
            guard.url(url)
    assert guard.url("https://notexample.org/")


@pytest.mark.parametrize("port", [22, 25, 6379, 8080, 65535])
async def test_other_ports_are_not_called(port: int):
    with pytest.raises(ToolError, match=f"Port {port} is not called; ports: 80, 443"):
        AddressGuard().url(f"https://example.org:{port}/")
