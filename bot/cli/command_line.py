"""What can be typed after `glassmind`."""

from __future__ import annotations

import argparse
import re
from typing import NoReturn

from bot import __version__
from bot.cli.setup_kinds import PLATFORMS, PROVIDERS
from bot.text.invisible import visible

_TARGET_HELP = (
    "a channel: its id (console:#general) or its name (#general); a message: its link or its handle (i4k2p); "
    "a gate row, turn, request or delivery: its handle (g8w0c, t6w1d, r3x7b, d9m3q); default: the channel used last"
)


class CommandLineParser(argparse.ArgumentParser):
    """Answers a command line that cannot be read; what was typed is somebody's text like any other."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the command line, and leave."""
        super().error(visible(message))


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of every command."""
    parser = CommandLineParser(
        prog="glassmind", description="A chat bot driven by a language model, whose mind can be opened."
    )
    parser.add_argument("--version", action="version", version=f"glassmind {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _init(commands.add_parser("init", help=_INIT_HELP, description=f"{_INIT_HELP.capitalize()}. {_INIT_MORE}"))
    run = commands.add_parser("run", help="run the bot until Ctrl-C")
    _where(run)
    run.add_argument("--take-over", action="store_true", help=_TAKE_OVER_HELP)
    run.add_argument("--fresh", action="store_true", help=_FRESH_HELP)
    run.add_argument("--restored", action="store_true", help=_RESTORED_HELP)
    run.add_argument("--role", choices=("all", "gateway", "worker", "looker"), default="all", help=_ROLE_HELP)
    run.add_argument("--clock-is-right", action="store_true", help=_CLOCK_HELP)
    demo = commands.add_parser("demo", help="show a silent bot diagnosed and healed; offline, no key needed")
    demo.add_argument("--page", action="store_true", help="then show the same case in a browser, until Ctrl-C")
    demo.add_argument("--port", type=_port, default=8787, metavar="PORT", help="of 127.0.0.1; default: 8787")
    _config(commands.add_parser("config", help="check the configuration, or explain every value of it"))
    _restore(
        commands.add_parser("restore", help=_RESTORE_HELP, description=f"{_RESTORE_HELP.capitalize()}. {_RESTORE_MORE}")
    )
    _verify(
        commands.add_parser("verify", help=_VERIFY_HELP, description=f"{_VERIFY_HELP.capitalize()}. {_VERIFY_MORE}")
    )
    _migrate(
        commands.add_parser("migrate", help=_MIGRATE_HELP, description=f"{_MIGRATE_HELP.capitalize()}. {_MIGRATE_MORE}")
    )
    _diff(
        commands.add_parser(
            "diff", help=_DIFF_HELP, description=f"{_DIFF_HELP.capitalize()}. {_DIFF_EXIT} {_READ_ONLY_HELP}"
        )
    )
    _rehearse(
        commands.add_parser(
            "rehearse", help=_REHEARSE_HELP, description=f"{_REHEARSE_HELP.capitalize()}. {_REHEARSE_MORE}"
        )
    )
    _replay(
        commands.add_parser("replay", help=_REPLAY_HELP, description=f"{_REPLAY_HELP.capitalize()}. {_REPLAY_MORE}")
    )
    _check(commands.add_parser("check", help=_CHECK_HELP, description=f"{_CHECK_HELP.capitalize()}. {_CHECK_MORE}"))
    _memory(
        commands.add_parser(
            "memory", help=_MEMORY_HELP, description=f"{_MEMORY_HELP.capitalize()}. {_MEMORY_MORE} {_READ_ONLY_HELP}"
        )
    )
    _plugin(
        commands.add_parser("plugin", help=_PLUGIN_HELP, description=f"{_PLUGIN_HELP.capitalize()}. {_PLUGIN_MORE}")
    )
    _mcp(commands.add_parser("mcp", help=_MCP_HELP, description=f"{_MCP_HELP.capitalize()}. {_MCP_MORE}"))
    _web(commands.add_parser("web", help=_WEB_HELP, description=f"{_WEB_HELP.capitalize()}. {_WEB_MORE}"))
    _support(
        commands.add_parser("support", help=_SUPPORT_HELP, description=f"{_SUPPORT_HELP.capitalize()}. {_SUPPORT_MORE}")
    )
    for name, text in _HOST_HELP.items():
        manner = _KNOCKS_HELP if name == "doctor" else _READ_ONLY_HELP
        command = commands.add_parser(name, help=text, description=f"{text.capitalize()}. {manner}")
        _where(command)
        command.add_argument("--json", action="store_true", help="print JSON")
        if name != "status":
            command.add_argument("target", nargs="?", default="", help=_TARGET_HELP)
        if name in {"why", "context", "ledger", "export"}:
            command.add_argument("--agent", default="", metavar="NAME", help=_AGENT_HELP)
        if name == "doctor":
            command.add_argument("--free", action="store_true", help=_FREE_HELP)
        if name == "why":
            command.add_argument("--all", action="store_true", help="which channels are silent, by cause")
            command.add_argument("--since", type=span, default=0, metavar="SPAN", help="look back so far: 30m, 2h, 1d")
        if name in {"context", "export"}:
            command.add_argument("--sent", default="", metavar="REQUEST", help="a recorded request, by its handle")
        if name == "export":
            command.add_argument(
                "--markdown", action="store_true", help="as a text for people to read, and not as JSON"
            )
        if name == "context":
            _picture(command)
    return parser


def _picture(parser: argparse.ArgumentParser, where: str = "") -> None:
    parser.add_argument("--png", default="", metavar="FILE", help=f"{where}draw a picture too (extra: charts)")
    parser.add_argument("--style", choices=("dark", "light"), default="dark", help=f"{where}how the picture looks")


_TAKE_OVER_HELP = (
    "remove a webhook that another program has set, which ends what that program receives: take_over = true in "
    "[platforms.telegram], for this run alone"
)
_FRESH_HELP = "begin with an empty database where the one that was there is missing; backups stay"
_RESTORED_HELP = (
    "go on with a database on a server that was put back to an earlier time; what was on its way then is marked "
    "uncertain and not sent again"
)
_ROLE_HELP = (
    "what this process does where several share a bot on a PostgreSQL server: gateway listens, worker answers in some "
    "of the channels, looker shows the page and the numbers of a database or a replica; default: all of it"
)
_CLOCK_HELP = (
    "believe the clock of this machine although it has leapt since the last run and no platform says the same; what is "
    "too old by it is deleted"
)
_AGENT_HELP = "whose channel is meant; default: the agent that has it now"
_SPAN = re.compile(r"([1-9][0-9]{0,5})([mhd])", re.ASCII)
_UNITS = {"m": 60_000, "h": 3_600_000, "d": 86_400_000}
_KNOCKS_HELP = (
    "Reads the data directory without a lock, and asks providers and platforms live, without a poll; each model is "
    "asked for one token."
)
_FREE_HELP = "ask no model: else each is asked for one token, which costs what it costs"
_READ_ONLY_HELP = "Reads the data directory without a lock, a secret or a model; the bot may be running or dead."
_SUPPORT_HELP = "write one file to attach when you report trouble: no secret, no message, no name"
_SUPPORT_MORE = (
    "Versions, the settings that were made, the doctor's rows, and how the newest messages of one "
    "channel ended. Platforms and providers are asked live, no model is; the bot may be running or dead."
)
_RESTORE_HELP = "list the copies of the database, or put one in its place"
_RESTORE_MORE = "Every copy is read from start to end. Stop the bot first; the database that was there is kept aside."
_VERIFY_HELP = "check that everything on record is what was written"
_VERIFY_MORE = (
    "Pages, seals, texts, both signed chains, and whether memories and settings are what their newest versions say. "
    "Nothing is changed, nobody is asked, and the bot may be running."
)
_MIGRATE_HELP = "copy everything that is stored to a PostgreSQL server, or back into a file"
_MIGRATE_MORE = (
    "Stop the bot first. Every row is compared when it has arrived; where one differs, nothing is kept. What was there "
    "stays, and so does the configuration: the command says what to write there. With a password, name the place as "
    "env:NAME, because others on this machine can read the command line."
)
_INIT_HELP = "make a configuration: ask, check it live, write it down"
_INIT_MORE = (
    "At a terminal it asks for what the options do not say. Secrets never stand on the command line: name a variable "
    "or a file, or pipe them in (first the token, then the key); typed ones go into a .env beside the configuration."
)
_DIFF_HELP = "say what differs between two contexts, and which event caused it"
_DIFF_EXIT = "Exit status 0: the same; 1: different; 2: they could not be compared."
_REHEARSE_HELP = "ask another model, or with another prompt, what the last turns decided, and compare"
_REHEARSE_MORE = (
    "Says first what it costs, and asks. Nothing is sent to a channel, remembered or called; the data directory is "
    "read without a lock, and the runs are kept in a file of their own. Exit status 0: every decision is the same; 1: "
    "some differ, or are not known; 2: it could not be done."
)
_REPLAY_HELP = "check a replay bundle that `!cortex bundle` wrote, on any machine"
_REPLAY_MORE = (
    "Every digest is checked, and the request is made again from its parts: offline, without a configuration. Exit "
    "status 0: all holds; 1: something is not as it was written; 2: it is no bundle."
)
_CHECK_HELP = "ask again what was kept as a check, and say whether the bot decides as it should"
_CHECK_MORE = (
    "With the model, the prompt and the memories of today: run it before a change and after it. Says first what it "
    "costs, and asks; nothing is sent, remembered or called. Exit status 0: all hold; 1: not all; 2: it could not be "
    "done."
)
_WEB_HELP = "show the mind in a browser, read-only; or print a link for a page that is open"
_WEB_MORE = (
    "Reads the data directory without a lock or a model; the bot may be running or dead. The page is open to this "
    "machine alone. It lets nobody in without a link, which works once and for two minutes."
)
_PLUGIN_HELP = "begin a plugin of your own, or try one that is installed"
_PLUGIN_MORE = (
    "new writes a small one that works, with its test; check tries everything that one brings in a bot of its own, "
    "offline. Exit status of check: 1 when something is wrong with it."
)
_MCP_HELP = "be an MCP server through which an editor inspects the bot; or look at the MCP servers that the bot uses"
_MCP_MORE = "Serving reads the data directory without a lock or a model; the bot may be running or dead. Extra: mcp."
_MEMORY_HELP = "list what the bot remembers, search it, or tell one memory's story"
_MEMORY_MORE = (
    "The words are those of `!cortex memory`: list [#name or server] type decision by james older 30d newer 2h "
    "forgotten page 2; search WORDS; by PERSON; show HANDLE; chart [#name or server] 30d. "
    "Forgetting is done in the chat, where it can be undone. "
    "export FILE writes what counts with all that became of it, signed; import FILE says what a file would add, and "
    "with --yes adds it while no bot runs. Exit status of import: 1 when the file is not as this bot signed it."
)
_SIDE_HELP = (
    "last (the last request), next (the next one), running (the one that runs), worked (the last that led to an "
    "answer), a handle, or a file that `export` wrote, packed or not"
)
_HOST_HELP = {
    "status": "say how the bot is",
    "why": "say why a channel is silent",
    "context": "show what the model is told",
    "ledger": "show what became of messages",
    "export": "write a context to a file",
    "doctor": "check the configuration, the data directory, the providers and the platforms",
}


def _init(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--config", default="", metavar="FILE", help="where to; default: $GLASSMIND_CONFIG, config.toml"
    )
    parser.add_argument("--platform", choices=PLATFORMS, default="", help="where the bot lives")
    _secret(parser, "token", "the bot's token")
    parser.add_argument(
        "--admin-id", action="append", default=[], metavar="ID", help="a numeric id of an owner; may be repeated"
    )
    parser.add_argument("--platform-url", default="", metavar="URL", help="a Bot API server or Discord of your own")
    parser.add_argument("--provider", choices=PROVIDERS, default="", help="the kind of the model service")
    parser.add_argument("--base-url", default="", metavar="URL", help="its address; default: the service's own")
    parser.add_argument("--model", default="", metavar="NAME", help="a model of that service")
    _secret(parser, "key", "its API key")
    parser.add_argument("--free", action="store_true", help=_FREE_HELP)
    parser.add_argument("--no-validate", action="store_true", help="ask neither the platform nor the service: offline")
    parser.add_argument("--force", action="store_true", help="replace a configuration that is there; a copy is kept")


def _support(parser: argparse.ArgumentParser) -> None:
    _where(parser)
    parser.add_argument("target", nargs="?", default="", help=_TARGET_HELP)
    parser.add_argument("--out", default="", metavar="FOLDER", help="where to; default: here")


def _restore(parser: argparse.ArgumentParser) -> None:
    _where(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("file", nargs="?", default="", metavar="FILE", help="a name or path; default: list them")


def _verify(parser: argparse.ArgumentParser) -> None:
    _where(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def _migrate(parser: argparse.ArgumentParser) -> None:
    _where(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--to", required=True, metavar="PLACE", help="postgresql://user@host/database, env:NAME, or a new folder"
    )


def _diff(parser: argparse.ArgumentParser) -> None:
    _where(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--channel", default="", metavar="TARGET", help=_TARGET_HELP)
    parser.add_argument("--agent", default="", metavar="NAME", help=_AGENT_HELP)
    parser.add_argument(
        "--cache", action="store_true", help="how much of A the provider could read from its cache, and what broke it"
    )
    usual = "default: worked and last where the last one failed, else last and next"
    parser.add_argument("before", nargs="?", default="", metavar="A", help=f"{_SIDE_HELP}; {usual}")
    parser.add_argument("after", nargs="?", default="", metavar="B", help="the same; default: last")


def _rehearse(parser: argparse.ArgumentParser) -> None:
    _where(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--model", default="", metavar="NAME", help="another model: provider/model, or one of the usual"
    )
    parser.add_argument("--last", type=_turns, default=50, metavar="N", help="so many turns, the newest; default: 50")
    parser.add_argument("--channel", default="", metavar="TARGET", help="of one channel; default: of all")
    parser.add_argument("--agent", default="", metavar="NAME", help=_AGENT_HELP)
    parser.add_argument(
        "--without", action="append", default=[], metavar="NAME", help="without a section, a tool or a memory (m27d4)"
    )
    parser.add_argument("--persona", default="", metavar="FILE", help="with the persona that stands in this file")
    parser.add_argument("--price-input", type=_dollars, metavar="USD", help="what a million tokens cost that go in")
    parser.add_argument("--price-output", type=_dollars, metavar="USD", help="what a million tokens cost that come out")
    parser.add_argument("--most-cost", type=_dollars, metavar="USD", help="stop before it costs more")
    parser.add_argument("--yes", action="store_true", help="go on without asking")


def _replay(parser: argparse.ArgumentParser) -> None:
    _where(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--run", type=_turns, default=0, metavar="N", help="ask a configured model so often; price first"
    )
    parser.add_argument("--model", default="", metavar="NAME", help="run: another model than the one of the bundle")
    parser.add_argument("--yes", action="store_true", help="run: go on without asking")
    parser.add_argument("file", metavar="FILE", help="the bundle, packed or not")


def _check(parser: argparse.ArgumentParser) -> None:
    _where(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--model", default="", metavar="NAME", help="another model than the one that answers today")
    parser.add_argument("--as-recorded", action="store_true", help="with the prompt and the memories of then")
    parser.add_argument("--price-input", type=_dollars, metavar="USD", help="what a million tokens cost that go in")
    parser.add_argument("--price-output", type=_dollars, metavar="USD", help="what a million tokens cost that come out")
    parser.add_argument("--most-cost", type=_dollars, metavar="USD", help="do not begin where it could cost more")
    parser.add_argument("--yes", action="store_true", help="go on without asking")


def _memory(parser: argparse.ArgumentParser) -> None:
    _where(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--channel", default="", metavar="TARGET", help=_TARGET_HELP)
    parser.add_argument("--agent", default="", metavar="NAME", help=_AGENT_HELP)
    parser.add_argument("--server", action="store_true", help="export: of all channels of the channel's server")
    parser.add_argument("--yes", action="store_true", help="import: take it in; without, only say what it would add")
    _picture(parser, "chart: ")
    actions = ("list", "show", "search", "by", "chart", "export", "import")
    parser.add_argument("action", choices=actions, help="what to do")
    what = "a channel, filters, a person or a handle; export, import: a file"
    parser.add_argument("words", nargs="*", default=[], metavar="WORD", help=what)


def _turns(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < int(text) <= 2000):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of turns; write one from 1 to 2000")
    return int(text)


def _dollars(text: str) -> float:
    try:
        found = float(text.removeprefix("$"))
    except ValueError:
        found = -1.0
    if not 0 <= found < 1_000_000:
        raise argparse.ArgumentTypeError(f"{text!r} is not an amount in US dollars; write for example 0.50")
    return found


def _secret(parser: argparse.ArgumentParser, name: str, what: str) -> None:
    one = parser.add_mutually_exclusive_group()
    one.add_argument(f"--{name}-env", default="", metavar="NAME", help=f"the variable that holds {what}")
    one.add_argument(f"--{name}-file", default="", metavar="FILE", help=f"a file that holds {what}")
    one.add_argument(f"--{name}-stdin", action="store_true", help=f"read {what} as a line of standard input")


def _mcp(parser: argparse.ArgumentParser) -> None:
    _where(parser)
    parser.add_argument("--json", action="store_true", help="tools, approve: print JSON")
    parser.add_argument(
        "--http", type=_port, default=0, metavar="PORT", help="serve: on this port of 127.0.0.1, with inspector.token"
    )
    parser.add_argument(
        "action",
        nargs="?",
        choices=("serve", "tools", "approve"),
        default="serve",
        help="serve (default): answer an editor, read-only; tools: list what the configured MCP servers offer; "
        "approve: agree to what one of them offers now",
    )
    parser.add_argument("server", nargs="?", default="", metavar="SERVER", help="tools, approve: a configured server")


def _plugin(parser: argparse.ArgumentParser) -> None:
    _where(parser)
    parser.add_argument("action", choices=("new", "check"), help="new: write one; check: try one that is installed")
    parser.add_argument("name", metavar="NAME", help="its name, as the configuration has it: [plugins.NAME]")
    parser.add_argument("--into", default=".", metavar="FOLDER", help="new: where to; default: here")


def _web(parser: argparse.ArgumentParser) -> None:
    _where(parser)
    parser.add_argument("--port", type=_port, default=0, metavar="PORT", help="of 127.0.0.1; default: web_page.port")
    parser.add_argument("--link", action="store_true", help="open nothing; print a link for the page that is open")


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 65536):
        raise argparse.ArgumentTypeError(f"{text!r} is not a port; write a number from 1 to 65535")
    return int(text)


def _config(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action",
        choices=("check", "explain"),
        help="check: name all that is wrong; explain: show every value with where it comes from, secrets only as that",
    )
    _where(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def _where(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", default="", metavar="FILE", help="default: $GLASSMIND_CONFIG, else config.toml")
    parser.add_argument("--data", default="", metavar="DIR", help="the data directory, instead of the configured one")


def span(text: str) -> int:
    """Read a span of time as milliseconds; raise ArgumentTypeError for anything else."""
    found = _SPAN.fullmatch(text.strip().lower())
    if found is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not a span of time; write for example 30m, 2h or 1d")
    return int(found[1]) * _UNITS[found[2]]
