"""Methods that send."""

from __future__ import annotations

from . import polls
from .access import check_pace, check_presence, check_thread, check_write
from .ask import Ask
from .composing import answering, caption, keyboard, message_text, replied, rich_message
from .posting import document, photo, post
from .refusals import NOT_FOUND, Refused, bad
from .state import Stored, Upload
from .values import Chat, Json, Message, merged, words

ACTIONS = frozenset(
    words(
        "typing upload_photo record_video upload_video record_voice upload_voice record_audio upload_audio "
        "upload_document choose_sticker find_location record_video_note upload_video_note cancel"
    )
)
LARGEST_UPLOAD = 50 * 1024 * 1024
LARGEST_PHOTO = 10 * 1024 * 1024


def send_message(ask: Ask) -> Json:
    """sendMessage."""
    content = message_text(ask)
    return _send(ask, content, "text messages", "messages")


def send_rich_message(ask: Ask) -> Json:
    """sendRichMessage, where the server knows it."""
    if not ask.world.switches.rich:
        raise Refused(*NOT_FOUND)
    return _send(ask, rich_message(ask), "text messages", "messages")


def send_document(ask: Ask) -> Json:
    """sendDocument."""
    words = caption(ask)
    stored = _stored(ask, "document", LARGEST_UPLOAD)
    return _send(ask, {"document": document(stored)} | words, "documents", "documents")


def send_photo(ask: Ask) -> Json:
    """sendPhoto."""
    words = caption(ask)
    stored = _stored(ask, "photo", LARGEST_PHOTO)
    sizes = ask.world.photos.get(stored.id) or photo(ask.world, stored.upload)
    return _send(ask, {"photo": sizes} | words, "photos", "photos")


def send_poll(ask: Ask) -> Json:
    """sendPoll, where the server knows it."""
    if not ask.world.switches.polls:
        raise Refused(*NOT_FOUND)
    return _send(ask, polls.poll(ask), "polls", "polls")


def send_chat_action(ask: Ask) -> bool:
    """sendChatAction; it lasts five seconds and leaves nothing behind."""
    chat = ask.chat
    if ask.text("action").lower() not in ACTIONS:
        raise bad("wrong parameter action in request")
    check_write(ask.world, ask.bot, chat)
    check_thread(ask.bot, chat, _thread(ask))
    return True


def send_message_draft(ask: Ask) -> bool:
    """sendMessageDraft: a preview of a message that is being written, in private chats only."""
    if not ask.world.switches.drafts:
        raise bad("TEXTDRAFT_UNAVAILABLE")
    if ask.whole("draft_id") == 0:
        raise bad("draft_id must be non-zero")
    chat = ask.chat
    check_presence(ask.bot, chat)
    if chat.kind != "private":
        raise bad("TEXTDRAFT_PEER_INVALID")
    check_write(ask.world, ask.bot, chat)
    check_thread(ask.bot, chat, _thread(ask))
    text = message_text(ask)["text"] if ask.text("text") else ""
    ask.world.drafts.append((chat, ask.whole("draft_id"), text))
    return True


def _send(ask: Ask, content: Json, what: str, permission: str) -> Json:
    buttons = keyboard(ask)
    chat = ask.chat
    check_write(ask.world, ask.bot, chat, what, permission)
    target, thread = replied(ask, chat), _thread(ask)
    check_thread(ask.bot, chat, thread)
    check_pace(ask.world, ask.bot, chat)
    quote = (ask.json("reply_parameters") or {}).get("quote")
    extra: Json = {"reply_markup": buttons, **answering(target)}
    if target is not None and quote:
        extra["quote"] = {"text": quote, "position": target.text.find(quote), "is_manual": True}
    if ask.flag("protect_content"):
        extra["has_protected_content"] = True
    body = merged(content | _signed(chat), extra)
    return post(ask.world, chat, ask.bot, body, thread or _inherited(chat, target)).json


def _signed(chat: Chat) -> Json:
    return {"sender_chat": chat.json()} if chat.kind == "channel" else {}


def _inherited(chat: Chat, target: Message | None) -> int | None:
    """Let an answer without a thread go where its target is."""
    return target.thread if target is not None and chat.topics else None


def _thread(ask: Ask) -> int | None:
    return ask.whole("message_thread_id") or None


def _stored(ask: Ask, field: str, largest: int) -> Stored:
    """Find the file of a request: uploaded, attached, or named by its id."""
    named = ask.text(field)
    upload = ask.files.get(named.removeprefix("attach://") if named.startswith("attach://") else field)
    if upload is not None:
        return ask.world.store(_accepted(upload, largest), f"{field}s")
    if not named:
        raise bad(f"there is no {field} in the request")
    if named.startswith(("http://", "https://")):
        raise bad("failed to get HTTP URL content")
    if named not in ask.world.files:
        raise bad("wrong remote file identifier specified: Wrong string length")
    return ask.world.files[named]


def _accepted(upload: Upload, largest: int) -> Upload:
    if not upload.content:
        raise bad("file must be non-empty")
    if len(upload.content) > largest:
        raise bad("file is too big")
    return upload
