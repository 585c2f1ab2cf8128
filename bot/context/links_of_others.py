"""Find the links of an answer that a model can only have from the words of others; those are shown as text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from bot.context.whose_words import WhoseWords, whose_words
from bot.domain.ids import ChannelId, UserId
from bot.domain.snapshot import ContextSnapshot
from bot.text.links import is_within, links_in, plain_host
from bot.text.links_as_text import hosts_in
from bot.text.readings import readings


class Told:
    """What the model of a turn was told, as far as it went: each request takes the place of the one before."""

    __slots__ = ("snapshot",)

    def __init__(self) -> None:
        self.snapshot: ContextSnapshot | None = None


@dataclass(frozen=True, slots=True)
class LinkRules:
    """Whose links are shown as text. `are_all_live` says where none is; `always_live` are hosts that never are."""

    are_all_live: Callable[[ChannelId], bool] = lambda _: False
    always_live: Callable[[], Collection[str]] = tuple

    def as_text(
        self, text: str, channel: ChannelId, told: Told, asker: UserId, rows: Collection[int]
    ) -> tuple[str, ...]:
        """Name the hosts to which the links of an answer are shown as text, for `bot.text.links_as_text`.

        Nothing is looked at where it holds no link. What others wrote is asked of the request that it answers.
        """
        hosts = hosts_in(text)
        if not hosts or told.snapshot is None or self.are_all_live(channel):
            return ()
        return hosts_of_others(hosts, whose_words(told.snapshot, asker, rows), self.always_live())


def hosts_of_others(hosts: Sequence[str], words: WhoseWords, always_live: Collection[str] = ()) -> tuple[str, ...]:
    """Return those of an answer's hosts (as `hosts_in` names them) that stand in others' words and nowhere else.

    A host is known that stands in the words of who is answered, in the configuration's and the operator's files', or
    in `always_live`, and so is what lies under it. What stands nowhere is the model's own knowledge. Others' words
    are also read as a model could decode them; a host over or under one of theirs is theirs.
    """
    known = {*map(plain_host, always_live)}
    for text in (*words.asked, *words.asked_before, *words.operators):
        known.update(_hosts(text))
    strange = [host for host in hosts if not any(is_within(host, one) for one in known)]
    if not strange:
        return ()
    found: set[str] = set()
    for other in words.others:
        for text in readings(other.text):
            theirs = set(_hosts(text))
            folded = unicodedata.normalize("NFKC", text).casefold()
            for host in strange:
                if host not in found and (any(is_within(host, one) for one in theirs) or _stands_in(host, folded)):
                    found.add(host)
        if len(found) == len(strange):
            break
    return tuple(host for host in strange if host in found)


def _hosts(text: str) -> Iterable[str]:
    for link in links_in(text):
        yield from link.hosts


def _stands_in(host: str, folded: str) -> bool:
    """Say whether a host stands somewhere, also in pieces that are no link: `evil [.] com`, `sub.evil.com`."""
    labels = host.split(".")
    if labels[0] not in folded:
        return False
    return re.search(r"(?<![\w-])" + r"[\W_]{1,8}".join(map(re.escape, labels)) + r"(?![\w-])", folded) is not None
