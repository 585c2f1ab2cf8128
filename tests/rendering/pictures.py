"""Draw the answers as a phone shows them: Discord's app on the left, Telegram's on the right, 390 px each.

    CHROMIUM=/usr/bin/chromium python -m tests.rendering.pictures DIRECTORY [FAMILY ...]

The words are laid out by a browser from what other people's parsers read (`make test-peers` installs them); what comes
out is near enough to see what would annoy: lines that wrap, columns that do not stand below each other, empty lines.
"""

from __future__ import annotations

import asyncio
import html
import os
import re
import sys
from asyncio.subprocess import DEVNULL
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from adapters.browser.program import find_browser
from adapters.discord.base.markup import MAX_UNITS as DISCORD_UNITS
from adapters.discord.base.markup import discord_markdown as for_discord
from adapters.telegram.markup import MAX_ENTITIES
from adapters.telegram.sender import MAX_UNITS as TELEGRAM_UNITS
from adapters.telegram.sender import plain_text as for_telegram
from bot.text.splitter import split
from tests.peers.parsers import as_html, asked, markdown_program
from tests.rendering.test_answers import FAMILIES

MOST_LINES = 70
"""About how many lines of an answer are in one picture."""
_WIDTH, _LINE = 800, 23
_STYLE = """
* { box-sizing: border-box; margin: 0 }
body { background: #000; display: grid; grid-template-columns: 390px 390px; gap: 8px 20px; align-items: start;
  font: 16px/22px 'Noto Sans', 'Noto Sans Hebrew', 'Noto Sans Arabic', sans-serif; color: #dbdee1 }
h6 { grid-column: 1 / 3; font: 12px/16px monospace; color: #7f7 }
.discord { background: #1a1a1e; padding: 8px 16px 8px 64px; overflow-wrap: anywhere }
.discord h1 { font-size: 24px; line-height: 33px } .discord h2 { font-size: 20px; line-height: 28px }
.discord h3 { font-size: 16px }
.discord ul, .discord ol { padding-left: 22px }
.discord pre, .discord code, .telegram pre, .telegram code { font-family: 'DejaVu Sans Mono', monospace }
.discord pre { white-space: pre-wrap; font-size: 13px; line-height: 18px; background: #232428; padding: 7px;
  border: 1px solid #33343a; border-radius: 4px; margin: 4px 0 }
.discord pre + br, .discord blockquote + br, .discord h1 + br { display: none }
.discord code { font-size: 14px; background: #2b2d31; border-radius: 3px; padding: 0 2px }
.discord pre code { font-size: 13px; background: none; padding: 0 }
.discord blockquote { border-left: 4px solid #4e5058; padding-left: 10px }
.discord a, .telegram a { color: #4ea5f5; text-decoration: none }
.d-spoiler, tg-spoiler { background: #555; border-radius: 3px }
.telegram { background: #0e1621; padding: 6px 40px 6px 8px }
.telegram > div { background: #182533; border-radius: 12px; padding: 7px 10px; white-space: pre-wrap;
  overflow-wrap: anywhere; color: #f5f5f5; width: fit-content; max-width: 100%; unicode-bidi: plaintext }
.telegram pre { font-size: 15px; line-height: 20px; white-space: pre-wrap; background: #1f3144; border-radius: 5px;
  border-left: 3px solid #5ea7de; padding: 3px 6px; unicode-bidi: plaintext; text-align: start }
.telegram pre[lang]::before { content: attr(lang); display: block; color: #5ea7de; font: bold 13px/18px sans-serif }
.telegram code { font-size: 15px; color: #7fb7e8 }
.telegram pre code { color: inherit }
.telegram blockquote { border-left: 3px solid #5ea7de; padding-left: 8px; background: #1f3144; border-radius: 5px }
"""
_PRE = re.compile(r'<pre><code class="language-([^"]*)">(.*?)</code></pre>', re.DOTALL)
_BLOCK = re.compile(r"\n?(<(pre|blockquote)\b.*?</\2>)\n?", re.DOTALL)


def _bubble(text: str) -> str:
    """Lay out Telegram's HTML: a block of code or a quote has lines of its own, and every line its own direction."""
    text = _PRE.sub(r'<pre lang="\1">\2</pre>', text)
    lines = _BLOCK.sub(r"\1", text)
    return f"<div>{lines}</div>"


def _pages(answers: Mapping[str, str], drawn: Mapping[str, str]) -> Iterator[tuple[list[str], int]]:
    page: list[str] = []
    lines = 0
    for name, text in answers.items():
        left = [drawn[part] for part in split(text, DISCORD_UNITS)]
        right = [_bubble(as_html(for_telegram(part))) for part in split(text, TELEGRAM_UNITS, MAX_ENTITIES - 10)]
        size = 2 + 2 * max(len(left), len(right)) + sum(1 + len(line) // 30 for line in text.split("\n"))
        if page and lines + size > MOST_LINES:
            yield page, lines
            page, lines = [], 0
        page.append(
            f"<h6>{html.escape(name)}</h6><section class=discord>{'<hr>'.join(left)}</section>"
            f"<section class=telegram>{'<hr>'.join(right)}</section>"
        )
        lines += size
    if page:
        yield page, lines


async def draw(directory: Path, families: Sequence[str]) -> None:
    """Write pictures of every answer of some families."""
    program = find_browser(os.environ.get("CHROMIUM", ""))
    assert program, "no Chromium is installed: name one by CHROMIUM"
    for family in families:
        sent = [part for text in FAMILIES[family].values() for part in split(text, DISCORD_UNITS)]
        read = await asked(markdown_program(), [for_discord(part) for part in sent])
        drawn = {part: one["html"] for part, one in zip(sent, read, strict=True)}
        for number, (page, lines) in enumerate(_pages(FAMILIES[family], drawn)):
            path = directory / f"{family}-{number}.html"
            head = f"<!doctype html><meta charset=utf-8><style>{_STYLE}</style>"
            path.write_text(f"{head}<body>{''.join(page)}", encoding="utf-8")
            height = min(lines * _LINE, 8000)
            flags = [
                "--headless",
                "--no-sandbox",
                "--hide-scrollbars",
                "--disable-gpu",
                f"--window-size={_WIDTH},{height}",
            ]
            process = await asyncio.create_subprocess_exec(
                *(program, *flags, f"--screenshot={path.with_suffix('.png')}", path.as_uri()),
                stdout=DEVNULL,
                stderr=DEVNULL,
            )
            assert await process.wait() == 0, path
            path.unlink()


if __name__ == "__main__":
    where = Path(sys.argv[1]).resolve()
    where.mkdir(parents=True, exist_ok=True)
    asyncio.run(draw(where, sys.argv[2:] or list(FAMILIES)))
