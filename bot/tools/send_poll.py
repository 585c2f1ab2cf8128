"""Send a poll: a question with options that people vote on, where the platform has such a thing."""

from __future__ import annotations

from pydantic import Field

from bot.domain.channel import ProcessKind
from bot.domain.rich_messages import Poll, lay_out
from bot.errors import ToolError
from bot.ports.delivery import Delivery
from bot.text.redaction import Redactor
from bot.text.text import one_line_name, utf16_length
from bot.tools.reply import refuse_private, reply_body, say_now
from bot.tools.runtime.tool import ToolArgs, ToolContext, tool

MAX_QUESTION, MAX_OPTION, MAX_OPTIONS, MAX_HOURS = 300, 55, 10, 720
"""What Discord and Telegram both take.

https://discord.com/developers/docs/resources/poll, https://core.telegram.org/bots/api#sendpoll
"""


class PollArgs(ToolArgs):
    question: str = Field(min_length=1, max_length=MAX_QUESTION)
    options: tuple[str, ...] = Field(
        min_length=2,
        max_length=MAX_OPTIONS,
        description=f"2 to {MAX_OPTIONS}, of at most {MAX_OPTION} characters each.",
    )
    hours: int = Field(24, ge=1, le=MAX_HOURS, description="How long people can vote.")
    several: bool = Field(False, description="Whether each may choose more than one.")


@tool(kinds={ProcessKind.CHANNEL}, no_background=True, timeout=90, on_demand=True)
async def send_poll(args: PollArgs, ctx: ToolContext, delivery: Delivery, redactor: Redactor) -> str:
    """Send it, and return only when the platform has named it."""
    refuse_private(ctx)
    if any(utf16_length(option) > MAX_OPTION for option in args.options):
        raise ToolError(f"Not sent: an option may have {MAX_OPTION} characters at most. Put the rest into words.")
    looked_at = [redactor.redact(text) for text in (args.question, *args.options)]
    question, *options = [
        one_line_name(one.text, MAX_OPTION if number else MAX_QUESTION, "") for number, one in enumerate(looked_at)
    ]
    if not all((question, *options)):
        raise ToolError("Not sent: the question and each option need a few words.")
    if len(set(options)) != len(options):
        raise ToolError("Not sent: two options would say the same.")
    text, layout = lay_out(Poll(question=question, options=tuple(options), hours=args.hours, several=args.several))
    was_redacted = any(one.count for one in looked_at)
    body = reply_body(text, ctx, delivery).replace(rich=layout, redacted=was_redacted)
    told = await say_now(body, ctx, delivery)
    if not delivery.capabilities(ctx.origin.platform).polls:
        return f"{told} This platform has no polls: people see the question and the options as text."
    return f"{told} People vote there, and you are not told how. Where a chat takes no polls, they see it as text."
