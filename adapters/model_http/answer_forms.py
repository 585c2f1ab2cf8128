"""How the answers of a service are read: what its table says, and what its answers have shown so far."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from adapters.model_http.settings import ServiceSettings
from bot.domain.dialect import DialectTrait
from bot.domain.llm import FinishReason, LLMResponse, WireRequest

if TYPE_CHECKING:
    from adapters.model_http.speech import AnswerOptions, SpeechReader

_THINKING_NAME = re.compile(r"\br1\b|qwq|think|reason|magistral|nemotron", re.IGNORECASE)
"""Names of models whose templates may open the thoughts in the prompt, so that only their end is seen."""


class AnswerForms:
    """Remembers for each model whether its answers begin with thoughts that nothing marks."""

    def __init__(self, provider: str, settings: ServiceSettings) -> None:
        self._provider = provider
        self._settings = settings
        self._begins_with_thoughts: dict[str, bool] = {}

    def manner(self, wire: WireRequest) -> AnswerOptions:
        """Say how the answer to a request is to be read."""
        # imported here: no start needs to know what an answer looks like
        from adapters.model_http.speech import AnswerOptions

        waits = self._settings.bare_thoughts == "wait"
        if self._settings.bare_thoughts == "learn":
            waits = self._begins_with_thoughts.get(wire.model, _THINKING_NAME.search(wire.model) is not None)
        agreed = DialectTrait.TEXT_TOOLS in self._settings.dialect
        return AnswerOptions(self._provider, wire.tools, self._settings.text_calls, waits, agreed)

    def learn(self, model: str, speech: SpeechReader, response: LLMResponse) -> None:
        """Take from a whole answer whether the next one has to wait for the end of its thoughts."""
        if speech.was_bare:
            self._begins_with_thoughts[model] = True
        elif response.text.strip() and response.finish is FinishReason.STOP:
            self._begins_with_thoughts[model] = False
