"""Write memories to a file for an admin, and show what a file of memories would add before anything is taken in."""

from __future__ import annotations

import asyncio
import io
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple

from bot.cortex.fixes.offers import OfferMaker, ThreadReply
from bot.cortex.pages.attached_files import AttachedFile, attach
from bot.cortex.pages.exports import folders_of, local_time, why_not_written
from bot.cortex.pages.memory_audit import MemoryAudit, places_of
from bot.cortex.targets import texts
from bot.cortex.targets.session_context import SessionContext
from bot.cortex.targets.target_resolver import TargetChannel, TargetResolver
from bot.cortex.words.quoting import quoted
from bot.domain.access import Authority
from bot.domain.ids import AgentId, ChannelId, ChannelKey, PersonKey
from bot.domain.memory_file import Changed, FileEdge, FileMemory, ImportedMemory, ImportMemories, LeftOut
from bot.errors import FetchError, UserError
from bot.inspect.diff.export_reader import unpacked
from bot.memory.memory_file_format import CheckedFile, FileHead, FileSeal, check_file, file_bytes, read_lines
from bot.memory.take_in import MemoryIntake, TakeInRules, as_file_memory
from bot.memory.write import MemoryRules
from bot.messaging.delivery.file_expiry import EXPIRY_HOURS
from bot.ports.clock import Clock
from bot.ports.memories import MemoryArchive
from bot.ports.platform import Platform, PlatformCapabilities
from bot.ports.store import Store
from bot.prompts import render
from bot.runtime.files import FileName, write_new
from bot.sentences import say
from bot.text.figures import exact_number, size
from bot.text.redaction import Redactor
from bot.text.text import excerpt, one_line_name
from bot.text.times import minute

MAX_IN_CHAT = 1_000
MAX_OUT_OF_CHAT = 20_000
"""So many memories are held in memory at once; on the host there may be any number."""
_MAX_BYTES = 4_000_000
_PAGE = 200
MAX_SHOWN = 12
_MAX_CHANNELS = 40
_EXCERPT_CHARS = 70


class ImportPreview(NamedTuple):
    """What a file would add: how many memories, some of them, where they belong, and what becomes of other lines."""

    checked: CheckedFile
    fresh: int
    shown: Sequence[ImportedMemory]
    places: Mapping[ChannelId, int]
    left_out: Mapping[LeftOut, int]
    changed: Mapping[Changed, int]


@dataclass(frozen=True, kw_only=True, eq=False)
class MemoryFilePages:
    """Answers `memory export` and `memory import`. Of what somebody may not read, a file for them has nothing."""

    store: Store
    clock: Clock
    data_dir: Path
    targets: TargetResolver
    audit: MemoryAudit
    offering: OfferMaker
    platforms: Mapping[str, Platform]
    limits: MemoryRules
    redactor: Redactor
    can: Callable[[str], PlatformCapabilities]

    async def export(self, talk: SessionContext, *, everywhere: bool) -> ThreadReply:
        """Write what counts, and is open to this admin, to a file that goes along; raise UserError."""
        now, key = self.clock.now(), talk.target.key
        known = await self.store.channels.known() if everywhere else ()
        places = places_of(key, talk.target.place.guild_id, known)
        sources = await self.store.memory_audit.sources(places)
        open_ones = await self.audit.readable(talk.caller.person, key.agent, sources)
        if not everywhere:
            # what is known here and was learnt elsewhere belongs to the file of where it was learnt
            open_ones &= {key.channel}
        many = sum(count for one, count in sources.items() if one in open_ones)
        if many > MAX_OUT_OF_CHAT:
            raise UserError(render("cortex/memory_export_how", many=exact_number(many)).strip())
        head = FileHead(instance=self.store.instance, exported_at=now)
        lines = archived_lines(self.store.memory_archive, key.agent, open_ones, self.redactor)
        pieces = [piece async for piece in file_bytes(head, lines, self.store.memory_archive.sign)]
        content, count = b"".join(pieces), len(pieces) - 2
        path = await asyncio.to_thread(self._write, key.channel, now, content)
        await self.store.audit.append(talk.looked(now, "memory export", path.name))
        can = self.can(talk.session.body.platform)
        attached = await attach(self.data_dir, path, content, can)
        withheld = sum(many for one, many in sources.items() if one not in open_ones)
        return ThreadReply(self._exported(talk, path, count, withheld, attached, can), file=attached.file)

    async def offer_import(self, talk: SessionContext) -> ThreadReply:
        """Show what the file beside the command would add, with a button that takes it in; raise UserError."""
        content = await self._attached(talk)
        archive, key = self.store.memory_archive, talk.target.key
        checked = await asyncio.to_thread(
            check_file, io.BytesIO(content), archive.sign, self.store.instance, MAX_IN_CHAT
        )
        current = self.store.channels.moves.current_id
        named = dict.fromkeys(map(current, await asyncio.to_thread(channels_in, io.BytesIO(content))))
        decided = await self._decided(talk.caller.person, key.agent, named)
        rules = TakeInRules(
            agent=key.agent,
            head=checked.head,
            own=checked.seal is FileSeal.OWN,
            same=checked.seal is FileSeal.OWN and checked.head.instance == self.store.instance,
            now=self.clock.now(),
            limits=self.limits,
            erased=await archive.erased(),
            may=decided.__contains__,
            guild_of=lambda channel: decided[channel].place.guild_id if channel in decided else "",
            current=current,
            decides_all=talk.caller.authority is Authority.OWNER,
        )
        intake, known = MemoryIntake(rules), dict[int, int]()
        lines = await asyncio.to_thread(lambda: list(intake.take(read_lines(io.BytesIO(content)))))
        memories = await fresh_ones(archive, intake, lines, known)
        places = Counter(one.body.channel for one in memories)
        preview = ImportPreview(checked, len(memories), memories, places, intake.left_out, intake.changed)
        told = import_lines(
            preview, {one.key.channel: texts.channel_word(one) for one in decided.values()}, self.redactor
        )
        if not memories:
            return ThreadReply("\n".join((say("memory_pages.nothing-to-import"), *told)))
        fix = ImportMemories(agent=key.agent, memories=memories, known=tuple(known.items()), count=len(memories))
        return await self.offering.take_in(talk.session, talk.target, fix, tuple(told))

    async def _attached(self, talk: SessionContext) -> bytes:
        asked = await self.store.ledger.inbound(talk.asked) if talk.asked else None
        files = asked.inbound.files if asked is not None else ()
        if asked is None or not files:
            raise UserError(render("cortex/memory_import_how").strip())
        if len(files) > 1:
            raise UserError(say("memory_pages.one-file"))
        platform = self.platforms.get(asked.inbound.adapter)
        if platform is None or files[0].size > _MAX_BYTES:
            raise UserError(say("memory_pages.too-large", size=size(_MAX_BYTES)))
        try:
            packed = await platform.fetch(files[0], _MAX_BYTES)
        except FetchError as error:
            raise UserError(say("memory_pages.not-fetched", why=str(error))) from error
        return await asyncio.to_thread(unpacked, packed, say("memory_pages.that-file"))

    async def _decided(
        self, person: PersonKey, agent: AgentId, named: Iterable[ChannelId]
    ) -> dict[ChannelId, TargetChannel]:
        """Ask, now, in which of these channels this admin decides; of too many the others count as closed."""
        found = {}
        for channel in list(named)[:_MAX_CHANNELS]:
            target = await self.targets.of(ChannelKey(agent, channel))
            if target is not None and await self.targets.may_inspect(person, target):
                found[channel] = target
        return found

    def _write(self, channel: ChannelId, at: int, content: bytes) -> Path:
        name = FileName(f"{local_time(at).strftime('%Y%m%d-%H%M%S')}-memories", ".jsonl")
        folders = folders_of(channel)
        try:
            return write_new(self.data_dir, folders, name, content)
        except OSError as error:
            raise why_not_written(error, self.data_dir, folders) from error

    def _exported(
        self,
        talk: SessionContext,
        path: Path,
        count: int,
        withheld: int,
        attached: AttachedFile,
        can: PlatformCapabilities,
    ) -> str:
        return render(
            "cortex/memory_export",
            place=texts.channel_word(talk.target),
            count=exact_number(count),
            one=count == 1,
            path=str(path),
            withheld=exact_number(withheld) if withheld else "",
            note=attached.note,
            hours=EXPIRY_HOURS if attached.file and can.takes_back else 0,
        ).strip()


async def archived_lines(
    archive: MemoryArchive, agent: AgentId, channels: Collection[ChannelId] | None, redactor: Redactor
) -> AsyncIterator[FileMemory]:
    """Yield the lines of what counts and was learnt in some channels, a page at a time, with secrets taken out."""
    after = 0
    while page := await archive.page(agent, channels, after, _PAGE):
        for one in page:
            memory = one.memory
            edges = [
                FileEdge(
                    target=edge.target,
                    kind=edge.kind,
                    weight=edge.weight,
                    author=edge.author,
                    turn=edge.turn,
                    at=edge.at,
                )
                for edge in one.edges
            ]
            body = memory.body.replace(content=redactor.redact(memory.body.content).text)
            yield as_file_memory(memory.id, body, one.versions, edges)
        after = page[-1].memory.id


def channels_in(stream: BinaryIO) -> dict[ChannelId, None]:
    """Return the channels in which the memories of a file were learnt, in their order."""
    return dict.fromkeys(line.body.channel for line in read_lines(stream) if line is not None)


async def fresh_ones(
    archive: MemoryArchive, intake: MemoryIntake, lines: Sequence[ImportedMemory], known: dict[int, int]
) -> tuple[ImportedMemory, ...]:
    """Return those of some lines that are not here yet; those that are become `known`, by their numbers in the file."""
    fresh, standing = list[ImportedMemory](), await archive.standing(intake.rules.agent, [one.body for one in lines])
    for one, (row, why) in zip(lines, standing, strict=True):
        if why is None:
            fresh.append(one)
            continue
        intake.left_out[why] += 1
        if row and intake.rules.own:
            # only by a file of our own is anything said of what is here
            known[one.memory] = row
    return tuple(fresh)


def import_lines(found: ImportPreview, names: Mapping[ChannelId, str], redactor: Redactor) -> Sequence[str]:
    """Say what a file would add, and what becomes of the rest of it."""
    shown = [
        f"+ {excerpt(one.body.content, _EXCERPT_CHARS)} · {one.body.type.value} · "
        f"{one_line_name(one.body.provenance.author_name or 'someone', 24)}"
        for one in found.shown[:MAX_SHOWN]
    ]
    text = render(
        "cortex/memory_import",
        seal=found.checked.seal.value,
        instance=one_line_name(found.checked.head.instance, 16),
        at=minute(found.checked.head.exported_at),
        lines=exact_number(found.checked.lines),
        fresh=exact_number(found.fresh),
        places=[(names.get(channel, channel), exact_number(many)) for channel, many in found.places.items()],
        left_out={why.value: exact_number(many) for why, many in found.left_out.items() if many},
        changed={what.value: exact_number(many) for what, many in found.changed.items() if many},
        rows=quoted("\n".join(shown), redactor) if shown else "",
        more=exact_number(found.fresh - MAX_SHOWN) if found.fresh > MAX_SHOWN else "",
    )
    return [line for line in text.splitlines() if line.strip()]
