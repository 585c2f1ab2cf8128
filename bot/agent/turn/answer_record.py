"""What came back from a model, put on record without a commit of its own where it ends the turn."""

from __future__ import annotations

from bot.domain.llm import LLMResponse
from bot.domain.turn import AttemptRecord
from bot.ports.journal import Journal
from bot.text.text import clean


class DeferredAnswerRecord:
    """Keeps attempts: an answer that may well be the last waits for the commit that ends the turn.

    A process that dies before leaves a request without an answer, which is what anybody got to see of it. Without
    `words` what is kept is how it ended and what it cost.
    """

    def __init__(self, journal: Journal, *, words: bool = True) -> None:
        self.unkept: tuple[AttemptRecord, ...] = ()
        self._journal = journal
        self._words = words

    async def keep(self, attempt: AttemptRecord) -> None:
        """Put an attempt on record, now or with the turn's end."""
        if attempt.response is not None and not self._words:
            attempt = attempt.replace(response=attempt.response.wordless())
        response = attempt.response
        # a search for what a filter refuses goes on: what its requests cost must not be forgotten for the answer's
        if response is None or response.calls or attempt.searches or not _is_clean(response):
            await self._journal.record_attempt(attempt)
        else:
            self.unkept = (attempt,)

    async def keep_now(self) -> None:
        """Put an answer on record that was not the last after all."""
        for attempt in self.unkept:
            await self._journal.record_attempt(attempt)
        self.unkept = ()


def _is_clean(response: LLMResponse) -> bool:
    """Say whether any store takes it; what none takes must not take the turn's end with it."""
    words = response.text, response.reasoning, response.stopped_with, response.answered_by, response.response_id
    return all(clean(word).text == word for word in words)


def cleaned(response: LLMResponse) -> LLMResponse:
    """Replace what no store and no provider takes; a model can write NUL and half characters as JSON escapes."""
    if not response.calls and _is_clean(response):
        return response
    calls = tuple(
        call.replace(name=clean(call.name).text, arguments=clean(call.arguments).text) for call in response.calls
    )
    return response.replace(text=clean(response.text).text, reasoning=clean(response.reasoning).text, calls=calls)
