"""The adapter's own keys in the `[platforms.discord]` table."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PositiveFloat,
    SecretStr,
    field_validator,
    model_validator,
)
from yarl import URL

from bot.sentences import say

# what a token looks like is the platform's own affair: Discord's has three parts with dots, a server of one's own may
# give out a JWT or anything else. What a header cannot carry is refused here, and all else by the server.
_TOKEN = re.compile(r"[!-~]{1,8000}", re.ASCII)
_REFERENCES = ("env:", "file:", "cred:")


def _http(value: str) -> str:
    return _address(value, "http", "https", example="https://discord.com/api/v10").rstrip("/")


def _socket(value: str) -> str:
    return _address(value, "ws", "wss", example="wss://gateway.discord.gg") if value else value


def _proxy(value: str) -> str:
    # a proxy is the one address that may hold a password; the message must not repeat it
    if value and not value.startswith(_REFERENCES) and (URL(value).scheme not in ("http", "https")):
        raise ValueError(say("config.must-be-address-like", example="http://proxy.example:3128"))
    return value


def _address(value: str, *schemes: str, example: str) -> str:
    url = URL(value)
    if url.scheme not in schemes or not url.host:
        raise ValueError(say("config.must-be-address-like", example=example))
    if url.user or url.password:
        raise ValueError(say("config.no-password-in-it"))
    return value


Web = Annotated[str, AfterValidator(_http)]


class Settings(BaseModel):
    """What may be set. An empty `gateway_url` is asked of the platform; an HTTP `proxy` may hold a password.

    `shard_ids` are the shards of this process out of `shard_count`; without them it takes every shard, and with
    `shard_count = 0` as many as the platform advises. Where several processes listen, each takes some of the
    `shard_ranges`. `message_content` requests the privileged intent without which
    only mentions, replies, direct messages and slash commands have a text. After a pause, what was missed is read back
    for `backfill_hours` and at most `backfill_messages` a channel; 0 of either: not at all. A call may take
    `request_timeout` seconds, one with a file `upload_timeout`. A gateway that is silent for `stalled_after` seconds,
    heartbeats included, is connected anew. Discord takes 50 calls a second; `calls_per_second`
    stays below (0: no limit).
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    token: SecretStr
    gateway_url: Annotated[str, AfterValidator(_socket)] = ""
    rest_url: Web = "https://discord.com/api/v10"
    cdn_url: Web = "https://cdn.discordapp.com"
    proxy: Annotated[str, AfterValidator(_proxy)] = Field("", repr=False)
    shard_ids: tuple[Annotated[int, Field(ge=0, strict=True)], ...] = ()
    shard_count: int = Field(0, ge=0, strict=True)
    shard_ranges: int = Field(1, ge=1, strict=True)
    message_content: bool = True
    backfill_hours: float = Field(24.0, ge=0, allow_inf_nan=False)
    backfill_messages: int = Field(1000, ge=0)
    connect_timeout: PositiveFloat = 10.0
    request_timeout: PositiveFloat = 20.0
    upload_timeout: PositiveFloat = 120.0
    stalled_after: PositiveFloat = 90.0
    calls_per_second: float = Field(35.0, ge=0, allow_inf_nan=False)

    @field_validator("token", mode="before")
    @classmethod
    def _is_a_token(cls, value: object) -> object:
        text = value.get_secret_value() if isinstance(value, SecretStr) else value
        # who only looks at the data directory follows no reference
        if isinstance(text, str) and not text.startswith(_REFERENCES) and not _TOKEN.fullmatch(text):
            raise ValueError(say("config.must-be-discord-token"))
        return value

    @property
    def shard_names(self) -> str:
        """Which shards are this process's and out of how many; empty for all of them."""
        return f"{','.join(map(str, sorted(self.shard_ids)))} of {self.shard_count}" if self.shard_ids else ""

    @property
    def ranges(self) -> tuple[tuple[int, ...], ...]:
        """The shards of each range; one that is empty where they are not parted."""
        many, count = self.shard_ranges, self.shard_count
        if many == 1:
            return ((),)
        return tuple(tuple(range(n * count // many, (n + 1) * count // many)) for n in range(many))

    @model_validator(mode="after")
    def _shards_fit(self) -> Settings:
        ids, count = self.shard_ids, self.shard_count
        if ids and not count:
            raise ValueError(say("config.shards-need-count"))
        if any(shard >= count for shard in ids):
            raise ValueError(say("config.shards-below-count", count=str(count)))
        if len(set(ids)) != len(ids):
            raise ValueError(say("config.shard-twice"))
        if self.shard_ranges > 1 and ids:
            raise ValueError(say("config.shard-ranges-without-ids"))
        if self.shard_ranges > max(1, count):
            raise ValueError(say("config.too-many-shard-ranges"))
        return self
