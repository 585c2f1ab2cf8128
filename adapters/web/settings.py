"""What may be set about reading the web."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, PositiveFloat, PositiveInt, SecretStr

from adapters.web.guard import AddressGuard, guard_of


class Settings(BaseModel):
    """Keys of `[tools.web]`. Seconds; `max_mb` is what is read of one page, unpacked."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    seconds: PositiveFloat = 20.0
    max_mb: PositiveFloat = 2.0
    redirects: int = Field(5, ge=0, le=20)
    ports: tuple[PositiveInt, ...] = (80, 443)
    own_hosts: tuple[str, ...] = ()
    blocked_hosts: tuple[str, ...] = ()
    proxy: str = Field("", repr=False)
    search: Literal["", "searxng", "brave"] = ""
    search_url: str = ""
    search_key: SecretStr = SecretStr("")
    search_seconds: PositiveFloat = 10.0

    @property
    def most_bytes(self) -> int:
        """`max_mb` in bytes."""
        return int(self.max_mb * 1024 * 1024)

    def guard(self) -> AddressGuard:
        """Return the check that these keys describe."""
        return guard_of(self.ports, self.own_hosts, self.blocked_hosts)
