"""Channels that have another id now, such as a group that became a supergroup: what is what."""

from __future__ import annotations

from bot.domain.base import FrozenModel
from bot.domain.ids import ChannelId, ChannelKey
from bot.domain.messages import ChannelPlace, Inbound
from bot.domain.turn import NewOutbox

_FROM = "#"
"""Stands between a former channel and a message id of it; no platform's own ids have it."""


class ChannelMoves(FrozenModel):
    """Every move, oldest first, as (old id, new id). What lies in a channel, such as a topic, moves with it."""

    pairs: tuple[tuple[ChannelId, ChannelId], ...] = ()

    def current_id(self, channel: ChannelId) -> ChannelId:
        """Return the id that a channel has now."""
        for old, new in self.pairs:
            channel = _renamed(channel, old, new) or channel
        return channel

    def key(self, key: ChannelKey) -> ChannelKey:
        """Return what a channel is known by now."""
        return ChannelKey(key.agent, self.current_id(key.channel)) if self.pairs else key

    def former_ids(self, channel: ChannelId) -> tuple[ChannelId, ...]:
        """Return the ids that a channel had, the newest first."""
        names = [channel]
        for old, new in reversed(self.pairs):
            names += [then for name in names if (then := _renamed(name, new, old))]
        return tuple(names[1:])

    def names(self, channel: ChannelId) -> tuple[ChannelId, ...]:
        """Return every id of a channel, the one that counts first."""
        now = self.current_id(channel)
        return (now, *self.former_ids(now))

    def spellings(self, channel: ChannelId, message_id: str) -> tuple[tuple[ChannelId, str], ...]:
        """Return where to look for a message: (channel, id) as it arrived."""
        then, mark, name = message_id.rpartition(_FROM)
        if mark:
            return ((channel, message_id), (ChannelId(then), name))
        return tuple((one, message_id) for one in self.names(channel))

    def adding(self, old: ChannelId, new: ChannelId) -> ChannelMoves:
        """Return these and one more; the same ones when it is known, or leads to where it began."""
        was, is_now = self.current_id(old), self.current_id(new)
        if not was or not is_now or _renamed(was, is_now, was) or _renamed(is_now, was, is_now):
            return self
        return ChannelMoves(pairs=(*self.pairs, (was, is_now)))

    def as_now(self, inbound: Inbound) -> Inbound:
        """Return what arrived under an old id as part of the channel that it belongs to now.

        The ids of its messages count in the old channel only, and are marked so; others may have them in the new one.
        """
        channel = self.current_id(inbound.channel)
        if channel == inbound.channel:
            return inbound
        marked = {
            name: named_in(inbound.channel, value)
            for name in ("message_id", "replies_to")
            if (value := getattr(inbound, name))
        }
        place = inbound.place
        for old, new in self.pairs:
            place = place_of(place, old, new)
        return inbound.model_copy(update={**marked, "channel": channel, "place": place})

    def as_before(self, inbound: Inbound) -> tuple[Inbound, ...]:
        """Return the same as it would have come under each former id of its channel."""
        forms = [inbound]
        for old, new in reversed(self.pairs):
            forms += [
                form.model_copy(update={"channel": then, "place": place_of(form.place, new, old)})
                for form in forms
                if (then := _renamed(form.channel, new, old))
            ]
        return tuple(forms[1:])


def place_of(place: ChannelPlace, old: ChannelId, new: ChannelId) -> ChannelPlace:
    """Return where a channel is after it, or what it lies in, got another id."""
    was, is_now = _path(old), _path(new)

    def renamed(name: str) -> str:
        return {was: is_now, old: new}.get(name, name)

    return place.replace(guild_id=renamed(place.guild_id), parents=tuple(map(renamed, place.parents)))


def with_current_address(new: NewOutbox, moves: ChannelMoves) -> NewOutbox:
    """Return a chunk with the address that counts now; what cannot be replied to or edited from there is left out."""
    channel = moves.current_id(new.to.channel)
    if channel != new.to.channel:
        to, edits = new.to.model_copy(update={"channel": channel}), message_id_in(channel, new.edits)
        return new.model_copy(update={"to": to, "replies_to": "", "edits": edits})
    return new.model_copy(update={"replies_to": ""}) if is_of_former(new.replies_to) else new


def named_in(channel: ChannelId, message_id: str) -> str:
    """Name a message so that it is known in which of a channel's ids its own id counts."""
    return f"{channel}{_FROM}{message_id}"


def message_id_in(channel: ChannelId, name: str) -> str:
    """Return the id of a message that `named_in` named in this channel; empty for any other."""
    where, mark, message_id = name.rpartition(_FROM)
    return message_id if mark and where == channel else ""


def is_of_former(message_id: str) -> bool:
    """Say whether a message stands in a former channel, where nothing can reply to it any more."""
    return _FROM in message_id


def _renamed(channel: ChannelId, old: ChannelId, new: ChannelId) -> ChannelId | None:
    if channel == old or channel.startswith(f"{old}:"):
        return ChannelId(new + channel[len(old) :])
    return None


def _path(channel: ChannelId) -> str:
    return channel.partition(":")[2]
