"""A configuration that gets one more bot: what it says already, and how the new table comes into it."""

from __future__ import annotations

import tomllib
from argparse import Namespace
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bot.app.adapters import adapter_problems
from bot.cli.init_answers import InitAnswers, PlatformAnswer, read_name, toml
from bot.config import Config, load_config, parse_config
from bot.config.file_privacy import read_text
from bot.errors import UserError
from bot.sentences import say

_OF_MODELS = ("provider", "base_url", "model", "key_env", "key_file", "key_stdin")


@dataclass(frozen=True)
class ExistingConfig:
    """A file that is there and can be used. `known` are the variables that it may refer to."""

    path: Path
    text: str
    config: Config
    known: Mapping[str, str] = field(repr=False)

    @property
    def has_owners(self) -> bool:
        """Whether somebody owns a bot of it."""
        return any(table.owner_ids for table in self.config.platforms.values() if table.enabled)

    def owners_of_kind(self, kind: str) -> tuple[str, ...]:
        """Return who owns the bots that are on this service already."""
        tables = [self.config.platforms[name] for name in self.config.platform_names.of_kind(kind)]
        return tuple(dict.fromkeys(owner for table in tables for owner in table.owner_ids))

    def free_name(self, kind: str) -> str:
        """Return what a new bot can be called: as its service, or with a number."""
        names = (kind, *(f"{kind}-{number}" for number in range(2, len(self.config.platforms) + 3)))
        return next(name for name in names if name not in self.config.platforms)

    def check_name(self, name: str, kind: str) -> str:
        """Return a name that a new bot can have; raise BotError for one that it cannot have."""
        if name in self.config.platforms:
            raise UserError(say("init.name-taken", name=name))
        parse_config(self._with(f"[platforms.{read_name(name)}]\nkind = {toml(kind)}\n"), self.known, self.path)
        return name

    def check(self, platform: PlatformAnswer) -> None:
        """Raise BotError for a bot that cannot be beside those that are there, such as one of them."""
        new = {platform.token.variable: platform.token.value} if platform.token else {}
        parse_config(self.with_bot(platform), {**self.known, **new}, self.path)

    def with_bot(self, platform: PlatformAnswer) -> str:
        """Return the text with the new table at its end and all else as it was; raise UserError where none fits."""
        return self._with(InitAnswers(platform, None).config())

    def _with(self, table: str) -> str:
        gap = "" if not self.text or self.text.endswith("\n") else "\n"
        after = f"{self.text}{gap}\n{table}"
        wanted = tomllib.loads(self.text)
        try:
            wanted.setdefault("platforms", {}).update(tomllib.loads(table)["platforms"])
            if tomllib.loads(after) == wanted:
                return after
        except tomllib.TOMLDecodeError:
            pass
        raise UserError(say("init.no-room-for-table", file=str(self.path)))


def existing_config(args: Namespace, path: Path, known: Mapping[str, str]) -> ExistingConfig:
    """Read the file that is to get a bot; raise BotError where it cannot be used, or where more is asked for."""
    if not path.exists():
        raise UserError(say("init.nothing-to-add-to", file=str(path)))
    if any(vars(args)[option] for option in _OF_MODELS):
        raise UserError(say("init.adds-no-model"))
    loaded = load_config(path, known, adapter_problems)
    return ExistingConfig(path, read_text(path), loaded.config, known)
