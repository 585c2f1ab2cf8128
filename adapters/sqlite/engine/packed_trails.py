"""The beginning of a trail, in as few words as it can be stored in: most of what arrives has no more than that.

That a message arrived, and was queued, follows from its own row. Verdicts are kept as short arrays; older rows hold all
of it at length, and are read as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import orjson
from pydantic import TypeAdapter

from adapters.sqlite.engine.sealed_rows import Value
from adapters.sqlite.engine.sql_connection import SqlRow
from bot.domain.ledger import Arrival, ArrivalDisposition, GateVerdict, LedgerStage, StageRow, StageVerdict

Pairs = tuple[tuple[str, str], ...]

_DETAIL: TypeAdapter[Pairs] = TypeAdapter(Pairs)
_SHORT = '{"gates":['
# as they are stored: plain, because rows are written far more often than anything else
_GATES, _PASSED, _STOPPED = LedgerStage.GATES.value, StageVerdict.PASSED.value, StageVerdict.STOPPED.value


def first_rows(arrivals: Sequence[Arrival], rows: Sequence[int | None]) -> Iterator[Sequence[Value]]:
    """Yield the stage rows that are stored with arrivals, in the order of SEALED; None for what is there already."""
    for arrival, row in zip(arrivals, rows, strict=True):
        if row is None or not arrival.verdicts:
            continue
        stopped = arrival.stopped_by
        verdict, why = (_STOPPED, stopped.gate) if stopped else (_PASSED, "")
        detail = f"{_SHORT}{','.join([one.packed for one in arrival.verdicts])}]}}"
        yield row, arrival.arrived_at, _GATES, verdict, why, detail


def details(pairs: Pairs) -> str:
    """Write what a stage row says beside its reason."""
    return orjson.dumps(pairs).decode() if pairs else "[]"


def read_trail(inbound: SqlRow, rows: Sequence[SqlRow]) -> tuple[StageRow, ...]:
    """Return the trail of an inbound: what follows from its own row, and what was stored."""
    stored = [_stage(row) for row in rows]
    if stored and stored[0].stage is LedgerStage.ARRIVED:
        return tuple(stored)
    judged = 1 if stored and stored[0].stage is LedgerStage.GATES else 0
    queued = (
        [_first(inbound, LedgerStage.QUEUED, StageVerdict.PASSED)]
        if inbound["disposition"] == ArrivalDisposition.QUEUE
        else []
    )
    return (_first(inbound, LedgerStage.ARRIVED, StageVerdict.NOTED), *stored[:judged], *queued, *stored[judged:])


def _first(inbound: SqlRow, stage: LedgerStage, verdict: StageVerdict) -> StageRow:
    return StageRow(inbound=inbound["id"], at=inbound["arrived_at"], stage=stage, verdict=verdict)


def _stage(row: SqlRow) -> StageRow:
    text: str = row["detail"]
    return StageRow(
        id=row["id"],
        inbound=row["inbound"],
        at=row["at"],
        stage=row["stage"],
        verdict=row["verdict"],
        reason=row["reason"],
        detail=_at_length(text) if text.startswith(_SHORT) else _DETAIL.validate_json(text),
    )


def _at_length(text: str) -> Pairs:
    """Say first which gate stopped it, why and what was compared; then every verdict as JSON, named `verdicts`."""
    verdicts = [GateVerdict.unpacked(packed) for packed in orjson.loads(text)["gates"]]
    written = ",".join(verdict.model_dump_json(exclude_defaults=True) for verdict in verdicts)
    everything = ("verdicts", f"[{written}]")
    stopped = next((verdict for verdict in verdicts if not verdict.passed), None)
    if stopped is None:
        return (everything,)
    return (("gate", stopped.gate), ("reason", stopped.reason), *stopped.compared, everything)
