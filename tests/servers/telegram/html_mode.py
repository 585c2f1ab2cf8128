"""The HTML parse mode."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .refusals import Refused, bad
from .spans import Entity, ordered, units

TAGS = {
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
    "u": "underline",
    "ins": "underline",
    "s": "strikethrough",
    "strike": "strikethrough",
    "del": "strikethrough",
    "tg-spoiler": "spoiler",
    "code": "code",
    "pre": "pre",
    "blockquote": "blockquote",
    "a": "text_link",
    "span": "spoiler",
    "tg-emoji": "custom_emoji",
}
_TOKEN = re.compile(
    r"<(?P<tag>/?[^<>]*)>|&(?P<ref>#\d+|#x[0-9a-fA-F]+|lt|gt|amp|quot);?|(?P<open><)|(?P<text>[^<&]+|&)"
)
_ATTRIBUTE = re.compile(r"([a-zA-Z-]+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+)))?")
_NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"'}


@dataclass(slots=True)
class _Open:
    tag: str
    attributes: dict[str, str]
    at: int


class _Parser:
    def __init__(self) -> None:
        self.out: list[str] = []
        self.size = 0
        self.stack: list[_Open] = []
        self.entities: list[Entity] = []

    def write(self, text: str) -> None:
        self.out.append(text)
        self.size += units(text)

    def open(self, inside: str, at: int) -> None:
        name, _, rest = inside.partition(" ")
        tag = name.strip().lower()
        attributes = {key.lower(): a or b or c for key, a, b, c in _ATTRIBUTE.findall(rest)}
        if tag not in TAGS or (tag == "span" and attributes.get("class") != "tg-spoiler"):
            raise _cannot(f'Unsupported start tag "{tag}" at byte offset {at}')
        self.stack.append(_Open(tag, attributes, self.size))

    def close(self, inside: str, at: int) -> None:
        if not self.stack:
            raise _cannot(f"Unexpected end tag at byte offset {at}")
        opened, name = self.stack.pop(), inside.strip().lower()
        if name and name != opened.tag:
            raise _cannot(f'Unmatched end tag at byte offset {at}, expected "</{opened.tag}>", found "</{name}>"')
        if self.size > opened.at:
            self._add(opened)

    def _add(self, opened: _Open) -> None:
        entity: Entity = {"type": TAGS[opened.tag], "offset": opened.at, "length": self.size - opened.at}
        if opened.tag == "a":
            url = opened.attributes.get("href") or "".join(self.out)[-entity["length"] :]
            if not re.match(r"(https?|tg|ton|mailto|tel):", url) and "." not in url:
                return
            entity["url"] = url
        if opened.tag == "tg-emoji":
            entity["custom_emoji_id"] = opened.attributes.get("emoji-id", "")
        if opened.tag == "blockquote" and "expandable" in opened.attributes:
            entity["type"] = "expandable_blockquote"
        self._add_code(entity, opened)

    def _add_code(self, entity: Entity, opened: _Open) -> None:
        """Let `<pre><code class="language-x">` become one entity with a language."""
        language = opened.attributes.get("class", "")
        if opened.tag == "code" and language.startswith("language-"):
            entity["language"] = language.removeprefix("language-")
        last = self.entities[-1] if self.entities else {}
        if opened.tag == "pre" and last.get("type") == "code" and last["offset"] == opened.at:
            self.entities.pop()
            if "language" in last:
                entity["language"] = last["language"]
        self.entities.append(entity)


def parse(text: str) -> tuple[str, list[Entity]]:
    """Parse HTML."""
    parser = _Parser()
    for match in _TOKEN.finditer(text):
        at = len(text[: match.start()].encode("utf-8", "surrogatepass"))
        if (inside := match["tag"]) is not None:
            if inside.startswith("/"):
                parser.close(inside[1:], at)
            else:
                parser.open(inside, at)
        elif match["open"]:
            raise _cannot(f"Unclosed start tag at byte offset {at}")
        else:
            parser.write(_plain(match["ref"], match["text"]))
    if parser.stack:
        last = parser.stack[-1]
        raise _cannot(f'Can\'t find end tag corresponding to start tag "{last.tag}"')
    for entity in parser.entities:
        if entity["type"] == "code":
            entity.pop("language", None)
    return "".join(parser.out), ordered(parser.entities)


def _plain(reference: str | None, text: str | None) -> str:
    if reference is None:
        return text or ""
    if reference in _NAMED:
        return _NAMED[reference]
    number = int(reference[2:], 16) if reference[1] in "xX" else int(reference[1:])
    return chr(number) if 0 < number < 0x110000 else ""


def _cannot(words: str) -> Refused:
    return bad(f"can't parse entities: {words}")
