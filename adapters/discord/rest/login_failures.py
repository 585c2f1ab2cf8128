"""Say why the bot's account cannot be at work, once each, and how long to wait before the next try."""

from __future__ import annotations

import structlog
from discord.errors import DiscordException, HTTPException, LoginFailure

from adapters.accounts import ForeignAccount
from adapters.discord.base.state import DiscordState, spoken
from adapters.discord.rest.client import Failure
from adapters.failures import failure_words
from bot.domain.bot_accounts import FOREIGN
from bot.domain.health import AdapterState
from bot.errors import StoreError
from bot.runtime.backoff import Backoff
from bot.sentences import Words

log = structlog.get_logger(__name__)

TOKEN_REFUSAL = ("token", "discord_state.unknown-token")
_REFUSED_RETRY_SECONDS = 300.0
"""Seconds between tries when somebody has to do something first, such as mending the token."""
_PASSING_CODES = frozenset({"network", "internal", "store"})


class AccountRefused(Exception):
    """Discord does not take the bot as it comes: why in one word, and in words."""

    def __init__(self, code: str, words: str) -> None:
        super().__init__(words)
        self.code = code


class LoginFailures:
    """Shows each failure in the state."""

    def __init__(self, state: DiscordState) -> None:
        self._state = state
        self._backoff = Backoff()
        self._said = ""

    def reset(self) -> None:
        """Note that Discord answers."""
        self._backoff.reset()

    def note(self, error: Exception) -> float:
        """Let the state say what is wrong; return the seconds until the next try."""
        state = self._state
        if isinstance(error, ForeignAccount):
            state.own_words[FOREIGN] = (error.detail, error.fix)
            for name, value in error.facts.items():
                state.note(name, value)
        code, detail, wait = self._judged(error)
        state.enter(AdapterState.DEGRADED if code in _PASSING_CODES else AdapterState.DOWN, code, detail)
        told = code + spoken(detail)
        write = log.debug if self._said == told else log.error if wait == _REFUSED_RETRY_SECONDS else log.warning
        self._said = told
        write("discord_cannot_connect", code=code, detail=spoken(detail), fix=state.health().fix, wait=round(wait, 1))
        return wait

    def _judged(self, error: Exception) -> tuple[str, str | Words, float]:
        match error:
            case AccountRefused():
                return error.code, str(error), _REFUSED_RETRY_SECONDS
            case LoginFailure():
                return *TOKEN_REFUSAL, _REFUSED_RETRY_SECONDS
            case HTTPException(status=401):
                return *TOKEN_REFUSAL, _REFUSED_RETRY_SECONDS
            case ForeignAccount():
                return FOREIGN, error.detail, _REFUSED_RETRY_SECONDS
            case StoreError():
                return "store", str(error), self._backoff.next()
            case _ if isinstance(error, Failure):
                return "network", in_words(error), self._backoff.next()
            case _:
                log.error("discord_gateway_broke", error_type=type(error).__name__, exc_info=error)
                return "internal", type(error).__name__, self._backoff.next()


def in_words(error: BaseException) -> str:
    """Say what happened, its class first; addresses stay out of it."""
    if isinstance(error, HTTPException):
        return f"answer: HTTP {error.status} from Discord"
    kind = getattr(error, "kind", "")
    if kind:
        return f"{kind}: {error}"
    if isinstance(error, DiscordException):
        return f"answer: {type(error).__name__}"
    kind, words = failure_words(error) if isinstance(error, Exception) else ("cut", "")
    return f"{kind}: {words} ({type(error).__name__})"
