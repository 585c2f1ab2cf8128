"""Stop a model that asks for the same thing again and again, after telling it so."""

from __future__ import annotations

from contextlib import suppress

from pydantic_core import from_json

from bot.domain.base import Digest, canonical_json, digest_chain, digest_text

WARN_AT = 2
BLOCK_AT = 4


class RepeatGuard:
    """Counts, within one turn, equal calls with equal outcomes, and equal failures of one tool."""

    def __init__(self, warn_at: int = WARN_AT, block_at: int = BLOCK_AT) -> None:
        self._warn_at = warn_at
        self._block_at = block_at
        self._outcome: dict[Digest, Digest] = {}
        self._count: dict[Digest, int] = {}
        self._planned: dict[Digest, int] = {}

    def plan(self, name: str, arguments: str) -> str:
        """Take note of a call that is about to run; return why it may not, or an empty text."""
        key = _name_of(name, arguments)
        self._planned[key] = self._planned.get(key, 0) + 1
        if self._count.get(key, 0) + self._planned[key] >= self._block_at:
            return (
                f"{name} was not run: the same call gave the same result {self._block_at - 1} times. "
                "Use what you have, try something else, or answer."
            )
        if self._count.get(digest_chain("tool", name), 0) + 1 >= self._block_at:
            return f"{name} was not run: it failed the same way {self._block_at - 1} times. Go on without it."
        return ""

    def let_go(self, name: str, arguments: str) -> None:
        """Forget a call that was planned and of which it is not known yet what came of it."""
        key = _name_of(name, arguments)
        self._planned[key] = max(0, self._planned.get(key, 0) - 1)

    def finish(self, name: str, arguments: str, result: str, *, ok: bool) -> str:
        """Take note of a result; return a warning for the model, or an empty text."""
        key = _name_of(name, arguments)
        self._planned[key] = max(0, self._planned.get(key, 0) - 1)
        same = self._counted(key, result)
        failures = self._counted(digest_chain("tool", name), "" if ok else result) if not ok else 0
        if ok:
            self._count.pop(digest_chain("tool", name), None)
        if max(same, failures) < self._warn_at:
            return ""
        left = self._block_at - max(same, failures) - 1
        more = (
            f"{left} more such call{'s' if left != 1 else ''} will be run" if left > 0 else "it will not be run again"
        )
        return f"[the same result as before; {more}]"

    def _counted(self, key: Digest, result: str) -> int:
        outcome = digest_text(result)
        self._count[key] = self._count.get(key, 0) + 1 if self._outcome.get(key) == outcome else 1
        self._outcome[key] = outcome
        return self._count[key]


def _name_of(name: str, arguments: str) -> Digest:
    """Name a call; the order of its arguments and the spaces between them make no other call of it."""
    written = arguments
    with suppress(ValueError):
        written = canonical_json(from_json(arguments.encode("utf-8", "surrogatepass"), allow_inf_nan=False))
    return digest_chain("call", name, written)
