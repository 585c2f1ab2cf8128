"""Innocent things that happen around a scenario and that no rule may take for a cause."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from typing import Any

from bot.domain.memory import MemoryType
from tests.fakes import values as v
from tests.scenarios.ported import PortedStage
from tests.scenarios.stage import Stage
from tests.scenarios.telegram_stage import Phones
from tests.servers.model import Says

_MEMORIES = (
    "bo likes plums and plays the cello.",
    "The market opens at nine, on Sundays at ten.",
    "james asks for answers in metric units.",
    "Nobody may park behind the barn on Fridays.",
    "bo said that the printer on floor 2 never answers, so use floor 3.",
)
_TALK = ("the kettle is on", "morning!", "who has the key to the shed", "lol", "see https://example.org/plums")
Whichever = Stage | PortedStage
Thing = Callable[[Any, random.Random], Awaitable[None]]


async def a_memory(stage: Whichever, chance: random.Random) -> None:
    """Something harmless is remembered."""
    at = stage.bot.clock.now() - chance.randrange(86_400_000)
    content, home = chance.choice(_MEMORIES), stage.home.channel
    await stage.store.memories.add(
        [v.memory(content, type=MemoryType.FACT, created_at=at, scope_id=home, channel=home)]
    )


async def talk_elsewhere(stage: Whichever, chance: random.Random) -> None:
    """People talk among themselves in another channel."""
    await _spoken(stage, chance.choice(("james", "bo")), chance.choice(_TALK), "#random")


async def a_question_elsewhere(stage: Whichever, chance: random.Random) -> None:
    """Somebody else is answered in another channel."""
    await _spoken(stage, chance.choice(("james", "bo")), f"@glassmind {chance.choice(_TALK)}", "#random")


async def a_member_comes(stage: Whichever, chance: random.Random) -> None:
    """Somebody is new."""
    if isinstance(stage, PortedStage):
        name = chance.choice(("Zoë", "Ахмед", "新人"))
        if isinstance(stage.online, Phones):
            stage.online.world.join(stage.online.kitchen, stage.online.world.person(name, "newcomer"))
        else:
            stage.online.house.join(stage.online.world.person(name, "newcomer"))
        await stage.online.quiet()


async def _spoken(stage: Whichever, name: str, text: str, place: str) -> None:
    """Let somebody speak; what the model would say to it takes nothing from the scenario's script."""
    script, answer = stage.server.script, Says("Sure.")
    if script:
        script.insert(0, answer)
    await stage.says(name, text, place)
    if script and script[0] is answer:
        script.pop(0)


AT_THE_TERMINAL: tuple[Thing, ...] = (a_memory, talk_elsewhere, a_question_elsewhere)
ON_TELEGRAM: tuple[Thing, ...] = (a_memory, a_member_comes)
ON_DISCORD: tuple[Thing, ...] = (a_memory, talk_elsewhere, a_member_comes)


async def happen(stage: Whichever, chance: random.Random) -> None:
    """Let two of them happen, and some time pass."""
    if not isinstance(stage, PortedStage):
        things, longest = AT_THE_TERMINAL, 7_200
    else:
        things, longest = (ON_TELEGRAM if isinstance(stage.online, Phones) else ON_DISCORD), 20
    for thing in chance.sample(things, 2):
        await thing(stage, chance)
    stage.passes(chance.randrange(1, longest))
    if isinstance(stage, PortedStage):
        await stage.online.quiet()
