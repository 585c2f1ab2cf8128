"""The simulation as a branch, as a worker, and as a channel to which either comes back."""

from __future__ import annotations

import re

from adapters.simulated.conversation import Conversation, as_object
from adapters.simulated.said import Said, calling, excerpt, marked, results_of
from adapters.simulated.script import read_script

FINISH = "finish"
_REQUEST = re.compile(r"^## Request\n+(.*?)\n+## Your task$", re.MULTILINE | re.DOTALL)
_CAME_BACK = re.compile(r"^(Branch|Worker) (\w{5}) (is done|has failed|ran out of time)\.")
_WROTE = re.compile(r"^What it wrote, [^\n]*\n(`{3,})[^\n]*\n(.*?)\n\1$", re.MULTILINE | re.DOTALL)
_SENT_OUT = "spawn_worker said:"


def is_result(conversation: Conversation) -> bool:
    """Say whether the newest message is what a branch or a worker came back with."""
    if conversation.asked < 0:
        return False
    lines = conversation.entries[conversation.asked].text.split("\n")
    return any((header := as_object(line)) is not None and header.get("is") == "result" for line in lines)


def say_result(conversation: Conversation) -> Said:
    """Tell what came back; of a branch that only sent a worker out there is nothing to tell yet."""
    text = conversation.trigger.text
    found, wrote = _CAME_BACK.search(text), _WROTE.search(text)
    words = wrote[2] if wrote else ""
    if words.startswith(_SENT_OUT) and conversation.offers("skip") and not conversation.results:
        return calling(conversation, ("skip", {"reason": "the worker is still at it", "category": "nothing_to_add"}))
    if conversation.results:
        return Said()
    who = f"{found[1]} {found[2]} {found[3]}" if found else "Something came back"
    return marked(f"{who}: {excerpt(words, 400) or 'it left no text'}")


def work(conversation: Conversation) -> Said:
    """Follow the script that is the task, then hand in what came of it; a task in plain words is only read."""
    found = _REQUEST.search(conversation.trigger.text)
    task = found[1] if found else conversation.trigger.text
    steps = read_script(task)
    wanted = [(step.tool, step.arguments) for step in steps if step.tool and step.tool != FINISH]
    done = results_of(conversation, *(name for name, _ in wanted))
    if wanted and not done and conversation.may_call:
        return calling(conversation, *wanted)
    if not conversation.offers(FINISH):
        return marked("I did: " + "; ".join(f"{call.name}: {excerpt(text)}" for call, text in done))
    said = "\n".join(step.words for step in steps if not step.tool)
    results = "\n".join(f"{call.name}: {excerpt(text, 300)}" for call, text in done)
    result = said or results or f'I read the task: "{excerpt(task)}"'
    return calling(conversation, (FINISH, {"outcome": "done", "result": result}))
