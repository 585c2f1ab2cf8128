"""Tell somebody why their own message got no answer: the cause alone, in words that say nothing of anybody else."""

from __future__ import annotations

from dataclasses import dataclass

from bot.cortex.inspection.diagnosis_runner import DiagnosisRunner
from bot.cortex.targets.target_resolver import TargetChannel
from bot.diagnostics.collect.choose_message import choose
from bot.diagnostics.collect.collector import EvidenceQuery
from bot.diagnostics.collect.lookup import find_message
from bot.domain.finding import Diagnosis
from bot.domain.ledger import Outcome, StoredInbound
from bot.ports.clock import Clock
from bot.ports.store import Store
from bot.prompts import render
from bot.text.times import minute

_MAX_RECENT_MESSAGES = 100
_UNKNOWN, _ANSWERED, _WAITING = "unknown", "answered", "waiting"


@dataclass(frozen=True)
class OwnMessageAnswers:
    """Implements `bot.ports.cortex.MemberAnswers`. Of a diagnosis nothing is shown but which rule it ends at."""

    store: Store
    clock: Clock
    inquiry: DiagnosisRunner

    async def why(self, stored: StoredInbound) -> str:
        """Say why the asker's own message got no answer."""
        about = await self._about(stored)
        if about is None:
            return render("cortex/own_why_nothing", replied=bool(stored.inbound.replies_to))
        inbound = stored.inbound
        here = TargetChannel(stored.key, inbound.channel_name, inbound.place)
        asked = EvidenceQuery(asker=inbound.person, inbound=about.id, asking=stored.id)
        cause = _cause(await self.inquiry.diagnosis(here, asked), about)
        return own_why_text(cause, minute(about.arrived_at))

    async def _about(self, stored: StoredInbound) -> StoredInbound | None:
        """Return the asker's message that is meant; one of somebody else is none."""
        inbound, person = stored.inbound, stored.inbound.person
        if inbound.replies_to:
            replied = await find_message(self.store, stored.key, inbound.replies_to)
            return replied if replied is not None and replied.inbound.person == person else None
        recent = await self.store.ledger.recent(stored.key, _MAX_RECENT_MESSAGES)
        own = [one for one in recent if one.inbound.person == person and one.id != stored.id]
        chosen = choose(own, person, self.clock.now())
        return chosen.inbound if chosen is not None else None


def own_why_text(cause: str, at: str) -> str:
    """Say in words for anybody what a rule found; what no words are for is not told."""
    return render("cortex/own_why", cause=cause, at=at)


def _cause(diagnosis: Diagnosis, about: StoredInbound) -> str:
    if diagnosis.findings:
        return diagnosis.findings[0].rule
    if about.outcome is None:
        return _WAITING
    return _ANSWERED if about.outcome is Outcome.REPLIED else _UNKNOWN
