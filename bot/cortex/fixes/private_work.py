"""Let workers do what an admin confirmed in their talk, and tell that admin alone what came of it, once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import structlog

from bot.cortex.fixes.offers import OfferMaker, ThreadReply
from bot.cortex.sessions.thread_poster import ThreadPoster, person_of
from bot.cortex.targets.target_resolver import TargetChannel, TargetResolver
from bot.cortex.targets.texts import channel_word
from bot.cortex.words.quoting import by_model, quoted
from bot.domain.access import Authority, Caller
from bot.domain.channel import ProcessKind
from bot.domain.finding import SendWorker, StoredSession
from bot.domain.ids import platform_of
from bot.domain.process import NewProcess, ProcessOrigin, StoredProcess
from bot.domain.turn import NewOutbox, StoredOutbox
from bot.domain.word_origins import OriginSource, WordAuthority, WordOrigins
from bot.ports.clock import Clock
from bot.ports.store import Store
from bot.runtime.tasks import TaskSupervisor
from bot.sentences import say
from bot.text.redaction import Redactor
from bot.text.text import quote_line
from bot.tools.runtime.tool import Tool
from bot.tools.runtime.toolbox import Toolbox

log = structlog.get_logger(__name__)

SendsOut = Callable[[NewProcess], Awaitable[StoredProcess]]
"""Let a worker begin; raise ToolError with the reason why not."""


@dataclass(frozen=True)
class PrivateWork:
    """Offers a worker, sends it out, and tells its end."""

    store: Store
    clock: Clock
    targets: TargetResolver
    offering: OfferMaker
    toolbox: Toolbox
    post: ThreadPoster
    redactor: Redactor
    send_out: SendsOut
    tasks: TaskSupervisor

    async def offer(
        self, session: StoredSession, target: TargetChannel, caller: Caller, fix: SendWorker
    ) -> ThreadReply:
        """Show what a worker would do, and with which tools."""
        lines = [say("quoting.by-model"), by_model(fix.task, self.redactor, 8000)]
        if fix.files:
            lines += [say("offers.begins-with-files"), quoted("\n".join(fix.files), self.redactor)]
        lines.append(self._tools(target, caller.authority))
        lines.append(say("offers.result-comes-here"))
        if any(tool.spec.group == "files" for tool in self._means(target, caller.authority)):
            lines.append(say("offers.files-stay"))
        return await self.offering.send_worker(session, target, fix, tuple(lines))

    async def send(
        self, session: StoredSession, target: TargetChannel, caller: Caller, fix: SendWorker
    ) -> StoredProcess:
        """Send the worker out with the authority of whoever confirmed it; raise ToolError."""
        key, place = target.key, target.place
        return await self.send_out(
            NewProcess(
                agent=key.agent,
                channel=key.channel,
                kind=ProcessKind.WORKER,
                task=fix.task,
                name=quote_line(fix.name.strip() or fix.task, 60),
                by=caller,
                parent_turn=fix.turn,
                inbound=0,
                origin=ProcessOrigin(platform=platform_of(key.channel), guild_id=place.guild_id, is_dm=place.is_dm),
                needs=fix.files,
                session=session.id,
                origins=WordOrigins(sources=(OriginSource(WordAuthority.OUTSIDE, say("offers.cortex-talk")),)),
            )
        )

    def ended(self, process: StoredProcess) -> None:
        """Tell the end of a worker, in the background."""
        self.tasks.spawn(f"tell of {process.handle}", self._tell(process))

    async def _tell(self, process: StoredProcess) -> None:
        session = await self.store.sessions.get(process.body.session)
        if session is None:
            log.warning("nobody_to_tell", process=process.handle, session=process.body.session)
            await self.store.processes.relayed([process.id], self.clock.now())
            return
        target = await self.targets.of(process.key)
        allowed = target is not None and await self.targets.may_inspect(person_of(session), target)
        with self.post.speaking_to(person_of(session)):
            text = self._text(process) if allowed else say("offers.worker-withheld", handle=process.handle)
            await self.post.report(session, _Telling(self, process), ThreadReply(text))

    def _text(self, process: StoredProcess) -> str:
        reason = quote_line(self.redactor.redact(process.reason).text, 300)
        state = process.state.value
        if reason:
            head = say("offers.worker-ended-why", handle=process.handle, state=state, why=reason)
        else:
            head = say("offers.worker-ended", handle=process.handle, state=state)
        if not process.result:
            return f"{head} {say('offers.left-no-text')}"
        head = f"{head} {say('offers.shows-what-it-did', handle=process.handle)}"
        return "\n".join((head, say("quoting.by-model"), by_model(process.result, self.redactor)))

    def _means(self, target: TargetChannel, authority: Authority) -> list[Tool]:
        found = self.toolbox.catalogue(ProcessKind.WORKER, authority, target.key)
        return [tool for tool in found if tool.spec.group]

    def _tools(self, target: TargetChannel, authority: Authority) -> str:
        names = [tool.name for tool in self._means(target, authority)]
        place = channel_word(target)
        if not names:
            return say("offers.works-without-tools", place=place, authority=authority.word)
        return say("offers.works-with-tools", place=place, authority=authority.word, tools=", ".join(names))


class _Telling:
    """The one report of a worker. Implements `bot.cortex.sessions.thread_poster.OwedReport`."""

    def __init__(self, work: PrivateWork, process: StoredProcess) -> None:
        self._work = work
        self._process = process
        self.reported = False

    async def end(self, outbox: Sequence[NewOutbox]) -> Sequence[StoredOutbox]:
        """Keep the report and that it is told, at once; nothing where it was told before."""
        rows = await self._work.store.processes.mark_told(self._process.id, outbox, self._work.clock.now())
        self.reported = True
        return rows or ()
