"""Show an answer while it is written: the newest text, now and then, in one message that the finished answer takes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cached_property

import structlog

from bot.config.schema import ConversationConfig
from bot.domain.channel_moves import ChannelMoves
from bot.domain.ids import ChannelId
from bot.domain.turn import NewOutbox, StoredOutbox
from bot.errors import DeliveryError
from bot.messaging.delivery.poster import has_started
from bot.messaging.delivery.previews import MARK_UNITS, WAS_CUT, PreviewMessage, with_mark
from bot.messaging.delivery.retry_policy import SendPacing, code_of
from bot.ports.clock import Clock
from bot.ports.delivery import AnswerStream, PendingAnswer, ShownAnswer
from bot.ports.journal import PreviewStore
from bot.ports.model import OnText
from bot.ports.platform import Platform
from bot.prompts import render
from bot.runtime.tasks import TaskSupervisor
from bot.runtime.timers import PendingTimer, TimerLength, TimerQueue, end_task, spawn_unless_closed
from bot.sentences import said_in
from bot.text.links_as_text import as_text, without_last_link
from bot.text.redaction import RedactedText
from bot.text.splitter import so_far
from bot.text.text import clean

FIRST_SECONDS, FIRST_CHARACTERS = 1.0, 60
"""An answer is shown for the first time when it took so long, or is so long already."""
FIRST_LOOK_SECONDS = 0.3
"""Seconds; an answer that is whole by then was never half, and is sent without a preview."""
MAX_WAIT_SECONDS = 3.0
"""Seconds of real time that a finished answer waits for a preview that is on its way."""
LONG_SECONDS = 20.0
"""Seconds of real time after which people who have seen nothing yet are told that it takes longer."""
_LOOK_SECONDS = 0.1
_MAX_READ_MESSAGES = 4
"""Messages' worth of text that a preview is made from; secrets among it take less room than they had."""
log = structlog.get_logger(__name__)

BEGIN_AFTER_SECONDS = 0.5
"""Seconds; whoever is answered sooner sees only the answer."""
_SPACING_SECONDS = 0.05
"""Seconds between two that begin: of the 30 calls a second that Telegram takes from a bot, most are left to answers.

https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this
"""
_RENEW_AT = 0.8
_MAX_END_SECONDS = 2.0
_PATIENCE_SECONDS = _MAX_END_SECONDS + 0.5
"""Seconds that an answer waits for the end of its mark: an adapter that does not let go of it shall hold up nobody."""


class TypingMarks:
    """The marks of all turns; most turns end before theirs begins."""

    def __init__(self, clock: Clock, tasks: TaskSupervisor) -> None:
        self.clock = clock
        self.tasks = tasks
        # who shows one now, and since when (UTC ms); one whose turn is over is a finding
        self.shown: dict[asyncio.Task[None], tuple[ChannelId, int]] = {}
        # a mark is worth no answer: when answers wait for the loop, marks wait for them
        self.alarms = TimerQueue(
            "typing", TimerLength(BEGIN_AFTER_SECONDS, _SPACING_SECONDS), clock, tasks, gives_way=True
        )

    def since(self, channel: ChannelId) -> int:
        """Say when the mark began that is shown in a channel, UTC ms; 0 when none is."""
        return min((at for where, at in self.shown.values() if where == channel), default=0)


class TypingMark:
    """The mark of one turn, from a while after this is made to `end`."""

    def __init__(
        self, marks: TypingMarks, platform: Platform, channel: ChannelId, is_needed: Callable[[], bool]
    ) -> None:
        self._marks = marks
        self._platform = platform
        self._channel = channel
        self._is_needed = is_needed
        self._kept: asyncio.Task[None] | None = None
        self._alarm = marks.alarms.set(self._begin)

    async def end(self) -> None:
        """Take the mark away, or let it never begin."""
        self._marks.alarms.off(self._alarm)
        await end_task(self._kept, _PATIENCE_SECONDS)

    def _begin(self) -> None:
        work = keep_typing(self._platform, self._channel, self._marks.clock, self._is_needed)
        self._kept = spawn_unless_closed(self._marks.tasks, f"typing in {self._channel}", work)
        if self._kept is not None:
            self._marks.shown[self._kept] = self._channel, self._marks.clock.now()
            self._kept.add_done_callback(lambda task: self._marks.shown.pop(task, None))


async def keep_typing(platform: Platform, channel: ChannelId, clock: Clock, is_needed: Callable[[], bool]) -> None:
    """Show the mark and renew it before it fades, until nobody needs it or this is cancelled; then take it away."""
    if not is_needed():
        return
    try:
        while is_needed():
            await _set(platform, channel, True)
            await clock.sleep(platform.capabilities.typing_seconds * _RENEW_AT)
    finally:
        try:
            async with asyncio.timeout(_MAX_END_SECONDS):
                await _set(platform, channel, False)
        except TimeoutError:
            log.info("typing_not_ended", channel=channel)


async def _set(platform: Platform, channel: ChannelId, on: bool) -> None:
    try:
        await platform.set_typing(channel, on)
    except DeliveryError as error:
        log.info("typing_refused", channel=channel, code=code_of(error))
    except Exception as error:
        # a mark is worth no answer, whatever is wrong with the adapter
        log.error("typing_failed", channel=channel, error_type=type(error).__name__, exc_info=error)


@dataclass(frozen=True, kw_only=True, eq=False)
class AnswerStreams:
    """Opens a stream for each turn; a turn that is run again goes on in the message of the one before.

    `redact` is the one redactor's method for texts that go on; `say` is the one door's. `is_free` says whether nothing
    waits to be sent in a channel. `moves` says where channels are now. `is_at_work`: no other process has taken over.
    """

    previews: PreviewStore
    clock: Clock
    tasks: TaskSupervisor
    pacing: SendPacing
    rules: ConversationConfig
    redact: Callable[[str], RedactedText]
    say: Callable[[NewOutbox], Awaitable[object]]
    is_free: Callable[[ChannelId], bool]
    moves: Callable[[], ChannelMoves]
    is_at_work: Callable[[], bool]
    _left: dict[tuple[ChannelId, str], StoredOutbox] = field(init=False, default_factory=dict)

    @cached_property
    def _marks(self) -> TypingMarks:
        return TypingMarks(self.clock, self.tasks)

    @cached_property
    def first_looks(self) -> TimerQueue:
        """When streams look for the first time whether there is something to show."""
        # what waits for the loop is often whole already: half of it would only cost the others their answers
        return TimerQueue("first looks", TimerLength(FIRST_LOOK_SECONDS), self.clock, self.tasks, gives_way=True)

    def typing_since(self, channel: ChannelId) -> int:
        """Say when the typing mark began that is shown in a channel, UTC ms; 0 when none is."""
        return self._marks.since(channel)

    def leave(self, preview: StoredOutbox) -> None:
        """Keep what a dead process had shown until the turn begins that answers the same message."""
        self._left[preview.body.to.channel, preview.body.replies_to] = preview

    def withdraw(self, preview: StoredOutbox, platform: Platform | None) -> None:
        """Take back what a dead process had shown, where nothing follows on it."""
        if platform is None:
            return
        body = preview.body
        answer = PendingAnswer(to=body.to, turn=body.turn, inbound=body.inbound, asked=(body.replies_to,))
        message = self._message(answer, platform)
        message.take_over(preview)
        spawn_unless_closed(self.tasks, "withdraw a preview", self._withdraw(message))

    @asynccontextmanager
    async def writing(self, answer: PendingAnswer, platform: Platform | None) -> AsyncIterator[AnswerStream]:
        """Show that, and as far as possible what, is being written; see `Delivery.writing`."""
        left = self._taken(answer)
        shows = platform is not None and platform.capabilities.streaming and self.rules.streaming
        can_tell = platform is not None and (platform.capabilities.streaming or platform.capabilities.waiting)
        if platform is None or not (can_tell or left or platform.capabilities.typing):
            yield SILENT_STREAM
            return
        message = self._message(answer, platform)
        for older in left[:-1]:
            self.withdraw(older, platform)
        for newest in left[-1:]:
            message.take_over(newest)
        stream = MessageStream(self, answer, message)
        stream.shows_text = shows
        if can_tell:
            stream.tell_later()
        has_mark = platform.capabilities.typing
        mark = TypingMark(self._marks, platform, answer.to.channel, lambda: not stream.is_read) if has_mark else None
        try:
            yield stream
        finally:
            await stream.stop()
            if mark is not None:
                await mark.end()

    def _message(self, answer: PendingAnswer, platform: Platform) -> PreviewMessage:
        return PreviewMessage(
            answer=answer,
            platform=platform,
            previews=self.previews,
            clock=self.clock,
            pacing=self.pacing,
            say=self.say,
            moves=self.moves,
            is_at_work=self.is_at_work,
        )

    async def _withdraw(self, message: PreviewMessage) -> None:
        await has_started(message.platform, self.clock)
        await message.take_back()

    def _taken(self, answer: PendingAnswer) -> list[StoredOutbox]:
        keys = [(answer.to.channel, asked) for asked in answer.asked] if self._left else []
        return [found for key in keys if (found := self._left.pop(key, None))]


class SilentStream:
    """Shows nothing: the platform cannot, or it must not."""

    has_shown = False

    def listen(self) -> OnText:
        """Return what lets every piece pass by."""
        return _ignore

    async def stop(self) -> ShownAnswer:
        """Return that nothing was shown."""
        return ShownAnswer()

    def withdraw(self) -> None:
        """There is nothing to take back."""


SILENT_STREAM = SilentStream()


class MessageStream:
    """Implements `bot.ports.delivery.AnswerStream` for one turn.

    `is_open`: more may be shown; `shows_text`: of the answer.
    Whoever has seen nothing after a while is told in its place that it takes longer.
    """

    def __init__(self, streams: AnswerStreams, answer: PendingAnswer, message: PreviewMessage) -> None:
        self.is_open = True
        self.shows_text = True
        self._streams = streams
        self._answer = answer
        self._channel = answer.to.channel
        self._most = message.most_units
        self._message = message
        self._pieces: list[str] = []
        self._length = 0
        self._news = asyncio.Event()
        self._first_look: PendingTimer | None = None
        self._long_wait: asyncio.TimerHandle | None = None
        self._is_late = False
        self._line = ""
        self._pump: asyncio.Task[None] | None = None

    @property
    def is_read(self) -> bool:
        """Whether people see a part of the answer."""
        return self._message.is_visible and not self._line

    @property
    def has_shown(self) -> bool:
        """Whether people may see something by now."""
        return self._message.is_visible or self._message.is_posting

    def tell_later(self) -> None:
        """Tell people that it takes longer, if they have seen nothing by then."""
        self._long_wait = asyncio.get_running_loop().call_later(LONG_SECONDS, self._tell)

    def listen(self) -> OnText:
        """Begin to show a text, in the place of an earlier one; return what takes its pieces."""
        if not (self.is_open and self.shows_text):
            return _ignore
        mine = self._pieces = []
        self._length = 0

        def heard(piece: str) -> None:
            if mine is self._pieces and self.is_open:
                mine.append(piece)
                self._length += len(piece)
                self._wake()

        return heard

    async def stop(self) -> ShownAnswer:
        """Show nothing more; return what there is, once no change of it is under way."""
        self.is_open = False
        if self._first_look is not None:
            self._streams.first_looks.off(self._first_look)
        if self._long_wait is not None:
            self._long_wait.cancel()
        pump, message = self._pump, self._message
        if pump is not None and not pump.done():
            if message.is_posting:
                await asyncio.wait([pump], timeout=MAX_WAIT_SECONDS)
            if message.is_posting:
                message.tear()
            await end_task(pump)
        await message.close()
        if not message.editable:
            return ShownAnswer()
        return ShownAnswer(message.editable, "" if self._line else with_mark(message.text, WAS_CUT))

    def withdraw(self) -> None:
        """Take back in the background what no part of the answer has taken the place of."""
        self.is_open = False
        if self._message.is_visible:
            spawn_unless_closed(
                self._streams.tasks, f"withdraw a preview in {self._channel}", self._message.take_back()
            )

    def _wake(self) -> None:
        # an answer that comes at once is over before anybody looks
        if self._first_look is None:
            self._first_look = self._streams.first_looks.set(self._begin)
        self._news.set()

    def _begin(self) -> None:
        if self._pump is not None:
            return
        self._pump = spawn_unless_closed(self._streams.tasks, f"stream to {self._channel}", self._show_on())
        self.is_open = self.is_open and self._pump is not None

    def _tell(self) -> None:
        """Let the line be shown while there is nothing else to see; one that fades is shown again and again."""
        self._long_wait = None
        if not self.is_open or self.is_read or not self._answer.is_awaited():
            return
        self._is_late = True
        self._begin()
        self._news.set()

    async def _show_on(self) -> None:
        """Show what there is whenever it is time; whatever was between two looks is left out."""
        clock, message = self._streams.clock, self._message
        until = clock.monotonic() + FIRST_SECONDS - FIRST_LOOK_SECONDS
        while self._length < FIRST_CHARACTERS and clock.monotonic() < until:
            await clock.sleep(_LOOK_SECONDS)
        next_look = 0.0
        while self.is_open:
            await self._news.wait()
            await self._turn_comes(next_look)
            self._news.clear()
            text = self._presentable()
            if text and (text != message.text or self._line):
                self.is_open = await message.show(text, lambda: self.is_open) and self.is_open
                if message.text != text:
                    self._news.set()
                else:
                    self._is_late, self._line = False, ""
            elif self._is_late and not self.is_read:
                await self._show_line()
            next_look = clock.monotonic() + self._streams.rules.stream_seconds

    async def _show_line(self) -> None:
        message, line = self._message, said_in(self._answer.language, lambda: render("waiting"))
        self._is_late = False
        # set before it is seen, because the typing mark goes on beside it
        self._line = line
        self.is_open = await message.show(line, self._is_still_awaited) and self.is_open
        if message.text != line:
            self._line = ""
        elif message.fades and self.is_open:
            self.tell_later()

    def _is_still_awaited(self) -> bool:
        return self.is_open and self._answer.is_awaited()

    async def _turn_comes(self, next_look: float) -> None:
        clock, pacing = self._streams.clock, self._streams.pacing
        # what stands first is read first: an earlier answer that is still on its way must not be overtaken
        message = self._message
        while self.is_open and not message.is_visible and not self._streams.is_free(message.where.channel):
            await clock.sleep(_LOOK_SECONDS)
        while (wait := max(pacing.wait(message.where.channel, now := clock.monotonic()), next_look - now)) > 0:
            await clock.sleep(wait)

    def _presentable(self) -> str:
        """Return what of the text may be seen: whole words and links, no beginning of a secret, one message at most."""
        text = clean("".join(self._pieces)[: _MAX_READ_MESSAGES * self._most]).text
        seen, room = self._streams.redact(text).text.rstrip(), self._most - MARK_UNITS
        # a link that goes on may lead elsewhere in the end
        seen = without_last_link(seen)
        shown = as_text(seen, self._answer.as_text(seen), lambda text: (so_far(text, room, self._message.most_marks),))
        return shown[0]


def _ignore(piece: str) -> None:
    """Let a piece pass by that nobody sees."""
