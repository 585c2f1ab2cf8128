"""Carry out what the running bot does and no row of the store: do it once, and say in the thread what came of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, assert_never

from bot.cortex.fixes.answer_watch import AnswerWatch
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.sessions.button_signing import ButtonVerb
from bot.cortex.sessions.buttons import ButtonFactory
from bot.cortex.sessions.thread_poster import ThreadPoster
from bot.cortex.sessions.unanswered_messages import UnansweredMessages
from bot.cortex.targets.target_resolver import TargetChannel
from bot.domain.finding import (
    AnswerWaiting,
    AskModelAgain,
    AuditRow,
    CompactNow,
    LiveFix,
    NewAudit,
    NewConversation,
    OldConversation,
    ReloadTools,
    StoredSession,
)
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import ChannelKey
from bot.domain.ledger import Outcome
from bot.domain.messages import Button
from bot.messaging.channels.queues import UndoReset
from bot.messaging.commands.steering import FRESH_START, UNDO_MS
from bot.ports.clock import Clock
from bot.ports.compactions import CompactionStore
from bot.runtime.tasks import TaskSupervisor
from bot.sentences import language_spoken, say
from bot.text.text import one_line_name
from bot.text.times import clock_time

FOLLOW_SECONDS = 180.0
_MAX_TOLD = 5
"""Messages without an answer that are told of one by one."""


class LiveResult(NamedTuple):
    """What came of it: a word for the presser alone, and perhaps a message for the thread."""

    answer: str
    said: ThreadReply | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class LiveFixes:
    """Does it beside the press, once; what takes longer is told when it is over.

    `requeue` gives a message its turn and returns the row that will be answered; `compact` returns the tokens that are
    free then, None where nothing came of it; `ask_again` says whether the model was left alone; `reload` looks again at
    the tools and returns what came of it.
    """

    buttons: ButtonFactory
    waiting: UnansweredMessages
    post: ThreadPoster
    tasks: TaskSupervisor
    clock: Clock
    compactions: CompactionStore
    watch: AnswerWatch
    requeue: Callable[[int], Awaitable[int]]
    renew: Callable[[ChannelKey, NewAudit], None]
    undo: Callable[[ChannelKey, UndoReset], None]
    compact: Callable[[ChannelKey], Awaitable[int | None]]
    ask_again: Callable[[str], bool]
    reload: Callable[[], Awaitable[str]]

    async def do(self, session: StoredSession, target: TargetChannel, fix: LiveFix, done: AuditRow) -> LiveResult:
        """Carry out what was confirmed."""
        name, where = handle(HandleKind.AUDIT, done.id), one_line_name(target.name, 20)
        match fix:
            case AnswerWaiting(rows=rows):
                return await self._answer(session, rows, name)
            case NewConversation():
                self.renew(target.key, done.body.replace(action=FRESH_START, undo=None))
                self.watch.wait_for(session, target.key, name)
                undo = self.buttons.row(session, ButtonVerb.UNDO, say("fixes.undo"), done.id)
                lines = f"{say('fixes.starts-over', place=where, handle=name)}\n{say('fixes.can-undo-day')}"
                return LiveResult(say("fixes.done"), ThreadReply(lines, (undo,)))
            case OldConversation():
                return await self.bring_back(session, target, done.body)
            case CompactNow():
                self.tasks.spawn(f"shorten {target.key}", self._shorten(session, target, name))
                return LiveResult(say("fixes.done"), ThreadReply(say("fixes.shortening", place=where, handle=name)))
            case AskModelAgain(model=model):
                shown = one_line_name(model, 60)
                if not self.ask_again(model):
                    return LiveResult(say("fixes.not-left-alone", model=shown))
                self.watch.wait_for(session, target.key, name)
                return LiveResult(say("fixes.done"), ThreadReply(say("fixes.asked-again", model=shown, handle=name)))
            case ReloadTools():
                self.tasks.spawn("reload tools", self._reload(session, name))
                return LiveResult(say("fixes.done"), ThreadReply(say("fixes.reloading", handle=name)))
            case _:
                assert_never(fix)

    async def bring_back(self, session: StoredSession, target: TargetChannel, by: NewAudit) -> LiveResult:
        """Let what a fresh start put away stand again, behind what runs there."""

        async def tell(text: str) -> None:
            await self.post.say_or_log(session, text)

        audit = by.replace(action=f"undo {FRESH_START}", undo=None)
        self.undo(target.key, UndoReset(audit, by.at - UNDO_MS, tell, language_spoken()))
        return LiveResult(say("fixes.undone"))

    def verify(self, session: StoredSession, target: TargetChannel, name: str) -> None:
        """Tell of the next answer in a channel that something was changed for."""
        self.watch.wait_for(session, target.key, name)

    async def _reload(self, session: StoredSession, name: str) -> None:
        said = await self.reload()
        head = say("fixes.reloaded", time=clock_time(self.clock.now()), handle=name)
        await self.post.say_or_log(session, f"{head}\n{said}")

    async def _answer(self, session: StoredSession, rows: Sequence[int], name: str) -> LiveResult:
        # the right over the channel of each was asked for with the press
        queued: list[int] = []
        for row in rows:
            stored = await self.waiting.open(row)
            if stored is not None and (again := await self.requeue(row)):
                self.watch.forget(stored.key)
                queued.append(again)
        if not queued:
            return LiveResult(say("fixes.none-can-be-answered"))
        self.tasks.spawn(f"follow {queued[0]}", self._follow(session, queued, name))
        if left := len(rows) - len(queued):
            text = say("fixes.answering-some", count=len(queued), left=left, handle=name)
        else:
            text = say("fixes.answering", count=len(queued), handle=name)
        return LiveResult(say("fixes.done"), ThreadReply(text))

    async def _follow(self, session: StoredSession, rows: Sequence[int], name: str) -> None:
        ends = await asyncio.gather(*(self.waiting.outcome(row, FOLLOW_SECONDS) for row in rows))
        lines = [self.waiting.line(row, end, FOLLOW_SECONDS) for row, end in zip(rows, ends, strict=True)]
        if len(lines) == 1:
            await self.post.say_or_log(session, f"{lines[0]} · {name}")
            return
        outcomes = [end.outcome if end is not None else None for end in ends]
        # what was put together with the message behind it is answered with that one, or is not
        joined, answered = outcomes.count(Outcome.SUPERSEDED), outcomes.count(Outcome.REPLIED)
        apart = {Outcome.SUPERSEDED, Outcome.REPLIED}
        others = [line for line, outcome in zip(lines, outcomes, strict=True) if outcome not in apart]
        heads = [
            say(
                "fixes.answered-of",
                mark="✓" if answered else "✗",
                time=clock_time(self.clock.now()),
                answered=answered,
                all=len(lines) - joined,
                handle=name,
            )
        ]
        heads += [say("fixes.read-together", count=joined)] if joined else []
        more = (say("fixes.and-more", count=len(others) - _MAX_TOLD),) if len(others) > _MAX_TOLD else ()
        await self.post.say_or_log(session, "\n".join((*heads, *others[:_MAX_TOLD], *more)))

    async def _shorten(self, session: StoredSession, target: TargetChannel, name: str) -> None:
        where, freed = one_line_name(target.name, 20), await self.compact(target.key)
        newest = await self.compactions.recent(target.key, 1)
        if freed is None or not newest:
            text = f"{say('fixes.not-shortened', place=where, handle=name)}\n{say('fixes.nothing-older')}"
            await self.post.say_or_log(session, text)
            return
        shown = handle(HandleKind.COMPACTION, newest[0].id)
        label = say("fixes.undo-what", what=shown)
        undo: tuple[Button, ...] = (self.buttons.row(session, ButtonVerb.PREVIEW_UNDO_COMPACTION, label, newest[0].id),)
        at = clock_time(self.clock.now())
        text = say("fixes.shortened", time=at, place=where, tokens=freed, what=shown, handle=name)
        await self.post.say_or_log(session, text, undo)
