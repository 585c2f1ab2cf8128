"""Read the file, resolve references to secrets, and name everything that is wrong at once."""

from __future__ import annotations

import hashlib
import os
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import partial
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from bot.config.agents import agent_problems
from bot.config.dotenv import DOTENV_NAME as DOTENV
from bot.config.dotenv import DotenvVariables, read_variables
from bot.config.file_privacy import exposure, read_text
from bot.config.id_forms import channel_problem, list_problems
from bot.config.schema import CompactionConfig, Config, RetentionConfig
from bot.domain.platform_names import OWN_KINDS
from bot.errors import ConfigError
from bot.sentences import say
from bot.text.redaction import Redactor
from bot.text.text import visible

SECRET_KEYS = ("token", "api_key", "secret", "password", "key")
SECRET_ADDRESSES = ("alerts.webhook", "alerts.heartbeat_url")
"""Keys of URLs that are secrets as a whole, and in their path: that is where such services put the token."""
SERVER_ADDRESS = "store.url"
"""An address that is no secret but for the password in it, if there is one."""
_MIN_SECRET_PATH_CHARS = 16
_ID_LISTS = ("allowed_users", "blocked_users", "allowed_channels", "blocked_channels", "allowed_guilds")
_CONSOLE = "console"
_NO_PLATFORMS = frozenset({"host"})
"""Names that stand for somebody who is on no platform: see `bot.messaging.policy.access`."""
_MAX_PROBLEMS = 40
_MAX_TABLE_DEPTH = 32
"""Tables in tables, as a table's name of many dots makes them too; ours are three deep."""
_MAX_NUMBER_BITS = 63
"""Of whole numbers, as TOML wants them at least, and as databases and JSON take them."""
_LONG_WORD = re.compile(r"[\w+=-]{30,}")
"""Such words are no names of ours; with a digit in it, one may be a key of somebody's account."""
_VARIABLE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_HEADER = re.compile(r"(tools\.mcp\.[^.]+|traces)\.headers\..+")
"""What is sent to an MCP server or a collector with every request: nearly always a key, as in `Bearer ...`."""
_KINDS: Mapping[type, str] = {
    str: "config.kind-text",
    bool: "config.kind-truth",
    int: "config.kind-whole",
    float: "config.kind-number",
    list: "config.kind-list",
    tuple: "config.kind-list",
    dict: "config.kind-table",
}
_NEEDED_KEYS = {
    **dict.fromkeys(("int_type", "int_parsing", "int_from_float"), "config.must-be-whole"),
    **dict.fromkeys(("float_type", "float_parsing"), "config.must-be-number"),
    **dict.fromkeys(("bool_type", "bool_parsing"), "config.must-be-true-or-false"),
    **dict.fromkeys(("string_type", "string_sub_type"), "config.must-be-text"),
    **dict.fromkeys(("tuple_type", "list_type"), "config.must-be-list"),
    **dict.fromkeys(("dict_type", "model_type", "model_attributes_type"), "config.must-be-table"),
}
"""What is needed instead, in our words, by pydantic's name of the error."""
_LIMITS = {
    "greater_than_equal": ("config.must-be-at-least", "least", "ge"),
    "greater_than": ("config.must-be-more-than", "than", "gt"),
    "less_than_equal": ("config.must-be-at-most", "most", "le"),
    "less_than": ("config.must-be-less-than", "than", "lt"),
    "string_pattern_mismatch": ("config.must-fit-pattern", "pattern", "pattern"),
}
_LENGTHS = {
    "string_too_short": ("config.must-have-characters", "min_length"),
    "string_too_long": ("config.may-have-characters", "max_length"),
    "too_short": ("config.must-have-entries", "min_length"),
    "too_long": ("config.may-have-entries", "max_length"),
}
"""Errors that name a limit: our sentence, what it calls the limit, and what pydantic calls it."""
_OR = re.compile(r" or (?='[^']*'$)")
"""Where pydantic names the last of several texts."""


@dataclass(frozen=True)
class LoadedConfig:
    """A checked configuration, where each value came from, and the secrets it holds (key -> value, never shown).

    `origins` says `file`, the reference that was followed (`env:NAME`), or the flag or variable that overrules the
    file; a key that is not there has its default. `dotenv` are the variables that the `.env` beside it gave, and
    `digest` is that of both files as they were read.
    """

    config: Config
    origins: Mapping[str, str]
    secrets: Mapping[str, str] = field(repr=False)
    path: Path | None = None
    dotenv: frozenset[str] = frozenset()
    digest: str = ""


@dataclass
class _Reading:
    """What was found while walking the file."""

    environ: Mapping[str, str] | None
    base: Path
    origins: dict[str, str] = field(default_factory=dict)
    secrets: dict[str, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    bare: list[str] = field(default_factory=list)
    """The keys whose secrets are written in the file itself."""


Complaints = Callable[[Mapping[str, Any]], Sequence[str]]
"""Says what else is wrong with the tables of a configuration that is refused anyway: adapters know their own keys."""


def load_config(path: Path, environ: Mapping[str, str] | None, more: Complaints | None = None) -> LoadedConfig:
    """Read a TOML file; raise ConfigError naming every problem with its key and fix, those that `more` finds too.

    A `.env` beside it says what the environment does not say. Without an environment no reference is followed and no
    secret is read: enough for looking at the data directory.
    """
    text = _text(path)
    beside = DotenvVariables({}) if environ is None else read_variables(path.parent / DOTENV)
    reading = _Reading(None if environ is None else {**beside.values, **environ}, path.parent)
    reading.problems += beside.problems
    config = _parse(text, path, reading, more)
    return LoadedConfig(
        config=config,
        origins=reading.origins,
        secrets=reading.secrets,
        path=path,
        dotenv=frozenset(beside.values).difference(environ or {}),
        digest=_digest(text, beside.text),
    )


def digest_on_disk(path: Path) -> str:
    """Return the digest that the files have now, as in `LoadedConfig`; raise ConfigError when one cannot be read."""
    return _digest(_text(path), read_variables(path.parent / DOTENV).text)


def _digest(*texts: str) -> str:
    return hashlib.blake2b("\0".join(texts).encode(), digest_size=16).hexdigest()


def _text(path: Path) -> str:
    try:
        return read_text(path)
    except FileNotFoundError:
        raise ConfigError([say("config.not-found", file=str(path))]) from None
    except (OSError, ValueError) as error:
        why = error.strerror or type(error).__name__ if isinstance(error, OSError) else str(error)
        raise ConfigError([say("config.cannot-read", file=str(path), why=why)]) from None


def parse_config(
    text: str, environ: Mapping[str, str] | None, path: Path | None = None, more: Complaints | None = None
) -> LoadedConfig:
    """Check the text of a configuration, as `load_config` does; nothing is read but what references name."""
    reading = _Reading(environ, path.parent if path else Path())
    config = _parse(text, path, reading, more)
    return LoadedConfig(config, reading.origins, reading.secrets, path)


def _parse(text: str, path: Path | None, reading: _Reading, more: Complaints | None) -> Config:
    try:
        table = tomllib.loads(text)
        if _is_deeper(table, _MAX_TABLE_DEPTH):
            raise ValueError(say("config.too-deep", most=_MAX_TABLE_DEPTH))
    except (ValueError, RecursionError, MemoryError) as error:
        # Python refuses numbers of thousands of digits in its own words
        why = str(error) if isinstance(error, ValueError) else say("config.far-too-deep")
        problem = say("config.not-toml", file=str(path or "config"), why=why)
        raise ConfigError(_fit_to_show([*reading.problems, problem], reading)) from None
    resolved = _walk(table, "", reading)
    reading.problems += _exposed(path, reading.bare)
    config, found = _checked(resolved)
    problems = [*reading.problems, *_of_other_keys(found, reading.problems)]
    if config is None or problems:
        others = _of_other_keys(more(resolved) if more else (), problems)
        raise ConfigError(_fit_to_show([*problems, *others], reading))
    return config


def _is_deeper(table: Mapping[str, Any], most: int) -> bool:
    """Say whether something lies deeper; walked level by level, because what is asked may be 20,000 deep."""
    level: list[Any] = [table]
    for _ in range(most):
        level = [item for one in level for item in (one.values() if isinstance(one, dict) else one) if _holds(item)]
        if not level:
            return False
    return True


def _holds(value: object) -> bool:
    return isinstance(value, dict | list)


def _fit_to_show(problems: Sequence[str], reading: _Reading) -> list[str]:
    """Take out secrets, and what may be one: somebody may have written it where a key should stand.

    Where thousands of things are wrong, the first ones tell what happened.
    """
    left_out = len(problems) - _MAX_PROBLEMS
    if left_out > 0:
        problems = [*problems[:_MAX_PROBLEMS], say("config.more-problems", count=left_out)]
    redact = Redactor.of(reading.secrets).redact
    # apart: `api_key: env:NAME` is no key of anything
    parts = [problem.partition(": ") for problem in problems]
    shown = [f"{redact(key).text}{colon}{redact(rest).text}" for key, colon, rest in parts]
    # what is wrong may be a key made of control characters, and this goes to a terminal
    places = str(reading.base.resolve())
    return [visible(_LONG_WORD.sub(partial(_beginning, places), problem)) for problem in shown]


def _beginning(places: str, found: re.Match[str]) -> str:
    word = found[0]
    if word in places:
        # a folder on the way to the file, which the advice is to be copied with
        return word
    if _VARIABLE.fullmatch(word) and found.string.endswith("env:", 0, found.start()):
        return word
    is_shortened = any(map(str.isdigit, word))
    return say("config.characters", beginning=word[:8], count=len(word)) if is_shortened else word


def _exposed(path: Path | None, bare: Sequence[str]) -> Iterator[str]:
    """Complain of a file that others can change, or read where it holds secrets itself."""
    if path is None or not path.exists():
        return
    if problem := exposure(path, is_secret=False):
        yield say("config.file-exposed", file=str(path), problem=problem)
    if bare and (problem := exposure(path, is_secret=True)):
        yield say("config.secret-exposed", file=str(path), keys=", ".join(bare), problem=problem)


def cross_problems(config: Config) -> list[str]:
    """Say which keys do not fit each other."""
    return list(_cross_checks(config))


def _checked(table: Mapping[str, Any]) -> tuple[Config | None, list[str]]:
    try:
        config = Config.model_validate(table)
    except ValidationError as error:
        return None, validation_problems(error, Config)
    return config, list(_cross_checks(config))


def _of_other_keys(found: Sequence[str], known: Sequence[str]) -> list[str]:
    """Leave out keys that are named already: a reference that leads nowhere left them empty."""
    named = {problem.partition(": ")[0] for problem in known}
    return [problem for problem in found if problem.partition(": ")[0] not in named]


def validation_problems(error: ValidationError, model: type[BaseModel], prefix: str = "") -> list[str]:
    """Say each validation error as `key: what is wrong. What was found, what to do`, without the value."""
    return [_say(item, model, prefix) for item in error.errors(include_url=False)]


def _say(item: ErrorDetails, model: type[BaseModel], prefix: str) -> str:
    where, kind = item["loc"], item["type"]
    key = ".".join([*([prefix] if prefix else []), *map(str, where)])
    if kind == "extra_forbidden":
        near = get_close_matches(str(where[-1]), _known_keys(model, where[:-1]), n=1)
        return say("config.unknown-key", key=key, near=near[0]) if near else say("config.unknown-key-far", key=key)
    if kind == "missing":
        return say("config.missing", key=key)
    text = _needed(kind, item.get("ctx", {})) or item["msg"].removeprefix("Value error, ")
    why = text if text.startswith("I ") else f"{text[:1].lower()}{text[1:]}"
    return say("config.wrong-value", key=key, why=why, found=_kind_of(item["input"]))


def _needed(kind: str, told: Mapping[str, Any]) -> str:
    """Say what is needed instead; empty for an error that only pydantic has words for."""
    if kind in _NEEDED_KEYS:
        return say(_NEEDED_KEYS[kind])
    if kind in _LIMITS:
        name, value, key = _LIMITS[kind]
        limit = told[key]
        return say(name, **{value: f"{limit:g}" if isinstance(limit, float) else str(limit)})
    if kind in _LENGTHS:
        name, key = _LENGTHS[kind]
        return say(name, count=told[key])
    if kind == "finite_number":
        return say("config.must-be-finite")
    return say("config.must-be-one-of", known=_OR.sub(", ", told["expected"])) if kind == "literal_error" else ""


def _kind_of(value: object) -> str:
    """Name the kind of a value; the value itself may be a secret."""
    return say("config.kind-nothing" if value == "" else _KINDS.get(type(value), "config.kind-date"))


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
    if isinstance(value, int) and value.bit_length() > _MAX_NUMBER_BITS:
        reading.problems.append(say("config.number-too-long", key=key))
        return 0
    return [_walk(item, f"{key}[{n}]", reading) for n, item in enumerate(value)] if isinstance(value, list) else value


def _resolve(value: str, key: str, reading: _Reading) -> str:
    scheme, colon, name = value.partition(":")
    reader = _READERS.get(scheme) if colon else None
    is_header = _HEADER.fullmatch(key) is not None
    secret = is_header or key in SECRET_ADDRESSES or key.rsplit(".", 1)[-1].lower().endswith(SECRET_KEYS)
    reading.origins[key] = value if reader else "file"
    if reader is not None and reading.environ is not None:
        try:
            value = reader(name, reading)
        except ValueError as error:
            reading.problems.append(say("config.not-used", key=key, reference=f"{scheme}:{name}", why=str(error)))
            return ""
        except (KeyError, OSError) as error:
            reference, why = f"{scheme}:{name}", _why(error)
            reading.problems.append(say("config.cannot-resolve", key=key, reference=reference, why=why))
            return ""
        secret = True
    # who only looks follows no reference, and shows what stands in the file itself as little as anybody
    if secret and value and (reading.environ is not None or reader is None):
        reading.secrets[key] = value
        reading.bare += [] if reader or reading.environ is None else [key]
        path = value.partition("://")[2].partition("/")[2]
        if key in SECRET_ADDRESSES and len(path) >= _MIN_SECRET_PATH_CHARS:
            reading.secrets[f"{key}.path"] = path
        if is_header and (token := value.partition(" ")[2]):
            reading.secrets[f"{key}.token"] = token
    if (key.endswith("proxy") or key == SERVER_ADDRESS) and (password := _password(value)):
        reading.secrets[f"{key}.password"] = password
        reading.bare += [key] if key == SERVER_ADDRESS and reader is None and reading.environ is not None else []
    return value


def _password(address: str) -> str:
    try:
        return unquote(urlsplit(address).password or "")
    except ValueError:
        return ""


def _why(error: Exception) -> str:
    if isinstance(error, KeyError):
        return say("config.variable-not-set")
    return error.strerror or type(error).__name__ if isinstance(error, OSError) else type(error).__name__


def _from_env(name: str, reading: _Reading) -> str:
    return (reading.environ or {})[name]


def _from_file(name: str, reading: _Reading) -> str:
    return _secret_in(reading.base / name)


def _from_credential(name: str, reading: _Reading) -> str:
    # systemd's LoadCredential= puts files here (systemd.exec(5))
    return _secret_in(Path((reading.environ or {})["CREDENTIALS_DIRECTORY"]) / os.path.basename(name))


def _secret_in(path: Path) -> str:
    secret = read_text(path).strip()
    if problem := exposure(path, is_secret=True):
        raise ValueError(problem)
    return secret


_READERS: dict[str, Callable[[str, _Reading], str]] = {
    "env": _from_env,
    "file": _from_file,
    "cred": _from_credential,
}


def _cross_checks(config: Config) -> Iterator[str]:
    yield from _odd_models(config)
    if config.conversation.debounce_longest < config.conversation.debounce:
        yield say("config.debounce-shorter")
    yield from _falling_levels(config.compaction)
    yield from _too_long_copies(config.retention)
    yield from agent_problems(config.agents, tuple(config.platforms), config.tools.names)
    yield from _odd_channels(config)
    yield from _odd_platforms(config)
    yield from _odd_ids(config)
    yield from _half_open_doors(config)


def _odd_platforms(config: Config) -> Iterator[str]:
    """Name platforms that cannot be told apart: by their names, by their accounts, or at one keyboard."""
    kinds = config.platform_names.kinds
    known = OWN_KINDS.union(kinds.values())
    for name, kind in kinds.items():
        if name in _NO_PLATFORMS:
            yield say("config.platform-reserved", name=name)
        # a console may stand in for a platform: so a configuration is tried offline
        if name in known and kind not in {name, _CONSOLE}:
            yield say("config.platform-is-kind", name=name, kind=kind)
    accounts: dict[tuple[str, str], str] = {}
    keyboard = ""
    for name, table in config.platforms.items():
        kind = kinds[name]
        first = accounts.setdefault((kind, table.token), name) if table.enabled and table.token else name
        if first != name:
            yield say("config.platform-same-token", name=name, first=first)
        if kind == _CONSOLE and table.enabled and not table.settings.get("script"):
            if keyboard:
                yield say("config.platform-two-keyboards", name=name, first=keyboard)
            keyboard = keyboard or name


def _half_open_doors(config: Config) -> Iterator[str]:
    """Name what a way into the web page lacks."""
    page = config.web_page
    pair = {"discord_client_id": page.discord_client_id, "discord_client_secret": page.discord_client_secret}
    given = [f"web_page.{key}" for key, value in pair.items() if value]
    doors = {"telegram_app": ("telegram", page.telegram_app), "discord_client_id": ("discord", bool(given))}
    if len(given) == 1:
        (missing,) = (f"web_page.{key}" for key, value in pair.items() if not value)
        yield say("config.other-half-missing", missing=missing, given=given[0])
    for key, (kind, is_open) in doors.items():
        if is_open and page.enabled and not page.address.startswith("https://"):
            yield say("config.needs-https", key=key)
        if is_open and page.enabled and not config.enabled_of_kind(kind):
            yield say("config.needs-platform", key=key, kind=kind)
    known = config.enabled_of_kind("discord")
    if (page.discord_platform or (given and len(known) > 1)) and page.discord_platform not in known:
        yield say("config.whose-application", listed=", ".join(known) or "-")


def _odd_ids(config: Config) -> Iterator[str]:
    """Name what stands in a list of ids and can be none: such a list would block or let in nobody."""
    kinds = config.platform_names.kinds
    for name, platform in config.platforms.items():
        lists = {key: getattr(platform, key) or () for key in _ID_LISTS}
        yield from list_problems(name, kinds[name], lists)
    for key, channels in _channel_lists(config):
        for place, channel in enumerate(channels):
            name = channel.partition(":")[0]
            known = name if name in kinds else next(iter(kinds), "") if len(kinds) == 1 else ""
            problem = channel_problem(kinds.get(known, ""), known, channel)
            if problem:
                yield say("config.at-place", key=f"{key}[{place}]", problem=problem)


def _channel_lists(config: Config) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield every other list of channels."""
    yield from ((f"tools.{name}.channels", table.channels or ()) for name, table in config.tools.tables())
    yield from ((f"agents.{name}.channels", agent.channels or ()) for name, agent in config.agents.items())


def _odd_channels(config: Config) -> Iterator[str]:
    for channel, table in config.channels.items():
        if ":" not in channel:
            yield say("config.not-a-channel-key", key=f'channels."{channel}"')
        for link in table.links or ():
            if ":" not in link or link == channel:
                key = f'channels."{channel}".links'
                yield say("config.not-another-channel", key=key, id=link)


def _odd_models(config: Config) -> Iterator[str]:
    for key, name in _model_names(config):
        provider, slash, model = name.partition("/")
        if not name and key not in {"model.name"}:
            continue
        if not slash or not model:
            yield say("config.not-a-model", key=key, name=repr(name))
        elif provider not in config.providers:
            known = ", ".join(sorted(config.providers))
            yield say("config.no-such-provider", key=key, provider=repr(provider), known=known, table=provider)


def _model_names(config: Config) -> Iterator[tuple[str, str]]:
    """Yield every key that names a model, with what it names."""
    yield "model.name", config.model.name
    yield "cortex.model", config.cortex.model
    yield "compaction.summarization_model", config.compaction.summarization_model
    yield from _listed("model", config.model.fallbacks)
    yield from ((f"channels.{key}.model", channel.model or "") for key, channel in config.channels.items())
    for key, agent in config.agents.items():
        yield f"agents.{key}.model", agent.model
        yield from _listed(f"agents.{key}", agent.fallbacks or ())


def _listed(table: str, fallbacks: Sequence[str]) -> Iterator[tuple[str, str]]:
    return ((f"{table}.fallbacks[{n}]", name) for n, name in enumerate(fallbacks))


def _falling_levels(compaction: CompactionConfig) -> Iterator[str]:
    for lower, higher in pairwise(("background_percent", "aggressive_percent", "emergency_percent")):
        if getattr(compaction, higher) < getattr(compaction, lower):
            yield say("config.level-lower", higher=higher, lower=lower)


def _too_long_copies(retention: RetentionConfig) -> Iterator[str]:
    """Complain of copies that are told to outlive what they hold; the default follows by itself."""
    spans = {"ambient_hours": retention.ambient_hours}
    spans |= {name: getattr(retention, name) * 24 for name in ("messages_days", "requests_days", "records_days")}
    spans |= {name: getattr(retention, name) * 24 for name in ("audit_days", "versions_days")}
    name, hours = min(((n, span) for n, span in spans.items() if span), key=lambda pair: pair[1], default=("", inf))
    if "backups_hours" in retention.model_fields_set and retention.backups_hours > hours:
        kept, most = f"{retention.backups_hours:g}", f"{hours:g}"
        yield say("config.copies-too-long", hours=kept, name=name, most=most)
