"""A fuzzer that is guided by what its inputs reach (atheris): `python -m tests.faults.fuzz.guided READER SEED SECONDS`.

It runs in a process of its own: it takes over signals and the exit. What breaks a promise is left in the working
directory as `crash-*`, and belongs into `found.py` once the cause is mended.
"""

from __future__ import annotations

import asyncio
import re
import sys
from asyncio.subprocess import PIPE, create_subprocess_exec
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[3]
_LONGEST_INPUT, _MOST_MB, _LONGEST_RUN = 4096, 1500, 20
_RUNS = re.compile(rb"stat::number_of_executed_units:\s+(\d+)")


class Guided(NamedTuple):
    """What came of it: how many inputs were played, and what broke a promise (empty: nothing)."""

    runs: int
    trouble: str


def is_there() -> bool:
    """Say whether the fuzzer is installed."""
    return find_spec("atheris") is not None


async def guided(reader: str, seed: int, seconds: int, directory: Path) -> Guided:
    """Play a reader for a while in a process of its own."""
    command = (sys.executable, "-m", "tests.faults.fuzz.guided", reader, str(seed), str(seconds), str(directory))
    process = await create_subprocess_exec(*command, stdout=PIPE, stderr=PIPE, cwd=ROOT)
    try:
        out, said = await process.communicate()
    except asyncio.CancelledError:
        process.kill()
        raise
    runs = _RUNS.search(said)
    if process.returncode == 0 and runs:
        return Guided(int(runs[1]), "")
    found = await asyncio.to_thread(_left, directory)
    words = (out + said).decode("utf-8", "replace")
    return Guided(int(runs[1]) if runs else 0, "\n".join((words[-3000:], *found)) or f"status {process.returncode}")


def _left(directory: Path) -> list[str]:
    return [f"{path.name}: {path.read_bytes()!r}" for path in sorted(directory.glob("*-*")) if path.is_file()]


def main() -> None:
    import atheris

    name, seed, seconds, folder = sys.argv[1], sys.argv[2], sys.argv[3], Path(sys.argv[4])
    with atheris.instrument_imports(include=["bot", "adapters"]):
        from tests.fakes.logs import plain_logs
        from tests.faults.fuzz.found import FOUND
        from tests.faults.fuzz.properties import quiet
        from tests.faults.fuzz.readers import READERS
    plain_logs()
    reader, corpus = READERS[name], folder / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for number, sample in enumerate((*reader.samples, *FOUND.get(name, ()))):
        (corpus / f"sample{number}").write_bytes(sample)
    limits = (f"-max_total_time={seconds}", f"-seed={int(seed) + 1}", f"-max_len={_LONGEST_INPUT}")
    more = (f"-rss_limit_mb={_MOST_MB}", f"-timeout={_LONGEST_RUN}", "-print_final_stats=1")
    with quiet():
        atheris.Setup([sys.argv[0], *limits, *more, f"-artifact_prefix={folder}/", str(corpus)], reader.check)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
