"""The rule reads the class of a failure from our own words, so both must speak of the same thing."""

from __future__ import annotations

import ssl

import aiohttp
import pytest
from aiohttp.client_reqrep import ConnectionKey

from adapters.model_http.errors import cleaner, of_exception
from bot.diagnostics.rules.provider_network import check
from tests.bot.diagnostics.pressed import unreachable

KEY = ConnectionKey("api.example", 443, True, True, None, None, None)
ERROR = OSError(111, "refused")


@pytest.mark.parametrize(
    ("raised", "why"),
    [
        (aiohttp.ClientConnectorDNSError(KEY, ERROR), "Its host name is not found (DNS)."),
        (aiohttp.ClientConnectorSSLError(KEY, ssl.SSLError(1, "wrong version")), "The TLS connection fails."),
        (aiohttp.ClientConnectorCertificateError(KEY, ssl.CertificateError("old")), "The TLS connection fails."),
        (aiohttp.ClientProxyConnectionError(KEY, ERROR), "The proxy is unreachable or refuses."),
        (aiohttp.ClientConnectorError(KEY, ERROR), "Nothing answers at its address."),
    ],
)
def test_each_class_of_failure_is_told_apart(raised: Exception, why: str) -> None:
    words = str(of_exception(raised, cleaner(()), ""))
    (found,) = check(unreachable(words))
    assert found.why[0] == why


def test_the_host_is_named_and_nothing_else_of_its_address() -> None:
    (found,) = check(unreachable("no connection (refused)"))
    assert found.why[:2] == ("Nothing answers at its address.", "The service is simulated at models.example.")
    assert "Console is reachable, so the network is up." in found.why
