"""Messages whose looks are more than their words: cards, and polls.

Their words stand in the text of the message and nowhere else: whatever is looked through, found or wiped there is so
for them, too. A layout says which part of that text is what.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from bot.domain.base import FrozenModel

CardColour = Literal["grey", "red", "orange", "yellow", "green", "blue", "purple"]

PLAIN = "plain"
"""The note of a receipt: the platform did not take the looks of a message, and its words stand there as text."""


class CardField(FrozenModel):
    """A name and what is to be said under it, in Markdown."""

    name: str
    value: str


class Card(FrozenModel):
    """A titled card; its description and the values of its fields are Markdown, all else is plain."""

    kind: Literal["card"] = "card"
    title: str
    description: str = ""
    fields: tuple[CardField, ...] = ()
    footer: str = ""
    colour: CardColour = "grey"


class Poll(FrozenModel):
    """A question that people vote on, for so many hours; `several`: each may choose more than one option."""

    kind: Literal["poll"] = "poll"
    question: str
    options: tuple[str, ...]
    hours: int
    several: bool = False


RichMessage = Annotated[Card | Poll, Field(discriminator="kind")]


class RichPiece(StrEnum):
    """What a part of a text is in its card or poll."""

    TITLE = "title"
    DESCRIPTION = "description"
    NAME = "name"
    VALUE = "value"
    FOOTER = "footer"
    QUESTION = "question"
    OPTION = "option"


class TextSpan(NamedTuple):
    """Where in a text a piece stands."""

    piece: RichPiece
    start: int
    end: int


class RichLayout(FrozenModel):
    """Which parts of a text of this length are what. It is a poll if it has `hours`, else a card."""

    length: int
    spans: tuple[TextSpan, ...]
    colour: CardColour = "grey"
    hours: int = 0
    several: bool = False

    def read(self, text: str) -> Card | Poll | None:
        """Return what a text was laid out from; None where the text is another one by now, so that it is only text."""
        if len(text) != self.length:
            return None
        found: dict[RichPiece, list[str]] = {piece: [] for piece in RichPiece}
        for span in self.spans:
            found[span.piece].append(text[span.start : span.end])
        if self.hours:
            question, options = "".join(found[RichPiece.QUESTION]), tuple(found[RichPiece.OPTION])
            return Poll(question=question, options=options, hours=self.hours, several=self.several)
        pairs = zip(found[RichPiece.NAME], found[RichPiece.VALUE], strict=True)
        return Card(
            title="".join(found[RichPiece.TITLE]),
            description="".join(found[RichPiece.DESCRIPTION]),
            fields=tuple(CardField(name=name, value=value) for name, value in pairs),
            footer="".join(found[RichPiece.FOOTER]),
            colour=self.colour,
        )


class LaidOut(NamedTuple):
    """A card or a poll as text, which is what people read where a platform has no such thing, and its layout."""

    text: str
    layout: RichLayout


def lay_out(rich: Card | Poll) -> LaidOut:
    """Write a card or a poll as text."""
    return _poll_text(rich) if isinstance(rich, Poll) else _card_text(rich)


class _SpanWriter:
    """Writes a text, and notes where its pieces stand."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._spans: list[TextSpan] = []
        self._length = 0

    def write(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)

    def piece(self, before: str, piece: RichPiece, text: str, after: str = "") -> None:
        self.write(before)
        self._spans.append(TextSpan(piece, self._length, self._length + len(text)))
        self.write(text + after)

    @property
    def text(self) -> str:
        return "".join(self._parts)

    @property
    def layout(self) -> RichLayout:
        return RichLayout(length=self._length, spans=tuple(self._spans))


def _card_text(card: Card) -> LaidOut:
    out = _SpanWriter()
    out.piece("**", RichPiece.TITLE, card.title, "**")
    if card.description:
        out.piece("\n\n", RichPiece.DESCRIPTION, card.description)
    for one in card.fields:
        out.piece("\n\n**", RichPiece.NAME, one.name, "**")
        out.piece("\n", RichPiece.VALUE, one.value)
    if card.footer:
        out.piece("\n\n", RichPiece.FOOTER, card.footer)
    return LaidOut(out.text, out.layout.replace(colour=card.colour))


def _poll_text(poll: Poll) -> LaidOut:
    out = _SpanWriter()
    out.piece("📊 **", RichPiece.QUESTION, poll.question, "**\n")
    for number, option in enumerate(poll.options, start=1):
        out.piece(f"\n{number}. ", RichPiece.OPTION, option)
    return LaidOut(out.text, out.layout.replace(hours=poll.hours, several=poll.several))
