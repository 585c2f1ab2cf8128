"""What is known of the ways to the platforms, for those who send."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from bot.domain.health import AdapterState
from bot.domain.turn import StoredOutbox
from bot.messaging.delivery.retry_policy import RouteStatus
from bot.ports.platform import Platform


class Routes(NamedTuple):
    """The ways to the platforms; none leads to one that is not connected."""

    platforms: Mapping[str, Platform]

    def of(self, row: StoredOutbox, *, is_shut: bool) -> RouteStatus:
        """Return the way of a chunk."""
        platform, is_edit = self.platforms.get(row.body.to.platform), bool(row.body.edits)
        if platform is None:
            return RouteStatus(is_edit)
        return RouteStatus(is_edit or platform.capabilities.idempotent_sends, platform.health().code, is_shut)

    def is_well(self, name: str) -> bool:
        """Say whether an adapter finds that its platform can be reached."""
        platform = self.platforms.get(name)
        return platform is not None and platform.health().state is AdapterState.UP

    def pace_parts(self, name: str) -> int:
        """Return `Capabilities.pace_parts` of a platform."""
        platform = self.platforms.get(name)
        return platform.capabilities.pace_parts if platform is not None else 0
