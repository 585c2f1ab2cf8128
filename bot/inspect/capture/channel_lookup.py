"""Find the channel that somebody means, however they write it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from bot.domain.ids import ChannelKey, platform_of
from bot.errors import UserError
from bot.ports.channels import KnownChannel
from bot.sentences import say
from bot.text.text import quote_line

_HERE = frozenset({"", "here", "this", "."})
_MAX_NAMED = 5


def resolve(text: str, here: ChannelKey, known: Sequence[KnownChannel]) -> ChannelKey:
    """Return the channel meant by `here`, `#name`, a bare platform id or a full id; raise UserError with the closest.

    Channels of the asker's own platform come first. Mentions and links are turned into ids by the platform before.
    """
    wanted = text.strip()
    if wanted.lower() in _HERE:
        return here
    ordered = sorted(known, key=lambda c: platform_of(c.id) != platform_of(here.channel))
    for matches in (_by_id, _by_path, _by_name):
        found = [channel for channel in ordered if matches(channel, wanted)]
        if found:
            return _only(found, wanted, here)
    raise UserError(_unknown(wanted, ordered))


def _by_id(channel: KnownChannel, wanted: str) -> bool:
    return wanted in {channel.id, str(channel.key), f"{channel.agent}/{channel.id}"}


def _by_path(channel: KnownChannel, wanted: str) -> bool:
    path = channel.id.partition(":")[2]
    return wanted == path or (wanted.lstrip("-").isdigit() and wanted == path.rpartition(":")[2])


def _by_name(channel: KnownChannel, wanted: str) -> bool:
    return _plain(channel.name) == _plain(wanted)


def _plain(name: str) -> str:
    return name.strip().lstrip("#").casefold()


def _only(found: list[KnownChannel], wanted: str, here: ChannelKey) -> ChannelKey:
    """Several channels may share a name: one on the asker's own platform is meant, if it is the only one there."""
    if len(found) > 1:
        near = [channel for channel in found if platform_of(channel.id) == platform_of(here.channel)]
        found = near if len(near) == 1 else found
    if len({channel.id for channel in found}) == 1 < len(found):
        names, channel = sorted(channel.agent for channel in found), quote_line(found[0].id, 60)
        agents = ", ".join(names)
        raise UserError(say("channel_lookup.several-agents", channel=channel, agents=agents, first=names[0]))
    if len(found) > 1:
        ids = ", ".join(str(channel.key) for channel in found[:_MAX_NAMED])
        name = quote_line(wanted, 60)
        raise UserError(say("channel_lookup.several-channels", count=len(found), name=name, ids=ids))
    return found[0].key


def _unknown(wanted: str, known: Sequence[KnownChannel]) -> str:
    name = quote_line(wanted, 60)
    if not known:
        return say("channel_lookup.unknown-none", name=name)
    names = {spelling: channel for channel in known for spelling in _spellings(channel)}
    close = get_close_matches(_plain(wanted), names, n=_MAX_NAMED, cutoff=0.5)
    nearest = list(dict.fromkeys(names[spelling].key for spelling in close)) or [c.key for c in known[:_MAX_NAMED]]
    by_key = {channel.key: channel for channel in known}
    listed = ", ".join(f"{quote_line(by_key[key].name, 40)} ({key})" for key in nearest)
    return say(
        "channel_lookup.unknown-closest" if close else "channel_lookup.unknown-known", name=name, channels=listed
    )


def _spellings(channel: KnownChannel) -> Iterator[str]:
    yield _plain(channel.name)
    yield channel.id
