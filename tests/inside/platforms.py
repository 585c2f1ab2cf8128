"""What stands behind a platform's name: tests wait for the adapter itself."""

from __future__ import annotations

from typing import Any

from bot.app.named_platform import NamedPlatform
from bot.ports.platform import Platform


def adapter_of(platform: Platform) -> Any:
    return platform._adapter if isinstance(platform, NamedPlatform) else platform
