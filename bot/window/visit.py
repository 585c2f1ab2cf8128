"""One look at one page: who looks, and the doors through which chat and command line look too."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from types import MappingProxyType
from typing import Any, NamedTuple

from bot.context.compaction.plan import CompactionThresholds
from bot.cortex.pages.context_capture import ContextCapturer
from bot.cortex.pages.memory_audit import MemoryAudit
from bot.cortex.pages.memory_spread_page import MemorySpreadPages
from bot.cortex.pages.version_pages import VersionPages
from bot.cortex.targets.record_viewer import RecordViewer
from bot.cortex.targets.target_parser import TargetParser
from bot.cortex.targets.target_resolver import ResolvedTarget, TargetChannel, TargetResolver
from bot.diagnostics.collect.collector import EvidenceQuery
from bot.domain.access import AccessRight, Authority, Caller
from bot.domain.finding import Diagnosis
from bot.domain.health import ProbeResult
from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.errors import UserError
from bot.ports.clock import Clock
from bot.ports.store import Store
from bot.sentences import say
from bot.text.redaction import Redactor
from bot.window.channel_board import ChannelBoard
from bot.window.recent_captures import RecentCaptures

NOWHERE = ChannelKey(MAIN, ChannelId(""))
"""A page is looked at from no channel: nothing is `here`."""


@dataclass(frozen=True, kw_only=True, eq=False)
class WindowSources:
    """What pages are made of; each is the one that answers the same question elsewhere."""

    store: Store
    clock: Clock
    targets: TargetResolver
    looking: ContextCapturer
    opener: RecordViewer
    memories: MemoryAudit
    versions: VersionPages
    spreads: MemorySpreadPages
    redactor: Redactor
    thresholds: Callable[[], CompactionThresholds | None]
    diagnose: Callable[[TargetChannel, EvidenceQuery], Awaitable[Diagnosis]]
    examine: Callable[..., Awaitable[tuple[int, Sequence[ProbeResult]]]]
    """Probes every part, and the channels that are named; says when that was."""
    captures: RecentCaptures
    board: ChannelBoard
    """What the overview has just shown, for everybody who looks at the same moment."""

    @property
    def parser(self) -> TargetParser:
        """What reads handles and names."""
        return self.targets.finder


class LookForm(Enum):
    """How much of a screen is asked for: all of it as values, a page, or the part of a page that is scrolled to."""

    WHOLE = auto()
    PAGE = auto()
    PART = auto()


class Visit(NamedTuple):
    """Who looks now, and at what. Their rights are asked for by each screen, at each look."""

    sources: WindowSources
    caller: Caller
    name: str = ""
    query: Mapping[str, str] = MappingProxyType({})
    form: LookForm = LookForm.PAGE

    async def channel(self, right: AccessRight = AccessRight.INSPECT) -> ResolvedTarget:
        """Return the channel that the address names; raise UserError where there is none for this person."""
        return await self.find(self.query.get("of", ""), right)

    async def find(self, named: str, right: AccessRight = AccessRight.INSPECT) -> ResolvedTarget:
        """Return what is named, a channel or a record of one; raise UserError where there is none for this person."""
        return await self.sources.targets.find(self.caller.person, named, NOWHERE, right)

    def check_admin(self) -> None:
        """Raise UserError for moderators, who look through memories and at nothing else."""
        if self.caller.authority < Authority.ADMIN:
            raise UserError(say("cortex.no-such-record"))

    @property
    def is_read(self) -> bool:
        """Whether somebody reads it; else it is for a program."""
        return self.form is not LookForm.WHOLE

    @property
    def page(self) -> int:
        """Which page of a list is meant."""
        said = self.query.get("page", "")
        return min(10_000, max(1, int(said))) if said.isascii() and said.isdigit() and len(said) < 6 else 1


Screen = Callable[[Visit], Awaitable[dict[str, Any]]]
"""Returns what a page shows, as plain values: the page is made of them and of nothing else."""


def address_of(key: ChannelKey) -> str:
    """Return how a channel is named in addresses."""
    return f"{key.agent}/{key.channel}"
