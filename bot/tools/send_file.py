"""Send a file to the channel."""

from __future__ import annotations

import base64
import binascii
import mimetypes
import re
from contextlib import suppress
from typing import Literal, NamedTuple, Protocol

from pydantic import Field

from bot.context.links_of_others import LinkRules
from bot.domain.channel import ProcessKind
from bot.domain.messages import OutgoingFile
from bot.domain.turn import NewOutbox
from bot.errors import DeliveryError, ToolError
from bot.ports.delivery import Delivery
from bot.ports.platform import PlatformCapabilities
from bot.text.figures import exact_number
from bot.text.redaction import Redactor
from bot.text.text import file_name
from bot.tools.reply import hosts_as_text, refuse_private
from bot.tools.runtime.effects import SentFile
from bot.tools.runtime.tool import ToolArgs, ToolContext, tool

MAX_FILES = 5
MAX_FILE_BYTES = 8_000_000
_MAX_CONTENT_CHARS = 4 * MAX_FILE_BYTES // 3
_NAME = re.compile(r"[\w\-.() ]{1,100}")


class SendFileArgs(ToolArgs):
    filename: str = Field(min_length=1, max_length=100, description="Its name with its ending, like notes.md.")
    content: str = Field(min_length=1, max_length=_MAX_CONTENT_CHARS, description="What is in it.")
    encoding: Literal["text", "base64"] = Field("text", description="How `content` is written.")
    caption: str = Field("", max_length=900, description="A sentence that stands beside it.")


class OutgoingFiles(Protocol):
    """Who keeps files until they have gone out, and for as long as messages are kept."""

    async def keep(self, name: str, data: bytes) -> str:
        """Write a new file and return its path; raise ToolError when that cannot be done."""


class _Content(NamedTuple):
    data: bytes
    mimetype: str


@tool(kinds={ProcessKind.CHANNEL}, timeout=120, no_background=True, on_demand=True)
async def send_file(
    args: SendFileArgs,
    ctx: ToolContext,
    delivery: Delivery,
    files: OutgoingFiles,
    redactor: Redactor,
    links: LinkRules,
) -> str:
    """Send a file, and return only when the platform has named the message."""
    name, content = _name(args.filename), _content(args, delivery.capabilities(ctx.origin.platform), redactor)
    file = SentFile(content.data, name, content.mimetype)
    caption = args.caption.strip()
    return await send(ctx, delivery, files, file, caption, hosts_as_text(caption, ctx, links))


async def send(
    ctx: ToolContext,
    delivery: Delivery,
    files: OutgoingFiles,
    file: SentFile,
    caption: str,
    hosts: tuple[str, ...] = (),
) -> str:
    """Send a file to the channel of a call and say what the message is called; raise ToolError. It is noted as sent.

    Links of the caption to `hosts` are shown as text.
    """
    refuse_private(ctx)
    can, sent = delivery.capabilities(ctx.origin.platform), ctx.effects.of(SentFile)
    if not can.files:
        raise ToolError("This platform takes no files. Put it into your answer, or say that it cannot be sent here.")
    if len(sent) >= MAX_FILES:
        raise ToolError(f"Not sent: {MAX_FILES} files in one turn are the most.")
    if any((earlier.filename, earlier.data) == (file.filename, file.data) for earlier in sent):
        raise ToolError(f"Not sent: {file.filename} with this content went out in this turn already.")
    body = NewOutbox(
        kind="reply",
        to=delivery.home(ctx.origin.key.channel),
        text=caption,
        inbound=ctx.origin.inbound,
        turn=ctx.turn.number,
        replies_to=ctx.origin.message_id,
        file=OutgoingFile(name=file.filename, path=await files.keep(file.filename, file.data), mimetype=file.mimetype),
        as_text=hosts,
    )
    try:
        message_ids = await delivery.say(body)
    except DeliveryError as error:
        if error.uncertain:
            raise ToolError("It is not known whether the file arrived. Do not send it again.") from None
        if error.waits:
            ctx.effects.add(file)
            return f"{file.filename} is kept: the platform cannot be reached now. It goes out by itself then."
        raise ToolError(f"Not sent: the platform refused it ({error.code or error}). People do not have it.") from None
    ctx.effects.add(file._replace(message_id=message_ids[-1] if message_ids else ""))
    return f"{file.filename} ({exact_number(len(file.data))} bytes) is sent as message {', '.join(message_ids)}."


def _name(text: str) -> str:
    name = file_name(text.strip(), 100)
    if not _NAME.fullmatch(name) or name.startswith(".") or not name.strip(". "):
        raise ToolError(
            f"Not sent: {name!r} is no file name. Use letters, digits, spaces and - _ . ( ), and no folders: notes.md"
        )
    return name


def _content(args: SendFileArgs, can: PlatformCapabilities, redactor: Redactor) -> _Content:
    """Return the bytes as they go out: what can be read as text goes through the redactor, like every message."""
    try:
        data = base64.b64decode(args.content, validate=True) if args.encoding == "base64" else args.content.encode()
    except (binascii.Error, ValueError):
        raise ToolError("Not sent: `content` is not base64. Write it anew, or send it as text.") from None
    most = min(MAX_FILE_BYTES, can.max_file or MAX_FILE_BYTES)
    if not data or len(data) > most:
        raise ToolError(
            f"Not sent: it has {exact_number(len(data))} bytes; 1 to {exact_number(most)} can be sent here."
        )
    with suppress(UnicodeDecodeError):
        data = redactor.redact(data.decode()).text.encode()
    kind = mimetypes.guess_type(args.filename)[0]
    return _Content(data, kind or ("text/plain" if args.encoding == "text" else "application/octet-stream"))
