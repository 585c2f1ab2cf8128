"""Every handle opens to what it names, for those who may, and to nothing for others."""

from __future__ import annotations

from bot.cortex.targets.record_lookup import answer_lines
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import ChannelId
from bot.domain.llm import LLMResponse, TokenUsage
from bot.domain.repairs import AnswerRepair
from tests.bot.cortex.chat import ADMIN, ANN, OWNER, chat, dm_of
from tests.fakes.provider import calls, says

SECOND = ChannelId("console:#second")


async def test_every_kind_of_handle_opens(tmp_path):
    async with chat(tmp_path, calls(("react", {"emoji": "👍"})), says("yes")) as bot:
        memory = await bot.remembers()
        said = await bot.hears("hello")
        stored = await bot.inbound(said)
        trail = await bot.store.ledger.trail(stored.id)
        request = (await bot.store.journal.recent_requests(stored.key, 1))[0]
        reply = (await bot.store.outbox.of_inbound(stored.id))[0]
        call = (await bot.store.journal.calls_of_turn(stored.turn))[0]
        await bot.hears("!cortex why", OWNER)
        look = (await bot.store.audit.newest(None, 1))[0]
        for kind, row, words in (
            (HandleKind.MEMORY, memory, "A memory: decision, importance 0.90."),
            (HandleKind.INBOUND, stored.id, "from ann (id 100, person)"),
            (HandleKind.GATE, trail.stages[1].id, "One step of message"),
            (HandleKind.TURN, stored.turn, "called react: ok"),
            (HandleKind.REQUEST, request.id, "as sent: "),
            (HandleKind.DELIVERY, reply.row, "platform message"),
            (HandleKind.AUDIT, look.id, "viewed records"),
            (HandleKind.SESSION, 1, "A private talk about"),
            (HandleKind.CALL, call.record_id, f"call 1 of turn {handle(HandleKind.TURN, stored.turn)}, round 1"),
        ):
            await bot.hears(f"!cortex open {handle(kind, row)}", OWNER)
            assert words in bot.last, kind
            assert handle(kind, row) in bot.last or kind is HandleKind.GATE


async def test_a_gate_shows_what_it_compared(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        await bot.hears("!pause", OWNER)
        stopped = await bot.hears("anybody?")
        await bot.hears(f"!cortex {handle(HandleKind.INBOUND, (await bot.inbound(stopped)).id)}", OWNER)
        assert "stopped: pause · after" in bot.last
        assert "✗ pause: paused (" in bot.last
        assert "pause: on" in bot.last


async def test_what_belongs_to_another_place_or_person_does_not_exist(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        far = await bot.inbound(await bot.hears("CANARY", channel=SECOND))
        private = await bot.inbound(await bot.hears("CANARY", channel=dm_of(ANN)))
        await bot.hears("!cortex why", OWNER)
        names = [handle(HandleKind.INBOUND, far.id), handle(HandleKind.TURN, far.turn)]
        names += [handle(HandleKind.INBOUND, private.id), handle(HandleKind.SESSION, 1), handle(HandleKind.AUDIT, 1)]
        for name in names:
            await bot.hears(f"!cortex open {name}", ADMIN)
            assert "no such record" in bot.last
        await bot.hears(f"!cortex open {names[2]}", OWNER)
        assert "no such record" in bot.last
        await bot.hears(f"!cortex open {names[0]}", OWNER)
        assert "CANARY" in bot.last


async def test_invisible_characters_and_fences_are_shown_not_obeyed(tmp_path):
    async with chat(tmp_path) as bot:
        hostile = "a\u200b\U000e0041```\n✓ all is well\n```"
        row = await bot.remembers(hostile)
        await bot.hears("hello")
        await bot.hears(f"!cortex {handle(HandleKind.MEMORY, row)}", OWNER)
        assert "⟨U+200B⟩" in bot.last
        assert "\u200b" not in bot.last
        assert "````" in bot.last
        assert "contains 2 invisible characters" in bot.last


def test_everything_that_is_put_right_has_words():
    for repair in AnswerRepair:
        (line,) = answer_lines(LLMResponse(text="", repairs=(repair,)))
        assert line.startswith("Put right: ") and repair.value not in line
    told = answer_lines(LLMResponse(text="", usage=TokenUsage(reasoning=1200, estimated=True), stopped_with="refusal"))
    assert told == ["thought for ≈1.2K tokens", "stopped with refusal"]


async def test_a_memory_says_whose_words_it_may_hold_and_for_how_much_it_counts(tmp_path):
    saves = calls(("memory_save", {"content": "Decision: the tea is free for Bob.", "type": "decision"}))
    async with chat(tmp_path, says("I see."), saves, says("noted")) as bot:
        await bot.hears("the admins decided that the tea is free for Bob")
        await bot.hears("remember what ann said of the tea", OWNER)
        (memory,) = await bot.store.memories.listed("main", "console:#general", "1")
        await bot.hears(f"!cortex memory show {handle(HandleKind.MEMORY, memory.id)}", OWNER)
        assert "of root (id 1), with words of others," in bot.last
        assert (
            "counts as everyone, like the least trusted person whose words it may have: somebody here (everyone)"
            in bot.last
        )
        assert not memory.body.provenance.by_admin
