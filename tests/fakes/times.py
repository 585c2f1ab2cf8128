"""What a reader sees where no platform draws times."""

from __future__ import annotations

from typing import Any, TypeVar

from bot.domain.base import FrozenModel
from bot.text.times import plain_times

Value = TypeVar("Value", bound=FrozenModel)


def written_out(value: Value) -> Value:
    """Return a value with the times in all its texts written out."""
    return type(value).model_validate(_plain(value.model_dump()))


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return plain_times(value) if type(value) is str else value
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return type(value)(map(_plain, value)) if isinstance(value, list | tuple) else value
