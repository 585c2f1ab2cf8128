"""Messages that say something: by whom, for whom, from where."""

from __future__ import annotations

from tests.servers.discord.values import Json

from .scene import STRANGER, Scene, Shape

CROSSPOSTED, IS_CROSSPOST, SUPPRESSED, SOURCE_DELETED, SILENT, VOICE, FORWARDED = 1, 2, 4, 8, 4096, 8192, 16384
HOOK = 1_210_000_000_000_000_001


def message_shapes(scene: Scene) -> list[Shape]:
    """Build the shapes of new messages that a person, a program or a webhook wrote."""
    return [*_own(scene), *_answers(scene), *_by_programs(scene), *_carried(scene), *_elsewhere(scene)]


def _own(scene: Scene) -> list[Shape]:
    private: Json = {"channel_id": scene.private, "guild_id": ..., "member": ..., "channel_type": 1}
    return [
        scene.said("plain message", True),
        scene.said("private message", True, **private),
        scene.said("with a nonce", True, nonce="1390000000000000000"),
        scene.said("sent silently", True, flags=SILENT),
        scene.said("previews switched off", True, flags=SUPPRESSED),
        scene.said("read aloud", True, tts=True),
        scene.said("with a file", True, attachments=[_file()]),
        scene.said("with a preview", True, embeds=[{"type": "link", "url": "https://example.org/"}]),
        scene.said("with a sticker", True, sticker_items=[_sticker("wave")]),
        scene.said("by somebody whose membership is missing", True, member=...),
        scene.said("in a thread that was not told of", True, channel_id="1380000000000000009"),
        scene.said("with fields of the future", True, position=3, brand_new={"a": [1]}),
    ]


def _answers(scene: Scene) -> list[Shape]:
    answer: Json = {"type": 19, "message_reference": scene.reference()}
    pinged: Json = {"mentions": [scene.stranger()]}
    return [
        scene.said("reply", True, **answer, referenced_message=scene.earlier(), **pinged),
        scene.said("reply to what was deleted", True, **answer, referenced_message=None),
        scene.said("reply to what was not fetched", True, **answer),
        scene.said("reply to the bot", True, **answer, referenced_message=scene.earlier(author=scene.bot)),
    ]


def _by_programs(scene: Scene) -> list[Shape]:
    bot = scene.stranger("other", bot=True, discriminator="0000")
    hook: Json = {"id": str(HOOK), "username": scene.person["username"], "avatar": None, "discriminator": "0000"}
    hooked: Json = {"author": hook | {"bot": True}, "member": ..., "webhook_id": str(HOOK)}
    system = scene.stranger("Discord", bot=True, system=True)
    answer: Json = {"author": scene.bot, "webhook_id": scene.bot["id"], "application_id": scene.bot["id"], "type": 20}
    private: Json = {"channel_id": scene.private, "guild_id": ..., "member": ...}
    return [
        scene.said("by a webhook", **hooked),
        scene.said("by a webhook without the mark of a bot", **hooked | {"author": hook}),
        scene.said("by a webhook with the id of the person", **hooked | {"author": scene.person}),
        scene.said("by another bot", author=bot),
        scene.said("by the bot itself", author=scene.bot, member=...),
        scene.said("by Discord itself", **private | {"author": system}),
        scene.said("answer to a command", **answer, member=..., interaction_metadata=_metadata(scene)),
        scene.said("answer to a menu", **answer | {"type": 23}, member=..., interaction_metadata=_metadata(scene)),
        scene.said("by nobody", author=..., member=...),
    ]


def _carried(scene: Scene) -> list[Shape]:
    """Put the words where Discord carries messages from elsewhere."""
    snapshot = {"message": _snapshot(scene, scene.text)}
    forward: Json = {"message_reference": scene.reference(1), "message_snapshots": [snapshot]}
    followed: Json = {"flags": IS_CROSSPOST, "webhook_id": str(HOOK), "author": scene.stranger("News", bot=True)}
    away = scene.reference(guild_id="1", channel_id="2")
    mine = {"message": _snapshot(scene, "earlier")}
    return [
        scene.said("forwarded message", content="", flags=FORWARDED, **forward),
        scene.said("forwarded message without its flag", content="", **forward),
        scene.said("forwarded message with words", flags=FORWARDED, **forward | {"message_snapshots": [mine]}),
        scene.said("published message", flags=CROSSPOSTED),
        scene.said("message from a followed channel", member=..., message_reference=away, **followed),
        scene.said("message from a followed channel, deleted there", flags=IS_CROSSPOST | SOURCE_DELETED),
    ]


def _elsewhere(scene: Scene) -> list[Shape]:
    """Put the words where others' words stand; the person's own text is harmless."""
    text = scene.text
    answered: Json = {
        "type": 19,
        "message_reference": scene.reference(),
        "referenced_message": scene.earlier(content=text),
    }
    embed = {"type": "rich", "title": text, "description": text, "fields": [{"name": text, "value": text}]}
    button = {"type": 2, "style": 1, "label": text, "custom_id": "x", "id": 2}
    shown = [{"type": 1, "id": 1, "components": [button]}, {"type": 10, "id": 3, "content": text}]
    return [
        scene.said("in the answered message", content="look", **answered),
        scene.said("in a quote", content=f"> {text}"),
        scene.said("in a long quote", content=f">>> {text}"),
        scene.said("in a code block", content=f"```\n{text}\n```"),
        scene.said("in inline code", content=f"`{text}`"),
        scene.said("behind a spoiler", content=f"||{text}||"),
        scene.said("in the middle", content=f"say {text}"),
        scene.said("on a later line", content=f"look:\n{text}"),
        scene.said("in an embed only", content="", embeds=[embed]),
        scene.said("in components only", content="", flags=1 << 15, components=shown),
        scene.said("in the name of a file", content="", attachments=[_file(name=text)]),
        scene.said("in a voice message", content="", flags=VOICE, attachments=[_file("voice.ogg", "audio/ogg")]),
        scene.said("in a poll", content="", poll=_poll(text)),
        scene.said("in a sticker", content="", sticker_items=[_sticker(text)]),
        scene.said("in the name of the person", content="hi", author=scene.person | {"global_name": text}),
        scene.said("kept back for want of the content intent", content=""),
        scene.said("in the name of somebody who is mentioned", content=f"<@{STRANGER}>", mentions=[_named(scene)]),
    ]


def _named(scene: Scene) -> Json:
    return scene.stranger(global_name=scene.text)


def _snapshot(scene: Scene, text: str) -> Json:
    body = scene.message(content=text)
    kept = ("type", "content", "embeds", "attachments", "timestamp", "edited_timestamp", "flags", "mentions")
    return {name: body[name] for name in (*kept, "mention_roles", "components")}


def _file(name: str = "a.txt", mime: str = "text/plain") -> Json:
    address = "https://cdn.discordapp.com/attachments/1/2/a.txt?ex=7fffffff&is=1&hm=1"
    body: Json = {"id": "1380000000000000001", "filename": name, "size": 3, "url": address, "proxy_url": address}
    return body | {"content_type": mime, "title": name, "description": name}


def _sticker(name: str) -> Json:
    return {"id": "1380000000000000002", "name": name, "format_type": 1}


def _poll(text: str) -> Json:
    answers = [{"answer_id": 1, "poll_media": {"text": text}}, {"answer_id": 2, "poll_media": {"text": "no"}}]
    poll: Json = {"question": {"text": text}, "answers": answers, "expiry": "2030-01-01T00:00:00+00:00"}
    return poll | {
        "allow_multiselect": False,
        "layout_type": 1,
        "results": {"is_finalized": False, "answer_counts": []},
    }


def _metadata(scene: Scene) -> Json:
    return {"id": "1380000000000000003", "type": 2, "user": scene.person, "authorizing_integration_owners": {}}
