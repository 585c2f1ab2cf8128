"""What a tool is, what it may see, and how its needs are met before the bot starts."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache, partial
from math import inf
from types import MappingProxyType
from typing import Any, NamedTuple, TypedDict, Unpack, get_type_hints

from pydantic import BaseModel, ConfigDict, model_validator

from bot.domain.access import Authority, Caller
from bot.domain.base import JsonText, canonical_json
from bot.domain.channel import ProcessKind
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import ChannelKey
from bot.domain.llm import ToolDefinition
from bot.domain.memory import MemoryReach
from bot.domain.record_access import RecordReader, process_reader
from bot.domain.snapshot import ContextSnapshot, SectionFate
from bot.errors import ConfigError
from bot.ports.channels import ChannelDirectory
from bot.prompts import render
from bot.sentences import say
from bot.tools.runtime.effects import TurnEffects

CONTEXT_NAME = "ctx"
MAX_ROUNDS = 25
"""The most rounds that a turn comes to, however often it asks for more."""
_NO_CONFIG: Mapping[str, str] = MappingProxyType({})
Run = Callable[..., Awaitable[str]]


class ToolArgs(BaseModel):
    """Arguments that the model fills in."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True, allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _drop_context(cls, value: Any) -> Any:
        # a model that has seen other code passes one; it is not an argument, and never the way in
        return {k: v for k, v in value.items() if k != CONTEXT_NAME} if isinstance(value, dict) else value


class AnyArgs(ToolArgs):
    """Arguments of a tool that checks them itself, such as one of an MCP server: any keys, but never a context."""

    model_config = ConfigDict(frozen=True, extra="allow", hide_input_in_errors=True, allow_inf_nan=False)


class CallOrigin(NamedTuple):
    """Where a call comes from. `is_direct`: in a DM, or the bot was mentioned or replied to.

    `inbound` is the message that is answered; `root` is the one that all of it goes back to, where that is another.
    `is_private`: it works for an admin alone, and nothing of it may go out into the channel. `asked` is the platform's
    id of the message that somebody said, and empty for what follows by itself.
    """

    key: ChannelKey
    platform: str
    guild_id: str = ""
    is_dm: bool = False
    is_direct: bool = False
    message_id: str = ""
    inbound: int = 0
    root: int = 0
    is_private: bool = False
    asked: str = ""

    def answer(self, number: int) -> str:
        """Name a text that answers what was asked, the same in every program; empty where nothing was."""
        return f"{self.asked}:{number}" if self.asked else ""

    @property
    def adapter(self) -> str:
        """The table `[platforms.<adapter>]` that brings the messages of the channel."""
        return self.platform

    @property
    def rows(self) -> frozenset[int]:
        """The ledger rows of the messages that it goes back to."""
        return frozenset({self.inbound, self.root} - {0})

    @property
    def correlation(self) -> str:
        """The handle that everything has in common which one message set off, branches and workers too."""
        row = self.root or self.inbound
        return handle(HandleKind.INBOUND, row) if row else ""


class RoundLimit:
    """How many rounds a turn may have: one box for each turn, which its calls may change while they run."""

    def __init__(self, limit: int, most: int = MAX_ROUNDS) -> None:
        self.limit = limit
        self.most = max(limit, most)

    def extend(self, rounds: int) -> int:
        """Allow more rounds; return how many that were."""
        given = min(rounds, self.most - self.limit)
        self.limit += given
        return given


class TurnView(NamedTuple):
    """The turn that a call belongs to: its number, whose it is, and what the model was told (`room_context`).

    `disclosed` are the skills whose text it was given in the rounds before; `config` is what the bot was told, without
    its secrets. `deadline` is when the turn must be over, on the clock's monotonic scale. `rounds` is its box of
    rounds, None where nobody may extend it. `process` is the branch or worker that the turn is a part of (0: none).
    """

    number: int
    kind: ProcessKind
    snapshot: ContextSnapshot
    disclosed: tuple[str, ...] = ()
    config: Mapping[str, str] = _NO_CONFIG
    deadline: float = inf
    rounds: RoundLimit | None = None
    process: int = 0

    @property
    def disclosed_skill_ids(self) -> tuple[str, ...]:
        """The skills that the model was told of, and may look up."""
        sections = (section for section in self.snapshot.sections if section.name == "skills")
        found = (source for section in sections if section.fate is SectionFate.KEPT for source in section.sources)
        return tuple(s.removeprefix("skill:").partition("@")[0] for s in found if s.startswith("skill:"))


@dataclass(frozen=True, slots=True)
class ToolContext:
    """Who is calling and what they may look at. Services are not kept here: ask for them by type."""

    origin: CallOrigin
    caller: Caller
    channels: ChannelDirectory
    effects: TurnEffects
    turn: TurnView

    @property
    def reader(self) -> RecordReader:
        """Say as whom the caller reads records."""
        origin = self.origin
        return process_reader(self.turn.kind, origin.key, self.caller.person, is_private=origin.is_private)

    @property
    def reach(self) -> MemoryReach:
        """Say which memories this call may see: those of its channel, and in it those of the caller."""
        key = self.origin.key
        user = self.caller.person.user_id if self.turn.kind is ProcessKind.CHANNEL else None
        return MemoryReach(agent=key.agent, channel=key.channel, guild_id=self.origin.guild_id, user_id=user)


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as it is written: a function, and who may call it. Nothing is allowed that is not named here.

    `group` is the table `[tools.<group>]` that opens it (empty: it needs none). `timeout` is seconds; one that takes
    longer than a turn waits goes on in the background, but for `no_background`. One that is `on_demand` is listed by a
    line, and offered only once the model has opened it (`request_tool_injection`) or called it: so that tools that are
    rarely used do not fill every request. One that `shows_content` gives what people said in the channel, or what was
    made of it: not for who may not read it there. One of a plugin brings its `description`, for the model; `origin` is
    the plugin with its version.
    """

    name: str
    run: Run
    kinds: frozenset[ProcessKind]
    authority: Authority = Authority.EVERYONE
    read_only: bool = False
    allow_repeat: bool = False
    timeout: float = 30.0
    group: str = ""
    no_background: bool = False
    on_demand: bool = False
    shows_content: bool = False
    description: str = ""
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool with its needs met. `missing` are those that only a single process can meet (what it captured)."""

    spec: ToolSpec
    definition: ToolDefinition
    args: type[ToolArgs]
    args_name: str
    wants_context: str | None
    services: Mapping[str, object]
    missing: Mapping[str, type] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What the model calls it."""
        return self.spec.name

    def allows(self, kind: ProcessKind, authority: Authority) -> bool:
        """Say whether this process, for this caller, may use the tool."""
        return kind in self.spec.kinds and authority >= self.spec.authority

    def supplied(self, given: Mapping[type, object]) -> Tool:
        """Return the tool with what its process captured; raise ConfigError when something is still missing."""
        if not self.missing:
            return self
        still = {name: need for name, need in self.missing.items() if need not in given}
        if still:
            raise ConfigError([_unmet(self.name, name, need) for name, need in still.items()])
        met = {name: given[need] for name, need in self.missing.items()}
        return replace(self, services={**self.services, **met}, missing={})

    async def call(self, args: ToolArgs, context: ToolContext) -> str:
        """Run the function with everything that it asked for."""
        extra = {self.wants_context: context} if self.wants_context else {}
        return await self.spec.run(**{self.args_name: args}, **self.services, **extra)


class ToolFlags(TypedDict, total=False):
    """What else a tool says of itself; see ToolSpec."""

    authority: Authority
    read_only: bool
    allow_repeat: bool
    timeout: float
    group: str
    no_background: bool
    on_demand: bool
    shows_content: bool
    description: str


def tool(*, kinds: Collection[ProcessKind], **flags: Unpack[ToolFlags]) -> Callable[[Run], ToolSpec]:
    """Say who may call a function, how long it may take, and whether it changes anything."""

    def wrap(run: Run) -> ToolSpec:
        return ToolSpec(_function_name(run), run, frozenset(kinds), **flags)

    return wrap


def bind_tool(spec: ToolSpec, services: Mapping[type, object], captured: Collection[type] = ()) -> Tool:
    """Read a tool's signature and supply what it asks for, or refuse to start.

    `captured` are types that no service stands for: a process hands them in when it begins (`Tool.supplied`).
    """
    needs = needs_of(spec.run)
    args_name, args = _args_of(spec.name, needs)
    context = next((name for name, need in needs.items() if need is ToolContext), None)
    wanted = {name: need for name, need in needs.items() if name not in {args_name, context}}
    unmet = [_unmet(spec.name, n, t) for n, t in wanted.items() if t not in services and t not in captured]
    if unmet:
        raise ConfigError(unmet)
    chosen = {name: services[need] for name, need in wanted.items() if need in services}
    missing = {name: need for name, need in wanted.items() if need not in services}
    words = spec.description
    described = render("plugins/tool", words=words, origin=spec.origin) if words else render(f"tools/{spec.name}")
    definition = ToolDefinition(name=spec.name, description=described, parameters=schema_of(args))
    return Tool(spec, definition, args, args_name, context, chosen, missing)


_NULL = {"type": "null"}


@cache
def schema_of(args: type[ToolArgs]) -> JsonText:
    """Return the JSON schema that the model sees: what it needs to call the tool, with every reference written out.

    Defaults, lengths and what may not stand there are left to the check of the arguments: every request pays for them.
    """
    schema = args.model_json_schema()
    definitions = schema.pop("$defs", {})
    tidy = _tidy(schema, definitions)
    tidy.pop("description", None)
    return canonical_json(tidy)


_LEFT_OUT_KEYS = frozenset(
    {"title", "additionalProperties", "default", "minLength", "maxLength", "minItems", "maxItems", "uniqueItems"}
)


def _tidy(schema: dict[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    if "$ref" in schema:
        found = {k: v for k, v in definitions[schema["$ref"].rsplit("/", 1)[-1]].items() if k != "description"}
        return _tidy({**found, **{k: v for k, v in schema.items() if k != "$ref"}}, definitions)
    if _NULL in schema.get("anyOf", ()):
        # who has nothing to say leaves it out; null is taken all the same
        rest = [one for one in schema["anyOf"] if one != _NULL]
        others = {k: v for k, v in schema.items() if k != "anyOf"}
        return _tidy({**rest[0], **others} if len(rest) == 1 else {**others, "anyOf": rest}, definitions)
    tidy: dict[str, Any] = {}
    for key, value in schema.items():
        if key in _LEFT_OUT_KEYS:
            continue
        # the names of properties are data: one may well be called `title`
        tidy[key] = {n: _tidy(p, definitions) for n, p in value.items()} if key == "properties" else value
        if key != "properties" and isinstance(value, dict):
            tidy[key] = _tidy(value, definitions)
        elif isinstance(value, list):
            tidy[key] = [_tidy(item, definitions) if isinstance(item, dict) else item for item in value]
    return tidy


@lru_cache(maxsize=512)
def needs_of(run: Run) -> Mapping[str, type]:
    """Return the type of every named parameter; partials, methods and wrapped functions are looked through."""
    plain = run
    while isinstance(plain, partial):
        plain = plain.func
    hints = get_type_hints(inspect.unwrap(plain))
    bound = set(run.keywords) if isinstance(run, partial) else set()
    open_ended = {inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL}
    parameters = inspect.signature(run).parameters.values()
    return {p.name: hints[p.name] for p in parameters if p.kind not in open_ended and p.name not in bound}


def _args_of(name: str, needs: Mapping[str, type]) -> tuple[str, type[ToolArgs]]:
    found = [(n, t) for n, t in needs.items() if isinstance(t, type) and issubclass(t, ToolArgs)]
    if len(found) != 1:
        raise ConfigError([say("toolbox.argument-models", tool=name, count=len(found))])
    parameter, args = found[0]
    if CONTEXT_NAME in args.model_fields:
        raise ConfigError([say("toolbox.reserved-argument", tool=name, argument=CONTEXT_NAME)])
    return parameter, args


def _unmet(tool_name: str, parameter: str, need: type) -> str:
    kind = getattr(need, "__name__", str(need))
    return say("toolbox.unmet-need", tool=tool_name, parameter=parameter, kind=kind)


def _function_name(run: Run) -> str:
    while isinstance(run, partial):
        run = run.func
    return run.__name__
