"""What an operator can do about a fault of a model service, in one table for everybody who says so."""

from __future__ import annotations

from collections.abc import Mapping

from bot.errors import ProviderFault
from bot.sentences import say

_LATER = "advice.later"
_FIXES: Mapping[ProviderFault, str] = {
    ProviderFault.AUTH: "advice.auth",
    ProviderFault.CREDIT: "advice.credit",
    ProviderFault.NOT_FOUND: "advice.not-found",
    ProviderFault.UNREACHABLE: "advice.unreachable",
    ProviderFault.TIMEOUT: "advice.timeout",
    ProviderFault.RATE: "advice.rate",
    ProviderFault.OVERLOADED: _LATER,
    ProviderFault.SERVER: _LATER,
    ProviderFault.REGION: "advice.region",
    ProviderFault.ADDRESS: "advice.address",
    ProviderFault.VERIFICATION: "advice.verification",
    ProviderFault.BLOCKED: "advice.blocked",
    ProviderFault.LOADING: "advice.loading",
    ProviderFault.GARBAGE: "advice.garbage",
}


def advice(fault: ProviderFault) -> str:
    """Return what to do; where that is not known, where to look."""
    return say(_FIXES.get(fault, "advice.its-words"))
