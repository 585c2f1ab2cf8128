"""What changed, what was cached, where words come from, what is behind a message: asked in a chat, told in private."""

from __future__ import annotations

import re

import pytest

from bot.cortex.words.report import MAX_CHARACTERS, MAX_LINES
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import ChannelId
from bot.domain.ledger import Outcome
from bot.domain.llm import TokenUsage
from tests.bot.cortex.chat import ADMIN, OWNER, STRANGER, chat
from tests.fakes.provider import calls, fails, says
from tests.golden.golden import matches

SECOND = ChannelId("console:#second")
HANDLE = re.compile(r"\b[mrigtdasxk](?:2[a-z]{4}|[0-9a-hjkmnp-tv-z]{4})\b")


def r(row: int) -> str:
    return handle(HandleKind.REQUEST, row)


def first_of(bot) -> str:
    """The first message of the newest answer: the one with buttons."""
    return next(sent.text for sent in reversed(bot.private) if sent.buttons)


def timeless(text: str) -> str:
    """Leave out the times of day and how long bodies are: how often somebody had to wait is no matter of the text."""
    return re.sub(r"[\d,]+ (?:of [\d,]+ )?bytes", "n bytes", re.sub(r"\d\d:\d\d:\d\d", "··:··:··", text))


def is_for_a_phone(text: str) -> bool:
    return len(text) <= MAX_CHARACTERS and text.count("\n") < MAX_LINES


async def test_a_saved_memory_is_what_changed_from_the_last_to_the_next(tmp_path):
    async with chat(tmp_path, says("yes")) as bot:
        await bot.hears("hello")
        bot.clock.advance(5)
        row = await bot.remembers()
        bot.clock.advance(5)
        before = len(bot.private)
        await bot.hears("!cortex diff", OWNER)
        first, details = (sent.text for sent in bot.private[before:])
        assert is_for_a_phone(first)
        assert first.startswith("≠ #general: ") and f"{r(1)} " in first and "→ next · no model used" in first
        name = handle(HandleKind.MEMORY, row)
        assert f"+ memory_bulletin +{bulletin_tokens(first):,} · memory saved {name}" in first
        assert "new messages t" in first and "↻ participants, conversation_context, status" in first
        assert "ann" not in first and "answer ann" not in first
        assert f"cause · memory saved: {name} saved" in details and "answer ann any more" in details
        assert len(bot.provider.requests) == 1


def bulletin_tokens(text: str) -> int:
    return int(re.search(r"memory_bulletin \+([\d,]+)", text)[1].replace(",", ""))


async def test_the_golden_texts_of_a_diff(tmp_path, pytestconfig):
    async with chat(tmp_path, calls(("memory_recall", {"query": "tea"})), says("yes"), says("no")) as bot:
        await bot.hears("hello")
        bot.clock.advance(5)
        bot.clock.advance(5)
        await bot.remembers()
        await bot.hears("!mention-only", ADMIN)
        await bot.hears("and now?")
        await bot.hears(f"!cortex diff {r(2)} {r(3)}", OWNER)
        text = "\n\n---\n\n".join(sent.text for sent in bot.private[-2:])
        assert matches(pytestconfig, "context/diff", timeless(text))
        await bot.hears("!cortex cache", OWNER)
        assert matches(pytestconfig, "context/cache", timeless(bot.last))
        await bot.hears('!cortex find "answer ann"', OWNER)
        assert matches(pytestconfig, "context/find", timeless(bot.last))
        assert all(is_for_a_phone(sent.text) for sent in bot.private if sent.buttons)


async def test_without_names_what_worked_is_compared_with_what_failed(tmp_path):
    async with chat(tmp_path, says("yes"), fails(), fails()) as bot:
        await bot.hears("hello")
        await bot.hears("hello?")
        await bot.hears("!cortex diff", OWNER)
        assert f"{r(1)} " in first_of(bot) and f"→ {r(2)} " in first_of(bot)
        for line in ("diff last", "diff worked", "diff worked last"):
            await bot.hears(f"!cortex {line}", OWNER)
            assert f"→ {r(2)} " in first_of(bot)
        await bot.hears("!cortex diff next", OWNER)
        assert f"{r(2)} " in first_of(bot) and "→ next" in first_of(bot)
        await bot.hears(f"!cortex diff {r(1)}", OWNER)
        assert f"→ {r(2)} " in first_of(bot)


async def test_the_same_request_has_no_differences(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        await bot.hears(f"!cortex diff {r(1)} last", OWNER)
        assert bot.last.startswith("= #general: the same")


async def test_every_record_of_a_diff_can_be_opened(tmp_path):
    async with chat(tmp_path, says("yes"), says("no")) as bot:
        await bot.hears("hello")
        bot.clock.advance(5)
        await bot.remembers()
        await bot.hears("hello again")
        await bot.hears(f"!cortex diff {r(1)} {r(2)}", OWNER)
        known = {handle(kind, row) for kind in HandleKind for row in range(1, 30)}
        shown = {name for sent in bot.private[-2:] for name in HANDLE.findall(sent.text)} & known
        assert len(shown) >= 5
        for name in shown:
            await bot.hears(f"!cortex open {name}", OWNER)
            # what it is comes first
            assert name in bot.last and not bot.last.startswith(name), bot.last
        await bot.hears(f"!cortex diff {r(1)} {r(2)}", OWNER)
        assert await bot.presses("Open m") == ""
        assert "importance 0.90" in bot.last


async def test_who_may_not_read_compares_names_alone(tmp_path):
    async with chat(tmp_path, says("yes"), says("no")) as bot:
        bot.platform.readers.clear()
        await bot.hears("the secret plan")
        await bot.remembers("secret recipe")
        await bot.hears("another secret")
        before = len(bot.private)
        for line in (f"diff {r(1)} {r(2)}", "cache", 'find "secret"', 'find "Your final text"'):
            await bot.hears(f"!cortex {line}", ADMIN)
        texts = [sent.text for sent in bot.private[before:]]
        assert not any("secret plan" in text or "another secret" in text or "recipe" in text for text in texts)
        assert any("places are not shown to you: they are compared by name" in text for text in texts)
        assert any("were not searched" in text for text in texts)
        assert "operating_contract.md.j2 line" in texts[-1]


async def test_other_channels_are_asked_for_anew_and_strangers_hear_nothing(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        await bot.hears("hello", channel=SECOND)
        await bot.hears(f"!cortex diff {r(1)} {r(2)}", ADMIN)
        assert "There is no record" in bot.last and "console:#second" not in bot.last
        await bot.hears(f"!cortex diff {r(1)} {r(2)}", OWNER)
        assert "the two are of different channels" in bot.last
        sent = len(bot.platform.sent)
        for line in ("diff", "cache", "this", 'find "x"'):
            await bot.hears(f"!cortex {line}", STRANGER)
        assert len(bot.platform.sent) == sent


async def test_a_request_of_an_inspection_is_not_compared(tmp_path):
    async with chat(tmp_path, says("yes")) as bot:
        await bot.hears("hello")
        await bot.hears("!cortex what is wrong?", OWNER)
        for line in (f"diff {r(1)} {r(2)}", f"cache {r(2)}", f"this {r(2)}", f'find "x" {r(2)}'):
            await bot.hears(f"!cortex {line}", OWNER)
            assert "That request belongs to an inspection" in bot.last


async def test_the_cache_says_what_the_provider_said(tmp_path):
    read = TokenUsage(input=200, cached=150, output=1)
    async with chat(tmp_path, says("one"), says("two", usage=read), says("three")) as bot:
        await bot.hears("hello")
        await bot.hears("!cortex cache", OWNER)
        assert "Nothing was sent from there before that request" in bot.last
        await bot.hears("hello again")
        await bot.hears("!cortex cache", OWNER)
        assert (
            bot.last.startswith("✓ #general: ")
            and "of this request could come from the cache" in bot.last
            and is_for_a_phone(bot.last)
        )
        assert "The provider read 150 of 200 from its cache (75%)" in bot.last
        assert "So far here: 50.0 % of 300 tokens read" in bot.last
        bot.clock.advance(1)
        bot.clock.advance(5)
        await bot.remembers()
        await bot.hears("and again")
        await bot.hears("!cortex cache", OWNER)
        assert bot.last.startswith("✗ #general: the cache ends at memory_bulletin")
        assert "cause · memory saved" in bot.last
        await bot.hears(f"!cortex cache {r(2)}", OWNER)
        assert bot.last.startswith("✓") and f"→ {r(2)}" in bot.last


async def test_words_are_found_in_the_last_and_in_the_next_request(tmp_path):
    async with chat(tmp_path, says("a quince is a fruit"), says("yes")) as bot:
        await bot.hears("what is a quince?")
        await bot.hears('!cortex find "QUINCE"', OWNER)
        assert bot.last.startswith(
            f"Found in 2 places. Searched: what the model is told in #general, the last request {r(1)} and the next"
        )
        i1 = handle(HandleKind.INBOUND, 1)
        assert f"1 message 1 · what was said in {i1}\n" in bot.last
        assert re.search(r"2 message 2 · the bot's own answer · t\w{4,5} · next only", bot.last)
        assert "a quince is a fruit" in bot.last
        await bot.hears(f'!cortex find "quince" {r(1)}', OWNER)
        searched = f"what the model is told in #general, the last request {r(1)}"
        assert bot.last.startswith(f"Found in 1 place. Searched: {searched}\n")
        await bot.hears('!cortex find "medlar"', OWNER)
        assert bot.last.startswith("Nothing that the model is told in #general has those words")


async def test_many_places_follow_the_first_message(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("\n".join(f"quince number {number} {'of many ' * 6}" for number in range(20)))
        before = len(bot.private)
        await bot.hears('!cortex find "quince"', OWNER)
        first, *rest = [sent.text for sent in bot.private[before:]]
        assert is_for_a_phone(first) and first.startswith("Found in 20 places") and "more below" in first
        assert "quince number 19" in rest[-1] and "20 message 1 · what was said in" in rest[0]


async def test_this_shows_the_request_behind_an_answer(tmp_path):
    script = (calls(("reply", {"text": "one moment"})), says(""), says("here it is"))
    async with chat(tmp_path, *script) as bot:
        asked = await bot.hears("what is a quince?")
        await bot.hears("!cortex this", OWNER, replies_to="p1")
        text = bot.last
        assert text.startswith("#general: the request behind it\n") and is_for_a_phone(text)
        assert f"{r(1)} · turn {handle(HandleKind.TURN, 1)}, round 1 of 2" in text
        assert "Model scripted/scripted-1" in text and "sections: identity" in text
        i1 = handle(HandleKind.INBOUND, (await bot.inbound(asked)).id)
        assert f"Answers {i1} · sent as {handle(HandleKind.DELIVERY, 1)}" in text
        assert f"`diff {r(1)} last`" in text
        assert await bot.presses(f"Open {r(1)}") == "" and r(1) in bot.last.splitlines()[0]
        await bot.hears(f"!cortex export sent {r(1)}", OWNER)
        assert "-context.json" in bot.last
        for named in (i1, r(1), handle(HandleKind.TURN, 1), handle(HandleKind.DELIVERY, 1)):
            await bot.hears(f"!cortex this {named}", OWNER)
            assert bot.last.startswith("#general: the request behind it\n")


async def test_this_shows_why_a_message_got_no_answer(tmp_path):
    async with chat(tmp_path, fails(), fails()) as bot:
        lost = await bot.hears("hello?")
        await bot.hears("!cortex this", OWNER, replies_to=lost.message_id)
        stored = await bot.inbound(lost)
        assert stored.outcome is Outcome.FAILED
        name = handle(HandleKind.INBOUND, stored.id)
        assert bot.last.startswith("That message got no answer. What happened to it:\nfrom ann ") and name in bot.last
        assert f"The last request of its turn is {r(1)}." in bot.last
        notice = await bot.store.outbox.by_message(stored.key, "p1")
        await bot.hears("!cortex this", OWNER, replies_to="p1")
        name = handle(HandleKind.DELIVERY, 1)
        assert bot.last == f"No model wrote that ({notice.body.kind}, {name}), so there is no request behind it."


@pytest.mark.parametrize(
    ("replies_to", "words"),
    [("", "Reply to a message with `!cortex this`"), ("nowhere", "I don't know that message")],
)
async def test_this_without_a_message_says_how(tmp_path, replies_to, words):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        await bot.hears("!cortex this", OWNER, replies_to=replies_to)
        assert words in bot.last


async def test_this_last_shows_the_request_behind_the_newest_answer(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        await bot.hears("!cortex this last", OWNER)
        assert bot.last.startswith("#general: the request behind it\n")


async def test_this_does_not_tell_of_a_channel_that_the_asker_may_not_inspect(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        await bot.hears("hello", channel=SECOND)
        await bot.hears(f"!cortex this {r(2)}", ADMIN)
        assert "There is no record" in bot.last
        await bot.hears("!cortex this", OWNER, channel=SECOND, replies_to="p2")
        assert bot.last.startswith("#second: the request behind it")


async def test_looking_at_differences_leaves_no_trace(tmp_path):
    async with chat(tmp_path, says("yes")) as bot:
        await bot.hears("hello")
        state = bot.registry.get((await bot.inbound(await bot.hears("once more"))).key)
        for line in ("diff", "cache", "this", 'find "hello"', "diff worked last"):
            await bot.hears(f"!cortex {line}", OWNER)
        assert bot.registry.get(state.key) == state
        assert len(bot.provider.requests) == 2


async def test_a_private_chat_is_not_named(tmp_path):
    async with chat(tmp_path, says("yes")) as bot:
        await bot.dm("hello", OWNER)
        await bot.dm("!cortex diff", OWNER)
        assert first_of(bot).startswith("≠ a private chat: ")


async def test_a_memory_that_no_phrase_list_knows_is_suspected_and_can_be_forgotten(tmp_path):
    skip = calls(("skip", {"reason": "ann belongs to the help desk", "category": "instructed"}))
    async with chat(tmp_path, says("yes"), skip) as bot:
        await bot.hears("hello")
        row = await bot.remembers("Questions of ann belong to the help desk.")
        await bot.hears("what is a quince?")
        await bot.hears("!cortex why", OWNER)
        told, name = bot.last, handle(HandleKind.MEMORY, row)
        assert is_for_a_phone(told)
        _, suspected, rest = told.partition("What may have silenced it, likely:")
        assert suspected and "1 A memory by" in rest and "fits its reason, is about the asker" in rest
        assert f"· {name}" in rest and "confirmed" not in rest
        assert await bot.presses("Forget m") == ""
        assert "help desk" in bot.last
