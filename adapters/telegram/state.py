"""How the connection is, as everything that looks at it says it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from telegram import User, WebhookInfo
from yarl import URL

from adapters import failures
from adapters.telegram.authors import TelegramAccount
from adapters.telegram.places import NAME
from bot.domain.bot_accounts import FOREIGN
from bot.domain.health import DELETIONS, LISTENS, SILENT, AdapterHealth, AdapterState
from bot.ports.clock import Clock
from bot.sentences import Words, say
from bot.text.text import clean
from bot.text.times import clock_time

CONFLICT_AT = "conflict_at"
"""The fact that says when another program last polled with the bot's token (UTC ms)."""
BUSINESS_AT = "business_at"
"""The fact that says when something last came from a chat of somebody's business account (UTC ms)."""
_QUIET_AFTER_CONFLICT_SECONDS = 30.0
_MAX_ERROR_CHARS = 100
FIXES = {
    "token": "telegram_state.fix-token",
    "webhook": "telegram_state.fix-webhook",
    "conflict": "telegram_state.fix-conflict",
    "network": "telegram_state.fix-network",
    "flood": "telegram_state.fix-flood",
    "stalled": "telegram_state.fix-stalled",
    "piling": "telegram_state.fix-piling",
    "store": "telegram_state.fix-store",
    "internal": "telegram_state.fix-internal",
}
"""The sentence that says what to do, by code."""
spoken = partial(failures.spoken, subject="telegram_state.")
"""Say how the connection is, in the language of who reads."""


def fix_words(code: str) -> str:
    """Say what to do about a code; empty where nothing is known."""
    return say(FIXES[code]) if code in FIXES else ""


class TelegramState:
    """What the poller finds out. `me` is None until the platform has said who the bot is.

    Unless it `listens`, another process polls, which alone knows how that goes.
    """

    def __init__(self, clock: Clock, stalled_after: float, *, listens: bool = True) -> None:
        self.listens = listens
        self._clock = clock
        self._stalled_after = stalled_after
        self._health = AdapterHealth(name=NAME, state=AdapterState.STARTING, since=clock.now())
        self._last_good = clock.monotonic()
        self._last_good_at = 0
        self._doubted_until = 0.0
        self._last_event_at = 0
        self._facts: dict[str, str] = {}
        self._waited: int | None = None
        self._own_fixes: dict[str, Words] = {}
        self._detail: Words = str
        self.me: TelegramAccount | None = None

    def is_me(self, user: User) -> TelegramAccount:
        """Take the answer to getMe."""
        self.me = me = TelegramAccount.of(user)
        self._facts |= {
            "username": me.username,
            "id": str(me.id),
            "can_read_all_group_messages": _yes_or_no(me.reads_all),
            "has_topics_enabled": _yes_or_no(me.has_topics),
        }
        return me

    def is_called(self, names: Sequence[str]) -> None:
        """Take the account's names as the process that polls knows them: Telegram tells no bot that it was renamed."""
        if self.me is not None and names and tuple(names) != self.me.names:
            username, name = names[0], names[-1]
            self.me = self.me._replace(username=username, name=name)
            self._facts["username"] = username

    def note_webhook(self, info: WebhookInfo) -> None:
        """Take the answer to getWebhookInfo; of its address the host alone may be shown.

        What waits there although nothing was heard since an answer before piles up.
        """
        count, before = info.pending_update_count, self._waited
        self._facts |= {"webhook_host": host_of(info.url), "pending_updates": str(count)}
        for name in ("webhook_error", "pending_before"):
            self._facts.pop(name, None)
        if info.url and info.last_error_message:
            self._facts["webhook_error"] = clean(info.last_error_message[:_MAX_ERROR_CHARS]).text
        # who does not poll is told of some of what came
        if self.listens and before is not None and count > before > 0:
            self._facts["pending_before"] = str(before)
        self._waited = min(before, count) if before else count

    def note_foreign_account(self, facts: Mapping[str, str], fix: Words) -> None:
        """Note whose the data is, and what to do about it, where the token is another account's."""
        self._facts |= facts
        self._own_fixes = {FOREIGN: fix}

    def note_poll(self) -> None:
        """Note a poll that came back."""
        self._last_good, self._last_good_at = self._clock.monotonic(), self._clock.now()

    def note_success(self) -> bool:
        """Note that everything went well; return whether that is to be believed.

        Two programs that poll with one token take turns in being well.
        """
        if self._clock.monotonic() < self._doubted_until:
            return False
        self.enter(AdapterState.UP)
        return True

    def heard(self, count: int) -> None:
        """Note that so many updates arrived just now."""
        self.event()
        self._waited = None
        self._facts.pop("pending_before", None)
        self._facts["pending_updates"] = "100 or more" if count >= 100 else "0"

    def event(self) -> None:
        """Note that something was heard just now."""
        self._last_event_at = self._clock.now()

    def note_business(self) -> None:
        """Note that something was written in a chat of somebody's business account."""
        self._facts[BUSINESS_AT] = str(self._clock.now())

    def silent(self) -> None:
        """Note that all is well where another process polls."""
        self.enter(AdapterState.UP, detail=SILENT)

    def enter(self, state: AdapterState, code: str = "", detail: str | Words = "") -> None:
        """Say how it is from now on; `since` stays while the state does."""
        health = self._health
        if state is AdapterState.CONFLICT:
            self._doubted_until = self._clock.monotonic() + _QUIET_AFTER_CONFLICT_SECONDS
            self._facts |= {CONFLICT_AT: str(self._clock.now())} if code == "conflict" else {}
        since = health.since if (health.state, health.code) == (state, code) else self._clock.now()
        self._detail = partial(spoken, detail)
        self._health = AdapterHealth(name=NAME, state=state, since=since, code=code)

    @property
    def is_stalled(self) -> bool:
        """Whether the last good poll is too long ago."""
        return self.listens and self._clock.monotonic() - self._last_good > self._stalled_after

    def health(self) -> AdapterHealth:
        """Say how it is now; a poll that is overdue shows before anybody notices it."""
        health, detail = self._health, self._detail()
        if self.is_stalled and health.state in {AdapterState.UP, AdapterState.STARTING}:
            since = self._last_good_at or health.since
            detail = say("telegram_state.stalled")
            health = health.replace(state=AdapterState.DEGRADED, code="stalled", since=since)
        last = clock_time(self._last_good_at) if self._last_good_at else "never"
        polls = (("last_good_poll", last), ("last_poll_at", str(self._last_good_at)))
        facts = (*self._facts.items(), (DELETIONS, "no"), *(polls if self.listens else ((LISTENS, "no"),)))
        fix = self._own_fixes.get(health.code, partial(fix_words, health.code))()
        return health.replace(last_event_at=self._last_event_at, detail=detail, fix=fix, facts=facts)


def host_of(url: str) -> str:
    """Return the host of an address, which may hold secrets elsewhere; empty for none."""
    try:
        return (URL(url).host or "unreadable") if url else ""
    except ValueError:
        return "unreadable"


def _yes_or_no(value: bool) -> str:
    return "yes" if value else "no"
