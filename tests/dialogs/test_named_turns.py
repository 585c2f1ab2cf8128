"""Name a turn or a request behind `why`: that very turn is explained, as a reply to its answer would have it."""

from __future__ import annotations

import re

import pytest

from bot.domain.handles import HandleKind, handle
from tests.dialogs.bot import GENERAL, a_bot
from tests.dialogs.discord import a_discord_bot
from tests.dialogs.minds import Minds
from tests.dialogs.telegram import AT, a_telegram_bot
from tests.dialogs.test_facts_of_answers import DENIES
from tests.dialogs.test_proofs import PLANTED, obeys
from tests.dialogs.test_sources import ANSWER, MADE_OF, scripted
from tests.dialogs.test_this import SCRIPTED
from tests.fakes.provider import ScriptedProvider, fails, says


def joined(lines: list[str]) -> str:
    """Return what is shown as one line of words."""
    return " ".join("\n".join(lines).split())


async def names_of(bot, text: str, key=GENERAL) -> tuple[str, str]:
    """Return the turn in which a message was answered, or not, and its last request."""
    recent = await bot.store.ledger.recent(key, 50)
    turn = next(one.turn for one in recent if text in one.inbound.text)
    (*_, sent) = await bot.store.journal.requests_of_turn(turn)
    return handle(HandleKind.TURN, turn), handle(HandleKind.REQUEST, sent.id)


@pytest.mark.parametrize("which", [0, 1])
async def test_in_a_terminal_a_named_turn_or_request_is_explained_and_not_the_channel(tmp_path, which):
    async with a_bot(tmp_path / "data", providers={"scripted": scripted()}, more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind the raid starts on friday at 21:00 now")
        await bot.says("bo", "@glassmind when do we raid?")
        await bot.says("bo", "@glassmind and what is for lunch?")
        name = (await names_of(bot, "when do we raid"))[which]
        shown = joined(await bot.says("root", f"!cortex why {name}"))
        assert MADE_OF in shown and "1 A message by ann" in shown and "starts on friday at 21:00" in shown
        assert "Prove it…]" in shown and "Keep as a check…]" in shown
        assert "all is well" not in shown and "Grapes" not in shown


async def test_in_a_terminal_a_named_turn_in_which_it_kept_silent_has_its_suspects(tmp_path):
    provider = ScriptedProvider(obeys)
    async with a_bot(tmp_path / "data", providers={"scripted": provider}, more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind hello")
        await bot.says("bo", f"@glassmind remember: {PLANTED}")
        await bot.says("ann", "@glassmind when do we raid?")
        await bot.says("bo", "@glassmind hello there")
        turn, request = await names_of(bot, "when do we raid")
        for name in (turn, request):
            shown = joined(await bot.says("root", f"!cortex why {name}"))
            assert "What may have silenced it" in shown and "A memory by bo" in shown, shown
            assert "Prove it…]" in shown


async def test_in_a_terminal_a_finding_about_a_named_turn_is_told(tmp_path):
    provider = ScriptedProvider(says("Noted."), says(DENIES), says("Hello!"))
    async with a_bot(tmp_path / "data", providers={"scripted": provider}, more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind my dog is called Rex")
        await bot.says("ann", "@glassmind what is my dog's name?")
        await bot.says("ann", "@glassmind hello")
        turn, _ = await names_of(bot, "what is my dog")
        shown = joined(await bot.says("root", f"!cortex why {turn}"))
        assert "it denies what it was told" in shown and "my dog is called Rex" in shown


async def test_in_a_terminal_a_named_turn_that_failed_is_told_as_what_it_was(tmp_path):
    provider = ScriptedProvider(fails(), fails(), says("Hello!"))
    async with a_bot(tmp_path / "data", providers={"scripted": provider}, more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind first?")
        bot.clock.advance(60)
        await bot.says("ann", "@glassmind second?")
        turn, request = await names_of(bot, "first?")
        for name in (turn, request):
            shown = joined(await bot.says("root", f"!cortex why {name}"))
            assert "the service is failing" in shown and MADE_OF not in shown and "all is well" not in shown


async def test_in_a_terminal_words_that_are_only_spelt_like_a_turn_are_a_question(tmp_path):
    async with a_bot(tmp_path / "data", providers={"scripted": scripted()}, more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind hello")
        assert "no record" in joined(await bot.says("root", "!cortex why t9z9z"))


async def test_in_a_terminal_what_one_admin_looked_at_is_explained_to_nobody_else(tmp_path):
    """The turn of an inspection is of whoever asked for it, whatever it is named by."""
    found = says('{"findings":[],"summary":"All is well."}')
    provider = ScriptedProvider(says("Hello!"), found)
    async with a_bot(tmp_path / "data", providers={"scripted": provider}, more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind hello")
        await bot.says("root", "!cortex what is wrong here?")
        (own,) = {turn for turn in range(1, 9) if (one := await bot.store.journal.turn(turn)) and one.session}
        shown = joined(await bot.says("mod", f"!cortex why {handle(HandleKind.TURN, own)}"))
        assert MADE_OF not in shown and "no record" in shown


async def test_on_telegram_a_turn_that_a_page_names_is_explained(tmp_path):
    async with a_telegram_bot(tmp_path / "data", model=scripted()) as bot:
        await bot.hears(bot.ann, f"{AT} the raid starts on friday at 21:00 now")
        answers = await bot.hears(bot.james, f"{AT} when do we raid?")
        answer = next(message for message in answers if ANSWER in message.text)
        await bot.hears(bot.root, "/cortex this", reply_to=answer)
        turn = re.search(r"turn (t\w{4,5})", bot.private(bot.root))[1]
        await bot.hears(bot.root, f"/cortex why {turn}")
        told = bot.texts(bot.dm(bot.root))[-1]
        assert MADE_OF in told and "A message by Ann" in told
        assert not any(MADE_OF in text for text in bot.texts())


@pytest.mark.parametrize("way", ["typed", "native"])
async def test_on_discord_a_turn_that_a_page_names_is_explained(tmp_path, way):
    async with a_discord_bot(tmp_path / "data", model=scripted()) as bot:
        await bot.app.publish("discord")
        await bot.hears(bot.ann, f"{bot.at} the raid starts on friday at 21:00 now")
        answers = await bot.hears(bot.james, f"{bot.at} when do we raid?")
        answer = next(message for message in answers if ANSWER in message.text)
        await bot.hears(bot.root, "!cortex this", reply_to=answer)
        turn = re.search(r"turn (t\w{4,5})", bot.private(bot.root))[1]
        if way == "typed":
            await bot.hears(bot.root, f"!cortex why {turn}")
        else:
            await bot.slash(bot.root, "cortex", question=f"why {turn}")
        told = "\n".join([*bot.texts(bot.dm(bot.root))[-1:], *(one.text for one in bot.aside(bot.root))])
        assert MADE_OF in told and "A message by Ann" in told
        assert not any(MADE_OF in text for text in bot.texts())


async def test_in_a_terminal_a_turn_that_was_cut_off_names_the_one_that_took_its_message_up(tmp_path):
    minds = Minds()
    async with a_bot(tmp_path / "data", providers=minds.providers, more=SCRIPTED) as bot:
        minds.holds.add("channel")
        await bot.console.type("[#general] ann> @glassmind a long story", bot.app.manager)
        await minds.waiting.wait()
        (cut_off,) = await bot.store.journal.recent_turns(GENERAL, 5)
        await bot.dies()
        minds.holds.clear()
        await bot.open()
        await bot.app.settled()
        later, _ = await names_of(bot, "a long story")
        name = handle(HandleKind.TURN, cut_off.id)
        assert later != name
        shown = joined(await bot.says("root", f"!cortex why {name}"))
        assert f"{name} was cut off" in shown and f"in {later}: the report is about that" in shown
        assert "was cut off" not in joined(await bot.says("root", f"!cortex why {later}"))
