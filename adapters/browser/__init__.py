"""An installed Chromium without a window, driven over its DevTools protocol; nothing is downloaded."""

from adapters.browser.chromium import ChromiumBrowser, create
from adapters.browser.settings import Settings

__all__ = ["ChromiumBrowser", "Settings", "create"]
