"""What the plays measured: one JSON file that grows with each play, and a table of it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson

from tests.faults.records import tree_of_the_product
from tests.faults.scorecard import REPORT
from tests.model.service import Service


@dataclass
class Played:
    """What came of one play. `holds`: None where the service said too little to tell."""

    play: str
    holds: bool | None
    figures: dict[str, Any] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    seconds: float = 0.0


def keep(played: Played, service: Service, path: Path) -> None:
    """Put a play into the report; those that were played before stay, also those of another model."""
    report = read(path)
    told = {
        **asdict(played),
        "seconds": round(played.seconds, 1),
        "model": service.name,
        "note": service.note,
        "date": datetime.fromtimestamp(time.time(), UTC).date().isoformat(),  # noqa: TID251 - the day of a report
        "tree": tree_of_the_product(),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(orjson.dumps({**report, played.play: told}, option=orjson.OPT_INDENT_2) + b"\n")


def read(path: Path = REPORT) -> dict[str, dict[str, Any]]:
    """Return the plays of a report by name; none where there is no report."""
    return orjson.loads(path.read_bytes()) if path.exists() else {}


def table(report: Mapping[str, Mapping[str, Any]]) -> str:
    """Write every play as one row and its figures below each other."""
    lines = [f"{'play':<12} {'holds':<7} {'seconds':>8}  figures"]
    for name, told in report.items():
        figures = [f"{key} {_figure(value)}" for key, value in told["figures"].items() if not isinstance(value, dict)]
        first, *rest = figures or [""]
        holds = {True: "yes", False: "NO", None: "unknown"}[told["holds"]]
        lines.append(f"{name:<12} {holds:<7} {told['seconds']:>8,.0f}  {first}")
        lines += [f"{'':<30} {figure}" for figure in (*rest, *(f"! {remark}" for remark in told["remarks"]))]
        lines.append(f"{'':<30} {told['model']} {told['note']}, {told['date']}".rstrip())
    return "\n".join(lines)


def _figure(value: object) -> str:
    if isinstance(value, float):
        return f"{value:,.3g}" if abs(value) < 10 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
