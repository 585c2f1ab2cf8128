"""Which dialect a service wants: by key, by its address or a model's name, or as one of its refusals says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from yarl import URL

from bot.domain.dialect import NO_SCHEMA, Dialect, DialectTrait, TaughtTrait, is_trait
from bot.errors import ProviderError
from bot.sentences import say

_TEMPLATE = (DialectTrait.ALTERNATE, DialectTrait.NO_USER_AFTER_TOOL, DialectTrait.NINE_IDS)
DIALECTS: Mapping[str, tuple[DialectTrait, ...]] = {
    "openai": (),
    "deepseek": (DialectTrait.MAX_TOKENS, DialectTrait.REASONING_BESIDE_CALLS),
    "gemini": (DialectTrait.SIGNATURES,),
    "gemma": (DialectTrait.ALTERNATE,),
    "groq": (),
    "lm_studio": (DialectTrait.NO_NULL,),
    "mistral": (DialectTrait.MAX_TOKENS, DialectTrait.NO_STREAM_OPTIONS, *_TEMPLATE),
    "ollama": (DialectTrait.MAX_TOKENS,),
    "openrouter": (),
}
"""The services and templates that are known by name. Sources: their API pages, and what their users report."""
_BY_HOST = (
    ("deepseek.com", "deepseek"),
    ("generativelanguage.googleapis.com", "gemini"),
    ("mistral.ai", "mistral"),
    ("groq.com", "groq"),
    ("openrouter.ai", "openrouter"),
    ("openai.com", "openai"),
)
_BY_PORT = {1234: "lm_studio", 11434: "ollama"}
"""The ports on which programs of one's own machine answer."""
_TRANSLATING_KEYS = frozenset({"openai", "openrouter", "groq", "mistral", "deepseek", "gemini"})
"""Services that put a request into the model's own form themselves: there a model's name says nothing."""
_BY_MODEL: Mapping[str, tuple[DialectTrait, ...]] = {
    **dict.fromkeys(("mistral", "mixtral", "ministral", "magistral", "codestral", "devstral"), _TEMPLATE),
    "gemma": (DialectTrait.ALTERNATE,),
    "deepseek": (DialectTrait.REASONING_BESIDE_CALLS,),
    "gemini-3": (DialectTrait.SIGNATURES,),
}
"""What the templates want that come with a model, whoever serves it."""
_TEACHING_STATUSES = frozenset({400, 404, 405, 415, 422, 500, 501})
"""Statuses that refuse a form: 404 is how an aggregator says that nobody offers it, 500 how a template fails."""


@dataclass(frozen=True)
class ServiceDialects:
    """Implements `bot.ports.model.DialectBook` for one configured service. `keys` are what its table names."""

    base_url: str
    keys: tuple[str, ...] = ()
    learns: bool = True
    known: tuple[str, ...] = tuple(DialectTrait)
    """The traits that its protocol has a form for."""

    def of(self, model: str) -> Dialect:
        """Return what is known beforehand of how requests to a model are written."""
        named = [key for key in self.keys if key in DIALECTS]
        traits: list[str] = [key for key in self.keys if key not in DIALECTS]
        place = by_address(self.base_url)
        traits += (trait for name in (named or [place]) for trait in DIALECTS.get(name, ()))
        if not named and place not in _TRANSLATING_KEYS:
            lower = model.lower()
            traits += (trait for words, theirs in _BY_MODEL.items() if words in lower for trait in theirs)
        return Dialect.of(trait for trait in traits if self._has_a_form(trait))

    def lesson(self, dialect: Dialect, error: ProviderError) -> TaughtTrait | None:
        """Return what a refusal teaches that the dialect does not have yet; pure, and None for most refusals."""
        if error.status not in _TEACHING_STATUSES or error.partial_text:
            return None
        # imported here: most services never refuse anything, and patterns take time to compile
        from adapters.model_http.lessons import lessons

        for taught in lessons(str(error)):
            if taught.trait not in dialect.traits and self._has_a_form(taught.trait):
                return taught
        return None

    def _has_a_form(self, trait: str) -> bool:
        return trait in self.known or (trait.startswith(NO_SCHEMA) and NO_SCHEMA in self.known)


def by_address(base_url: str) -> str:
    """Return the dialect of a known service, or of a program that listens on its usual port; empty for others."""
    url = URL(base_url)
    host = url.host or ""
    for name, dialect in _BY_HOST:
        if host == name or host.endswith(f".{name}"):
            return dialect
    return _BY_PORT.get(url.port or 0, "")


def checked_keys(value: object) -> tuple[str, ...]:
    """Return the names in a key `dialect`; raise ValueError for one that there is not."""
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise ValueError(say("config.must-be-names"))
    for name in names:
        if name and name not in DIALECTS and not is_trait(name):
            known = ", ".join((*sorted(DIALECTS), *sorted(DialectTrait), f"{NO_SCHEMA}KEYWORD"))
            raise ValueError(say("config.no-such-dialect", name=repr(name[:40]), known=known))
    return tuple(name for name in names if name)
