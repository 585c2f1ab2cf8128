"""When a scenario is played, how people put what they say, and how they are called: all of that is beside the point."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import orjson

from tests.fakes.clock import START
from tests.scenarios.wordings import OTHER_SERVICES, STORIES
from tests.servers.model import Calls, Fails, Reply, Says

_FAMILY = ("", " 🍐", " (Berlin)", " | she/her", " ツ")
_DAY_MS = 86_400_000
T = TypeVar("T")


@dataclass
class Setting:
    """One way to play a scenario; `seed` 0 is the plain one, in which nothing is put otherwise.

    `told` is what was said in it, in the words that were chosen.
    """

    seed: int = 0
    told: list[str] = field(default_factory=list)

    @property
    def start(self) -> int:
        """When it begins, UTC ms: at any hour, within a year."""
        return START + self._chance("start").randrange(365 * _DAY_MS) // 1000 * 1000 if self.seed else START

    def words(self, text: str) -> str:
        """Put what is said in other words; the same is always put the same way."""
        put = self._put(text)
        self.told.append(put)
        return put

    def replies(self, script: Sequence[Reply]) -> list[Reply]:
        """Let a model or its service say the same in other words."""
        return [self._reply(reply) for reply in script]

    def other(self, plain: T, *others: T) -> T:
        """Choose how something is told for which there is no text to put otherwise: by one of several refusals, say.

        Seeds that follow each other choose different ones, so that a few of them play all.
        """
        chosen = others[(self.seed - 1) % len(others)] if self.seed else plain
        self.told.append(repr(chosen))
        return chosen

    def settings(self, tables: Mapping[str, Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
        """Put the persona of a configuration in other words."""
        own = tables.get("bot", {})
        return {**tables, **({"bot": {**own, "persona": self._put(own["persona"])}} if "persona" in own else {})}

    def name(self, plain: str) -> str:
        """Call somebody something else; who reads it still finds the name in it."""
        return plain + self._chance(plain).choice(_FAMILY) if self.seed else plain

    def chance(self) -> random.Random:
        """Return chance for what else is to differ."""
        return self._chance("else")

    def _put(self, text: str) -> str:
        if not self.seed:
            return text
        for plain, *others in STORIES:
            for way, other in zip(plain, others[(self.seed - 1) % len(others)], strict=True):
                text = text.replace(way, other)
        return text

    def _reply(self, reply: Reply) -> Reply:
        match reply:
            case Says(text=text, chunks=int()):
                put: Reply = replace(reply, text=self._put(text))
            case Calls(tools=tools):
                put = replace(reply, tools=[(self._put(name), self._arguments(told)) for name, told in tools])
            case Fails() if self.seed and reply in OTHER_SERVICES:
                services = OTHER_SERVICES[reply]
                put = services[(self.seed - 1) % len(services)]
            case _:
                put = reply
        self.told.append(repr(put))
        return put

    def _arguments(self, told: str) -> str:
        if not self.seed:
            return told
        arguments = orjson.loads(told)
        return json.dumps({name: self._put(one) if isinstance(one, str) else one for name, one in arguments.items()})

    def _chance(self, about: str) -> random.Random:
        return random.Random(f"{self.seed}:{about}")


def plain() -> Setting:
    """Return the setting in which nothing is put otherwise."""
    return Setting()
