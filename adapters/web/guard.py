"""The one check of every address that is called: by its spelling, by what its name leads to, and at the socket."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

from bot.errors import ToolError
from bot.text.text import excerpt

MAX_URL_CHARS = 2048
_BAD_SIGN = re.compile(r"[\x00-\x20\x7f\\]")
_AUTHORITY = re.compile(r"[a-z]+://([^/?#]*)", re.IGNORECASE)
_NUMERIC = re.compile(r"(?:0[xX][0-9a-fA-F]*|[0-9]+)\.?$")
_INSIDE_NAMES = (
    "localhost",
    "localdomain",
    "local",
    "internal",
    "intranet",
    "lan",
    "home.arpa",
    "corp",
    "onion",
    "test",
)

Lookup = Callable[[str, int], Awaitable[Sequence[str]]]
"""Asks what addresses a name has."""
Address = IPv4Address | IPv6Address
# not `is_global`: what Python counts as global differs from release to release, and some of it leads inside
_KINDS_4 = tuple(
    (ip_network(net), kind)
    for net, kind in (
        ("0.0.0.0/8", "this machine"),
        ("10.0.0.0/8", "a private network"),
        ("100.64.0.0/10", "a provider's inside (CGNAT)"),
        ("127.0.0.0/8", "this machine"),
        ("168.63.129.16/32", "a cloud's metadata"),
        ("169.254.0.0/16", "the local link, where clouds keep metadata"),
        ("172.16.0.0/12", "a private network"),
        ("192.0.0.0/24", "reserved"),
        ("192.0.2.0/24", "reserved"),
        ("192.31.196.0/24", "reserved"),
        ("192.52.193.0/24", "reserved"),
        ("192.88.99.0/24", "a way into IPv6"),
        ("192.168.0.0/16", "a private network"),
        ("192.175.48.0/24", "reserved"),
        ("198.18.0.0/15", "reserved"),
        ("198.51.100.0/24", "reserved"),
        ("203.0.113.0/24", "reserved"),
        ("224.0.0.0/4", "many machines (multicast)"),
        ("240.0.0.0/4", "reserved"),
    )
)
_KINDS_6 = tuple(
    (ip_network(net), kind)
    for net, kind in (
        ("::/128", "this machine"),
        ("::1/128", "this machine"),
        ("::ffff:0:0/96", "an IPv4 address in disguise"),
        ("64:ff9b::/96", "an IPv4 address in disguise (NAT64)"),
        ("64:ff9b:1::/48", "an IPv4 address in disguise (NAT64)"),
        ("2001::/23", "a tunnel or reserved"),
        ("2001:db8::/32", "reserved"),
        ("2002::/16", "an IPv4 address in disguise (6to4)"),
        ("2620:4f:8000::/48", "reserved"),
        ("3fff::/20", "reserved"),
        ("fc00::/7", "a private network"),
        ("fe80::/10", "the local link"),
        ("ff00::/8", "many machines (multicast)"),
    )
)
_UNICAST_6 = ip_network("2000::/3")
_OWN_NETWORKS = tuple(
    ip_network(net) for net in ("127.0.0.0/8", "::1/128", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")
)
_METADATA = frozenset({"fd00:ec2::254", "fd20:ce::254"})


async def system_lookup(host: str, port: int) -> Sequence[str]:
    """Return the addresses of a host, as the machine resolves them."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(entry[4][0]) for entry in found]


@dataclass(frozen=True)
class AddressGuard:
    """Says what may be called. `own` are servers of the operator, as `host:port`: they may lie inside.

    `ports` are those of public servers; `blocked` are hosts that are never called, with all below them.
    """

    ports: frozenset[int] = frozenset({80, 443})
    own: frozenset[str] = frozenset()
    blocked: frozenset[str] = frozenset()
    lookup: Lookup = system_lookup

    def url(self, text: str) -> URL:
        """Read an address that may be asked for; raise ToolError that says what is wrong with it."""
        text = text.strip()
        if not text or len(text) > MAX_URL_CHARS or _BAD_SIGN.search(text):
            raise ToolError(
                f"No web address was given: it takes one like https://example.org/page, of at most {MAX_URL_CHARS} "
                "characters, without spaces or backslashes."
            )
        try:
            url = URL(text)
            port = url.port
        except ValueError:
            raise ToolError(
                f'"{excerpt(text, 200)}" is no web address. Write one like https://example.org/page.'
            ) from None
        if url.scheme not in ("http", "https") or not url.host:
            raise ToolError(f'"{excerpt(text, 200)}" is no web address: only http:// and https:// can be fetched.')
        authority = _AUTHORITY.match(text)
        if url.user is not None or url.password is not None or (authority and "@" in authority[1]):
            raise ToolError("An address with a name or password in it is not fetched. Give the address without them.")
        self._host(url.raw_host or "", port or 0)
        return url.with_fragment(None)

    def _host(self, host: str, port: int) -> None:
        name = host.rstrip(".").lower()
        if any(name == one or name.endswith(f".{one}") for one in self.blocked):
            raise ToolError(f"{excerpt(host, 80)} is blocked by the operator (tools.web.blocked_hosts).")
        if self.owns(host, port):
            return
        if port not in self.ports:
            listed = ", ".join(map(str, sorted(self.ports)))
            raise ToolError(f"Port {port} is not called; ports: {listed}.")
        literal = parse_address(name)
        if literal is not None:
            self._public(name, why_not_public(name))
        elif ":" in name or "%" in name or _NUMERIC.search(name):
            raise ToolError(f"{excerpt(host, 80)} is an odd way to write an address, and is not called.")
        elif "." not in name or any(name == one or name.endswith(f".{one}") for one in _INSIDE_NAMES):
            self._public(host, "a name of the inside")

    def owns(self, host: str, port: int) -> bool:
        """Say whether the operator named this very server as their own."""
        return f"{host.rstrip('.').lower()}:{port}" in self.own

    async def addresses(self, host: str, port: int) -> tuple[str, ...]:
        """Return the addresses of a host that may be called; raise ToolError when there are none, or one leads inside.

        One that leads inside spoils the others: a name that has both is a trick or a mistake.
        """
        literal = parse_address(host)
        try:
            found = [host] if literal is not None else list(dict.fromkeys(await self.lookup(host, port)))
        except (OSError, UnicodeError):
            raise ToolError(f"{excerpt(host, 80)} cannot be found: the name leads nowhere.") from None
        if not found:
            raise ToolError(f"{excerpt(host, 80)} cannot be found: the name leads nowhere.")
        for address in found:
            if not (self.owns(host, port) and may_be_own(address)):
                self._public(host, why_not_public(address))
        return tuple(found)

    def _public(self, host: str, why: str) -> None:
        if why:
            raise ToolError(f"{excerpt(host, 80)} is not public ({why}), and is not called.")


def guard_of(ports: Iterable[int], own: Iterable[str], blocked: Iterable[str]) -> AddressGuard:
    """Make a guard of what was configured."""
    return AddressGuard(
        frozenset(ports), frozenset(map(str.lower, own)), frozenset(name.lower().rstrip(".") for name in blocked)
    )


@dataclass
class PinnedResolver(AbstractResolver):
    """Resolves names for one connector, and lets it open sockets to nothing but what was checked."""

    guard: AddressGuard
    checked: set[tuple[str, int]] = field(default_factory=set)
    refusal: ToolError | None = None

    async def admit(self, host: str, port: int) -> tuple[str, ...]:
        """Look a host up, check what comes, and remember it; raise ToolError."""
        try:
            found = await self.guard.addresses(host, port)
        except ToolError as error:
            self.refusal = error
            raise
        self.checked.update((address, port) for address in found)
        return found

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Return the addresses of a host that may be called; aiohttp asks for them."""
        return [_entry(host, address, port) for address in await self._admitted(host, port)]

    async def _admitted(self, host: str, port: int) -> tuple[str, ...]:
        try:
            return await self.admit(host, port)
        except ToolError as error:
            # aiohttp turns this into its own error; `refusal` keeps the words
            raise OSError(str(error)) from None

    def socket(self, entry: tuple[Any, ...]) -> socket.socket:
        """Open a socket for one address; the last look, after which nothing can change any more."""
        family, kind, proto, _, target = entry
        if (target[0], target[1]) not in self.checked:
            self.refusal = ToolError(f"{target[0]} was not checked, and is not called.")
            raise OSError(str(self.refusal))
        return socket.socket(family, kind, proto)

    def connector(self) -> aiohttp.TCPConnector:
        """Return a connector that keeps no connection and no name."""
        return aiohttp.TCPConnector(resolver=self, socket_factory=self.socket, use_dns_cache=False, force_close=True)

    async def close(self) -> None:
        """There is nothing to close."""


def _entry(host: str, address: str, port: int) -> ResolveResult:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    flags = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV
    return ResolveResult(hostname=host, host=address, port=port, family=family, proto=0, flags=flags)


def why_not_public(address: str) -> str:
    """Say what an address belongs to when it is not public; empty when it is."""
    found = parse_address(address)
    if found is None:
        return "no address"
    for net, kind in _KINDS_4 if found.version == 4 else _KINDS_6:
        if found in net:
            return kind
    return "" if found.version == 4 or found in _UNICAST_6 else "reserved"


def may_be_own(address: str) -> bool:
    """Say whether an operator's own server may be there: this machine or a private network, never metadata."""
    found = parse_address(address)
    return found is not None and str(found) not in _METADATA and any(found in net for net in _OWN_NETWORKS)


def parse_address(text: str) -> Address | None:
    """Read a canonical address; None for everything else, one with a zone (`fe80::1%eth0`) too."""
    try:
        return None if "%" in text else ip_address(text)
    except ValueError:
        return None
