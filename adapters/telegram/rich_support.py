"""Whether the server takes rich messages: it is asked by sending the first one, and what it says is remembered."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import structlog
from telegram.error import BadRequest, InvalidToken, TelegramError

from adapters.telegram import errors
from adapters.telegram.request import Lost
from adapters.telegram.rich import rich
from bot.errors import name_of

log = structlog.get_logger(__name__)

T = TypeVar("T")

_NOT_THERE = {404, 405, 501}
"""With these an HTTP server says that nothing is to be found under an address, and so that nothing was carried out."""


class RichSupport:
    """Knows of one server, until the program ends; one that is renewed is asked again by the next start."""

    def __init__(self, wanted: bool) -> None:
        self._may_be = wanted
        self._is_known = False

    def drawn(self, text: str) -> dict[str, Any] | None:
        """Return a text as a rich message; None where marks say all of it, or the server takes none."""
        return rich(text) if self._may_be else None

    async def tried(self, post: Callable[[], Awaitable[T]]) -> T | None:
        """Post a rich message; None when it was refused as such, and has to go out in marks.

        Raise TelegramError for everything else: what may have arrived is not sent in another form, and a refusal of the
        place holds for every form.
        """
        try:
            taken = await post()
        except (BadRequest, InvalidToken, Lost) as error:
            if self._is_unknown_to(error):
                log.info("telegram_rich_messages_unknown", error=name_of(error))
                self._may_be = False
            elif not isinstance(error, BadRequest) or errors.refusal(error) not in errors.OF_THE_FORM:
                raise
            else:
                log.warning("telegram_rich_message_refused", error=name_of(error), code=errors.code_of(error))
            return None
        self._is_known = True
        return taken

    def _is_unknown_to(self, error: TelegramError) -> bool:
        if isinstance(error, Lost):
            # a page that says so, of a server that other people wrote or of what stands before it
            return error.status in _NOT_THERE
        # to a wrong token a server says the same; what is sent next in its place tells them apart
        if errors.is_unknown_method(error):
            return True
        # one that does not know what an edit may hold finds no text in it
        return not self._is_known and errors.refusal(error) == errors.EMPTY
