"""The one way to a prompt: templates come from the `prompts` package, user text is only ever a value."""

from __future__ import annotations

from functools import cache
from typing import Any

from jinja2 import PackageLoader, StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from bot.domain.text import fence, one_line_name, visible


@cache
def _environment(language: str) -> ImmutableSandboxedEnvironment:
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


def render(template: str, language: str = "en", **values: Any) -> str:
    """Render `prompts/<language>/<template>.md.j2`; a missing value is an error, trailing white space is cut."""
    return _environment(language).get_template(f"{template}.md.j2").render(**values).strip()
