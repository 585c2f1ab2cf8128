"""Messages without a text: media, service messages. Where a caption or a name fits, it holds the words."""

from __future__ import annotations

from typing import Any

from tests.servers.telegram.values import Json

from .scene import Scene, Shape


def service_shapes(scene: Scene) -> list[Shape]:
    """Build the shapes of messages that are no text; none of them counts."""
    bodies = _media(scene) | _events(scene)
    return [Shape(name, {"message": scene.silent(**fields)}, False) for name, fields in bodies.items()]


def _media(scene: Scene) -> dict[str, Json]:
    sides = {"width": 512, "height": 512}
    sticker = _file("sticker") | sides | {"is_animated": False, "is_video": False, "type": "regular", "emoji": "🍵"}
    story: Json = {"chat": scene.channel, "id": 4}
    return {
        "sticker": {"sticker": sticker},
        "voice": {"voice": _file("voice") | {"duration": 2, "mime_type": "audio/ogg"}},
        "video": {"video": _file("video") | sides | {"duration": 2, "file_name": scene.text}},
        "video note": {"video_note": _file("note") | {"length": 240, "duration": 2}},
        "audio": {"audio": _file("audio") | {"duration": 2, "title": scene.text, "performer": scene.text}},
        "animation": {"animation": _file("gif") | sides | {"duration": 2}, "document": _file("gif")},
        "location": {"location": {"latitude": 52.5, "longitude": 13.4}},
        "venue": {"venue": _venue(scene)},
        "contact": {"contact": {"phone_number": "+100", "first_name": scene.text, "user_id": scene.person["id"]}},
        "dice": {"dice": {"emoji": "🎲", "value": 6}},
        "poll message": {"poll": poll(scene)},
        "story": {"story": story},
        "document named like a command": {"document": _file("file") | {"file_name": scene.text}},
    }


def _events(scene: Scene) -> dict[str, Json]:
    newcomer = scene.stranger(scene.text[:64])
    pinned = scene.message(message_id=7, from_=scene.stranger())
    topic = {"name": scene.text, "icon_color": 0x6FB9F0}
    return {
        "new members": {"new_chat_members": [newcomer]},
        "left member": {"left_chat_member": newcomer},
        "pinned message": {"pinned_message": pinned},
        "new title": {"new_chat_title": scene.text},
        "group created": {"group_chat_created": True},
        "migrated to": {"migrate_to_chat_id": -1_002_999_999_999},
        "migrated from": {"migrate_from_chat_id": -4_999_999},
        "topic created": {"forum_topic_created": topic, "message_thread_id": 9, "is_topic_message": True},
        "topic edited": {"forum_topic_edited": {"name": scene.text}, "message_thread_id": 9, "is_topic_message": True},
        "web app data": {"web_app_data": {"data": scene.text, "button_text": scene.text}},
        "users shared": {"users_shared": {"request_id": 1, "users": [{"user_id": 5, "first_name": scene.text}]}},
        "write access allowed": {"write_access_allowed": {"from_request": True}},
        "auto delete": {"message_auto_delete_timer_changed": {"message_auto_delete_time": 86400}},
        "video chat started": {"video_chat_started": {}},
        "boost added": {"boost_added": {"boost_count": 1}},
        "successful payment": {"successful_payment": _payment(scene)},
        "nothing at all": {},
    }


def poll(scene: Scene) -> Json:
    """Write a poll whose question is the words."""
    option: Json = {"text": "yes", "voter_count": 0, "persistent_id": "o1"}
    return {
        "id": "poll1",
        "question": scene.text,
        "options": [option, option | {"text": "no", "persistent_id": "o2"}],
        "total_voter_count": 0,
        "is_closed": False,
        "is_anonymous": False,
        "type": "regular",
        "allows_multiple_answers": False,
        "allows_revoting": True,
        "members_only": False,
    }


def _venue(scene: Scene) -> Json:
    return {"location": {"latitude": 52.5, "longitude": 13.4}, "title": scene.text, "address": scene.text}


def _payment(scene: Scene) -> Json:
    ids = {"telegram_payment_charge_id": "t1", "provider_payment_charge_id": "p1"}
    return {"currency": "XTR", "total_amount": 1, "invoice_payload": scene.text} | ids


def _file(name: str) -> dict[str, Any]:
    return {"file_id": f"BQAC{name}", "file_unique_id": f"AgAD{name}", "file_size": 1000}
