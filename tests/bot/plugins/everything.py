"""A plugin that brings one part of every kind, as the source of a wheel."""

EVERYTHING = """
import hashlib
from pathlib import Path

from bot.api import *
from bot.api import Contributions


class Settings(PluginSettings):
    broken: str = ""
    silence: str = "Arr, hold your tongue{% if is_dm %} never{% endif %}."


class Note:
    name = "house_note"
    stability = SectionStability.STATIC
    priority = 50

    def __init__(self, broken):
        self.broken = broken

    async def load(self, state, sources):
        if self.broken == "section":
            raise ValueError("no note")
        return loaded_section(self.name, {"text": "The house is blue."}, "config:plugins.everything")

    def render(self, state, trigger, data):
        return section_values(data)["text"]


class Parrot:
    encoder = "parrot/1"
    patience = Patience()
    dialects = PlainDialects()

    def __init__(self, name, settings, broken):
        self.name, self.word, self.broken = name, settings.get("word", "hello"), broken

    def encode(self, request, dialect=None):
        body = str(len(request.messages)).encode()
        sha = hashlib.sha256(body).hexdigest()
        return WireRequest(provider=self.name, model=request.model.model, path="/", body=body, sha256=sha)

    async def complete(self, wire, on_text):
        if self.broken == "provider":
            raise ZeroDivisionError
        return LLMResponse(text=self.word, usage=TokenUsage(input=1, output=1, cached=0), answered_by="parrot")

    async def probe(self):
        return ()

    async def close(self):
        return None


class Loud(MemoriesBefore):
    async def in_reach(self, reach, *more):
        found = await self.own.in_reach(reach, *more)
        return [one.replace(body=one.body.replace(content=one.body.content.upper())) for one in found]

    async def several(self, rows):
        raise ValueError("lost")

    async def get(self, row):
        return "a memory"


class Letters:
    ready = True
    trouble = None

    def tokenizer(self, model):
        return Tokenizer(name="letters", method=CountMethod.ESTIMATE)

    def known(self, text):
        return len(text)

    def count(self, text):
        return len(text)

    async def warm(self, texts):
        return None

    async def sizes(self, texts):
        return {text: len(text) for text in texts}


class Args(ToolArgs):
    word: str


@tool(kinds=[ProcessKind.CHANNEL], description="Say a word back.")
async def echo(args: Args) -> str:
    return args.word


async def greet(call, desk):
    return "good day"


async def page(talk, args, sources):
    return ThreadReply("a page")


async def house_rules(task, grounds, priority):
    chunk = ContextChunk(content="Be kind.", source="house", chunk_type=ChunkType.PINNED, priority=priority)
    return FoundChunks((chunk,))


def says_kind(chunk, task):
    return ScorePoints(77.0 if "kind" in chunk.content else 0.0, "kind")


def silent(evidence):
    stop = gate_stop(evidence)
    if stop is not None and stop.gate == "no-shouting":
        yield Finding(
            rule="NO-SHOUTING", stage=FunnelStage.GATE, confidence=Confidence.CONFIRMED,
            verdict=f"{place_name(evidence)}: shouted", evidence=message_ref(evidence),
        )


def quiet(facts):
    if "AAAA" in facts.inbound.text:
        return stopped("no-shouting", "shouted")
    return passed("no-shouting")


def build(setup):
    async def ended(turn):
        (setup.folder / "turns").write_text(turn.status.value)

    words = setup.folder / "xx"
    words.mkdir(exist_ok=True)
    (words / "cost_cap.ftl").write_text("ask-again = Xx yy.\\n")
    theme = setup.folder / "theme"
    theme.mkdir(exist_ok=True)
    (theme / "silence_rules.md.j2").write_text(setup.settings.silence)
    broken = setup.settings.broken
    return Contributions(
        tools=[echo],
        gates=[PluginGate("no-shouting", quiet)],
        rules=[PluginRule("NO-SHOUTING", silent, PluginScenario(says="AAAA"))],
        commands=[ChatCommand("greet", Authority.EVERYONE, "say good day", greet)],
        pages=[CortexCommand("`house` a page", PageCommand("house", no_arguments, "house", page))],
        sections=[PluginSection(Note(broken), [ProcessKind.CHANNEL])],
        gatherers=[PluginGatherer(house_rules, {TaskType.DEBUG: ChunkPriority.HIGH})],
        prioritisers=[PluginPrioritiser("kindness", says_kind)],
        hooks=[PluginHook("notes", ended)],
        providers=[PluginAdapter("parrot", lambda name, settings: Parrot(name, settings, broken))],
        platforms=[PluginAdapter("den", den)],
        memories=[PluginMemories("loud", Loud)],
        counters=[PluginCounter("letters", Letters())],
        languages=[PluginLanguage("xx", words)],
        themes=[PluginTheme("pirate", theme)],
    )


def den(settings, clock):
    from adapters.console import create

    return create(settings, clock)


plugin = Plugin(build, Settings)
"""
