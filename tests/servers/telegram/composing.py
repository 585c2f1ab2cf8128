"""The parts of a message that a bot sends: text and entities, buttons, what it answers."""

from __future__ import annotations

from typing import Any

from . import rich_mode
from .ask import Ask
from .markup import parsed
from .posting import quoted
from .refusals import bad
from .spans import Entity, checked, cleaned, joined, stripped, units
from .values import Chat, Json, Message

TEXT_LIMIT = 4096  # characters after entity parsing; counted in UTF-16 units, the stricter reading
CAPTION_LIMIT = 1024
DATA_LIMIT = 64  # bytes of callback_data
ROW_LIMIT = 8
BUTTON_LIMIT = 100
ACTIONS = ("callback_data", "url", "web_app", "login_url", "switch_inline_query", "copy_text", "pay", "callback_game")


def text_of(ask: Ask, field: str, spans: str, limit: int, too_long: str) -> tuple[str, list[Entity]]:
    """Read a text and its entities, and refuse what Telegram refuses."""
    raw = cleaned(ask.text(field))
    mode = ask.text("parse_mode")
    if mode:
        text, entities = parsed(raw, mode)
    else:
        given = ask.json(spans)
        text, entities = raw, checked(raw, given) if given else []
    text, entities = stripped(text, entities)
    if units(text) > limit:
        raise bad(too_long)
    return text, joined(entities, text)


def message_text(ask: Ask) -> Json:
    """Read the text of sendMessage and editMessageText."""
    text, entities = text_of(ask, "text", "entities", TEXT_LIMIT, "message is too long")
    if not text:
        raise bad("message text is empty")
    return {"text": text, "entities": entities or None, "link_preview_options": ask.json("link_preview_options")}


def rich_message(ask: Ask) -> Json:
    """Read the content of a rich message."""
    return {"rich_message": rich_mode.parsed(ask.json("rich_message"))}


def caption(ask: Ask) -> Json:
    """Read the caption of a file."""
    text, entities = text_of(ask, "caption", "caption_entities", CAPTION_LIMIT, "message caption is too long")
    return {"caption": text or None, "caption_entities": entities or None}


def keyboard(ask: Ask) -> Json | None:
    """Read the buttons; a keyboard without buttons is none."""
    markup = ask.json("reply_markup")
    if markup is None:
        return None
    if not isinstance(markup, dict):
        raise bad("object expected as reply markup")
    rows = markup.get("inline_keyboard", [])
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise bad('field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays')
    for row in rows:
        for button in row:
            _check_button(button)
    if sum(map(len, rows)) > BUTTON_LIMIT:
        raise bad("reply markup is too long")
    kept = [row for row in rows if row]
    return {"inline_keyboard": kept} if kept else None


def replied(ask: Ask, chat: Chat) -> Message | None:
    """Find the message that is answered; None when there is none, or it is gone and that is allowed."""
    parameters = ask.json("reply_parameters") or {}
    if not isinstance(parameters, dict):
        raise bad("can't parse reply parameters: expected an Object")
    number = parameters.get("message_id") or ask.whole("reply_to_message_id")
    if not number:
        return None
    place = ask.world.find(ask.bot, parameters["chat_id"]) if parameters.get("chat_id") else chat
    target = place.messages.get(number)
    if target is not None and not target.is_deleted:
        return _quoting(target, parameters.get("quote"))
    if parameters.get("allow_sending_without_reply") or ask.flag("allow_sending_without_reply"):
        return None
    raise bad("message to be replied not found")


def answering(target: Message | None) -> Json:
    """Write what a message answers."""
    return {} if target is None else {"reply_to_message": quoted(target)}


def _quoting(target: Message, quote: Any) -> Message:
    if quote and str(quote) not in target.text:
        raise bad("message quote not found")
    return target


def _check_button(button: Any) -> None:
    if not isinstance(button, dict):
        raise bad("can't parse inline keyboard button: InlineKeyboardButton must be an Object")
    if not isinstance(button.get("text"), str):
        raise bad('can\'t parse inline keyboard button: Field "text" must be of type String')
    if not button["text"]:
        raise bad("BUTTON_TEXT_INVALID")
    if not any(name in button for name in ACTIONS):
        raise bad("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard")
    page = button.get("web_app")
    if page is not None and not (isinstance(page, dict) and str(page.get("url", "")).startswith("https://")):
        raise bad("inline keyboard button Web App URL is invalid: Only HTTPS links are allowed")
    data = button.get("callback_data")
    if data is not None and not 1 <= len(str(data).encode()) <= DATA_LIMIT:
        raise bad("BUTTON_DATA_INVALID")
