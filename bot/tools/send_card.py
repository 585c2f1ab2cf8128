"""Send a card: a title over text and short facts, drawn as one where the platform can."""

from __future__ import annotations

from pydantic import Field

from bot.context.links_of_others import LinkRules
from bot.domain.channel import ProcessKind
from bot.domain.rich_messages import Card, CardColour, CardField, lay_out
from bot.errors import ToolError
from bot.ports.delivery import Delivery
from bot.text.figures import exact_number
from bot.text.links_as_text import as_text
from bot.text.redaction import Redactor
from bot.text.text import is_blank, one_line_name, utf16_length
from bot.tools.reply import hosts_as_text, refuse_private, reply_body, say_now
from bot.tools.runtime.tool import ToolArgs, ToolContext, tool

_MAX_TITLE, _MAX_DESCRIPTION, _MAX_VALUE, _MAX_FIELDS, _MAX_FOOTER = 256, 4096, 1024, 25, 300
# https://discord.com/developers/docs/resources/message#embed-object-embed-limits; a footer is one line


class CardFieldArg(ToolArgs):
    """One of the short facts."""

    name: str = Field(min_length=1, max_length=_MAX_TITLE)
    value: str = Field(min_length=1, max_length=_MAX_VALUE, description="Markdown.")


class CardArgs(ToolArgs):
    title: str = Field(min_length=1, max_length=_MAX_TITLE)
    description: str = Field("", max_length=_MAX_DESCRIPTION, description="Markdown.")
    fields: tuple[CardFieldArg, ...] = Field((), max_length=_MAX_FIELDS, description=f"At most {_MAX_FIELDS}.")
    footer: str = Field("", max_length=_MAX_FOOTER)
    colour: CardColour = Field("grey")


@tool(kinds={ProcessKind.CHANNEL}, no_background=True, timeout=90, on_demand=True)
async def send_card(args: CardArgs, ctx: ToolContext, delivery: Delivery, links: LinkRules, redactor: Redactor) -> str:
    """Send it, and return only when the platform has named it."""
    refuse_private(ctx)
    card, was_redacted = _card(args, redactor)
    needed = [card.title, *(text for one in card.fields for text in (one.name, one.value))]
    if any(is_blank(text) for text in needed) or (is_blank(card.description) and not card.fields):
        raise ToolError("Not sent: a card needs a title, and a description or fields; none of them may be empty.")
    # with the marks of a whole card a link could be one that is none in its part
    hosts = hosts_as_text(lay_out(card).text, ctx, links)
    text, layout = lay_out(_with_links_as_text(card, hosts))
    most = delivery.capabilities(ctx.origin.platform).max_units
    if (length := utf16_length(text)) > most:
        raise ToolError(
            f"Not sent: a card may have {exact_number(most)} characters here, and this one has {exact_number(length)}. "
            "Shorten it, or answer in words."
        )
    body = reply_body(text, ctx, delivery, hosts)
    return await say_now(body.replace(rich=layout, redacted=was_redacted), ctx, delivery)


def _card(args: CardArgs, redactor: Redactor) -> tuple[Card, bool]:
    """Return the card without secrets, and whether there were any; what is one line can be no link."""
    count = 0

    def redacted(text: str) -> str:
        nonlocal count
        found = redactor.redact(text.strip())
        count += found.count
        return found.text

    def line(text: str, most: int) -> str:
        return one_line_name(redacted(text), most, "")

    card = Card(
        title=line(args.title, _MAX_TITLE),
        description=redacted(args.description),
        fields=tuple(CardField(name=line(one.name, _MAX_TITLE), value=redacted(one.value)) for one in args.fields),
        footer=line(args.footer, _MAX_FOOTER),
        colour=args.colour,
    )
    return card, count > 0


def _with_links_as_text(card: Card, hosts: tuple[str, ...]) -> Card:
    if not hosts:
        return card
    fields = tuple(one.replace(value=as_text(one.value, hosts)[0]) for one in card.fields)
    return card.replace(description=as_text(card.description, hosts)[0], fields=fields)
