"""Every key of the configuration, with its default. Lists mean one thing: absent is all, empty is none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal, Self
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PositiveFloat,
    PositiveInt,
    StringConstraints,
    field_validator,
    model_validator,
)

from bot.config.agents import NO_AGENT, AgentConfig, AgentName, SkillsConfig
from bot.config.config_table import ConfigTable, keys
from bot.config.id_forms import text_id, user_problem
from bot.config.tool_groups import ToolsConfig
from bot.domain.channel import ResponseMode
from bot.domain.ids import UserId
from bot.domain.platform_names import PlatformNames
from bot.runtime import time_zones
from bot.sentences import ENGLISH, languages, say

RESERVED_IDS = frozenset({"1087968824", "136817688", "777000"})
"""Telegram's GroupAnonymousBot, Channel Bot and service account: they stand for many people."""


_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


def _numeric(value: object) -> str:
    text = text_id(value)
    if user_problem(text):
        raise ValueError(say("config.must-be-numeric-id"))
    if text in RESERVED_IDS:
        raise ValueError(say("config.shared-id"))
    return text


def _address(value: str) -> str:
    # who only looks at the data directory follows no reference, and calls nobody
    if not value or value.startswith(("env:", "file:", "cred:")):
        return value
    try:
        parts = urlsplit(value)
        good = parts.scheme in {"http", "https"} and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        good = False
    if not good or not value.isascii() or not value.isprintable() or " " in value:
        raise ValueError(say("config.must-be-address"))
    return value


def is_server_address(value: str) -> bool:
    """Say whether it names a database on a server."""
    return value.startswith(("postgresql://", "postgres://"))


def _server(value: str) -> str:
    if not value or is_server_address(value) or value.startswith(("env:", "file:", "cred:")):
        return value
    raise ValueError(say("config.must-be-server"))


def _zone(value: str) -> str:
    if problem := time_zones.zone_problem(value):
        raise ValueError(problem)
    return value


_LOOPBACK_V4 = re.compile(r"127(\.[0-9]{1,3}){3}")
Zone = Annotated[str, AfterValidator(_zone)]


def _language(code: str) -> str:
    if code not in languages():
        raise ValueError(say("config.no-such-language", code=repr(code), languages=", ".join(languages())))
    return code


Language = Annotated[str, AfterValidator(_language)]
Address = Annotated[str, AfterValidator(_address)]
Server = Annotated[str, AfterValidator(_server)]
NumericId = Annotated[UserId, BeforeValidator(_numeric)]
TextId = Annotated[str, BeforeValidator(text_id)]


class BotConfig(ConfigTable):
    """Who the bot is and where it keeps things.

    `organisation` is what the bot knows of whom it works for; so is what stands in `organisation_file`, a text beside
    the file of the configuration. `timezone` is where the bot's people are, such as `Europe/Berlin`: what the model is
    told beside UTC. `language` is for people who chose none, and whose app does not say theirs. An empty `log_file` is
    standard error, or `<data_dir>/glassmind.log` while people chat in that terminal.
    """

    live = keys("log_level timezone language")
    name: str = Field("Glassmind", min_length=1, max_length=64)
    persona: str = "You are a helpful, friendly member of this chat. You answer briefly and in the asker's language."
    data_dir: str = "data"
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_file: str = ""
    organisation: str = Field("", max_length=8000)
    organisation_file: str = ""
    timezone: Zone = time_zones.UTC_NAME
    language: Language = ENGLISH


class StoreConfig(ConfigTable):
    """Where messages, conversations and memories are kept: a file in the data directory, or a PostgreSQL database.

    An empty `url` is the file. A password in it is a secret. `schema_name` is the part of the database that is the
    bot's own.
    """

    url: Server = Field("", repr=False)
    schema_name: str = Field("glassmind", pattern=r"^[a-z_][a-z0-9_]{0,62}$")


class ModelConfig(ConfigTable):
    """Which model answers, and its limits. `name` and `fallbacks` are written `provider/model`.

    `context_window` and `max_output_tokens` are tokens; 0 means: take the built-in table's figure. `sees_images`
    says whether the model takes pictures (absent: as the table knows).
    Seconds everywhere else. `price_*` are US dollars per million tokens (absent: cost unknown).
    """

    live = keys(
        "fallbacks context_window max_output_tokens sees_images price_input price_output price_cached "
        "price_cache_write retries retry_wait"
    )
    name: str = "simulated/simulated-1"
    fallbacks: tuple[str, ...] = ()
    context_window: int = Field(0, ge=0)
    max_output_tokens: int = Field(0, ge=0)
    sees_images: bool | None = None
    price_input: float | None = Field(None, ge=0)
    price_output: float | None = Field(None, ge=0)
    price_cached: float | None = Field(None, ge=0)
    price_cache_write: float | None = Field(None, ge=0)
    retries: int = Field(2, ge=0, le=10)
    retry_wait: PositiveFloat = 0.5
    cool_down: PositiveFloat = 60
    turn_timeout: PositiveFloat = 120
    rounds: PositiveInt = 10


class ProviderConfig(BaseModel):
    """A model service. `kind` names the adapter; the other keys are the adapter's own."""

    model_config = ConfigDict(frozen=True, extra="allow", hide_input_in_errors=True)

    live: ClassVar[frozenset[str]] = frozenset()

    kind: str = Field(pattern="^[a-z][a-z0-9_]*$")

    @property
    def settings(self) -> dict[str, Any]:
        """The adapter's own keys."""
        return dict(self.model_extra or {})


_PLATFORM_NAME = re.compile(r"[a-z][a-z0-9_-]{0,31}")


def _platform_name(value: str) -> str:
    if not _PLATFORM_NAME.fullmatch(value):
        raise ValueError(say("config.bad-platform-name"))
    return value


PlatformName = Annotated[str, AfterValidator(_platform_name)]
"""What a platform is called in ids, the ledger and reports: its table's name."""


class PlatformConfig(BaseModel):
    """A bot on a chat service. Its name in ids and reports is the table's; `kind` says which service (default: that).

    Two bots of one service are two tables, each with a token of its own. Unlisted keys are the adapter's own.
    """

    model_config = ConfigDict(frozen=True, extra="allow", hide_input_in_errors=True)
    live: ClassVar[frozenset[str]] = keys(
        "owner_ids admin_ids moderator_ids allowed_users blocked_users allowed_channels blocked_channels "
        "allowed_guilds allow_dms allow_bots default_mode names"
    )

    kind: str = Field("", pattern="^([a-z][a-z0-9_]*)?$")
    enabled: bool = True
    owner_ids: tuple[NumericId, ...] = ()
    admin_ids: tuple[NumericId, ...] = ()
    moderator_ids: tuple[NumericId, ...] = ()
    allowed_users: tuple[TextId, ...] | None = None
    blocked_users: tuple[TextId, ...] = ()
    allowed_channels: tuple[TextId, ...] | None = None
    blocked_channels: tuple[TextId, ...] = ()
    allowed_guilds: tuple[TextId, ...] | None = None
    allow_dms: bool = True
    allow_bots: bool = False
    default_mode: ResponseMode = ResponseMode.MENTION_ONLY
    names: tuple[str, ...] = ()

    @property
    def settings(self) -> dict[str, Any]:
        """The adapter's own keys."""
        return dict(self.model_extra or {})

    @property
    def token(self) -> str:
        """By what its service knows the bot; empty where it has none."""
        token = self.settings.get("token", "")
        return token if isinstance(token, str) else ""


class PluginConfig(BaseModel):
    """A plugin that may run: one that is installed and has no table does not. Unlisted keys are the plugin's own."""

    model_config = ConfigDict(frozen=True, extra="allow", hide_input_in_errors=True)

    live: ClassVar[frozenset[str]] = frozenset()

    enabled: bool = True

    @property
    def settings(self) -> dict[str, Any]:
        """The plugin's own keys."""
        return dict(self.model_extra or {})


PluginName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_-]{0,63}$")]
LiveLinks = Literal["known", "all"]
"""Which links of an answer can be followed."""
LinkHost = Annotated[str, StringConstraints(pattern=r"^[^\s/:@?#]{1,253}$")]
"""A host without a scheme, a port or a path."""


class ChannelConfig(ConfigTable):
    """What is different in one channel; the table's name is the channel id.

    `links` are channels whose newest messages the model reads here, too. `live_links` is as in [conversation].
    `record = false`: of its requests digests and sizes are kept, and no words; talk not addressed to the bot is not
    kept.
    """

    live = keys("model mode record timezone language live_links")
    persona: str | None = None
    model: str | None = None
    mode: ResponseMode | None = None
    record: bool | None = None
    links: tuple[str, ...] | None = Field(None, max_length=3)
    timezone: Zone | None = None
    language: Language | None = None
    live_links: LiveLinks | None = None


_DEFAULT_CHANNEL = ChannelConfig()
"""A channel of which the file says nothing; asked for with every message."""


class ConversationConfig(ConfigTable):
    """How messages become turns, and turns messages. Seconds.

    `resident_mb` is how much memory the histories of conversations may take together; those of the conversations that
    were silent for longest are then read again from the database when somebody writes there.
    `stream_seconds` is the least time between two edits of an answer that is shown while it is written.
    `live_links`: with `known` a link in an answer whose host only others wrote is shown as text, with `all` every link
    is live. `link_hosts` are always live, and what lies under them.
    """

    live = keys(
        "ambient_messages resident_channels resident_mb idle_eviction streaming stream_seconds live_links link_hosts"
    )
    ambient_messages: int = Field(50, ge=0, le=500)
    debounce: float = Field(1.5, ge=0, le=30)
    debounce_longest: float = Field(5.0, ge=0, le=60)
    resident_channels: PositiveInt = 1000
    resident_mb: PositiveInt = 12
    idle_eviction: PositiveFloat = 3600
    streaming: bool = True
    stream_seconds: float = Field(1.5, ge=0.2, le=60)
    live_links: LiveLinks = "known"
    link_hosts: tuple[LinkHost, ...] = Field((), max_length=200)


class AttachmentsConfig(ConfigTable):
    """How much of the files that come with messages is read; 0 means none. Each limit is for one file."""

    live = keys("text_kb image_mb per_message")
    text_kb: int = Field(50, ge=0, le=1000)
    image_mb: float = Field(4, ge=0, le=20)
    per_message: int = Field(4, ge=0, le=10)


class LimitsConfig(ConfigTable):
    """How much is too much. Per-minute rates of messages that reach a model, and of commands; 0 means no limit.

    `waiting_per_channel`: where so many messages wait for their turn, no more are let in.
    """

    live = keys(
        "user_per_minute channel_per_minute user_commands_per_minute channel_commands_per_minute"
        " waiting_per_channel daily_cost_usd loop_guard_messages"
        " send_attempts send_wait"
    )
    user_per_minute: int = Field(20, ge=0)
    channel_per_minute: int = Field(60, ge=0)
    user_commands_per_minute: int = Field(6, ge=0)
    channel_commands_per_minute: int = Field(12, ge=0)
    waiting_per_channel: int = Field(500, ge=0)
    daily_cost_usd: float = Field(0, ge=0)
    loop_guard_messages: int = Field(6, ge=0)
    send_attempts: PositiveInt = 4
    send_wait: PositiveFloat = 1.0
    sends_per_second: float = Field(0, ge=0)


class CallsConfig(ConfigTable):
    """Tool calls. Seconds: up to `inline_seconds` a turn waits for one, then it goes on as a task in the background.

    A call is stopped after `background_seconds`, wherever it runs; at most `background_tasks` run for one channel at
    the same time. `result_chars` is how much of a result the model reads at once, `result_kb` how much is kept.
    """

    live = keys("inline_seconds background_seconds background_tasks result_chars result_kb")
    inline_seconds: PositiveFloat = 10
    background_seconds: PositiveFloat = 900
    background_tasks: int = Field(8, ge=0, le=100)
    result_chars: int = Field(20_000, ge=1000, le=1_000_000)
    result_kb: int = Field(256, ge=4, le=10_000)


class WorkConfig(ConfigTable):
    """Branches, which think apart from a conversation, and workers, which do something; so many for one channel.

    `worker_seconds` is for a whole task, with all of its segments.
    """

    live = keys("branches workers")
    branches: int = Field(5, ge=0, le=50)
    workers: int = Field(5, ge=0, le=50)
    branch_seconds: PositiveFloat = 120
    worker_seconds: PositiveFloat = 1800


class MemoryConfig(ConfigTable):
    """What is remembered. `per_channel`: where there is more, what counts for the least is forgotten; 0: no limit."""

    bulletin_words: int = Field(500, ge=0, le=5000)
    importance_cap: float = Field(0.9, ge=0, le=1)
    per_user_per_day: int = Field(50, ge=0)
    per_channel: int = Field(5_000, ge=0)


class EmbeddingsConfig(ConfigTable):
    """Memories are found by what they mean, too, where a model makes vectors of them; without one by their words.

    `model` is written `provider/model`, of a table `[providers.x]` with `kind = "openai"`; or it is "local", and the
    model stands in `folder`. `seconds` is how long a search waits for the vector of its question before it goes by
    words alone. `price_input` is US dollars per million tokens (absent: cost unknown).
    """

    live = keys("price_input")
    model: str = Field("", pattern=r"^$|^local$|^[^/\s]+/\S+$")
    folder: str = ""
    seconds: PositiveFloat = Field(1.0, le=30)
    batch: int = Field(32, ge=1, le=512)
    price_input: float | None = Field(None, ge=0)


class CortexConfig(ConfigTable):
    """The inspection of channels. An empty `model` means: the channel's own. `tokens` are uncached input tokens.

    `context_window` is what that model can hold; 0 is for the figure that is known of it.

    `proof_runs` is how often one proof may ask the model again.

    `picture` is how pictures of contexts and memories look; they need the extra `charts`. `why_for_members`: whoever
    asks why their own message got no answer is told the cause, in private and in words that give nothing else away.
    `why_by_reaction`: an admin asks by a question mark on a message, too.
    """

    live = keys("model rounds calls seconds tokens context_window proof_runs picture")
    model: str = ""
    rounds: PositiveInt = 12
    calls: PositiveInt = 24
    seconds: PositiveFloat = 90
    tokens: PositiveInt = 60_000
    context_window: int = Field(0, ge=0)
    inspections: PositiveInt = 3
    per_minute: PositiveInt = 6
    confirm_seconds: PositiveFloat = 600
    proof_runs: int = Field(40, ge=8, le=500)
    picture: Literal["dark", "light", "off"] = "dark"
    inspect_dms: bool = False
    notice_in_channel: bool = False
    why_for_members: bool = False
    why_by_reaction: bool = True


class InspectorConfig(ConfigTable):
    """The inspection of channels by an editor, over HTTP (`glassmind mcp serve --http PORT`): who may ask.

    Over standard input and output whoever can read the data directory may.
    """

    token: str = Field("", repr=False, pattern="^$|^[!-~]{16,}$|^(env|file|cred):")


SIGN_IN_BACK = "/sign-in/back"
"""To this path of the page a service sends people back with whom they may be."""


class WebPageConfig(ConfigTable):
    """The page that shows the mind in a browser: `!cortex web` gives an admin a link that works once.

    `address` is where people reach it, such as `https://bot.example.org`, where a server of yours stands in front;
    empty: on this machine alone. A `host` that others can reach has to be meant: `beyond_this_machine`.

    With an `address` that begins with https there are two more ways in. `telegram_app`: below the link is a button that
    opens the page within Telegram. `discord_client_id` and `discord_client_secret` are those of the bot's application,
    whose portal has to know `ADDRESS/sign-in/back` as a redirect: then people can sign in with Discord. Of two bots on
    Discord `discord_platform` is the one whose application that is.
    """

    enabled: bool = False
    host: str = Field("127.0.0.1", pattern=r"^[0-9A-Za-z.:-]{1,64}$")
    port: int = Field(8787, ge=1, le=65535)
    address: str = Field(
        "", pattern=r"^$|^https?://[0-9a-z.-]{1,100}(:[0-9]{1,5})?$|^https?://\[[0-9a-f:]+\](:[0-9]{1,5})?$"
    )
    beyond_this_machine: bool = False
    telegram_app: bool = False
    discord_client_id: str = Field("", pattern=r"^$|^[0-9]{15,21}$|^(env|file|cred):")
    discord_client_secret: str = Field("", repr=False, pattern=r"^$|^[!-~]{16,200}$|^(env|file|cred):")
    discord_platform: str = ""

    @property
    def url(self) -> str:
        """Where people reach it."""
        shown = f"[{self.host}]" if ":" in self.host else self.host
        return self.address or f"http://{shown}:{self.port}"

    @property
    def sign_in_back(self) -> str:
        """What has to be registered as a redirect where people sign in."""
        return self.url + SIGN_IN_BACK

    @model_validator(mode="after")
    def _stays_here_unless_meant(self) -> Self:
        if self.host in _LOOPBACK or self.beyond_this_machine:
            return self
        raise ValueError(say("config.page-for-others"))


class CompactionConfig(ConfigTable):
    """How old talk is shortened. Percent of what a request may hold; an empty model means: the main model.

    From `tool_calls_percent` on old tool calls and results are summarised, from `goal_batch_percent` on finished work
    is put together, from `background_percent` on the older half; from `aggressive_percent` on only the newest turn is
    spared, and from `emergency_percent` on the oldest turns go without a model. `seconds` are for one summary,
    `rest_minutes` is how long a channel is left alone after three failures in a row. `notice`: whether the owners hear
    of the end of each compaction, or of every step.
    """

    live = keys(
        "enabled tool_calls_percent goal_batch_percent background_percent aggressive_percent emergency_percent "
        "summarization_model seconds rest_minutes notice"
    )
    enabled: bool = True
    tool_calls_percent: float = Field(30, ge=0, le=100)
    goal_batch_percent: float = Field(60, ge=0, le=100)
    background_percent: float = Field(80, ge=10, le=100)
    aggressive_percent: float = Field(85, ge=10, le=100)
    emergency_percent: float = Field(95, ge=10, le=100)
    summarization_model: str = ""
    seconds: PositiveFloat = 120
    rest_minutes: PositiveFloat = 30
    notice: Literal["off", "ends", "all"] = "off"


class RetentionConfig(ConfigTable):
    """How long things are kept, in days (ambient, backups: hours); 0 means for ever, for backups: none are made.

    A copy of the database goes no later than the shortest-lived thing in it, whatever `backups_hours` says.
    `journal_mb` is how much recorded requests may take (0: no limit); then the oldest go first.
    """

    live = keys(
        "ambient_hours messages_days requests_days records_days audit_days versions_days journal_mb backups_hours"
        " sweep_minutes"
    )
    ambient_hours: float = Field(72, ge=0)
    messages_days: float = Field(30, ge=0)
    requests_days: float = Field(30, ge=0)
    records_days: float = Field(90, ge=0)
    audit_days: float = Field(365, ge=0)
    versions_days: float = Field(365, ge=0)
    journal_mb: int = Field(1000, ge=0)
    backups_hours: float = Field(72, ge=0, allow_inf_nan=False)
    sweep_minutes: PositiveFloat = 60
    low_water_mb: int = Field(64, ge=0)


class AlertsConfig(ConfigTable):
    """How those who run the bot hear of what nobody in a chat can tell them. Seconds; an empty address: none.

    Both addresses are secrets: whoever knows one can speak in the bot's place.
    """

    live = keys("heartbeat_seconds deaf_after false_success")
    webhook: Address = Field("", repr=False)
    heartbeat_url: Address = Field("", repr=False)
    heartbeat_seconds: float = Field(60, ge=5)
    deaf_after: PositiveFloat = 90
    silence_after: PositiveFloat = 300
    false_success: bool = True


class MetricsConfig(ConfigTable):
    """The numbers for a monitor, at `http://LISTEN/metrics`, with `/healthz` and `/readyz` beside it.

    An empty address: nobody asks. Anybody who reaches it may read it, so an address that is not of this machine alone
    is refused unless `beyond_loopback` says it a second time.
    """

    listen: str = Field("", pattern=r"^(|(\[[0-9a-fA-F:]+\]|[^\s:/@]+):[0-9]{1,5})$")
    beyond_loopback: bool = False

    @model_validator(mode="after")
    def _is_meant(self) -> MetricsConfig:
        host, _, port = self.listen.rpartition(":")
        if self.listen and int(port) > 65_535:
            raise ValueError(say("config.no-such-port", port=port))
        is_here = host in {"", "localhost", "[::1]"} or bool(_LOOPBACK_V4.fullmatch(host))
        if not is_here and not self.beyond_loopback:
            raise ValueError(say("config.metrics-for-others", host=host))
        return self


class TracesConfig(ConfigTable):
    """Traces for a viewer, by OpenTelemetry (OTLP over HTTP): turns, requests, tools, memories, workers, findings.

    An empty `endpoint`: nobody looks. `http://HOST:4318` means `/v1/traces` there; `headers` go along, nearly always
    with a key. What is said is shown of the kinds that are switched on alone, redacted, and never of talks with the
    cortex; of private chats only with `direct_messages` too.
    """

    endpoint: Address = ""
    headers: dict[str, str] = Field(default_factory=dict, repr=False)
    service_name: str = Field("glassmind", pattern=r"^[\w.-]{1,64}$")
    system_instructions: bool = False
    input_messages: bool = False
    output_messages: bool = False
    tool_definitions: bool = False
    tool_arguments: bool = False
    tool_results: bool = False
    memories: bool = False
    findings: bool = False
    direct_messages: bool = False


class DriftConfig(ConfigTable):
    """How often a turn is assembled again and compared with what was sent: 1.0 is always."""

    sample: float = Field(0.05, ge=0, le=1)


class Config(ConfigTable):
    """The whole file. Each has tables of its own, because those of a running bot may take live keys anew."""

    bot: BotConfig = Field(default_factory=BotConfig)
    store: StoreConfig = Field(default_factory=StoreConfig)
    model: ModelConfig = Field(default_factory=ModelConfig)
    providers: dict[str, ProviderConfig] = Field(
        default_factory=lambda: {"simulated": ProviderConfig(kind="simulated")}
    )
    platforms: dict[PlatformName, PlatformConfig] = Field(default_factory=dict)
    channels: dict[str, ChannelConfig] = Field(default_factory=dict)
    conversation: ConversationConfig = Field(default_factory=ConversationConfig)
    attachments: AttachmentsConfig = Field(default_factory=AttachmentsConfig)
    limits: LimitsConfig = Field(default_factory=LimitsConfig)
    calls: CallsConfig = Field(default_factory=CallsConfig)
    tools: ToolsConfig = Field(default_factory=ToolsConfig)
    work: WorkConfig = Field(default_factory=WorkConfig)
    memory: MemoryConfig = Field(default_factory=MemoryConfig)
    embeddings: EmbeddingsConfig = Field(default_factory=EmbeddingsConfig)
    cortex: CortexConfig = Field(default_factory=CortexConfig)
    inspector: InspectorConfig = Field(default_factory=InspectorConfig)
    web_page: WebPageConfig = Field(default_factory=WebPageConfig)
    compaction: CompactionConfig = Field(default_factory=CompactionConfig)
    retention: RetentionConfig = Field(default_factory=RetentionConfig)
    alerts: AlertsConfig = Field(default_factory=AlertsConfig)
    metrics: MetricsConfig = Field(default_factory=MetricsConfig)
    traces: TracesConfig = Field(default_factory=TracesConfig)
    drift: DriftConfig = Field(default_factory=DriftConfig)
    skills: SkillsConfig = Field(default_factory=SkillsConfig)
    agents: dict[AgentName, AgentConfig] = Field(default_factory=dict)
    plugins: dict[PluginName, PluginConfig] = Field(default_factory=dict)

    @field_validator("providers")
    @classmethod
    def _simulated_is_always_there(cls, value: dict[str, ProviderConfig]) -> dict[str, ProviderConfig]:
        return {"simulated": ProviderConfig(kind="simulated"), **value}

    @property
    def platform_names(self) -> PlatformNames:
        """What each platform is, those that are disabled too."""
        return PlatformNames({name: table.kind or name for name, table in self.platforms.items()})

    def enabled_of_kind(self, kind: str) -> tuple[str, ...]:
        """The platforms of a kind on which there is a bot."""
        return tuple(name for name in self.platform_names.of_kind(kind) if self.platforms[name].enabled)

    @property
    def sign_in_platform(self) -> str:
        """Of which platform people are who sign in at the page with Discord; empty where nobody can."""
        known = self.enabled_of_kind("discord") if self.web_page.discord_client_id else ()
        return self.web_page.discord_platform or next(iter(known), "")

    def channel(self, channel: str, former: Sequence[str] = ()) -> ChannelConfig:
        """What is configured for one channel, which may be known here by a former id."""
        found = (self.channels[name] for name in (channel, *former) if name in self.channels)
        return next(found, _DEFAULT_CHANNEL)

    def called(self, agent: str) -> str:
        """How people call an agent in text."""
        return self.agent(agent).name or self.bot.name

    def agent(self, name: str) -> AgentConfig:
        """What is configured for one agent; `main`, and one that is not there any more, differ in nothing."""
        return self.agents.get(name, NO_AGENT)
