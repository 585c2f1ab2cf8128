"""What can be typed after `glassmind`."""

from __future__ import annotations

import argparse
import re
import sys
from typing import Any, NoReturn

from bot import __version__
from bot.cli.setup_kinds import PLATFORMS, PROVIDERS
from bot.sentences import say
from bot.text.invisible import visible

_SPAN = re.compile(r"([1-9][0-9]{0,5})([mhd])", re.ASCII)
_UNITS = {"m": 60_000, "h": 3_600_000, "d": 86_400_000}


_COMPLAINTS = (
    (re.compile(r"argument (?P<name>\S+): (?P<why>.+)", re.DOTALL), "command_line.of-argument"),
    (re.compile(r"the following arguments are required: (?P<names>.+)", re.DOTALL), "command_line.required"),
    (re.compile(r"one of the arguments (?P<names>.+) is required", re.DOTALL), "command_line.one-required"),
    (re.compile(r"unrecognized arguments: (?P<words>.+)", re.DOTALL), "command_line.unrecognised"),
    (re.compile(r"not allowed with argument (?P<name>.+)", re.DOTALL), "command_line.not-together"),
    (re.compile(r"ignored explicit argument (?P<value>.+)", re.DOTALL), "command_line.takes-none"),
    (re.compile(r"expected one argument"), "command_line.wants-one"),
    (re.compile(r"expected at least one argument"), "command_line.wants-some"),
    (re.compile(r"ambiguous option: (?P<option>.+) could match (?P<names>.+)", re.DOTALL), "command_line.ambiguous"),
    (re.compile(r"invalid (?P<kind>\w+) value: (?P<value>.+)", re.DOTALL), "command_line.bad-value"),
    (re.compile(r"invalid choice: (?P<value>.+) \(choose from (?P<names>.+)\)", re.DOTALL), "command_line.bad-choice"),
)
"""How argparse complains, and our sentence for each."""


class _HelpFormatter(argparse.HelpFormatter):
    """Calls what can be typed so in the terminal's language."""

    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
        own = f"{say('command_line.usage')} " if prefix is None else prefix
        super().add_usage(usage, actions, groups, own)


class CommandLineParser(argparse.ArgumentParser):
    """Answers a command line that cannot be read; what was typed is somebody's text like any other."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings, add_help=False, formatter_class=_HelpFormatter)
        self._positionals.title, self._optionals.title = say("command_line.arguments"), say("command_line.options")
        self.add_argument("-h", "--help", action="help", help=_about("command_line.help"))

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the command line, and leave."""
        self.print_usage(sys.stderr)
        self.exit(2, say("command_line.refused", program=self.prog, why=visible(_complaint(message))) + "\n")


def _complaint(message: str) -> str:
    """Say what argparse complains of in the terminal's language; what it says otherwise stays."""
    for pattern, name in _COMPLAINTS:
        if found := pattern.fullmatch(message):
            values = {key: _complaint(value) if key == "why" else value for key, value in found.groupdict().items()}
            return say(name, **values)
    return message


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of every command."""
    parser = CommandLineParser(prog="glassmind", description=say("command_line.about"))
    parser.add_argument("--version", action="version", version=f"glassmind {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _init(_command(commands, "init", "command_line.init", "command_line.init-more"))
    _run(commands.add_parser("run", help=_about("command_line.run")))
    _demo(commands.add_parser("demo", help=_about("command_line.demo")))
    _config(commands.add_parser("config", help=_about("command_line.config")))
    _restore(_command(commands, "restore", "command_line.restore", "command_line.restore-more"))
    _verify(_command(commands, "verify", "command_line.verify", "command_line.verify-more"))
    _migrate(_command(commands, "migrate", "command_line.migrate", "command_line.migrate-more"))
    _diff(_command(commands, "diff", "command_line.diff", "command_line.diff-exit", "command_line.read-only"))
    _rehearse(_command(commands, "rehearse", "command_line.rehearse", "command_line.rehearse-more"))
    _replay(_command(commands, "replay", "command_line.replay", "command_line.replay-more"))
    _check(_command(commands, "check", "command_line.check", "command_line.check-more"))
    _memory(_command(commands, "memory", "command_line.memory", "command_line.memory-more", "command_line.read-only"))
    _plugin(_command(commands, "plugin", "command_line.plugin", "command_line.plugin-more"))
    _mcp(_command(commands, "mcp", "command_line.mcp", "command_line.mcp-more"))
    _web(_command(commands, "web", "command_line.web", "command_line.web-more"))
    _support(_command(commands, "support", "command_line.support", "command_line.support-more"))
    for name, does in _LOOKS.items():
        manner = "command_line.doctor-more" if name == "doctor" else "command_line.read-only"
        command = _command(commands, name, does, manner)
        _where(command)
        _json(command)
        if name != "status":
            command.add_argument("target", nargs="?", default="", help=_about("command_line.target"))
        if name in {"why", "context", "ledger", "export"}:
            _agent(command)
        if name == "doctor":
            command.add_argument("--free", action="store_true", help=_about("command_line.free"))
        if name == "why":
            command.add_argument("--all", action="store_true", help=_about("command_line.everywhere"))
            command.add_argument("--since", type=span, default=0, metavar="SPAN", help=_about("command_line.since"))
        if name in {"context", "export"}:
            command.add_argument("--sent", default="", metavar="REQUEST", help=_about("command_line.sent"))
        if name == "export":
            command.add_argument("--markdown", action="store_true", help=_about("command_line.markdown"))
        if name == "context":
            _picture(command, _about("command_line.picture"), _about("command_line.picture-style"))
    return parser


_LOOKS = {
    "status": "command_line.status",
    "why": "command_line.why",
    "context": "command_line.context",
    "ledger": "command_line.ledger",
    "export": "command_line.export",
    "doctor": "command_line.doctor",
}


def _about(name: str, /, **values: str) -> str:
    # argparse fills in what stands behind a percent sign
    return say(name, **values).replace("%", "%%")


def _command(
    commands: argparse._SubParsersAction[CommandLineParser], name: str, does: str, *more: str
) -> argparse.ArgumentParser:
    """Add a command; its own page begins with what the list of all says of it, as a sentence."""
    text = _about(does)
    whole = " ".join((f"{text[:1].upper()}{text[1:]}.", *map(say, more)))
    return commands.add_parser(name, help=text, description=whole)


def _where(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", default="", metavar="FILE", help=_about("command_line.config-file"))
    parser.add_argument("--data", default="", metavar="DIR", help=_about("command_line.data-folder"))


def _json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help=_about("command_line.json"))


def _agent(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--agent", default="", metavar="NAME", help=_about("command_line.agent"))


def _picture(parser: argparse.ArgumentParser, draws: str, looks: str) -> None:
    parser.add_argument("--png", default="", metavar="FILE", help=draws)
    parser.add_argument("--style", choices=("dark", "light"), default="dark", help=looks)


def _prices(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--price-input", type=_dollars, metavar="USD", help=_about("command_line.price-input"))
    parser.add_argument("--price-output", type=_dollars, metavar="USD", help=_about("command_line.price-output"))


def _init(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", default="", metavar="FILE", help=_about("command_line.init-file"))
    parser.add_argument("--platform", choices=PLATFORMS, default="", help=_about("command_line.platform"))
    token = parser.add_mutually_exclusive_group()
    token.add_argument("--token-env", default="", metavar="NAME", help=_about("command_line.token-env"))
    token.add_argument("--token-file", default="", metavar="FILE", help=_about("command_line.token-file"))
    token.add_argument("--token-stdin", action="store_true", help=_about("command_line.token-stdin"))
    parser.add_argument("--admin-id", action="append", default=[], metavar="ID", help=_about("command_line.admin-id"))
    parser.add_argument("--platform-url", default="", metavar="URL", help=_about("command_line.platform-url"))
    parser.add_argument("--provider", choices=PROVIDERS, default="", help=_about("command_line.provider"))
    parser.add_argument("--base-url", default="", metavar="URL", help=_about("command_line.base-url"))
    parser.add_argument("--model", default="", metavar="NAME", help=_about("command_line.model"))
    key = parser.add_mutually_exclusive_group()
    key.add_argument("--key-env", default="", metavar="NAME", help=_about("command_line.key-env"))
    key.add_argument("--key-file", default="", metavar="FILE", help=_about("command_line.key-file"))
    key.add_argument("--key-stdin", action="store_true", help=_about("command_line.key-stdin"))
    parser.add_argument("--free", action="store_true", help=_about("command_line.free"))
    parser.add_argument("--no-validate", action="store_true", help=_about("command_line.no-validate"))
    over = parser.add_mutually_exclusive_group()
    over.add_argument("--force", action="store_true", help=_about("command_line.force"))
    over.add_argument("--add", action="store_true", help=_about("command_line.add"))
    parser.add_argument("--name", default="", metavar="NAME", help=_about("command_line.bot-name"))


def _run(parser: argparse.ArgumentParser) -> None:
    _where(parser)
    parser.add_argument("--take-over", action="store_true", help=_about("command_line.take-over"))
    parser.add_argument("--fresh", action="store_true", help=_about("command_line.fresh"))
    parser.add_argument("--restored", action="store_true", help=_about("command_line.restored"))
    roles = ("all", "gateway", "worker", "looker")
    parser.add_argument("--role", choices=roles, default="all", help=_about("command_line.role"))
    parser.add_argument("--clock-is-right", action="store_true", help=_about("command_line.clock-is-right"))


def _demo(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--page", action="store_true", help=_about("command_line.demo-page"))
    shown = _about("command_line.port", port="8787")
    parser.add_argument("--port", type=_port, default=8787, metavar="PORT", help=shown)


def _config(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=("check", "explain"), help=_about("command_line.config-action"))
    _where(parser)
    _json(parser)


def _support(parser: argparse.ArgumentParser) -> None:
    _where(parser)
    parser.add_argument("target", nargs="?", default="", help=_about("command_line.target"))
    parser.add_argument("--out", default="", metavar="FOLDER", help=_about("command_line.support-folder"))


def _restore(parser: argparse.ArgumentParser) -> None:
    _where(parser)
    _json(parser)
    parser.add_argument("file", nargs="?", default="", metavar="FILE", help=_about("command_line.copy"))


def _verify(parser: argparse.ArgumentParser) -> None:
    _where(parser)
    _json(parser)


def _migrate(parser: argparse.ArgumentParser) -> None:
    _where(parser)
    _json(parser)
    parser.add_argument("--to", required=True, metavar="PLACE", help=_about("command_line.migrate-to"))


def _diff(parser: argparse.ArgumentParser) -> None:
    _where(parser)
    _json(parser)
    parser.add_argument("--channel", default="", metavar="TARGET", help=_about("command_line.target"))
    _agent(parser)
    parser.add_argument("--cache", action="store_true", help=_about("command_line.cache"))
    parser.add_argument("before", nargs="?", default="", metavar="A", help=_about("command_line.before"))
    parser.add_argument("after", nargs="?", default="", metavar="B", help=_about("command_line.after"))


def _rehearse(parser: argparse.ArgumentParser) -> None:
    _where(parser)
    _json(parser)
    parser.add_argument("--model", default="", metavar="NAME", help=_about("command_line.other-model"))
    parser.add_argument("--last", type=_turns, default=50, metavar="N", help=_about("command_line.last-turns"))
    parser.add_argument("--channel", default="", metavar="TARGET", help=_about("command_line.of-channel"))
    _agent(parser)
    parser.add_argument("--without", action="append", default=[], metavar="NAME", help=_about("command_line.without"))
    parser.add_argument("--persona", default="", metavar="FILE", help=_about("command_line.persona"))
    _prices(parser)
    parser.add_argument("--most-cost", type=_dollars, metavar="USD", help=_about("command_line.most-cost"))
    parser.add_argument("--yes", action="store_true", help=_about("command_line.yes"))


def _replay(parser: argparse.ArgumentParser) -> None:
    _where(parser)
    _json(parser)
    parser.add_argument("--run", type=_turns, default=0, metavar="N", help=_about("command_line.runs"))
    parser.add_argument("--model", default="", metavar="NAME", help=_about("command_line.bundle-model"))
    parser.add_argument("--yes", action="store_true", help=_about("command_line.bundle-yes"))
    parser.add_argument("file", metavar="FILE", help=_about("command_line.bundle"))


def _check(parser: argparse.ArgumentParser) -> None:
    _where(parser)
    _json(parser)
    parser.add_argument("--model", default="", metavar="NAME", help=_about("command_line.check-model"))
    parser.add_argument("--as-recorded", action="store_true", help=_about("command_line.as-recorded"))
    _prices(parser)
    parser.add_argument("--most-cost", type=_dollars, metavar="USD", help=_about("command_line.check-most-cost"))
    parser.add_argument("--yes", action="store_true", help=_about("command_line.yes"))


def _memory(parser: argparse.ArgumentParser) -> None:
    _where(parser)
    _json(parser)
    parser.add_argument("--channel", default="", metavar="TARGET", help=_about("command_line.target"))
    _agent(parser)
    parser.add_argument("--server", action="store_true", help=_about("command_line.memory-server"))
    parser.add_argument("--yes", action="store_true", help=_about("command_line.memory-yes"))
    draws, looks = say("command_line.picture"), say("command_line.picture-style")
    _picture(parser, _about("command_line.of-chart", what=draws), _about("command_line.of-chart", what=looks))
    actions = ("list", "show", "search", "by", "chart", "export", "import")
    parser.add_argument("action", choices=actions, help=_about("command_line.memory-action"))
    parser.add_argument("words", nargs="*", default=[], metavar="WORD", help=_about("command_line.memory-words"))


def _mcp(parser: argparse.ArgumentParser) -> None:
    _where(parser)
    parser.add_argument("--json", action="store_true", help=_about("command_line.mcp-json"))
    parser.add_argument("--http", type=_port, default=0, metavar="PORT", help=_about("command_line.mcp-http"))
    actions = ("serve", "tools", "approve")
    parser.add_argument("action", nargs="?", choices=actions, default="serve", help=_about("command_line.mcp-action"))
    parser.add_argument("server", nargs="?", default="", metavar="SERVER", help=_about("command_line.mcp-server"))


def _plugin(parser: argparse.ArgumentParser) -> None:
    _where(parser)
    parser.add_argument("action", choices=("new", "check"), help=_about("command_line.plugin-action"))
    parser.add_argument("name", metavar="NAME", help=_about("command_line.plugin-name"))
    parser.add_argument("--into", default=".", metavar="FOLDER", help=_about("command_line.plugin-folder"))


def _web(parser: argparse.ArgumentParser) -> None:
    _where(parser)
    shown = _about("command_line.port", port="web_page.port")
    parser.add_argument("--port", type=_port, default=0, metavar="PORT", help=shown)
    parser.add_argument("--link", action="store_true", help=_about("command_line.web-link"))


def _turns(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < int(text) <= 2000):
        raise argparse.ArgumentTypeError(say("command_line.not-turns", typed=repr(text)))
    return int(text)


def _dollars(text: str) -> float:
    try:
        found = float(text.removeprefix("$"))
    except ValueError:
        found = -1.0
    if not 0 <= found < 1_000_000:
        raise argparse.ArgumentTypeError(say("command_line.not-dollars", typed=repr(text)))
    return found


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 65536):
        raise argparse.ArgumentTypeError(say("command_line.not-a-port", typed=repr(text)))
    return int(text)


def span(text: str) -> int:
    """Read a span of time as milliseconds; raise ArgumentTypeError for anything else."""
    found = _SPAN.fullmatch(text.strip().lower())
    if found is None:
        raise argparse.ArgumentTypeError(say("command_line.not-a-span", typed=repr(text)))
    return int(found[1]) * _UNITS[found[2]]
