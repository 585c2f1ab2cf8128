"""Whatever goes wrong between Discord and the bot: answered once, in order; never lost, never twice.

`make faults-discord` plays more of them; `SEED=7 make faults-discord` plays one again.
"""

from __future__ import annotations

import os

import pytest

from tests.faults.discord import play

FEW, MANY = 60, 300
SEEDS = [int(os.environ["SEED"])] if os.environ.get("SEED") else range(MANY if os.environ.get("FAULTS") else FEW)


@pytest.mark.parametrize("seed", SEEDS)
async def test_a_schedule_of_troubles_adds_up(tmp_path, seed):
    await play(seed, tmp_path)
