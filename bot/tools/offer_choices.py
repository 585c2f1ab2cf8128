"""Send a message with buttons that only say something: who presses one has said its words, and nothing else happens."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from bot.context.links_of_others import LinkRules
from bot.domain.channel import ProcessKind
from bot.domain.messages import MAX_CHOICE_BYTES, choice_button
from bot.errors import ToolError
from bot.ports.delivery import Delivery
from bot.text.links import defang
from bot.text.redaction import Redactor
from bot.text.text import is_blank, one_line_name
from bot.tools.reply import hosts_as_text, refuse_private, reply_body, say_now
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
    refuse_private(ctx)
    # the text is looked through as it goes out, buttons are not
    labels = _labels([redactor.redact(choice).text for choice in args.choices])
    text = args.text.strip()
    if is_blank(text):
        raise ToolError("Not sent: the text is empty.")
    can_press = delivery.capabilities(ctx.origin.platform).buttons
    if not can_press:
        text = "\n".join((text, *(f"- {label}" for label in labels)))
    body = reply_body(text, ctx, delivery, hosts_as_text(text, ctx, links))
    if can_press:
        body = body.replace(buttons=tuple(map(choice_button, labels)))
    told = await say_now(body, ctx, delivery)
    return f"{told} Whoever presses a button says its words by that, as a message of theirs that comes to you."


def _labels(choices: Sequence[str]) -> list[str]:
    labels = [one_line_name(defang(choice), _MAX_LABEL_CHARS) for choice in choices]
    if not all(choice.strip() for choice in choices) or max(len(one.encode()) for one in labels) > MAX_CHOICE_BYTES:
        raise ToolError(f"Not sent: each button needs a few words, at most {_MAX_LABEL_CHARS} characters.")
    if len(set(labels)) != len(labels):
        raise ToolError("Not sent: two buttons would say the same.")
    return labels
