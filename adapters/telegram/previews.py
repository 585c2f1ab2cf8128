"""Show an answer while it is being written."""

from __future__ import annotations

import structlog
from telegram.error import BadRequest, Forbidden, InvalidToken, TelegramError

from adapters.telegram import errors
from adapters.telegram.api import Api
from adapters.telegram.places import Target, target_of_address
from adapters.telegram.sending import Sending, drawn
from bot.domain.messages import Preview
from bot.errors import DeliveryError, name_of

log = structlog.get_logger(__name__)

_MOVING = "the group became a supergroup: what is shown there waits until the bot has heard of it"
_LOOK_AGAIN = 1.0


class Previews:
    """Drafts in private chats, where the platform offers them; elsewhere a message that is edited."""

    def __init__(self, api: Api, sending: Sending) -> None:
        self._api = api
        self._sending = sending
        self._has_drafts = True

    async def show(self, preview: Preview) -> str:
        """Show the text so far; return the message that shows it, empty for a draft; raise DeliveryError.

        A group that got another id is not followed: who edits the message later has to know where its number counts.
        """
        target = target_of_address(preview.to)
        try:
            return await self._shown(target, preview)
        except DeliveryError:
            if not self._sending.groups.has_moved(target):
                raise
        raise DeliveryError(_MOVING, code=errors.MIGRATED, retry_after=_LOOK_AGAIN)

    async def _shown(self, target: Target, preview: Preview) -> str:
        if target.is_private and self._has_drafts and not preview.message_id and await self._draft(target, preview):
            return ""
        if preview.message_id:
            await self._sending.edit(target, preview.message_id, preview.text)
            return preview.message_id
        return await self._sending.begin(preview)

    async def _draft(self, target: Target, preview: Preview) -> bool:
        marked = drawn(preview.text)
        try:
            await self._api.send_message_draft(
                target.chat,
                preview.number,
                marked.text,
                message_thread_id=target.thread,
                entities=marked.entities,
            )
        except (BadRequest, Forbidden, InvalidToken) as error:
            if errors.refusal(error, is_private=True) == "dm_closed":
                raise errors.failed(error, is_private=True) from None
            # a server that does not know drafts says 404, as it does to a wrong token
            log.info("telegram_drafts_refused", error=name_of(error))
            self._has_drafts = False
            return False
        except TelegramError as error:
            raise errors.failed(error, is_private=True) from None
        return True
