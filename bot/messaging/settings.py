"""Mode, pause and model of every channel, in memory for the gates and in the store for the next start."""

from __future__ import annotations

from bot.config.schema import Config
from bot.domain.channel import ChannelSettings, ResponseMode, SettingsChanged
from bot.domain.ids import ChannelId, ChannelKey, platform_of
from bot.domain.messages import Place
from bot.domain.moves import Moves
from bot.messaging.registry import ChannelRegistry
from bot.ports.channels import Channels


class SettingsBook:
    """What people set for channels. A channel that nobody set anything for has what the configuration says."""

    def __init__(self, channels: Channels, config: Config, registry: ChannelRegistry) -> None:
        self._channels = channels
        self._config = config
        self._registry = registry
        self._known: dict[ChannelKey, ChannelSettings] = {}

    @property
    def moves(self) -> Moves:
        """The channels that have another id now."""
        return self._channels.moves

    async def load(self) -> None:
        """Read everything once, at start."""
        found = {key: self._effective(key, settings) for key, settings in await self._channels.settings()}
        # what the configuration says anyway is not held for every channel that was ever heard of
        self._known = {key: held for key, held in found.items() if held != self.configured(key.channel)}

    def of(self, key: ChannelKey) -> ChannelSettings:
        """Return what holds in a channel now."""
        return self._known.get(key) or self.configured(key.channel)

    def configured(self, channel: ChannelId) -> ChannelSettings:
        """Return what a new channel begins with."""
        platform = self._config.platforms.get(platform_of(channel))
        own = self._config.channel(channel, self.moves.before(channel))
        mode = own.mode or (platform.default_mode if platform else ResponseMode.MENTION_ONLY)
        return ChannelSettings(mode=mode)

    async def change(self, key: ChannelKey, name: str, place: Place, settings: ChannelSettings) -> None:
        """Set what holds in a channel from now on."""
        await self._channels.meet(key, name, place, settings)
        await self._channels.set_settings(key, settings)
        self.note(key, settings)

    async def reload(self, key: ChannelKey) -> None:
        """Read a channel's settings again, after a fix or a move changed them in the store."""
        state = await self._channels.load(key)
        if state is not None:
            self.note(state.key, self._effective(state.key, state.settings))

    async def follow(self) -> None:
        """Let what was set hold where channels are now."""
        gone = [key for key in self._known if self.moves.key(key) != key]
        for key in gone:
            self._known.setdefault(self.moves.key(key), self._known.pop(key))
        for key in gone:
            await self.reload(key)

    def note(self, key: ChannelKey, settings: ChannelSettings) -> None:
        """Let the gates and the live channel know what holds."""
        self._known[key] = settings
        channel = self._registry.live(key)
        if channel is not None and channel.state.settings != settings:
            channel.record(SettingsChanged(settings=settings))

    def _effective(self, key: ChannelKey, settings: ChannelSettings) -> ChannelSettings:
        # a mode that nobody set is the configuration's, also after the configuration has changed
        mode = self.configured(key.channel).mode
        if settings.mode_by is not None or settings.mode is mode:
            return settings
        return settings.replace(mode=mode)
