"""What came of each case, kept line by line, so that a run that was interrupted goes on where it stood."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

import orjson

from tests.faults.family import Figure, Size, Verdict

ROOT = Path(__file__).parents[2]
KEPT = ROOT / ".faults"
PRODUCT = ("bot", "adapters", "prompts")


@dataclass(frozen=True)
class Record:
    """One case that was played. `tree` names the contents of the product then, `date` is the day (UTC)."""

    family: str
    key: str
    size: Size
    tree: str
    date: str
    seconds: float
    n: int = 1
    counts: Mapping[str, int] = field(default_factory=dict)
    figures: Mapping[str, Figure] = field(default_factory=dict)
    trouble: str = ""

    @classmethod
    def of(cls, verdict: Verdict, **more: object) -> Record:
        return cls(**asdict(verdict), **more)  # type: ignore[arg-type]


def tree_of_the_product(root: Path = ROOT) -> str:
    """Name the contents of everything that is shipped: the same files give the same name."""
    digest = hashlib.sha256()
    for folder in PRODUCT:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(f"{path.relative_to(root)}\0".encode())
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:12]


class Records:
    """The records of one family, in one file; of several records of a case the last one counts."""

    def __init__(self, family: str, directory: Path = KEPT) -> None:
        self.path = directory / f"{family}.jsonl"

    def __iter__(self) -> Iterator[Record]:
        if not self.path.exists():
            return iter(())
        last: dict[str, Record] = {}
        for line in self.path.read_bytes().splitlines():
            try:
                record = Record(**orjson.loads(line))
            except (orjson.JSONDecodeError, TypeError):
                continue  # half a line: the run was interrupted while it wrote
            last.pop(record.key, None)  # the order is that in which they were played
            last[record.key] = record
        return iter(last.values())

    def add(self, record: Record) -> None:
        self.path.parent.mkdir(exist_ok=True)
        with self.path.open("ab") as file:
            file.write(orjson.dumps(asdict(record)) + b"\n")

    def failed(self) -> set[str]:
        """Give the cases that did not hold when they were played last."""
        return {record.key for record in self if record.trouble}

    def done(self, tree: str) -> set[str]:
        """Give the cases that were played on these very files and held; one without a trial lacked its tool."""
        return {record.key for record in self if record.tree == tree and record.n and not record.trouble}
