"""Everything that a gate may look at, as one value."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from bot.config.schema import LimitsConfig, PlatformConfig
from bot.domain.access import Authority
from bot.domain.base import kept
from bot.domain.channel import ChannelSettings, ResponseMode
from bot.domain.ledger import GateVerdict
from bot.domain.messages import AuthorKind, Inbound, InboundKind
from bot.messaging.policy.command_syntax import CommandLine, parse_command

_MENTION = re.compile(r"@\w{1,64}|<@[!&]?\d{1,20}>")


@dataclass(frozen=True, slots=True)
class Traffic:
    """How much there was of late: messages let through in the last minute, dollars today, bots in a row, what waits.

    `commands` and `channel_commands` are counted apart from messages: they reach no model.
    """

    user: int = 0
    channel: int = 0
    cost_usd: float = 0.0
    bots_in_a_row: int = 0
    waiting: int = 0
    commands: int = 0
    channel_commands: int = 0


@dataclass(frozen=True)
class GateFacts:
    """A message, what is configured and set where it arrived, and the load. `names` are the bot's own, as configured.

    `opted_out`: the sender wants nothing that they write kept. `former` is the message as it would have come under each
    former id of its channel. `piece_of` is the message to the bot that this one goes on with (empty: none).
    `counted_with` is the message that was let in and with which this one is one thought: the two count as one.
    `members_ask`: whoever asks why of their own message is answered. `added_commands` are those of plugins.
    """

    inbound: Inbound
    settings: ChannelSettings
    platform: PlatformConfig
    limits: LimitsConfig
    tier: Authority
    names: tuple[str, ...]
    load: Traffic = Traffic()
    former: tuple[Inbound, ...] = ()
    opted_out: bool = False
    piece_of: str = ""
    counted_with: str = ""
    members_ask: bool = False
    added_commands: frozenset[str] = frozenset()

    @kept
    def is_named(self) -> bool:
        """Whether the text holds one of the bot's names as a whole word."""
        return bool(self.names) and _any_of(self.names).search(self.inbound.text) is not None

    @kept
    def account_names(self) -> tuple[str, ...]:
        """The names that its account has on the platform and that are not configured."""
        known = {_plain(name) for name in self.names}
        return tuple(name for name in self.inbound.account_names if _plain(name) not in known)

    @kept
    def is_called(self) -> bool:
        """Whether the text calls the bot's account by its name there: behind an @, or before a comma.

        Such a name may be any word, so that it counts nowhere else.
        """
        names = self.account_names
        # what the platform took for somebody else's name is theirs
        others = {one.name.casefold() for one in self.inbound.mentioned}
        found = _calls_any(names).finditer(self.inbound.text) if names else ()
        return any(one[0].casefold() not in others for one in found)

    @kept
    def own_role(self) -> str:
        """The role mentioned that is the bot by another way: it has it, and it bears one of its names."""
        own = {_plain(name) for name in (*self.names, *self.inbound.account_names)}
        found = (one.name for one in self.inbound.mentioned if one.is_held and _plain(one.name) in own)
        return next(found, "")

    @property
    def is_addressed(self) -> bool:
        """Whether the message is meant for the bot."""
        inbound = self.inbound
        is_mentioned = inbound.mentions_bot or bool(self.own_role)
        return inbound.place.is_dm or is_mentioned or inbound.replies_to_bot or self.is_named or self.is_called

    @kept
    def command(self) -> CommandLine | None:
        """The command that the message is: a person's own new words, meant for this bot."""
        inbound = self.inbound
        if inbound.author.kind is not AuthorKind.PERSON or inbound.forwarded:
            return None
        line = self._typed
        if line is None and inbound.ephemeral is not None and inbound.kind is InboundKind.MESSAGE:
            # a native command that the platform offers still and the bot does not know: it hears which there are
            return CommandLine("help", "", "/", named=False)
        return line if line and self._is_meant(line, self.tier) else None

    @kept
    def nobodys_command(self) -> CommandLine | None:
        """The command that a message is which no account of a person stands behind: it is obeyed for nobody.

        Neither is it talk, so that no model reads it and says that it was done.
        """
        if self.inbound.author.kind in {AuthorKind.PERSON, AuthorKind.SELF}:
            return None
        # who hides behind a group may well be one of those who steer the bot
        tier = Authority.ADMIN if self.inbound.author.kind is AuthorKind.ANONYMOUS_ADMIN else Authority.EVERYONE
        line = self._typed
        return line if line and self._is_meant(line, tier) else None

    @kept
    def _typed(self) -> CommandLine | None:
        inbound = self.inbound
        if inbound.kind is not InboundKind.MESSAGE or inbound.text[:1].isspace():
            return None
        names = (*self.names, *self.account_names, *self._mention)
        return parse_command(inbound.text, names, self.added_commands)

    @property
    def is_asked(self) -> bool:
        """Whether an answer is waited for here: the bot is addressed, or answers everything."""
        return self.is_addressed or self.settings.mode is ResponseMode.ACTIVE

    @property
    def steers(self) -> bool:
        """Whether this is a command of an owner or admin, which no list stops."""
        return self.tier >= Authority.ADMIN and self.command is not None

    @property
    def goes_unanswered(self) -> bool:
        """Whether it is a command that strangers get no word about, not even that there are too many."""
        line = self.command
        is_cortex = line is not None and line.name == "cortex" and not (self.members_ask and line.asks_why)
        return is_cortex and self.tier < Authority.MODERATOR and self.inbound.ephemeral is None

    @property
    def asks_in_private(self) -> bool:
        """Whether somebody who may ask the cortex asks it in their private chat, which is where it answers."""
        line = self.command
        is_cortex = line is not None and line.name == "cortex"
        return is_cortex and self.inbound.place.is_dm and self.tier >= Authority.MODERATOR

    @property
    def _mention(self) -> tuple[str, ...]:
        """The bot's own mention at the very beginning, where nobody else's can be meant."""
        inbound = self.inbound
        calls_others = len(inbound.mentioned) > 1 if self.own_role else inbound.mentions_others
        is_called = (inbound.mentions_bot or bool(self.own_role)) and not calls_others
        found = _MENTION.match(inbound.text) if is_called else None
        return (found[0].removeprefix("@"),) if found else ()

    def _is_meant(self, line: CommandLine, tier: Authority) -> bool:
        if line.suffix and not self.inbound.mentions_bot:
            return line.suffix in {name.casefold() for name in (*self.names, *self.account_names)}
        if line.name == "cortex":
            # without a prefix these are ordinary words, unless somebody says them who may ask for it
            least = Authority.ADMIN if line.asks_why else Authority.MODERATOR
            bare_is_meant = tier >= least and (line.named or self.inbound.place.is_dm)
            return bool(line.prefix) or bare_is_meant
        if line.name == "pause" and not line.prefix and line.words and tier < Authority.MODERATOR:
            return False  # `Glass, pause for a second` is talk, unless somebody says it who may pause
        return line.prefix == "/" or line.named or (bool(line.prefix) and self.is_addressed)


# most messages of a person are judged alike, by the same values


@lru_cache(maxsize=512)
def passed(gate: str, *compared: tuple[str, str]) -> GateVerdict:
    """Let the message through."""
    return GateVerdict(gate=gate, passed=True, compared=compared)


@lru_cache(maxsize=512)
def stopped(gate: str, reason: str, *compared: tuple[str, str], store_text: bool = True) -> GateVerdict:
    """Stop the message, saying what was compared."""
    return GateVerdict(gate=gate, passed=False, reason=reason, compared=compared, store_text=store_text)


def entries(listed: tuple[str, ...] | None) -> str:
    """Show a list: absent means all, empty means none."""
    if listed is None:
        return "not set: all"
    shown = ", ".join(listed[:20]) + (f", and {len(listed) - 20} more" if len(listed) > 20 else "")
    return shown or "empty: none"


@lru_cache(maxsize=256)
def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()


@lru_cache(maxsize=64)
def _calls_any(names: tuple[str, ...]) -> re.Pattern[str]:
    known = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.compile(rf"(?<!\w)@(?:{known})(?!\w)|^\s*(?:{known})\s*(?:[,:;!?]|$)", re.IGNORECASE)


@lru_cache(maxsize=64)
def _any_of(names: tuple[str, ...]) -> re.Pattern[str]:
    known = "|".join(re.escape(name) for name in names)
    return re.compile(rf"(?<!\w)(?:{known})(?!\w)", re.IGNORECASE)
