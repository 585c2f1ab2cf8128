"""Whether a browser can be tried on this machine, and how."""

from __future__ import annotations

import os

import pytest

from adapters.browser.program import find_browser

SETTINGS = {"sandbox": os.geteuid() != 0, "seconds": 30.0}
"""Root has no sandbox."""

needs_chromium = pytest.mark.skipif(not find_browser(""), reason="Chromium is not installed")
