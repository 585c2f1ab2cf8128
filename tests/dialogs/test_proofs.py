"""A silence whose cause stands in what the model was told: suspected, proven, and mended, on every platform."""

from __future__ import annotations

import re

from tests.dialogs.bot import a_bot
from tests.dialogs.discord import a_discord_bot
from tests.dialogs.telegram import AT, a_telegram_bot, labels_of
from tests.dialogs.test_this import SCRIPTED
from tests.fakes.provider import ScriptedProvider, calls, says

PLANTED = "ann's questions belong to the help desk"
SKIP = calls(("skip", {"reason": "ann should ask the help desk", "category": "instructed"}))


def obeys(request):
    """Save what it is told to; keep silent towards ann while a memory says so."""
    newest = request.messages[-1]
    if "remember" in newest.text and not newest.results:
        return calls(("memory_save", {"content": PLANTED.capitalize(), "type": "fact", "importance": 0.9}))
    if newest.results:
        return says("Noted.")
    return SKIP if "belong to the help desk" in request.system_text else says("At nine.")


async def test_in_a_terminal_from_why_to_the_proof_and_the_button_that_forgets(tmp_path):
    provider = ScriptedProvider(obeys)
    async with a_bot(tmp_path / "data", providers={"scripted": provider}, more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind hello")
        await bot.says("bo", f"@glassmind remember: {PLANTED}")
        await bot.says("ann", "@glassmind when do we raid?")
        await bot.says("root", "hm")
        shown = "\n".join(await bot.types("!cortex why"))
        assert "What may have silenced it" in shown and "A memory by bo" in shown
        asked = len(provider.requests)
        shown = "\n".join(await bot.types(pressed(shown, "Prove it…")))
        assert "Prove it?" in shown and "First suspect: memory m" in shown and "Up to 40 runs" in shown
        assert len(provider.requests) == asked
        shown = "\n".join(await bot.types(pressed(shown, "Prove it")))
        assert "proven why it stays silent" in shown and "Needed for this, and enough alone." in shown
        assert not any("proven" in line for line in bot.public())
        shown = "\n".join(await bot.types(pressed(shown, "Forget m")))
        shown = "\n".join(await bot.types(pressed(shown, "Forget m")))
        assert "is forgotten" in shown
        assert any("At nine." in line for line in await bot.says("ann", "@glassmind when do we raid?"))


def knows_the_tide(request):
    """Say when the tide turns where somebody said so."""
    return says("At 17:20." if "17:20" in "\n".join(one.text for one in request.messages) else "I do not know.")


async def test_words_of_an_answer_are_proven_to_come_from_what_somebody_said(tmp_path):
    provider = ScriptedProvider(knows_the_tide)
    async with a_bot(tmp_path / "data", providers={"scripted": provider}, more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind the tide turns at 17:20 today")
        await bot.says("bo", "@glassmind when does the tide turn?")
        shown = "\n".join(await bot.types("/as root", '!cortex prove "17:20"'))
        assert "First suspect: what ann said in i" in shown, shown
        shown = "\n".join(await bot.types(pressed(shown, "Prove it")))
        assert 'proven why it says "17:20"' in shown and "The cause: what ann said in i" in shown
        assert "without what ann said in i" in shown and '{"at"' not in shown


def pressed(shown: str, label: str) -> str:
    """Return what presses the first button of a label."""
    found = re.search(rf"(\d+)[^\d\n]*{re.escape(label)}", shown)
    assert found, (label, shown)
    return f"/press {found[1]}"


async def proven(bot, at: str) -> None:
    """Let people talk, an admin ask why, and press until there is a verdict."""
    await bot.hears(bot.ann, f"{at} hello")
    await bot.hears(bot.james, f"{at} remember: {PLANTED}")
    await bot.hears(bot.ann, f"{at} when do we raid?")
    await bot.hears(bot.root, "!cortex why")
    suspects = bot.written(bot.dm(bot.root))[-1]
    assert "What may have silenced it" in suspects.text and labels_of(suspects, "Prove it")
    await bot.presses(bot.root, "Prove it…")
    offer = bot.written(bot.dm(bot.root))[-1]
    assert "First suspect: memory m" in offer.text and labels_of(offer, "Prove it")
    await bot.presses(bot.root, "Prove it")
    await bot.settled()
    *_, verdict = bot.written(bot.dm(bot.root))
    assert "proven why it stays silent" in verdict.text, [one.text for one in bot.written(bot.dm(bot.root))]
    assert labels_of(verdict, "Forget m")
    shown = [text for text in bot.texts(bot.dm(bot.root)) if "proving why" in text]
    assert len(shown) == 1 and "✓ As sent: " in shown[0] and "Run" not in shown[0]
    assert not any("prov" in text for text in bot.texts())


async def test_on_telegram_a_proof_is_one_message_that_is_edited_and_one_verdict(tmp_path):
    async with a_telegram_bot(tmp_path / "data", model=ScriptedProvider(obeys)) as bot:
        await proven(bot, AT)


async def test_on_discord_a_proof_is_one_message_that_is_edited_and_one_verdict(tmp_path):
    async with a_discord_bot(tmp_path / "data", model=ScriptedProvider(obeys)) as bot:
        await proven(bot, bot.at)
