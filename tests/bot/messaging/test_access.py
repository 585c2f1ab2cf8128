"""Six roles, five kinds of place, six targets: 180 cells, each decided by tier and the platform."""

from __future__ import annotations

import itertools
from typing import NamedTuple

import pytest

from bot.domain.access import Authority, Tiers
from bot.domain.ids import MAIN, ChannelId, ChannelKey, Person, UserId
from bot.domain.messages import Place
from bot.messaging.access import Access, dm_owner
from tests.fakes.platform import FakePlatform

ME = UserId("42")
ROLES = ["owner", "admin", "demoted admin", "moderator", "platform admin only", "stranger"]
TARGETS = ["administered", "not administered", "not readable", "other platform", "own dm", "other dm"]
PLACES = {
    "text channel": ("discord", "1:10", Place(guild_id="1")),
    "thread": ("discord", "1:11", Place(guild_id="1", parents=("10", "9"))),
    "group": ("telegram", "-1001", Place()),
    "topic": ("telegram", "-1001:7", Place(parents=("-1001",))),
    "terminal": ("console", "#general", Place(guild_id="terminal")),
}


class Cell(NamedTuple):
    role: str
    place: str
    target: str


def tiers(role: str) -> Tiers:
    me = frozenset({ME})
    if role == "owner":
        return Tiers(owners=me)
    if role in {"admin", "demoted admin"}:
        return Tiers(admins=me)
    return Tiers(moderators=me) if role == "moderator" else Tiers()


def scene(cell: Cell, inspect_dms: bool = False) -> tuple[Access, Person, ChannelKey, Place]:
    name, path, place = PLACES[cell.place]
    home, away = FakePlatform(name), FakePlatform("elsewhere")
    asker = Person("elsewhere" if cell.target == "other platform" else name, ME)
    channel = ChannelId(f"{name}:{path}")
    if cell.target == "own dm":
        channel, place = ChannelId(f"{name}:dm:{ME}"), Place(is_dm=True)
    if cell.target == "other dm":
        channel, place = ChannelId(f"{name}:dm:77"), Place(is_dm=True)
    if cell.role in {"admin", "platform admin only"} and cell.target != "not administered":
        for platform in (home, away):
            platform.admins.add((ME, channel))
    if cell.target != "not readable":
        home.readers.add((ME, channel))
    access = Access({asker.platform: tiers(cell.role)}, {name: home, "elsewhere": away}, inspect_dms)
    return access, asker, ChannelKey(MAIN, channel), place


def inspects(cell: Cell) -> bool:
    if cell.role == "owner":
        return cell.target != "other dm"
    if cell.role == "admin":
        return cell.target in {"administered", "not readable", "own dm"}
    # a demoted admin still has a private chat of their own
    return cell.role == "demoted admin" and cell.target == "own dm"


def reads(cell: Cell) -> bool:
    return inspects(cell) and (cell.role == "owner" or cell.target != "not readable")


CELLS = [Cell(*cell) for cell in itertools.product(ROLES, PLACES, TARGETS)]


def test_the_table_has_every_cell():
    assert len(CELLS) == 180


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: f"{cell.role} / {cell.place} / {cell.target}")
async def test_who_may_look(cell: Cell):
    access, asker, key, place = scene(cell)
    decision = await access.may_inspect(asker, key, place)
    assert decision.allowed is inspects(cell)
    assert (await access.may_read_content(asker, key, place)).allowed is reads(cell)
    assert bool(decision.reason) is not decision.allowed


@pytest.mark.parametrize("role", ROLES)
async def test_other_peoples_private_chats_open_to_owners_alone_and_only_when_configured(role: str):
    access, asker, key, place = scene(Cell(role, "group", "other dm"), inspect_dms=True)
    assert (await access.may_inspect(asker, key, place)).allowed is (role == "owner")


async def test_a_demotion_counts_at_once():
    access, asker, key, place = scene(Cell("admin", "group", "administered"))
    assert (await access.may_inspect(asker, key, place)).allowed
    platform = access._platforms["telegram"]
    assert isinstance(platform, FakePlatform)
    platform.admins.clear()
    assert not (await access.may_inspect(asker, key, place)).allowed


@pytest.mark.parametrize(
    "lookalike", ["４２", "42 ", "42\u200b", "+42", "0042", "42.0", "IIX", "\u0664\u0662", "admin", ""]
)
async def test_an_id_that_only_looks_right_is_nobody(lookalike: str):
    access = Access({"console": Tiers(owners=frozenset({ME}))}, {}, False)
    assert access.tier(Person("console", UserId(lookalike))) is Authority.EVERYONE


async def test_the_same_number_on_another_platform_is_somebody_else():
    access = Access({"discord": Tiers(owners=frozenset({ME}))}, {}, False)
    assert access.tier(Person("telegram", ME)) is Authority.EVERYONE
    own = ChannelKey(MAIN, ChannelId(f"telegram:{ME}"))
    assert not (await access.may_inspect(Person("discord", ME), own, Place(is_dm=True))).allowed


@pytest.mark.parametrize(
    ("channel", "owner"),
    [("discord:dm:42", "42"), ("telegram:42", "42"), ("telegram:42:7", "42"), ("console:dm:42", "42")],
)
def test_whose_private_chat_it_is(channel: str, owner: str):
    assert dm_owner(ChannelId(channel)) == owner
