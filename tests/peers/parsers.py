"""Parsers that other people wrote for what is drawn in chats: of Discord's Markdown, and Telegram's own library."""

from __future__ import annotations

import asyncio
import html
import platform
import shutil
import sys
from asyncio.subprocess import PIPE
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import orjson
import pytest
from telegram import MessageEntity

from adapters.telegram.markup import MarkedText
from tests.peers.processes import HERE, NODE_MODULES

_TAGS = {
    "bold": "b",
    "italic": "i",
    "underline": "u",
    "strikethrough": "s",
    "spoiler": "tg-spoiler",
    "code": "code",
    "pre": "pre",
    "blockquote": "blockquote",
}


def markdown_program() -> Sequence[str]:
    """Return what reads Discord's Markdown with `@odiffey/discord-markdown`, or skip the test visibly."""
    node, package = shutil.which("node"), NODE_MODULES / "@odiffey/discord-markdown/dist/discord-markdown.mjs"
    if node is None:
        pytest.skip("node is not installed (20 or newer is needed)")
    if not package.exists():
        pytest.skip(f"@odiffey/discord-markdown is not in {NODE_MODULES}: run `make test-peers`")
    return node, str(HERE / "markdown.mjs"), str(package)


def tdlib_program() -> Sequence[str]:
    """Return what asks Telegram's own library, which is there for some machines only, or skip the test visibly."""
    library = NODE_MODULES / "@prebuilt-tdlib/linux-x64-glibc/libtdjson.so"
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        pytest.skip("TDLib is installed for Linux on x86-64 alone")
    if not library.exists():
        pytest.skip(f"@prebuilt-tdlib/linux-x64-glibc is not in {NODE_MODULES}: run `make test-peers`")
    return sys.executable, str(HERE / "tdlib.py"), str(library)


async def asked(program: Sequence[str], questions: Sequence[Any]) -> list[Any]:
    """Ask a program everything at once, in a process of its own."""
    process = await asyncio.create_subprocess_exec(*program, stdin=PIPE, stdout=PIPE, stderr=PIPE, cwd=Path("/"))
    told, problems = await process.communicate(orjson.dumps(questions))
    assert process.returncode == 0, problems.decode()[-2000:]
    answers: list[Any] = orjson.loads(told)
    return answers


def as_html(marked: MarkedText) -> str:
    """Write entities as the tags of the Bot API's HTML."""
    units = marked.text.encode("utf-16-le")
    edges = sorted({0, len(units) // 2, *(place for one in marked.entities for place in _ends(one))})
    opened: list[MessageEntity] = []
    pieces: list[str] = []
    for start, end in pairwise((*edges, edges[-1])):
        while opened and _ends(opened[-1])[1] == start:
            pieces.append(_tags(opened.pop())[1])
        for one in marked.entities:
            if one.offset == start and one.length:
                pieces.append(_tags(one)[0])
                opened.append(one)
        pieces.append(html.escape(units[2 * start : 2 * end].decode("utf-16-le"), quote=False))
    return "".join(pieces)


def _ends(one: MessageEntity) -> tuple[int, int]:
    return one.offset, one.offset + one.length


def _tags(one: MessageEntity) -> tuple[str, str]:
    if one.type == MessageEntity.TEXT_LINK:
        return f'<a href="{html.escape(one.url or "")}">', "</a>"
    if one.type == MessageEntity.DATE_TIME:
        when = int(one.unix_time.timestamp()) if one.unix_time else 0
        return f'<tg-time unix="{when}" format="{one.date_time_format}">', "</tg-time>"
    if one.type == MessageEntity.PRE and one.language:
        return f'<pre><code class="language-{html.escape(one.language)}">', "</code></pre>"
    tag = _TAGS[str(one.type)]
    return f"<{tag}>", f"</{tag}>"


def read_by_discord(nodes: Sequence[Any], looks: list[str]) -> str:
    """Return the words of what the parser has read, and add how they look to `looks`."""
    return "".join(_read(nodes, looks))


def _read(nodes: Sequence[Any], looks: list[str]) -> Iterator[str]:
    for node in nodes:
        kind, inside = node["type"], node.get("content")
        if kind == "br":
            yield "\n"
        elif kind == "list":
            looks.append("list")
            first = node.get("start", 1)
            for number, item in enumerate(node["items"], first):
                mark = f"{number}. " if node["ordered"] else "- "
                yield mark + read_by_discord(item, looks).rstrip("\n") + "\n"
        elif kind == "discordTimestamp":
            yield f"<t:{node['timestamp']}:{node['style']}>"
        elif kind == "discordUser":
            yield f"<@{node['id']}>"
        elif isinstance(inside, list):
            looks.append(kind)
            yield read_by_discord(inside, looks)
            if kind == "heading":
                yield "\n"
        else:
            if kind != "text":
                looks.append(f"{kind} {node.get('lang') or ''}".strip())
            yield inside
