"""Mode, pause and model of every channel, and who opted out: in memory for the gates, stored for the next start."""

from __future__ import annotations

from collections.abc import Iterable

import structlog

from bot.config.schema import Config
from bot.domain.channel import ChannelSettings, RecordingOff, ResponseMode, SettingsChanged
from bot.domain.channel_moves import ChannelMoves
from bot.domain.ids import ChannelId, ChannelKey, PersonKey, UserId, platform_of
from bot.domain.messages import ChannelPlace
from bot.domain.revisions import ChangedBy
from bot.errors import DamagedRow
from bot.messaging.channels.registry import ChannelRegistry
from bot.ports.bookkeeping import OptOutStore
from bot.ports.channels import ChannelStore
from bot.runtime.lru_cache import LRUCache

log = structlog.get_logger(__name__)

MAX_CHANNELS = 10_000
"""Of how many channels in which somebody set something this is held in memory; beyond that the store is asked."""


_BY_FILE = RecordingOff(by=UserId(""), by_role="", at=0)


class SettingsBook:
    """What people set for channels. A channel that nobody set anything for has what the configuration says.

    Such a channel costs nothing here, however many of them are known.
    """

    def __init__(
        self, channels: ChannelStore, config: Config, registry: ChannelRegistry, opt_outs: OptOutStore
    ) -> None:
        self._channels = channels
        self._opt_outs = opt_outs
        self._out: set[PersonKey] = set()
        self._config = config
        self._registry = registry
        self._held: LRUCache[ChannelKey, ChannelSettings] = LRUCache(MAX_CHANNELS)
        self._is_all = True
        self._plain = {mode: ChannelSettings(mode=mode) for mode in ResponseMode}

    @property
    def moves(self) -> ChannelMoves:
        """The channels that have another id now."""
        return self._channels.moves

    async def load(self) -> None:
        """Read what was set: at a start, and whenever another process may have set something."""
        out, found = set(await self._opt_outs.opted_out()), await self._channels.settings(MAX_CHANNELS + 1)
        self._out, self._held = out, LRUCache(MAX_CHANNELS)
        self._is_all = len(found) <= MAX_CHANNELS
        for key, settings in reversed(found):
            self._hold(key, settings)
        for key in tuple(self._registry.keys()):
            self._let_know(key)

    async def prepare(self, keys: Iterable[ChannelKey]) -> None:
        """Read what is not in memory, where there is more than is held; before the gates are asked."""
        if self._is_all:
            return
        for key in dict.fromkeys(map(self.moves.key, keys)):
            if self._held.get(key) is None:
                await self._read(key)

    def of(self, key: ChannelKey) -> ChannelSettings:
        """Return what holds in a channel now."""
        held = self._held.get(key)
        return self.configured(key.channel) if held is None else self._effective(key, held)

    def tools_off(self, key: ChannelKey) -> tuple[str, ...]:
        """Return the tools that are offered to none in a channel; every list of tools asks, so nothing else is read."""
        held = self._held.get(key)
        return () if held is None else held.tools_off

    def configured(self, channel: ChannelId) -> ChannelSettings:
        """Return what a new channel begins with."""
        platform = self._config.platforms.get(platform_of(channel))
        own = self._config.channel(channel, self.moves.former_ids(channel))
        mode = own.mode or (platform.default_mode if platform else ResponseMode.MENTION_ONLY)
        return self._plain[mode].replace(unrecorded=_BY_FILE) if own.record is False else self._plain[mode]

    def has_opted_out(self, person: PersonKey) -> bool:
        """Say whether somebody wants nothing that they write kept or told to a model."""
        return person in self._out

    async def opt_out(self, person: PersonKey, at: int) -> None:
        """Let somebody's wish hold from now on; with an `at` of 0 it is over."""
        await self._opt_outs.opt_out(person, at)
        (self._out.add if at else self._out.discard)(person)

    async def change(
        self, key: ChannelKey, name: str, place: ChannelPlace, settings: ChannelSettings, by: ChangedBy
    ) -> None:
        """Set what holds in a channel from now on, and who wanted it."""
        await self._channels.meet(key, name, place, self.of(key))
        await self._channels.set_settings(key, settings, by)
        self.note(key, settings)

    async def reload(self, key: ChannelKey) -> None:
        """Read a channel's settings again, after a fix or a move changed them in the store."""
        state = await self._channels.load(key)
        if state is not None:
            self.note(state.key, state.settings)

    async def follow(self) -> None:
        """Let what was set hold where channels are now."""
        for key in self._held:
            now = self.moves.key(key)
            if now != key and (settings := self._held.drop(key)) is not None:
                # until it is read, what was set under either id holds
                self._hold(now, self._held.get(now) or settings)
                await self.reload(now)

    def note(self, key: ChannelKey, settings: ChannelSettings) -> None:
        """Let the gates and the live channel know what holds."""
        self._hold(key, settings)
        self._let_know(key)

    def _let_know(self, key: ChannelKey) -> None:
        channel, now = self._registry.live(key), self.of(key)
        if channel is not None and channel.state.settings != now:
            channel.record(SettingsChanged(settings=now))

    async def _read(self, key: ChannelKey) -> None:
        try:
            state = await self._channels.load(key)
        except DamagedRow as error:
            # the same as at a start: what cannot be read was never set, and the damage is on its list
            log.error("settings_not_read", channel=str(key), error=str(error))
            state = None
        self._hold(key, state.settings if state else self.configured(key.channel))

    def _hold(self, key: ChannelKey, settings: ChannelSettings) -> None:
        if self._is_all and settings == self._plain[settings.mode]:
            # nobody set anything, or does any more: then it is as the configuration says, and not held
            self._held.drop(key)
        elif not self._held.put(key, settings):
            self._is_all = False

    def _effective(self, key: ChannelKey, settings: ChannelSettings) -> ChannelSettings:
        # a mode that nobody set is the configuration's, also after the configuration has changed
        usual = self.configured(key.channel)
        mode = settings.mode if settings.mode_by is not None else usual.mode
        # what the file says of recording holds while it says so, whatever was stored beside it
        unrecorded = usual.unrecorded or (settings.unrecorded if settings.unrecorded != _BY_FILE else None)
        if (settings.mode, settings.unrecorded) == (mode, unrecorded):
            return settings
        return settings.replace(mode=mode, unrecorded=unrecorded)
