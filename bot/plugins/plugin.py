"""What a plugin is: what it brings, made of its own settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict

if TYPE_CHECKING:
    from bot.cortex.commands.cortex_command import CortexCommand
    from bot.diagnostics.rules import Rule
    from bot.messaging.commands.context import ChatCommand
    from bot.messaging.policy.gates import Gate
    from bot.tools.runtime.tool import ToolSpec

GROUP = "glassmind"
"""The group of entry points under which distributions name their plugins."""
API_VERSION = (1, 0)
"""The version of `bot.api`: the first number rises when something goes or changes, the second when something comes."""

S = TypeVar("S", bound=BaseModel)


class PluginSettings(BaseModel):
    """The keys of a table `[plugins.<name>]`; a plugin that has any makes a model of its own of this. Values stay."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


@dataclass(frozen=True)
class PluginSetup(Generic[S]):
    """What a plugin is made of. `home` is where its folder is, once something was to be kept."""

    name: str
    version: str
    settings: S
    home: Path

    @property
    def folder(self) -> Path:
        """A folder of its own in the data directory, the only place where it may write; it is there from now on."""
        self.home.mkdir(mode=0o700, parents=True, exist_ok=True)
        return self.home


@dataclass(frozen=True)
class PluginGate:
    """A gate with the name that it has in the ledger and in reports.

    `check` is pure and answers at once. It is asked last, about messages that everything else lets in; never about
    commands, nor about what those who steer the bot say to it in private.
    """

    name: str
    check: Gate


@dataclass(frozen=True)
class PluginScenario:
    """A situation in which a rule must speak: what somebody says to the bot (`says`), sent at `at` (UTC ms).

    `settings` are keys of the plugin's table.
    """

    says: str
    at: int = 0
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class PluginRule:
    """A rule with the id that its findings have, and the scenario in which it speaks."""

    id: str
    check: Rule
    scenario: PluginScenario


@dataclass(frozen=True)
class Contributions:
    """Everything that one plugin brings; most bring one or two kinds."""

    tools: Sequence[ToolSpec] = ()
    gates: Sequence[PluginGate] = ()
    rules: Sequence[PluginRule] = ()
    commands: Sequence[ChatCommand] = ()
    pages: Sequence[CortexCommand] = ()


@dataclass(frozen=True)
class Plugin(Generic[S]):
    """What an entry point names. `api` is the version of `bot.api` that it was written for."""

    build: Callable[[PluginSetup[S]], Contributions]
    settings: type[S]
    api: tuple[int, int] = (1, 0)
