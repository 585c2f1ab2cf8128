"""The shortest request that proves that a model answers: one sentence, no history, no tools, one token of an answer."""

from __future__ import annotations

from bot.context.assemble import assemble
from bot.context.tokens import BYTES, by_bytes
from bot.domain.channel import ChannelState, ProcessKind
from bot.domain.ids import MAIN, ChannelId
from bot.domain.messages import Message, Role, TextPart
from bot.domain.snapshot import ContextInputs, ContextSnapshot, ModelLimits, Trigger

WORDS = "Say yes."
_NOBODYS = ChannelState(agent=MAIN, id=ChannelId(""), name="")


def probe_request(limits: ModelLimits) -> ContextSnapshot:
    """Return it for a model; nothing that anybody wrote is in it."""
    said = Message(role=Role.USER, parts=(TextPart(text=WORDS),))
    inputs = ContextInputs(
        kind=ProcessKind.CORTEX,
        state=_NOBODYS,
        trigger=Trigger(messages=(said,), at=0),
        limits=limits.replace(max_output=1),
        tokenizer=BYTES,
    )
    return assemble(inputs, (), by_bytes)
