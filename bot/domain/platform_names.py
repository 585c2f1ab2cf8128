"""What platforms are called here, and which chat service each is: two bots of one service have names of their own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from bot.domain.ids import ChannelId, PersonKey, platform_of
from bot.domain.permalinks import MessageLocation

OWN_KINDS = frozenset({"console", "discord", "telegram"})
"""The chat services that the bot knows by itself; plugins bring others."""


class PlatformNames(NamedTuple):
    """The kind of each platform, by its name: the one that ids, the ledger and reports give it."""

    kinds: Mapping[str, str]

    def kind_of(self, name: str) -> str:
        """Return which chat service a platform is; one that is not configured any more is what it is called."""
        return self.kinds.get(name, name)

    def of_kind(self, kind: str) -> tuple[str, ...]:
        """Return the platforms of a kind."""
        return tuple(name for name, known in self.kinds.items() if known == kind)

    def readings(self, located: MessageLocation | None) -> tuple[MessageLocation, ...]:
        """Return what a link may mean, which names a chat service and none of several bots in it."""
        if located is None:
            return ()
        kind = platform_of(located.channel)
        return tuple(
            located._replace(channel=ChannelId(f"{name}{located.channel.removeprefix(kind)}"))
            for name in self.of_kind(kind) or (kind,)
        )


_PART = re.compile(r"(.+) (\d+) of (\d+)")


class PlatformPart(NamedTuple):
    """A part of what there is to hear on a platform, which one process can listen to while another one has the rest."""

    platform: str
    number: int = 1
    of: int = 1

    @property
    def name(self) -> str:
        """What it is called; a platform that is not parted is called as itself."""
        return f"{self.platform} {self.number} of {self.of}" if self.of > 1 else self.platform


def platform_part(name: str) -> PlatformPart:
    """Read what a part is called."""
    found = _PART.fullmatch(name)
    return PlatformPart(found[1], int(found[2]), int(found[3])) if found else PlatformPart(name)


BY_KIND = PlatformNames({})
"""Where every platform is called by its kind."""


class SwappedNames:
    """Calls a platform by another name wherever it is named, and the other one, if there is any, by the first.

    So nothing of one can pass for the other's, and doing it twice changes nothing.
    """

    def __init__(self, one: str, other: str) -> None:
        self._swapped = {one: other, other: one}
        either = "|".join(map(re.escape, sorted(self._swapped, key=len, reverse=True)))
        # as an id begins, and as the table of the configuration is called: never a word, and never an address
        in_id, in_key = rf"(?<![\w./-])(?:{either})(?=:[\w#@-])", rf"(?<=\bplatforms\.)(?:{either})(?![\w-])"
        self._named = re.compile(f"{in_id}|{in_key}")

    def name(self, name: str) -> str:
        return self._swapped.get(name, name)

    def channel(self, channel: ChannelId) -> ChannelId:
        platform, colon, path = channel.partition(":")
        return ChannelId(f"{self.name(platform)}{colon}{path}")

    def person(self, person: PersonKey) -> PersonKey:
        return PersonKey(self.name(person.platform), person.user_id)

    def words(self, text: str) -> str:
        """Rename it in a text: in ids, and in keys of the configuration."""
        return self._named.sub(lambda found: self._swapped[found[0]], text)
