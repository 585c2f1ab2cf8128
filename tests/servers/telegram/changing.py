"""Methods that change what stands in a chat, and answers to presses."""

from __future__ import annotations

from .access import check_presence, check_write
from .ask import Ask
from .composing import caption, keyboard, message_text, rich_message
from .delivery import is_service
from .members import may, right
from .posting import revise
from .refusals import NOT_MODIFIED, QUERY_TOO_OLD, bad
from .values import Json, Message, words

TWO_DAYS = 48 * 3600
ANSWER_LIMIT = 200
# The free reactions, as listed for ReactionTypeEmoji.
EMOJI = frozenset(
    words(
        "❤ 👍 👎 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤‍🔥 "
        "🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋 🖕 😈 😴 😭 🤓 👻 👨‍💻 👀 🎃 🙈 😇 😨 "
        "🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷‍♂ 🤷 🤷‍♀ 😡 "
    )
)


def edit_message_text(ask: Ask) -> Json:
    """editMessageText."""
    # a server that knows no rich messages reads nothing of one
    is_rich = ask.world.switches.rich and "rich_message" in ask.params
    content = rich_message(ask) if is_rich else message_text(ask)
    message = _own(ask)
    if not message.json.keys() & {"text", "rich_message"}:
        raise bad("there is no text in the message to edit")
    content = dict.fromkeys(("text", "entities", "link_preview_options", "rich_message")) | content
    return _change(message, ask, content | {"reply_markup": keyboard(ask)})


def edit_message_caption(ask: Ask) -> Json:
    """editMessageCaption."""
    content = caption(ask)
    message = _own(ask)
    if "text" in message.json:
        raise bad("there is no caption in the message to edit")
    return _change(message, ask, content | {"reply_markup": keyboard(ask)})


def edit_message_reply_markup(ask: Ask) -> Json:
    """editMessageReplyMarkup."""
    return _change(_own(ask), ask, {"reply_markup": keyboard(ask)})


def delete_message(ask: Ask) -> bool:
    """deleteMessage."""
    chat = ask.chat
    check_presence(ask.bot, chat)
    message = ask.message("message to delete")
    is_own = message.author is ask.bot
    is_old = ask.world.now - message.json["date"] > TWO_DAYS
    others = chat.kind == "private" or right(chat, ask.bot, "can_delete_messages")
    if is_old and (chat.kind == "private" or not others):
        raise bad("message can't be deleted for everyone")
    if not (is_own or others):
        raise bad("message can't be deleted")
    message.is_deleted = True
    return True


def set_message_reaction(ask: Ask) -> bool:
    """setMessageReaction; a bot may set one."""
    wanted = ask.json("reaction") or []
    chat = ask.chat
    check_presence(ask.bot, chat)
    message = ask.message("message to react")
    if is_service(message.json) or len(wanted) > 1 or not all(_is_reaction(one) for one in wanted):
        raise bad("REACTION_INVALID")
    if chat.is_group and not may(chat, ask.bot, "can_react_to_messages"):
        raise bad("not enough rights to react to the message")
    message.reactions[ask.bot.id] = list(wanted)
    return True


def answer_callback_query(ask: Ask) -> bool:
    """answerCallbackQuery, while the query lives."""
    press = ask.world.presses.get(ask.text("callback_query_id"))
    if press is None or ask.world.now - press.at > ask.world.switches.callback_life:
        raise bad(QUERY_TOO_OLD)
    if len(ask.text("text")) > ANSWER_LIMIT:
        raise bad("MESSAGE_TOO_LONG")
    alert = ask.flag("show_alert")
    press.answers.append({"text": ask.text("text"), "show_alert": alert, "url": ask.text("url")})
    return True


def _own(ask: Ask) -> Message:
    chat = ask.chat
    check_presence(ask.bot, chat)
    message = ask.message("message to edit")
    if chat.kind == "private":
        check_write(ask.world, ask.bot, chat)
    if message.author is not ask.bot:
        raise bad("message can't be edited")
    return message


def _change(message: Message, ask: Ask, changes: Json) -> Json:
    """Change a message, or say that nothing would change; buttons that are not named again go away."""
    if all(message.json.get(name) == value for name, value in changes.items()):
        raise bad(NOT_MODIFIED)
    revise(ask.world, message, changes)
    return message.json


def _is_reaction(one: object) -> bool:
    if not isinstance(one, dict) or one.get("type") != "emoji":
        return False
    return str(one.get("emoji")).replace("\ufe0f", "") in EMOJI
