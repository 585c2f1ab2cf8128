"""How long a model service may take before it begins to answer: one on the own machine may have to load its model."""

from __future__ import annotations

from contextlib import suppress
from ipaddress import IPv6Address, ip_address
from typing import NamedTuple

PUBLIC_SECONDS = 30.0
"""How long the first token of a service on the internet is waited for."""
LOCAL_SECONDS = 300.0
"""How long that of a service nearby is: to read a large model from a slow disk takes minutes."""
ALIVE_FACTOR = 10
"""How many times as long somebody is waited for who keeps saying that it is at work, up to `LOCAL_SECONDS`."""
_LOCAL_NAMES = (".local", ".localhost", ".internal", ".lan", ".home.arpa", ".localdomain", ".home", ".intranet")


class Patience(NamedTuple):
    """How long a service is waited for in silence, until it begins; in seconds (0: nobody knows).

    `alive` is how long it is waited for while it shows signs of life. `loads`: it may have to load its model first,
    and would begin again if it were left; what it takes for that is not a part of the time that a turn has.
    """

    silent: float = 0.0
    alive: float = 0.0
    loads: bool = False


def is_local(host: str) -> bool:
    """Say whether a host is this machine, or one on a network of one's own."""
    name = host.strip("[]").rstrip(".").lower()
    with suppress(ValueError):
        address = ip_address(name.partition("%")[0])
        if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
            address = address.ipv4_mapped
        return not address.is_global and not address.is_multicast
    return bool(name) and ("." not in name or name.endswith(_LOCAL_NAMES))


def alive_seconds(silent: float) -> float:
    """Return how long somebody is waited for who shows signs of life, where silence is borne for so long."""
    return max(silent, min(ALIVE_FACTOR * silent, LOCAL_SECONDS))


def patience_with(host: str, silent: float, *, is_set: bool) -> Patience:
    """Return the patience with a service at a host; `is_set` says that somebody wants it to be so long."""
    near = is_local(host)
    seconds = LOCAL_SECONDS if near and not is_set else silent
    # who is to begin as soon as a public service does has its model at hand
    return Patience(seconds, alive_seconds(seconds), loads=near and seconds > PUBLIC_SECONDS)
