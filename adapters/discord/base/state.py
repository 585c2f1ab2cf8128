"""How the adapter is, as everything that looks at it says it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import NamedTuple

from adapters import failures
from adapters.discord.base.places import NAME
from bot.domain.health import LISTENS, SILENT, AdapterHealth, AdapterState
from bot.ports.clock import Clock
from bot.sentences import Words, say

SECOND_PROGRAM = "second_program_at"
"""The fact that says when another program last spoke with the bot's account (UTC ms)."""
FIXES = {
    "token": "discord_state.fix-token",
    "network": "discord_state.fix-network",
    "stalled": "discord_state.fix-stalled",
    "store": "discord_state.fix-store",
    "internal": "discord_state.fix-internal",
    "content_intent": "discord_state.fix-content-intent",
    "intents": "discord_state.fix-intents",
    "shards": "discord_state.fix-shards",
    "api_version": "discord_state.fix-api-version",
    "session_limit": "discord_state.fix-session-limit",
}
"""The sentence that says what to do, by code."""
spoken = partial(failures.spoken, subject="discord_state.")
"""Say how the connection is, in the language of who reads."""
GUILDS_AWAY = "guilds_away"
"""The fact that names guilds which are unavailable, each as `<guild>:<since when, UTC ms>`."""
_MAX_GUILDS_NAMED = 100
_ASK_AGAIN_SECONDS = 300.0
_CONNECTED_STATES = frozenset({AdapterState.UP, AdapterState.STARTING})
_HOUR = 3600.0


class ShardStatus(NamedTuple):
    """What is so, why in one word, and in words, by the name of a sentence, or as it is said when it is read."""

    state: AdapterState
    code: str = ""
    detail: str | Words = ""


def fix_words(code: str) -> str:
    """Say what to do about a code; empty where nothing is known."""
    return say(FIXES[code]) if code in FIXES else ""


UP, STARTING = ShardStatus(AdapterState.UP), ShardStatus(AdapterState.STARTING)


@dataclass(slots=True)
class _Shard:
    """One connection; `heard` is when anything came last (monotonic seconds), `heard_at` the same in UTC ms."""

    condition: ShardStatus
    heard: float
    heard_at: int


class ShardHealth:
    """The connections of this process, by number; `changed` is called when one of them is better or worse off."""

    def __init__(self, clock: Clock, changed: Callable[[], None]) -> None:
        self._clock = clock
        self._changed = changed
        self._shards: dict[int, _Shard] = {}
        self._last_ack_at = 0
        self._last_close = ("", 0)
        self._ends: deque[float] = deque(maxlen=1000)

    def begin(self, numbers: Sequence[int]) -> None:
        """Expect these connections."""
        now, at = self._clock.monotonic(), self._clock.now()
        self._shards = {number: _Shard(STARTING, now, at) for number in numbers}
        self._changed()

    def connected(self, number: int) -> None:
        """Note a connection that hears, new or resumed."""
        self.frame(number, is_ack=False)
        self._shards[number].condition = UP
        self._changed()

    def broken(self, number: int, code: str, detail: str | Words) -> None:
        """Note why a connection ended or cannot be made."""
        self._shards[number].condition = ShardStatus(AdapterState.DEGRADED, code, detail)
        self._changed()

    def frame(self, number: int, *, is_ack: bool) -> None:
        """Note that something came, be it the answer to a heartbeat."""
        one = self._shards[number]
        one.heard, one.heard_at = self._clock.monotonic(), self._clock.now()
        if is_ack:
            self._last_ack_at = one.heard_at

    def closed(self, code: int | None) -> None:
        """Note that a connection ended, and with which code."""
        self._last_close = (str(code or ""), self._clock.now())
        self._ends.append(self._clock.monotonic())

    def is_up(self, number: int) -> bool:
        """Say whether a connection hears."""
        return self._shards[number].condition is UP

    @property
    def conditions(self) -> Sequence[ShardStatus]:
        """How every one of them is."""
        return [one.condition for one in self._shards.values()]

    def silent_since(self, seconds: float) -> int | None:
        """Return since when the most silent connection is so (UTC ms), if that is for longer than so many seconds."""
        oldest = min(self._shards.values(), key=lambda one: one.heard, default=None)
        too_long = oldest is not None and self._clock.monotonic() - oldest.heard > seconds
        return oldest.heard_at if oldest is not None and too_long else None

    def facts(self) -> dict[str, str]:
        """Say what there is to know beside."""
        up = sum(condition is UP for condition in self.conditions)
        code, at = self._last_close
        return {
            "shards": f"{up} of {len(self._shards)}",
            "last_close_code": code,
            "last_close_at": str(at),
            "reconnects_1h": str(sum(self._clock.monotonic() - end <= _HOUR for end in self._ends)),
            "last_ack_at": str(self._last_ack_at),
        }


class DiscordState:
    """What the gateway and the receiving find out. `my_id` is 0 until the platform has said who the bot is.

    `asks_for_content`: the connections request what messages say; not any more when that was refused. `is_full`: more
    is held than a program may hold, so nobody listens until the store takes it. `own_words` are the
    detail and what to do, by code, where values stand in them.
    Where it does not listen, another process of the bot knows of connections and of what may be read.
    """

    def __init__(self, clock: Clock, stalled_after: float, *, wants_content: bool, listens: bool = True) -> None:
        self._clock = clock
        self._listens = listens
        self._stalled_after = stalled_after
        self._wants_content = self.asks_for_content = wants_content
        self._has_content: bool | None = None
        self._refused_at = 0.0
        self._whole: ShardStatus | None = STARTING
        self._store_fails = False
        self.is_full = False
        self._shown = STARTING
        self._since = clock.now()
        self._last_event_at = 0
        self._facts: dict[str, str] = {}
        self._away: dict[int, int] = {}
        self.own_words: dict[str, tuple[Words, Words]] = {}
        self.shards = ShardHealth(clock, self._renew)
        self.my_id = 0

    def enter(self, state: AdapterState, code: str = "", detail: str | Words = "") -> None:
        """Say how it is while there is no connection at all, or no hope for one."""
        self._whole = ShardStatus(state, code, detail)
        self._renew()

    def silent(self) -> None:
        """Note that all is well where another process listens."""
        self.enter(AdapterState.UP, detail=SILENT)

    def begin(self, shards: list[int]) -> None:
        """Expect these connections; from now on they say how it is."""
        self._whole = None
        self.shards.begin(shards)

    def event(self) -> None:
        """Note that something was heard just now."""
        self._last_event_at = self._clock.now()

    def store(self, *, fails: bool) -> None:
        """Note whether what arrives can be stored."""
        if self._store_fails != fails:
            self._store_fails = fails
            self._renew()

    def content_intent(self, granted: bool) -> None:
        """Note whether the portal grants what messages say."""
        self._has_content = granted
        self._renew()

    def asks(self, *, content: bool) -> None:
        """Note what connections request from now on; not to ask any more means that it was refused."""
        self.asks_for_content, self._refused_at = content, self._clock.monotonic()
        if not content:
            self._has_content = False
        self._renew()

    def guild(self, number: int, *, is_away: bool) -> None:
        """Note whether Discord itself says that a guild is unavailable, which is an outage of its own."""
        if is_away:
            self._away.setdefault(number, self._clock.now())
        else:
            self._away.pop(number, None)

    def learn_away(self, number: int, since: int) -> None:
        """Take what the process that listens knows: since when a guild is unavailable (UTC ms; 0: it is there)."""
        if since:
            self._away[number] = since
        else:
            self._away.pop(number, None)

    def away_since(self, number: int) -> int:
        """Return since when a guild is unavailable (UTC ms); 0 when it is there."""
        return self._away.get(number, 0)

    def note(self, name: str, value: object) -> None:
        """Keep a fact that is shown in the health."""
        self._facts[name] = str(value)

    @property
    def is_up(self) -> bool:
        """Whether every connection is there and nothing else is wrong."""
        return self._whole is None and all(condition is UP for condition in self.shards.conditions)

    @property
    def lacks_content_intent(self) -> bool:
        """Whether words are kept back that were asked for."""
        return self._wants_content and not self.asks_for_content

    @property
    def may_ask_again(self) -> bool:
        """Whether the portal grants by now what was refused, some minutes ago at least: each try is a session."""
        is_due = self._clock.monotonic() - self._refused_at >= _ASK_AGAIN_SECONDS
        return is_due and self.lacks_content_intent and self._has_content is True

    def health(self) -> AdapterHealth:
        """Say how it is now; a silence that is too long shows before anybody notices it."""
        condition, since = self._judged(), self._since
        silent_since = self.shards.silent_since(self._stalled_after) if self._whole is None else None
        if silent_since is not None and condition.state in _CONNECTED_STATES:
            condition, since = ShardStatus(AdapterState.DEGRADED, "stalled", "discord_state.stalled"), silent_since
        elif silent_since is not None and condition.code == "network":
            condition = condition._replace(code="stalled")
        own = self.own_words.get(condition.code)
        return AdapterHealth(
            name=NAME,
            state=condition.state,
            since=since,
            last_event_at=self._last_event_at,
            detail=own[0]() if own else spoken(condition.detail),
            fix=own[1]() if own else fix_words(condition.code),
            code=condition.code,
            facts=self._all_facts(),
        )

    def _judged(self) -> ShardStatus:
        if self._whole is not None:
            return self._whole
        conditions = self.shards.conditions
        worst = next((one for one in conditions if one.code), None)
        if worst is not None:
            return worst
        if self._store_fails:
            return ShardStatus(AdapterState.DEGRADED, "store", "discord_state.store")
        if STARTING in conditions:
            return STARTING
        if self.lacks_content_intent:
            return ShardStatus(AdapterState.DEGRADED, "content_intent", "discord_state.content-intent")
        return UP

    def _all_facts(self) -> tuple[tuple[str, str], ...]:
        away = " ".join(f"{guild}:{since}" for guild, since in islice(self._away.items(), _MAX_GUILDS_NAMED))
        gone = {GUILDS_AWAY: away} if away else {}
        if not self._listens:
            return (*(self._facts | gone).items(), (LISTENS, "no"))
        content = "unknown" if self._has_content is None else "yes" if self._has_content else "no"
        own = {"message_content": content, "requested_content": "yes" if self._wants_content else "no"}
        return (*(self._facts | self.shards.facts() | own | gone).items(),)

    def _renew(self) -> None:
        """Let the time at which a state began stay while the state does."""
        judged = self._judged()
        if judged[:2] != self._shown[:2]:
            self._since = self._clock.now()
        self._shown = judged
