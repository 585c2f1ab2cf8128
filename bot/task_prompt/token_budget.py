"""Divide a window among the system prompt, the context, the request and the answer."""

from __future__ import annotations

from fractions import Fraction

from pydantic import Field

from bot.domain.base import FrozenModel, kept
from bot.errors import UserError
from bot.sentences import say

DEFAULT_TOTAL = 8000
DEFAULT_INPUT = 0.7
_SYSTEM, _CONTEXT, _REQUEST = 1, 5, 1
"""How the input is split."""


class TokenBudget(FrozenModel):
    """Tokens for one task. The four parts always add up to `total`; `input_allocation_pct` is the input's share, 0..1.

    8,000 by default: 800 system, 4,000 context, 800 request, 2,400 response.
    """

    total: int = Field(DEFAULT_TOTAL, ge=1)
    input_allocation_pct: float = Field(DEFAULT_INPUT, gt=0, le=1)

    @kept
    def parts(self) -> tuple[int, int, int, int]:
        """System, context, request and response, by the largest remainder; a tie goes to the earlier one."""
        share = Fraction(str(self.input_allocation_pct))
        whole = _SYSTEM + _CONTEXT + _REQUEST
        shares = (share * _SYSTEM / whole, share * _CONTEXT / whole, share * _REQUEST / whole, 1 - share)
        exact = [self.total * each for each in shares]
        parts = [int(each) for each in exact]
        by_remainder = sorted(range(4), key=lambda index: parts[index] - exact[index])
        for index in by_remainder[: self.total - sum(parts)]:
            parts[index] += 1
        return parts[0], parts[1], parts[2], parts[3]

    @property
    def system(self) -> int:
        """The share of the system prompt and of what frames the context."""
        return self.parts[0]

    @property
    def context(self) -> int:
        """The share of the context, before anything flows to it."""
        return self.parts[1]

    @property
    def request(self) -> int:
        """The share of what the person asked."""
        return self.parts[2]

    @property
    def response(self) -> int:
        """The share that is kept free for the answer."""
        return self.parts[3]

    @property
    def input(self) -> int:
        """Everything but the answer."""
        return self.total - self.response

    def context_room(self, system_used: int, request_used: int) -> int:
        """Return what the context may hold: what the others leave of the input; raise UserError if they leave nothing.

        What they do not use flows to it, what they use beyond their share is taken from it, the answer's is nobody's.
        """
        room = self.input - system_used - request_used
        if room <= 0:
            tokens = {"system": system_used, "request": request_used, "input": self.input, "total": self.total}
            raise UserError(say("task_prompt.does-not-fit", **tokens))
        return room
