"""After an outage some of those who waited are answered: they are chosen from a list, and the others are left alone."""

from __future__ import annotations

import pytest

from bot.errors import ProviderFault
from bot.sentences import say
from tests.bot.cortex.chat import ADMIN, OWNER, STRANGER, chat
from tests.dialogs.bot import a_bot
from tests.dialogs.discord import a_discord_bot
from tests.dialogs.telegram import AT, a_telegram_bot, labels_of
from tests.dialogs.test_this import SCRIPTED
from tests.dialogs.test_trouble import MINUTE, loud
from tests.fakes.provider import ScriptedProvider, fails, says


class Service:
    """A model service that fails until it is well again; what it answers names whom it answers."""

    def __init__(self) -> None:
        self.is_well = False

    def __call__(self, request):
        if not self.is_well:
            return fails()
        newest = request.messages[-1].text
        return says(f"For {next(name for name in ('tea', 'cake', 'bread') if name in newest)}.")


@pytest.fixture
def service():
    return Service()


def joined(lines: list[str]) -> str:
    """Return what is shown as one line of words."""
    return " ".join("\n".join(lines).split())


async def waited(bot, at: str, service: Service) -> None:
    """Let two people ask while the service is down, one of them twice, and an admin ask who waits."""
    for who, what in ((bot.ann, "tea"), (bot.james, "cake"), (bot.ann, "bread")):
        await bot.hears(who, f"{at} how do I make {what}?")
        bot.clock.advance(MINUTE)
    service.is_well = True


@pytest.mark.parametrize("opened", [a_telegram_bot, a_discord_bot])
async def test_on_both_platforms_one_of_two_people_is_chosen_and_answered(tmp_path, opened, service):
    async with opened(tmp_path / "data", model=ScriptedProvider(service)) as bot:
        at, slash = (AT, "/cortex") if opened is a_telegram_bot else (bot.at, "!cortex")
        await waited(bot, at, service)
        await bot.hears(bot.root, f"{slash} fix answer all")
        offer = bot.written(bot.dm(bot.root))[-1]
        assert "3 messages since" in offer.text and labels_of(offer, "Choose who…")
        spoken = len(bot.texts())
        await bot.presses(bot.root, "Choose who…")
        listed = bot.written(bot.dm(bot.root))[-1]
        assert "who should get an answer?" in listed.text
        assert "○ Ann: 2 messages, since" in listed.text and "○ James: 1 message, since" in listed.text
        assert labels_of(listed, "○") == ["○ Ann", "○ James"] and not labels_of(listed, "Answer")
        await bot.presses(bot.root, "○ Ann")
        await bot.presses(bot.root, "○ James")
        await bot.presses(bot.root, "✓ Ann")
        assert bot.written(bot.dm(bot.root))[-1].text.splitlines()[1].startswith("○ Ann")
        assert len([one for one in bot.written(bot.dm(bot.root)) if "who should get" in one.text]) == 1, "it is edited"
        assert len(bot.texts()) == spoken
        await bot.presses(bot.root, "Answer 1 message…")
        await bot.presses(bot.root, "Answer 1 message")
        assert bot.texts()[spoken:] == ["For cake."]
        assert "answered a member" in bot.texts(bot.dm(bot.root))[-1]
        assert not any("who should get" in text for text in bot.texts())


async def test_in_a_terminal_all_messages_of_the_chosen_one_are_answered(tmp_path, service):
    provider = ScriptedProvider(service)
    async with a_bot(tmp_path / "data", providers={"scripted": provider}, more=SCRIPTED) as bot:
        for who, what in (("ann", "tea"), ("james", "cake"), ("ann", "bread")):
            await bot.says(who, f"@glassmind how do I make {what}?")
            bot.clock.advance(MINUTE)
        service.is_well = True
        shown = joined(await bot.says("root", "!cortex fix answer all"))
        assert "Choose who…]" in shown
        shown = joined(await bot.types("/press Choose who"))
        assert "○ ann: 2 messages, since" in shown and "○ james: 1 message" in shown
        shown = joined(await bot.types("/press ○ ann"))
        assert "✓ ann: 2 messages" in shown and "Answer 2 messages…]" in shown
        shown = joined(await bot.types("/press Answer 2 messages…"))
        assert "2 messages since" in shown and "Choose who" not in shown
        before = len(bot.public())
        await bot.types("/press Answer 2 messages")
        said = "\n".join(bot.public()[before:])
        assert "For bread." in said and "For cake." not in said


async def test_one_who_waits_alone_is_no_choice(tmp_path, service):
    provider = ScriptedProvider(service)
    async with a_bot(tmp_path / "data", providers={"scripted": provider}, more=SCRIPTED) as bot:
        for what in ("tea", "cake"):
            await bot.says("ann", f"@glassmind how do I make {what}?")
            bot.clock.advance(MINUTE)
        assert "Choose who" not in joined(await bot.says("root", "!cortex fix answer all"))


async def test_a_list_is_its_admins_alone_and_nobody_is_answered_twice(tmp_path):
    dead = fails(ProviderFault.AUTH)
    async with chat(tmp_path, dead, dead, says("here again"), settings=loud(tmp_path)) as bot:
        await bot.hears("one?")
        bot.clock.advance(MINUTE)
        await bot.hears("two?", by=STRANGER)
        bot.clock.advance(MINUTE)
        await bot.hears("three?", by="101")
        bot.clock.advance(MINUTE)
        await bot.settled()
        over = [sent for sent in bot.private if sent.to.private_to == OWNER][-1]
        assert [one.label for one in over.buttons] == ["Answer the 2…"]
        await bot.press_data(over.buttons[0].data, OWNER)
        choose = bot.button("Choose who…").data
        assert await bot.press_data(choose, ADMIN) in {say("cortex.not-yours"), say("cortex.not-ours")}
        assert await bot.press_data(choose, STRANGER) in {say("cortex.not-yours"), say("cortex.not-ours")}
        await bot.press_data(choose, OWNER)
        await bot.presses("○ ann")
        first, second = bot.button("Answer 1 message…").data, bot.button("○ user9").data
        await bot.press_data(first, OWNER)
        assert await bot.presses("Answer 1 message") == "Done."
        spoken = len(bot.public)
        await bot.press_data(second, OWNER)
        assert "ann" not in bot.last and "✓ user9: 1 message" in bot.last
        await bot.press_data(first, OWNER)
        assert len(bot.public) == spoken, "who was answered is not on the list any more"


async def test_in_a_terminal_a_message_that_failed_twice_waits_once(tmp_path, service):
    provider = ScriptedProvider(service)
    async with a_bot(tmp_path / "data", providers={"scripted": provider}, more=SCRIPTED) as bot:
        for who, what in (("ann", "tea"), ("james", "cake")):
            await bot.says(who, f"@glassmind how do I make {what}?")
            bot.clock.advance(MINUTE)
        await bot.says("root", "!cortex fix answer all")
        await bot.types("/press Answer 2 messages")
        assert "2 messages since" in joined(await bot.says("root", "!cortex fix answer all"))
