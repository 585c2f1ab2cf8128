"""Say why the bot's account cannot be at work, and how long to wait before the next try."""

from __future__ import annotations

from typing import NamedTuple

import structlog
from telegram.error import Conflict, InvalidToken, TelegramError

from adapters.accounts import ForeignAccount
from adapters.telegram.request import FloodWait, TelegramCallLost, TelegramCallUnsent
from adapters.telegram.state import TelegramState, spoken
from bot.domain.bot_accounts import FOREIGN
from bot.domain.health import AdapterState
from bot.errors import StoreError
from bot.runtime.backoff import Backoff
from bot.sentences import Words, later

log = structlog.get_logger(__name__)

_REFUSED_RETRY_SECONDS = 300.0
"""Seconds between tries when somebody has to do something first, such as mending the token."""
_TO_MEND_CODES = frozenset({"token", FOREIGN, "webhook", "conflict"})
_SECOND_POLLER = ("conflict", "telegram_state.second-poller")


class PollingStalled(TelegramError):
    """Polls bring nothing of what waits at the platform."""

    def __init__(self) -> None:
        super().__init__("telegram_state.piling")


class WebhookInTheWay(TelegramError):
    """Another program's webhook stands in the way."""

    def __init__(self, host: str) -> None:
        super().__init__(host)
        self.words = later("telegram_state.webhook", host=host)


class JudgedFailure(NamedTuple):
    """What a failure means: how the adapter is then, why in one word and in words, and the seconds to the next try."""

    state: AdapterState
    code: str
    detail: str | Words
    wait: float


class TelegramFailures:
    """Judges each failure, and tells of each once."""

    def __init__(self, state: TelegramState) -> None:
        self._state = state
        self._backoff = Backoff()
        self._said = ("", "")

    def next_wait(self) -> float:
        """Return the seconds to wait after one more failure."""
        return self._backoff.next()

    def reset(self) -> None:
        """Note that all is well."""
        self._backoff.reset()
        self._said = ("", "")

    def note(self, error: Exception) -> float:
        """Let the state say what is wrong; return the seconds until the next try."""
        judged = self.judge(error)
        self.show(judged, error)
        return judged.wait

    def judge(self, error: Exception) -> JudgedFailure:
        """Say what a failure means."""
        return JudgedFailure(*self._judged(error))

    def show(self, judged: JudgedFailure, error: Exception) -> None:
        """Let the state and the log say what is wrong."""
        if isinstance(error, ForeignAccount):
            self._state.note_foreign_account(error.facts, error.fix)
        code, detail, wait = judged.code, spoken(judged.detail), round(judged.wait, 1)
        self._state.enter(judged.state, code, judged.detail)
        # what passes by itself is a warning; what somebody has to mend is an error, and says how; each is said once
        write = log.debug if (code, detail) == self._said else log.error if code in _TO_MEND_CODES else log.warning
        self._said = (code, detail)
        failures, fix = self._backoff.failures, self._state.health().fix
        write("telegram_poll_failed", code=code, detail=detail, fix=fix, failures=failures, wait=wait)

    def _judged(self, error: Exception) -> tuple[AdapterState, str, str | Words, float]:
        match error:
            case InvalidToken():
                return AdapterState.DOWN, "token", "telegram_state.unknown-token", _REFUSED_RETRY_SECONDS
            case ForeignAccount():
                return AdapterState.DOWN, FOREIGN, error.detail, _REFUSED_RETRY_SECONDS
            case WebhookInTheWay():
                return AdapterState.CONFLICT, "webhook", error.words, self._backoff.next()
            case Conflict():
                # who set a webhook is read before the next try
                is_webhook = "webhook" in error.message.lower()
                if is_webhook:
                    return AdapterState.CONFLICT, "webhook", "telegram_state.webhook-somewhere", self._backoff.next()
                return AdapterState.CONFLICT, *_SECOND_POLLER, self._backoff.next()
            case FloodWait():
                self._backoff.next()
                return (
                    AdapterState.DEGRADED,
                    "flood",
                    later("telegram_state.flood", seconds=f"{error.seconds:g}"),
                    error.seconds,
                )
            case StoreError():
                return AdapterState.DEGRADED, "store", "telegram_state.store", self._backoff.next()
            case TelegramError():
                kind = f"{error.kind}: " if isinstance(error, TelegramCallUnsent | TelegramCallLost) else ""
                code = "piling" if isinstance(error, PollingStalled) else "network"
                return AdapterState.DEGRADED, code, f"{kind}{error}", self._backoff.next()
            case _:
                log.error("telegram_poll_broke", error_type=type(error).__name__, exc_info=error)
                return AdapterState.DEGRADED, "internal", type(error).__name__, self._backoff.next()
