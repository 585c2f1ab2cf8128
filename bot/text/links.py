"""Find links as chats do, and make links and mentions in somebody else's or a model's text dead."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote

from bot.text.invisible import visible_joined

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
_LINK = re.compile(
    rf"(?:(?P<scheme>{_SCHEME.pattern.replace('?P<scheme>', '?:')})(?P<named>\[[0-9A-Fa-f:.]{{2,60}}\]|(?:{_RUN}|%)*)"
    rf"|(?P<bare>(?<!{_RUN}){_RUN}*[{_DOTS}]{_RUN}+))(?::\d{{1,5}})?(?P<path>[/\\?#／][^\s<>\"`]*)?"
)
_PLAIN_HOST = re.compile(r"(?<![0-9A-Za-z-])[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)+")
_SHARED_ENDING = re.compile(r"[a-z]{2,3}\.[a-z]{2}")
"""Where people register names under two labels: `co.uk`, `com.au`."""
_CHANNEL_OR_COMMAND = re.compile(r"<(?=#\d|/[^<>\n]{1,100}:\d|id:)")
_SOURCE_FILE = re.compile(r"(?:[\w-]+\.py|(?=\w*_)\w+\.(?:py|md|rs|sh|pl|cc|so))")
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
    shown = _OPAQUE.sub(r"\1[:][…]", _SCHEME.sub(_dead_scheme, visible_joined(text)))
    # before the hosts, since these wide signs may stand in one
    shown = _CHANNEL_OR_COMMAND.sub("＜", shown).replace("@", "＠")
    return _PATH.sub(_dead_path, _HOST.sub(_dead_host, shown)).replace("](", "] (")


class FoundLink(NamedTuple):
    """Where a link stands in a text, and which hosts it may lead to: two where letters of other scripts touch it."""

    start: int
    end: int
    hosts: tuple[str, ...]


def links_in(text: str) -> Iterator[FoundLink]:
    """Find what chats make links of, addresses and bare hosts alike; linear, and leaning to the safe side."""
    if not any(sign in text for sign in _DOTS) and "//" not in text and "\\\\" not in text and "／" not in text:
        return
    for found in _LINK.finditer(text):
        host = found["bare"] if found["bare"] is not None else found["named"]
        if found["bare"] is not None and not _is_live_host(host, found["path"] or ""):
            continue
        end = found.start() + len(found[0].rstrip(_AFTER_A_LINK))
        hosts = _hosts(host)
        if hosts and end > found.start():
            yield FoundLink(found.start(), end, hosts)


def plain_host(host: str) -> str:
    """Write a host as every spelling of it is compared: small letters, punycode, no `www.`, no dot at the end."""
    folded = unicodedata.normalize("NFKC", unquote(host)).casefold()
    labels = re.sub("[．。｡]", ".", folded).strip(".").split(".")
    plain = ".".join(map(_punycode, labels))
    return plain.removeprefix("www.") if plain.count(".") > 1 else plain


def is_within(host: str, known: str) -> bool:
    """Say whether a host is a known one or lies under it; both as `plain_host` writes them.

    A longer name with the known one in it elsewhere is somebody else's (`example.org.evil.net`, `badexample.org`).
    Under a single label, an ending that everybody shares or a number lies nothing.
    """
    if host == known:
        return True
    is_base = "." in known and not _SHARED_ENDING.fullmatch(known) and not _IPV4.fullmatch(known)
    return is_base and host.endswith("." + known)


def _hosts(host: str) -> tuple[str, ...]:
    whole = plain_host(host)
    # 请看example.com吧: where no space stands, which letters belong to the host is for the platform to say
    parts = () if host.isascii() else map(plain_host, _PLAIN_HOST.findall(unicodedata.normalize("NFKC", host)))
    return tuple(dict.fromkeys(filter(None, (whole, *parts))))


def _punycode(label: str) -> str:
    if label.isascii():
        return label
    try:
        return "xn--" + label.encode("punycode").decode()
    except UnicodeError:
        return label


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
    return _is_live_host(found[0], found.string[found.end() : found.end() + 1])


def _is_live_host(name: str, following: str) -> bool:
    if _SOURCE_FILE.fullmatch(name) and following[:1] not in {"/", "?", "#"}:
        return False
    host = _FOREIGN_DOT.sub(".", name)
    return bool(_IPV4.search(host)) or any(map(_is_host, re.split(r"[．。｡](?!\.)", host)))


def _is_host(name: str) -> bool:
    labels = name.rstrip(".-_~").split(".")
    if len(labels) < 2 or not labels[-2]:
        return False
    last = unicodedata.normalize("NFKC", re.split(r"[^\w-]", labels[-1])[0]).casefold()
    if not last.isascii() or len(last) == 2:
        return len(last) > 1 and last.isalpha() and last not in _NO_COUNTRIES
    return last in _TOP_LEVEL or last.startswith("xn--") or labels[0].casefold().endswith("www")


# Each unit ends where rounding would write it as one of the next.
