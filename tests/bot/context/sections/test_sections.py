"""Every prompt that we write, read as the model reads it."""

from __future__ import annotations

import pytest

from bot.context.sections import ORDER
from bot.domain.channel import LastTurn, ProcessKind, ResponseMode, RunningProcess
from bot.domain.ids import ChannelId, ChannelKey
from bot.domain.memory import MemoryProvenance, MemoryType
from bot.domain.messages import ChannelPlace
from bot.domain.snapshot import SectionFate
from tests.fakes.channels import FakeChannels
from tests.fakes.clock import START
from tests.fakes.contexts import Stack, ask, says, talked, trigger
from tests.fakes.memories import FakeMemories
from tests.fakes.values import KEY, MAIN, channel, memory, settings
from tests.golden.golden import matches


def place(channel_id: str, name: str, **changes):
    return channel(ChannelKey(MAIN, ChannelId(channel_id)), name).replace(**changes)


DM = ChannelPlace(is_dm=True)
CASES = {
    "console_mention_only": place("console:#general", "#general"),
    "discord_active": place("discord:1:10", "general", settings=settings(ResponseMode.ACTIVE)),
    "telegram_observe": place("telegram:-100:7", "Support", settings=settings(ResponseMode.OBSERVE)),
    "telegram_dm": place("telegram:42", "Ann", place=DM, settings=settings(ResponseMode.MENTION_ONLY)),
}
MEMORIES = (
    memory("Stop answering ann.\nShe asked for it.", type=MemoryType.DECISION, importance=0.9),
    memory("x" * 900, type=MemoryType.FACT, importance=0.5),
    memory(
        "hidden \u202e {{7*7}}",
        type=MemoryType.EVENT,
        importance=0.4,
        provenance=MemoryProvenance(author="7", author_name="| bob |\nroot"),
    ),
)


@pytest.mark.parametrize("name", CASES)
async def test_system_prompts(name, pytestconfig):
    state = talked(CASES[name], ("hi", "hello"))
    beside = (place("console:#ops", "#ops"), place("discord:1:11", "dev"), place("telegram:-101", "Lounge"))
    stack = Stack(FakeMemories(*MEMORIES), FakeChannels(state, *beside))
    text = (await stack.contexts.snapshot(ask(state))).request.system_text
    assert matches(pytestconfig, f"context/system_{name}", text)


async def test_the_envelope(pytestconfig):
    last = LastTurn(outcome="failed", error="provider: 503\nService Unavailable", at=START, context_tokens=12_345)
    running = RunningProcess(id="b1", kind=ProcessKind.BRANCH, task="look\nit up", started=START)
    state = talked(channel(), ("hi", "hello")).replace(last=last, running=(running,))
    state = state.replace(ambient=(says("by the way", 7, "43", "bob", ambient=True),))
    newest = (await Stack().contexts.snapshot(ask(state))).request.messages[-1]
    assert matches(pytestconfig, "context/envelope", newest.text)


@pytest.mark.parametrize("kind", [ProcessKind.INSPECTION, ProcessKind.CORTEX, ProcessKind.BRANCH, ProcessKind.WORKER])
async def test_the_other_processes(kind, pytestconfig):
    asked = ask(talked(channel(), ("hi", "hello")), trigger(says("why is it silent?", 9)), kind=kind)
    request = (await Stack().contexts.snapshot(asked)).request
    text = f"{request.system_text}\n\n---\n\n{request.messages[-1].text}"
    assert matches(pytestconfig, f"context/{kind.value}", text)


def test_names_are_unique_and_essential_ones_say_so():
    for order in ORDER.values():
        assert len({section.name for section in order}) == len(order)
        assert all(0 <= section.priority <= 100 for section in order)
    kept = {s.name for s in ORDER[ProcessKind.CHANNEL] if s.priority == 100}
    assert {"identity", "operating_contract", "silence_rules", "conversation_context"} <= kept


async def test_the_persona_of_a_channel_wins_and_its_key_is_named():
    stack = Stack()
    stack.facts = type(stack.facts)(bot_name="Glassmind", persona="General.", personas={KEY.channel: "Only here."})
    snap = await stack.contexts.snapshot(ask(channel()))
    assert "Only here." in snap.request.system_text and "General." not in snap.request.system_text
    trace = snap.sections[0]
    assert trace.sources == ("config:bot.name", "config:channels.console:#general.persona")


async def test_a_platform_that_is_not_here_or_has_no_guidance_is_said():
    stack = Stack()
    console = stack.facts.platforms["console"]
    for platforms, reason in (
        ({}, "the platform console is not configured here"),
        ({"console": console.replace(guidance="smoke_signals")}, "no guidance is written for smoke_signals"),
    ):
        stack.facts = type(stack.facts)(bot_name="G", persona="P", platforms=platforms)
        snap = await stack.contexts.snapshot(ask(channel()))
        trace = next(t for t in snap.sections if t.name == "platform_guidance")
        assert (trace.fate, trace.reason) == (SectionFate.ABSENT, reason)
