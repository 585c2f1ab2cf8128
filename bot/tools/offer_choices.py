"""Send a message with buttons that only say something: who presses one has said its words, and nothing else happens."""

from __future__ import annotations

from pydantic import Field

from bot.context.links_of_others import LinkRules
from bot.domain.channel import ProcessKind
from bot.domain.messages import MAX_CHOICE_BYTES, choice_button
from bot.domain.turn import NewOutbox
from bot.errors import DeliveryError, ToolError
from bot.ports.delivery import Delivery
from bot.text.links import defang
from bot.text.text import is_blank, one_line_name
from bot.tools.reply import as_text
from bot.tools.runtime.effects import RefusedMessage, SendingMessage, SentMessage
from bot.tools.runtime.tool import ToolArgs, ToolContext, tool

MAX_CHOICES = 5
_MAX_LABEL_CHARS = 40
_MAX_MESSAGES = 2
"""So many such messages in one turn: each of them waits for people."""


class ChoicesArgs(ToolArgs):
    text: str = Field(min_length=1, max_length=1500, description="The question, or what is offered.")
    choices: tuple[str, ...] = Field(min_length=1, max_length=MAX_CHOICES, description="A few words for each button.")


@tool(kinds={ProcessKind.CHANNEL}, no_background=True, timeout=90, on_demand=True)
async def offer_choices(args: ChoicesArgs, ctx: ToolContext, delivery: Delivery, links: LinkRules) -> str:
    """Send it, and return only when the platform has named it. A press comes back as a message of whoever pressed."""
    if ctx.origin.is_private:
        raise ToolError("Not sent: an admin alone is to hear of this work. Put what matters into your result.")
    labels = _labels(args.choices)
    text = args.text.strip()
    if is_blank(text):
        raise ToolError("Not sent: the text is empty.")
    if not delivery.capabilities(ctx.origin.platform).buttons:
        text = "\n".join((text, *(f"- {label}" for label in labels)))
    said = [one.text for one in ctx.effects.of(SendingMessage)]
    if text in said:
        raise ToolError("Not sent: you have said exactly this in this turn already.")
    if len(ctx.effects.of(SentMessage)) >= _MAX_MESSAGES:
        raise ToolError("Not sent: that are enough messages for one turn. Wait for an answer.")
    ctx.effects.add(SendingMessage(text))
    body = NewOutbox(
        kind="reply",
        to=delivery.home(ctx.origin.key.channel),
        text=text,
        inbound=ctx.origin.inbound,
        turn=ctx.turn.number,
        replies_to=ctx.origin.message_id,
        answers=ctx.origin.answer(len(said)),
        buttons=tuple(map(choice_button, labels)) if delivery.capabilities(ctx.origin.platform).buttons else (),
        as_text=as_text(text, ctx, links),
    )
    try:
        message_ids = await delivery.say(body)
    except DeliveryError as error:
        if error.uncertain or error.waits:
            ctx.effects.add(SentMessage(text, (), certain=False, waits=error.waits))
            raise ToolError("It is not known when or whether it arrives. Do not send it again.") from None
        ctx.effects.add(RefusedMessage(text))
        raise ToolError(
            f"Not sent: the platform refused it ({error.code or error}). People have not seen it."
        ) from None
    ctx.effects.add(SentMessage(text, message_ids))
    return (
        f"Sent as message {', '.join(message_ids)}. Whoever presses a button says its words by that, as a message of "
        "theirs that comes to you. Text that you write after this is not sent."
    )


def _labels(choices: tuple[str, ...]) -> list[str]:
    labels = [one_line_name(defang(choice), _MAX_LABEL_CHARS) for choice in choices]
    if not all(choice.strip() for choice in choices) or max(len(one.encode()) for one in labels) > MAX_CHOICE_BYTES:
        raise ToolError(f"Not sent: each button needs a few words, at most {_MAX_LABEL_CHARS} characters.")
    if len(set(labels)) != len(labels):
        raise ToolError("Not sent: two buttons would say the same.")
    return labels
