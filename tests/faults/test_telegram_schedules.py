"""Whatever goes wrong between Telegram and the bot: answered once, or somebody is told; never lost, never twice.

`make faults-telegram` plays more of them; `SEED=7 make faults-telegram` plays one again.
"""

from __future__ import annotations

import os

import pytest

from tests.faults.telegram import play

FEW, MANY = 60, 300
SEEDS = [int(os.environ["SEED"])] if os.environ.get("SEED") else range(MANY if os.environ.get("FAULTS") else FEW)


@pytest.mark.parametrize("seed", SEEDS)
async def test_a_schedule_of_troubles_adds_up(tmp_path, seed):
    await play(seed, tmp_path)
