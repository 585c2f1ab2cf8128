"""Who may do what: four tiers, by numeric id only."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import NamedTuple

from bot.domain.ids import PersonKey, UserId
from bot.domain.messages import Author


class Authority(IntEnum):
    """A person's tier in the configuration; higher includes lower. Platform rights alone give nothing."""

    EVERYONE = 0
    MODERATOR = 1
    ADMIN = 2
    OWNER = 3

    @property
    def word(self) -> str:
        """The tier as people read it."""
        return self.name.lower()


class AccessRight(StrEnum):
    """What somebody may do with a channel.

    `INSPECT`: see how it is, and change it. `READ`: see what was said there too. `AUDIT`: look through what is
    remembered there, and propose to change it. `RECALL`: read the words of what was learnt there.
    """

    INSPECT = "inspect"
    READ = "read"
    AUDIT = "audit"
    RECALL = "recall"


class Caller(NamedTuple):
    """Somebody who wants something, with the tier that code looked up; `name` is shown and proves nothing."""

    person: PersonKey
    name: str
    authority: Authority

    @property
    def author(self) -> Author:
        """Who they are as the author of a message."""
        return Author(user_id=self.person.user_id, name=self.name)


class AuthorityTiers(NamedTuple):
    """The configured ids of one platform."""

    owners: frozenset[UserId] = frozenset()
    admins: frozenset[UserId] = frozenset()
    moderators: frozenset[UserId] = frozenset()

    @property
    def everybody(self) -> frozenset[UserId]:
        """Everyone with a tier of their own."""
        return self.owners | self.admins | self.moderators

    def of(self, user: UserId) -> Authority:
        if user in self.owners:
            return Authority.OWNER
        if user in self.admins:
            return Authority.ADMIN
        return Authority.MODERATOR if user in self.moderators else Authority.EVERYONE
