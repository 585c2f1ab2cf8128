"""What stands in the files of the configuration and does not run: edited since, overruled, or not to be read."""

from __future__ import annotations

from collections.abc import Iterator

from bot.config.config_values import changes
from bot.config.dotenv import DOTENV_NAME as DOTENV
from bot.config.dotenv import read_variables
from bot.config.load import LoadedConfig, load_config
from bot.domain.stale_config import StaleConfig, StaleKey
from bot.errors import ConfigError

_START_ONLY_KEYS = frozenset({"bot.data_dir"})
"""What is made of a key when the bot starts differs from what stands in the file, and is right so."""


def stale_values(loaded: LoadedConfig) -> StaleConfig | None:
    """Compare what runs with its files as they are now; None where nothing differs, or nothing came from a file.

    Blocks. It follows no reference: of those to the environment it looks at what the `.env` beside the file says.
    """
    if loaded.path is None:
        return None
    try:
        wanted = load_config(loaded.path, None)
    except ConfigError as error:
        return StaleConfig(refused=error.problems[0])
    found = (*_edited(loaded, wanted), *_variables(loaded))
    return StaleConfig(keys=found) if found else None


def _edited(loaded: LoadedConfig, wanted: LoadedConfig) -> Iterator[StaleKey]:
    assert loaded.path is not None
    for change in changes(loaded.config, wanted.config):
        origins = {side.origins.get(change.key, "file") for side in (loaded, wanted)}
        # what a reference stands for is not known here
        if origins == {"file"} and change.key not in _START_ONLY_KEYS:
            yield StaleKey(key=change.key, file=loaded.path.name, live=change.live)


def _variables(loaded: LoadedConfig) -> Iterator[StaleKey]:
    assert loaded.path is not None
    values = read_variables(loaded.path.parent / DOTENV).values
    for key, origin in loaded.origins.items():
        scheme, _, name = origin.partition(":")
        if scheme == "env" and name in values and values[name] != loaded.secrets.get(key):
            yield StaleKey(key=key, file=DOTENV, overruled=name not in loaded.dotenv)
