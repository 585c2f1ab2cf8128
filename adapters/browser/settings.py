"""What may be set about the browser."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, PositiveFloat, PositiveInt

from adapters.web.guard import AddressGuard, guard_of


class Settings(BaseModel):
    """Keys of `[tools.browser]`, and those of `[tools.web]` that say what may be called."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    program: str = ""
    sandbox: bool = True
    seconds: PositiveFloat = 30.0
    max_mb: PositiveFloat = 20.0
    at_once: PositiveInt = 2
    ports: tuple[PositiveInt, ...] = (80, 443)
    own_hosts: tuple[str, ...] = ()
    blocked_hosts: tuple[str, ...] = ()
    proxy: str = Field("", repr=False)

    def guard(self) -> AddressGuard:
        """Return the check of what may be called."""
        return guard_of(self.ports, self.own_hosts, self.blocked_hosts)
