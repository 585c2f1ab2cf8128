"""Seven roles, five kinds of place, six targets: 210 cells, each decided by tier and the platform."""

from __future__ import annotations

import pytest

from bot.domain.access import AccessRight, Authority, AuthorityTiers
from bot.domain.ids import MAIN, ChannelId, ChannelKey, PersonKey, UserId
from bot.domain.messages import ChannelPlace
from bot.messaging.policy.access import AccessPolicy, dm_owner
from tests.fakes.platform import FakePlatform
from tests.faults.authorisation.matrix import CELLS, ME, ROLES, Cell, scene, wrong


async def test_every_cell_is_decided_as_the_rulings_ask_for():
    assert len(CELLS) == 210
    assert [told for cell in CELLS if (told := await wrong(cell))] == []


@pytest.mark.parametrize("role", ROLES)
async def test_other_peoples_private_chats_open_to_owners_alone_and_only_when_configured(role: str):
    access, asker, key, place = scene(Cell(role, "group", "other dm"), inspect_dms=True)
    assert (await access.may_inspect(asker, key, place)).allowed is (role == "owner")


def home_of(access: AccessPolicy) -> FakePlatform:
    platform = access._platforms["telegram"]
    assert isinstance(platform, FakePlatform)
    return platform


async def test_a_demotion_counts_at_once():
    access, asker, key, place = scene(Cell("admin", "group", "administered"))
    assert (await access.may_inspect(asker, key, place)).allowed
    home_of(access).admins.clear()
    assert not (await access.may_inspect(asker, key, place)).allowed


async def test_a_moderator_who_is_no_moderator_of_the_channel_any_more_may_look_at_nothing_at_once():
    access, asker, key, place = scene(Cell("moderator", "group", "administered"))
    assert (await access.may(AccessRight.AUDIT, asker, key, place)).allowed
    home_of(access).moderators.clear()
    decision = await access.may(AccessRight.AUDIT, asker, key, place)
    assert decision == (False, "the platform says that you do not moderate that channel")


@pytest.mark.parametrize("inspect_dms", [False, True])
async def test_no_private_chat_is_open_to_moderators_not_even_their_own(inspect_dms: bool):
    for target in ("own dm", "other dm"):
        access, asker, key, place = scene(Cell("moderator", "group", target), inspect_dms=inspect_dms)
        for right in AccessRight:
            assert not (await access.may(right, asker, key, place)).allowed


@pytest.mark.parametrize(
    "lookalike", ["４２", "42 ", "42\u200b", "+42", "0042", "42.0", "IIX", "\u0664\u0662", "admin", ""]
)
async def test_an_id_that_only_looks_right_is_nobody(lookalike: str):
    access = AccessPolicy({"console": AuthorityTiers(owners=frozenset({ME}))}, {}, False)
    assert access.tier(PersonKey("console", UserId(lookalike))) is Authority.EVERYONE


async def test_the_same_number_on_another_platform_is_somebody_else():
    access = AccessPolicy({"discord": AuthorityTiers(owners=frozenset({ME}))}, {}, False)
    assert access.tier(PersonKey("telegram", ME)) is Authority.EVERYONE
    own = ChannelKey(MAIN, ChannelId(f"telegram:{ME}"))
    assert not (await access.may_inspect(PersonKey("discord", ME), own, ChannelPlace(is_dm=True))).allowed


@pytest.mark.parametrize(
    ("channel", "owner"),
    [("discord:dm:42", "42"), ("telegram:42", "42"), ("telegram:42:7", "42"), ("console:dm:42", "42")],
)
def test_whose_private_chat_it_is(channel: str, owner: str):
    assert dm_owner(ChannelId(channel)) == owner
