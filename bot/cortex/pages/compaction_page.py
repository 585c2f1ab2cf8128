"""Show how a history was shortened: what went, what came, what is missing in it, and what can be taken back."""

from __future__ import annotations

from dataclasses import dataclass

from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.sessions.button_signing import ButtonVerb
from bot.cortex.sessions.buttons import ButtonFactory
from bot.cortex.targets.target_resolver import TargetChannel, TargetResolver
from bot.cortex.targets.texts import title
from bot.cortex.words.compaction_lines import line, name_of
from bot.domain.finding import StoredSession
from bot.domain.handles import parse_handle
from bot.domain.ids import PersonKey
from bot.errors import UserError
from bot.ports.clock import Clock
from bot.ports.compactions import CompactionStore, StoredCompaction
from bot.sentences import say
from bot.text.times import age

_MAX_COMPACTIONS = 20
_MAX_BUTTONS = 3


@dataclass(frozen=True)
class CompactionList:
    """Lists compactions, with buttons for those that can be undone."""

    compactions: CompactionStore
    targets: TargetResolver
    buttons: ButtonFactory
    clock: Clock

    async def listed(self, session: StoredSession, target: TargetChannel) -> ThreadReply:
        """Show the newest ones of a channel, newest first."""
        found = await self.compactions.recent(target.key, _MAX_COMPACTIONS)
        if not found:
            return ThreadReply(f"{title(target, say('pages.compactions'))}\n{say('pages.nothing-shortened')}")
        now = self.clock.now()
        lines = [say("pages.ago", line=line(one), age=age(now - one.body.at)) for one in found]
        standing = [one for one in found if one.state.stands][:_MAX_BUTTONS]
        buttons = [
            self.buttons.row(
                session, ButtonVerb.PREVIEW_UNDO_COMPACTION, say("pages.undo", handle=name_of(one)), one.id
            )
            for one in standing
        ]
        return ThreadReply("\n".join((title(target, say("pages.compactions")), *lines)), tuple(buttons))

    async def find(self, person: PersonKey, name: str) -> tuple[StoredCompaction, TargetChannel]:
        """Return a compaction by its handle, with its channel; raise UserError where there is none for this person."""
        parsed = parse_handle(name)
        stored = await self.compactions.by_handle(parsed) if parsed else None
        target = await self.targets.of(stored.body.key) if stored else None
        if stored is None or target is None or not await self.targets.may_inspect(person, target):
            raise UserError(say("cortex.no-such-record"))
        return stored, target
