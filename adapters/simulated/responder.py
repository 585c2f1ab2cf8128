"""Find who answers a body."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from adapters.simulated.answers import SimulatedAnswer, call_tools, excerpt, marked_answer, results_of
from adapters.simulated.channel import answer_people
from adapters.simulated.conversation import SimulatedConversation, as_object, read_body
from adapters.simulated.inspection import READER, inspect
from adapters.simulated.script import read_script

_TASK = re.compile(r"^You shorten the older part of a chat\b", re.MULTILINE)
_MATERIAL = re.compile(r"^The material\b[^\n]*\n+(`{3,})\n(.*)\n\1\s*\Z", re.MULTILINE | re.DOTALL)
_SO_FAR = re.compile(r"^What you wrote about the part before[^\n]*\n+(`{3,})\n(.*?)\n\1$", re.MULTILINE | re.DOTALL)
_WORDS = re.compile(r"^At most (\d{1,5}) words(?: for each)?\.$", re.MULTILINE)
_TURN = re.compile(r'^\{"turn":\d{1,4}\}$', re.MULTILINE)
_LINE = 60
TALK = "context_inspect"
"""The tool that only such a talk has."""
_RULES = re.compile(r"^What the rules say now:\n+(`{3,})\n([^\n]+)", re.MULTILINE)
FINISH = "finish"
_REQUEST = re.compile(r"^## Request\n+(.*?)\n+## Your task$", re.MULTILINE | re.DOTALL)
_CAME_BACK = re.compile(r"^(Branch|Worker) (\w{5}) (is done|has failed|ran out of time)\.")
_WROTE = re.compile(r"^What it wrote, [^\n]*\n(`{3,})[^\n]*\n(.*?)\n\1$", re.MULTILINE | re.DOTALL)
_SENT_OUT = "spawn_worker said:"


def answer(body: bytes) -> tuple[SimulatedAnswer, str]:
    """Return what is said to a body, whatever it holds, and the model that it names."""
    conversation = read_body(body)
    return _answer(conversation), conversation.model


def _answer(conversation: SimulatedConversation) -> SimulatedAnswer:
    if is_for_summary(conversation):
        return summarise(conversation)
    if FINISH in conversation.tools:
        return work(conversation)
    if TALK in conversation.tools:
        return talk(conversation)
    if is_result(conversation):
        return say_result(conversation)
    return inspect(conversation) if READER in conversation.tools else answer_people(conversation)


def is_for_summary(conversation: SimulatedConversation) -> bool:
    """Say whether this is a compactor's request."""
    return _TASK.search(conversation.system) is not None and bool(conversation.entries)


def summarise(conversation: SimulatedConversation) -> SimulatedAnswer:
    """Write the beginning of every line, newest last, within the words that were asked for; each turn by itself."""
    task = conversation.entries[-1].text
    found, so_far, most = _MATERIAL.search(task), _SO_FAR.search(task), _WORDS.search(task)
    words, material = int(most[1]) if most else 100, found[2] if found else ""
    turns = _TURN.split(material)[1:] if _TURN.match(material) else ()
    if turns:
        texts = (_beginnings([*_lines(turn)], words) for turn in turns)
        return marked_answer("\n".join(f"=== turn {number} ===\n{text}" for number, text in enumerate(texts, 1)))
    return marked_answer(_beginnings([*(so_far[2].split("\n") if so_far else ()), *_lines(material)], words))


def _beginnings(lines: Sequence[str], words: int) -> str:
    kept: list[str] = []
    for line in lines:
        words -= len(line.split())
        if words < 0:
            break
        kept.append(line)
    return "\n".join(kept) or "Nothing that could be told in so few words."


def _lines(material: str) -> Iterator[str]:
    for line in material.split("\n"):
        entry = as_object(line) or {}
        if "from" in entry:
            yield f"{excerpt(str(entry['from']), 20)}: {excerpt(str(entry.get('text', '')), _LINE)}"
        elif text := next(
            (entry[key] for key in ("bot", "text", "result", "call", "note", "piece") if key in entry), ""
        ):
            yield excerpt(str(text), _LINE)


def talk(conversation: SimulatedConversation) -> SimulatedAnswer:
    """Answer an admin's question."""
    question, _, material = conversation.trigger.text.partition("\n---\n")
    if conversation.results:
        said = "\n".join(f"{call.name}: {excerpt(text, 400)}" for call, text in conversation.results)
        return marked_answer(said)
    steps = read_script(question)
    wanted = [(step.tool, step.arguments) for step in steps if step.tool]
    if wanted and conversation.may_call:
        return call_tools(conversation, *wanted)
    if steps:
        return SimulatedAnswer("\n".join(step.words for step in steps if not step.tool))
    rules = _RULES.search(material)
    return marked_answer(f"The rules say: {excerpt(rules[2], 200) if rules else 'nothing'}. I have read nothing else.")


def is_result(conversation: SimulatedConversation) -> bool:
    """Say whether the newest message is what a branch or a worker came back with."""
    if conversation.asked < 0:
        return False
    lines = conversation.entries[conversation.asked].text.split("\n")
    return any((header := as_object(line)) is not None and header.get("is") == "result" for line in lines)


def say_result(conversation: SimulatedConversation) -> SimulatedAnswer:
    """Tell what came back; of a branch that only sent a worker out there is nothing to tell yet."""
    text = conversation.trigger.text
    found, wrote = _CAME_BACK.search(text), _WROTE.search(text)
    words = wrote[2] if wrote else ""
    if words.startswith(_SENT_OUT) and conversation.offers("skip") and not conversation.results:
        return call_tools(conversation, ("skip", {"reason": "the worker is still at it", "category": "nothing_to_add"}))
    if conversation.results:
        return SimulatedAnswer()
    who = f"{found[1]} {found[2]} {found[3]}" if found else "Something came back"
    return marked_answer(f"{who}: {excerpt(words, 400) or 'it left no text'}")


def work(conversation: SimulatedConversation) -> SimulatedAnswer:
    """Follow the script that is the task, then hand in what came of it; a task in plain words is only read."""
    found = _REQUEST.search(conversation.trigger.text)
    task = found[1] if found else conversation.trigger.text
    steps = read_script(task)
    wanted = [(step.tool, step.arguments) for step in steps if step.tool and step.tool != FINISH]
    done = results_of(conversation, *(name for name, _ in wanted))
    if wanted and not done and conversation.may_call:
        return call_tools(conversation, *wanted)
    if not conversation.offers(FINISH):
        return marked_answer("I did: " + "; ".join(f"{call.name}: {excerpt(text)}" for call, text in done))
    said = "\n".join(step.words for step in steps if not step.tool)
    results = "\n".join(f"{call.name}: {excerpt(text, 300)}" for call, text in done)
    result = said or results or f'I read the task: "{excerpt(task)}"'
    return call_tools(conversation, (FINISH, {"outcome": "done", "result": result}))
