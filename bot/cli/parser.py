"""What can be typed after `glassmind`."""

from __future__ import annotations

import argparse
import re

from bot import __version__

_TARGET = (
    "a channel: its id (console:#general) or its name (#general); a message: its link or its handle (i4k2p); "
    "a gate row, turn, request or delivery: its handle (g8w0c, t6w1d, r3x7b, d9m3q); default: the channel used last"
)


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of every command."""
    parser = argparse.ArgumentParser(
        prog="glassmind", description="A chat bot driven by a language model, whose mind can be opened."
    )
    parser.add_argument("--version", action="version", version=f"glassmind {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    run = commands.add_parser("run", help="run the bot until Ctrl-C")
    _where(run)
    commands.add_parser("demo", help="show a silent bot diagnosed and healed; offline, no key needed")
    restore = commands.add_parser("restore", help=_RESTORE, description=f"{_RESTORE.capitalize()}. {_SAFE}")
    _where(restore)
    restore.add_argument("--json", action="store_true", help="print JSON")
    restore.add_argument("file", nargs="?", default="", metavar="FILE", help="a name or path; default: list them")
    for name, text in _HOST.items():
        command = commands.add_parser(name, help=text, description=f"{text.capitalize()}. {_READ_ONLY}")
        _where(command)
        command.add_argument("--json", action="store_true", help="print JSON")
        if name not in {"status", "doctor"}:
            command.add_argument("target", nargs="?", default="", help=_TARGET)
        if name == "why":
            command.add_argument("--all", action="store_true", help="which channels are silent, by cause")
            command.add_argument("--since", type=span, default=0, metavar="SPAN", help="look back so far: 30m, 2h, 1d")
        if name in {"context", "export"}:
            command.add_argument("--sent", default="", metavar="REQUEST", help="a recorded request, by its handle")
    return parser


_SPAN = re.compile(r"([1-9][0-9]{0,5})([mhd])", re.ASCII)
_UNITS = {"m": 60_000, "h": 3_600_000, "d": 86_400_000}
_READ_ONLY = "Reads the data directory without a lock, a secret or a model; the bot may be running or dead."
_RESTORE = "list the copies of the database, or put one in its place"
_SAFE = "Every copy is read from start to end. Stop the bot first; the database that was there is kept aside."
_HOST = {
    "status": "say how the bot is",
    "why": "say why a channel is silent",
    "context": "show what the model is told",
    "ledger": "show what became of messages",
    "export": "write a context to a file",
    "doctor": "check the database, the provider and the platforms",
}


def _where(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", default="", metavar="FILE", help="default: $GLASSMIND_CONFIG, else config.toml")
    parser.add_argument("--data", default="", metavar="DIR", help="the data directory, instead of the configured one")


def span(text: str) -> int:
    """Read a span of time as milliseconds; raise ArgumentTypeError for anything else."""
    found = _SPAN.fullmatch(text.strip().lower())
    if found is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not a span of time; write for example 30m, 2h or 1d")
    return int(found[1]) * _UNITS[found[2]]
