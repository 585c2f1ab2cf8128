"""Whose direct messages are closed gets a link: for them alone, once, for ten minutes, and answered in private."""

from __future__ import annotations

from bot.cortex.sessions import button_signing
from bot.cortex.sessions.button_signing import ButtonScope, ButtonVerb
from bot.domain.finding import NewAudit
from bot.domain.ids import ChannelId, PersonKey, UserId
from bot.sentences import say
from tests.bot.cortex.chat import ADMIN, GENERAL, OWNER, STRANGER, Chat, chat, config, dm_of

LINK = "https://chat.example/"


async def asks(bot: Chat, by: str = OWNER, words: str = "!cortex why") -> str:
    """Ask with closed direct messages; return the payload of the link."""
    bot.platform.closed_dms.add(by)
    await bot.hears(words, by)
    bot.platform.closed_dms.discard(by)
    line = bot.public[-1]
    assert line.startswith(say("sessions.dm-closed-link", link="{link}").partition("{link}")[0])
    return line.rpartition(LINK)[2].removesuffix(say("sessions.dm-closed-link", link="{link}").partition("{link}")[2])


async def audits(bot: Chat) -> list[NewAudit]:
    return [row.body for row in await bot.store.audit.newest(None, 50) if row.body.action == "invitation accepted"]


async def test_the_link_brings_the_answer_into_the_private_chat(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        payload = await asks(bot)
        assert len(payload) == 48 and payload.isalnum() and payload.islower()
        assert bot.private == []
        started = await bot.dm(f"/start {payload}")
        assert "no model" in bot.private[0].text
        assert bot.private[0].to.channel == dm_of(OWNER)
        assert bot.public[-1].count(payload) == 1, "nothing more is said in the channel"
        (entry,) = await audits(bot)
        assert (entry.actor, entry.target) == (OWNER, GENERAL)
        assert (await bot.inbound(started)).outcome_reason == "start"


async def test_it_works_once_and_says_when(tmp_path):
    async with chat(tmp_path) as bot:
        payload = await asks(bot)
        await bot.dm(f"/start {payload}")
        before = len(bot.platform.sent)
        await bot.dm(f"/start {payload}")
        assert len(bot.platform.sent) == before + 1
        assert bot.platform.texts[-1].startswith("This link was used at ")
        assert len(await audits(bot)) == 1


async def test_it_is_nobody_elses_and_ends(tmp_path):
    async with chat(tmp_path) as bot:
        payload = await asks(bot)
        for other in (ADMIN, STRANGER):
            started = await bot.dm(f"/start {payload}", by=other)
            assert "I did not make this link for you" in bot.platform.texts[-1]
            trail = await bot.store.ledger.trail((await bot.inbound(started)).id)
            assert any(row.reason == "cortex: no right here" for row in trail.stages)
        bot.clock.advance(601)
        await bot.dm(f"/start {payload}")
        assert "has expired" in bot.platform.texts[-1]
        assert bot.private == [] and await audits(bot) == []


async def test_a_forged_payload_and_one_that_means_nothing(tmp_path):
    async with chat(tmp_path) as bot:
        payload = await asks(bot)
        scope = ButtonScope(PersonKey("console", UserId(OWNER)), ChannelId(""), 0)
        forged = button_signing.invite(b"k" * 32, b"0" * 16, scope)
        other = ("a" if payload[-1] != "a" else "b") + ""
        for wrong in (forged, payload[:-1] + other):
            await bot.dm(f"/start {wrong}")
            assert "I did not make this link for you" in bot.platform.texts[-1]
        for nothing in ("abc", "A" * 48, "1" * 48, "é" * 48):
            await bot.dm(f"/start {nothing}")
            assert "Hello" in bot.platform.texts[-1]
        assert bot.private == [] and await audits(bot) == []


async def test_the_right_is_asked_for_anew(tmp_path):
    async with chat(tmp_path) as bot:
        payload = await asks(bot, by=ADMIN)
        bot.platform.admins.discard((ADMIN, GENERAL))
        await bot.dm(f"/start {payload}", by=ADMIN)
        assert "You may not inspect that channel now" in bot.platform.texts[-1]
        assert bot.private == []


async def test_a_refusal_waits_behind_the_link_too(tmp_path):
    async with chat(tmp_path) as bot:
        payload = await asks(bot, words="!cortex why #nowhere")
        await bot.dm(f"/start {payload}")
        assert "nowhere" in bot.last


async def test_where_there_are_no_links_and_when_it_is_still_closed(tmp_path):
    async with chat(tmp_path) as bot:
        payload = await asks(bot)
        bot.platform.closed_dms.add(OWNER)
        await bot.dm(f"/start {payload}")
        assert bot.private == []
        assert bot.platform.texts[-1] == say("sessions.dm-closed"), "no link that leads to where one is"
        bot.platform.invitation = lambda payload: ""  # type: ignore[method-assign]
        await bot.hears("!cortex why", OWNER)
        assert bot.public[-1] == say("sessions.dm-closed")


async def test_links_are_not_tried_without_end(tmp_path):
    async with chat(tmp_path, settings=config(tmp_path / "data", cortex={"per_minute": 2})) as bot:
        for _ in range(3):
            await bot.dm(f"/start {'a' * 48}")
        assert "more than I can take in a minute" in bot.platform.texts[-1]


def test_a_payload_is_no_button_and_a_button_no_payload():
    scope = ButtonScope(PersonKey("console", UserId("1")), ChannelId(""), 5)
    payload = button_signing.invite(b"k" * 32, b"0" * 16, scope)
    read = button_signing.read_invitation(payload)
    assert read is not None and button_signing.is_genuine(b"k" * 32, read, scope)
    assert not button_signing.is_genuine(b"k" * 32, read, scope._replace(expires_at=6))
    assert button_signing.read(payload) is None
    assert button_signing.read_invitation(button_signing.sign(b"k" * 32, ButtonVerb.INVITE, b"0" * 10, scope)) is None
