"""What a new configuration needs to know, where it may come from, and how it is written down."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
from pydantic import TypeAdapter, ValidationError

from bot.config.file_privacy import exposure, read_text
from bot.config.schema import NumericId, PlatformName
from bot.errors import UserError
from bot.prompts import render
from bot.sentences import say

_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]*", re.ASCII)
_IDS: TypeAdapter[Any] = TypeAdapter(NumericId)
_NAMES: TypeAdapter[Any] = TypeAdapter(PlatformName)
_CONSOLE: Mapping[str, object] = {"names": ["glassmind"], "people": {"admin": 1}, "platform_admins": [1]}


@dataclass(frozen=True, repr=False)
class SecretAnswer:
    """A secret and how the configuration refers to it. `is_new`: it has to be written into the `.env`."""

    reference: str
    value: str
    is_new: bool = False

    @property
    def variable(self) -> str:
        """The variable that it is referred to by; empty for a file."""
        scheme, _, name = self.reference.partition(":")
        return name if scheme == "env" else ""


@dataclass(frozen=True)
class PlatformAnswer:
    """Where the bot shall live. `name` is its table's; `url` overrules the platform's own address."""

    kind: str
    token: SecretAnswer | None
    owners: tuple[str, ...]
    url: str = ""
    name: str = ""

    @property
    def table(self) -> str:
        """What the platform is called here: as its service, where it has no name of its own."""
        return self.name or self.kind

    def settings(self, token: str) -> dict[str, object]:
        """Return the adapter's own keys with a token, or with what stands for it."""
        found: dict[str, object] = {"token": token} if self.token else dict(_CONSOLE)
        base = self.url.rstrip("/")
        if base and self.kind == "telegram":
            base = base.removesuffix("/bot")
            found |= {"base_url": f"{base}/bot", "file_url": f"{base}/file/bot"}
        elif base and self.kind == "discord":
            found["rest_url"] = base
        return found


@dataclass(frozen=True)
class ProviderAnswer:
    """Which model answers. `url` overrules the service's own address."""

    kind: str
    model: str
    key: SecretAnswer | None
    url: str = ""

    def settings(self, key: str) -> dict[str, object]:
        """Return the adapter's own keys with a key, or with what stands for it."""
        return {**({"base_url": self.url} if self.url else {}), **({"api_key": key} if self.key else {})}


@dataclass(frozen=True)
class InitAnswers:
    """Everything that `init` asks for; without a `provider` where a configuration has one and gets another bot."""

    platform: PlatformAnswer
    provider: ProviderAnswer | None

    @property
    def secrets(self) -> tuple[SecretAnswer, ...]:
        """Every secret that there is."""
        key = self.provider.key if self.provider else None
        return tuple(secret for secret in (self.platform.token, key) if secret)

    def config(self) -> str:
        """Write the configuration, or the new bot's table of it; it holds references and no secret."""
        platform, provider = self.platform, self.provider
        chat = platform.settings(platform.token.reference if platform.token else "")
        kind = {"kind": platform.kind} if platform.table != platform.kind else {}
        owners = [int(owner) for owner in platform.owners]
        service = provider.settings(provider.key.reference if provider.key else "") if provider else {}
        return (
            render(
                "init/config",
                model=toml(f"{provider.kind}/{provider.model}") if provider else "",
                provider=provider.kind if provider else "",
                provider_kind=toml(provider.kind) if provider else "",
                service={key: toml(value) for key, value in service.items()},
                platform=platform.table,
                chat={key: toml(value) for key, value in {**kind, **chat, "owner_ids": owners}.items()},
            ).lstrip()
            + "\n"
        )


def read_owners(text: str) -> tuple[str, ...]:
    """Read numeric ids with commas or white space between; raise UserError naming the one that is none."""
    return tuple(dict.fromkeys(_read(_IDS, word) for word in text.replace(",", " ").split()))


def read_name(text: str) -> str:
    """Read what a bot is to be called in the configuration; raise UserError for what can be no such name."""
    return _read(_NAMES, text)


def _read(form: TypeAdapter[Any], word: str) -> str:
    try:
        return str(form.validate_python(word))
    except ValidationError as error:
        why = error.errors(include_url=False)[0]["msg"].removeprefix("Value error, ")
        raise UserError(f"{word[:40]!r} {why}.") from None


def from_environment(name: str, known: Mapping[str, str]) -> SecretAnswer:
    """Refer to a variable; raise UserError when it is not set."""
    if not _VARIABLE.fullmatch(name):
        # not repeated: it may be the secret itself
        raise UserError(say("init.not-a-variable"))
    if not known.get(name):
        raise UserError(say("init.variable-not-set", variable=name))
    return SecretAnswer(f"env:{name}", known[name])


def from_file(name: str) -> SecretAnswer:
    """Refer to a file; raise UserError when it cannot be read or when others can read it."""
    path = Path(name).absolute()
    try:
        value, problem = read_text(path).strip(), exposure(path, is_secret=True)
    except (OSError, ValueError) as error:
        why = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else str(error)
        raise UserError(say("cli.cannot-read", file=str(path), why=why)) from None
    if problem:
        raise UserError(f"{path}: {problem}")
    if not value:
        raise UserError(say("init.file-empty", file=str(path)))
    return SecretAnswer(f"file:{path}", value)


def toml(value: object) -> str:
    """Write a value as TOML; JSON is that, but for tables and one control character."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(item)}" for key, item in value.items()) + " }"
    return orjson.dumps(value).decode().replace("\x7f", "\\u007f")
