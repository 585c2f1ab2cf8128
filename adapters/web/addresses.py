"""Which addresses are public: everything that leads inside is refused, however it is written."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

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
_OWN = tuple(
    ip_network(net) for net in ("127.0.0.0/8", "::1/128", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")
)
_METADATA = frozenset({"fd00:ec2::254", "fd20:ce::254"})


def why_not_public(address: str) -> str:
    """Say what an address belongs to when it is not public; empty when it is."""
    found = parsed(address)
    if found is None:
        return "no address"
    for net, kind in _KINDS_4 if found.version == 4 else _KINDS_6:
        if found in net:
            return kind
    return "" if found.version == 4 or found in _UNICAST_6 else "reserved"


def may_be_own(address: str) -> bool:
    """Say whether an operator's own server may be there: this machine or a private network, never metadata."""
    found = parsed(address)
    return found is not None and str(found) not in _METADATA and any(found in net for net in _OWN)


def parsed(text: str) -> Address | None:
    """Read a canonical address; None for everything else, one with a zone (`fe80::1%eth0`) too."""
    try:
        return None if "%" in text else ip_address(text)
    except ValueError:
        return None
