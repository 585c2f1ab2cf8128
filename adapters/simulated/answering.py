"""Find who answers a body."""

from __future__ import annotations

from adapters.simulated.channel import answer_people
from adapters.simulated.conversation import Conversation, read_body
from adapters.simulated.inspection import READER, inspect
from adapters.simulated.said import Said
from adapters.simulated.summary import is_for_summary, summarise
from adapters.simulated.talk import TALK, talk
from adapters.simulated.work import FINISH, is_result, say_result, work


def answer(body: bytes) -> tuple[Said, str]:
    """Return what is said to a body, whatever it holds, and the model that it names."""
    conversation = read_body(body)
    return _answer(conversation), conversation.model


def _answer(conversation: Conversation) -> Said:
    if is_for_summary(conversation):
        return summarise(conversation)
    if FINISH in conversation.tools:
        return work(conversation)
    if TALK in conversation.tools:
        return talk(conversation)
    if is_result(conversation):
        return say_result(conversation)
    return inspect(conversation) if READER in conversation.tools else answer_people(conversation)
