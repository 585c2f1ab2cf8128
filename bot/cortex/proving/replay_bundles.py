"""Write a recorded request, with its parts and what was run of it, into one file that can be checked anywhere."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bot import __version__
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.pages.attached_files import attach
from bot.cortex.pages.context_capture import ContextCapturer
from bot.cortex.pages.exports import local_time, write_export
from bot.cortex.proving.proof_notes import ProofCheckpoints
from bot.cortex.proving.proof_plan import ProofPlan, ProofPlanner
from bot.cortex.targets.session_context import SessionContext
from bot.domain.channel import ProcessKind
from bot.domain.handles import HandleKind, handle
from bot.domain.llm import ModelName
from bot.domain.turn import StoredRequest
from bot.errors import ProviderError, UserError
from bot.mind.proof.proof_run import ProofRun
from bot.mind.proof.proof_values import ReplayQuestion
from bot.ports.clock import Clock
from bot.ports.platform import PlatformCapabilities
from bot.ports.store import Store
from bot.prompts import render
from bot.replay.bundle_file import BundledRun, BundleHeader, bundle_of, written
from bot.text.text import one_line_name


@dataclass(frozen=True)
class BundlePages:
    """Answers of commands. `kind_of` names the adapter behind a provider, `can` what a platform takes."""

    store: Store
    clock: Clock
    data_dir: Path
    looking: ContextCapturer
    planner: ProofPlanner
    notes: ProofCheckpoints
    kind_of: Callable[[str], str]
    can: Callable[[str], PlatformCapabilities]

    async def bundle(self, talk: SessionContext) -> ThreadReply:
        """Write what is meant: a request, the last one of a message, the last of the channel, or that of a proof."""
        stored, plan, turns = await self._meant(talk)
        capture = await self.looking.capture(talk.caller, talk.target, stored.id)
        if not capture.reads:
            raise UserError(render("replay/bundle", kind="no_words"))
        prepared = plan.replay if plan is not None else self.planner.prepared(stored)
        runs = await self._runs(plan, turns) if plan is not None else []
        decided, now = prepared.decision(), self.clock.now()
        model = stored.record.request.model
        header = BundleHeader(
            program=__version__,
            written_at=local_time(now).isoformat(timespec="seconds"),
            written_by=talk.reader,
            kind=self.kind_of(model.provider),
            encoder=self._encoder(model),
        )
        wire = self.planner.replayer.wire

        def write() -> tuple[Path, bytes, int]:
            made = bundle_of(header, stored, capture.shown, decided.name if decided else "", runs, wire)
            content = written(made)
            path = write_export(self.data_dir, talk.target.key.channel, now, content, "replay")
            return path, content, len(made.parts)

        path, content, parts = await asyncio.to_thread(write)
        await self.store.audit.append(talk.looked(now, "export", path.name))
        attached = await attach(self.data_dir, path, content, self.can(talk.session.body.platform))
        shown = capture.shown
        text = render(
            "replay/bundle",
            kind="chat",
            path=path,
            request=handle(HandleKind.REQUEST, stored.id),
            runs=len(runs),
            parts=parts,
            exact=shown.exact,
            redactions=shown.redactions,
            withheld=shown.withheld,
            note=attached.note,
        )
        return ThreadReply(text, file=attached.file)

    async def _meant(self, talk: SessionContext) -> tuple[StoredRequest, ProofPlan | None, Sequence[int]]:
        meant, key = talk.meant, talk.target.key
        proof = await self.notes.of(meant.turn) if meant.turn else None
        if proof is not None:
            plan = await self.planner.again(proof.fix, key)
            return plan.replay.stored, plan, (*proof.turns, meant.turn)
        if meant.name:
            row = await self.looking.targets.finder.request_of(meant)
        else:
            await self.looking.check_recorded(key)
            recent = await self.store.journal.recent_requests(key, 1)
            row = recent[0].id if recent else 0
        stored = await self.store.journal.request(row) if row else None
        if stored is None or stored.record.kind is not ProcessKind.CHANNEL:
            raise UserError(render("replay/bundle", kind="which"))
        return stored, None, ()

    def _encoder(self, model: ModelName) -> str:
        try:
            return self.planner.replayer.models.encoder(model)
        except ProviderError:
            raise UserError(render("replay/note", kind="no_model", model=one_line_name(str(model), 60))) from None

    async def _runs(self, plan: ProofPlan, turns: Sequence[int]) -> list[BundledRun]:
        """Return the runs of a proof: what it asked follows from what it was answered."""
        found: list[BundledRun] = []
        replayer, words = self.planner.replayer, plan.fix.words
        answered: dict[int, StoredRequest] = {}
        for turn in turns:
            for one in await self.store.journal.requests_of_turn(turn):
                if replayer.decided(one, words) is not None:
                    answered[one.record.round] = one
        run = await asyncio.to_thread(ProofRun, plan.task)
        while isinstance(question := run.step, ReplayQuestion) and (known := answered.get(len(found))) is not None:
            decided = replayer.decided(known, words)
            assert decided is not None
            found.append(
                BundledRun(
                    request=handle(HandleKind.REQUEST, known.id),
                    left_out=question.left_out,
                    neutral_tokens=question.neutral_tokens,
                    model=str(known.record.request.model),
                    decision=decided.name,
                )
            )
            await asyncio.to_thread(run.observe, decided.name)
        return found
