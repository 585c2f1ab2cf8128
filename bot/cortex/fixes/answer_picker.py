"""Choose who of those who waited is answered: a list with a button for each, and an offer for those who were chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from bot.cortex.fixes.fix_menu import FixMenu
from bot.cortex.fixes.fix_runner import PressResult
from bot.cortex.sessions.button_signing import ButtonVerb, SignedButton
from bot.cortex.sessions.buttons import ButtonFactory, pick_of
from bot.cortex.sessions.thread_poster import ThreadPoster, person_of
from bot.cortex.targets import texts
from bot.cortex.targets.target_resolver import TargetChannel, TargetResolver
from bot.domain.finding import AnswerWaiting, StoredSession
from bot.domain.ids import PersonKey
from bot.domain.ledger import StoredInbound
from bot.domain.messages import Button
from bot.errors import DeliveryError, UserError
from bot.ports.store import Store
from bot.prompts import render
from bot.runtime.lru_cache import LRUCache
from bot.sentences import say
from bot.text.text import one_line_name
from bot.text.times import clock_time

_MAX_LISTS = 200
_MAX_NAME_CHARS = 24


class _Waiting(NamedTuple):
    """Somebody on a list: at which place, and their messages that still wait, oldest first."""

    place: int
    name: str
    messages: Sequence[StoredInbound]


@dataclass(frozen=True, kw_only=True, eq=False)
class AnswerPicker:
    """Shows one message that is edited; what was chosen stands in its buttons, so that nothing has to be kept."""

    store: Store
    buttons: ButtonFactory
    targets: TargetResolver
    menu: FixMenu
    post: ThreadPoster
    _shown: LRUCache[int, str] = field(init=False, default_factory=lambda: LRUCache(_MAX_LISTS))
    """The message in which the list of an offer stands."""

    async def press(self, signed: SignedButton, session: StoredSession, target: TargetChannel) -> PressResult:
        """Show the list as it was pressed, or offer to answer those who were chosen; raise UserError."""
        offer, chosen = pick_of(signed.argument)
        people = await self._people(offer, session)
        if not people:
            raise UserError(say("fixes.nobody-waits"))
        if signed.verb is ButtonVerb.PICK_WAITING:
            return await self._show(session, target, offer, chosen, people)
        rows = [one for person in people if chosen >> person.place & 1 for one in person.messages]
        rows.sort(key=lambda one: one.id, reverse=True)
        return PressResult("", session, await self.menu.answer(session, target, rows, chooses=False))

    async def _people(self, offer: int, session: StoredSession) -> Sequence[_Waiting]:
        """Return who on the list of an offer still waits, where the admin may look now."""
        stored = await self.store.offers.of_row(offer)
        is_of_session = stored is not None and stored.body.session == session.id
        fix = stored.body.fix if stored is not None and is_of_session else None
        if not isinstance(fix, AnswerWaiting):
            raise UserError(say("cortex.no-such-record"))
        listed: dict[PersonKey, list[StoredInbound]] = {}
        said = [one for row in fix.rows if (one := await self.store.ledger.inbound(row)) is not None]
        allowed = await self.targets.inspectable(person_of(session), (one.key for one in said))
        for one in said:
            # whoever is answered meanwhile keeps their place, by which a button knows them
            messages = listed.setdefault(one.inbound.person, [])
            if one.key in allowed and await self.menu.waiting.open(one.id) is not None:
                messages.append(one)
        return [
            _Waiting(place, one_line_name(messages[-1].inbound.author.name, _MAX_NAME_CHARS), messages)
            for place, messages in enumerate(listed.values())
            if messages
        ]

    async def _show(
        self, session: StoredSession, target: TargetChannel, offer: int, chosen: int, people: Sequence[_Waiting]
    ) -> PressResult:
        text = render(
            "cortex/who_waits",
            where=texts.channel_word(target),
            people=[
                (bool(chosen >> one.place & 1), one.name, len(one.messages), clock_time(one.messages[0].arrived_at))
                for one in people
            ],
        )
        buttons = self._buttons(session, offer, chosen, people)
        try:
            message = await self._put(session, text, buttons, self._shown.get(offer) or "")
        except DeliveryError:
            return PressResult(say("cortex.unreachable"))
        self._shown.put(offer, message)
        return PressResult("")

    async def _put(self, session: StoredSession, text: str, buttons: tuple[Button, ...], message: str) -> str:
        if message:
            try:
                return await self.post.show(session, text, buttons, message)
            except DeliveryError as error:
                if not error.permanent:
                    raise
        return await self.post.show(session, text, buttons)

    def _buttons(
        self, session: StoredSession, offer: int, chosen: int, people: Sequence[_Waiting]
    ) -> tuple[Button, ...]:
        make, pick = self.buttons.pick, ButtonVerb.PICK_WAITING
        made = [
            make(session, pick, f"{_mark(chosen, one)} {one.name}", offer, chosen ^ (1 << one.place)) for one in people
        ]
        count = sum(len(one.messages) for one in people if chosen >> one.place & 1)
        if count:
            label = say("fixes.answer-picked", count=count)
            made.append(make(session, ButtonVerb.ANSWER_PICKED, label, offer, chosen))
        return tuple(made)


def _mark(chosen: int, one: _Waiting) -> str:
    return "✓" if chosen >> one.place & 1 else "○"
