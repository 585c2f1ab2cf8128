"""The platforms and services that a new configuration can name, and what each wants."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class SetupForm(NamedTuple):
    """What one kind of platform or service wants: the variable of its secret (empty: none), and what is usual."""

    variable: str = ""
    model: str = ""


PLATFORMS: Mapping[str, SetupForm] = {
    "telegram": SetupForm("TELEGRAM_TOKEN"),
    "discord": SetupForm("DISCORD_TOKEN"),
    "console": SetupForm(),
}
PROVIDERS: Mapping[str, SetupForm] = {
    "openai": SetupForm("OPENAI_API_KEY", "gpt-5-mini"),
    "anthropic": SetupForm("ANTHROPIC_API_KEY"),
    "simulated": SetupForm("", "simulated-1"),
}
