"""An installed Chromium without a window, driven over its DevTools protocol; nothing is downloaded."""

from adapters.browser.chromium import Chromium, create
from adapters.browser.settings import Settings

__all__ = ["Chromium", "Settings", "create"]
