"""What an operator can do about a fault of a model service, in one table for everybody who says so."""

from __future__ import annotations

from collections.abc import Mapping

from bot.errors import ProviderFault

_LATER = "Try again later; see the service's status page."
_FIXES: Mapping[ProviderFault, str] = {
    ProviderFault.AUTH: "Check api_key, and that base_url belongs to the same service.",
    ProviderFault.CREDIT: "Top up the account of the key.",
    ProviderFault.NOT_FOUND: "Check base_url: it usually ends in /v1. Then the model's name.",
    ProviderFault.UNREACHABLE: "Check base_url, the network, the proxy, and that the service runs.",
    ProviderFault.TIMEOUT: "Ask again: a server that loads a model answers later. Then look at the network.",
    ProviderFault.RATE: "Wait, or raise the limit of the key.",
    ProviderFault.OVERLOADED: _LATER,
    ProviderFault.SERVER: _LATER,
    ProviderFault.REGION: "The service does not serve this country: use another service, or a proxy it allows.",
    ProviderFault.ADDRESS: "Check base_url: it usually ends in /v1.",
    ProviderFault.VERIFICATION: "Verify the account at the service, or use a model that does not want it.",
    ProviderFault.BLOCKED: "A firewall before the service blocks this machine: use another network, or ask it.",
    ProviderFault.LOADING: "Wait until the model is loaded.",
    ProviderFault.GARBAGE: "Check base_url: it usually ends in /v1, and must be the service that it should be.",
}
_ITS_WORDS = "The service's own words say what it minds."


def advice(fault: ProviderFault) -> str:
    """Return what to do; where that is not known, where to look."""
    return _FIXES.get(fault, _ITS_WORDS)
