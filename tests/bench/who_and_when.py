"""Put logs of failed agent runs through an inspection: `MODEL_URL=… python -m tests.bench.who_and_when DIR MODEL`.

DIR holds logs of Who&When (https://github.com/mingyin1/Agents_Failure_Attribution, MIT), which are not shipped: a JSON
file each, with `question`, `history`, `mistake_agent` and `mistake_step`. A log becomes the history of a channel, whose
admin asks which message broke the run; the first quote that holds says which step is meant, and so who took it. Beside
it stands what always naming the first steps finds (27.0 % of agents, 15.5 % of steps), and the best that was published
(47.46 and 29.31 %). The other variables of `make test-model` count here, too.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import orjson

from bot.domain.channel import ProcessKind
from bot.domain.ids import MAIN, UserId
from bot.domain.messages import Author, AuthorKind, Message, Role, TextPart
from bot.domain.turn import TurnEnd, TurnStart, TurnStatus
from bot.ports.store import Store
from tests.dialogs.bot import GENERAL
from tests.model.service import Service, Told, a_stage

BASELINES = {"always the first steps": (0.27, 0.155), "best published": (0.4746, 0.2931)}
QUESTION = (
    "This is the record of a run of several agents that failed. Which one message was the decisive mistake, the first "
    "without which the run would have succeeded? Quote that message. The task was: {task}"
)
_QUOTED = re.compile(r", as it is stored\n\s*```\n(.+?)\n\s*```", re.DOTALL)
_MAX_TASK_CHARS = 600


class Step(NamedTuple):
    """What one agent said."""

    agent: str
    text: str


class FailedRun(NamedTuple):
    """A log, and what people found to be its mistake."""

    name: str
    task: str
    steps: tuple[Step, ...]
    agent: str
    step: int


class Attribution(NamedTuple):
    """Which step an inspection quoted first; -1 where no quote of it stands in the log."""

    step: int
    agent: str


def read_runs(directory: Path) -> Iterator[FailedRun]:
    """Read every log below a directory; raise ValueError for one that lacks a field."""
    for path in sorted(directory.rglob("*.json")):
        log = orjson.loads(path.read_bytes())
        try:
            steps = tuple(Step(str(one.get("name") or one["role"]), str(one["content"])) for one in log["history"])
            mistake = int(log["mistake_step"])
            yield FailedRun(path.stem, str(log["question"]), steps, str(log["mistake_agent"]), mistake)
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"{path} is no log of Who&When: {error!r}") from error


def attributed(report: str, steps: Sequence[Step]) -> Attribution:
    """Find the step in which the first quote of a report stands that stands in any."""
    told = [_plain(one.text) for one in steps]
    for quote in _QUOTED.findall(report):
        words = _plain(quote).rstrip("…").strip()
        at = next((at for at, text in enumerate(told) if words and words in text), None)
        if at is not None:
            return Attribution(at, steps[at].agent)
    return Attribution(-1, "")


def _plain(text: str) -> str:
    return " ".join(text.split())


async def lay_out(store: Store, run: FailedRun) -> None:
    """Make a log the history of the channel: one turn, whose messages bear the names of the agents."""
    start = TurnStart(agent=MAIN, channel=GENERAL.channel, kind=ProcessKind.CHANNEL, at=1)
    turn = await store.journal.begin_turn(start, ())
    said = tuple(
        Message(
            role=Role.USER,
            parts=(TextPart(text=one.text),),
            author=Author(user_id=UserId(one.agent), name=one.agent, kind=AuthorKind.BOT),
            at=1,
        )
        for one in run.steps
    )
    end = TurnEnd(turn=turn, agent=MAIN, channel=GENERAL.channel, at=1, status=TurnStatus.REPLIED, messages=said)
    await store.journal.end_turn(end)


async def inspected(run: FailedRun, service: Service, told: Told, data: Path) -> Attribution:
    """Have one log inspected by a bot of its own."""
    async with a_stage(data, service, told) as stage:
        await lay_out(stage.bot.store, run)
        lines = await stage.says("root", f"!cortex ask {QUESTION.format(task=_plain(run.task)[:_MAX_TASK_CHARS])}")
        return attributed("\n".join(lines), run.steps)


def shares(runs: Sequence[FailedRun], found: Sequence[Attribution]) -> tuple[float, float]:
    """Return the shares of agents and of steps that were named rightly."""
    agents = sum(one.agent == got.agent for one, got in zip(runs, found, strict=True))
    steps = sum(one.step == got.step for one, got in zip(runs, found, strict=True))
    return agents / len(runs), steps / len(runs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path)
    parser.add_argument("model")
    given = parser.parse_args()
    runs = list(read_runs(given.directory))
    if not runs:
        raise SystemExit(f"There is no log in {given.directory}.")
    service, told, found = Service.of({**os.environ, "MODEL_NAME": given.model}), Told(), list[Attribution]()
    for run in runs:
        with tempfile.TemporaryDirectory(prefix="glassmind-runs-") as folder:
            found.append(asyncio.run(inspected(run, service, told, Path(folder) / "data")))
        told.say(
            f"{run.name}: step {found[-1].step} of {found[-1].agent or 'nobody'}; it was {run.step} of {run.agent}"
        )
    for name, (agents, steps) in {given.model: shares(runs, found), **BASELINES}.items():
        told.say(f"{name}: agents {agents:.1%}, steps {steps:.1%}")


if __name__ == "__main__":
    main()
