"""The adapter's own keys in the `[platforms.telegram]` table."""

from __future__ import annotations

import re

from pydantic import BaseModel, ConfigDict, Field, PositiveFloat, SecretStr, field_validator
from yarl import URL

from bot.sentences import say

# the first part is the bot's id (https://core.telegram.org/bots/features#botfather); `/test` behind it leads to the
# test servers (https://core.telegram.org/bots/features#testing-your-bot)
_TOKEN = re.compile(r"\d{1,20}:[A-Za-z0-9_-]{1,200}(?:/test)?", re.ASCII)


class Settings(BaseModel):
    """What may be set. Seconds everywhere; `proxy` is an HTTP proxy and may hold a password.

    `take_over` lets the bot remove a webhook that another program set, which ends what that program receives.
    `rich_messages`: answers with a table go out as rich messages, where the server has them.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    token: SecretStr
    base_url: str = "https://api.telegram.org/bot"
    file_url: str = "https://api.telegram.org/file/bot"
    proxy: str = Field("", repr=False)
    take_over: bool = False
    rich_messages: bool = True
    poll_timeout: float = Field(25.0, ge=0, le=50)
    connect_timeout: PositiveFloat = 10.0
    request_timeout: PositiveFloat = 20.0
    upload_timeout: PositiveFloat = 120.0
    stalled_after: PositiveFloat = 90.0

    @field_validator("token", mode="before")
    @classmethod
    def _is_a_token(cls, value: object) -> object:
        text = value.get_secret_value() if isinstance(value, SecretStr) else value
        # who only looks at the data directory follows no reference
        if isinstance(text, str) and not text.startswith(("env:", "file:", "cred:")) and not _TOKEN.fullmatch(text):
            raise ValueError(say("config.must-be-telegram-token"))
        return value

    @field_validator("base_url", "file_url")
    @classmethod
    def _is_an_address(cls, value: str) -> str:
        url = URL(value)
        if url.scheme not in ("http", "https") or not url.host:
            raise ValueError(say("config.must-be-telegram-address", example="https://api.telegram.org/bot"))
        if url.user or url.password:
            raise ValueError(say("config.no-password-in-it"))
        return value

    @field_validator("proxy")
    @classmethod
    def _is_a_proxy(cls, value: str) -> str:
        if value and (URL(value).scheme not in ("http", "https") or not URL(value).host):
            raise ValueError(say("config.must-be-address-like", example="http://proxy.example:3128"))
        return value
