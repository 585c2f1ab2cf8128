"""Tell the bot's own messages apart from those that another program posts with the same account.

An answer carries a nonce that is made of what it answers, so that Discord takes it from one of two programs alone: the
other one gets the first one's message in the place of its own.
"""

from __future__ import annotations

import hashlib
from base64 import b32encode
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from adapters.discord.base.rich_body import words_in
from adapters.discord.speaking.find_posted import sent_at
from bot.runtime.lru_cache import LRUCache

ELSEWHERE = "elsewhere"
"""The note of a receipt, and the code of a refusal: another program with this account has answered."""
MAX_NONCE_CHARS = 25
"""https://discord.com/developers/docs/resources/message#create-message-jsonform-params."""
_MAX_MESSAGES = 5_000
_MAX_WORDINGS = 64
"""Of one message: an answer that is shown while it is written is changed often."""
_INSTANCE_CHARS = 2
"""With so many characters begin all names of a bot's messages, in each of its processes."""
_SLACK_MS = 5_000
"""How far the clock of this machine may be from the platform's."""

Heard = Callable[[int, bool], None]
"""Hears of a message, by its number, that another program posted with the bot's account, and whether it was first."""


class OwnMessages:
    """The newest messages of this process, by their numbers; `began` is when it began to listen (UTC ms).

    `shares`: other processes of this program have other shards, and write to people in private with the same account.
    Where one process of this program listens and others speak, one that does not speak cannot tell whose a message is,
    and one that does not listen tells it in the channels that it has taken, from then on.
    `ahead` says by how many milliseconds Discord's clock is ahead of this machine's, as far as that is known.

    Whether a message that Discord tells of is one of them may be open while a call is on its way: then it is judged
    when that is over.
    """

    def __init__(
        self,
        ahead: Callable[[], int | None] = lambda: None,
        *,
        shares: bool = False,
        listens: bool = True,
        speaks: bool = True,
    ) -> None:
        self.shares = shares
        self.speaks = speaks
        self._listens = listens
        self._instance = ""
        self._taken: LRUCache[int, int] = LRUCache(_MAX_MESSAGES)
        self._named: LRUCache[int, str] = LRUCache(_MAX_MESSAGES)
        self.began = 0
        self.foreign: Heard = lambda *_: None
        self._ahead = ahead
        self._repeated: LRUCache[int, None] = LRUCache(_MAX_MESSAGES)
        self._posted: LRUCache[int, None] = LRUCache(_MAX_MESSAGES)
        self._taken_back: LRUCache[int, None] = LRUCache(_MAX_MESSAGES)
        self._nonces: LRUCache[str, frozenset[str]] = LRUCache(_MAX_MESSAGES)
        self._others: LRUCache[int, None] = LRUCache(_MAX_MESSAGES)
        self._answered: LRUCache[str, int] = LRUCache(_MAX_MESSAGES)
        self._on_their_way = 0
        self._open: dict[int, None] = {}
        self._wordings: LRUCache[int, deque[int]] = LRUCache(_MAX_MESSAGES)

    @contextmanager
    def note_sending(self, nonce: str, content: str) -> Iterator[None]:
        """Note that a message is on its way to Discord, before it can be told of.

        It may arrive although Discord says that it failed; by its words it is known as one from here.
        """
        self._nonces.put(nonce, (self._nonces.get(nonce) or frozenset()) | {_words(content)})
        self._on_their_way += 1
        try:
            yield
        finally:
            self._on_their_way -= 1
            if not self._on_their_way:
                waiting, self._open = self._open, {}
                for number in waiting:
                    self._judge(number)

    def note_posted(self, message: int, content: str) -> None:
        """Note a message that Discord took."""
        (self._repeated if message in self._posted else self._posted).put(message, None)
        self.words(message, content)

    def words(self, message: int, content: str) -> None:
        """Note what a message says, or is about to say: before Discord can tell that it was changed."""
        known = self._wordings.get(message) or deque[int](maxlen=_MAX_WORDINGS)
        known.append(hash(_words(content)))
        self._wordings.put(message, known)

    def was_changed_elsewhere(self, message: int, content: str, at: int) -> bool:
        """Say whether a message of the bot's account was changed (UTC ms) by another program than this one.

        What that one changes of its own messages is told of by them; an earlier process is no other program.
        """
        if not self.speaks or message in self._others or at < self.began + (self._ahead() or 0) - _SLACK_MS:
            return False
        return hash(_words(content)) not in (self._wordings.get(message) or ())

    def note_deletion(self, message: int) -> None:
        """Note that a message is about to be deleted from here."""
        self._taken_back.put(message, None)

    def was_posted_here(self, message: int) -> bool:
        """Say whether this process posted it."""
        return message in self._posted

    def is_earlier(self, nonce: str, found: Mapping[str, Any], wordings: Collection[str]) -> bool:
        """Say whether what came back for a post is something else that bore the same name before: a preview."""
        number = int(found["id"])
        is_known = number in self._repeated or self._is_older(number, found) or self._was_tried(nonce, found)
        return is_known and words_in(found).strip() not in {words.strip() for words in wordings}

    def was_deleted_here(self, message: int) -> bool:
        """Say whether it was deleted from here."""
        return message in self._taken_back

    def take(self, channel: int, at: int) -> None:
        """Note since when (UTC ms) this process alone speaks in a channel of those that several have."""
        self._taken.put(channel, at)

    def note_instance(self, nonce: str) -> None:
        """Note how this bot names its messages, whichever of its processes sends them."""
        self._instance = nonce[:_INSTANCE_CHARS]

    def name_of(self, message: int) -> str | None:
        """Return the nonce with which a message of the account was told of; None where none was."""
        return self._named.get(message)

    def told(self, message: int, nonce: str | int | None, channel: int) -> None:
        """Take that a message of the bot's account was posted just now, and say so if it was not from here.

        What is older than this process may be from the one before it.
        """
        name = "" if nonce is None else str(nonce)
        if not self.speaks:
            # what people think of it is told without whose it is
            self._posted.put(message, None)
            self._named.put(message, name)
            return
        is_named = name in self._nonces or (not self._listens and self._is_of_the_bot(name))
        if is_named or self._is_older(message, {"channel_id": channel}):
            return
        if nonce is None and self._on_their_way:
            self._open[message] = None
        else:
            self._judge(message)

    def is_of_another(self, nonce: str, found: Mapping[str, Any], content: str) -> bool:
        """Say whether what came back for a post is the message of another program that was first."""
        number = int(found["id"])
        if number in self._others:
            return True
        if number in self._posted or self._is_older(number, found) or self._was_tried(nonce, found):
            return False
        return _words(words_in(found)) != _words(content)

    def answered_by(self, answers: str) -> int:
        """Return the message by which another program answered first; 0 when none did."""
        return self._answered.get(answers) or 0

    def was_answered(self, answers: str, message: int) -> None:
        """Note that another program was first."""
        self._answered.put(answers, message)
        self._judge(message, was_first=True)

    def _was_tried(self, nonce: str, found: Mapping[str, Any]) -> bool:
        return _words(words_in(found)) in (self._nonces.get(nonce) or ())

    def _is_of_the_bot(self, nonce: str) -> bool:
        return not self._instance or nonce.startswith(self._instance)

    def _is_older(self, message: int, found: Mapping[str, Any]) -> bool:
        """Say whether a message was there before this process could speak in its channel."""
        ahead = self._ahead() or 0
        if self._listens:
            return sent_at(message) < self.began + ahead - _SLACK_MS
        since = self._taken.get(int(found.get("channel_id") or 0))
        # who had the channel before may have spoken up to then
        return since is None or sent_at(message) < since + ahead + _SLACK_MS

    def _judge(self, message: int, *, was_first: bool = False) -> None:
        if message not in self._posted and message not in self._others:
            self._others.put(message, None)
            self.foreign(message, was_first)


def nonce_of(channel: int, answers: str, part: int) -> str:
    """Name a part of an answer by what it answers, the same in every program that answers it."""
    named = hashlib.blake2b(f"{channel}/{answers}/{part}".encode(), digest_size=15).digest()
    return b32encode(named).decode().lower()[:MAX_NONCE_CHARS]


def _words(text: str) -> str:
    """Return what is left of a text whatever Discord does to its spaces and marks."""
    return "".join(character for character in text if character.isalnum())
