"""Errors, named for what the catcher should do.

BotError
├── UserError      say it to the person who asked
├── ToolError      say it to the model
├── ProviderError  wait `retry_after` and try again, fall back, or give up politely
├── DeliveryError  retry, mark uncertain, or tell the person
├── ToolServerError tell the model, connect again later
├── StoreError     stop taking messages, say so, let the supervisor restart
│   ├── DamagedDatabase  say that no start goes on from it: a copy has to be restored
│   ├── LeaseLost  stop without a word: another process goes on
│   └── StoreAway  let the supervisor try the same start again: its server is not there now
├── DamagedRow     do without that one thing, and say so
└── ConfigError    stop at start-up and name every key
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from bot.sentences import Words, say


class BotError(Exception):
    """Base class of everything raised on purpose."""


class WordedError(BotError):
    """Words that are said in the language of who reads them: where it is raised nobody knows of one."""

    def __init__(self, words: str | Words) -> None:
        super().__init__(words)
        self._words = words

    @property
    def words(self) -> Words:
        """What it says, to be said later."""
        words = self._words
        return (lambda: words) if isinstance(words, str) else words

    def __str__(self) -> str:
        """Say it in the language that is spoken now."""
        return self.words()

    def __repr__(self) -> str:
        """Show what it says: of words that are said later nobody else sees anything."""
        return f"{type(self).__name__}({str(self)!r})"


class UserError(BotError):
    """The text is safe and helpful to show in chat."""


class ToolError(BotError):
    """The text becomes the tool result."""


class ProviderFault(StrEnum):
    """What went wrong with a model service, as the retry policy and the diagnosis need it."""

    AUTH = "auth"
    CREDIT = "credit"
    NOT_FOUND = "not_found"
    RATE = "rate"
    OVERLOADED = "overloaded"
    SERVER = "server"
    CONTEXT_LENGTH = "context_length"
    TOOL_PAIRING = "tool_pairing"
    BAD_REQUEST = "bad_request"
    REFUSED = "refused"
    REGION = "region"
    FLAGGED = "flagged"
    ADDRESS = "address"
    VERIFICATION = "verification"
    RETIRED = "retired"
    MEMORY = "memory"
    TOO_LARGE = "too_large"
    TOOL_USE = "tool_use"
    LOADING = "loading"
    BLOCKED = "blocked"
    NO_ANSWER = "no_answer"
    UNREACHABLE = "unreachable"
    TIMEOUT = "timeout"
    CUT = "cut"
    GARBAGE = "garbage"
    COOLING_DOWN = "cooling_down"


TRANSIENT = frozenset(
    {
        ProviderFault.RATE,
        ProviderFault.OVERLOADED,
        ProviderFault.SERVER,
        ProviderFault.UNREACHABLE,
        ProviderFault.TIMEOUT,
        ProviderFault.CUT,
        ProviderFault.GARBAGE,
        ProviderFault.TOOL_USE,
        ProviderFault.LOADING,
        ProviderFault.NO_ANSWER,
    }
)


class ProviderError(BotError):
    """The model service failed; the message is for operators and is already free of secrets.

    `behind` is what a model failed with that is left alone now. `named` says that the fault is known by the service's
    words, or was seen by ourselves; without it nothing but a number speaks for it. `limit` and `size` are what the
    service takes at most and what it was given, by its own words (0: it did not say).
    """

    def __init__(
        self,
        message: str,
        *,
        fault: ProviderFault,
        status: int | None = None,
        retry_after: float | None = None,
        partial_text: str = "",
        behind: ProviderFault | None = None,
        named: bool = True,
        limit: int = 0,
        size: int = 0,
    ) -> None:
        super().__init__(message)
        self.fault = fault
        self.behind = behind
        self.status = status
        self.retry_after = retry_after
        self.partial_text = partial_text
        self.named = named
        self.limit = limit
        self.size = size

    @property
    def transient(self) -> bool:
        """Whether the same request may succeed later."""
        return self.fault in TRANSIENT


class DeliveryError(WordedError):
    """A platform did not take a message. `uncertain`: it may have been delivered and must not be sent again.

    `waits`: it has surely not been sent, is kept, and goes out by itself once the platform can be reached.
    """

    def __init__(
        self,
        words: str | Words,
        *,
        code: str = "",
        retry_after: float | None = None,
        uncertain: bool = False,
        permanent: bool = False,
        waits: bool = False,
    ) -> None:
        super().__init__(words)
        self.code = code
        self.retry_after = retry_after
        self.uncertain = uncertain
        self.permanent = permanent
        self.waits = waits

    def reworded(self, words: str | Words) -> DeliveryError:
        """Return the same refusal in other words."""
        return DeliveryError(
            words,
            code=self.code,
            retry_after=self.retry_after,
            uncertain=self.uncertain,
            permanent=self.permanent,
            waits=self.waits,
        )


def name_of(error: BaseException) -> str:
    """Name an error without a word of what it says, which may be somebody's: for the log."""
    code = getattr(error, "code", "")
    return f"{type(error).__name__}: {code}" if code else type(error).__name__


class FetchError(BotError):
    """A file that came with a message cannot be had: too large, gone, or the platform does not answer."""


class ToolServerError(WordedError):
    """A program that offers tools failed or misbehaved; the words say how, and hold no secret of ours."""


class StoreError(WordedError):
    """The data directory cannot be used: full, unreadable, locked, newer than this program."""


class DamagedDatabase(StoreError):
    """The database is damaged, or is not the one any more that was opened: the next start cannot go on from it."""


class LeaseLost(StoreError):
    """Another process has taken over: what this one still does is stored nowhere, and it may tell nobody anything."""


class StoreAway(StoreError):
    """The server that keeps the store does not answer: nothing has to be corrected, and it may be back in a moment."""


class DamagedRow(BotError):
    """One stored row is not what was written; everything else can be used. `name` is its handle, if it has one."""

    def __init__(self, table: str, row: int, name: str = "") -> None:
        super().__init__(table, row, name)
        self.table = table
        self.row = row
        self.name = name

    def __str__(self) -> str:
        """Say it in the language of who reads: it was met on a database's own thread, and is kept for all."""
        return say("store.row-altered", table=self.table, row=str(self.row), name=self.name or "none")


class ConfigError(BotError):
    """The configuration cannot work; `problems` names every key with its fix."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)
