"""The configuration: one TOML file, every key known, every value with its origin."""

from bot.config.load import LoadedConfig, load_config, parse_config
from bot.config.schema import ChannelConfig, Config, ModelConfig, PlatformConfig, ProviderConfig

__all__ = [
    "ChannelConfig",
    "Config",
    "LoadedConfig",
    "ModelConfig",
    "PlatformConfig",
    "ProviderConfig",
    "load_config",
    "parse_config",
]
