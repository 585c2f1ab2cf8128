"""When a scenario is played, how people put what they say, and how they are called: all of that is beside the point."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from tests.fakes.clock import START

_QUESTIONS = {
    "are you there?": (
        "are you awake?",
        "bist du da?",
        "¿estás ahí? necesito ayuda con el horno",
        "can you tell me when the market opens",
        "yo u there?? 🙏",
        "ты здесь?",
    ),
    "are you still there?": ("and now?", "hallo??", "did you fall asleep", "t'es là ?", "I am waiting..."),
    "is anybody there?": ("does somebody know when the bus goes", "jemand da?", "anyone awake", "tem alguém aí?"),
    "what a day": ("long day", "so ein Tag", "phew, home at last", "que día"),
}
_FAMILY = ("", " 🍐", " (Berlin)", " | she/her", " ツ")
_DAY_MS = 86_400_000


@dataclass
class Setting:
    """One way to play a scenario; `seed` 0 is the plain one, in which nothing is put otherwise."""

    seed: int = 0
    _put: dict[str, str] = field(default_factory=dict)

    @property
    def start(self) -> int:
        """When it begins, UTC ms: at any hour, within a year."""
        return START + self._chance("start").randrange(365 * _DAY_MS) // 1000 * 1000 if self.seed else START

    def words(self, text: str) -> str:
        """Put a question in other words; the same question is always put the same way."""
        if not self.seed:
            return text
        for plain, others in _QUESTIONS.items():
            if plain in text:
                text = text.replace(plain, self._put.setdefault(plain, self._chance(plain).choice(others)))
        return text

    def name(self, plain: str) -> str:
        """Call somebody something else; who reads it still finds the name in it."""
        return plain + self._chance(plain).choice(_FAMILY) if self.seed else plain

    def chance(self) -> random.Random:
        """Return chance for what else is to differ."""
        return self._chance("else")

    def _chance(self, about: str) -> random.Random:
        return random.Random(f"{self.seed}:{about}")


def plain() -> Setting:
    """Return the setting in which nothing is put otherwise."""
    return Setting()
