"""Whose a data directory is: on each platform, that of one account of the bot."""

from __future__ import annotations

from typing import NamedTuple

from bot.sentences import say

STREAM = "account"
"""The stream of every platform under which it is stored beside what was read."""
FOREIGN = "account"
"""The code that says that a token is of another account."""
BELONGS_TO, TOKEN_OF = "belongs_to", "token_of"
"""What the facts of an adapter's health are called that tell of accounts."""


class BotAccount(NamedTuple):
    """An account of the bot: its number, which stays, and its name as people write it."""

    id: str
    name: str

    @classmethod
    def read(cls, stored: str | None) -> BotAccount | None:
        """Read what was stored; None for nothing."""
        number, _, name = (stored or "").partition(" ")
        return cls(number, name) if number else None

    @property
    def stored(self) -> str:
        """The text that is stored for it."""
        return f"{self.id} {self.name}"

    def __str__(self) -> str:
        return f"{self.name} ({self.id})"


def foreign_account_text(theirs: BotAccount, ours: BotAccount) -> str:
    """Say that a data directory is `theirs` and a token `ours`."""
    return say("doctor.foreign-account", theirs=str(theirs), ours=str(ours))


def put_back(platform: str, theirs: BotAccount) -> str:
    """Say what ends it that the data is of another account."""
    return say("doctor.foreign-account-fix", theirs=theirs.name, platform=platform)
