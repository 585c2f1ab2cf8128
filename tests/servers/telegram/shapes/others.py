"""Updates that are no messages: presses, queries, members, reactions, boosts, payments."""

from __future__ import annotations

from tests.servers.telegram.values import Json

from .scene import Scene, Shape
from .services import poll


def other_shapes(scene: Scene) -> list[Shape]:
    """Build the shapes of all other updates; none of them counts as a typed command."""
    updates = _presses(scene) | _queries(scene) | _members(scene) | _reactions(scene) | _payments(scene)
    return [Shape(name, update, False) for name, update in updates.items()]


def _presses(scene: Scene) -> dict[str, Json]:
    press: Json = {"id": "400", "from": scene.person, "chat_instance": "1", "data": scene.text[:64]}
    shown = scene.message(from_=scene.bot, message_id=8)
    gone = {"chat": scene.chat, "message_id": 8, "date": 0}
    game = {"id": "401", "from": scene.person, "chat_instance": "1", "game_short_name": "game"}
    return {
        "press": {"callback_query": press | {"message": shown}},
        "press under an inaccessible message": {"callback_query": press | {"message": gone}},
        "press under an inline message": {"callback_query": press | {"inline_message_id": "AAE"}},
        "game": {"callback_query": game | {"message": shown}},
    }


def _queries(scene: Scene) -> dict[str, Json]:
    chosen = {"result_id": "1", "from": scene.person, "query": scene.text}
    answer = {"poll_id": "poll1", "user": scene.person, "option_ids": [0], "option_persistent_ids": ["o1"]}
    return {
        "inline query": {
            "inline_query": {"id": "1", "from": scene.person, "query": scene.text, "offset": "", "chat_type": "group"}
        },
        "chosen inline result": {"chosen_inline_result": chosen},
        "poll": {"poll": poll(scene)},
        "poll answer": {"poll_answer": answer},
    }


def _members(scene: Scene) -> dict[str, Json]:
    change = {"chat": scene.chat, "from": scene.person, "date": scene.date}
    mine = {"old_chat_member": _member(scene.bot, "left"), "new_chat_member": _member(scene.bot, "member")}
    theirs = {"old_chat_member": _member(scene.person, "left"), "new_chat_member": _member(scene.person, "member")}
    request = {"user_chat_id": scene.person["id"], "bio": scene.text}
    return {
        "my chat member": {"my_chat_member": change | mine},
        "chat member": {"chat_member": change | theirs},
        "join request": {"chat_join_request": change | request},
        "managed bot": {"managed_bot": {"user": scene.person, "bot": scene.stranger(scene.text, is_bot=True)}},
    }


def _reactions(scene: Scene) -> dict[str, Json]:
    at = {"chat": scene.chat, "message_id": 8, "date": scene.date}
    thumb = {"type": "emoji", "emoji": "👍"}
    source = {"source": "premium", "user": scene.person}
    boost = {"boost_id": "b1", "add_date": scene.date, "expiration_date": scene.date + 86_400, "source": source}
    removed = {"chat": scene.channel, "boost_id": "b1", "remove_date": scene.date, "source": source}
    reacted = at | {"user": scene.person, "old_reaction": [], "new_reaction": [thumb]}
    return {
        "reaction": {"message_reaction": reacted},
        "anonymous reaction": {
            "message_reaction": at | {"actor_chat": scene.channel, "old_reaction": [thumb], "new_reaction": []}
        },
        "reaction count": {"message_reaction_count": at | {"reactions": [{"type": thumb, "total_count": 3}]}},
        "boost": {"chat_boost": {"chat": scene.channel, "boost": boost}},
        "removed boost": {"removed_chat_boost": removed},
    }


def _payments(scene: Scene) -> dict[str, Json]:
    stranger = scene.stranger()
    address = {
        "country_code": "DE",
        "state": "",
        "city": "Berlin",
        "street_line1": "1",
        "street_line2": "",
        "post_code": "1",
    }
    shipping = {"id": "1", "from": scene.person, "invoice_payload": scene.text, "shipping_address": address}
    checkout = {"id": "2", "from": scene.person, "currency": "XTR", "total_amount": 1, "invoice_payload": scene.text}
    connection = {"id": "bc1", "user": stranger, "user_chat_id": stranger["id"], "date": scene.date, "is_enabled": True}
    private = {"id": stranger["id"], "type": "private", "first_name": "Stranger"}
    deleted = {"business_connection_id": "bc1", "chat": private, "message_ids": [1, 2]}
    return {
        "shipping query": {"shipping_query": shipping},
        "pre-checkout query": {"pre_checkout_query": checkout},
        "purchased paid media": {"purchased_paid_media": {"from": scene.person, "paid_media_payload": scene.text}},
        "business connection": {"business_connection": connection},
        "deleted business messages": {"deleted_business_messages": deleted},
    }


def _member(user: Json, status: str) -> Json:
    return {"user": user, "status": status}
