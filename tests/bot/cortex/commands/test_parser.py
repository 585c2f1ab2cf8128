"""What is typed at three in the morning: a command only when the whole line is one, otherwise a question."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.cortex.commands.ask import as_question
from bot.cortex.commands.command_table import BY_NAME
from bot.cortex.commands.cortex_command import DiagnosisArgs, ParsedCommand, RecordCommand
from bot.cortex.commands.memory_filters import MemoryListArgs
from bot.cortex.commands.parser import parse


def form(name, index=0):
    return lambda **said: (BY_NAME[name][index], said)


def opened(**said):
    """A record: by which word it is opened makes no difference."""
    return "opens", said


DAY = DAY_MS = 86_400_000
Ask = lambda text: (as_question("x").form, {"text": text})  # noqa: E731
Report = form("", 0)
Why = form("why", 0)
Context = form("context", 0)
Usage = form("usage", 0)
Trails = form("ledger", 1)
Export = form("export", 0)
MemoryList = form("memory list", 0)
MemorySearch = form("memory search", 0)
MemoryBy = form("memory by", 0)
MemoryForget = form("memory forget", 0)
MemoryRestore = form("memory restore", 0)
MemoryChart = form("memory chart", 0)
MemorySpread = form("memory spread", 0)
MemorySpreadBy = form("memory spread", 1)
MemorySpreadSince = form("memory spread", 2)
MemoryHistory = form("memory history", 0)
MemoryDiff = form("memory diff", 0)
MemoryAsOf = form("memory as-of", 0)
MemoryRollback = form("memory rollback", 0)
Doctor = form("doctor", 0)
Compactions = form("compactions", 1)
UndoCompaction = form("compactions undo", 0)
Would = form("would", 0)
Diff = form("diff", 0)
Cache = form("cache", 0)
This = form("this", 0)
Gap = form("gap", 0)
Find = form("find", 0)
Use = form("use", 0)
Audit = form("audit", 0)
Help = form("help", 0)
Open = opened

COMMANDS = {
    "": Report(),
    "   ": Report(),
    "why": Why(),
    "WHY": Why(),
    "Why #support": Why(where="#support"),
    "why here": Why(where="here"),
    "why <#1182>": Why(where="<#1182>"),
    "why telegram:-100123:7": Why(where="telegram:-100123:7"),
    "why -1001234567890": Why(where="-1001234567890"),
    "why https://discord.com/channels/1/2/3": Why(where="https://discord.com/channels/1/2/3"),
    "why <https://discord.com/channels/1/2/3>": Why(where="<https://discord.com/channels/1/2/3>"),
    "why tg://privatepost?channel=1&post=2": Why(where="tg://privatepost?channel=1&post=2"),
    "why I4K2P": Why(where="i4k2p"),
    "why again": Why(where="again", question="why again"),
    "compactions": Compactions(),
    "compactions #general": Compactions(where="#general"),
    "compactions k4x7b": Open(handle="k4x7b"),
    "compactions show K4X7B": Open(handle="k4x7b"),
    "compactions undo k4x7b": UndoCompaction(handle="k4x7b"),
    "compactions undo m27d4": Ask(text="compactions undo m27d4"),
    "compactions undo": Ask(text="compactions undo"),
    "compactions are too short": Ask(text="compactions are too short"),
    "context r3x7b": Context(where="r3x7b"),
    "export r3x7b": Export(where="r3x7b"),
    "ledger https://t.me/c/1/2": Trails(where="https://t.me/c/1/2"),
    "why “#my group”": Why(where="#my group"),
    "context": Context(),
    "context #general": Context(where="#general"),
    "last": form("last")(last=True),
    "last #general": form("last")(where="#general", last=True),
    "gap": Gap(),
    "gap #general": Gap(where="#general"),
    "Gap T4K2P": Gap(where="t4k2p"),
    "ledger": Trails(),
    "ledger #general": Trails(where="#general"),
    "ledger i4k2p": Open(handle="i4k2p"),
    "export": Export(),
    "export here": Export(where="here"),
    "export last": Export(last=True),
    "Export #general RUNNING": Export(where="#general", running=True),
    "export --sent R3X7B": Export(where="r3x7b"),
    "export #general —sent r3x7b": Export(where="r3x7b"),
    "export sent r3x7b": Export(where="r3x7b"),
    "export “#my group” next": Export(where="#my group"),
    "context running": Context(running=True),
    "context #general last": Context(where="#general", last=True),
    "usage": Usage(),
    "usage #general": Usage(where="#general"),
    "memory": form("memory")(),
    "memory list": MemoryList(),
    "memory show M27D4": Open(handle="m27d4"),
    "memory list #general page 2": MemoryList(where="#general", page=2),
    "Memory list server": MemoryList(everywhere=True),
    "memory list type Decision by James older 30d forgotten": MemoryList(
        wanted=dict(type="decision", author="James", forgotten=True), older_ms=30 * DAY_MS
    ),
    "memory list decisions newer 2 hours kept scope server": MemoryList(
        wanted=dict(type="decision", scope="guild", forgotten=False), newer_ms=DAY_MS // 12
    ),
    "memory list “#my group” by “James Smith” older than 2 weeks": MemoryList(
        where="#my group", wanted=dict(author="James Smith"), older_ms=14 * DAY_MS
    ),
    "memory search stop answering": MemorySearch(wanted=dict(words="stop answering")),
    "memory search stop answering page 3": MemorySearch(wanted=dict(words="stop answering"), page=3),
    "memory search “type decision” type decision": MemorySearch(wanted=dict(words="type decision", type="decision")),
    "memory by 100": MemoryBy(wanted=dict(author="100")),
    "memory by <@100>": MemoryBy(wanted=dict(author="100")),
    "memory by ann": MemoryBy(wanted=dict(author="ann")),
    "memory by @ann forgotten page 2": MemoryBy(wanted=dict(author="ann", forgotten=True), page=2),
    "memory forget m27d4": MemoryForget(handle="m27d4"),
    "memory restore m27d4": MemoryRestore(handle="m27d4"),
    "doctor": Doctor(),
    "doctor #general": Doctor(where="#general"),
    "undo": form("undo", 0)(),
    "undo a2f6z": form("undo", 1)(handle="a2f6z"),
    'would 100 "are you there?"': Would(user="100", text="are you there?"),
    "would @ann “Are you THERE?” #general": Would(user="@ann", text="Are you THERE?", where="#general"),
    "would ann „hello“ here": Would(user="ann", text="hello", where="here"),
    "diff": Diff(),
    "diff here": Diff(where="here"),
    "Diff LAST next": Diff(before="last", after="next"),
    "diff worked last #general": Diff(before="worked", after="last", where="#general"),
    "diff next": Diff(before="last", after="next"),
    "cancel": form("cancel", 1)(),
    "diff last": Diff(before="worked", after="last"),
    "diff R3X7B": Diff(before="r3x7b", after="last", where="r3x7b"),
    "diff r3x7b r4k2p": Diff(before="r3x7b", after="r4k2p", where="r3x7b"),
    "diff last r4k2p": Diff(before="last", after="r4k2p", where="r4k2p"),
    "diff r3x7b next #general": Diff(before="r3x7b", after="next", where="#general"),
    "diff again": Diff(before="again", after="last", where="again", question="diff again"),
    "cache": Cache(),
    "cache #general": Cache(where="#general"),
    "cache r3x7b": Cache(where="r3x7b"),
    "this": This(),
    "this i4k2p": This(where="i4k2p"),
    "this https://t.me/c/1/2": This(where="https://t.me/c/1/2"),
    "this again": This(where="again", question="this again"),
    'find "stop answering"': Find(text="stop answering"),
    'find "tea" r3x7b': Find(text="tea", where="r3x7b"),
    "Find “don’t answer James” #general": Find(text="don’t answer James", where="#general"),
    "memory show m27d4": Open(handle="m27d4"),
    "memory history m27d4": MemoryHistory(handle="m27d4"),
    "memory chart": MemoryChart(),
    "memory chart 90d": MemoryChart(span_ms=90 * DAY),
    "memory chart #general": MemoryChart(where="#general"),
    "memory chart Server 12 weeks": MemoryChart(everywhere=True, span_ms=84 * DAY),
    "memory chart “#my group” 48h": MemoryChart(where="#my group", span_ms=2 * DAY),
    "memory spread m27d4": MemorySpread(handle="m27d4"),
    "memory spread M27D4 chart": MemorySpread(handle="m27d4", draws=True),
    "memory spread by james 24h chart": MemorySpreadBy(user="james", span_ms=DAY, draws=True),
    "memory spread by chart": MemorySpreadBy(user="chart"),
    "memory spread by chart chart": MemorySpreadBy(user="chart", draws=True),
    "memory spread since 2d chart": MemorySpreadSince(span_ms=2 * DAY, draws=True),
    "memory diff 2h": MemoryDiff(time="2h"),
    "memory diff yesterday 18:00 #general": MemoryDiff(time="yesterday 18:00", where="#general"),
    "memory as-of 2025-10-09 18:00": MemoryAsOf(time="2025-10-09 18:00"),
    "memory rollback 2h": MemoryRollback(time="2h"),
    "memory rollback yesterday 18:00 by eve": MemoryRollback(time="yesterday 18:00", user="eve"),
    "memory rollback 10:30 by <@103> server": MemoryRollback(time="10:30", user="<@103>", everywhere=True),
    "open r3x7b": Open(handle="r3x7b"),
    "m27d4": Open(handle="m27d4", question="m27d4"),
    "again": Open(handle="again", question="again"),
    "use #general": Use(where="#general"),
    "audit": Audit(),
    "help": Help(),
}

QUESTIONS = (
    "why isn't this responding",
    "why isn’t this responding?",
    "why?",
    "why is it so quiet here",
    "why does it ignore ann since yesterday?",
    "last night it stopped answering, why?",
    "last message was never answered",
    "last time it worked was at 2",
    "memory seems broken",
    "memory chart of everything",
    "memory chart 0d",
    "memory spread chart",
    "memory?",
    "memory of ann is wrong",
    "memory forget everything about me",
    "memory show me what it knows",
    "memory list everything that you know about me",
    "memory list older than what",
    "memory list page zero",
    "memory by whom was that saved",
    "memory list type nonsense",
    "context?",
    "context seems huge, is that why it is slow",
    "context window full?",
    "export to csv please",
    "export failed yesterday, what happened",
    "export running late again?",
    "export sent m27d4",
    "export r3x7b last",
    "context of the last war",
    "usage of the word bot is banned, is that why",
    "usage?",
    "doctor who is the topic, why does it not answer",
    "doctor says ok but it is dead",
    "open the door to other users",
    "open questions stay unanswered",
    "find out why it is silent",
    "diff between you and the old bot?",
    "diff last week",
    "diff last next and what broke it",
    "diff r3x7b r4k2p please",
    "cache seems broken",
    "cache?",
    "this is broken",
    "this?",
    "this message was never answered",
    'find "hello" and tell me who said it',
    "use another model?",
    "use your brain",
    "undo what you did to this channel",
    "would it answer bob?",
    "would you please wake up",
    "audit log shows nothing",
    "help it is ignoring everyone",
    "ledger says gated, what does that mean",
    "is it paused",
    "did somebody tell it to shut up?",
    "who told the bot to be silent",
    "what did you just send to the model",
)


@pytest.mark.parametrize(("line", "command"), COMMANDS.items())
def test_a_whole_line_that_parses_is_a_command(line, command):
    form, said = command
    found = parse(line)
    assert isinstance(found.form, RecordCommand) if form == "opens" else found.form is form
    assert found.args.model_dump(exclude_defaults=True) == said


@pytest.mark.parametrize("line", QUESTIONS)
def test_real_questions_stay_questions(line):
    assert parse(line) == as_question(line)


def test_there_are_enough_real_questions():
    assert len(QUESTIONS) >= 31


@given(st.text(max_size=200))
def test_any_text_parses(line):
    assert isinstance(parse(line), ParsedCommand)


@given(st.sampled_from(sorted(COMMANDS)), st.text(alphabet="abcxyz ", min_size=3).filter(lambda t: t.strip()))
def test_a_command_with_something_behind_it_changes_nothing(line, tail):
    found = parse(f"{line} but {tail} and more")
    assert isinstance(found.args, DiagnosisArgs | MemoryListArgs)
