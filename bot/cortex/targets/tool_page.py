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
from bot.sentences import say
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
    head = say("records.at-work", place=channel_word(target), running=running, count=len(found))
    if not found:
        return say("records.nothing-handed-out", place=channel_word(target))
    return "\n".join((head, *(_line(process, clock.now()) for process in found)))


async def newest_work(processes: ProcessStore, target: TargetChannel, person: PersonKey) -> Sequence[StoredProcess]:
    """Return the newest branches and workers of a channel, with what this person alone had done there."""
    reader = RecordReader(frozenset({target.key}), person)
    newest = await processes.of_channel(target.key, _MAX_READ)
    return [process for process in newest if may_read(reader, of_process(process))][:_MAX_LISTED]


def _line(process: StoredProcess, now: int) -> str:
    name, kind = one_line_name(process.body.name, 60, WORDS_GONE), process.body.kind.value
    took = duration(((process.ended_at or now) - process.started_at) / 1000)
    if process.is_over:
        state = say("records.after", state=process.state.value, time=took)
    else:
        state = say("records.at-work-for", time=took)
    parts = [say("records.work", kind=kind, name=name, state=state, calls=process.calls)]
    if process.body.session:
        parts.append(say("records.for-in-private", name=one_line_name(process.body.by.name, 40)))
    parts += [one_line_name(process.progress, 60)] if process.progress and not process.is_over else []
    parts += [one_line_name(process.reason, 80)] if process.reason else []
    parts += [say("records.result-not-said")] if process.is_over and not process.relayed_at else []
    return " · ".join((*parts, process.handle))


def process_record(worked: ProcessTranscript) -> OwnedRecord:
    """Write a branch or worker with what it did, round by round."""
    process = worked.process
    body = process.body
    lines = [
        say(
            "records.process",
            handle=process.handle,
            kind=body.kind.value,
            state=process.state.value,
            calls=process.calls,
            turn=str(body.parent_turn),
            name=one_line_name(body.by.name, 32),
            user=body.by.person.user_id,
        ),
        _when(process),
    ]
    if process.reason:
        lines.append(say("records.why-ended", why=one_line_name(process.reason, 200)))
    words = [RecordQuote("task", body.task or WORDS_GONE, by_model=True)]
    if worked.original:
        words += [RecordQuote(say("records.what-was-typed"), worked.original)]
    if worked.chosen:
        words += [RecordQuote(say("records.what-it-was-shown"), "\n".join(worked.chosen), by_model=True)]
    words += [RecordQuote(say("records.what-it-did"), "\n".join(outline(worked)), by_model=True)]
    words += [RecordQuote("result", process.result, by_model=True)] if process.result else []
    if body.artifacts:
        files = "\n".join(f"{one.path} · {one.size}" for one in body.artifacts)
        words += [RecordQuote(say("records.handed-over"), files, by_model=True)]
    return OwnedRecord(process.handle, of_process(process), tuple(lines), tuple(words))


def _when(process: StoredProcess) -> str:
    began, ended = minute(process.started_at), minute(process.ended_at)
    if not process.is_over:
        return say("records.began", time=began)
    if process.relayed_at:
        return say("records.began-ended-said", time=began, ended=ended, said=minute(process.relayed_at))
    is_private = bool(process.body.session)
    unsaid = "records.began-ended-unsaid-private" if is_private else "records.began-ended-unsaid"
    return say(unsaid, time=began, ended=ended)


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
        switched = (say("records.switched-off", names=", ".join(off)),) if off else ()
        head = say("records.tools-of", place=channel_word(target))
        return "\n".join((head, *switched, *self._lines(target), *self._unusable()))

    def _unusable(self) -> Iterator[str]:
        for group, tools in self.broken().items():
            for one in tools:
                name, why = quote_line(one.name, 60), quote_line(one.why(), 160)
                yield f"  {say('records.tool-unusable', group=group, tool=name, why=why)}"

    def _lines(self, target: TargetChannel) -> Iterator[str]:
        for kind in _KINDS:
            tools = self.toolbox.of(kind)
            plain = [_named(tool) for tool in tools if not tool.spec.group and not is_on_demand(kind, tool)]
            yield say("records.always", kind=kind.value, names=", ".join(plain) or say("records.none"))
            asked = [_named(tool) for tool in tools if not tool.spec.group and is_on_demand(kind, tool)]
            if asked:
                yield f"  {say('records.on-demand', names=', '.join(asked))}"
            for group in dict.fromkeys(tool.spec.group for tool in tools if tool.spec.group):
                names = [tool for tool in tools if tool.spec.group == group]
                listed = (
                    say("records.is-on-demand", name=tool.name) if is_on_demand(kind, tool) else tool.name
                    for tool in names
                )
                state = self._state(group, names, target)
                yield f"  {say('records.group', group=group, names=', '.join(listed), state=state)}"

    def _state(self, group: str, tools: Sequence[Tool], target: TargetChannel) -> str:
        closed = self.grants.refusal(group, target.key, Authority.OWNER)
        if closed:
            return say("records.closed", why=closed)
        if missing := self.toolbox.means.missing(group):
            return say("records.cannot-be-used", why=quote_line(missing, 160))
        tiers = (tier for tier in Authority if self.grants.allows(group, target.key, tier))
        least = max(next(tiers, Authority.OWNER), *(tool.spec.authority for tool in tools))
        return say("records.open-for", who=least.word)


def _named(tool: Tool) -> str:
    if not tool.spec.origin:
        return tool.name
    return say("records.of-plugin", tool=tool.name, plugin=quote_line(tool.spec.origin, 40))
