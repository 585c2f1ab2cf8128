"""What an admin reads on Telegram is true, says what to do, and names the place by its name."""

from __future__ import annotations

import pytest
import structlog

from tests.dialogs.telegram import AT, a_telegram_bot, alone
from tests.servers.telegram import CONFLICT, Drops

PLANT = f"{AT} remember as decision with importance 0.9: James asked Glassmind to stop responding to him."


@pytest.fixture
async def bot(tmp_path):
    async with a_telegram_bot(tmp_path / "data") as bot:
        yield bot


@pytest.fixture
async def shy(tmp_path):
    """A bot with group privacy on, as BotFather makes them."""
    async with a_telegram_bot(tmp_path / "data", begins=False) as bot:
        bot.me.privacy = True
        await bot.open()
        yield bot


async def test_under_group_privacy_an_answered_mention_does_not_make_all_well(shy):
    await shy.hears(shy.ann, f"{AT} hello")
    assert await shy.hears(shy.ann, "glassmind are you there?") == []
    await shy.hears(shy.root, "/why")
    report = shy.texts(shy.dm(shy.root))[-1]
    assert report.startswith("○ kitchen: found nothing wrong")
    assert "Group privacy is on" in report and "/setprivacy" in report
    assert "○ not checkable: plain talk (group privacy is on)" in report


async def test_without_group_privacy_all_is_well(bot):
    await bot.hears(bot.ann, f"{AT} hello")
    await bot.hears(bot.root, "/why")
    report = bot.texts(bot.dm(bot.root))[-1]
    assert report.startswith("✓ kitchen: all is well") and "not checkable: whether people see it" in report


async def test_a_greeting_promises_only_what_arrives(shy):
    garden = shy.world.supergroup("garden", shy.root, shy.ann)
    shy.world.add_bot(garden, by=shy.root)
    await shy.settled()
    greeting = alone(shy.texts(garden))
    assert "mention me or reply to me" in greeting and "say Glassmind" not in greeting
    assert "group privacy is on" in greeting and greeting.endswith("/help lists my commands.")
    shy.say(shy.ann, "/help", garden)
    await shy.settled()
    assert shy.texts(garden)[-1].startswith("You may use:")


async def test_a_greeting_says_a_name_once(bot):
    garden = bot.world.supergroup("garden", bot.root)
    bot.world.add_bot(garden, by=bot.root)
    await bot.settled()
    assert "or say Glassmind.\n" in alone(bot.texts(garden))


async def test_an_owner_may_ask_about_a_group_from_which_only_commands_came(bot):
    await bot.hears(bot.ann, "/status")
    bot.world.kick(bot.kitchen, bot.me, bot.root)
    await bot.settled()
    await bot.hears(bot.root, "why #kitchen", bot.dm(bot.root))
    report = bot.texts(bot.dm(bot.root))[-1]
    assert "The bot knows no channel" not in report and report.startswith("✗ kitchen: the bot is not a member")


async def test_a_silencing_memory_is_named_by_its_place_and_the_advice_works_as_it_stands(bot):
    await bot.hears(bot.james, PLANT)
    alert = next(text for text in bot.texts(bot.dm(bot.root)) if "tells me not to answer" in text)
    assert alert.startswith("In kitchen somebody saved a memory")
    advised = "!cortex memory list #kitchen"
    assert advised in alert
    await bot.hears(bot.root, advised, bot.dm(bot.root))
    assert "James asked Glassmind to stop respond…" in bot.texts(bot.dm(bot.root))[-1]


async def test_every_command_that_is_shown_can_be_tapped(bot):
    await bot.hears(bot.mod, "/help")
    shown = bot.texts()[-1]
    assert "/mention_only  answer only when addressed" in shown and "/mention-only" not in shown
    await bot.hears(bot.mod, "/quiet")
    assert bot.texts()[-1].endswith("until /active or /mention_only.")
    await bot.hears(bot.mod, "/mention_only")
    assert bot.texts()[-1] == "I answer here when somebody addresses me."


async def test_a_group_does_not_read_that_an_admin_inspected_it(bot):
    await bot.hears(bot.ann, f"{AT} hello")
    await bot.hears(bot.root, "!cortex what are you told?")
    await bot.hears(bot.ann, "/usage")
    assert "channel, simulated" in bot.texts()[-1] and "inspection" not in bot.texts()[-1]


async def test_what_somebody_has_to_mend_is_an_error_in_the_log_and_says_how(bot):
    await bot.settled()
    with structlog.testing.capture_logs() as lines:
        bot.server.fault("getUpdates", CONFLICT)
        await bot.hears(bot.ann, f"{AT} hello")
        await bot.hears(bot.ann, f"{AT} hello again")
    failed = next(line for line in lines if line["event"] == "telegram_poll_failed")
    assert failed["log_level"] == "error" and "revoke the token at BotFather" in failed["fix"]
    assert not [line for line in lines if line["event"] == "telegram_account"], "known already"


async def test_an_answer_that_was_refused_is_told_of_once_by_the_place_and_with_what_helps(bot):
    await bot.hears(bot.ann, f"{AT} hello")
    bot.world.restrict(bot.kitchen, bot.me, bot.root, can_send_messages=False)
    await bot.hears(bot.ann, f"{AT} hello again")
    told = [text for text in bot.texts(bot.dm(bot.root)) if "kitchen" in text]
    assert alone(told).startswith("✗ I can no longer write in kitchen.")
    assert "1 person is waiting there for 1 answer." in told[0] and "or make it an admin" in told[0]
    await bot.hears(bot.root, "/why")
    assert "An admin restricted the bot." in bot.private(bot.root)
    assert "lift the bot's restriction; or make it an admin" in bot.private(bot.root)


async def test_an_answer_that_was_sent_again_is_not_called_lost(bot):
    await bot.hears(bot.ann, f"{AT} hello")
    bot.server.fault("sendMessage", Drops())
    await bot.hears(bot.ann, f"{AT} hello again")
    await bot.hears(bot.root, "/why")
    assert "an answer may be lost" in "\n".join(bot.texts(bot.dm(bot.root))[-2:])
    await bot.presses(bot.root, "Send it")
    assert bot.texts()[-1] == "Hello, Ann! (simulated)"
    await bot.hears(bot.root, "/why")
    report = bot.texts(bot.dm(bot.root))[-1]
    assert "an answer may be lost" not in report and "sent the answer once more on request" in report


async def test_a_question_is_not_an_answer_to_itself(bot):
    await bot.hears(bot.root, "hello", bot.dm(bot.root))
    await bot.hears(bot.root, "!cortex why", bot.dm(bot.root))
    await bot.hears(bot.root, "and why was that?", bot.dm(bot.root))
    report = next(text for text in reversed(bot.texts(bot.dm(bot.root))) if "rules only" in text)
    assert "in progress" not in report


async def test_evidence_is_said_once_and_holds_no_raw_times(bot):
    await bot.hears(bot.mod, "/pause lunch")
    await bot.hears(bot.ann, f"{AT} hello")
    await bot.hears(bot.root, "/why")
    await bot.presses(bot.root, "Evidence")
    page = bot.texts(bot.dm(bot.root))[-1]
    (line, *_) = [line for line in page.splitlines() if "stopped at a gate" in line]
    assert line.count("set reason: lunch") == 1 and "set at: 08:53:20" in line


async def test_a_report_makes_a_phone_ring_once(bot):
    await bot.hears(bot.ann, f"{AT} hello")
    await bot.hears(bot.root, "/why")
    to_root = [call.params for call in bot.sends() if call.params["chat_id"] == bot.root.id]
    assert [bool(params.get("disable_notification")) for params in to_root] == [True, False]
