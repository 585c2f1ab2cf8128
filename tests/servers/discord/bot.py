"""An account that is driven by a token, and what the developer portal can switch of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .delivery import PRIVILEGED
from .values import Json, User

if TYPE_CHECKING:
    from .interaction import Interaction
    from .session import Session

# the portal's switches as an unverified application's flags show them
FLAGS = {"presences": 1 << 13, "members": 1 << 15, "message_content": 1 << 19}


@dataclass(slots=True, eq=False, repr=False)
class Bot(User):
    """A bot; its application has its id.

    `granted` are the privileged intents of the portal. `commands` are by scope: None for everywhere, or a guild's id.
    `identifies` are the IDENTIFY payloads that were let in and `starts` their times; `presence` is the last one it set,
    `asked` are the interactions it was handed. `installs` are where the portal lets it be installed: 0 in guilds, 1 by
    people for themselves.
    """

    token: str = ""
    owner: User | None = None
    granted: set[str] = field(default_factory=lambda: set(PRIVILEGED))
    commands: dict[int | None, list[Json]] = field(default_factory=dict)
    creates: list[float] = field(default_factory=list)
    sessions: list[Session] = field(default_factory=list)
    identifies: list[Json] = field(default_factory=list)
    starts: list[float] = field(default_factory=list)
    installs: tuple[str, ...] = ("0",)
    presence: Json | None = None
    asked: list[Interaction] = field(default_factory=list)

    @property
    def is_bot(self) -> bool:
        """Say whether a program speaks here."""
        return True

    @property
    def name(self) -> str:
        """Name it in a transcript."""
        return self.username

    def starts_since(self, moment: float) -> int:
        """Count the sessions it began since then."""
        return sum(at > moment for at in self.starts)

    @property
    def flags(self) -> int:
        """Write the application's flags, from which a bot reads its intents."""
        return sum(FLAGS[name] for name in self.granted)

    def me(self) -> Json:
        """Write the `User` object as the bot itself may see it."""
        return self.json() | {"verified": True, "mfa_enabled": False, "email": None, "flags": 0, "locale": "en-US"}

    def application(self) -> Json:
        """Write the `Application` object."""
        body: Json = {"id": str(self.id), "name": self.username, "description": "", "icon": None, "summary": ""}
        body |= {"verify_key": "0" * 64, "team": None, "interactions_endpoint_url": None, "rpc_origins": []}
        body["integration_types_config"] = {kind: {} for kind in self.installs}
        body |= {"bot_public": False, "bot_require_code_grant": False, "flags": self.flags}
        return body | {"owner": (self.owner or self).json(), "bot": self.json()}
