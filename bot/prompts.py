"""The one way to a prompt: templates come from the `prompts` package, user text is only ever a value."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from bot.sentences import ENGLISH, language_spoken, note_missing
from bot.text.bar_paths import bar_paths
from bot.text.figures import duration, exact_number, money
from bot.text.text import fence, one_line_name, visible
from bot.text.times import date_and_time

if TYPE_CHECKING:
    from jinja2 import Template  # noqa: TID251 - this is bot.prompts
    from jinja2.sandbox import ImmutableSandboxedEnvironment

_ENDING = ".md.j2"
_PAGE_ENDING = ".html.j2"
_MARKS = ("{{", "{%", "{#")


def _sandbox(language: str, *, autoescape: bool) -> ImmutableSandboxedEnvironment:
    # imported here: a start renders nothing but plain texts, and waits for neither the library nor its compiler
    from jinja2 import PackageLoader, StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    return ImmutableSandboxedEnvironment(
        loader=PackageLoader("prompts", language),
        undefined=StrictUndefined,
        autoescape=autoescape,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        auto_reload=False,
    )


@cache
def _environment(language: str) -> ImmutableSandboxedEnvironment:
    environment = _sandbox(language, autoescape=False)
    environment.filters["fence"] = fence
    environment.filters["name"] = one_line_name
    environment.filters["visible"] = visible
    return environment


@cache
def _pages(language: str) -> ImmutableSandboxedEnvironment:
    pages = _sandbox(language, autoescape=True)
    pages.filters["when"] = date_and_time
    pages.filters["lasted"] = lambda ms: duration(ms / 1000)
    pages.filters["number"] = exact_number
    pages.filters["money"] = money
    pages.filters["bars"] = bar_paths
    return pages


def render_page(template: str, language: str = "en", **values: Any) -> str:
    """Render `prompts/<language>/<template>.html.j2` for a browser: every value is text there, never markup."""
    return _pages(language).get_template(template + _PAGE_ENDING).render(**values)


@cache
def _plain(template: str, language: str) -> str | None:
    """Return a template that is its own text, None for one that has to be filled in."""
    source = files("prompts").joinpath(language, template + _ENDING)
    text = source.read_text("utf-8") if source.is_file() else _MARKS[0]
    return None if any(mark in text for mark in _MARKS) else text.strip()


@cache
def _template(template: str, language: str) -> Template:
    found = _environment(language).get_template(template + _ENDING)
    # a chain of mappings, which would be walked anew by every rendering
    found.globals = dict(found.globals)
    return found


_FOR_MODELS = frozenset(
    (
        *("branch", "worker", "worker_goes_on", "inspection", "compactor", "compactor_task", "result", "correction"),
        *("withheld", "too_many_calls", "written_tools", "replay/neutral"),
        *("cortex/contract", "cortex/question", "cortex/talk", "cortex/changed_since"),
    )
)
_OF_NO_CHAT = ("sections/", "tools/", "mcp/", "protocol/", "plugins/", "init/", "replay/rehearsal")
"""What stands for models too, and what is only read where a program is run by hand."""


def is_for_people(template: str) -> bool:
    """Say whether people read a template in a chat, so that every language has it."""
    name = template.removesuffix(_ENDING)
    return name not in _FOR_MODELS and not name.startswith(_OF_NO_CHAT)


@cache
def _is_there(template: str, language: str) -> bool:
    return files("prompts").joinpath(language, template + _ENDING).is_file()


def render(template: str, language: str = "", **values: Any) -> str:
    """Render `prompts/<language>/<template>.md.j2`; a missing value is an error, trailing white space is cut.

    Without a language it is the one that is spoken to people now, where that has the template: what only a model reads
    is in English alone.
    """
    spoken = language or language_spoken()
    found = spoken if _is_there(template, spoken) else ENGLISH
    if found != spoken and is_for_people(template):
        note_missing(spoken, template)
    plain = _plain(template, found)
    if plain is not None:
        return plain
    return _template(template, found).render(**values).strip()


def template_path(template: str, language: str = "en") -> str:
    """Say where a template is written, as people find it in the tree."""
    return f"prompts/{language}/{template}{_ENDING}"


@cache
def template_lines(template: str, language: str = "en") -> tuple[str, ...]:
    """Return the lines of a template as they are written; none when there is no such template."""
    source = files("prompts").joinpath(language, template + _ENDING)
    return tuple(source.read_text("utf-8").splitlines()) if source.is_file() else ()


def slot(number: int) -> str:
    """Return what stands for a text that `render_slots` puts in; no name that people choose can hold it."""
    return f"\x1a{number}\x1a"


def render_slots(template: str, slots: Sequence[str], **values: Any) -> str:
    """Render a template whose `values` hold `slot(0)`, `slot(1)`, ... where texts go that differ every time.

    The other values must be hashable: what they give is kept. The template may print a slot, and nothing else.
    """
    text = _framed(template, tuple(values.items()))
    for number, part in enumerate(slots):
        text = text.replace(slot(number), part)
    return text


@lru_cache(maxsize=512)
def _framed(template: str, values: tuple[tuple[str, Any], ...]) -> str:
    return render(template, ENGLISH, **dict(values))


def warm(language: str = "en") -> None:
    """Compile every template (0.2 s), so that no message has to wait for it; call it from a thread."""
    environment = _environment(language)
    for name in environment.list_templates(filter_func=lambda name: name.endswith(_ENDING)):
        _template(name.removesuffix(_ENDING), language)
