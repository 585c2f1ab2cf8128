"""R29: hostile names of people, places, tools and work: dead in every text, on every platform, the host and the log.

A whole bot lives in places with such names, among people who are called so, with a model that makes up such tools and
reasons. What an owner then reads is drawn as each platform draws it; whatever could be followed, pinged, tapped or
obeyed in it is live.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import orjson
from telegram import MessageEntity

from adapters.console import screen
from adapters.telegram.markup import render
from bot.cli.host_queries import HostQueries
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import ChannelId
from bot.domain.messages import OutgoingMessage
from bot.runtime.logs import as_line
from bot.text.invisible import HIDDEN, visible_joined
from bot.text.redaction import Redactor
from bot.text.text import file_name, one_line_name, quote_line
from tests.bot.cortex.chat import OWNER, Chat, chat
from tests.fakes import values as v
from tests.fakes.provider import Step, calls, says
from tests.faults.family import Family, Size, Verdict, seed_of, seeds

NAMES, FEW = 50, 16
"""In one case."""
PIECES = (
    *("[Log in](https://evil.com/login)", "[x](<https://evil.com>)"),
    *("**[x](http://evil.com)**", "https://evil.com/?q=1"),
    *("evil.com", "www.evil.com", "t.me/evil", "tg://resolve?domain=evil", "discord.gg/evil", "mailto:a@evil.com"),
    *("<https://evil.com>", '<a href="https://evil.com">x</a>', "&lt;b&gt;"),
    *("<@4242>", "<@&4242>", "<#4242>", "</evilcmd:4242>"),
    *("@evilone", "@everyone", "@here", "x #eviltag", "/evilcmd now", "$EVIL", "+49 170 1234567"),
    *("Z```\n# Admin: forged\n", "`code`", "||spoiler||", "~~gone~~"),
    *("__under__", "_it_", "\\", "> quoted", "# Heading"),
    *("Z\nAdmin: forged", "Z\u2028Admin: forged", "Z\u2029Admin: forged"),
    *("Z\r\nAdmin: forged", "Z\x0bAdmin: forged", "Z\x85Admin: forged"),
    *("\x1b]0;PWNED\x07", "\x1b[2J\x1b[31m", "\x9b2J", "\x9d0;PWNED\x9c"),
    *("\x7f\x08\x08", "\u202egnp", "\u2066x\u2069", "\u200fx"),
    *("\u061cx", "a\u200bb", "a\u200db", "\ufeff"),
    *("\U000e0041\U000e0042", "\ufe0f\ufe0f\ufe0f", "\u0301" * 40, "\ud800", "\x00"),
    *("Ann", "kitchen", "日本語", "علی\u200cرضا", "👨\u200d👩\u200d👧", "C++ & co.", "snake_case_name", " ", "x" * 300),
)  # fmt: skip
WHOLE = (
    "",
    " ",
    "\u3164",
    "\u0301" * 9,
    "\ud800\udfff",
    "x" * 10_000,
    "[" * 5000 + "](https://evil.com)",
    "\u200b" * 10_000,
)
LIVE = re.compile(
    r"https?://evil|(?<![\w\].])www\.|t\.me/|tg://|discord\.gg/|evil\.com\b|(?<![\w.])mailto:"
    r"|@(?:evilone|everyone|here)|(?<!\w)#eviltag|(?<!\w)/evilcmd|(?<!\w)\$EVIL|<[@#]|</\w|\]\("
)
FORGED = re.compile(r"(?m)^#? ?Admin: forged")
CODE = re.compile(r"(?ms)^(`{3,})[^`\n]*\n.*?^\1$|(?<!`)(`+)(?!`)[^\n]*?(?<!`)\2(?!`)")
ASKED = (
    "why",
    "memory list",
    "memory by {author}",
    "work",
    "ledger",
    "last",
    "gap",
    "tools",
    "usage",
    "context",
    "find x",
)


def hostile(seed: int, many: int) -> list[str]:
    """Make the names of a case."""
    chance = random.Random(seed)
    names = ["".join(chance.choices(PIECES, k=chance.randint(1, 4))) for _ in range(many - 2)]
    return [*names, chance.choice(WHOLE), chance.choice(WHOLE)]


def unseen(text: str) -> Sequence[str]:
    """Find what a terminal or a reader's eye would obey, but for the joiners that belong to the writing."""
    return HIDDEN.findall(text) if visible_joined(text) != text else ()


def live(text: str) -> list[str]:
    """Draw a text as Telegram, Discord and a terminal do; say what in it lives."""
    found = [f"unseen {one!a}" for one in unseen(text)]
    marked = render(text)
    units = marked.text.encode("utf-16-le", "surrogatepass")
    for span in sorted(marked.entities, key=lambda span: -span.offset):
        if span.type == MessageEntity.TEXT_LINK:
            found.append(f"telegram link {span.url}")
        if span.type in (MessageEntity.PRE, MessageEntity.CODE):
            units = units[: 2 * span.offset] + units[2 * (span.offset + span.length) :]
    for where, drawn in (("telegram", units.decode("utf-16-le", "replace")), ("discord", CODE.sub("", text))):
        found += [f"{where} {one[0]!r}" for one in LIVE.finditer(drawn)]
        found += [f"{where} {one[0]!r}" for one in FORGED.finditer(drawn)]
    found += [f"terminal {one!a}" for one in unseen(screen.bot_lines("#here", "bot", text))]
    return found


def pure(name: str) -> list[str]:
    """Look at what the functions themselves make of a name."""
    said = [(label, shown) for label, shown in (("name", one_line_name(name)), ("short", one_line_name(name, 20)))]
    said += [("words", quote_line(name, 80)), ("twice", one_line_name(one_line_name(name)))]
    wrong = [f"{label}: {one}" for label, shown in said for one in live(f"by {shown} (id 5)")]
    wrong += [f"{label}: {shown!r} has lines" for label, shown in said if len(shown.splitlines()) > 1]
    if not one_line_name(name) or len(one_line_name(name)) > 64 or len(file_name(name)) > 64 or unseen(file_name(name)):
        wrong.append("empty or without a bound")
    event, redactor = {"event": "heard", "name": name.encode("utf-8", "replace").decode()}, Redactor.of({})
    log = as_line(redactor)(None, "info", dict(event))
    wrong += [f"log {one!a}" for one in unseen(log)]
    if not redactor.redact(event["name"]).count and orjson.loads(log) != event:
        wrong.append("the log changed the value")
    return wrong


def sent_is_live(sent: OutgoingMessage) -> list[str]:
    shown = [sent.text, *(f"{button.label}" for button in sent.buttons), sent.to.thread]
    return [f"{one} in {text[:300]!r}" for text in shown for one in live(text)]


async def _play(key: str, directory: Path) -> Verdict:
    names, told = hostile(seed_of(key), FEW if key.startswith("few") else NAMES), list[str]()
    for name in names:
        told += [f"{name[:80]!a}: {one}" for one in pure(name)]
    async with chat(directory, says("fine")) as bot:
        for number, name in enumerate(names):
            told += [f"{name[:80]!a}: {one}" for one in await _lived(bot, number, _stored(name))]
        host = HostQueries(bot.store, bot.config, bot.clock)
        for shown in (await host.status(), await host.ledger(None)):
            told += [f"host: {one!a}" for one in LIVE.findall(shown.text) + list(unseen(shown.text))]
    return Verdict(n=len(names), counts={"live": len(told)}, trouble="\n".join(told[:12]))


def _stored(name: str) -> str:
    """Return a name as an adapter hands it over: what no store can hold is replaced before."""
    return re.sub(r"[\x00\ud800-\udfff]", "\ufffd", name)[:300]


def _script(number: int, name: str) -> list[Step]:
    """The model calls a tool that nobody has, or stays silent and says why."""
    if number % 3 == 0:
        return [calls((name[:60] or "x", "{}")), says("done")]
    return [calls(("skip", {"reason": name[:200]})), says("done")] if number % 3 == 1 else [says("fine")]


async def _lived(bot: Chat, number: int, name: str) -> list[str]:
    """Let somebody who is called so speak in a place that is called so; return what lives in what the owner reads."""
    place = ChannelId(f"console:#place{number}")
    before = len(bot.platform.sent)
    bot.provider.script[:] = _script(number, name)
    who = v.author(str(5000 + number), name)
    said = v.inbound(
        "glass, hello", f"9{number}", channel=place, channel_name=name, author=who, sent_at=bot.clock.now()
    )
    await bot.manager.receive([said], None)
    await bot.settled()
    await bot.remembers(
        "they like tea", place, provenance=v.memory("x").provenance.model_copy(update={"author_name": name})
    )
    asked = ASKED[number % len(ASKED)].format(author=5000 + number)
    await bot.dm(f"!cortex {asked} {place}" if asked in ("why", "ledger", "last") else f"!cortex why {place}", OWNER)
    await bot.dm(f"!cortex {asked}", OWNER)
    heard = await bot.inbound(said)
    for record in (handle(HandleKind.INBOUND, heard.id), handle(HandleKind.MEMORY, number + 1)):
        await bot.dm(f"!cortex open {record}", OWNER)
    private = [sent for sent in bot.platform.sent[before:] if sent.to.private_to is not None]
    return [one for sent in private for one in sent_is_live(sent)]


def _cases(size: Size) -> Iterable[str]:
    return ["few0"] if size is Size.SLICE else seeds(0, 20, 100)(size)


FAMILY = Family("R29", "hostile names", _cases, _play)
