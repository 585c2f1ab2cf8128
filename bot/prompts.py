"""The one way to a prompt: templates come from the `prompts` package, user text is only ever a value."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from bot.domain.text import fence, one_line_name, visible

if TYPE_CHECKING:
    from jinja2.sandbox import ImmutableSandboxedEnvironment

_ENDING = ".md.j2"
_MARKS = ("{{", "{%", "{#")


@cache
def _environment(language: str) -> ImmutableSandboxedEnvironment:
    # imported here: a start renders nothing but plain texts, and waits for neither the library nor its compiler
    from jinja2 import PackageLoader, StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(
        loader=PackageLoader("prompts", language),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        auto_reload=False,
    )
    environment.filters["fence"] = fence
    environment.filters["name"] = one_line_name
    environment.filters["visible"] = visible
    return environment


@cache
def _plain(template: str, language: str) -> str | None:
    """Return a template that is its own text, None for one that has to be filled in."""
    source = files("prompts").joinpath(language, template + _ENDING)
    text = source.read_text("utf-8") if source.is_file() else _MARKS[0]
    return None if any(mark in text for mark in _MARKS) else text.strip()


def render(template: str, language: str = "en", **values: Any) -> str:
    """Render `prompts/<language>/<template>.md.j2`; a missing value is an error, trailing white space is cut."""
    plain = _plain(template, language)
    if plain is not None:
        return plain
    return _environment(language).get_template(template + _ENDING).render(**values).strip()


def warm(language: str = "en") -> None:
    """Compile every template (0.2 s), so that no message has to wait for it; call it from a thread."""
    environment = _environment(language)
    for name in environment.list_templates():
        environment.get_template(name)
