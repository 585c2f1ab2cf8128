"""Read what a branch or a worker did, or does: its transcript as the journal has it."""

from __future__ import annotations

from pydantic import Field

from bot.domain.channel import ProcessKind
from bot.domain.handles import HandleKind, parse_handle
from bot.domain.messages import InboundKind
from bot.domain.process import NewProcess, StoredProcess
from bot.domain.record_access import may_read, of_process
from bot.errors import ToolError
from bot.inspect.capture.process_transcript import PARTS, ProcessTranscript, page, transcript_of
from bot.ports.checkpoints import CheckpointStore
from bot.ports.journal import Journal
from bot.ports.ledger import Ledger
from bot.ports.processes import ProcessStore
from bot.task_prompt.checkpoint import chosen_for
from bot.tools.runtime.tool import ToolArgs, ToolContext, tool

PROCESS_KINDS = frozenset({HandleKind.BRANCH, HandleKind.WORKER})
_MAX_PROCESSES = 10


class WorkerInspectArgs(ToolArgs):
    """Which one, and which part of it."""

    id: str = Field("", max_length=16, description="Its name, like w27d4; empty lists the newest of this channel.")
    part: str = Field("outline", max_length=60, description=f"One of: {', '.join(PARTS)}.")
    max_chars: int = Field(6000, ge=200, le=16_000, description="How much to read at once.")
    offset: int = Field(0, ge=0, description="How many characters of the part to leave out, to read on.")


@tool(kinds={ProcessKind.BRANCH, ProcessKind.CORTEX, ProcessKind.INSPECTION}, read_only=True, shows_content=True)
async def worker_inspect(
    args: WorkerInspectArgs,
    ctx: ToolContext,
    processes: ProcessStore,
    journal: Journal,
    ledger: Ledger,
    checkpoints: CheckpointStore,
) -> str:
    """Show a part of a transcript, as data; of another channel nothing."""
    if not args.id.strip():
        return await _listed(ctx, processes)
    found = await _found(args.id, ctx, processes)
    return page(
        await read_process_transcript(found, journal, ledger, checkpoints),
        args.part.strip().lower() or "outline",
        args.offset,
        args.max_chars,
    )


async def _listed(ctx: ToolContext, processes: ProcessStore) -> str:
    newest = await processes.of_channel(ctx.origin.key, _MAX_PROCESSES)
    lines = [ProcessTranscript(process).line for process in newest if may_read(ctx.reader, of_process(process))]
    return "\n".join(["The newest first:", *lines]) if lines else "Nothing was handed out in this channel yet."


async def _found(name: str, ctx: ToolContext, processes: ProcessStore) -> StoredProcess:
    parsed = parse_handle(name)
    if parsed is None or parsed.kind not in PROCESS_KINDS:
        raise ToolError(f'"{name}" is no name of a branch or a worker. Leave `id` out to list them.')
    found = await processes.by_handle(parsed)
    if found is None or not may_read(ctx.reader, of_process(found)):
        raise ToolError(f"There is no {name} in this channel. Leave `id` out to list what there is.")
    return found


async def read_process_transcript(
    process: StoredProcess, journal: Journal, ledger: Ledger, checkpoints: CheckpointStore
) -> ProcessTranscript:
    """Read everything that a process did."""
    segments = []
    for number in process.turns:
        turn = await journal.turn(number)
        if turn is not None:
            segments.append(
                transcript_of(turn, await journal.requests_of_turn(number), await journal.calls_of_turn(number))
            )
    kept = await checkpoints.restore(process.body.agent, process.handle)
    return ProcessTranscript(process, tuple(segments), await typed_words(process.body, ledger), chosen_for(kept))


async def typed_words(body: NewProcess, ledger: Ledger) -> str:
    """Return the words of the message that a process goes back to, as they are on record; empty where none are."""
    stored = await ledger.inbound(body.typed_in) if body.typed_in else None
    is_typed = stored is not None and stored.inbound.kind in {InboundKind.MESSAGE, InboundKind.EDIT}
    return stored.inbound.text if stored is not None and is_typed else ""
