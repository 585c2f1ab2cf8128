"""The documentation is whole, leads nowhere that is not there, and what it has people type can be typed."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import sys
import tomllib
from asyncio.subprocess import PIPE, STDOUT
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.app.adapters import adapter_problems
from bot.cli.command_line import build_parser
from bot.config import parse_config
from bot.cortex.commands.command_arguments import TypedLine, fold
from bot.cortex.commands.command_table import BY_NAME as CORTEX_COMMANDS
from bot.cortex.commands.parser import parse
from bot.messaging.commands.table import BY_NAME, OWN_WHY
from tests.architecture import reference
from tests.architecture.tree import ROOT, short
from tests.diagnose import page as causes

README, DOCS, SITE = ROOT / "README.md", ROOT / "docs", ROOT / "mkdocs.yml"
PAGES = [README, *sorted(DOCS.rglob("*.md"))]
WRITTEN = [path for path in PAGES if path.parent != reference.FOLDER]
_FENCE = re.compile(r"^( *)```(\w*)[^\n]*\n(.*?)^\1```$", flags=re.DOTALL | re.MULTILINE)
_INDENTED = re.compile(r"(?:^ {4}.*\n|^\n(?= {4}))+", flags=re.MULTILINE)
_CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_SET = re.compile(r"^(?:[A-Z_]+=\S+ )+")
_SECRETS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "DISCORD_TOKEN", "COLLECTOR_KEY")
_TOKENS = {
    **dict.fromkeys(_SECRETS, "sk-a-key-0123456789"),
    "TELEGRAM_TOKEN": "123456789:AAaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "SUPPORT_TOKEN": "sk-another-key-0123456789",
    "DATABASE_URL": "postgresql://user@127.0.0.1/database",
}
MOST_WORDS = 700


def test_the_front_page_can_be_read_in_three_minutes() -> None:
    assert len(README.read_text(encoding="utf-8").split()) <= MOST_WORDS


@pytest.mark.parametrize("name", reference.pages())
def test_a_page_of_reference_is_what_the_program_says(name: str) -> None:
    assert (reference.FOLDER / name).read_text(encoding="utf-8") == reference.pages()[name], (
        "run python -m tests.architecture.reference"
    )


def test_every_table_of_the_configuration_is_described() -> None:
    assert reference.undescribed_tables() == set()


def test_the_page_of_causes_is_what_the_rules_say() -> None:
    assert causes.PAGE.read_text(encoding="utf-8") == causes.page(), "run python -m tests.diagnose.page"


def test_every_page_stands_in_the_contents_once() -> None:
    named = re.findall(r"[\w/-]+\.md", SITE.read_text(encoding="utf-8").partition("\nnav:")[2])
    assert sorted(named) == sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=short)
def test_every_link_within_leads_to_a_heading(page: Path) -> None:
    for link, anchor in re.findall(r"\]\(([^)#:]*)#([\w-]+)\)", page.read_text(encoding="utf-8")):
        target = (page.parent / link).resolve() if link else page
        assert anchor in anchors(target), f"{short(page)} links to {link}#{anchor}, which is not there"


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as the site makes them."""
    headings = re.findall(r"^#+ (.+)$", _FENCE.sub("", page.read_text(encoding="utf-8")), flags=re.MULTILINE)
    plain = (re.sub(r"[^\w\s-]", "", heading).strip().lower() for heading in headings)
    return {re.sub(r"[-\s]+", "-", heading) for heading in plain}


def blocks(page: Path, language: str) -> Iterator[str]:
    for indent, said, text in _FENCE.findall(page.read_text(encoding="utf-8")):
        if said == language:
            yield "\n".join(line.removeprefix(indent) for line in text.splitlines())


def tables() -> Iterator[tuple[Path, str]]:
    """What a reader would put into a configuration file."""
    for page in WRITTEN:
        yield from ((page, text) for text in blocks(page, "toml"))
    for text in _INDENTED.findall(README.read_text(encoding="utf-8")):
        if text.lstrip().startswith("["):
            yield README, re.sub(r"^ {4}", "", text, flags=re.MULTILINE)


@pytest.mark.parametrize(("page", "text"), [pytest.param(*one, id=short(one[0])) for one in tables()])
def test_what_is_shown_of_the_configuration_starts(page: Path, text: str) -> None:
    if text.lstrip().startswith(("[#", "[project")):
        return  # a talk at the console, or what a plugin says of itself
    text = text.replace('"your number"', '"1425768080998400001"')
    table: dict[str, Any] = tomllib.loads(text)
    more = "" if "platforms" in table else "\n[platforms.console]\n"
    loaded = parse_config(text + more, _TOKENS, None, adapter_problems)
    assert adapter_problems(loaded.config.model_dump()) == []


def typed() -> Iterator[tuple[Path, str]]:
    """What a reader would type on the host."""
    for page in WRITTEN:
        text = page.read_text(encoding="utf-8")
        lines = [
            line.strip() for language in ("sh", "") for block in blocks(page, language) for line in block.split("\n")
        ]
        lines += [line.strip() for block in _INDENTED.findall(text) for line in block.splitlines()]
        lines += _CODE.findall(text)
        for line in dict.fromkeys(lines):
            bare = _SET.sub("", line.partition("  #")[0].strip())
            if bare.startswith(("glassmind ", "make ")) and "…" not in bare and "..." not in bare:
                yield page, bare


_TYPED = sorted({(short(page), line) for page, line in typed()})


@pytest.mark.parametrize(("page", "line"), _TYPED, ids=lambda value: value)
def test_what_is_typed_on_the_host_is_understood(page: str, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = shlex.split(re.sub(r"\bFILE\b|\bCOMMAND\b|<\w+>", "name", line))
    if words[0] == "make":
        makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
        targets = [word for word in words[1:] if "=" not in word and re.fullmatch(r"[a-z-]+", word)]
        assert targets and all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets[:1]), line
        return
    if "name" in words[1:2]:
        return
    try:
        build_parser().parse_args(words[1:])
    except SystemExit as error:
        required = "required" in capsys.readouterr().err
        # a text that names a command leaves out what it is given
        assert error.code == 0 or required, f"{page}: {line}"


def commands() -> Iterator[tuple[str, str]]:
    for page in WRITTEN:
        if page.parent.name == "rooms" or page.name == "plugins.md":
            continue  # of code: there a slash begins a path of the web page, or a command that a reader writes
        for code in dict.fromkeys(_CODE.findall(page.read_text(encoding="utf-8"))):
            if re.match(r"[!/][a-z][\w-]*(?: |$)", code) and "…" not in code and "..." not in code:
                yield short(page), code


_GIVEN = {
    "<memory>": "m27d4",
    "<request>": "r3x7b",
    "<id>": "m27d4",
    "<handle>": "m27d4",
    "<turn>": "t6w1d",
    "<words>": "tea",
}
_ELSEWHERE = {
    "help-console",
    "revoke",
    "press",
    "as",
    "newbot",
    "setprivacy",
    "metrics",
    "healthz",
    "readyz",
    "context",
}


@pytest.mark.parametrize(("page", "code"), sorted(set(commands())), ids=lambda value: value)
def test_what_is_typed_in_the_chat_is_a_command(page: str, code: str) -> None:
    name, _, rest = code[1:].partition(" ")
    name = name.replace("_", "-")
    if name in _ELSEWHERE:
        return
    if name != "cortex":
        assert name in BY_NAME or name == OWN_WHY.name, f"{page}: {code}"
        return
    for shown, given in _GIVEN.items():
        rest = rest.replace(shown, given)
    rest = re.sub(r"\[[^\]]*\]", "", re.sub(r"<\w+>", "tea", rest)).strip()
    parsed = parse(rest)
    assert not rest or parsed.form.name or rest.startswith("why") or rest.split()[0] in _firsts(), f"{page}: {code}"
    assert TypedLine(rest, fold(rest), rest)


def _firsts() -> set[str]:
    return {name.split()[0] for name in CORTEX_COMMANDS if name}


async def test_the_site_builds_without_a_network(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs", reason="the extra `docs` is not installed: make site")
    building = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(tmp_path)),
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1", "http_proxy": "http://127.0.0.1:9"},
        stdout=PIPE,
        stderr=STDOUT,
    )
    said, _ = await building.communicate()
    assert building.returncode == 0, said.decode()
    front = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert re.findall(r'(?:src|href)="https?://[^"]+\.(?:css|js|woff2?)"', front) == []
