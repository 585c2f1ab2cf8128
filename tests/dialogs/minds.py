"""A model that plays every process: what it answers depends on whose request it is, and on what was done so far."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from bot.domain.llm import LLMRequest, LLMResponse
from bot.domain.messages import Role
from tests.dialogs.bot import Bot
from tests.fakes.provider import ScriptedProvider, calls, says

Mind = Callable[[LLMRequest], LLMResponse]


def kind_of(request: LLMRequest) -> str:
    """Say whose request it is, by what it may call."""
    tools = {tool.name for tool in request.tools}
    return "channel" if "skip" in tools else "worker" if "finish" in tools else "branch" if tools else "other"


def asked(request: LLMRequest) -> str:
    """The newest message of a person or of the program."""
    return next(m.text for m in reversed(request.messages) if m.role is Role.USER)


def done(request: LLMRequest) -> int:
    """How many rounds of tools lie behind the newest message."""
    at = max(n for n, m in enumerate(request.messages) if m.role is Role.USER)
    return sum(m.role is Role.TOOL for m in request.messages[at:])


async def until(is_so: Callable[[], Awaitable[bool]]) -> None:
    """Let everything go on until something is so; what never comes about fails the test."""
    for _ in range(5_000):
        if await is_so():
            return
        await asyncio.sleep(0.002)  # the store has a thread of its own, which may have to wait for a processor
    raise AssertionError("it never came about")


async def answered(bot: Bot) -> None:
    """Wait until every message has its outcome, whatever works in the background."""

    async def is_so() -> bool:
        return not await bot.store.ledger.unsettled()

    await until(is_so)


@dataclass
class Minds:
    """What each kind does; a request of a kind in `holds` waits until it is let go."""

    channel: Mind = lambda _: says("yes")
    branch: Mind = lambda _: says("thought about it")
    worker: Mind = lambda r: says("") if done(r) else calls(("finish", {"outcome": "done", "result": "worked"}))
    holds: set[str] = field(default_factory=set)
    requests: list[tuple[str, LLMRequest]] = field(default_factory=list)
    waiting: asyncio.Event = field(default_factory=asyncio.Event)
    goes_on: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, request: LLMRequest) -> LLMResponse:
        kind = kind_of(request)
        self.requests.append((kind, request))
        if kind in self.holds:
            self.waiting.set()
            await self.goes_on.wait()
        mind: Mind = getattr(self, kind, lambda _: says("fine"))
        return mind(request)

    def of(self, kind: str) -> list[LLMRequest]:
        return [request for whose, request in self.requests if whose == kind]

    @property
    def providers(self) -> dict[str, ScriptedProvider]:
        return {"scripted": ScriptedProvider(self)}


SCRIPTED = '[model]\nname = "scripted/mind"\n[providers.scripted]\nkind = "simulated"\n'
