"""What the buttons under a report do, whatever happened since it was written."""

from __future__ import annotations

from bot.domain.handles import HandleKind, handle
from bot.errors import ProviderFault
from tests.bot.cortex.chat import ANN, OWNER, chat, config
from tests.fakes.provider import calls, fails, says

SKIP = calls(("skip", {"reason": "told to be silent", "category": "instructed"}))
BO = "101"


async def asked_about_ann(bot):
    """Ann's question fails, an owner asks why; then Bo gets silence for another reason. Return both handles."""
    ann = await bot.inbound(await bot.hears("hello?"))
    await bot.hears("!cortex why", OWNER)
    assert "the service is failing" in bot.last
    bot.clock.advance(60)
    bo = await bot.inbound(await bot.hears("and me?", BO))
    await bot.hears("!cortex why", OWNER)
    assert "chose not to answer" in bot.last
    return handle(HandleKind.INBOUND, ann.id), handle(HandleKind.INBOUND, bo.id)


def older(bot, label):
    """The button of the first report."""
    return next(b.data for sent in bot.platform.sent for b in sent.buttons if b.label == label)


async def test_a_report_s_buttons_stay_with_its_message(tmp_path):
    async with chat(tmp_path, fails(ProviderFault.SERVER, "503"), SKIP, says("nothing more")) as bot:
        ann, bo = await asked_about_ann(bot)
        await bot.press_data(older(bot, "Evidence"))
        assert ann in bot.last and bo not in bot.last
        await bot.press_data(older(bot, "All checks"))
        assert "✗ request: stopped the message" in bot.last
        await bot.press_data(older(bot, "Ask"))
        read = "\n".join(message.text for message in bot.provider.requests[-1].messages)
        assert "the service is failing" in read and "the bot chose not to answer" not in read


async def test_buttons_without_a_message_look_for_one(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("!cortex why", OWNER)
        assert "no message on record" in bot.last
        await bot.hears("hello", ANN)
        await bot.presses("All checks")
        assert "✓ delivery: passed" in bot.last


async def test_a_channel_where_everybody_is_shut_out_can_be_looked_into(tmp_path):
    console = {"owner_ids": [OWNER], "default_mode": "active", "allowed_users": ["7"]}
    async with chat(tmp_path, settings=config(tmp_path / "data", platforms={"console": console})) as bot:
        await bot.hears("hello")
        await bot.hears("!cortex why", OWNER)
        assert "the sender is not allowed" in bot.last
        gate = next(line.split()[0] for line in bot.last.splitlines() if "gate sender" in line)
        await bot.presses("Evidence")
        assert bot.last.splitlines()[1].endswith(gate)
        await bot.dm(gate)
        assert bot.last.splitlines()[1].endswith(gate)
