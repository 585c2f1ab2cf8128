"""Write the pages of reference from what the program itself knows: its keys, its commands, its command line.

Usage: python -m tests.architecture.reference
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from typing import NamedTuple

from bot.cli.command_line import build_parser
from bot.config.schema import Config
from bot.cortex.commands.command_table import COMMANDS as CORTEX_COMMANDS
from bot.domain.access import Authority
from bot.messaging.commands.table import COMMANDS, OWN_WHY
from tests.architecture.tree import ROOT

FOLDER = ROOT / "docs" / "reference"
EXAMPLE = ROOT / "config.example.toml"
MADE = "<!-- written by python -m tests.architecture.reference -->"
_TABLE = re.compile(r"#? ?(\[+[\w.]+(?:\.\"[^\"]+\"|[\w.<>-]*)*\]+)\s*(?:#\s?(.*))?")
_KEY = re.compile(r"(?:# )?([a-z_]+) = (.*)")
_MORE = re.compile(r"\s{8,}#\s?(.*)|# {8,}(.*)")
_WHO = {
    Authority.EVERYONE: "everyone",
    Authority.MODERATOR: "moderators",
    Authority.ADMIN: "admins",
    Authority.OWNER: "owners",
}


class Key(NamedTuple):
    """A key of the example file: its value there, and what is said of it."""

    name: str
    value: str
    words: str


class Table(NamedTuple):
    """A table of the example file."""

    name: str
    words: str
    keys: tuple[Key, ...]


def tables() -> Iterator[Table]:
    """Read the example file, in its order; what is said behind a key goes on in the lines below."""
    name, said, keys = "", "", list[Key]()
    for line in EXAMPLE.read_text(encoding="utf-8").splitlines():
        if found := _TABLE.fullmatch(line.rstrip()):
            if name:
                yield Table(name, said, tuple(keys))
            name, said, keys = found[1], (found[2] or "").strip(), []
        elif name and (found := _KEY.fullmatch(line)):
            value, words = _halves(found[2])
            keys.append(Key(found[1], value, words))
        elif keys and (found := _MORE.fullmatch(line)):
            last = keys.pop()
            keys.append(last._replace(words=f"{last.words} {(found[1] or found[2]).strip()}".strip()))
    yield Table(name, said, tuple(keys))


def _halves(text: str) -> tuple[str, str]:
    """Part a value from the comment behind it; a # within quotes is no comment."""
    quote = ""
    for at, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        elif letter == "#":
            return text[:at].strip(), text[at + 1 :].strip()
    return text.strip(), ""


def configuration() -> Iterator[str]:
    yield "# Configuration"
    yield MADE
    yield (
        "Every key, in the order of `config.example.toml`, with its default or an example. `glassmind config explain` "
        "says what holds in your bot, and where each value comes from. How files, secrets and reloads work is in "
        "[the operator's guide](../operator.md)."
    )
    for table in tables():
        yield f"## `{table.name}`"
        if table.words:
            yield _sentence(table.words)
        if table.keys:
            rows = (f"| `{key.name}` | {_code(key.value)} | {_cell(key.words)} |" for key in table.keys)
            yield "\n".join(("| key | default or example | what it is for |", "|---|---|---|", *rows))


def chat_commands() -> Iterator[str]:
    yield "# Commands in the chat"
    yield MADE
    yield (
        "Type them with `!` or `/`; Discord and Telegram also list them in their own menus. In a group a command "
        "counts when the bot is addressed: by its name, in a reply to it, or with `/`."
    )
    yield "## Everybody's and moderators'"
    rows = []
    for command in (*COMMANDS, OWN_WHY):
        group = max(command.tier, command.in_group)
        who = _WHO[command.tier] + (f"; in a group {_WHO[group]}" if group is not command.tier else "")
        rows.append(f"| `{command.name}` | {who} | {_cell(command.help)} | {'yes' if command.private else ''} |")
    yield "\n".join(("| command | for | what it does | answered in private |", "|---|---|---|---|", *rows))
    yield "## `!cortex`"
    yield (
        "For admins, and answered in private. Moderators may use what looks through memories. "
        "[Which command for which problem](../which-command.md) starts from the problem."
    )
    yield "\n".join(f"- {command.help}" for command in CORTEX_COMMANDS if command.help)


def command_line() -> Iterator[str]:
    yield "# Command line"
    yield MADE
    yield "What can be typed on the host. `glassmind COMMAND --help` says the same."
    for name, parser in _commands(build_parser()):
        yield f"## `glassmind {name}`"
        if parser.description:
            yield parser.description
        yield f"```text\n{_usage(parser, name)}\n```"
        rows = [_option(action) for action in parser._actions if action.help and not isinstance(action, _SUB)]
        yield "\n".join(("| option | what it does |", "|---|---|", *rows))


_SUB = argparse._SubParsersAction


def _commands(parser: argparse.ArgumentParser, before: str = "") -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for action in parser._actions:
        if isinstance(action, _SUB):
            for name, command in action.choices.items():
                full = f"{before} {name}".strip()
                yield full, command
                yield from _commands(command, full)


def _usage(parser: argparse.ArgumentParser, name: str) -> str:
    # as wide as a page shows, whatever the terminal of whoever writes it is
    formatter = argparse.HelpFormatter(f"glassmind {name}", width=100)
    formatter.add_usage(parser.usage, parser._actions, parser._mutually_exclusive_groups)
    return formatter.format_help().strip()


def _option(action: argparse.Action) -> str:
    names = ", ".join(f"`{name}`" for name in action.option_strings) or f"`{action.metavar or action.dest}`"
    value = f" `{action.metavar or action.dest.upper()}`" if action.option_strings and action.nargs != 0 else ""
    return f"| {names}{value} | {_cell(str(action.help))} |"


def pages() -> dict[str, str]:
    """The pages by their names."""
    made = {"configuration": configuration, "chat-commands": chat_commands, "command-line": command_line}
    return {f"{name}.md": "\n\n".join(page()) + "\n" for name, page in made.items()}


def undescribed_tables() -> set[str]:
    """The tables of the schema of which the example file shows nothing."""
    shown = {re.split(r"[.\]]", table.name.strip("["))[0] for table in tables()}
    return set(Config.model_fields) - shown


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}" if words[:1].islower() else words


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;") if "`" not in text else text.replace("|", "\\|")


def _code(value: str) -> str:
    return f"`{value}`".replace("|", "\\|") if value else ""


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
        print(FOLDER / name)
