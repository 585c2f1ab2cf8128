"""What an admin reads about branches, workers and tools of a channel."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.cortex.targets.owned_record import OwnedRecord, RecordQuote
from bot.cortex.targets.target_resolver import TargetChannel
from bot.cortex.targets.texts import channel_word
from bot.domain.access import Authority
from bot.domain.channel import ProcessKind
from bot.domain.ids import PersonKey
from bot.domain.process import StoredProcess
from bot.domain.record_access import RecordReader, may_read, of_process
from bot.inspect.capture.process_transcript import WORDS_GONE, ProcessTranscript, outline
from bot.ports.clock import Clock
from bot.ports.processes import ProcessStore
from bot.text.figures import duration
from bot.text.text import one_line_name, quote_line
from bot.text.times import minute
from bot.tools.runtime.tool import Tool
from bot.tools.runtime.tool_grants import ToolGrants
from bot.tools.runtime.toolbox import Toolbox, is_on_demand

if TYPE_CHECKING:
    from bot.tools.mcp.server_offer import BrokenTool

_MAX_LISTED, _MAX_READ = 15, 200
_KINDS = (ProcessKind.CHANNEL, ProcessKind.BRANCH, ProcessKind.WORKER)


async def work_page(processes: ProcessStore, target: TargetChannel, clock: Clock, person: PersonKey) -> str:
    """List what runs for a channel and what ran last, with what this person alone had done there."""
    found = await newest_work(processes, target, person)
    running = sum(not process.is_over for process in found)
    head = f"{channel_word(target)}: {running} at work, the newest {len(found)}"
    if not found:
        return f"{channel_word(target)}: nothing was handed out here yet."
    return "\n".join((head, *(_line(process, clock.now()) for process in found)))


async def newest_work(processes: ProcessStore, target: TargetChannel, person: PersonKey) -> Sequence[StoredProcess]:
    """Return the newest branches and workers of a channel, with what this person alone had done there."""
    reader = RecordReader(frozenset({target.key}), person)
    newest = await processes.of_channel(target.key, _MAX_READ)
    return [process for process in newest if may_read(reader, of_process(process))][:_MAX_LISTED]


def _line(process: StoredProcess, now: int) -> str:
    name, kind = one_line_name(process.body.name, 60, WORDS_GONE), process.body.kind.value
    took = duration(((process.ended_at or now) - process.started_at) / 1000)
    state = f"{process.state.value} after {took}" if process.is_over else f"at work for {took}"
    private = f" · for {one_line_name(process.body.by.name, 40)} in private" if process.body.session else ""
    unsaid = " · its result was not said yet" if process.is_over and not process.relayed_at else ""
    last = f" · {one_line_name(process.progress, 60)}" if process.progress and not process.is_over else ""
    why = f" · {one_line_name(process.reason, 80)}" if process.reason else ""
    calls = f"{process.calls} call{'s' * (process.calls != 1)}"
    return f"{process.handle} {kind} “{name}” {state} · {calls}{private}{last}{why}{unsaid}"


def process_record(worked: ProcessTranscript) -> OwnedRecord:
    """Write a branch or worker with what it did, round by round."""
    process = worked.process
    body = process.body
    by = f"handed out by turn {body.parent_turn} for {one_line_name(body.by.name, 32)} (id {body.by.person.user_id})"
    lines = [f"{process.handle} {body.kind.value}: {process.state.value}, {process.calls} tool calls, {by}"]
    lines.append(f"began {minute(process.started_at)} UTC" + _ended(process))
    if process.reason:
        lines.append(f"why it ended: {one_line_name(process.reason, 200)}")
    words = [RecordQuote("task", body.task or WORDS_GONE, by_model=True)]
    words += [RecordQuote("what it did", "\n".join(outline(worked)), by_model=True)]
    words += [RecordQuote("result", process.result, by_model=True)] if process.result else []
    return OwnedRecord(process.handle, of_process(process), tuple(lines), tuple(words))


def _ended(process: StoredProcess) -> str:
    if not process.is_over:
        return " · still at work: `cancel` stops it"
    where = "to who sent it out" if process.body.session else "in the channel"
    said = f"said {minute(process.relayed_at)} UTC" if process.relayed_at else f"not said {where} yet"
    return f" · ended {minute(process.ended_at)} UTC · {said}"


@dataclass(frozen=True)
class ToolPages:
    """Says which tools a channel's processes have, for whom, and why the others are missing."""

    toolbox: Toolbox
    grants: ToolGrants
    broken: Callable[[], Mapping[str, Sequence[BrokenTool]]] = dict
    """The tools of MCP servers that cannot be offered, by group."""

    def page(self, target: TargetChannel) -> str:
        """Write down the tools of a channel, and those that cannot be used."""
        off = self.grants.off_in(target.key)
        switched = (f"switched off here: {', '.join(off)} · `fix tool on <name>`",) if off else ()
        return "\n".join((f"{channel_word(target)}: tools", *switched, *self._lines(target), *self._unusable()))

    def _unusable(self) -> Iterator[str]:
        for group, tools in self.broken().items():
            for one in tools:
                yield f"  {group}: {quote_line(one.name, 60)} is not offered: {quote_line(one.why, 160)}"

    def _lines(self, target: TargetChannel) -> Iterator[str]:
        for kind in _KINDS:
            tools = self.toolbox.of(kind)
            plain = [_named(tool) for tool in tools if not tool.spec.group and not is_on_demand(kind, tool)]
            yield f"{kind.value}, always: {', '.join(plain) or 'none'}"
            asked = [_named(tool) for tool in tools if not tool.spec.group and is_on_demand(kind, tool)]
            if asked:
                yield f"  on demand: {', '.join(asked)}"
            for group in dict.fromkeys(tool.spec.group for tool in tools if tool.spec.group):
                names = [tool for tool in tools if tool.spec.group == group]
                listed = (f"{tool.name}{' (on demand)' if is_on_demand(kind, tool) else ''}" for tool in names)
                yield f"  {group}: {', '.join(listed)} · {self._state(group, names, target)}"

    def _state(self, group: str, tools: Sequence[Tool], target: TargetChannel) -> str:
        closed = self.grants.refusal(group, target.key, Authority.OWNER)
        if closed:
            return f"closed: {closed}"
        if missing := self.toolbox.means.missing(group):
            return f"cannot be used: {quote_line(missing, 160)}"
        tiers = (tier for tier in Authority if self.grants.allows(group, target.key, tier))
        least = max(next(tiers, Authority.OWNER), *(tool.spec.authority for tool in tools))
        return f"open for {least.word}"


def _named(tool: Tool) -> str:
    return f"{tool.name} (plugin {quote_line(tool.spec.origin, 40)})" if tool.spec.origin else tool.name
