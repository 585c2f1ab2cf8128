"""Take the presses of the web page: the same as in the chat, and what they changed is told there as well."""

from __future__ import annotations

from dataclasses import dataclass

import structlog

from bot.cortex.fixes.fix_runner import PressResult
from bot.cortex.inspection.diagnosis_runner import DiagnosisRunner
from bot.cortex.service.cortex import is_refused_press, tell_press
from bot.cortex.service.press_handler import PressHandler
from bot.cortex.sessions import button_signing
from bot.cortex.sessions.button_signing import ButtonVerb
from bot.cortex.sessions.thread_poster import ThreadPoster
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import PersonKey
from bot.domain.messages import ButtonPress
from bot.errors import UserError
from bot.runtime.logs import NO_CORRELATION
from bot.runtime.rate_limiter import RateLimiter
from bot.sentences import say

log = structlog.get_logger(__name__)

CHANGING_VERBS = frozenset({ButtonVerb.CONFIRM, ButtonVerb.UNDO, ButtonVerb.ANSWER})
"""What is said of these is a receipt, and no page."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PagePresses:
    """Counts with the presses of the chat: `looks` says how often somebody may press at either."""

    presses: PressHandler
    inquiry: DiagnosisRunner
    post: ThreadPoster
    looks: RateLimiter[PersonKey]

    async def take(self, press: ButtonPress) -> PressResult:
        """Do what a press asks for, if its presser may, now; return what is to be shown to them."""
        if not self.looks.take(press.person):
            return PressResult(say("cortex.too-fast"))
        signed = button_signing.read(press.data)
        session = handle(HandleKind.SESSION, signed.session) if signed is not None else NO_CORRELATION
        with structlog.contextvars.bound_contextvars(correlation=session):
            try:
                done = await self.presses.take(press, self.inquiry)
            except UserError as error:
                done = PressResult(str(error))
            if is_refused_press(done.answer):
                log.info("refused", what="press", channel=press.channel, user=press.person.user_id)
            if done.meant is not None:
                # it reads what was typed in the chat anew
                return PressResult(say("cortex.not-kept"))
            if signed is not None and signed.verb in CHANGING_VERBS:
                await tell_press(self.post, done)
        return done
