"""Say in words what happened to a message, step by step: what a step was, what it knew, and last its name."""

from __future__ import annotations

from pydantic import TypeAdapter, ValidationError

from bot.domain.handles import HandleKind, handle
from bot.domain.ledger import GateVerdict, StageRow
from bot.sentences import say
from bot.text.text import one_line_name
from bot.text.times import clock_time

_VERDICTS_KEY = "verdicts"
_VERDICTS = TypeAdapter(tuple[GateVerdict, ...])
_SAID_OTHERWISE = frozenset({"window", "counted"})
"""What is said with the number of tokens."""
_SET_WITH = "set_with"
"""The row of the message by which something was set."""
_MAX_NUMBER_DIGITS = 15
_SHOWN_DIGEST_CHARS = 16


def stage_line(row: StageRow) -> str:
    """Write a step on one line: when, what, why, the values, and the handle of its row."""
    did = say("records.stage", stage=row.stage.value, verdict=row.verdict.value)
    reason = f": {one_line_name(row.reason, 80)}" if row.reason else ""
    detail = stage_detail(row)
    more = f" · {detail}" if detail else ""
    # what follows from the message's own row has none of its own
    name = f" · {handle(HandleKind.GATE, row.id)}" if row.id else ""
    return f"{clock_time(row.at)} {did}{reason}{more}{name}"


def stage_detail(row: StageRow) -> str:
    """Write the values of a step; of gates what the one that stopped the message compared."""
    # what the gates compared says all that the row's other values say
    judged = [value for name, value in row.detail if name == _VERDICTS_KEY]
    if judged:
        return ", ".join(_gates(value) for value in judged)
    known = dict(row.detail)
    return ", ".join(_value(name, value, known) for name, value in row.detail if not _is_told_elsewhere(name, known))


def _is_told_elsewhere(name: str, known: dict[str, str]) -> bool:
    return name in _SAID_OTHERWISE and "tokens" in known


def _value(name: str, value: str, known: dict[str, str]) -> str:
    """Say one value; of what has no words of its own, its name stands before it."""
    if _is_number(value):
        count = int(value)
        return say(
            "records.number",
            name=name,
            count=count,
            next=count + 1,
            plain=value,
            window=int(known["window"]) if _is_number(known.get("window", "")) else 0,
            counted=known.get("counted", ""),
            label=_label(name),
        )
    shown = value[:_SHOWN_DIGEST_CHARS] if name == "digest" else value
    return say("records.value", name=name, value=one_line_name(shown, 80, "—"), label=_label(name))


def _is_number(value: str) -> bool:
    return value.isascii() and value.isdigit() and len(value) <= _MAX_NUMBER_DIGITS


def _label(name: str) -> str:
    return one_line_name(name, 30, "—").replace("_", " ")


def _gates(value: str) -> str:
    """Name the gates; the one that stopped the message with what it compared."""
    try:
        verdicts = _VERDICTS.validate_json(value)
    except ValidationError:
        return one_line_name(value, 60, "—")
    passed = ", ".join(verdict.gate for verdict in verdicts if verdict.passed)
    stopped = (f"✗ {gate_line(verdict)}" for verdict in verdicts if not verdict.passed)
    return " · ".join((*([f"✓ {passed}"] if passed else []), *stopped))


def gate_line(verdict: GateVerdict) -> str:
    """Say what a gate decided: its name, why it stops a message where it does, and what it compared."""
    reason = f": {one_line_name(verdict.reason, 80).replace('_', ' ')}" if verdict.reason else ""
    compared = ", ".join(_compared(name, value) for name, value in verdict.compared)
    return f"{verdict.gate}{reason}{f' ({compared})' if compared else ''}"


def _compared(name: str, value: str) -> str:
    shown = one_line_name(value, 80, "—")
    if _is_number(value) and value != "0":
        if name.endswith("_at"):
            shown = clock_time(int(value))
        elif name == _SET_WITH:
            shown = handle(HandleKind.INBOUND, int(value))
    return f"{_label(name)}: {shown}"
