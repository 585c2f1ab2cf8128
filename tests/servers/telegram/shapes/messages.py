"""Messages that say something: by whom, for whom, from where."""

from __future__ import annotations

from tests.servers.telegram.spans import units
from tests.servers.telegram.values import Json

from .scene import Scene, Shape

ANONYMOUS_ADMIN: Json = {"id": 1087968824, "is_bot": True, "first_name": "Group", "username": "GroupAnonymousBot"}
CHANNEL_BOT: Json = {"id": 136817688, "is_bot": True, "first_name": "Channel", "username": "Channel_Bot"}
TELEGRAM: Json = {"id": 777000, "is_bot": False, "first_name": "Telegram"}


def message_shapes(scene: Scene) -> list[Shape]:
    """Build the shapes of `message`, `edited_message`, channel posts and business messages."""
    return [*_own(scene), *_on_behalf(scene), *_forwards(scene), *_elsewhere(scene), *_channels(scene)]


def _own(scene: Scene) -> list[Shape]:
    private = {"id": scene.person["id"], "type": "private", "first_name": scene.person["first_name"]}
    earlier = {"message_id": 7, "date": scene.date, "chat": scene.chat, "from": scene.stranger(), "text": "earlier"}
    quote = {"text": "earlier", "position": 0, "is_manual": True}
    external = {"origin": _user_origin(scene), "chat": scene.channel, "message_id": 3}
    return [
        Shape("plain message", {"message": scene.message()}, True),
        Shape("private message", {"message": scene.message(chat=private)}, True),
        Shape("in a topic", {"message": scene.message(message_thread_id=5, is_topic_message=True)}, True),
        Shape("reply", {"message": scene.message(reply_to_message=earlier)}, True),
        Shape("with a quote", {"message": scene.message(reply_to_message=earlier, quote=quote)}, True),
        Shape("with an external reply", {"message": scene.message(external_reply=external, quote=quote)}, True),
        Shape("sent while offline", {"message": scene.message(is_from_offline=True)}, True),
    ]


def _on_behalf(scene: Scene) -> list[Shape]:
    other_bot = scene.stranger("Other", is_bot=True, username="other_bot")
    linked = {
        "sender_chat": scene.channel,
        "is_automatic_forward": True,
        "forward_origin": {"type": "channel", "date": scene.date, "chat": scene.channel, "message_id": 3},
    }
    anonymous = scene.message(from_=ANONYMOUS_ADMIN, sender_chat=scene.chat, author_signature="boss")
    channel = scene.message(from_=CHANNEL_BOT, sender_chat=scene.channel)
    return [
        Shape("anonymous admin", {"message": anonymous}, False),
        Shape("on behalf of a channel", {"message": channel}, False),
        Shape("linked channel", {"message": scene.message(from_=TELEGRAM, **linked)}, False),
        Shape("via a bot", {"message": scene.message(via_bot=other_bot)}, False),
        Shape("by a bot", {"message": scene.message(from_=other_bot)}, False),
        Shape("by a business bot", {"message": scene.message(sender_business_bot=other_bot)}, False),
        Shape("by nobody", {"message": scene.message(from_=None)}, False),
    ]


def _forwards(scene: Scene) -> list[Shape]:
    hidden = {"type": "hidden_user", "date": scene.date, "sender_user_name": "Ann"}
    chat = {"type": "chat", "date": scene.date, "sender_chat": scene.chat, "author_signature": "boss"}
    channel = {"type": "channel", "date": scene.date, "chat": scene.channel, "message_id": 3}
    origins = {"user": _user_origin(scene), "hidden user": hidden, "chat": chat, "channel": channel}
    return [
        Shape(f"forward from a {name}", {"message": scene.message(forward_origin=origin)}, False)
        for name, origin in origins.items()
    ]


def _elsewhere(scene: Scene) -> list[Shape]:
    """Put the words where others' words stand; the person's own text is harmless."""
    earlier = scene.message(from_=scene.stranger(), message_id=7)
    quote = {"text": scene.text, "position": 0}
    code = [{"type": "pre", "offset": 0, "length": units(scene.text)}]
    mine = {"text": "look at this", "entities": None}
    external = {"origin": _user_origin(scene), "chat": scene.channel, "message_id": 3}
    link = {"url": "https://example.org/", "is_disabled": False}
    return [
        Shape("in the answered message", {"message": scene.message(reply_to_message=earlier, **mine)}, False),
        Shape("in a quote", {"message": scene.message(reply_to_message=earlier, quote=quote, **mine)}, False),
        Shape("in an external quote", {"message": scene.message(external_reply=external, quote=quote, **mine)}, False),
        Shape("in a code block", {"message": scene.message(entities=code)}, False),
        Shape("in the middle", {"message": scene.message(text=f"say {scene.text}", link_preview_options=link)}, False),
        Shape("edited message", {"edited_message": scene.message(edit_date=scene.date + 9)}, False),
    ]


def _channels(scene: Scene) -> list[Shape]:
    post = scene.message(chat=scene.channel, sender_chat=scene.channel, from_=None)
    signed = post | {"author_signature": scene.person["first_name"]}
    business = scene.message(business_connection_id="bc1", chat=_private(scene))
    return [
        Shape("channel post", {"channel_post": post}, False),
        Shape("signed channel post", {"channel_post": signed}, False),
        Shape("edited channel post", {"edited_channel_post": post | {"edit_date": scene.date + 9}}, False),
        Shape("business message", {"business_message": business}, False),
        Shape("edited business message", {"edited_business_message": business | {"edit_date": scene.date + 9}}, False),
        Shape("guest message", {"guest_message": scene.message(guest_query_id="gq1")}, False),
    ]


def _private(scene: Scene) -> Json:
    return {"id": 5_999_999_999, "type": "private", "first_name": "Stranger"}


def _user_origin(scene: Scene) -> Json:
    return {"type": "user", "date": scene.date, "sender_user": scene.stranger()}
