"""Private chats: a person's id stands for the chat with them, and Discord has a number of its own for it."""

from __future__ import annotations

from collections import OrderedDict

from adapters.discord.rest.client import RestClient

_MAX_KNOWN_CHATS = 20_000


class DmChannels:
    """Remembers the numbers of private chats; one that is not known is opened, which nobody notices."""

    def __init__(self, rest: RestClient) -> None:
        self._rest = rest
        self._channels: OrderedDict[int, int] = OrderedDict()
        self._users: dict[int, int] = {}

    async def channel(self, user: int) -> int:
        """Return the number of the chat with a person; raise one of `rest.Failure`."""
        known = self._channels.get(user)
        if known is not None:
            self._channels.move_to_end(user)
            return known
        opened = await self._rest.call("POST", "/users/@me/channels", json={"recipient_id": str(user)})
        channel = int(opened["id"])
        self.learn(user, channel)
        return channel

    def learn(self, user: int, channel: int) -> None:
        """Take what arrived from a private chat for its number."""
        self.forget(user)
        self._channels[user], self._users[channel] = channel, user
        if len(self._channels) > _MAX_KNOWN_CHATS:
            self.forget(next(iter(self._channels)))

    def forget(self, user: int) -> None:
        """Forget the private chat of a person, so that it is asked for again."""
        channel = self._channels.pop(user, None)
        if channel is not None:
            self._users.pop(channel, None)

    def known(self, user: int) -> int | None:
        """Return the number of the chat with a person, if it is known."""
        return self._channels.get(user)

    def user_of(self, channel: int) -> int | None:
        """Return whose chat a number is, if it is known."""
        return self._users.get(channel)
