"""Post, change and take back messages in channels, threads and private chats.

Every message of its own carries a nonce by which Discord recognises a repetition for some minutes, so that what may
have arrived can be sent again; after that, the channel itself is asked.
"""

from __future__ import annotations

import asyncio
import io
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import structlog
from discord import File as Upload

from adapters.discord.base.body import message_body
from adapters.discord.base.rich_body import rich_body, words_in
from adapters.discord.base.targets import DiscordTarget, TargetKind, number_of
from adapters.discord.rest import errors, refusals
from adapters.discord.rest.client import DiscordCallLost, Failure
from adapters.discord.rest.invalid_budget import PAUSE
from adapters.discord.speaking.deps import DiscordDeps
from adapters.discord.speaking.find_posted import PostedSearch, find_posted, sent_at
from adapters.discord.speaking.own_messages import ELSEWHERE, nonce_of
from bot.domain.messages import OutgoingFile, OutgoingMessage, Receipt
from bot.domain.rich_messages import PLAIN
from bot.errors import DeliveryError
from bot.runtime.lru_cache import LRUCache
from bot.sentences import later

log = structlog.get_logger(__name__)

_MESSAGES_PATH, _MESSAGE_PATH = "/channels/{channel_id}/messages", "/channels/{channel_id}/messages/{message_id}"
_NONCE_KEPT_MS = 100_000
"""How long a nonce is relied on; Discord promises no more than "the past few minutes"."""
_MAX_PUT_OFF = 1000
"""Of how many chunks it is remembered that they were put off; another one may be put off twice."""

T = TypeVar("T")


class _Written(NamedTuple):
    """A message as it is posted; `wordings` are the words of every form in which it may have been posted before."""

    form: dict[str, Any]
    wordings: tuple[str, ...]
    content: UploadFile | None = None


class DiscordSender:
    """Speaks where more than an interaction is open."""

    def __init__(self, desk: DiscordDeps) -> None:
        self._desk = desk
        self._nonces = 0
        self._put_off: LRUCache[str, None] = LRUCache(_MAX_PUT_OFF)

    async def send(self, target: DiscordTarget, message: OutgoingMessage) -> Receipt:
        """Post one chunk, or put it in the place of the message it edits; raise DeliveryError.

        While so much is refused that calls go slowly, a first attempt does not wait in here, where nobody sees it.
        """
        self._put_off_once(message)
        self._desk.own.note_instance(message.nonce)
        content = await read_file(message.file) if message.file else None
        form = message_body(message.text, message.buttons)
        if message.edits:
            await self.edit(target, message.edits, form, content)
            return Receipt(message_id=message.edits, at=self._desk.clock.now())
        answered = reply_reference(message.replies_to or message.to.thread)
        form |= answered
        rich = rich_body(message.rich, message.buttons) | answered if message.rich is not None else None
        wordings = tuple(words_in(one) for one in (form, rich) if one is not None)
        with as_delivery_error(target):
            if (known := await self._earlier(target, message, wordings)) is not None:
                return known
            if rich is not None and content is None:
                try:
                    return await self._as_own(target, message, _Written(rich, wordings))
                except Failure as error:
                    if not errors.is_of_the_form(error):
                        raise
                    # it may lack a right for that alone; what else keeps it from speaking is met again
                    log.info("discord_card_or_poll_refused", code=errors.code_of(error))
            taken = await self._as_own(target, message, _Written(form, wordings, content))
            return taken if rich is None or taken.note else taken.replace(note=PLAIN)

    async def _as_own(self, target: DiscordTarget, message: OutgoingMessage, written: _Written) -> Receipt:
        """Post a message of its own; raise one of `rest.Failure`, or DeliveryError."""
        if message.answers and (taken := await self._first(target, message, written)) is not None:
            return taken
        try:
            return receipt(await self.post(target, written.form | _nonce_fields(message.nonce), written.content))
        except Failure as error:
            if errors.code_of(error) != refusals.MESSAGE_GONE:
                raise
            # the nonce is known, and what it named is not there any more
            words = "an earlier attempt had arrived, and was deleted there since"
            raise DeliveryError(words, code=refusals.MESSAGE_GONE, permanent=True) from None

    async def _first(self, target: DiscordTarget, message: OutgoingMessage, written: _Written) -> Receipt | None:
        """Post an answer, unless another program with this account was first; None to post it under its own name.

        What was shown of it while it was written, by this process or by one before it, bears the name of its first
        part; that cannot be what is posted now.
        """
        own = self._desk.own
        if other := own.answered_by(message.answers):
            return _taken_by(other)
        name = nonce_of(await self.channel(target), message.answers, message.part)
        try:
            found = await self.post(target, written.form | _nonce_fields(name), written.content)
        except Failure as error:
            if errors.code_of(error) != refusals.MESSAGE_GONE:
                raise
            return None
        if own.is_of_another(name, found, words_in(written.form)):
            own.was_answered(message.answers, int(found["id"]))
            return _taken_by(int(found["id"]))
        return None if own.is_earlier(name, found, written.wordings) else receipt(found)

    def _put_off_once(self, message: OutgoingMessage) -> None:
        invalid = self._desk.rest.invalid
        if message.nonce in self._put_off or (hold := invalid.hold) <= PAUSE:
            self._put_off.drop(message.nonce)
            return
        self._put_off.put(message.nonce, None)
        raise DeliveryError(invalid.words, code="flood", retry_after=hold)

    async def begin(self, target: DiscordTarget, form: dict[str, Any], answers: str = "") -> str:
        """Post a message that the outbox does not know, sent twice where it may have been lost; raise DeliveryError.

        Return its id. `answers` is what an answer that is being written answers: the first to show it is alone with it.
        """
        self._nonces += 1
        nonce, own = f"{self._desk.clock.now():x}-{self._nonces:x}", self._desk.own
        with as_delivery_error(target):
            if answers:
                shared = nonce_of(await self.channel(target), answers, 0)
                found = await self._begun(target, form | _nonce_fields(shared), may_be_gone=True)
                if found is not None and own.is_of_another(shared, found, form["content"]):
                    own.was_answered(answers, int(found["id"]))
                    words = "another program with this account answers it"
                    raise DeliveryError(words, code=ELSEWHERE, permanent=True)
                if found is not None and not own.is_earlier(shared, found, (form["content"],)):
                    return receipt(found).message_id
            found = await self._begun(target, form | _nonce_fields(nonce), may_be_gone=False)
            assert found is not None
            return receipt(found).message_id

    async def _begun(self, target: DiscordTarget, form: dict[str, Any], *, may_be_gone: bool) -> dict[str, Any] | None:
        """Post a message, again where it may have been lost; None where what bore its name was deleted."""
        try:
            try:
                return await self.post(target, form)
            except DiscordCallLost:
                return await self.post(target, form)
        except Failure as error:
            if not may_be_gone or errors.code_of(error) != refusals.MESSAGE_GONE:
                raise
            return None

    async def edit(
        self,
        target: DiscordTarget,
        message_id: str,
        form: Mapping[str, Any],
        content: UploadFile | None = None,
        *,
        is_last: bool = True,
    ) -> None:
        """Change a message; raise DeliveryError. Repeating it is safe, unless another change is to follow."""
        number = number_of(message_id)
        if "content" in form:
            self._desk.own.words(number, str(form["content"]))

        async def work(channel: int) -> None:
            files, named = uploads(content)
            await self._desk.rest.call(
                "PATCH", _MESSAGE_PATH, json={**form, **named}, files=files, channel_id=channel, message_id=number
            )

        with as_delivery_error(target, repeatable=is_last):
            await self._there(target, work)

    async def retract(self, target: DiscordTarget, message_id: str) -> None:
        """Take a message back; raise DeliveryError. One that is gone already is no error."""
        number = number_of(message_id)
        self._desk.own.note_deletion(number)
        try:
            with as_delivery_error(target, repeatable=True):
                await self._there(target, lambda at: self._desk.rest.delete_message(at, number))
        except DeliveryError as error:
            if error.code != refusals.MESSAGE_GONE:
                raise

    async def post(
        self, target: DiscordTarget, form: Mapping[str, Any], content: UploadFile | None = None
    ) -> dict[str, Any]:
        """Post a body; raise one of `rest.Failure`, or DeliveryError.

        A thread that went to sleep is woken; where the bot may not read, it answers nothing in particular.
        """
        try:
            return await self._posted(target, form, content)
        except Failure as error:
            refusal = errors.refusal(error)
            if refusal == refusals.ARCHIVED:
                await self._wake(target)
            elif "message_reference" not in form or not errors.is_about_answering(error):
                raise
            else:
                form = {name: value for name, value in form.items() if name != "message_reference"}
        return await self._posted(target, form, content)

    async def _wake(self, target: DiscordTarget) -> None:
        """Open a thread that went to sleep; raise DeliveryError for a locked one."""
        try:
            await self._desk.rest.call(
                "PATCH", "/channels/{channel_id}", json={"archived": False}, channel_id=target.number
            )
        except Failure as error:
            if not errors.delivery_error(error).permanent:
                raise
            # whoever may write in a thread may wake it, unless it is locked
            raise DeliveryError(later("delivery_failures.thread-locked"), code="locked", permanent=True) from None

    async def _posted(
        self, target: DiscordTarget, form: Mapping[str, Any], content: UploadFile | None
    ) -> dict[str, Any]:
        async def work(channel: int) -> Any:
            files, named = uploads(content)
            return await self._desk.rest.call(
                "POST", _MESSAGES_PATH, json={**form, **named}, files=files, channel_id=channel
            )

        own, nonce, words = self._desk.own, str(form["nonce"]), words_in(form)
        with own.note_sending(nonce, words):
            found = await self._there(target, work)
            if not isinstance(found, dict) or "id" not in found:
                raise DiscordCallLost("POST: no message came back", "answer", 200)
            if not own.is_of_another(nonce, found, words):
                own.note_posted(int(found["id"]), words)
                if not form["content"]:
                    # by its text, which it has none of, it is known when Discord tells of a change of it
                    own.words(int(found["id"]), "")
        return found

    async def channel(self, target: DiscordTarget) -> int:
        """Return the platform's number of a channel; raise one of `rest.Failure`."""
        return await self._desk.dms.channel(target.number) if target.is_dm else target.number

    async def _there(self, target: DiscordTarget, work: Callable[[int], Awaitable[T]]) -> T:
        """Work in a channel; a private chat whose remembered number is gone is opened anew, once."""
        was_known = target.is_dm and self._desk.dms.known(target.number) is not None
        try:
            return await work(await self.channel(target))
        except Failure as error:
            if not was_known or errors.refusal(error) != refusals.UNKNOWN_CHANNEL:
                raise
        self._desk.dms.forget(target.number)
        return await work(await self.channel(target))

    async def _earlier(
        self, target: DiscordTarget, message: OutgoingMessage, wordings: tuple[str, ...]
    ) -> Receipt | None:
        """Look for what an attempt of long ago may have posted; None when it was not, or nobody can tell."""
        if not message.since or self._desk.clock.now() - message.since < _NONCE_KEPT_MS:
            return None
        try:
            at = await self.channel(target)
            nonces = (message.nonce, *([nonce_of(at, message.answers, message.part)] if message.answers else []))
            sought = PostedSearch(await self._desk.account.me(), message, wordings, nonces)
            return await find_posted(self._desk.rest, at, sought)
        except Failure as error:
            log.warning("discord_history_not_read", channel=message.to.channel, code=errors.code_of(error))
            if isinstance(error, DiscordCallLost):
                raise
            return None


@contextmanager
def as_delivery_error(target: DiscordTarget, *, repeatable: bool = False) -> Iterator[None]:
    """Turn what a call raises into a DeliveryError; `repeatable`: the same thing done twice is done once."""
    try:
        yield
    except Failure as error:
        failed = errors.delivery_error(error, is_private=target.kind is not TargetKind.GUILD)
        failed.uncertain = failed.uncertain and not repeatable
        raise failed from None


def _nonce_fields(nonce: str) -> dict[str, Any]:
    return {"nonce": nonce, "enforce_nonce": True}


def reply_reference(answered: str) -> dict[str, Any]:
    """Name the message that is answered; one that is gone keeps nothing from being sent."""
    if not answered.isascii() or not answered.isdigit():
        return {}
    return {"message_reference": {"message_id": answered, "fail_if_not_exists": False}}


def _taken_by(other: int) -> Receipt:
    """Return the word of the platform that another program's message stands in the place of this one."""
    return Receipt(message_id=str(other), at=sent_at(other), note=ELSEWHERE)


def receipt(posted: Mapping[str, Any]) -> Receipt:
    """Read what came back for a message; its id holds its time."""
    return Receipt(message_id=str(posted["id"]), at=sent_at(int(posted["id"])))


class UploadFile(NamedTuple):
    """A file as it is sent."""

    name: str
    content: bytes


async def read_file(file: OutgoingFile) -> UploadFile:
    """Read a file to be sent; raise DeliveryError when it cannot be."""
    try:
        return UploadFile(file.name, await asyncio.to_thread(Path(file.path).read_bytes))
    except OSError:
        words = later("delivery_failures.file-unreadable", name=file.name)
        raise DeliveryError(words, code="file_gone", permanent=True) from None


def uploads(content: UploadFile | None) -> tuple[list[Upload], dict[str, Any]]:
    """Return the parts of a form that carry a file, and what its body says of it; made anew for each call."""
    if content is None:
        return [], {}
    upload = Upload(io.BytesIO(content.content), filename=content.name)
    return [upload], {"attachments": [{"id": 0, "filename": upload.filename}]}
