"""Handle odd or hostile text: one door each for cleaning, showing, splitting, fencing and defanging it."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from bisect import bisect_left
from typing import NamedTuple

_BROKEN = re.compile(r"[\x00\ud800-\udfff]")
# Everything that is drawn as nothing or steers its neighbours: Cc (but \t and \n), Cf, Co, Cs, Zl, Zp, tags, fillers.
# The test walks all code points, so a newer Unicode table shows up there. ZWJ is among them: a family emoji is shown
# in its parts, because a rule with exceptions is a place to hide. A variation selector passes once per character
# (emoji need it) and is shown when it follows another one (a row of them smuggles bytes).
_HIDDEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5"
    r"\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ud800-\uf8ff\ufeff\uffa0\ufff0-\ufffb"
    r"\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    r"\U000e0000-\U000e00ff\U000e01f0-\U000e0fff\U000f0000-\U0010ffff]"
    r"|(?<=[\ufe00-\ufe0f\U000e0100-\U000e01ef])[\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)


class Cleaned(NamedTuple):
    """Text that every store can hold, and the hash of what it was if that differs."""

    text: str
    original_sha256: str | None


def clean(text: str) -> Cleaned:
    """Replace what no store can hold (NUL, surrogates) by U+FFFD; all else stays byte-exact."""
    cleaned = _BROKEN.sub("\ufffd", text)
    if cleaned == text:
        return Cleaned(text, None)
    return Cleaned(cleaned, hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest())


def one_line_name(name: str, limit: int = 64) -> str:
    """Reduce a display name to one visible line, so that it can forge neither a line nor a speaker."""
    spaced = " ".join(name.split())
    line = " ".join(_HIDDEN.sub("", spaced).split())[:limit].strip()
    drawn = any(unicodedata.category(character)[0] in "LNPS" for character in line)
    return line if drawn else "someone"


def visible(text: str) -> str:
    """Write every invisible character as ⟨U+200B⟩; what is stored stays as it was."""
    return _HIDDEN.sub(lambda found: f"⟨U+{ord(found[0]):04X}⟩", text)


def count_invisible(text: str) -> int:
    """Count the characters that `visible` would write out."""
    return sum(1 for _ in _HIDDEN.finditer(text))


def excerpt(text: str, limit: int) -> str:
    """Quote text on one line of at most `limit` characters, invisible ones shown."""
    line = " ".join(visible(text.replace("\r\n", "\n")).split())
    return line if len(line) <= limit else line[: max(limit - 1, 0)].rstrip() + "…"


def utf16_length(text: str) -> int:
    """Count as both platforms may: 😀 is two."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


_SMALLEST_LIMIT = 16
_SPACE = re.compile(r"\s*")
_FENCE_LINE = re.compile(r"^[ \t]{0,12}(`{3,400})([^`\n]{0,400})$", re.MULTILINE)
_PREFERRED_CUTS = tuple(
    re.compile(pattern, re.DOTALL)
    for pattern in (r".*(?=\n\n)", r".*(?=\n)", r".*(?:(?<=[.!?…])(?=\s)|(?<=[。！？])(?=.))")
)
_WORD_CUT = re.compile(r".*(?=\s)", re.DOTALL)
_LONGEST_GRAPHEME = 32
_REGIONAL = "".join(map(chr, range(0x1F1E6, 0x1F200)))
_JOINING = re.compile(r"[\u200c\u200d\u1160-\u11ff\udc00-\udfff\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")


class Piece(NamedTuple):
    """One chunk: a slice of the text between the fence lines that had to be added around it."""

    opening: str
    start: int
    end: int
    closing: str


class _Fence(NamedTuple):
    start: int
    body: int
    end: int  # past the end of the text while the fence is never closed
    opening: str
    closing: str
    reserve: int  # what closing may cost: our line, or the author's own


class _Source(NamedTuple):
    text: str
    limit: int
    fences: tuple[_Fence, ...]

    def last_fence(self, index: int) -> _Fence | None:
        """Find the last fence that starts before here."""
        before = bisect_left(self.fences, index, key=lambda fence: fence.start)
        return self.fences[before - 1] if before else None

    def fence_around(self, index: int) -> _Fence | None:
        """Find the fence that a cut here would break."""
        fence = self.last_fence(index)
        return fence if fence and index < fence.end else None


def split(text: str, limit: int) -> tuple[str, ...]:
    """Cut text into chunks of at most `limit` UTF-16 units; see `plan_split` for what is promised."""
    return tuple(piece.opening + text[piece.start : piece.end] + piece.closing for piece in plan_split(text, limit))


def plan_split(text: str, limit: int) -> tuple[Piece, ...]:
    r"""Choose the cuts, preferring paragraph, line, sentence and word, and keeping ``` fences whole where they fit.

    Promised: the pieces are slices of `text` in order, and what lies before, between and behind them is whitespace;
    inside a fence it is at most the one newline that the added closing line replaces. A piece that ends inside a fence
    is closed and the next one reopened with the same info string (a bare one if the string takes half the limit).
    """
    if limit < _SMALLEST_LIMIT:
        raise ValueError(f"a chunk needs at least {_SMALLEST_LIMIT} units, not {limit}")
    text = text.rstrip()
    source = _Source(text, limit, _find_fences(text, limit))
    pieces: list[Piece] = []
    at = _skip_space(text, 0)
    while at < len(text):
        piece, at = _next_piece(source, at)
        pieces.append(piece)
    return tuple(pieces)


def _find_fences(text: str, limit: int) -> tuple[_Fence, ...]:
    fences: list[_Fence | None] = []
    first: re.Match[str] | None = None
    for line in _FENCE_LINE.finditer(text) if "```" in text else ():
        if first is None:
            first = line
        elif len(line[1]) >= len(first[1]) and not line[2].strip():
            fences.append(_fence(text, limit, first, line))
            first = None
    if first is not None:
        fences.append(_fence(text, limit, first, None))
    return tuple(fence for fence in fences if fence)


def _fence(text: str, limit: int, first: re.Match[str], last: re.Match[str] | None) -> _Fence | None:
    """Describe a fence, or None if its own lines leave no room for content: then it is ordinary text."""
    start, body = first.start(1), min(first.end() + 1, len(text))
    opening, closing = f"{first[1]}{first[2].strip()}\n", f"\n{first[1]}"
    if utf16_length(opening + closing) > limit // 2:
        opening = f"{first[1]}\n"
    end = last.end(1) if last else len(text) + 1
    reserve = max(len(closing), last.end(1) - last.start() + 1 if last else 0)
    room = limit - reserve - max(utf16_length(opening), utf16_length(text[start:body]))
    if room < 2 or len(opening + closing) > limit // 2:
        return None
    return _Fence(start, body, end, opening, closing, reserve)


def _next_piece(source: _Source, at: int) -> tuple[Piece, int]:
    text, inside = source.text, source.fence_around(at)
    opening = inside.opening if inside else ""
    end = _reach(text, at, source.limit - utf16_length(opening))
    if end == len(text) and (inside is None or inside.end <= end):
        return Piece(opening, at, end, ""), end
    broken = source.fence_around(end)
    if broken and broken.start <= at:
        return _cut_inside(source, broken, at, opening)
    cut = broken.start if broken else _cut_outside(source, at, end)
    return Piece(opening, at, at + len(text[at:cut].rstrip()), ""), _skip_space(text, cut)


def _cut_inside(source: _Source, fence: _Fence, at: int, opening: str) -> tuple[Piece, int]:
    """Cut before the last newline that leaves some content, else anywhere; indentation is content here."""
    text, floor = source.text, max(at, fence.body)
    end = _reach(text, at, source.limit - utf16_length(opening) - fence.reserve)
    newline = -1 if end == len(text) else text.rfind("\n", floor + 1, end + 1)
    if newline >= 0:
        return Piece(opening, at, newline, fence.closing), newline + 1
    cut = _whole_grapheme(text, floor, end)
    return Piece(opening, at, cut, fence.closing), cut


def _cut_outside(source: _Source, at: int, end: int) -> int:
    text, last = source.text, source.last_fence(end)
    floor = max(at, last.end) if last else at
    middle = max(floor, at + (end - at) // 2)
    tries = [(pattern, middle) for pattern in _PREFERRED_CUTS] + [(_WORD_CUT, floor)]
    for pattern, lowest in tries:
        found = pattern.match(text, lowest, end + 1)
        if found and found.end() > lowest:
            return found.end()
    return floor if floor > at else _whole_grapheme(text, at, end)


def _skip_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _reach(text: str, start: int, room: int) -> int:
    """Find the furthest end that fits; a step back never drops more than the excess."""
    end = min(len(text), start + room)
    while (excess := utf16_length(text[start:end]) - room) > 0:
        end -= (excess + 1) // 2
    return end


def _whole_grapheme(text: str, start: int, end: int) -> int:
    """Step back to where one drawn character ends, unless it is longer than any real one."""
    for cut in range(end, max(start, end - _LONGEST_GRAPHEME), -1):
        if cut == len(text) or not _joined(text, start, cut):
            return cut
    return end


def _joined(text: str, start: int, cut: int) -> bool:
    following = text[cut]
    if text[cut - 1] == "\u200d" or _JOINING.match(following) or unicodedata.category(following)[0] == "M":
        return True
    flags = text[start:cut] if following in _REGIONAL else ""
    return (len(flags) - len(flags.rstrip(_REGIONAL))) % 2 == 1


_OPENING_FENCE = re.compile(r"(`{3,})[^`\n]*\n")


def fence(text: str, info: str = "") -> str:
    """Wrap text in a code fence longer than any run of backticks inside it."""
    ticks = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    label = re.sub(r"[^\w+#.-]", "", info)
    return f"{ticks}{label}\n{text}\n{ticks}"


def unfence(block: str) -> str | None:
    """Read back what one whole fence holds; None if it ends early, late or never."""
    opening = _OPENING_FENCE.match(block)
    if opening is None:
        return None
    closing = re.compile(rf"^ {{0,3}}`{{{len(opening[1])},}}[ \t]*$", re.MULTILINE).search(block, opening.end())
    if closing is None or closing.end() != len(block):
        return None
    return block[opening.end() : max(closing.start() - 1, opening.end())]


# What Telegram may read as part of a host name: nearly anything beyond ASCII.
_RUN = r"[^\s\x00-,/:-@\[-^`{-}\x7f-\xbf\u2000-\u200f\u2016-\u206f]"
_DOTS = ".．。｡"
_SCHEME = re.compile(
    r"(?P<scheme>(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{0,30})?[:：][/\\／]{2,16}(?:[^\s/\\?#<>\"`@]{0,200}@)?"
)
_OPAQUE = re.compile(
    r"(?<![\w+.-])((?:tel|sms|callto)(?=:[+\d])|(?:mailto|javascript|vbscript|view-source|data|blob|magnet|skype|tg|ton)"
    r"(?=:[A-Za-z,;?/+])):[^\s<>\"`]*",
    re.IGNORECASE,
)
# \x01 stands before a host that had a scheme, \x00 behind a host that is live: `visible` has left none of either.
_HOST = re.compile(rf"\x01(?:\[[0-9A-Fa-f:.]{{2,60}}\]|(?:{_RUN}|%)*)|(?<!{_RUN}){_RUN}*[{_DOTS}]{_RUN}+")
_PATH = re.compile(rf"\x00([{_DOTS}]{{0,8}}(?::\d{{1,5}})?)([/\\?#／][^\s<>\"`]*)?")
_AFTER_A_LINK = ").,:;!?]}'*_~|…"
_CHANNEL_OR_COMMAND = re.compile(r"<(?=#\d|/[^<>\n]{1,100}:\d|id:)")
_SOURCE_FILE = re.compile(r"(?:[\w-]+\.py|\w*_\w*\.(?:py|md|rs|sh|pl|cc|so))")
_IPV4 = re.compile(r"(?<!\d)\d{1,3}(?:\.\d{1,3}){3}(?!\d)")
_FOREIGN_DOT = re.compile(r"(?<=[0-9A-Za-z-])[．。｡](?=[0-9A-Za-z])")
# The open top-level domains of three letters and more; brands run theirs for themselves. Two letters are a country.
_OPEN_DOMAINS = """
    abogado academy accountant accountants actor ads adult aero africa agency airforce alsace amsterdam analytics
    apartments app arab archi army arpa art asia associates attorney auction audio author auto autos baby band bank
    bar barcelona bargains baseball basketball bayern beauty beer berlin best bet bible bid bike bingo bio biz black
    blackfriday blog blue boats bond boo book boston bot boutique box broadway broker brussels build builders business
    buy buzz bzh cab cafe cam camera camp capetown capital car caravan cards care career careers cars casa case cash
    casino cat catering catholic center ceo cern cfd channel charity chat cheap christmas church city claims cleaning
    click clinic clothing cloud club coach codes coffee college cologne com community company compare computer condos
    construction consulting contact contractors cooking cool coop corsica country coupon coupons courses cpa credit
    creditcard creditunion cricket cruise cruises cymru cyou dad dance data date dating day deal dealer deals degree
    delivery democrat dental dentist desi design dev diamonds diet digital direct directory discount diy docs doctor
    dog domains dot download drive dubai durban earth eat eco edu education email energy engineer engineering
    enterprises equipment esq estate eus events exchange expert exposed express fail faith family fan fans farm
    fashion fast feedback film final finance financial fire fish fishing fit fitness flights florist flowers fly foo
    food football forex forsale forum foundation free frl fun fund furniture futbol fyi gal gallery game games garden
    gay gbiz gdn gent gift gifts gives giving glass gle global gmail gmbh gold golf goo goog google gop gov graphics
    gratis green gripe grocery group guide guitars guru hair hamburg haus health healthcare help helsinki here hiphop
    hiv hockey holdings holiday homes horse hospital host hosting hot hotels house how ice icu immo immobilien inc
    industries info ing ink institute insurance insure int international investments irish ist istanbul java jetzt
    jewelry jobs joburg joy juegos kaufen kids kim kinder kitchen kiwi koeln kosher krd kred kyoto land lat latino law
    lawyer lease legal lgbt life lifeinsurance lifestyle lighting like limited limo link live living llc llp loan
    loans locker lol london lotto love ltd ltda luxe luxury madrid maison makeup man management mango map market
    marketing markets mba med media meet melbourne meme memorial men menu miami mil mini mint mobi moda moe mom monash
    money monster mormon mortgage moscow motorcycles mov movie museum music nagoya name navy net network new news next
    ngo ninja now nowruz nrw nyc observer office okinawa one ong onion onl online ooo open org organic origins osaka
    ovh page paris pars partners parts party pay pet pharmacy phd phone photo photography photos physio pics pictures
    pid pin ping pink pizza place play plumbing plus poker porn post press prime pro prod productions prof promo
    properties property protection pub qpon quebec quest racing radio read realestate realtor realty recipes red rehab
    reise reisen reit ren rent rentals repair report republican rest restaurant review reviews rich rio rip rocks
    rodeo room rsvp rugby ruhr run ryukyu saarland safe safety sale salon sarl sas save sbs scholarships school schule
    science scot search secure security seek select services sew sex sexy shia shiksha shoes shop shopping shouji show
    silk singles site ski skin sky soccer social software solar solutions song soy spa space sport spot srl stockholm
    storage store stream studio study style sucks supplies supply support surf surgery sydney systems tab taipei talk
    tatar tattoo tax taxi team tech technology tel tennis theater theatre tickets tienda tips tires tirol today tokyo
    tools top tours town toys trade trading training travel trust tube tui tunes university uno vacations vana vegas
    ventures versicherung vet viajes video villas vin vip vision viva vlaanderen vodka vote voting voto voyage wales
    wang wanggou watch watches weather webcam website wedding whoswho wien wiki win wine winners work works world wow
    wtf xin xxx xyz yachts yoga yokohama you youtube yun zero zip zone zuerich
"""
_TOP_LEVEL = frozenset(_OPEN_DOMAINS.split())
_NO_COUNTRIES = frozenset({"js", "ts", "go", "rb", "db", "cs", "kt", "hs", "jl", "gz", "xz", "vb", "ui"})


def defang(text: str) -> str:
    """Make every link and ping in a model's text dead, and visibly so.

    `https://a.com/x?y` becomes `hxxps[:]//a[.]com[…]`, path and query dropped with whatever they would have carried
    out; a bare host likewise, as Telegram links those. Every `@` becomes `＠`, the `<` of a channel or command `＜`.
    Numbers, times, versions of up to three parts, `config.toml` and a lone `main.py` stay.
    """
    shown = _OPAQUE.sub(r"\1[:][…]", _SCHEME.sub(_dead_scheme, visible(text)))
    # before the hosts, since these wide signs may stand in one
    shown = _CHANNEL_OR_COMMAND.sub("＜", shown).replace("@", "＠")
    return _PATH.sub(_dead_path, _HOST.sub(_dead_host, shown)).replace("](", "] (")


def _dead_scheme(found: re.Match[str]) -> str:
    return f"{(found['scheme'] or '').lower().replace('http', 'hxxp')}[:]//\x01"


def _dead_host(found: re.Match[str]) -> str:
    host = found[0].lstrip("\x01")
    if host == found[0] and not _is_live(found):
        return host
    kept = host.rstrip(_DOTS)
    return re.sub(f"[{_DOTS}]", r"[\g<0>]", kept) + "\x00" + host[len(kept) :]


def _dead_path(found: re.Match[str]) -> str:
    path = found[2] or ""
    carried = path.rstrip(_AFTER_A_LINK)
    return found[1] + ("[…]" if carried.strip("/") else "") + path[len(carried) :]


def _is_live(found: re.Match[str]) -> bool:
    """Tell a host name from a number, a version or a file, leaning to the safe side."""
    following = found.string[found.end() : found.end() + 1]
    if _SOURCE_FILE.fullmatch(found[0]) and following not in {"/", "?", "#"}:
        return False
    host = _FOREIGN_DOT.sub(".", found[0])
    return bool(_IPV4.search(host)) or any(map(_is_host, re.split(r"[．。｡](?!\.)", host)))


def _is_host(name: str) -> bool:
    labels = name.rstrip(".-_~").split(".")
    if len(labels) < 2 or not labels[-2]:
        return False
    last = unicodedata.normalize("NFKC", re.split(r"[^\w-]", labels[-1])[0]).casefold()
    if not last.isascii() or len(last) == 2:
        return len(last) > 1 and last.isalpha() and last not in _NO_COUNTRIES
    return last in _TOP_LEVEL or last.startswith("xn--") or labels[0].casefold() == "www"


# Each unit ends where rounding would write it as one of the next.
_QUANTITIES = ((999_950, 1000, "K"), (999_950_000, 10**6, "M"), (0, 10**9, "B"))
_SPANS = ((0.9995, 0.001, "ms"), (59.5, 1, "s"), (3570, 60, "min"), (170_000, 3600, "h"), (0, 86_400, "d"))


def quantity(number: int) -> str:
    """Say roughly how many: 999, 1.2K, 1.2M."""
    size = abs(number)
    if size < 1000:
        return str(number)
    scale, unit = next((scale, unit) for below, scale, unit in _QUANTITIES if size < below or unit == "B")
    tenths = (size * 10 + scale // 2) // scale
    return f"{'-' * (number < 0)}{tenths // 10:,}.{tenths % 10}".removesuffix(".0") + unit


def exact_number(number: int) -> str:
    """Say exactly how many: 1,204."""
    return f"{number:,}"


def duration(seconds: float) -> str:
    """Say how long in one unit: 340 ms, 2.1 s, 4 min, 2 h, 3 d."""
    size = abs(seconds)
    scale, unit = next((scale, unit) for below, scale, unit in _SPANS if size < below or unit == "d")
    amount = size / scale
    return f"{'-' * (seconds < 0)}{amount:.{int(amount < 9.95)}f}".removesuffix(".0") + f" {unit}"


def money(usd: float) -> str:
    """Say what it cost: $0.04, and below a cent two digits that count."""
    size, sign = abs(usd), "-" * (usd < 0)
    if size >= 0.01 or size == 0:
        return f"{sign}${size:,.2f}"
    return f"{sign}${size:.2g}" if size >= 0.0001 else f"{sign}<$0.0001"
