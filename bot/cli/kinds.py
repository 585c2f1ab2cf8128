"""The platforms and services that a new configuration can name, and what each wants."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Form(NamedTuple):
    """What one kind of platform or service wants: the variable of its secret (empty: none), and what is usual."""

    variable: str = ""
    model: str = ""


PLATFORMS: Mapping[str, Form] = {
    "telegram": Form("TELEGRAM_TOKEN"),
    "discord": Form("DISCORD_TOKEN"),
    "console": Form(),
}
PROVIDERS: Mapping[str, Form] = {
    "openai": Form("OPENAI_API_KEY", "gpt-5-mini"),
    "anthropic": Form("ANTHROPIC_API_KEY"),
    "simulated": Form("", "simulated-1"),
}
