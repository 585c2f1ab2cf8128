"""Remember what this process posted and took back itself, so that what others do with the bot's messages shows."""

from __future__ import annotations

from collections import OrderedDict

_MOST = 5_000


class OwnMessages:
    """The newest messages of this process, by their numbers."""

    def __init__(self) -> None:
        self._posted: OrderedDict[int, None] = OrderedDict()
        self._taken_back: OrderedDict[int, None] = OrderedDict()

    def posted(self, message: int) -> None:
        """Note a message that Discord took."""
        _note(self._posted, message)

    def takes_back(self, message: int) -> None:
        """Note that a message is about to be deleted from here."""
        _note(self._taken_back, message)

    def knows(self, message: int) -> bool:
        """Say whether this process posted it."""
        return message in self._posted

    def took_back(self, message: int) -> bool:
        """Say whether it was deleted from here."""
        return message in self._taken_back


def _note(numbers: OrderedDict[int, None], number: int) -> None:
    numbers[number] = None
    if len(numbers) > _MOST:
        numbers.popitem(last=False)
