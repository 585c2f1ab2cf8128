"""Messages that Discord writes in somebody's name, each kind once, all with the person's name and words on them."""

from __future__ import annotations

from tests.servers.discord.values import Json

from .scene import Scene, Shape

KINDS = {
    1: "somebody added to a group",
    2: "somebody removed from a group",
    3: "call",
    4: "new name of a channel",
    5: "new icon of a channel",
    6: "pinned message",
    7: "somebody joined",
    8: "boost",
    9: "boost, level 1",
    10: "boost, level 2",
    11: "boost, level 3",
    12: "followed channel",
    13: "stream",
    14: "discovery lost",
    15: "discovery regained",
    16: "discovery, first warning",
    17: "discovery, last warning",
    18: "thread opened",
    21: "start of a thread",
    22: "reminder to invite",
    24: "moderated automatically",
    25: "subscription to a role",
    26: "premium offered",
    27: "stage begins",
    28: "stage ends",
    29: "speaker on a stage",
    30: "raised hand",
    31: "topic of a stage",
    32: "application subscribed",
    36: "alarm switched on",
    37: "alarm switched off",
    38: "raid reported",
    39: "false alarm",
    44: "purchase",
    46: "result of a poll",
    63: "new emoji",
    99: "kind of the future",
}


def service_shapes(scene: Scene) -> list[Shape]:
    """Build the shapes of messages that tell of an event."""
    return [scene.said(name, type=kind, **_more(scene, kind)) for kind, name in KINDS.items()]


def _more(scene: Scene, kind: int) -> Json:
    if kind == 21:
        earlier = scene.earlier(content=scene.text)
        return {"message_reference": scene.reference(), "referenced_message": earlier}
    if kind in (6, 12, 18, 46):
        return {"message_reference": scene.reference()}
    return {}
