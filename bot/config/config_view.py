"""The configuration as a tool may see it: every key, and no secret."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from bot.config.config_values import flatten
from bot.config.load import LoadedConfig
from bot.text.redaction import Redactor

SECRET_TEXT = "(secret)"


class ConfigView(Mapping[str, str]):
    """Keys with dots, and their values as JSON, as they are when they are asked for."""

    def __init__(self, loaded: LoadedConfig, redactor: Redactor) -> None:
        self._loaded = loaded
        self._redactor = redactor

    def __getitem__(self, key: str) -> str:
        found = next((value for value in flatten(self._loaded.config) if value.key == key), None)
        if found is None:
            raise KeyError(key)
        return SECRET_TEXT if key in self._loaded.secrets else self._redactor.redact(_shown(found.value)).text

    def __iter__(self) -> Iterator[str]:
        return (value.key for value in flatten(self._loaded.config))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _shown(value: Any) -> str:
    return orjson.dumps(value, default=str).decode()
