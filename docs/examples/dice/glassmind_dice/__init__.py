"""A dice game: people type `/roll 2d6`, and the model may roll, too."""

from __future__ import annotations

import re
from functools import partial
from random import Random, SystemRandom

from pydantic import Field

from bot.api import (
    Authority,
    ChatCommand,
    CommandContext,
    Contributions,
    GivenCommand,
    Plugin,
    PluginSettings,
    PluginSetup,
    ProcessKind,
    ToolArgs,
    ToolError,
    UserError,
    tool,
)

_DICE = re.compile(r"(\d{1,3})?d(\d{1,4})", re.IGNORECASE)


class DiceSettings(PluginSettings):
    """The keys of [plugins.dice]. With a `seed` the same dice fall at every start."""

    most_dice: int = Field(20, ge=1, le=100)
    seed: int | None = None


class RollArgs(ToolArgs):
    """What the model fills in."""

    dice: str = Field(description="such as 2d6: two dice of six sides")


def build(setup: PluginSetup[DiceSettings]) -> Contributions:
    """Make the parts out of the settings."""
    settings = setup.settings
    chance = SystemRandom() if settings.seed is None else Random(settings.seed)

    @tool(kinds=[ProcessKind.CHANNEL], description="Roll dice. Use it whenever chance is to decide.")
    async def roll_dice(args: RollArgs) -> str:
        try:
            return rolled(args.dice, settings.most_dice, chance)
        except ValueError as error:
            raise ToolError(str(error)) from None

    return Contributions(
        tools=[roll_dice],
        commands=[
            ChatCommand(
                "roll",
                Authority.EVERYONE,
                "[2d6] roll dice",
                partial(_roll, most=settings.most_dice, chance=chance),
                argument="dice",
            )
        ],
    )


async def _roll(call: GivenCommand, desk: CommandContext, *, most: int, chance: Random) -> str:
    try:
        return f"{call.caller.name} rolls {rolled(call.line.words or '1d6', most, chance)}"
    except ValueError as error:
        raise UserError(str(error)) from None


def rolled(dice: str, most: int, chance: Random) -> str:
    """Roll, and write down what fell; raise ValueError for what is no dice."""
    found = _DICE.fullmatch(dice.strip())
    count, sides = (int(found[1] or 1), int(found[2])) if found else (0, 0)
    if not 1 <= count <= most or sides < 2:
        raise ValueError(f"Say how many dice of how many sides, up to {most}: 2d6")
    fell = [chance.randint(1, sides) for _ in range(count)]
    return f"{count}d{sides}: {' + '.join(map(str, fell))} = {sum(fell)}"


plugin = Plugin(build, DiceSettings)
