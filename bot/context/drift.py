"""Check that what was sent can be built again from what was saved, without keeping anybody waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from bot.domain.channel import Turn
from bot.domain.dialect import Dialect
from bot.domain.llm import LLMRequest, WireRequest
from bot.domain.snapshot import ContextInputs, ContextSnapshot

Assembled = Callable[[ContextInputs], ContextSnapshot]
Encode = Callable[[LLMRequest, Dialect], WireRequest]

_MESSAGES_A_STEP = 16
"""Read back between two looks at the event loop: about a millisecond."""


async def find_drift(sent: ContextSnapshot, wire_sha256: str, assembled: Assembled, encode: Encode) -> str | None:
    """Rebuild a request from its saved inputs; None when name and bytes agree, else what differs."""
    again = assembled(await _read_back(sent.inputs))
    if again.digest != sent.digest:
        return f"assembled again: {again.digest}, not {sent.digest}; {_difference(sent, again)}"
    await asyncio.sleep(0)
    sha = encode(again.request, again.inputs.limits.dialect).sha256
    return None if sha == wire_sha256 else f"encoded again, the bytes are {sha[:12]}, not {wire_sha256[:12]}"


async def _read_back(inputs: ContextInputs) -> ContextInputs:
    """Save inputs and read them back. In steps on the loop: in a thread, one long call would stop everybody just so."""
    turns, since = [], 0
    for turn in inputs.state.turns:
        turns.append(_turn_read_back(turn))
        since += len(turn.messages)
        if since >= _MESSAGES_A_STEP:
            since = 0
            await asyncio.sleep(0)
    # model_copy: only the turns are set aside, which are read back above
    rest = inputs.model_copy(update={"state": inputs.state.model_copy(update={"turns": ()})})
    read = ContextInputs.model_validate_json(rest.model_dump_json())
    await asyncio.sleep(0)
    return read.model_copy(update={"state": read.state.model_copy(update={"turns": tuple(turns)})})


def _turn_read_back(turn: Turn) -> Turn:
    """Return the turn as it was saved; the very same one if it is equal, down to the names and numbers it keeps."""
    read = Turn.model_validate_json(turn.model_dump_json())
    return turn if read == turn and _kept(read) == _kept(turn) else read


def _kept(turn: Turn) -> tuple[object, ...]:
    return (turn.quarter_bytes, *(message.digest for message in turn.messages))


def _difference(before: ContextSnapshot, after: ContextSnapshot) -> str:
    for kind, old, new in (
        ("section", [b.digest for b in before.request.system], [b.digest for b in after.request.system]),
        ("tool", [t.digest for t in before.request.tools], [t.digest for t in after.request.tools]),
        ("message", [m.digest for m in before.request.messages], [m.digest for m in after.request.messages]),
    ):
        if old != new:
            first = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
            return f"{kind} {first + 1} of {len(old)} differs"
    return "model or parameters differ"
