"""Ten thousand commands to the cortex in ten seconds: what they start is bounded, and who talks meanwhile is answered.

Time is simulated, so that what is compared is waiting: for places, lanes, budgets and locks, and not the processor.
"""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass, field
from pathlib import Path

from bot.domain.ids import ChannelId
from tests.bot.cortex.chat import ADMIN, GENERAL, OWNER, STRANGER, dm_of
from tests.faults.family import Verdict
from tests.faults.runaway.scene import MODEL_SECONDS, Scene, a_scene

SECONDS = 10.0
QUESTIONS = 200
ROOMS = 20
PER_MINUTE = 6
COMMANDS = ("why", "context", "memory list", "doctor", "why isn't this responding", "help", "last", "tools", "ledger")
ASKERS = (OWNER, OWNER, ADMIN, ADMIN, STRANGER)


@dataclass
class Talk:
    """Ordinary questions: when each was asked, in seconds of the clock."""

    questions: int = QUESTIONS
    asked: dict[int, float] = field(default_factory=dict)

    async def go_on(self, scene: Scene) -> None:
        """Ask all of them, evenly over the time, each room in turn."""
        for number in range(self.questions):
            room = ChannelId(f"console:#room{number % ROOMS}")
            self.asked[number] = scene.clock.monotonic()
            await scene.bot.manager.receive([scene.said(f"question {number}", f"{500 + number % 50}", room)], None)
            await scene.clock.sleep(SECONDS / self.questions)

    def waited(self, scene: Scene) -> list[float]:
        """How long each took, the longest last; every one was answered exactly once."""
        took: dict[int, float] = {}
        for at, message in scene.platform.times:
            if message.text.startswith("answer "):
                number = int(message.text.removeprefix("answer "))
                assert number not in took, f"question {number} was answered twice"
                took[number] = at - self.asked[number]
        missing = sorted(set(self.asked) - set(took))
        assert not missing, f"{len(missing)} questions were never answered: {missing[:5]}"
        return sorted(took.values())


async def _spams(scene: Scene, commands: int, chance: random.Random) -> None:
    batch = max(1, commands // 1000)
    for _ in range(0, commands, batch):
        said = []
        for _ in range(batch):
            by = chance.choice(ASKERS)
            where = chance.choice((GENERAL, dm_of(by)))
            said.append(scene.said(f"!cortex {chance.choice(COMMANDS)}", by, where))
        await scene.bot.manager.receive(said, None)
        await scene.clock.sleep(SECONDS * batch / commands)


async def play_spam(commands: int, directory: Path) -> Verdict:
    """Talk in peace, then beside the commands; compare."""
    questions = QUESTIONS if commands >= 1000 else QUESTIONS // 10
    async with a_scene(directory / "calm") as scene:
        calm = Talk(questions)
        await calm.go_on(scene)
        await scene.bot.settled()
        before = calm.waited(scene)
    async with a_scene(directory / "spam") as scene:
        busy, chance = Talk(questions), random.Random(commands)
        await asyncio.gather(busy.go_on(scene), _spams(scene, commands, chance))
        await scene.bot.settled()
        after = busy.waited(scene)
        private = [message for _, message in scene.platform.times if message.to.private_to is not None]
        strangers = [message for message in private if message.to.private_to == STRANGER]
        asked = scene.model.asked - questions
    # two admins, of whose commands one more is taken while time passes, each answered with six messages at the most
    most = {"messages": 2 * (PER_MINUTE + 2) * 6, "inspections": 2 * (PER_MINUTE + 2) * 2}
    passed = [f"{len(private)} messages to admins, {most['messages']} are allowed"] * (len(private) > most["messages"])
    passed += [f"{asked} requests of inspections"] * (asked > most["inspections"])
    passed += [f"a stranger was told {message.text!r}" for message in strangers[:1]]
    slower = 100 * (p99(after) / p99(before) - 1)
    figures = {"slower_percent": round(max(0.0, slower), 2)}
    assert p99(before) >= MODEL_SECONDS
    return Verdict(n=1, counts={"passed": len(passed)}, figures=figures, trouble="; ".join(passed))


def p99(values: list[float]) -> float:
    """The value that one in a hundred lies above."""
    return values[min(len(values) - 1, int(len(values) * 0.99))]
