"""Name what went wrong between us and a service, for every adapter that speaks HTTP."""

from __future__ import annotations

import aiohttp


def failure_words(error: Exception) -> tuple[str, str]:
    """Say what kind of failure of the network it is: in one word, and in words that hold no address."""
    match error:
        case aiohttp.ClientConnectorDNSError():
            return "dns", "the host name cannot be resolved"
        case aiohttp.ClientConnectorCertificateError() | aiohttp.ClientSSLError():
            return "tls", "the TLS connection could not be made"
        case aiohttp.ClientProxyConnectionError() | aiohttp.ClientHttpProxyError():
            return "proxy", "the proxy cannot be reached or refused"
        case TimeoutError():
            return "timeout", "no answer in time"
        case aiohttp.ClientConnectorError():
            return "connect", "no connection"
        case aiohttp.ClientResponseError() | ValueError():
            return "answer", "what came back is not HTTP, or not JSON"
        case aiohttp.ClientError() | OSError():
            return "cut", "the connection was cut before the answer was complete"
        case _:
            return "internal", "the call failed"
