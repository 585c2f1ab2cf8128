"""Write down what one process of the bot has to know of what another one heard, for this version and those beside."""

from __future__ import annotations

from typing import Self

import structlog
from pydantic import BaseModel, ConfigDict, ValidationError

log = structlog.get_logger(__name__)


class AdapterHandoff(BaseModel):
    """Every field has a default, so that what another version does not know is nothing to it."""

    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)

    @property
    def stored(self) -> str:
        """Write it down; nothing where there is nothing to know."""
        return self.model_dump_json() if self != type(self)() else ""

    @classmethod
    def read(cls, stored: str) -> Self:
        """Read what was written down; what cannot be read tells nothing."""
        try:
            return cls.model_validate_json(stored) if stored else cls()
        except ValidationError as error:
            # its words may hold a secret
            log.error("handoff_unreadable", of=cls.__name__, faults=error.error_count())
            return cls()
