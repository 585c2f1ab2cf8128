"""A captured talk for gatherers to look at."""

from __future__ import annotations

from dataclasses import replace

from bot.domain.messages import Message
from bot.inspect.capture.reader_view import CaptureExtras, InspectedContext, ShownMessage
from bot.task_prompt.gatherers import GatherGrounds
from bot.task_prompt.task import TaskBrief, TaskType
from tests.bot.context.shown import capture
from tests.fakes.clock import START

LEDGER = ("i4k2p 08:53 failed: provider", "i4k2q 08:54 replied")
EXTRAS = CaptureExtras(
    ledger=LEDGER,
    journal=("r1 08:53 answered",),
    changes=tuple(f"2025-10-0{day} memory m000{day} learnt" for day in range(9, 1, -1)),
    places=("server 1", "  #general", "    thread plans"),
    config=("mode = active",),
)


def task(words: str = "why does it ignore james?", kind: TaskType = TaskType.DEBUG, budget: int = 4000) -> TaskBrief:
    return TaskBrief(task_type=kind, request=words, at=START, budget=budget)


def shown(*messages: Message) -> tuple[ShownMessage, ...]:
    return tuple(ShownMessage(index, one, 10, one.digest) for index, one in enumerate(messages, 1))


async def talk(*messages: Message) -> InspectedContext:
    context = replace(await capture(), extras=EXTRAS)
    return replace(context, messages=shown(*messages)) if messages else context


async def captured(*messages: Message, about: int = 0) -> GatherGrounds:
    return GatherGrounds(capture=await talk(*messages), about=about)
