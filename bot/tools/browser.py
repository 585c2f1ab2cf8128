"""Look at a page of the web in a real browser."""

from __future__ import annotations

import re

from pydantic import Field

from bot.domain.channel import ProcessKind
from bot.errors import ToolError
from bot.ports.delivery import Delivery
from bot.ports.web import Browser, BrowserView
from bot.text.text import excerpt, fence
from bot.tools.runtime.effects import SentFile
from bot.tools.runtime.tool import ToolArgs, ToolContext, tool
from bot.tools.send_file import OutgoingFiles, send
from bot.tools.web_fetch import page_part

_MAX_LINKS = 40
_MAX_REFUSED = 5


class BrowserArgs(ToolArgs):
    url: str = Field(min_length=1, max_length=4096, description="The address, with http:// or https://.")
    offset: int = Field(0, ge=0, description="Where to read on: the number that the part before gave.")
    picture: bool = Field(False, description="Also send a picture of the page to the chat.")


@tool(kinds={ProcessKind.WORKER}, timeout=150, group="browser")
async def browser(
    args: BrowserArgs, ctx: ToolContext, driver: Browser, delivery: Delivery, files: OutgoingFiles
) -> str:
    """Draw a page and show a part of what can be seen of it, as data."""
    view = await driver.draw(args.url.strip(), picture=args.picture)
    if args.offset and args.offset >= len(view.text):
        raise ToolError(f"The page shows {len(view.text):,} characters now; there is nothing at {args.offset:,}.")
    lines = [*_head(view), *page_part(view.text, args.offset), *_links(view), *_notes(view)]
    if args.picture:
        picture = SentFile(view.picture, f"{_stem(view.url)}.png", "image/png", file_url=view.url)
        lines.append(await _sent(ctx, delivery, files, picture))
    return "\n".join(lines)


async def _sent(ctx: ToolContext, delivery: Delivery, files: OutgoingFiles, picture: SentFile) -> str:
    try:
        return await send(ctx, delivery, files, picture, "")
    except ToolError as error:
        # the page was read all the same
        return f"The picture was not sent. {error}"


def _head(view: BrowserView) -> list[str]:
    moved = [f"Moved here from: {excerpt(view.asked, 500)}"] if view.url.rstrip("/") != view.asked.rstrip("/") else []
    title = [f'Title, as it calls itself: "{excerpt(view.title, 200)}"'] if view.title else []
    error = [f"HTTP {view.status}: an error page"] if view.status >= 400 else []
    return [f"Page: {excerpt(view.url, 500)}", *moved, *title, *error]


def _links(view: BrowserView) -> list[str]:
    if not view.links:
        return []
    listed = "\n".join(f"{excerpt(words, 80)}: {excerpt(href, 300)}" for words, href in view.links[:_MAX_LINKS])
    return [f"Links on it ({len(view.links)}):", fence(listed)]


def _notes(view: BrowserView) -> list[str]:
    notes = ["[the page is larger than what may be loaded; something of it is missing]"] if view.cut else []
    refused = [excerpt(target, 80) for target, _ in view.refused[:_MAX_REFUSED]]
    if refused:
        notes.append(f"[{len(view.refused)} addresses that the page wanted were not called: {', '.join(refused)}]")
    return notes


def _stem(url: str) -> str:
    host = re.sub(r"[^a-z0-9.-]", "", url.partition("://")[2].partition("/")[0].lower())
    return f"page-{host.replace('.', '-')[:60]}"
