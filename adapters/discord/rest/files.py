"""Bring in a file that somebody sent: from Discord's own file server alone, and never more than was asked for."""

from __future__ import annotations

import aiohttp
from yarl import URL

from adapters.discord.rest.client import Failure, RestClient
from adapters.failures import failure_words
from bot.domain.messages import Attachment
from bot.errors import FetchError
from bot.sentences import say

_OTHER_HOSTS = frozenset({"cdn.discordapp.com", "media.discordapp.net"})
_PLACES = ("attachments", "ephemeral-attachments")
_EXPIRED = frozenset({401, 403, 404})


class FileFetcher:
    """Fetches attachments. A link lasts for a day: an older one is exchanged for a new one, once."""

    def __init__(self, rest: RestClient) -> None:
        self._rest = rest
        self._base = URL(rest.settings.cdn_url)

    async def fetch(self, attachment: Attachment, most: int) -> bytes:
        """Return the content of a file; raise FetchError. Its size is checked as it is said, and as it comes."""
        if not attachment.reference:
            raise FetchError(say("fetching.no-content"))
        address = self._ours(attachment.reference)
        if attachment.size > most:
            raise _too_large(most)
        try:
            status, content = await self._download(address, most)
            if status in _EXPIRED:
                status, content = await self._download(await self._renewed(address), most)
        except Failure as error:
            raise FetchError(say("fetching.not-given", platform="Discord", why=str(error))) from None
        if status != 200:
            raise FetchError(say("fetching.answered", status=str(status)))
        return content

    def _ours(self, reference: str) -> URL:
        """Read an address; raise FetchError for one that leads anywhere but to the platform's files."""
        try:
            address = URL(reference)
            below = self._base.path.rstrip("/") + "/"
            path = address.path.removeprefix(below).split("/") if address.path.startswith(below) else []
        except ValueError:
            raise FetchError(say("fetching.address-unreadable")) from None
        is_here = address.origin() == self._base.origin() if address.is_absolute() and address.host else False
        # a file may come from the second host of the platform, though not where tests or a proxy stand for the first
        is_there = (
            self._base.host in _OTHER_HOSTS
            and address.scheme == "https"
            and address.host in _OTHER_HOSTS
            and not address.user
        )
        is_a_file = len(path) > 2 and path[0] in _PLACES and ".." not in path
        if not (is_here or (is_there and address.port == 443)) or not is_a_file:
            raise FetchError(say("fetching.address-elsewhere"))
        return address

    async def _renewed(self, address: URL) -> URL:
        """Exchange a link that has expired; raise FetchError, or one of `rest.Failure`."""
        asked = {"attachment_urls": [str(address)]}
        found = await self._rest.call("POST", "/attachments/refresh-urls", json=asked)
        links = [str(one.get("refreshed") or "") for one in (found or {}).get("refreshed_urls", ())]
        if not links or not links[0]:
            raise FetchError(say("fetching.gone"))
        return self._ours(links[0])

    async def _download(self, address: URL, most: int) -> tuple[int, bytes]:
        settings, found = self._rest.settings, bytearray()
        limit = aiohttp.ClientTimeout(total=settings.upload_timeout, sock_connect=settings.connect_timeout)
        try:
            # the file server needs no token, and gets none
            async with self._rest.open().get(
                address, proxy=settings.proxy or None, allow_redirects=False, timeout=limit
            ) as response:
                if response.status != 200:
                    return response.status, b""
                if (response.content_length or 0) > most:
                    raise _too_large(most)
                async for piece in response.content.iter_any():
                    found += piece
                    if len(found) > most:
                        raise _too_large(most)
        except (aiohttp.ClientError, OSError, TimeoutError, ValueError) as error:
            raise FetchError(say("fetching.unreachable", why=failure_words(error)[1])) from None
        return 200, bytes(found)


def _too_large(most: int) -> FetchError:
    return FetchError(say("fetching.too-large", kb=-(-most // 1000)))
