"""Every kind of part that a plugin may bring, through an installed wheel: it works as the bot's own, and is named."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.app.adapters import ClockAndEntropy, open_edges
from bot.app.named_plugins import added_pieces, plugins_of
from bot.config import parse_config
from bot.domain.memory import MemoryReach
from bot.domain.snapshot import SectionFate
from bot.plugins.kinds import KINDS
from bot.plugins.plugin import Contributions
from bot.plugins.plugins import Plugins
from bot.sentences import say, speaking
from bot.task_prompt.gatherers import GatherGrounds, gather_for
from bot.task_prompt.prioritise import prioritise
from bot.task_prompt.task import TaskBrief, TaskType
from tests.bot.plugins.everything import EVERYTHING
from tests.dialogs.bot import GENERAL, Bot, a_bot
from tests.fakes.clock import FakeClock, FakeEntropy
from tests.fakes.provider import ScriptedProvider, calls, says
from tests.fakes.wheels import installed, written

NAMED = """
[model]
name = "scripted/m"
[providers.scripted]
kind = "openai"
[plugins.everything]
"""
BIRD = """
[model]
name = "bird/1"
[providers.bird]
kind = "parrot"
"""
BESIDE = """
[bot]
data_dir = "{data}"
[model]
name = "bird/1"
[providers.bird]
kind = "parrot"
word = "good day"
[platforms.den]
people = {{ ann = 101 }}
[plugins.everything]
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("site")
    written(place, "everything", EVERYTHING)
    return place


@pytest.fixture(autouse=True)
def is_installed(site: Path) -> Iterator[None]:
    with installed(site):
        yield


def test_every_kind_is_brought_and_taken(tmp_path: Path) -> None:
    plugins = loaded(tmp_path)
    (record,) = (one for one in plugins.records if one.name == "everything")
    assert record.why == ()
    assert {guard.part.partition(" ")[0] for guard in record.guards} == {kind.kind for kind in KINDS}
    assert {kind.place for kind in KINDS} == set(Contributions.__dataclass_fields__)


async def test_what_meets_people_and_models(tmp_path: Path) -> None:
    model = ScriptedProvider(calls(("echo", {"word": "owl"})), says("There."))
    async with a_bot(tmp_path / "data", providers={"scripted": model}, more=NAMED) as bot:
        assert await bot.says("ann", "/greet") == ["[#general] glassmind< good day"]
        assert await bot.says("ann", "@glassmind AAAA") == []
        report = await asked(bot, "!cortex why")
        assert "#general: shouted" in report and "Plugin everything 1.0 says so." in report
        assert "a page" in await asked(bot, "!cortex house")

        assert "There." in (await bot.says("ann", "@glassmind hello"))[0]
        assert "owl" in str(model.requests[1].messages[-1])
        assert any("The house is blue." in block.text for block in model.requests[0].system)
        snapshot = (await bot.app.inspector.inspect(GENERAL)).snapshot
        note = next(trace for trace in snapshot.sections if trace.name == "house_note")
        assert note.fate is SectionFate.KEPT and "plugin:everything 1.0" in note.sources
        assert (tmp_path / "data/plugins/everything/turns").read_text() == "replied"


async def test_a_section_that_breaks_is_left_out_and_the_request_says_why(tmp_path: Path) -> None:
    model = ScriptedProvider(says("Well."))
    more = NAMED + 'broken = "section"'
    async with a_bot(tmp_path / "data", providers={"scripted": model}, more=more) as bot:
        assert "Well." in (await bot.says("ann", "@glassmind hello"))[0]
        snapshot = (await bot.app.inspector.inspect(GENERAL)).snapshot
        note = next(trace for trace in snapshot.sections if trace.name == "house_note")
        assert note.reason == "plugin everything 1.0 failed: it broke (ValueError: no note)"


async def test_adapters_of_plugins_are_configured_as_all_are(tmp_path: Path) -> None:
    configured = parse_config(BESIDE.format(data=tmp_path / "data"), {})
    async with open_edges(configured, ClockAndEntropy(FakeClock(), FakeEntropy())) as edges:
        assert edges.platforms["den"].capabilities.guidance == "console"
        assert edges.counter.count("four") == 4
        assert isinstance(edges.plugins, Plugins)
        bird = edges.providers["bird"]
        async with a_bot(tmp_path / "other", providers={"bird": bird}, more=BIRD) as bot:
            assert await bot.says("ann", "@glassmind hello") == ["[#general] glassmind< good day"]


async def test_a_service_of_a_plugin_that_breaks_is_a_service_that_failed(tmp_path: Path) -> None:
    text = BESIDE.format(data=tmp_path / "data") + 'broken = "provider"'
    async with open_edges(parse_config(text, {}), ClockAndEntropy(FakeClock(), FakeEntropy())) as edges:
        bird = edges.providers["bird"]
        async with a_bot(tmp_path / "other", providers={"bird": bird}, more=BIRD) as bot:
            await bot.says("ann", "@glassmind hello")
            report = await asked(bot, "!cortex why")
            assert "#general: the service is failing" in report
            request = next(
                word for word in report.split() if re.fullmatch(r"r(?=\w*\d)[a-z0-9]{4,5}", word) and word != "rules"
            )
            record = " ".join((await asked(bot, f"!cortex open {request}")).split())
            assert "plugin everything 1.0 failed: it broke (ZeroDivisionError)" in record


async def test_memories_pass_the_plugin_and_stay_the_bots_own(tmp_path: Path) -> None:
    async with a_bot(tmp_path / "data", more="[plugins.everything]") as bot:
        await bot.says("ann", "@glassmind remember as decision with importance 0.9: we meet on Mondays")
        reach = MemoryReach(agent=GENERAL.agent, channel=GENERAL.channel, guild_id="terminal")
        (memory,) = await bot.store.memories.in_reach(reach)
        assert memory.body.content == "WE MEET ON MONDAYS"
        # what it breaks at, and what it answers with nonsense, the bot's own store answers
        own = await bot.store.memories.get(memory.id)
        assert own is not None and own.body.content == "we meet on Mondays"
        assert await bot.store.memories.several([memory.id]) == [own]
        (record,) = (one for one in bot.app.plugins.records if one.name == "everything")
        assert next(guard for guard in record.guards if guard.part == "memories loud").faults >= 2


async def test_contexts_of_tasks_are_gathered_and_weighed_with_those_of_plugins(tmp_path: Path) -> None:
    added = added_pieces(loaded(tmp_path))
    task = TaskBrief(task_type=TaskType.DEBUG, request="why", at=0, budget=1000)
    found = await gather_for(task, GatherGrounds(), added=added.gatherers)
    (scored,) = prioritise(found.chunks, task, added.every)
    assert ("kindness of everything", 77.0) in [(part.name, part.points) for part in scored.metadata.score.parts]
    other = TaskBrief(task_type=TaskType.TEST, request="try", at=0, budget=1000)
    assert (await gather_for(other, GatherGrounds(), added=added.gatherers)).chunks == ()


def test_a_language_of_a_plugin_is_spoken_and_falls_back_to_english(tmp_path: Path) -> None:
    loaded(tmp_path)
    with speaking("xx"):
        assert say("cost_cap.ask-again") == "Xx yy."
        assert say("cost_cap.tomorrow") == "It answers again tomorrow (UTC). Tell the operator."


async def test_the_doctor_says_what_a_language_of_a_plugin_lacks(tmp_path: Path) -> None:
    async with a_bot(tmp_path / "data", providers={"scripted": ScriptedProvider()}, more=NAMED) as bot:
        assert "cannot be said in" not in await asked(bot, "!cortex doctor")
        await asked(bot, "/language xx")
        await asked(bot, "!cortex why")
        found = await asked(bot, "!cortex doctor")
        assert re.search(r"! sentences: \d+ sentences cannot be said in xx: [a-z_.-]+, [a-z_.-]+, [a-z_.-]+, …", found)
        assert "Tell whoever wrote that language." in found


def loaded(data: Path, more: str = "") -> Plugins:
    return plugins_of(parse_config(f'[bot]\ndata_dir = "{data}"\n[plugins.everything]\n{more}', {}))


async def asked(bot: Bot, words: str) -> str:
    return "\n".join(await bot.says("root", words))


async def test_a_theme_words_a_section_and_the_request_names_it(tmp_path: Path) -> None:
    model = ScriptedProvider(says("Arr."))
    async with a_bot(tmp_path / "data", providers={"scripted": model}, more=NAMED) as bot:
        assert "Arr." in (await bot.says("ann", "@glassmind hello"))[0]
        assert any("Arr, hold your tongue." in block.text for block in model.requests[0].system)
        snapshot = (await bot.app.inspector.inspect(GENERAL)).snapshot
        rules = next(trace for trace in snapshot.sections if trace.name == "silence_rules")
        assert rules.sources == ("channel:settings.mode", "theme:everything 1.0")
        found = await asked(bot, '!cortex find "hold your tongue" #general')
        assert "theme of everything 1.0" in found, "and who looks for the words is told whose they are"
        assert "whose values come from" in found


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{{ secret }}", "silence_rules.md.j2 asks for secret, which the section is not given"),
        ("{% if is_dm %}", "silence_rules.md.j2 cannot be read as a template"),
    ],
)
def test_a_theme_that_cannot_stand_for_a_section_is_left_out(tmp_path: Path, text: str, why: str) -> None:
    (record,) = (one for one in loaded(tmp_path, f"silence = {text!r}").records if one.name == "everything")
    assert any(why in problem for problem in record.why)
