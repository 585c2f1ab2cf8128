"""Look at a service's list of models, and say what that proves: a list that is open to everybody proves no key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import orjson

from adapters.model_http.client import ModelHttpClient
from adapters.model_http.settings import ServiceSettings
from bot.domain.health import KEY, LISTED, ProbeResult
from bot.errors import ProviderError, ProviderFault
from bot.ports.advice import advice
from bot.sentences import say

_MAX_NAMES = 5_000
_MAX_NAME_CHARS = 200
_PLACES = ("data", "models")
_NAMES = ("id", "name", "model")


async def look_at_list(
    name: str, line: ModelHttpClient, settings: ServiceSettings, headers: Mapping[str, str], path: str = "/models"
) -> Sequence[ProbeResult]:
    """Return the row of a service; no model call, never raises. `headers` are those that a request has but the key.

    The facts of the row are the models' names, and whether the list opens with the key alone.
    """
    where, closed = settings.base_url, "" if settings.key else "none"
    try:
        names = _names(await line.get(path))
    except ProviderError as error:
        fix, code = advice(error.fault), error.fault.value
        return (ProbeResult(name=name, state="failed", evidence=str(error), fix=fix, code=code, facts=_key(closed)),)
    if names is None:
        fix, code = advice(ProviderFault.GARBAGE), ProviderFault.GARBAGE.value
        words = say("service_doctor.no-list", where=where)
        return (ProbeResult(name=name, state="failed", evidence=words, fix=fix, code=code, facts=_key(closed)),)
    facts, many = tuple((LISTED, one) for one in names), say("service_doctor.lists", where=where, models=len(names))
    if not settings.key:
        return (ProbeResult(name=name, state="ok", evidence=many, facts=(*facts, *_key("none"))),)
    if await _opens_without(path, settings, headers):
        words = say("service_doctor.open-to-all", lists=many)
        return (ProbeResult(name=name, state="ok", evidence=words, facts=(*facts, *_key("unproven"))),)
    words = say("service_doctor.with-key", lists=many)
    return (ProbeResult(name=name, state="ok", evidence=words, facts=(*facts, *_key("proven"))),)


async def _opens_without(path: str, settings: ServiceSettings, headers: Mapping[str, str]) -> bool:
    """Say whether the list may be open to everybody: only a refusal says that it is not."""
    bare = ModelHttpClient(settings, headers)
    try:
        await bare.get(path)
    except ProviderError as error:
        return error.status not in (401, 403) and error.fault is not ProviderFault.AUTH
    finally:
        await bare.close()
    return True


def _key(state: str) -> tuple[tuple[str, str], ...]:
    return ((KEY, state),)


def _names(body: bytes) -> list[str] | None:
    """Read the names, in whichever of the usual forms they stand; None where there is no list."""
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
    if isinstance(value, dict):
        value = next((value[place] for place in _PLACES if isinstance(value.get(place), list)), None)
    if not isinstance(value, list):
        return None
    return list(dict.fromkeys(_each(value[:_MAX_NAMES])))


def _each(rows: Sequence[Any]) -> Iterator[str]:
    for row in rows:
        named = (row.get(key) for key in _NAMES) if isinstance(row, dict) else (row,)
        found = next((name for name in named if isinstance(name, str) and name), "")
        if found:
            yield found[:_MAX_NAME_CHARS]
