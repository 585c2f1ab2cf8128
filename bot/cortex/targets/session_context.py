"""Who asks the cortex for something, and about what."""

from __future__ import annotations

from typing import NamedTuple

from bot.cortex.targets.target_parser import ParsedTarget
from bot.cortex.targets.target_resolver import TargetChannel
from bot.domain.access import Caller
from bot.domain.finding import NewAudit, StoredSession
from bot.domain.handles import HandleKind, handle
from bot.text.text import one_line_name


class SessionContext(NamedTuple):
    """Who asks, in which session, about which channel, and about what of it.

    `replied` is the message of that channel that they replied to (empty: none). `asked` is the row of the message
    that asks (0: a press does).
    """

    caller: Caller
    session: StoredSession
    target: TargetChannel
    meant: ParsedTarget
    replied: str = ""
    asked: int = 0

    @property
    def reader(self) -> str:
        """Name whoever a file is made for and the session that it was made in."""
        person, session = self.caller.person, handle(HandleKind.SESSION, self.session.id)
        return f"{one_line_name(self.caller.name, 64)} ({person.platform} id {person.user_id}), session {session}"

    def looked(self, at: int, action: str, detail: str) -> NewAudit:
        """Return the audit row of a look."""
        return NewAudit(
            at=at,
            platform=self.caller.person.platform,
            actor=self.caller.person.user_id,
            actor_name=self.caller.name,
            action=action,
            target=self.target.key.channel,
            detail=detail,
            session=self.session.id,
        )
