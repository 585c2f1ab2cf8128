"""Every method this server speaks; names are compared without case, as the API does."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from . import asking, changing, polling, sending, threads
from .ask import Ask

Method = Callable[[Ask], Any | Awaitable[Any]]

METHODS: dict[str, Method] = {
    "getMe": polling.get_me,
    "getUpdates": polling.get_updates,
    "getWebhookInfo": polling.get_webhook_info,
    "setWebhook": polling.set_webhook,
    "deleteWebhook": polling.delete_webhook,
    "sendMessage": sending.send_message,
    "sendRichMessage": sending.send_rich_message,
    "sendDocument": sending.send_document,
    "sendPhoto": sending.send_photo,
    "sendPoll": sending.send_poll,
    "sendChatAction": sending.send_chat_action,
    "sendMessageDraft": sending.send_message_draft,
    "editMessageText": changing.edit_message_text,
    "editMessageCaption": changing.edit_message_caption,
    "editMessageReplyMarkup": changing.edit_message_reply_markup,
    "deleteMessage": changing.delete_message,
    "setMessageReaction": changing.set_message_reaction,
    "answerCallbackQuery": changing.answer_callback_query,
    "getFile": asking.get_file,
    "getChat": asking.get_chat,
    "getChatMember": asking.get_chat_member,
    "getChatAdministrators": asking.get_chat_administrators,
    "getChatMemberCount": asking.get_chat_member_count,
    "leaveChat": asking.leave_chat,
    "setMyCommands": asking.set_my_commands,
    "getMyCommands": asking.get_my_commands,
    "deleteMyCommands": asking.delete_my_commands,
    "createForumTopic": threads.create_forum_topic,
    "editForumTopic": threads.edit_forum_topic,
    "closeForumTopic": threads.close_forum_topic,
    "reopenForumTopic": threads.reopen_forum_topic,
    "deleteForumTopic": threads.delete_forum_topic,
}
BY_LOWER = {name.lower(): (name, method) for name, method in METHODS.items()}
