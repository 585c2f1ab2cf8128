"""How a message comes into a chat, whoever writes it."""

from __future__ import annotations

import copy
from typing import Any

from .delivery import deliver
from .state import State, Stored, Upload
from .values import GENERAL, Chat, Json, Message, Person, merged, written


def post(
    state: State,
    chat: Chat,
    author: Person | None,
    content: Json,
    thread: int | None = None,
    number: int | None = None,
) -> Message:
    """Add a message and tell the bots that may see it; `reply_to_message` may be in the content."""
    body = written(message_id=number or state.message_id(chat), date=state.now, chat=chat.json())
    body |= {} if author is None or chat.kind == "channel" else {"from": author.user()}
    body = merged(body | _threaded(chat, content, thread), content)
    message = Message(body["message_id"], chat, author, body)
    chat.messages[message.id] = message
    deliver(state, message, "channel_post" if chat.kind == "channel" else "message")
    return message


def revise(state: State, message: Message, changes: dict[str, Any]) -> None:
    """Change a message; a None takes a field away."""
    message.json = merged(message.json | {"edit_date": state.now}, changes)
    message.edits += 1


def quoted(message: Message) -> Json:
    """Write a message as `reply_to_message`: without what it answered itself."""
    body = {key: value for key, value in message.json.items() if key != "reply_to_message"}
    return copy.deepcopy(body)


def document(stored: Stored) -> Json:
    """Write the `Document` object."""
    return {
        "file_id": stored.id,
        "file_unique_id": stored.unique_id,
        "file_name": stored.upload.name,
        "mime_type": stored.upload.mime,
        "file_size": stored.size,
    }


def photo(state: State, upload: Upload) -> list[Json]:
    """Keep a photo and write its sizes; every size is the same picture under another id."""
    sizes: list[Json] = []
    for side in (90, 320, 800):
        stored = state.store(upload, "photos")
        sizes.append(
            {
                "file_id": stored.id,
                "file_unique_id": stored.unique_id,
                "width": side,
                "height": side,
                "file_size": stored.size,
            }
        )
        state.photos[stored.id] = sizes
    return sizes


def _threaded(chat: Chat, content: Json, thread: int | None) -> Json:
    """Say which topic or reply thread a message belongs to; supergroups without topics thread by reply."""
    if thread is not None and thread in chat.topics and (thread != GENERAL or chat.kind == "private"):
        return {"message_thread_id": thread, "is_topic_message": True}
    target = content.get("reply_to_message")
    if target is None or chat.kind != "supergroup" or chat.is_forum:
        return {}
    return {"message_thread_id": target.get("message_thread_id", target["message_id"])}
