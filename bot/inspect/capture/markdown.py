"""A captured context as a markdown report that a person reads."""

from __future__ import annotations

import re

from bot.context.transcript import utc
from bot.context.usage_figures import counted_by
from bot.domain.channel import ProcessKind
from bot.domain.snapshot import SectionFate
from bot.inspect.capture.reader_view import InspectedContext, ShownMessage, ShownSection
from bot.sentences import say
from bot.text.text import fence, one_line_name, visible

HIGH, MEDIUM = 80, 60
_MAX_TEXT_CHARS = 4000
_MARKUP = re.compile(r"[\\`*<>\[\]!|@]")


def dump(context: InspectedContext) -> str:
    """Write the whole context. Inspected text stands in fences, with invisible characters written out."""
    stats = context.stats
    percent, tools, messages = str(stats.usage_percent), str(len(context.tools)), str(len(context.messages))
    facts = [
        say("markdown_dump.channel-id", id=str(context.key)),
        say("markdown_dump.usage", used=str(stats.total), window=str(stats.window), percent=percent),
        say("markdown_dump.counted-by", counter=counted_by(stats)),
        say("markdown_dump.capture", note=context.note),
        say("markdown_dump.digest", digest=context.digest),
        say("markdown_dump.model", model=str(context.model)),
        *_redacted(context),
    ]
    blocks = [
        f"# {say('markdown_dump.title', name=_title(context.name))}",
        "\n".join(f"- {fact}" for fact in facts),
        say("markdown_dump.data-not-instructions"),
        f"## {say('markdown_dump.system-prompt', tokens=str(stats.system_prompt))}",
        _section_list(context),
        _data(context.system_text),
        f"## {say('markdown_dump.tools', count=tools, tokens=str(stats.tools))}",
        _on_demand(context),
        *(_data(tool.definition.json_text) for tool in context.tools),
        f"## {say('markdown_dump.history', count=messages, tokens=str(stats.history))}",
        *(_message(shown) for shown in context.messages),
        f"## {say('markdown_dump.status')}",
        _data(context.status),
        *_compared(context),
        f"## {say('markdown_dump.analysis')}",
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
    facts = {"stability": trace.stability.value, "fate": trace.fate.value, "digest": trace.digest}
    lines = [say("markdown_dump.section-head", name=trace.name, tokens=str(trace.tokens), **facts)]
    lines += [say("markdown_dump.section-reason", reason=trace.reason)] if trace.reason else []
    lines += [say("markdown_dump.section-sources", sources=", ".join(trace.sources))] if trace.sources else []
    return "\n".join([*lines, "", shown.text]) if shown.text else "\n".join(lines)


def risk(usage_percent: float) -> str:
    """Say how near the window is to being full: high, medium or low."""
    return "high" if usage_percent > HIGH else "medium" if usage_percent > MEDIUM else "low"


def standing_for(shown: ShownMessage) -> str:
    """Say what a summary stands for; empty for a message that is itself."""
    summary = shown.message.summary
    if summary is None:
        return ""
    return say("markdown_dump.stands-for", count=summary.count, type=summary.type.value)


def _title(name: str) -> str:
    """Write a name, which anybody may have chosen, so that no sign in it is markup."""
    return "#" + _MARKUP.sub(r"\\\g<0>", one_line_name(name).lstrip("#"))


def _redacted(context: InspectedContext) -> list[str]:
    if context.exact:
        return []
    return [say("markdown_dump.not-exact", redactions=context.redactions, withheld=context.withheld)]


def _on_demand(context: InspectedContext) -> str:
    if not context.on_demand:
        return ""
    opened = ", ".join(one_line_name(name) for name in context.opened) or say("markdown_dump.none")
    waiting = ", ".join(one_line_name(name) for name in context.waiting) or say("markdown_dump.none")
    return say("markdown_dump.on-demand", opened=opened, waiting=waiting)


def _section_list(context: InspectedContext) -> str:
    lines = []
    for shown in context.sections:
        trace = shown.trace
        is_moving = trace.stability.value == "volatile"
        if trace.fate is SectionFate.KEPT:
            told = "markdown_dump.section-moving" if is_moving else "markdown_dump.section"
            lines.append(f"- {say(told, name=trace.name, tokens=str(trace.tokens))}")
        else:
            told = "markdown_dump.section-moving-left-out" if is_moving else "markdown_dump.section-left-out"
            lines.append(f"- {say(told, name=trace.name, fate=trace.fate.value, reason=trace.reason)}")
    return "\n".join(lines)


def _message(shown: ShownMessage) -> str:
    """Write a message under a line of ours; the name of its author is inspected text, and stands in its header."""
    message = shown.message
    notes = [
        message.role.value,
        say("markdown_dump.author-id", id=str(message.author.user_id)) if message.author else "",
        utc(message.at) if message.at else "",
        say("markdown_dump.ambient") if message.ambient else "",
        standing_for(shown),
        say("markdown_dump.tokens", count=str(shown.tokens)),
    ]
    return f"{shown.index}. {' · '.join(filter(None, notes))}\n{_data(message_text(shown))}"


def _compared(context: InspectedContext) -> list[str]:
    """Write what only people or only the model saw, where it was compared and is short; else the part `gap` has it."""
    text = "\n".join(context.extras.gap)
    return [f"## {say('markdown_dump.one-side')}", _data(text)] if 0 < len(text) <= _MAX_TEXT_CHARS else []


def _data(text: str) -> str:
    return fence(visible(text)) if text else ""


def _analysis(context: InspectedContext) -> str:
    last, running, finished = context.last, context.running, context.finished
    branches = sum(process.kind is ProcessKind.BRANCH for process in running)
    workers = sum(process.kind is ProcessKind.WORKER for process in running)
    summaries = sum(shown.message.summary is not None for shown in context.messages)
    lines = [
        f"- {say('markdown_dump.compaction-risk', level=risk(context.stats.usage_percent))}",
        f"- {say('markdown_dump.left-out', count=len(context.dropped_turns))}",
        f"- {say('markdown_dump.summaries', count=summaries)}",
        f"- {say('markdown_dump.active', branches=branches, workers=workers)}",
    ]
    for one in running:
        told = {"kind": one.kind.value, "name": str(one.id), "time": utc(one.started)}
        lines.append(f"  - {say('markdown_dump.active-one', **told)}")
    lines.append(f"- {say('markdown_dump.completions', count=len(finished) + (last is not None))}")
    if last is not None:
        lines.append(f"  - {say('markdown_dump.last-turn', outcome=str(last.outcome), time=utc(last.at))}")
    for ended in finished:
        when = {"state": str(ended.state), "time": utc(ended.ended)}
        lines.append(f"  - {say('markdown_dump.finished-one', kind=ended.kind.value, name=str(ended.id), **when)}")
    return "\n".join(lines)
