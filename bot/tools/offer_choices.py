"""Send a message with buttons that only say something: who presses one has said its words, and nothing else happens."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from bot.context.links_of_others import LinkRules
from bot.domain.channel import ProcessKind
from bot.domain.messages import MAX_CHOICE_BYTES, choice_button
from bot.domain.turn import NewOutbox
from bot.errors import ToolError
from bot.ports.delivery import Delivery
from bot.text.links import defang
from bot.text.redaction import Redactor
from bot.text.text import is_blank, one_line_name
from bot.tools.reply import MAX_REPLIES, as_text, said_in_turn, say_now
from bot.tools.runtime.tool import ToolArgs, ToolContext, tool

MAX_CHOICES = 5
_MAX_LABEL_CHARS = 40


class ChoicesArgs(ToolArgs):
    text: str = Field(min_length=1, max_length=1500, description="The question, or what is offered.")
    choices: tuple[str, ...] = Field(min_length=1, max_length=MAX_CHOICES, description="A few words for each button.")


@tool(kinds={ProcessKind.CHANNEL}, no_background=True, timeout=90, on_demand=True)
async def offer_choices(
    args: ChoicesArgs, ctx: ToolContext, delivery: Delivery, links: LinkRules, redactor: Redactor
) -> str:
    """Send it, and return only when the platform has named it. A press comes back as a message of whoever pressed."""
    if ctx.origin.is_private:
        raise ToolError("Not sent: an admin alone is to hear of this work. Put what matters into your result.")
    # the text is looked through as it goes out, buttons are not
    labels = _labels([redactor.redact(choice).text for choice in args.choices])
    text = args.text.strip()
    if is_blank(text):
        raise ToolError("Not sent: the text is empty.")
    can_press = delivery.capabilities(ctx.origin.platform).buttons
    if not can_press:
        text = "\n".join((text, *(f"- {label}" for label in labels)))
    said = said_in_turn(ctx)
    if text in said:
        raise ToolError("Not sent: you have said exactly this in this turn already.")
    if len(said) >= MAX_REPLIES:
        raise ToolError(f"Not sent: {MAX_REPLIES} messages in one turn are the most. Finish the turn.")
    body = NewOutbox(
        kind="reply",
        to=delivery.home(ctx.origin.key.channel),
        text=text,
        inbound=ctx.origin.inbound,
        turn=ctx.turn.number,
        replies_to=ctx.origin.message_id,
        answers=ctx.origin.answer(len(said)),
        buttons=tuple(map(choice_button, labels)) if can_press else (),
        as_text=as_text(text, ctx, links),
    )
    told = await say_now(body, ctx, delivery)
    return f"{told} Whoever presses a button says its words by that, as a message of theirs that comes to you."


def _labels(choices: Sequence[str]) -> list[str]:
    labels = [one_line_name(defang(choice), _MAX_LABEL_CHARS) for choice in choices]
    if not all(choice.strip() for choice in choices) or max(len(one.encode()) for one in labels) > MAX_CHOICE_BYTES:
        raise ToolError(f"Not sent: each button needs a few words, at most {_MAX_LABEL_CHARS} characters.")
    if len(set(labels)) != len(labels):
        raise ToolError("Not sent: two buttons would say the same.")
    return labels
