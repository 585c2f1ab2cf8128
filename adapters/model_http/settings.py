"""The keys that every model service over HTTP has in its table of the configuration."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, PositiveFloat, SecretStr, field_validator, model_validator
from yarl import URL

from adapters.model_http.dialects import ServiceDialects, checked_keys
from bot.domain.dialect import DialectTrait
from bot.domain.patience import PUBLIC_SECONDS, Patience, patience_with
from bot.sentences import say


class ServiceSettings(BaseModel):
    """Keys of a `[providers.x]` table. Seconds.

    Without `first_token_timeout` a public address has its default, and a local one minutes.
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
    first_token_timeout: PositiveFloat = PUBLIC_SECONDS
    between_tokens_timeout: PositiveFloat = 20.0
    dialect: tuple[str, ...] = ()
    learn_dialect: bool = True
    text_calls: bool = True
    bare_thoughts: Literal["learn", "wait", "show"] = "learn"

    @field_validator("base_url")
    @classmethod
    def _is_an_address(cls, value: str) -> str:
        url = URL(value)
        if url.scheme not in ("http", "https") or not url.host:
            raise ValueError(say("config.must-be-address-like", example=cls.model_fields["base_url"].default))
        if url.user or url.password:
            raise ValueError(say("config.no-password-but-key"))
        return value.rstrip("/")

    @field_validator("dialect", mode="before")
    @classmethod
    def _are_known(cls, value: object) -> object:
        return checked_keys(value)

    @model_validator(mode="after")
    def _reads_what_is_written(self) -> Self:
        if DialectTrait.TEXT_TOOLS in self.dialect and not self.text_calls:
            raise ValueError(say("config.text-calls-needed"))
        return self

    @field_validator("api_key", mode="before")
    @classmethod
    def _is_one_word(cls, value: object) -> object:
        key = value.get_secret_value() if isinstance(value, SecretStr) else value
        if isinstance(key, str) and not (key.isascii() and key.isprintable() and " " not in key):
            raise ValueError(say("config.must-be-one-word"))
        return value or None

    def dialects_of(self, known: Sequence[str], keys: tuple[str, ...] = ()) -> ServiceDialects:
        """Return which dialects there are; `known` are the traits that the protocol has a form for."""
        return ServiceDialects(self.base_url, (*self.dialect, *keys), self.learn_dialect, tuple(known))

    @property
    def patience(self) -> Patience:
        """How long it may take before it begins to answer."""
        is_set = "first_token_timeout" in self.model_fields_set
        return patience_with(URL(self.base_url).host or "", self.first_token_timeout, is_set=is_set)

    @property
    def key(self) -> str:
        """The key itself; empty where none is needed."""
        return self.api_key.get_secret_value() if self.api_key else ""

    @property
    def secrets(self) -> tuple[str, ...]:
        """What no error may show."""
        password = URL(self.proxy).password or ""
        return tuple(secret for secret in (self.key, password) if secret)
