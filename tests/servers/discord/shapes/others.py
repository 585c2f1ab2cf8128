"""Edits, deletions and everything else that is no new message, and events that are broken or unknown."""

from __future__ import annotations

from tests.servers.discord.values import Json

from .scene import EARLIER, Scene, Shape


def other_shapes(scene: Scene) -> list[Shape]:
    """Build the shapes that can never start anything."""
    return [*_edits(scene), *_reactions(scene), *_gone(scene), *_broken(scene)]


def _edits(scene: Scene) -> list[Shape]:
    preview = {"type": "link", "url": "https://example.org/", "title": scene.text}
    part: Json = {"id": str(EARLIER), "channel_id": scene.channel, "guild_id": scene.guild}
    return [
        scene.edited("edited message"),
        scene.edited("edited private message", channel_id=scene.private, guild_id=..., member=...),
        scene.edited("preview added", edited_timestamp=None, embeds=[preview]),
        scene.edited("pinned by somebody", edited_timestamp=None, pinned=True),
        scene.edited("published by somebody", edited_timestamp=None, flags=1),
        scene.edited("edit without an author", author=..., member=...),
        scene.edited("edit by a webhook", webhook_id="1", author=scene.stranger(bot=True), member=...),
        Shape("edit with embeds only", "MESSAGE_UPDATE", part | {"embeds": [preview]}, breaks=True),
        Shape("edit with content only", "MESSAGE_UPDATE", part | {"content": scene.text}, breaks=True),
    ]


def _reactions(scene: Scene) -> list[Shape]:
    where: Json = {"channel_id": scene.channel, "guild_id": scene.guild, "message_id": str(EARLIER)}
    who: Json = {"user_id": scene.person["id"]}
    emoji: Json = {"emoji": {"id": "1380000000000000004", "name": scene.text}, "burst": False, "type": 0}
    vote = where | who | {"answer_id": 1}
    return [
        Shape(
            "reaction", "MESSAGE_REACTION_ADD", where | who | emoji | {"member": scene.member | {"user": scene.person}}
        ),
        Shape("reaction taken back", "MESSAGE_REACTION_REMOVE", where | who | emoji),
        Shape("reactions cleared", "MESSAGE_REACTION_REMOVE_ALL", where),
        Shape("one emoji cleared", "MESSAGE_REACTION_REMOVE_EMOJI", where | {"emoji": emoji["emoji"]}),
        Shape("vote", "MESSAGE_POLL_VOTE_ADD", vote),
        Shape("vote taken back", "MESSAGE_POLL_VOTE_REMOVE", vote),
        Shape("typing", "TYPING_START", {"timestamp": 1_750_000_000, "channel_id": scene.channel} | who),
    ]


def _gone(scene: Scene) -> list[Shape]:
    where: Json = {"channel_id": scene.channel, "guild_id": scene.guild}
    return [
        Shape("deleted message", "MESSAGE_DELETE", where | {"id": str(EARLIER)}),
        Shape("deleted private message", "MESSAGE_DELETE", {"id": str(EARLIER), "channel_id": scene.private}),
        Shape("many deleted messages", "MESSAGE_DELETE_BULK", where | {"ids": [str(EARLIER), str(EARLIER + 1)]}),
    ]


def _broken(scene: Scene) -> list[Shape]:
    return [
        scene.said("without content", content=..., breaks=True),
        scene.said("without an id", id=..., breaks=True),
        scene.said("without a channel", channel_id=..., breaks=True),
        scene.said("with content that is no text", content=None),
        Shape("event of the future", "MESSAGE_WHISPER", scene.message()),
        Shape("event without data", "MESSAGE_CREATE", {}, breaks=True),
    ]
