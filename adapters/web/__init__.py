"""The web, read with aiohttp: public addresses only, in bounded time and size."""

from adapters.web.client import Settings, WebClient, create

__all__ = ["Settings", "WebClient", "create"]
