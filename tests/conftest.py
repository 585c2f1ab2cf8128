"""What holds for every test."""

from __future__ import annotations

from tests.fakes.logs import plain_logs

plain_logs()
