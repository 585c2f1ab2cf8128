"""The one way to a prompt: templates come from the `prompts` package, user text is only ever a value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from bot.sentences import ENGLISH, language_spoken, note_missing, say, speaking
from bot.text.bar_paths import bar_paths
from bot.text.figures import duration, exact_number, in_figures, money
from bot.text.text import fence, one_line_name, visible

if TYPE_CHECKING:
    from jinja2 import Template  # noqa: TID251 - this is bot.prompts
    from jinja2.nodes import Node
    from jinja2.runtime import Context
    from jinja2.sandbox import ImmutableSandboxedEnvironment
    from markupsafe import Markup

_ENDING = ".md.j2"
_PAGE_ENDING = ".html.j2"
_MARKS = ("{{", "{%", "{#")
_CLEANING = frozenset({"fence", "name", "visible"})
"""Filters behind which words of somebody cannot be taken for ours."""
_replaced: ContextVar[Mapping[str, str] | None] = ContextVar(
    "templates that stand for those of `prompts`", default=None
)
_IN_EVERY_PROMPT = ("sections/", "protocol/")
_TYPED, _BOLD, _MARKED = re.compile(r"`([^`]+)`"), re.compile(r"\*([^*]+)\*"), re.compile("[`*]")


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
def _pages() -> ImmutableSandboxedEnvironment:
    # imported here: most bots have no page
    from jinja2 import pass_context

    pages = _sandbox(ENGLISH, autoescape=True)
    # with the context, or what they say would be said once, when a template is compiled
    for name, said in (("say", _say), ("say_word", _say_word), ("say_html", _say_html)):
        pages.filters[name] = pass_context(said)
    pages.filters["when"] = _when
    pages.filters["lasted"] = lambda ms: duration(ms / 1000)
    pages.filters["number"] = exact_number
    pages.filters["figure"] = lambda figure: in_figures(str(figure))
    pages.filters["money"] = money
    pages.filters["bars"] = bar_paths
    pages.filters["each"] = _each
    return pages


def render_page(template: str, **values: Any) -> str:
    """Render `prompts/en/<template>.html.j2` for a browser: every value is text there, never markup.

    A page is drawn once for all languages: what it says is said in the one that is spoken now.
    """
    return _pages().get_template(template + _PAGE_ENDING).render(language=language_spoken(), **values)


def _say(_: Context, name: str, /, **values: str | int) -> str:
    return say(name, **values) if values else _word(language_spoken(), name, ())


def _say_word(_: Context, name: str, /, **values: str | int) -> str:
    """Say a sentence about words of ours, such as a state, or a small number: a page says the same few all the time."""
    return _word(language_spoken(), name, tuple(values.items()))


@lru_cache(maxsize=2000)
def _word(language: str, name: str, values: tuple[tuple[str, str | int], ...]) -> str:
    with speaking(language):
        return say(name, **dict(values))


def _each(words: Iterable[str], name: str, value: str, **others: str) -> str:
    """Say a sentence of each of many words, which are its `value`; `others` are said already."""
    language = language_spoken()
    return ", ".join(others.get(word) or _word(language, name, ((value, word),)) for word in words)


def _say_html(_: Context, name: str, /, **values: Any) -> Markup:
    """Say a sentence in which `*words*` are important and `` `words` `` are typed as they stand.

    A value is text, but for what a template made of others itself.
    """
    # imported here: most bots have no page
    from markupsafe import Markup, escape

    kept = [key for key, value in values.items() if isinstance(value, Markup) or _MARKED.search(str(value))]
    text = str(escape(say(name, **{**values, **{key: slot(number) for number, key in enumerate(kept)}})))
    html = _BOLD.sub(r"<b>\1</b>", _TYPED.sub(r"<code>\1</code>", text))
    for number, key in enumerate(kept):
        html = html.replace(slot(number), str(escape(values[key])))
    return Markup(html)


def _when(at: int) -> str:
    """Write a moment out in UTC: `26 Nov 20:44:18`."""
    moment = datetime.fromtimestamp(at / 1000, UTC)
    return f"{_day(language_spoken(), moment.month, moment.day)} {moment:%H:%M:%S}"


@cache
def _day(language: str, month: int, day: int) -> str:
    with speaking(language):
        return say(
            "memory_chart.date",
            day=f"{day:02}",
            month=f"{datetime(2000, month, day, tzinfo=UTC):%b}",
            number=str(month),
        )


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
        *("withheld", "pressed", "too_many_calls", "written_tools", "replay/neutral"),
        *("cortex/contract", "cortex/question", "cortex/talk", "cortex/changed_since"),
    )
)
_ROOMS_FOR_MODELS = ("sections/", "tools/", "mcp/", "protocol/", "plugins/")


def is_for_people(template: str) -> bool:
    """Say whether people read a template, in a chat or at a terminal, so that every language has it."""
    name = template.removesuffix(_ENDING)
    return name not in _FOR_MODELS and not name.startswith(_ROOMS_FOR_MODELS)


@cache
def _is_there(name: str, language: str) -> bool:
    return files("prompts").joinpath(language, name).is_file()


def render(template: str, language: str = "", **values: Any) -> str:
    """Render `prompts/<language>/<template>.md.j2`; a missing value is an error, trailing white space is cut.

    Without a language it is the one that is spoken to people now, where that has the template: what only a model reads
    is in English alone.
    """
    replaced = _replaced.get()
    if replaced is not None and template in replaced:
        return _template_of(replaced[template]).render(**values).strip()
    spoken = language or language_spoken()
    found = spoken if _is_there(template + _ENDING, spoken) else ENGLISH
    if found != spoken and is_for_people(template):
        note_missing(spoken, template)
    plain = _plain(template, found)
    if plain is not None:
        return plain
    return _template(template, found).render(**values).strip()


@contextmanager
def templates_replaced(texts: Mapping[str, str]) -> Iterator[None]:
    """Let texts stand for templates of `prompts/en`, by their names, for what is rendered inside of this."""
    token = _replaced.set(texts)
    try:
        yield
    finally:
        _replaced.reset(token)


@lru_cache(maxsize=64)
def _template_of(text: str) -> Template:
    # imported here: no bot without such a text needs it
    from jinja2 import DictLoader

    return _environment("en").overlay(loader=DictLoader({_ENDING: text})).get_template(_ENDING)


class ReplacementProblem(NamedTuple):
    """Why a text cannot stand for a template: values that it asks for and that are not given (`unknown`), or that
    the template cleans as somebody's words, and it does not (`uncleaned`); `broken` says what cannot be read of it.
    """

    unknown: tuple[str, ...] = ()
    uncleaned: tuple[str, ...] = ()
    broken: str = ""


def replacement_problem(template: str, text: str) -> ReplacementProblem | None:
    """Say why a text cannot stand for a template of `prompts/en`; None where it can."""
    # imported here: no bot without such a text needs it
    from jinja2 import TemplateError

    try:
        theirs = _used(text)
    except TemplateError as error:
        return ReplacementProblem(broken=str(error))
    own = _used("\n".join(template_lines(template)))
    unknown = tuple(sorted(theirs.values - own.values))
    uncleaned = tuple(sorted((own.cleaned - own.plain) & theirs.plain))
    return ReplacementProblem(unknown, uncleaned) if unknown or uncleaned else None


class _Used(NamedTuple):
    """The values that a template asks for; of them and their parts (`channel.name`) those that it prints or cleans."""

    values: frozenset[str]
    plain: frozenset[str]
    cleaned: frozenset[str]


def _used(text: str) -> _Used:
    # imported here: no bot without such a text needs it
    from jinja2 import meta, nodes

    parsed = _environment("en").parse(text)
    printed: dict[bool, set[str]] = {True: set(), False: set()}
    for output in parsed.find_all(nodes.Output):
        for path, is_clean in _printed(output, is_clean=False):
            printed[is_clean].add(path)
    return _Used(frozenset(meta.find_undeclared_variables(parsed)), frozenset(printed[False]), frozenset(printed[True]))


def _printed(node: Node, *, is_clean: bool) -> Iterator[tuple[str, bool]]:
    for child in node.iter_child_nodes():
        if path := _path(child):
            yield path, is_clean
        else:
            yield from _printed(child, is_clean=is_clean or getattr(child, "name", "") in _CLEANING)


def _path(node: Any) -> str:
    """Return what a name or a part of one is called; empty for everything else."""
    if type(node).__name__ == "Name":
        return str(node.name)
    inner = _path(node.node) if type(node).__name__ == "Getattr" else ""
    return f"{inner}.{node.attr}" if inner else ""


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
    replaced = _replaced.get()
    text = _framed(template, replaced.get(template) if replaced else None, tuple(values.items()))
    for number, part in enumerate(slots):
        text = text.replace(slot(number), part)
    return text


@lru_cache(maxsize=512)
def _framed(template: str, replaced: str | None, values: tuple[tuple[str, Any], ...]) -> str:
    # what stands for the template is one of the keys: with another it is another text
    return render(template, ENGLISH, **dict(values))


def warm(language: str = "en") -> None:
    """Compile what the first message needs (50 ms); call it from a thread.

    Any other template takes 2 ms when it is first rendered. All of them at once would take a start half a second, in
    which everybody who writes shares the interpreter with them.
    """
    names = _environment(language).list_templates(filter_func=lambda name: name.startswith(_IN_EVERY_PROMPT))
    for template in (name.removesuffix(_ENDING) for name in names if name.endswith(_ENDING)):
        if _plain(template, language) is None:
            _template(template, language)
