"""Where the bot is: its platforms, the servers and groups that somebody may look into, and its MCP servers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bot.cortex.targets.target_resolver import TargetResolver
from bot.domain.health import AdapterHealth, AdapterState
from bot.domain.ids import PersonKey, platform_of
from bot.ports.channels import ChannelStore, KnownChannel
from bot.ports.clock import Clock
from bot.sentences import say
from bot.text.text import one_line_name
from bot.text.times import age

_MAX_CHANNELS = 200
"""Of so many channels, the most recently used, the platform is asked whether somebody may look into them."""
_MAX_LISTED = 40
_STATES = {
    AdapterState.STARTING: "pages.server-starting",
    AdapterState.UP: "pages.server-up",
    AdapterState.DEGRADED: "pages.server-degraded",
    AdapterState.CONFLICT: "pages.server-conflict",
    AdapterState.DOWN: "pages.server-down",
    AdapterState.DISABLED: "pages.server-disabled",
}


@dataclass(frozen=True)
class ServerPages:
    """Lists what is active, on every platform. Direct messages are nobody's server, and are not told of."""

    channels: ChannelStore
    targets: TargetResolver
    clock: Clock
    platforms: Callable[[], Sequence[AdapterHealth]]
    tool_servers: Callable[[], Sequence[AdapterHealth]]

    async def page(self, person: PersonKey) -> str:
        """Write down what one admin may know of."""
        known = [one for one in await self.channels.known() if not one.place.is_dm]
        asked = known[:_MAX_CHANNELS]
        may = await self.targets.inspectable(person, [one.key for one in asked])
        open_ones = [one for one in asked if one.key in may]
        lines = [line for health in self.platforms() for line in self._platform(health, open_ones)]
        if left := len(known) - len(asked):
            lines.append(say("pages.servers-left", count=left))
        servers = self.tool_servers()
        lines.append(say("pages.tool-servers", count=len(servers)))
        lines += [self._state(health) for health in servers]
        return "\n".join((say("pages.servers"), *lines))

    def _platform(self, health: AdapterHealth, open_ones: Sequence[KnownChannel]) -> Iterator[str]:
        yield self._state(health)
        here = [one for one in open_ones if platform_of(one.id) == health.name]
        many = Counter(_server_of(one) for one in here)
        newest: dict[str, KnownChannel] = {}
        for one in here:
            newest.setdefault(_server_of(one), one)
        for server, one in list(newest.items())[:_MAX_LISTED]:
            used = age(max(0, self.clock.now() - one.last_at))
            name = one_line_name(one.name, 40)
            if many[server] > 1:
                yield "  " + say("pages.server-with-channels", name=name, count=many[server], age=used, id=server)
            else:
                yield "  " + say("pages.server-with-one", name=name, age=used, id=server)
        if len(newest) > _MAX_LISTED:
            yield "  " + say("pages.servers-more", count=len(newest) - _MAX_LISTED)

    def _state(self, health: AdapterHealth) -> str:
        since = age(max(0, self.clock.now() - health.since))
        return say("pages.server-is", name=health.name, state=say(_STATES[health.state]), age=since)


def _server_of(one: KnownChannel) -> str:
    """Name the server that a channel is in, or the group that it is; topics are in their group."""
    return one.place.guild_id or ":".join(one.id.split(":")[1:2])
