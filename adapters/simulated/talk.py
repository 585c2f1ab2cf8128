"""The simulation as the cortex in a talk with an admin: it follows a script, or repeats what the rules say."""

from __future__ import annotations

import re

from adapters.simulated.conversation import Conversation
from adapters.simulated.said import Said, calling, excerpt, marked
from adapters.simulated.script import read_script

TALK = "context_inspect"
"""The tool that only such a talk has."""
_RULES = re.compile(r"^What the rules say now:\n+(`{3,})\n([^\n]+)", re.MULTILINE)


def talk(conversation: Conversation) -> Said:
    """Answer an admin's question."""
    question, _, material = conversation.trigger.text.partition("\n---\n")
    if conversation.results:
        said = "\n".join(f"{call.name}: {excerpt(text, 400)}" for call, text in conversation.results)
        return marked(said)
    steps = read_script(question)
    wanted = [(step.tool, step.arguments) for step in steps if step.tool]
    if wanted and conversation.may_call:
        return calling(conversation, *wanted)
    if steps:
        return Said("\n".join(step.words for step in steps if not step.tool))
    rules = _RULES.search(material)
    return marked(f"The rules say: {excerpt(rules[2], 200) if rules else 'nothing'}. I have read nothing else.")
