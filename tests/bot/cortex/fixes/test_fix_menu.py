"""Each fix from its button to its undo: shown with its effect, confirmed, done, verified, taken back."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import NamedTuple

import pytest

from bot.domain.channel import ResponseMode
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import MAIN, ChannelKey
from bot.domain.ledger import Outcome
from bot.domain.memory import MemoryType
from bot.errors import ProviderFault
from bot.sentences import say
from tests.bot.cortex.chat import ADMIN, ADMIN_TOO, ANN, GENERAL, OWNER, STRANGER, Chat, chat, config, dm_of
from tests.fakes.provider import fails, says

KEY = ChannelKey(MAIN, GENERAL)


async def settings(bot: Chat):
    return (await bot.store.channels.load(KEY)).settings


async def mode(bot: Chat) -> str:
    return (await settings(bot)).mode.value


async def model(bot: Chat) -> str:
    return (await settings(bot)).model


async def tool(bot: Chat) -> bool:
    return "memory_save" in (await settings(bot)).tools_off


async def turns(bot: Chat) -> int:
    return len((await bot.store.channels.load(KEY)).turns)


async def memories(bot: Chat) -> int:
    found = await bot.store.memories.listed(MAIN, GENERAL, "1")
    return sum(not one.forgotten_at for one in found)


async def quiet(bot: Chat) -> None:
    await bot.hears("hello")
    await bot.hears("!quiet", OWNER)


async def greeted(bot: Chat) -> None:
    await bot.hears("hello")


async def remembered(bot: Chat) -> None:
    await bot.hears("hello")
    for number in range(3):
        await bot.remembers(f"fact {number}", type=MemoryType.FACT)


class Case(NamedTuple):
    """How it comes to it, what is typed, what its button says, what it changes and to which value."""

    before: Callable[[Chat], Awaitable[None]]
    typed: str
    button: str
    value: Callable[[Chat], Awaitable[object]]
    after: object
    effect: str


CASES = {
    "mode": Case(quiet, "fix mode active", "Answer every message in", mode, "active", "it only listens"),
    "the mode as configured": Case(quiet, "fix mode default", "Answer every message", mode, "active", "After the"),
    "model": Case(greeted, "fix model scripted/other", "Use scripted/other", model, "scripted/other", "Now: scripted"),
    "tool": Case(greeted, "fix tool off memory_save", "Turn tool", tool, True, "No model there gets it"),
    "new": Case(greeted, "fix new", "Start over in #general", turns, 0, "1 turn is set aside"),
    "memories": Case(remembered, f"memory forget by {ANN} 24h", "Forget 3 memories", memories, 0, "3 memories, saved"),
}
EVERY = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


@EVERY
async def test_from_the_offer_to_the_undo(tmp_path, case):
    async with chat(tmp_path) as bot:
        await case.before(bot)
        was, spoken = await case.value(bot), len(bot.public)
        await bot.hears(f"!cortex {case.typed}", ADMIN)
        assert case.effect in bot.last and "can be undone" in bot.last
        assert await case.value(bot) == was and len(bot.public) == spoken
        assert await bot.presses(case.button, ADMIN) == "Done."
        assert await case.value(bot) == case.after and "✓" in bot.last
        assert len(bot.public) == spoken
        undo = bot.button("Undo").data
        said = await bot.hears("Glass, are you there?")
        assert await bot.outcome(said) is Outcome.REPLIED
        assert "answered a member" in bot.last
        if case.value is not turns:
            assert await bot.press_data(undo, ADMIN) == "Undone."
            assert await case.value(bot) == was
        assert await bot.store.audit.verify() == 0


@EVERY
async def test_nobody_else_presses_it_and_it_works_once(tmp_path, case):
    patient = config(tmp_path / "data", cortex={"per_minute": 10_000})
    async with chat(tmp_path, settings=patient) as bot:
        await case.before(bot)
        was = await case.value(bot)
        await bot.hears(f"!cortex {case.typed}", ADMIN)
        data = bot.button(case.button).data
        for by, where in ((ADMIN_TOO, None), (OWNER, None), (ANN, GENERAL), (STRANGER, None), (ADMIN, GENERAL)):
            assert await bot.press_data(data, by, where) in {say("cortex.not-yours"), ""}
        assert await case.value(bot) == was
        bot.platform.admins.discard((ADMIN, GENERAL))
        assert "Nothing was changed" in await bot.press_data(data, ADMIN)
        assert await case.value(bot) == was
        bot.platform.admins.add((ADMIN, GENERAL))
        answers = await asyncio.gather(*(bot.press_data(data, ADMIN) for _ in range(20)))
        assert answers.count("Done.") == 1
        assert await case.value(bot) == case.after


@EVERY
async def test_too_late_it_does_nothing_and_after_a_restart_it_holds(tmp_path, case):
    async with chat(tmp_path) as bot:
        await case.before(bot)
        was = await case.value(bot)
        await bot.hears(f"!cortex {case.typed}", ADMIN)
        late = bot.button(case.button).data
        bot.clock.advance(601)
        assert "expired" in await bot.press_data(late, ADMIN)
        assert await case.value(bot) == was
        await bot.hears(f"!cortex {case.typed}", ADMIN)
        data = bot.button(case.button).data
    async with chat(tmp_path, clock=bot.clock) as again:
        assert await again.press_data(data, ADMIN) == "Done."
        assert await case.value(again) == case.after


async def test_a_fresh_start_is_taken_back(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        await bot.hears("!cortex fix new", OWNER)
        await bot.presses("Start over")
        assert await turns(bot) == 0
        await bot.presses("Undo")
        assert await turns(bot) == 1
        assert "back" in bot.last or "again" in bot.last


async def test_a_stale_setting_is_left_alone(tmp_path):
    async with chat(tmp_path) as bot:
        await quiet(bot)
        await bot.hears("!cortex fix mode active", ADMIN)
        data = bot.button("Answer every message").data
        await bot.hears("!mention-only", OWNER)
        assert "Nothing was changed" in await bot.press_data(data, ADMIN)
        assert (await settings(bot)).mode is ResponseMode.MENTION_ONLY


async def test_a_tool_that_is_off_is_offered_to_no_model(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        assert "memory_save" in {tool.name for tool in bot.provider.requests[-1].tools}
        await bot.hears("!cortex fix tool off memory_save", OWNER)
        await bot.presses("Turn tool")
        await bot.hears("hello")
        assert "memory_save" not in {tool.name for tool in bot.provider.requests[-1].tools}
        await bot.hears("!cortex tools", OWNER)
        assert "turned off here: memory_save" in bot.last
        await bot.hears("!cortex fix tool on memory_save", OWNER)
        await bot.presses("Turn tool memory_save on")
        await bot.hears("hello")
        assert "memory_save" in {tool.name for tool in bot.provider.requests[-1].tools}


async def test_a_resumed_channel_can_be_paused_again(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        await bot.hears("!pause gone fishing", OWNER)
        was = (await settings(bot)).pause
        await bot.hears("!cortex why", OWNER)
        await bot.presses("Resume")
        await bot.presses("Resume")
        assert (await settings(bot)).pause is None
        await bot.presses("Undo")
        assert (await settings(bot)).pause == was and was.reason == "gone fishing"


async def test_all_who_wait_are_answered_and_it_is_said(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        await bot.hears("!pause", OWNER)
        for text in ("one?", "two?", "three?"):
            await bot.hears(text)
        await bot.hears("!cortex why", OWNER)
        await bot.presses("Resume")
        await bot.presses("Resume")
        await bot.hears("!cortex fix answer all", OWNER)
        assert "3 messages since" in bot.last and "by 1 person" in bot.last and "costs one" in bot.last
        spoken = len(bot.public)
        assert await bot.presses("Answer 3 messages") == "Done."
        assert len(bot.public) > spoken
        assert "answered 3 of 3" in bot.last
        await bot.hears("!cortex fix answer all", OWNER)
        assert "No message is waiting" in bot.last


async def test_a_failed_message_gets_a_button_with_the_answer_to_why(tmp_path):
    async with chat(tmp_path, fails(), says("here I am")) as bot:
        await bot.hears("are you there?")
        await bot.hears("!cortex why", OWNER)
        await bot.presses("Answer i")
        await bot.presses("Answer 1 message")
        assert bot.public[-1] == "here I am" and "answered a member" in bot.last


async def test_who_is_blocked_is_let_in_by_an_owner_alone(tmp_path):
    lists = {"console": {"owner_ids": [OWNER], "admin_ids": [ADMIN], "default_mode": "active", "blocked_users": [ANN]}}
    async with chat(tmp_path, settings=config(tmp_path / "data", platforms=lists)) as bot:
        stopped = await bot.hears("hello")
        assert await bot.outcome(stopped) is Outcome.GATED
        name = handle(HandleKind.INBOUND, (await bot.inbound(stopped)).id)
        await bot.hears(f"!cortex fix allow {name}", ADMIN)
        assert "Only an owner" in bot.last
        await bot.hears(f"!cortex fix allow {name}", OWNER)
        await bot.presses(f"Let id {ANN} in")
        heard = await bot.hears("hello again")
        assert await bot.outcome(heard) is Outcome.REPLIED
        await bot.presses("Undo")
        assert await bot.outcome(await bot.hears("and now?")) is Outcome.GATED


async def test_the_list_shows_what_can_be_done_now(tmp_path):
    async with chat(tmp_path) as bot:
        await quiet(bot)
        await bot.hears("!cortex fix", ADMIN)
        labels = [button.label for button in bot.private[-1].buttons]
        assert labels[:1] == ["Change the mode…"] and "New conversation…" in labels
        await bot.presses("Change the mode…", ADMIN)
        await bot.presses("Answer every message", ADMIN)
        assert (await settings(bot)).mode is ResponseMode.ACTIVE


async def test_what_somebody_may_not_inspect_is_not_forgotten_with_the_rest(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        await bot.hears("hello", channel=dm_of(ANN))
        await bot.remembers("private", channel=dm_of(ANN), type=MemoryType.FACT)
        await bot.remembers("open", type=MemoryType.FACT)
        await bot.hears(f"!cortex memory forget by {ANN}", ADMIN)
        assert "1 memory" in bot.last and "private" not in bot.last


async def test_a_model_that_is_left_alone_is_asked_again_at_once(tmp_path):
    model = {"name": "scripted/scripted-1", "retries": 0, "context_window": 128_000, "cool_down": 600.0}
    patient = config(tmp_path / "data", model=model)
    async with chat(tmp_path, fails(ProviderFault.UNREACHABLE), says("here I am"), settings=patient) as bot:
        await bot.hears("are you there?")
        asked = len(bot.provider.requests)
        await bot.hears("and now?")
        assert len(bot.provider.requests) == asked
        await bot.hears("!cortex why", OWNER)
        await bot.presses("Ask scripted/scripted-1 again…")
        assert "left alone until" in bot.last and "it broke" in bot.last
        await bot.presses("Ask scripted/scripted-1 again")
        await bot.hears("and now?")
        assert bot.public[-1] == "here I am" and "answered a member" in bot.last
        await bot.hears("!cortex fix cooldown", OWNER)
        assert "No model is on a break there now." in bot.last


async def test_a_history_is_shortened_on_demand_and_that_is_undone(tmp_path):
    def model(request):
        is_summary = "ummar" in request.system_text and not request.tools
        return says("They spoke of hello and of numbers. " * 3 if is_summary else "yes")

    small = {"name": "scripted/scripted-1", "retries": 0, "context_window": 16_000, "cool_down": 0.001}
    async with chat(tmp_path, model, settings=config(tmp_path / "data", model=small)) as bot:
        await bot.hears("!cortex fix compact", OWNER)
        assert "nothing to shorten yet" in bot.last
        for number in range(16):
            await bot.hears(f"hello {number}, " + "and many more words of it " * 20)
        was = await turns(bot)
        await bot.hears("!cortex compact", OWNER)
        assert "% of a request" in bot.last and "stay word for word" in bot.last
        assert await bot.presses("Shorten #general now") == "Done."
        await bot.settled()
        assert "is shorter by" in bot.last and await turns(bot) < was
        await bot.presses("Undo k")
        await bot.presses("Undo k")
        assert await turns(bot) == was
