"""The export document: a snapshot, written down. Pure, and true to the numbers of the live view."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import orjson

from bot.context.transcript import utc
from bot.domain.compaction import CompactionSummary
from bot.domain.ids import platform_of
from bot.domain.messages import Message
from bot.inspect.capture.reader_view import InspectedContext, ShownMessage, ShownSection, ShownTool
from bot.inspect.usage.composition import Composition, composition

SCHEMA_VERSION = 1


@dataclass(frozen=True)
class ContextShare:
    """The other parts of a context, and what it may hold at most."""

    system_prompt: int
    tools: int
    overhead: int
    max_context: int


def token_summary(made_of: Composition, share: ContextShare) -> dict[str, Any]:
    """Add up; what the sums promise is true by construction."""
    current = share.system_prompt + share.tools + made_of.conversation + share.overhead
    return {
        "current_context": current,
        "max_context": share.max_context,
        "usage_percent": round(100 * current / share.max_context, 1) if share.max_context else 0.0,
        "system_prompt": share.system_prompt,
        "conversation": made_of.conversation,
        "raw_messages": made_of.raw.tokens,
        "summary_blocks": made_of.summaries.tokens,
        "goal_batch_blocks": made_of.goal_batches.tokens,
        "tools": share.tools,
        "overhead": share.overhead,
    }


def summary_of(context: InspectedContext) -> dict[str, Any]:
    """Return the token summary of a capture, with who counted."""
    stats = context.stats
    share = ContextShare(stats.system_prompt, stats.tools, stats.overhead, stats.window)
    return {
        **token_summary(composition(context.messages), share),
        "tokenizer": stats.tokenizer.name,
        "method": stats.tokenizer.method.value,
        "ratio": stats.tokenizer.ratio,
    }


def export(context: InspectedContext, exported_at: str, instance: str, exported_by: str = "") -> bytes:
    """Write the document: UTF-8 as it is, two spaces, stable key order. `exported_at` is RFC 3339 with an offset.

    `exported_by` names who it was made for, so that a copy that got around tells; empty: the host.
    """
    document = {
        "schema_version": SCHEMA_VERSION,
        "exported_at": exported_at,
        "exported_by": exported_by,
        "kind": context.which.value,
        "model": context.model,
        "workspace": {
            "instance": instance,
            "platform": platform_of(context.key.channel),
            "agent": context.key.agent,
            "channel_id": context.key.channel,
            "channel_name": context.name,
        },
        "token_summary": summary_of(context),
        "request_id": context.handle or None,
        "digest": context.digest,
        "wire_sha256": context.written.wire_sha256,
        "encoder": context.written.encoder,
        "note": context.note,
        "redactions": context.redactions,
        "withheld": context.withheld,
        "exact": context.exact,
        "usage": context.usage.model_dump(mode="json") if context.usage else None,
        "dropped_turns": context.dropped_turns,
        "overflow": context.overflow,
        "status": context.status,
        "messages": [_system(context), *map(_message, context.messages)],
        "sections": [_section(shown) for shown in context.sections],
        "tools": [_tool(shown) for shown in sorted(context.tools, key=lambda t: t.definition.name)],
        "tools_on_demand": {"open": context.opened, "waiting": context.waiting},
        "request": orjson.Fragment(context.written.body),
    }
    return _dumps(document)


class _Entry(NamedTuple):
    """What stands in the document for one message."""

    number: int
    role: str
    content: str
    tokens: int
    message: Message | None = None

    def written(self) -> dict[str, Any]:
        """Return it with every key, always in the same order."""
        message, content = self.message, self.content
        author = message.author if message else None
        summary = message.summary if message else None
        return {
            "index": self.number,
            "role": self.role,
            "content": content,
            "tokens": self.tokens,
            "is_summarized": summary is not None,
            "summary_type": summary.type.value if summary else "",
            "summary_count": summary.count if summary else 0,
            "summary_method": summary.method if summary else "",
            "source_ids": summary.source_ids if summary else (),
            "summary": _summary(summary) if summary else None,
            "message_id": message.message_id if message else "",
            "author": {"id": author.user_id, "name": author.name} if author else None,
            "created_at": utc(message.at) if message and message.at else None,
            "sha256": _sha256(content),
            "tool_calls": _calls(message) if message and message.calls else [],
            "tool_results": _results(message) if message and message.results else [],
        }


def _system(context: InspectedContext) -> dict[str, Any]:
    return _Entry(0, "system", context.system_text, context.stats.system_prompt).written()


def _message(shown: ShownMessage) -> dict[str, Any]:
    return _Entry(shown.index, shown.message.role.value, shown.content, shown.tokens, shown.message).written()


def _summary(summary: CompactionSummary) -> dict[str, Any]:
    return {
        "compaction": summary.compaction,
        "model": summary.model,
        "created_at": utc(summary.created_at),
        "turns": summary.turns,
        "sources": summary.sources,
        "tokens_before": summary.tokens_before,
        "tokens_after": summary.tokens_after,
    }


def _calls(message: Message) -> list[dict[str, Any]]:
    return [{"id": call.call_id, "name": call.name, "arguments": call.arguments} for call in message.calls]


def _results(message: Message) -> list[dict[str, Any]]:
    return [{"id": result.call_id, "ok": result.ok, "text": result.text} for result in message.results]


def _section(shown: ShownSection) -> dict[str, Any]:
    trace = shown.trace
    return {
        "name": trace.name,
        "stability": trace.stability.value,
        "fate": trace.fate.value,
        "reason": trace.reason,
        "tokens": trace.tokens,
        "digest": trace.digest,
        "sources": trace.sources,
        "text": shown.text,
    }


def _tool(shown: ShownTool) -> dict[str, Any]:
    tool = shown.definition
    return {
        "name": tool.name,
        "description": tool.description,
        "parameters": _json(tool.parameters),
        "tokens": shown.tokens,
        "digest": tool.digest,
    }


@lru_cache(maxsize=512)
def _json(text: str) -> Any:
    try:
        return orjson.loads(text)
    except ValueError:
        return text


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _dumps(document: dict[str, Any]) -> bytes:
    try:
        return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    except TypeError:
        # a lone surrogate cannot be written as UTF-8; ingress cleans them, so this is only for what is older than that
        return orjson.dumps(_plain(document), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value
