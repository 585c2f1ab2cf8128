"""The one way to a prompt: templates come from the `prompts` package, user text is only ever a value."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

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
_IN_EVERY_PROMPT = ("sections/", "protocol/")


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


def render(template: str, language: str = "en", **values: Any) -> str:
    """Render `prompts/<language>/<template>.md.j2`; a missing value is an error, trailing white space is cut."""
    plain = _plain(template, language)
    if plain is not None:
        return plain
    return _template(template, language).render(**values).strip()


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
    return render(template, **dict(values))


def warm(language: str = "en") -> None:
    """Compile what the first message needs (50 ms); call it from a thread.

    Any other template takes 2 ms when it is first rendered. All of them at once would take a start half a second, in
    which everybody who writes shares the interpreter with them.
    """
    names = _environment(language).list_templates(filter_func=lambda name: name.startswith(_IN_EVERY_PROMPT))
    for template in (name.removesuffix(_ENDING) for name in names if name.endswith(_ENDING)):
        if _plain(template, language) is None:
            _template(template, language)
