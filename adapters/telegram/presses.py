"""Take presses of buttons beside the polling, and answer every one of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

import structlog
from telegram.error import TelegramError

from adapters.telegram.api import BotApi
from adapters.telegram.convert import PressedButton
from bot.errors import name_of
from bot.ports.platform import PlatformListener
from bot.runtime.tasks import TaskSupervisor
from bot.sentences import known_language, later, said_in
from bot.text.text import utf16_length
from bot.text.times import plain_times

log = structlog.get_logger(__name__)

_MAX_TOAST_UNITS = 200
_MAX_NAME_UNITS = 60
_MAX_REMEMBERED = 512


class PressReceiver:
    """Hands presses to the bot, once each."""

    def __init__(self, api: BotApi, tasks: TaskSupervisor) -> None:
        self._api = api
        self._tasks = tasks
        self._taken: deque[str] = deque(maxlen=_MAX_REMEMBERED)

    def take(self, pressed: Iterable[PressedButton], ears: PlatformListener) -> None:
        """Start what follows from presses that were recorded; return at once."""
        for one in pressed:
            # what arrives again because its batch could not be stored at first was not pressed again
            if one.query not in self._taken:
                self._taken.append(one.query)
                self._tasks.spawn("press", self._press(one, ears))

    async def _press(self, pressed: PressedButton, ears: PlatformListener) -> None:
        if pressed.press is not None:
            text = await ears.pressed(pressed.press)
        else:
            text = said_in(known_language(pressed.language) or ears.language(), later("messaging.press-too-old"))
        shown = _shortened_toast(plain_times(text))
        try:
            # without an answer the button keeps turning, whether there is something to say or not
            await self._api.answer_callback_query(
                pressed.query, text=shown or None, show_alert=utf16_length(shown) > _MAX_NAME_UNITS
            )
        except TelegramError as error:
            # who waited too long for the platform's patience sees the effect, but no words
            log.info("telegram_press_not_answered", error=name_of(error))


def _shortened_toast(text: str) -> str:
    if utf16_length(text) <= _MAX_TOAST_UNITS:
        return text
    # a character beyond the basic plane counts twice, so that half as many always fit
    return text[: _MAX_TOAST_UNITS - 1 if text.isascii() else _MAX_TOAST_UNITS // 2 - 1].rstrip() + "…"
