"""One case on a database that has no room for a while: `python -m tests.faults.processes.cramped KEY DIRECTORY`.

It mounts a small disk for the database, and so runs where nobody else sees what is mounted.
"""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import asdict
from pathlib import Path

import orjson

from tests.fakes.logs import plain_logs
from tests.faults.r35_many_processes import play_cramped


def main() -> None:
    plain_logs()
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    key, directory = sys.argv[1:]
    out.write(orjson.dumps(asdict(asyncio.run(play_cramped(key, Path(directory))))))
    out.flush()


if __name__ == "__main__":
    main()
