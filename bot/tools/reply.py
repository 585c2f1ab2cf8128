"""Say something at once, in the middle of a turn."""

from __future__ import annotations

from pydantic import Field

from bot.context.links_of_others import LinkRules, Told
from bot.domain.channel import ProcessKind
from bot.domain.turn import NewOutbox
from bot.errors import DeliveryError, ToolError
from bot.ports.delivery import Delivery
from bot.text.text import is_blank
from bot.tools.runtime.effects import RefusedMessage, SendingMessage, SentMessage, SentRich
from bot.tools.runtime.tool import ToolArgs, ToolContext, tool

MAX_REPLIES = 5


class ReplyArgs(ToolArgs):
    text: str = Field(min_length=1, max_length=20_000)


@tool(kinds={ProcessKind.CHANNEL}, no_background=True, timeout=90, allow_repeat=True)
async def reply(args: ReplyArgs, ctx: ToolContext, delivery: Delivery, links: LinkRules) -> str:
    """Send a message and return only when the platform has named it."""
    return await say_now(reply_body(args.text, ctx, delivery, hosts_as_text(args.text, ctx, links)), ctx, delivery)


def reply_body(text: str, ctx: ToolContext, delivery: Delivery, hosts: tuple[str, ...] = ()) -> NewOutbox:
    """Write what a turn says before its end; raise ToolError where it may not say this, or no more."""
    said = said_in_turn(ctx)
    if text in said:
        raise ToolError("Not sent: you have said exactly this in this turn already.")
    if len(said) >= MAX_REPLIES:
        raise ToolError(f"Not sent: {MAX_REPLIES} messages in one turn are the most. Finish the turn.")
    if is_blank(text):
        raise ToolError("Not sent: the text is empty.")
    return NewOutbox(
        kind="reply",
        to=delivery.home(ctx.origin.key.channel),
        text=text,
        inbound=ctx.origin.inbound,
        turn=ctx.turn.number,
        replies_to=ctx.origin.message_id,
        answers=ctx.origin.answer(len(said)),
        as_text=hosts,
    )


async def say_now(body: NewOutbox, ctx: ToolContext, delivery: Delivery) -> str:
    """Send what a turn says before its end, and note it; return what the model is told, or raise ToolError."""
    ctx.effects.add(SendingMessage(body.text))
    try:
        message_ids = await delivery.say(body)
    except DeliveryError as error:
        if error.uncertain:
            ctx.effects.add(SentMessage(body.text, (), certain=False))
            raise ToolError("It is not known whether the message arrived. Do not send it again.") from None
        if error.waits:
            ctx.effects.add(SentMessage(body.text, (), waits=True))
            _note_rich(body, "", ctx)
            return "Kept: the platform cannot be reached now. It goes out by itself then; do not send it again."
        ctx.effects.add(RefusedMessage(body.text))
        raise ToolError(
            f"Not sent: the platform refused it ({error.code or error}). People have not seen it."
        ) from None
    ctx.effects.add(SentMessage(body.text, message_ids))
    _note_rich(body, message_ids[-1] if message_ids else "", ctx)
    return f"Sent as message {', '.join(message_ids)}. Text that you write after this is not sent."


def _note_rich(body: NewOutbox, message_id: str, ctx: ToolContext) -> None:
    """Let the model find the words of a card or a poll in its history as people read them."""
    if body.rich is not None:
        ctx.effects.add(SentRich(body.text, message_id))


def refuse_private(ctx: ToolContext) -> None:
    """Raise ToolError in work of which an admin alone is to hear."""
    if ctx.origin.is_private:
        raise ToolError("Not sent: an admin alone is to hear of this work. Put what matters into your result.")


def hosts_as_text(text: str, ctx: ToolContext, links: LinkRules) -> tuple[str, ...]:
    """Name the hosts to which the links of what a tool sends are shown as text."""
    told = Told()
    told.snapshot = ctx.turn.snapshot
    return links.as_text(text, ctx.origin.key.channel, told, ctx.caller.person.user_id, ctx.origin.rows)


def said_in_turn(ctx: ToolContext) -> list[str]:
    """Return what was said in this turn, or is on its way."""
    texts = [saying.text for saying in ctx.effects.of(SendingMessage)]
    for refused in ctx.effects.of(RefusedMessage):
        texts.remove(refused.text)
    return texts
