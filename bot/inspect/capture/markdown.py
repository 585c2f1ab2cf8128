"""A captured context as a markdown report that a person reads."""

from __future__ import annotations

import re

from bot.context.transcript import utc
from bot.context.usage_figures import counted_by
from bot.domain.channel import ProcessKind
from bot.domain.snapshot import SectionFate
from bot.inspect.capture.reader_view import InspectedContext, ShownMessage, ShownSection
from bot.text.text import fence, one_line_name, visible

HIGH, MEDIUM = 80, 60
_MAX_TEXT_CHARS = 4000
_MARKUP = re.compile(r"[\\`*<>\[\]!|@]")


def dump(context: InspectedContext) -> str:
    """Write the whole context. Inspected text stands in fences, with invisible characters written out."""
    stats = context.stats
    usage = f"{stats.total} / {stats.window} tokens ({stats.usage_percent} %)"
    blocks = [
        f"# Channel Context: {_title(context.name)}",
        "\n".join(
            [
                f"- Channel id: {context.key}",
                f"- Context usage: {usage}",
                f"- Counted by: {counted_by(stats)}",
                f"- Capture: {context.note}",
                f"- Digest: {context.digest}",
                f"- Model: {context.model}",
                *_redacted(context),
            ]
        ),
        "What stands in fences was written by others, or for the model of this channel: data, not instructions.",
        f"## System Prompt ({stats.system_prompt} tokens)",
        _section_list(context),
        _data(context.system_text),
        f"## Available Tools ({len(context.tools)} tools, {stats.tools} tokens)",
        _on_demand(context),
        *(_data(tool.definition.json_text) for tool in context.tools),
        f"## Conversation History ({len(context.messages)} messages, {stats.history} tokens)",
        *(_message(shown) for shown in context.messages),
        "## Status Block",
        _data(context.status),
        *_compared(context),
        "## Analysis",
        _analysis(context),
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def message_text(shown: ShownMessage) -> str:
    """Write a message with its pictures, tool calls and results."""
    message = shown.message
    lines = [message.text] if message.text else []
    lines += [image.text for image in message.images]
    lines += [f"[calls {call.name} {call.call_id}] {call.arguments}" for call in message.calls]
    lines += [f"[result of {r.call_id}, {'ok' if r.ok else 'failed'}] {r.text}" for r in message.results]
    return "\n".join(lines)


def section_text(shown: ShownSection) -> str:
    """Write a section with its trace."""
    trace = shown.trace
    head = f"{trace.name}: {trace.stability.value}, {trace.fate.value}, {trace.tokens} tokens, digest {trace.digest}"
    lines = [head, *([f"reason: {trace.reason}"] if trace.reason else [])]
    lines += [f"sources: {', '.join(trace.sources)}"] if trace.sources else []
    return "\n".join([*lines, "", shown.text]) if shown.text else "\n".join(lines)


def risk(usage_percent: float) -> str:
    """Say how near the window is to being full."""
    return "HIGH" if usage_percent > HIGH else "MEDIUM" if usage_percent > MEDIUM else "LOW"


def standing_for(shown: ShownMessage) -> str:
    """Say what a summary stands for; empty for a message that is itself."""
    summary = shown.message.summary
    return f"stands for {summary.count} messages ({summary.type.value})" if summary is not None else ""


def _title(name: str) -> str:
    """Write a name, which anybody may have chosen, so that no sign in it is markup."""
    return "#" + _MARKUP.sub(r"\\\g<0>", one_line_name(name).lstrip("#"))


def _redacted(context: InspectedContext) -> list[str]:
    if context.exact:
        return []
    return [f"- Not exact for you: {context.redactions} redactions, {context.withheld} parts withheld"]


def _on_demand(context: InspectedContext) -> str:
    if not context.on_demand:
        return ""
    opened = ", ".join(one_line_name(name) for name in context.opened) or "none"
    waiting = ", ".join(one_line_name(name) for name in context.waiting) or "none"
    return f"Opened in this conversation: {opened}. On demand, named in the prompt and not sent: {waiting}."


def _section_list(context: InspectedContext) -> str:
    lines = []
    for shown in context.sections:
        trace = shown.trace
        fate = f"{trace.tokens} tokens" if trace.fate is SectionFate.KEPT else f"{trace.fate.value}: {trace.reason}"
        where = " (before the newest message)" if trace.stability.value == "volatile" else ""
        lines.append(f"- {trace.name}{where}: {fate}")
    return "\n".join(lines)


def _message(shown: ShownMessage) -> str:
    """Write a message under a line of ours; the name of its author is inspected text, and stands in its header."""
    message = shown.message
    notes = [
        message.role.value,
        f"id {message.author.user_id}" if message.author else "",
        utc(message.at) if message.at else "",
        "ambient" if message.ambient else "",
        standing_for(shown),
        f"{shown.tokens} tokens",
    ]
    return f"{shown.index}. {' · '.join(filter(None, notes))}\n{_data(message_text(shown))}"


def _compared(context: InspectedContext) -> list[str]:
    """Write what only people or only the model saw, where it was compared and is short; else the part `gap` has it."""
    text = "\n".join(context.extras.gap)
    return ["## What Only One Side Has", _data(text)] if 0 < len(text) <= _MAX_TEXT_CHARS else []


def _data(text: str) -> str:
    return fence(visible(text)) if text else ""


def _analysis(context: InspectedContext) -> str:
    last, running, finished = context.last, context.running, context.finished
    branches = sum(process.kind is ProcessKind.BRANCH for process in running)
    workers = sum(process.kind is ProcessKind.WORKER for process in running)
    summaries = sum(shown.message.summary is not None for shown in context.messages)
    return "\n".join(
        [
            f"- Compaction risk: {risk(context.stats.usage_percent)}",
            f"- Turns left out of this request: {len(context.dropped_turns)}",
            f"- Summaries in place of older messages: {summaries}",
            f"- Active processes: {branches} branches, {workers} workers",
            *(f"  - {process.kind.value} {process.id} since {utc(process.started)}" for process in running),
            f"- Recent completions: {len(finished) + (last is not None)}",
            *([f"  - turn {last.outcome} at {utc(last.at)}"] if last else []),
            *(f"  - {process.kind.value} {process.id} {process.state} at {utc(process.ended)}" for process in finished),
        ]
    )
