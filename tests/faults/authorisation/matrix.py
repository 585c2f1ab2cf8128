"""Seven roles, five kinds of place, six targets: 210 cells, each decided by tier and the platform."""

from __future__ import annotations

import itertools
from typing import NamedTuple

from bot.domain.access import AccessRight, AuthorityTiers
from bot.domain.ids import MAIN, ChannelId, ChannelKey, PersonKey, UserId
from bot.domain.messages import ChannelPlace
from bot.messaging.policy.access import AccessPolicy
from tests.fakes.platform import FakePlatform

ME = UserId("42")
ROLES = ["owner", "admin", "demoted admin", "moderator", "demoted moderator", "platform admin only", "stranger"]
TARGETS = ["administered", "not administered", "not readable", "other platform", "own dm", "other dm"]
PLACES = {
    "text channel": ("discord", "1:10", ChannelPlace(guild_id="1")),
    "thread": ("discord", "1:11", ChannelPlace(guild_id="1", parents=("10", "9"))),
    "group": ("telegram", "-1001", ChannelPlace()),
    "topic": ("telegram", "-1001:7", ChannelPlace(parents=("-1001",))),
    "terminal": ("console", "#general", ChannelPlace(guild_id="terminal")),
}


class Cell(NamedTuple):
    """One cell."""

    role: str
    place: str
    target: str


CELLS = [Cell(*cell) for cell in itertools.product(ROLES, PLACES, TARGETS)]


class Scene(NamedTuple):
    """What a cell is decided with."""

    access: AccessPolicy
    asker: PersonKey
    key: ChannelKey
    place: ChannelPlace


def tiers(role: str) -> AuthorityTiers:
    me = frozenset({ME})
    if role == "owner":
        return AuthorityTiers(owners=me)
    if role in {"admin", "demoted admin"}:
        return AuthorityTiers(admins=me)
    return AuthorityTiers(moderators=me) if "moderator" in role else AuthorityTiers()


def scene(cell: Cell, *, inspect_dms: bool = False) -> Scene:
    """Set a cell up: the platform says what it says now of the asker."""
    name, path, place = PLACES[cell.place]
    home, away = FakePlatform(name), FakePlatform("elsewhere")
    asker = PersonKey("elsewhere" if cell.target == "other platform" else name, ME)
    channel = ChannelId(f"{name}:{path}")
    if cell.target == "own dm":
        channel, place = ChannelId(f"{name}:dm:{ME}"), ChannelPlace(is_dm=True)
    if cell.target == "other dm":
        channel, place = ChannelId(f"{name}:dm:77"), ChannelPlace(is_dm=True)
    if cell.role in {"admin", "platform admin only"} and cell.target != "not administered":
        for platform in (home, away):
            platform.admins.add((ME, channel))
    if cell.role in {"moderator", "platform admin only"} and cell.target != "not administered":
        home.moderators.add((ME, channel))
    if cell.target != "not readable":
        home.readers.add((ME, channel))
    access = AccessPolicy({asker.platform: tiers(cell.role)}, {name: home, "elsewhere": away}, inspect_dms)
    return Scene(access, asker, ChannelKey(MAIN, channel), place)


def inspects(cell: Cell) -> bool:
    """Say what the rulings ask for: whether they may inspect."""
    if cell.role == "owner":
        return cell.target != "other dm"
    if cell.role == "admin":
        return cell.target in {"administered", "not readable", "own dm"}
    # a demoted admin still has a private chat of their own
    return cell.role == "demoted admin" and cell.target == "own dm"


def reads(cell: Cell) -> bool:
    """Say whether they may read what was said."""
    return inspects(cell) and (cell.role == "owner" or cell.target != "not readable")


def audits(cell: Cell) -> bool:
    """Say whether they may look through what is remembered there."""
    return inspects(cell) or (cell.role == "moderator" and cell.target == "administered")


def recalls(cell: Cell) -> bool:
    """Say whether they may read the words of what is remembered there."""
    return reads(cell) or (audits(cell) and cell.role == "moderator")


EXPECTED = {
    AccessRight.INSPECT: inspects,
    AccessRight.READ: reads,
    AccessRight.AUDIT: audits,
    AccessRight.RECALL: recalls,
}


async def wrong(cell: Cell) -> str:
    """Say what is decided otherwise than the rulings ask for; empty where nothing is."""
    at = scene(cell)
    for right, expected in EXPECTED.items():
        decision = await at.access.may(right, at.asker, at.key, at.place)
        if decision.allowed is not expected(cell):
            return f"{' / '.join(cell)}: {right} is {decision.allowed} ({decision.reason})"
        if bool(decision.reason) is decision.allowed:
            return f"{' / '.join(cell)}: no reason is given"
    return ""
