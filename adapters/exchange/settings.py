"""The keys that every model service over HTTP has in its table of the configuration."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, PositiveFloat, SecretStr, field_validator
from yarl import URL


class ServiceSettings(BaseModel):
    """Keys of a `[providers.x]` table. Seconds.

    `text_calls`: tool calls that a model writes as text, because its server has no parser for them, are made.
    `bare_thoughts`: whether an answer is seen while it is written although its words may turn out to be thoughts whose
    beginning nothing marks. `learn` waits where the model's name or an earlier answer says so, `wait` always, `show`
    never.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    base_url: str
    api_key: SecretStr | None = None
    proxy: str = Field("", repr=False)
    connect_timeout: PositiveFloat = 10.0
    first_token_timeout: PositiveFloat = 30.0
    between_tokens_timeout: PositiveFloat = 20.0
    text_calls: bool = True
    bare_thoughts: Literal["learn", "wait", "show"] = "learn"

    @field_validator("base_url")
    @classmethod
    def _is_an_address(cls, value: str) -> str:
        url = URL(value)
        if url.scheme not in ("http", "https") or not url.host:
            raise ValueError(f"must be an address like {cls.model_fields['base_url'].default}")
        if url.user or url.password:
            raise ValueError("must not contain a password; use api_key")
        return value.rstrip("/")

    @field_validator("api_key", mode="before")
    @classmethod
    def _is_one_word(cls, value: object) -> object:
        key = value.get_secret_value() if isinstance(value, SecretStr) else value
        if isinstance(key, str) and not (key.isascii() and key.isprintable() and " " not in key):
            raise ValueError("must be one line of plain ASCII without spaces")
        return value or None

    @property
    def key(self) -> str:
        """The key itself; empty where none is needed."""
        return self.api_key.get_secret_value() if self.api_key else ""

    @property
    def secrets(self) -> tuple[str, ...]:
        """What no error may show."""
        password = URL(self.proxy).password or ""
        return tuple(secret for secret in (self.key, password) if secret)
