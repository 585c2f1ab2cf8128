"""Let the owners know when another program speaks with the bot's account: then people get two answers."""

from __future__ import annotations

from bot.domain.ids import platform_of
from bot.domain.ledger import StoredInbound
from bot.domain.messages import EventKind, Inbound
from bot.messaging.delivery.poster import AdminAlert
from bot.ports.clock import Clock
from bot.ports.store import Store
from bot.prompts import render
from bot.runtime.tasks import Tasks
from bot.text.text import one_line_name
from bot.text.times import clock_time

WAS_FIRST = "was first"
"""What a platform tells of another program whose answer it took in the place of ours."""
CHANGED = "changed"
"""What it tells of one that changed a message of ours."""


class SecondProgram:
    """Alerts at the first message that an adapter knows not to be from here. An earlier process is no other program."""

    def __init__(self, store: Store, clock: Clock, tasks: Tasks, alert: AdminAlert) -> None:
        self._store = store
        self._began = clock.now()
        self._tasks = tasks
        self._alert = alert

    def heard(self, stored: StoredInbound) -> None:
        """Take an arrival that may tell of another program; return at once."""
        event = stored.inbound.event
        if event is not None and event.kind is EventKind.SECOND_PROGRAM:
            self._tasks.spawn(f"second program {stored.id}", self._tell(stored))

    async def _tell(self, stored: StoredInbound) -> None:
        inbound = stored.inbound
        ours, what = await self._store.outbox.by_message(stored.key, inbound.replies_to), _what(inbound)
        if what == CHANGED:
            if ours is None:
                return  # nobody knows whose it was
        elif ours is not None and ours.created_at < self._began:
            return
        is_private = inbound.place.is_dm or not inbound.place.guild_id
        where = "a private chat" if is_private else one_line_name(inbound.channel_name, 40)
        name = platform_of(inbound.channel)
        text = render("second_program", platform=name, where=where, at=clock_time(stored.arrived_at), what=what)
        kind = "second program changes" if what == CHANGED else "second program"
        await self._alert(text, kind=f"{kind}:{name}")


def _what(inbound: Inbound) -> str:
    return inbound.event.what if inbound.event is not None else ""
