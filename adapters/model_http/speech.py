"""What a model says, thinks and calls in one answer, whatever its service mixes up; words go on at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from adapters.model_http.call_reader import CallPiece, CallReader, ReadCalls
from adapters.model_http.written_calls import FoundCalls, WrittenCalls
from bot.domain.base import quarter_bytes
from bot.domain.llm import TokenUsage, ToolDefinition
from bot.domain.repairs import AnswerRepair
from bot.ports.model import AnswerRestart, OnText
from bot.text.thoughts import ThoughtReader


class AnswerOptions(NamedTuple):
    """How an answer is read. `provider` gets back what it adds; `offered` are the tools that the model may call.

    `text_calls`: a call that is written as text is made. `waits`: words may turn out to be thoughts, and wait.
    `agreed`: the model was told to write its calls so.
    """

    provider: str = ""
    offered: Sequence[ToolDefinition] = ()
    text_calls: bool = True
    waits: bool = False
    agreed: bool = False


PLAIN = AnswerOptions()


class WholeAnswer(NamedTuple):
    """A whole answer, with its thoughts apart from its words."""

    words: str
    thoughts: str
    calls: ReadCalls
    repairs: tuple[AnswerRepair, ...]


class SpeechReader:
    """Grows with every piece. `on_text` gets what people may see, as soon as that is known."""

    def __init__(self, on_text: OnText, manner: AnswerOptions) -> None:
        self._on_text = on_text
        self._manner = manner
        self._text: list[str] = []
        self._thoughts: list[str] = []
        self._reader = ThoughtReader(waits=manner.waits)
        self._written = WrittenCalls(manner.offered)
        self._spoken: WholeAnswer | None = None
        self._is_plain = False
        self._known = 0
        self.calls = CallReader({tool.name for tool in manner.offered})

    @property
    def words(self) -> str:
        """The words so far, as far as they may be seen."""
        return "".join(self._text)

    @property
    def is_anything(self) -> bool:
        """Whether anything came that an answer is made of."""
        return bool(self._text or self._thoughts or self.calls.any) or self._reader.has_any or self._written.has_any

    @property
    def was_bare(self) -> bool:
        """Whether the beginning of the thoughts stood in the prompt."""
        return self._reader.was_bare

    def say(self, piece: str) -> None:
        """Take words; thoughts and calls may be among them."""
        if self._is_plain and "<" not in piece and "[" not in piece and "{" not in piece and "◁" not in piece:
            # nearly every piece: nothing begins or ends in it
            self._text.append(piece)
            self._on_text(piece)
            return
        self._catch_up()
        words = self._reader.feed(piece)
        if self._reader.took_back:
            self._take_back()
        if words:
            self._pass_on(self._written.feed(words))
        self._is_plain, self._known = self._reader.is_plain and self._written.is_plain, len(self._text)

    def think(self, piece: str) -> None:
        """Take a thought that came apart from the words."""
        if not self._thoughts:
            self._catch_up()
            self._pass_on(self._written.feed(self._reader.are_apart()))
        self._thoughts.append(piece)

    def end(self) -> WholeAnswer:
        """Return the whole answer; nothing is taken any more."""
        if self._spoken is None:
            self._spoken = self._ended()
        return self._spoken

    def _catch_up(self) -> None:
        """Let the readers know of the words that went past them."""
        if self._is_plain and (passed := "".join(self._text[self._known :])):
            self._reader.pass_by(passed)
            self._written.pass_by(passed)
        self._is_plain = False

    def _ended(self) -> WholeAnswer:
        self._catch_up()
        words = self._reader.end()
        if self._reader.took_back:
            self._take_back()
        self._pass_on(self._written.feed(words))
        last, written = self._written.end()
        self._pass_on(last)
        repairs = self._of_thoughts()
        if self._reader.calls:
            written = written._replace(calls=(*written.calls, *self._reader.calls))
        unread = self._take_written(written, repairs)
        calls = self.calls.read(self._manner.provider)
        self._text += [unread] if unread else []
        thoughts = "\n".join(filter(None, ("".join(self._thoughts).strip(), self._reader.thoughts)))
        return WholeAnswer("".join(self._text), thoughts, calls, (*repairs, *calls.repairs))

    def _take_written(self, written: FoundCalls, repairs: list[AnswerRepair]) -> str:
        """Make calls of what was written as such; return what stays in the words, and is not for people."""
        if written.rest:
            self._text.append(("\n" if self._text else "") + written.rest)
        if not written.calls and not written.unread:
            return ""
        if self.calls.any:
            # the service has made calls of them itself
            repairs.append(AnswerRepair.CALL_WRITTEN_TOO)
            return ""
        if written.unread:
            repairs.append(AnswerRepair.CALL_UNREADABLE)
            return written.unread
        if not self._manner.text_calls:
            repairs.append(AnswerRepair.CALL_UNREADABLE)
            return written.raw or "\n".join(" ".join(call) for call in written.calls)
        repairs += [] if self._manner.agreed else [AnswerRepair.CALL_WRITTEN]
        for at, (name, arguments) in enumerate(written.calls):
            self.calls.take(CallPiece(at, f"call_{at}", name, arguments))
        return ""

    def _of_thoughts(self) -> list[AnswerRepair]:
        if self._reader.was_bare:
            return [AnswerRepair.THOUGHTS_UNOPENED]
        return [AnswerRepair.THOUGHTS_MARKED] if self._reader.thoughts else []

    def _pass_on(self, words: str) -> None:
        if words:
            self._text.append(words)
            self._on_text(words)

    def _take_back(self) -> None:
        self._reader.took_back = False
        self._text.clear()
        self._written.restart()
        self._on_text(AnswerRestart())


def with_thoughts(usage: TokenUsage, thoughts: str) -> TokenUsage:
    """Return the counts with an estimate of what was thought, where the service does not say."""
    if not thoughts or usage.reasoning:
        return usage
    estimate = quarter_bytes(thoughts)
    most = estimate if usage.output is None else min(estimate, usage.output)
    return usage.replace(reasoning=most, estimated=True)
