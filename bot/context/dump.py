"""A captured context as a markdown report that a person reads."""

from __future__ import annotations

from bot.context.figures import counted_by, tokens
from bot.context.inspected import InspectedContext, ShownMessage, ShownSection
from bot.context.transcript import utc
from bot.domain.snapshot import Fate
from bot.domain.text import fence, one_line_name, visible

HIGH, MEDIUM = 80, 60


def dump(context: InspectedContext) -> str:
    """Write the whole context. Inspected text stands in fences, with invisible characters written out."""
    stats = context.stats
    total = f"{stats.total} / {stats.window} tokens ({stats.usage_percent} %)"
    blocks = [
        f"# Channel Context: {_title(context.name)}",
        "\n".join(
            [
                f"- Channel id: {context.key}",
                f"- Capture: {context.note}",
                f"- Digest: {context.digest}",
                f"- Model: {context.model}",
                f"- Context usage: {total}, {counted_by(stats)}",
                *_redacted(context),
            ]
        ),
        f"## System Prompt ({tokens(stats.system_prompt, stats)} tokens)",
        _section_list(context),
        _data(context.system_text),
        f"## Available Tools ({len(context.tools)} tools, {tokens(stats.tools, stats)} tokens)",
        *(_data(tool.definition.json_text) for tool in context.tools),
        f"## Conversation History ({len(context.messages)} messages, {tokens(stats.history, stats)} tokens)",
        *(_message(shown) for shown in context.messages),
        "## Status Block",
        _data(context.status),
        "## Analysis",
        _analysis(context),
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def message_text(shown: ShownMessage) -> str:
    """Write a message with its tool calls and results."""
    message = shown.message
    lines = [message.text] if message.text else []
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


def _title(name: str) -> str:
    return "#" + one_line_name(name).lstrip("#")


def _redacted(context: InspectedContext) -> list[str]:
    if context.exact:
        return []
    return [f"- Not exact for you: {context.redactions} redactions, {context.withheld} parts withheld"]


def _section_list(context: InspectedContext) -> str:
    lines = []
    for shown in context.sections:
        trace = shown.trace
        fate = f"{trace.tokens} tokens" if trace.fate is Fate.KEPT else f"{trace.fate.value}: {trace.reason}"
        where = " (before the newest message)" if trace.stability.value == "volatile" else ""
        lines.append(f"- {trace.name}{where}: {fate}")
    return "\n".join(lines)


def _message(shown: ShownMessage) -> str:
    message = shown.message
    author = f" · {one_line_name(message.author.name)} (id {message.author.user_id})" if message.author else ""
    at = f" · {utc(message.at)}" if message.at else ""
    ambient = " · ambient" if message.ambient else ""
    head = f"{shown.index}. {message.role.value}{author}{at}{ambient} · {shown.tokens} tokens"
    return f"{head}\n{_data(message_text(shown))}"


def _data(text: str) -> str:
    return fence(visible(text)) if text else ""


def _analysis(context: InspectedContext) -> str:
    last = context.last
    running = ", ".join(f"{p.kind.value} {p.id} since {utc(p.started)}" for p in context.running)
    return "\n".join(
        [
            f"- Compaction risk: {risk(context.stats.usage_percent)}",
            f"- Turns left out of this request: {len(context.dropped_turns)}",
            f"- Active processes: {running or 'none'}",
            f"- Recent completions: {f'turn {last.outcome} at {utc(last.at)}' if last else 'none'}",
        ]
    )
