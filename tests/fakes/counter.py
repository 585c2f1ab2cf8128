"""A tokenizer whose tokens are words, so that tests can count on their fingers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.domain.snapshot import CountMethod, Tokenizer


class WordCounter:
    """Implements `bot.ports.model.TokenCounter`: one token a word, exact for every model but `estimated/...`."""

    def __init__(self, *, ready: bool = False) -> None:
        self.counts: dict[str, int] = {}
        self.ready = ready
        self.trouble: BaseException | None = None

    def tokenizer(self, model: str) -> Tokenizer:
        method = CountMethod.ESTIMATE if model.startswith("estimated/") else CountMethod.EXACT
        return Tokenizer(name="words", method=method)

    def known(self, text: str) -> int | None:
        return self.counts.get(text)

    def count(self, text: str) -> int:
        return self.counts.setdefault(text, len(text.split()))

    async def warm(self, texts: Sequence[str]) -> None:
        self.ready = True
        for text in texts:
            self.count(text)

    async def sizes(self, texts: Sequence[str]) -> Mapping[str, int]:
        await self.warm(texts)
        return {text: self.count(text) for text in texts}
