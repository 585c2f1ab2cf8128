"""The table of processes is what the configuration and the prompts say."""

from __future__ import annotations

from bot.agent.turn.limits import KINDS, MAX_RETURNS, RETURN_PAUSE, RETURN_ROUNDS, STOP_SECONDS
from bot.config.schema import CortexConfig, ModelConfig, WorkConfig
from bot.domain.channel import ProcessKind
from bot.prompts import render


def test_every_kind_stands_in_the_table():
    # who asks for vectors speaks to nobody and has no turns
    assert set(KINDS) == set(ProcessKind) - {ProcessKind.EMBEDDING}
    assert (MAX_RETURNS, RETURN_ROUNDS, RETURN_PAUSE, STOP_SECONDS) == (3, 3, 0.5, 0.5)


def test_the_usual_configuration_is_the_table():
    work, cortex = WorkConfig(), CortexConfig()
    branch, worker, inspection = (KINDS[k] for k in (ProcessKind.BRANCH, ProcessKind.WORKER, ProcessKind.INSPECTION))
    assert (branch.rounds, branch.seconds, branch.per_channel) == (50, work.branch_seconds, work.branches)
    assert (worker.rounds, worker.segments, worker.seconds, worker.per_channel) == (
        15,
        10,
        work.worker_seconds,
        work.workers,
    )
    assert KINDS[ProcessKind.CHANNEL].rounds == ModelConfig().rounds
    assert (inspection.rounds, inspection.calls, inspection.seconds, inspection.tokens) == (
        cortex.rounds,
        cortex.calls,
        cortex.seconds,
        cortex.tokens,
    )


def test_a_worker_is_told_how_long_a_segment_is():
    assert f"segments of {KINDS[ProcessKind.WORKER].rounds} rounds" in render("worker", bot_name="Glassmind")


def test_the_repeat_guard_is_more_patient_with_those_who_work_longer():
    limits = [KINDS[kind].limits(1) for kind in (ProcessKind.CHANNEL, ProcessKind.BRANCH, ProcessKind.WORKER)]
    assert [(one.warn_at, one.block_at) for one in limits] == [(2, 4), (3, 5), (4, 7)]
