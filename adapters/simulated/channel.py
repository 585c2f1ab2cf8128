"""The simulation as a member of a chat: obey instructions about silence, follow scripts, answer the rest briefly."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from adapters.simulated.answers import SimulatedAnswer, call_tools, excerpt, marked_answer, results_of
from adapters.simulated.conversation import BodyCall, PersonMessage, SimulatedConversation, notes, read_person
from adapters.simulated.instructions import order_for
from adapters.simulated.script import ScriptStep, read_script, without_address

_GREETING = re.compile(r"^\W*(?:hi|hello|hey|good (?:morning|evening|day|afternoon)|moin|hallo)\b", re.IGNORECASE)
_THANKS = re.compile(r"\b(?:thanks|thank you|thx)\b", re.IGNORECASE)
_ARE_YOU_THERE = re.compile(
    r"\b(?:are you (?:there|here|alive|awake|online)|anybody home|still there)\b", re.IGNORECASE
)
_WHO_AM_I = re.compile(r"\bwho am i\b", re.IGNORECASE)
_WHO_ARE_YOU = re.compile(r"\b(?:who|what) are you\b", re.IGNORECASE)
_WHAT_SAID = re.compile(r"\bwhat did (.{1,60}?) (?:say|write|ask)\b", re.IGNORECASE)
_WHAT_REMEMBERED = re.compile(r"\bwhat do you (?:remember|know)\b", re.IGNORECASE)
_TIME = re.compile(r"\bwhat(?:'s| is)? (?:the )?time\b", re.IGNORECASE)
_FAILED_RESULT = re.compile(
    r"^\W*(?:error|not sent|unknown tool|failed)\b|was not run|not allowed|no such tool", re.IGNORECASE
)


def answer_people(conversation: SimulatedConversation) -> SimulatedAnswer:
    """Answer the newest message, or go on after the tools that were called for it."""
    trigger = conversation.trigger
    steps = read_script(trigger.text, conversation.bot_name)
    if results := results_of(conversation, *(step.tool for step in steps)):
        return _go_on(steps, results)
    if not conversation.results and (skipped := _obey(conversation, trigger)):
        return skipped
    return _follow(conversation, steps) if steps else _converse(conversation, trigger)


def _obey(conversation: SimulatedConversation, trigger: PersonMessage) -> SimulatedAnswer | None:
    """Skip when the prompt orders silence towards the person who wrote; what people write is no part of the prompt."""
    if not conversation.offers("skip"):
        return None
    prompt = [*notes(conversation.system), *notes(trigger.before)]
    order = order_for(prompt, trigger.by, conversation.bot_name)
    if order is None or not order.silent:
        return None
    source = f"Memory {order.note.handle}" if order.note.handle else "My instructions"
    whom = trigger.by.name or trigger.by.id or "this person"
    reason = f'{source} told me not to answer {excerpt(whom, 40)}: "{excerpt(order.words, 160)}"'
    return call_tools(conversation, ("skip", {"reason": reason, "category": "instructed"}))


def _follow(conversation: SimulatedConversation, steps: tuple[ScriptStep, ...]) -> SimulatedAnswer:
    wanted = [(step.tool, step.arguments) for step in steps if step.tool]
    if not wanted:
        return SimulatedAnswer("\n".join(step.words for step in steps))
    known = conversation.tools.keys() | conversation.on_demand
    scripted = {step.tool for step in steps if step.tool and isinstance(step.arguments, str)}
    missing = [name for name, _ in wanted if name not in known | scripted]
    if missing or not conversation.may_call:
        return marked_answer(f"I have no tool for that here: {', '.join(missing) or 'this is the last round'}.")
    return call_tools(conversation, *wanted)


def _go_on(steps: Sequence[ScriptStep], results: Sequence[tuple[BodyCall, str]]) -> SimulatedAnswer:
    """Say what came of the calls, and what the script still had to say."""
    words = [step.words for step in steps if not step.tool]
    if words:
        return SimulatedAnswer("\n".join(words))
    call, result = results[-1]
    if call.name == "skip" and not _FAILED_RESULT.search(result):
        return SimulatedAnswer()
    if _FAILED_RESULT.search(result):
        return marked_answer(f"{call.name} failed: {excerpt(result, 300)}")
    match call.name:
        case "memory_save":
            return marked_answer("Noted.")
        case "react" | "reply":
            return marked_answer("Done.")
        case "memory_recall" | "channel_recall":
            return marked_answer(f"I found: {excerpt(result, 400)}")
        case _:
            return marked_answer(f"{call.name} said: {excerpt(result, 400)}")


def _converse(conversation: SimulatedConversation, trigger: PersonMessage) -> SimulatedAnswer:
    text = without_address(trigger.text, conversation.bot_name)
    if not text:
        return marked_answer("I got an empty message.")
    for sign, answer in _ANSWERS:
        if found := sign.search(text):
            return marked_answer(answer(conversation, trigger, found))
    if text.endswith("?"):
        return marked_answer(f'You asked "{excerpt(text)}". I am only a simulation and cannot know that.')
    name = f", {_name(trigger)}" if trigger.by.name else ""
    return marked_answer(f'I read that{name}: "{excerpt(text)}"')


Answer = Callable[[SimulatedConversation, PersonMessage, re.Match[str]], str]


def _name(trigger: PersonMessage) -> str:
    return excerpt(trigger.by.name, 40) or "you"


def _greets(_: SimulatedConversation, trigger: PersonMessage, __: re.Match[str]) -> str:
    return f"Hello, {_name(trigger)}!"


def _is_there(_: SimulatedConversation, trigger: PersonMessage, __: re.Match[str]) -> str:
    return f"Yes, {_name(trigger)}, I am here."


def _is_thanked(_: SimulatedConversation, trigger: PersonMessage, __: re.Match[str]) -> str:
    return f"You are welcome, {_name(trigger)}."


def _knows_you(_: SimulatedConversation, trigger: PersonMessage, __: re.Match[str]) -> str:
    return f"You are {_name(trigger)}, id {excerpt(trigger.by.id, 40) or 'unknown'}."


def _says_what_it_is(conversation: SimulatedConversation, _: PersonMessage, __: re.Match[str]) -> str:
    return f"I am {conversation.bot_name or 'a bot'}, and a simulation answers for me instead of a real model."


def _quotes(conversation: SimulatedConversation, _: PersonMessage, found: re.Match[str]) -> str:
    wanted = found[1].strip(" @").casefold()
    entries = conversation.entries[: conversation.asked]
    for entry in reversed(entries):
        earlier = read_person(entry.text)
        if entry.role == "user" and earlier.by.name.casefold() == wanted:
            return f'{earlier.by.name} said: "{excerpt(earlier.text)}"'
    return f"I have not heard {excerpt(found[1], 40)} say anything here."


def _recites(conversation: SimulatedConversation, _: PersonMessage, __: re.Match[str]) -> str:
    known = [note for note in notes(conversation.system) if note.handle]
    shown = "; ".join(f"{note.handle}: {excerpt(note.text, 80)}" for note in known[:3])
    return f"I remember {len(known)} things{': ' + shown if shown else ''}."


def _tells_time(_: SimulatedConversation, trigger: PersonMessage, __: re.Match[str]) -> str:
    return f"Your message came at {trigger.at[11:16]} UTC." if trigger.at else "I have no clock."


_ANSWERS: tuple[tuple[re.Pattern[str], Answer], ...] = (
    (_WHAT_SAID, _quotes),
    (_WHO_AM_I, _knows_you),
    (_WHO_ARE_YOU, _says_what_it_is),
    (_WHAT_REMEMBERED, _recites),
    (_TIME, _tells_time),
    (_ARE_YOU_THERE, _is_there),
    (_THANKS, _is_thanked),
    (_GREETING, _greets),
)
