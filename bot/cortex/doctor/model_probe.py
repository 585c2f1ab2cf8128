"""Ask each configured model for one token: that proves what a list of models does not, that key and model work."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple, Protocol

from bot.agent.turn.model_client import ModelClient
from bot.config import Config
from bot.context.probe_request import probe_request
from bot.cortex.doctor.probe_journal import ProbeJournal
from bot.domain.health import KEY, LISTED, ProbeResult
from bot.domain.llm import LLMResponse, ModelName
from bot.errors import ProviderError, ProviderFault
from bot.ports.advice import advice
from bot.ports.clock import Clock
from bot.ports.model import LLMProvider
from bot.sentences import say
from bot.text.figures import duration, money
from bot.text.text import quote_line
from bot.text.times import age

MAX_PROBED_MODELS = 8
"""Models that are asked at one look; a configuration with more has them named as not asked."""
ANSWER_TTL_SECONDS = 300.0
"""Seconds for which an answer proves what it proved: a doctor that is called again and again asks once."""
REFUSAL_TTL_SECONDS = 30.0
"""The same for a refusal: who has mended something wants to see it."""
_SLOW_SECONDS = 15.0
_WAIT_SECONDS = 6.0
"""Seconds that a look waits for an answer where the asking goes on behind it."""
_SILENT_SECONDS = 5.0
"""Seconds after which somebody who sees nothing wonders whether anything goes on."""
_MAX_NEAR_NAMES = 3

_PASSING_FAULTS = frozenset({ProviderFault.RATE, ProviderFault.OVERLOADED, ProviderFault.SERVER, ProviderFault.CUT})
_NO_LIST = frozenset(
    {
        ProviderFault.NOT_FOUND,
        ProviderFault.ADDRESS,
        ProviderFault.AUTH,
        ProviderFault.REFUSED,
        ProviderFault.BLOCKED,
        ProviderFault.GARBAGE,
        ProviderFault.BAD_REQUEST,
    }
)
"""Why a list may be missing where a model answers all the same."""
_TOO_SHORT = re.compile(r"(?:max_\w*tokens|output limit|token limit)\b.*\breached", re.IGNORECASE)
"""A model that thinks first needs more than a token for it, and a service may call that an error; it did answer."""


class TaskStarter(Protocol):
    """Starts work in the background for somebody who takes what comes of it."""

    def start(self, name: str, work: Coroutine[Any, Any, ProbeAnswer]) -> asyncio.Task[ProbeAnswer]:
        """Run this beside everything else."""


class ProbeAnswer(NamedTuple):
    """What came of one question. `at` and `seconds` are of the monotonic clock."""

    at: float
    seconds: float
    answer: LLMResponse | None
    error: ProviderError | None

    @property
    def proves(self) -> bool:
        """Whether the model answers: also where one token was too little for it."""
        error = self.error
        return error is None or (error.fault is ProviderFault.BAD_REQUEST and bool(_TOO_SHORT.search(str(error))))


def _silently(model: ModelName) -> None:
    """Tell nobody that a model keeps the doctor waiting."""


class ModelProbe:
    """Looks at model services. `free`: no model is asked, and the rows say so.

    `waits` is called once where a model lets whoever looks wait. Without `books` nobody counts what the questions take,
    and the rows say so. With `background` a question goes on when the look is
    over: a local server that loads a model would begin again.
    """

    def __init__(
        self,
        models: ModelClient,
        providers: Mapping[str, LLMProvider],
        clock: Clock,
        *,
        free: bool = False,
        background: TaskStarter | None = None,
        books: ProbeJournal | None = None,
        waits: Callable[[ModelName], None] = _silently,
    ) -> None:
        self._models = models
        self._providers = providers
        self._clock = clock
        self._free = free
        self._background = background
        self._books = books
        self._waits = waits
        self._asking: dict[ModelName, asyncio.Task[ProbeAnswer]] = {}
        self._since: dict[ModelName, float] = {}
        self._listed: dict[ModelName, str] = {}

    async def look(self, service: str, wanted: Sequence[ModelName]) -> Sequence[ProbeResult]:
        """Return the rows of a service and of its models; never asks one for more than a token."""
        rows = await self._providers[service].probe()
        row = next((row for row in rows if any(name == KEY for name, _ in row.facts)), None)
        if row is None or row.code in (ProviderFault.UNREACHABLE, ProviderFault.TIMEOUT):
            return rows
        asked = list(wanted[:MAX_PROBED_MODELS])
        if self._free:
            return [*rows, *(_unasked(model, row) for model in asked)]
        found = await asyncio.gather(*(self._asked(model, row.code) for model in asked))
        told = [self._told(model, one, row) for model, one in zip(asked, found, strict=True)]
        more = [_left_out(len(wanted) - len(asked), service)] if len(wanted) > len(asked) else []
        answers = any(one is not None and one.proves for one in found)
        return [*(_without_list(one) if answers and one is row else one for one in rows), *told, *more]

    async def _asked(self, model: ModelName, listed: str) -> ProbeAnswer | None:
        """Ask, or return what is still known; None: it has not answered yet.

        What is known holds as long as the service's list is refused, or not, as it was then: a key may be withdrawn.
        """
        if self._background is None:
            return await self._ask(model)
        task = self._asking.get(model)
        changed = self._listed.get(model) != listed
        if task is None or (task.done() and (changed or not self._holds(task))):
            task = self._background.start(f"one token of {model}", self._ask(model))
            self._asking[model], self._since[model] = task, self._clock.monotonic()
            self._listed[model] = listed
        await asyncio.wait((task,), timeout=_WAIT_SECONDS)
        return task.result() if task.done() and not task.cancelled() else None

    def _holds(self, task: asyncio.Task[ProbeAnswer]) -> bool:
        if task.cancelled() or task.exception() is not None:
            return False
        known = task.result()
        return self._clock.monotonic() - known.at < (ANSWER_TTL_SECONDS if known.proves else REFUSAL_TTL_SECONDS)

    async def _ask(self, model: ModelName) -> ProbeAnswer:
        began = self._clock.monotonic()
        provider, loop = self._providers[model.provider], asyncio.get_running_loop()
        snapshot = probe_request(self._models.limits(model))
        wire = self._models.encode(snapshot.request, snapshot.inputs.limits.dialect)
        begun = await self._books.begin(snapshot, wire) if self._books is not None else None
        telling = loop.call_later(_SILENT_SECONDS, self._waits, model)
        answer: LLMResponse | None = None
        failed: ProviderError | None = None
        try:
            answer = await provider.complete(wire, lambda _: None)
        except ProviderError as error:
            failed = error
        finally:
            telling.cancel()
        at = self._clock.monotonic()
        if self._books is not None and begun is not None and (came := answer or failed) is not None:
            await self._books.end(begun, at - began, came)
        return ProbeAnswer(at, at - began, answer, failed)

    def _told(self, model: ModelName, asked: ProbeAnswer | None, row: ProbeResult) -> ProbeResult:
        name = _name(model)
        if asked is None:
            waited = duration(self._clock.monotonic() - self._since[model])
            words, fix = say("doctor.no-answer-yet", time=waited), say("doctor.no-answer-yet-fix")
            return ProbeResult(name=name, state="unknown", evidence=words, fix=fix)
        if asked.proves:
            return self._answered(name, model, asked, row)
        error, ago = asked.error, self._ago(asked)
        assert error is not None
        fault, fix = error.fault, advice(error.fault)
        near = _near(model, row) if fault in (ProviderFault.NOT_FOUND, ProviderFault.BAD_REQUEST) else ""
        state = "warning" if fault in _PASSING_FAULTS else "failed"
        words = say("doctor.failed-ago", why=str(error), age=ago) if ago else str(error)
        return ProbeResult(name=name, state=state, evidence=words, fix=near or fix, code=fault.value)

    def _answered(self, name: str, model: ModelName, asked: ProbeAnswer, row: ProbeResult) -> ProbeResult:
        usage = asked.answer.usage if asked.answer else None
        price = self._models.price(model, usage) if usage else None
        tokens = usage.input if usage else None
        counted = say("doctor.counted-tokens", tokens=tokens) if tokens else say("doctor.not-counted")
        cost = money(price) if price is not None else say("doctor.no-price")
        words = say(
            "doctor.answered",
            key="with" if dict(row.facts).get(KEY) in ("proven", "unproven", "") else "without",
            time=duration(asked.seconds),
            counted=counted,
            cost=cost if self._books is not None else say("doctor.not-in-account", cost=cost),
            ago=self._ago(asked) or "now",
            listed="no" if _is_listed(model, row) is False else "yes",
        )
        if asked.seconds >= _SLOW_SECONDS:
            return ProbeResult(name=name, state="warning", evidence=words, fix=say("doctor.slow-fix"))
        return ProbeResult(name=name, state="ok", evidence=words)

    def _ago(self, asked: ProbeAnswer) -> str:
        """Say how long ago it was asked; empty where that was just now."""
        ago = self._clock.monotonic() - asked.at
        return age(round(ago * 1000)) if ago >= 1 else ""


def configured_models(models: ModelClient, config: Config) -> tuple[ModelName, ...]:
    """Return every model that is configured to answer, to inspect or to summarise; the main one first."""
    theirs = (models.chain(agent.model, agent.fallbacks) for agent in config.agents.values())
    there = (models.chain(channel.model, ()) for channel in config.channels.values() if channel.model)
    others = (models.chain(name, ()) for name in (config.cortex.model, config.compaction.summarization_model) if name)
    chains = (models.chain(), *theirs, *there, *others)
    return tuple(dict.fromkeys(name for chain in chains for name in chain))


def models_of_service(models: Sequence[ModelName], service: str) -> tuple[ModelName, ...]:
    """Return the models that a service answers for."""
    return tuple(model for model in models if model.provider == service)


def _name(model: ModelName) -> str:
    return say("doctor.answer-of", model=quote_line(str(model), 60))


def _unasked(model: ModelName, row: ProbeResult) -> ProbeResult:
    """Say of a model that nobody asked what its service's list says of it."""
    listed, key = _is_listed(model, row), dict(row.facts).get(KEY)
    if listed is False:
        words = say("doctor.unlisted-unasked")
        return ProbeResult(name=_name(model), state="warning", evidence=words, fix=_near(model, row))
    if listed and key in ("proven", "none"):
        words = say("doctor.listed-key-unasked" if key == "proven" else "doctor.listed-unasked")
        return ProbeResult(name=_name(model), state="ok", evidence=words)
    words, fix = say("doctor.unasked"), say("doctor.unasked-fix")
    return ProbeResult(name=_name(model), state="unknown", evidence=words, fix=fix)


def _left_out(many: int, service: str) -> ProbeResult:
    words = say("doctor.more-unasked", count=many, most=MAX_PROBED_MODELS)
    return ProbeResult(name=say("doctor.more-models", service=service), state="ok", evidence=words)


def _without_list(row: ProbeResult) -> ProbeResult:
    """Return a service's row where a model answered: a list that is missing or closed then means nothing."""
    if row.state == "ok" or row.code not in _NO_LIST:
        return row
    words = say("doctor.list-missing", why=row.evidence)
    return row.replace(state="ok", evidence=words, fix="", code="")


def _listed(row: ProbeResult) -> list[str]:
    return [value for name, value in row.facts if name == LISTED]


def _is_listed(model: ModelName, row: ProbeResult) -> bool | None:
    """Say whether the list has it, under one of the names that mean the same; None where there is no list."""
    names = _listed(row)
    if not names:
        return None
    return bool({name.casefold() for name in names} & set(_spellings(model)))


def _spellings(model: ModelName) -> Iterator[str]:
    name = model.model.casefold()
    # Gemini lists `models/x`, Ollama `x:latest`; a part behind a colon chooses among one model's servers at OpenRouter
    yield from (name, f"models/{name}", f"{name}:latest", name.removeprefix("models/"), name.removesuffix(":latest"))
    yield name.partition(":")[0] if "/" in name else name


def _near(model: ModelName, row: ProbeResult) -> str:
    """Advise where the name is wrong; empty where the list has it, or there is none."""
    names = _listed(row)
    if not names or _is_listed(model, row):
        return ""
    near = get_close_matches(model.model, names, _MAX_NEAR_NAMES, 0.5)
    if not near:
        return say("doctor.set-name", count=len(names))
    return say("doctor.set-name-near", names=", ".join(quote_line(one, 50) for one in near))
