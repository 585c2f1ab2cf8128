"""Keep recorded turns as checks: what should be decided, a list, and what is kept no longer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.proving.proof_plan import ProofPlanner
from bot.cortex.sessions.button_signing import ButtonVerb
from bot.cortex.sessions.buttons import ButtonFactory
from bot.cortex.targets import texts
from bot.cortex.targets.session_context import SessionContext
from bot.domain.decision_check import DecisionCheck
from bot.domain.handles import HandleKind, handle
from bot.domain.turn import StoredRequest
from bot.errors import UserError
from bot.ports.clock import Clock
from bot.ports.store import Store
from bot.prompts import render
from bot.replay.decision_checks import expected_words
from bot.replay.replayed_decision import DecisionKind, ReplayedDecision
from bot.sentences import say
from bot.text.times import age

_MOST_LISTED = 20
_CHOICES = 4
_MAX_ROW = 2**38


class KeptCheck(NamedTuple):
    """A check of a channel; `stored` is None where the request is not on record any more."""

    check: DecisionCheck
    stored: StoredRequest | None


@dataclass(frozen=True)
class CheckPages:
    """Answers of commands and buttons; no model is asked."""

    store: Store
    clock: Clock
    planner: ProofPlanner
    buttons: ButtonFactory

    async def ask_what_is_right(self, talk: SessionContext, row: int) -> ThreadReply:
        """Ask what should have been decided of a request, with a button for each answer."""
        replay = await self.planner.replay(row, talk.target.key)
        decided = replay.decision()
        name = handle(HandleKind.REQUEST, row)
        text = render("replay/check", kind="which", request=name, did=_named(decided), channel=_channel(talk))
        buttons = [
            self.buttons.row(talk.session, ButtonVerb.EXPECT_DECISION, label, row * _CHOICES + at)
            for at, _, label in _choices(decided)
            if row < _MAX_ROW
        ]
        return ThreadReply(text, tuple(buttons))

    async def keep(self, talk: SessionContext, argument: int) -> ThreadReply:
        """Keep what a button names; raise UserError where that cannot be asked for again."""
        row, wanted = divmod(argument, _CHOICES)
        replay = await self.planner.replay(row, talk.target.key)
        expected = next((name for at, name, _ in _choices(replay.decision()) if at == wanted), "")
        if not expected:
            raise UserError(say("cortex.no-such-record"))
        person, now, name = talk.caller.person, self.clock.now(), handle(HandleKind.REQUEST, row)
        check = DecisionCheck(request=row, expected=expected, platform=person.platform, actor=person.user_id, at=now)
        await self.store.checks.keep(check)
        await self.store.audit.append(talk.looked(now, "check", f"{name} {expected}"))
        shown = expected_words(expected)
        return ThreadReply(render("replay/check", kind="kept", request=name, expected=shown, channel=_channel(talk)))

    async def listed(self, talk: SessionContext) -> ThreadReply:
        """List the checks of a channel."""
        found = await self._of_channel(talk)
        now = self.clock.now()
        lines = [
            render(
                "replay/check",
                kind="line",
                request=handle(HandleKind.REQUEST, one.check.request),
                expected=expected_words(one.check.expected),
                age=age(now - one.check.at),
                gone=one.stored is None,
            )
            for one in found[-_MOST_LISTED:]
        ]
        more = max(0, len(found) - _MOST_LISTED)
        return ThreadReply(render("replay/check", kind="list", channel=_channel(talk), lines=lines, more=more))

    async def drop(self, talk: SessionContext, name: str) -> ThreadReply:
        """Keep a check of this channel no longer; raise UserError where there is none."""
        check = await self.named(talk, name)
        if not await self.store.checks.drop(check.request):
            raise UserError(render("replay/check", kind="none", request=name))
        await self.store.audit.append(talk.looked(self.clock.now(), "check dropped", name))
        return ThreadReply(render("replay/check", kind="dropped", request=name))

    async def named(self, talk: SessionContext, name: str) -> DecisionCheck:
        """Return a check of this channel by the handle of its request; raise UserError where there is none."""
        found = [one.check for one in await self._of_channel(talk)]
        meant = [one for one in found if handle(HandleKind.REQUEST, one.request) == name]
        if not meant:
            raise UserError(render("replay/check", kind="none", request=name))
        return meant[-1]

    async def _of_channel(self, talk: SessionContext) -> list[KeptCheck]:
        found: list[KeptCheck] = []
        for check in await self.store.checks.kept():
            stored = await self.store.journal.request(check.request)
            # a request whose words are gone is known by its number alone, and shown where its keeper asks
            is_here = stored is not None and (stored.record.agent, stored.record.channel) == talk.target.key
            if is_here or (stored is None and check.person == talk.caller.person):
                found.append(KeptCheck(check, stored))
        return found


def _choices(decided: ReplayedDecision | None) -> Iterator[tuple[int, str, str]]:
    """Yield what may be right: its number, the decision's name, and what the button says."""
    names = {1: DecisionKind.REPLIED.value, 2: DecisionKind.SKIPPED.value}
    did = decided.name if decided is not None else ""
    if did:
        yield 0, did, say("check_pages.as-it-did", did=expected_words(did))
    for at, name in names.items():
        if name != did:
            answers = name == DecisionKind.REPLIED.value
            yield at, name, say("check_pages.should-answer" if answers else "check_pages.should-be-silent")


def _named(decided: ReplayedDecision | None) -> str:
    return expected_words(decided.name) if decided is not None else ""


def _channel(talk: SessionContext) -> str:
    return texts.channel_word(talk.target)
