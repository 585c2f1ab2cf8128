"""Play chains by which words could come to count for more than who said them: `python -m tests.bench.laundering`.

Prints JSON: of how many chains the last link names where the words came from, and how often any link counts for more.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

from adapters.sqlite import StoreSettings, create
from tests.bench._chains import Chain, Summarise, as_scripted
from tests.fakes.clock import FakeClock, FakeEntropy

CHAINS = 100


async def measure(
    directory: Path, chains: int = CHAINS, seed: int = 1, summarise: Summarise = as_scripted
) -> dict[str, int]:
    """Play so many chains in one store, and count."""
    chance = random.Random(seed)
    counts: Counter[str] = Counter(chains=chains, named=0, raised=0)
    store = await create(StoreSettings(directory, FakeClock(), FakeEntropy(), 0, 0))
    try:
        for number in range(chains):
            result = await Chain(store, number, chance, summarise).play()
            counts["named"] += result.is_named
            counts["raised"] += bool(result.raised)
            if result.raised or not result.is_named:
                print(number, result, file=sys.stderr)
    finally:
        await store.close()
    return dict(counts)


def main() -> None:
    with tempfile.TemporaryDirectory() as directory:
        print(json.dumps(asyncio.run(measure(Path(directory) / "data"))))


if __name__ == "__main__":
    main()
