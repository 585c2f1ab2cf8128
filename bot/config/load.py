"""Read the file, resolve references to secrets, and name everything that is wrong at once."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from math import inf
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from bot.config.schema import Config, RetentionConfig
from bot.errors import ConfigError

SECRET_KEYS = ("token", "api_key", "secret", "password", "key")
SECRET_ADDRESSES = ("alerts.webhook", "alerts.heartbeat_url")
"""Keys of URLs that are secrets as a whole, and in their path: that is where such services put the token."""
_SHORTEST_PATH = 16
_KNOWN_ELSEWHERE = {"providers", "platforms"}


@dataclass(frozen=True)
class LoadedConfig:
    """A checked configuration, where each value came from, and the secrets it holds (key -> value, never shown)."""

    config: Config
    origins: Mapping[str, str]
    secrets: Mapping[str, str] = field(repr=False)
    path: Path | None = None


@dataclass
class _Reading:
    """What was found while walking the file."""

    environ: Mapping[str, str] | None
    base: Path
    origins: dict[str, str] = field(default_factory=dict)
    secrets: dict[str, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def load_config(path: Path, environ: Mapping[str, str] | None) -> LoadedConfig:
    """Read a TOML file; raise ConfigError naming every problem with its key and fix.

    Without an environment no reference is followed and no secret is read: enough for looking at the data directory.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ConfigError([f"{path}: not found. Copy config.example.toml to {path} and fill it in."]) from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError([f"{path}: cannot be read ({error}). Make it a UTF-8 text file that you can read."]) from None
    return parse_config(text, environ, path)


def parse_config(text: str, environ: Mapping[str, str] | None, path: Path | None = None) -> LoadedConfig:
    """Check the text of a configuration, as `load_config` does."""
    name = str(path) if path else "config"
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        problem = f"{name}: not valid TOML: {error}. Quote texts, and write each table's name once."
        raise ConfigError([problem]) from None
    reading = _Reading(environ, path.parent if path else Path())
    resolved = _walk(table, "", reading)
    try:
        config = Config.model_validate(resolved)
    except ValidationError as error:
        raise ConfigError([*reading.problems, *validation_problems(error, Config)]) from None
    problems = [*reading.problems, *_cross_checks(config)]
    if problems:
        raise ConfigError(problems)
    return LoadedConfig(config, reading.origins, reading.secrets, path)


def validation_problems(error: ValidationError, model: type[BaseModel], prefix: str = "") -> list[str]:
    """Say each validation error as `key: what is wrong. What to do`, without the value."""
    return [_say(item["loc"], item["type"], item["msg"], model, prefix) for item in error.errors(include_input=False)]


def _say(where: tuple[int | str, ...], kind: str, message: str, model: type[BaseModel], prefix: str) -> str:
    key = ".".join([*([prefix] if prefix else []), *map(str, where)])
    if kind == "extra_forbidden":
        near = get_close_matches(str(where[-1]), _known_keys(model, where[:-1]), n=1)
        hint = f"Did you mean `{near[0]}`?" if near else "Remove it, or see config.example.toml for every key."
        return f"{key}: unknown key. {hint}"
    if kind == "missing":
        return f"{key}: missing. Set it; config.example.toml shows how."
    text = message.removeprefix("Value error, ")
    return f"{key}: {text[:1].lower()}{text[1:]}. See config.example.toml."


def _known_keys(model: type[BaseModel], where: tuple[int | str, ...]) -> list[str]:
    current: Any = model
    for step in where:
        info = current.model_fields.get(str(step)) if hasattr(current, "model_fields") else None
        if info is None:
            continue
        current = info.annotation
        args = getattr(current, "__args__", ())
        current = next((a for a in args if isinstance(a, type) and issubclass(a, BaseModel)), current)
    return list(getattr(current, "model_fields", {}))


def _walk(value: Any, key: str, reading: _Reading) -> Any:
    if isinstance(value, dict):
        return {name: _walk(item, f"{key}.{name}" if key else name, reading) for name, item in value.items()}
    if isinstance(value, str):
        return _resolve(value, key, reading)
    reading.origins[key] = "file"
    return [_walk(item, f"{key}[{n}]", reading) for n, item in enumerate(value)] if isinstance(value, list) else value


def _resolve(value: str, key: str, reading: _Reading) -> str:
    scheme, colon, name = value.partition(":")
    reader = _READERS.get(scheme) if colon else None
    secret = key in SECRET_ADDRESSES or key.rsplit(".", 1)[-1].endswith(SECRET_KEYS)
    reading.origins[key] = value if reader else "file"
    if reader is not None and reading.environ is not None:
        try:
            value = reader(name, reading)
        except (KeyError, OSError) as error:
            problem = f"{key}: {scheme}:{name} cannot be resolved ({_why(error)}). Set it, or correct the name."
            reading.problems.append(problem)
            return ""
        secret = True
    if secret and value and reading.environ is not None:
        reading.secrets[key] = value
        path = value.partition("://")[2].partition("/")[2]
        if key in SECRET_ADDRESSES and len(path) >= _SHORTEST_PATH:
            reading.secrets[f"{key}.path"] = path
    return value


def _why(error: Exception) -> str:
    if isinstance(error, KeyError):
        return "the variable is not set"
    return error.strerror or type(error).__name__ if isinstance(error, OSError) else type(error).__name__


def _from_env(name: str, reading: _Reading) -> str:
    return (reading.environ or {})[name]


def _from_file(name: str, reading: _Reading) -> str:
    return (reading.base / name).read_text(encoding="utf-8").strip()


def _from_credential(name: str, reading: _Reading) -> str:
    # systemd's LoadCredential= puts files here (systemd.exec(5))
    return (
        (Path((reading.environ or {})["CREDENTIALS_DIRECTORY"]) / os.path.basename(name))
        .read_text(encoding="utf-8")
        .strip()
    )


_READERS: dict[str, Callable[[str, _Reading], str]] = {
    "env": _from_env,
    "file": _from_file,
    "cred": _from_credential,
}


def _cross_checks(config: Config) -> Iterator[str]:
    names = [("model.name", config.model.name), ("cortex.model", config.cortex.model)]
    names += [(f"model.fallbacks[{n}]", name) for n, name in enumerate(config.model.fallbacks)]
    names += [(f"channels.{key}.model", channel.model or "") for key, channel in config.channels.items()]
    for key, name in names:
        provider, slash, model = name.partition("/")
        if not name and key not in {"model.name"}:
            continue
        if not slash or not model:
            yield f"{key}: {name!r} is not `provider/model`. Write for example `openai/gpt-5-mini`."
        elif provider not in config.providers:
            known = ", ".join(sorted(config.providers))
            yield f"{key}: no provider named {provider!r}. Known: {known}. Add a [providers.{provider}] table."
    if config.conversation.debounce_longest < config.conversation.debounce:
        yield "conversation.debounce_longest: shorter than debounce. Make it at least as long."
    yield from _too_long_copies(config.retention)
    for channel in config.channels:
        if ":" not in channel:
            yield f'channels."{channel}": not a channel id. Write `platform:path`; `whoami` prints it.'


def _too_long_copies(retention: RetentionConfig) -> Iterator[str]:
    """Complain of copies that are told to outlive what they hold; the default follows by itself."""
    spans = {"ambient_hours": retention.ambient_hours}
    spans |= {name: getattr(retention, name) * 24 for name in ("messages_days", "requests_days", "records_days")}
    spans["audit_days"] = retention.audit_days * 24
    name, hours = min(((n, span) for n, span in spans.items() if span), key=lambda pair: pair[1], default=("", inf))
    if "backups_hours" in retention.model_fields_set and retention.backups_hours > hours:
        yield (
            f"retention.backups_hours: {retention.backups_hours:g} is longer than {name} ({hours:g} h), and a copy "
            f"would keep what that wipes. Write {hours:g} or less, or 0 for no daily copies."
        )
