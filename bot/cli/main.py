"""Read the command line, run one command, and turn every expected failure into a clear line and exit code 2."""

from __future__ import annotations

import io
import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from bot.cli.command_line import build_parser
from bot.errors import ConfigError, DamagedRow, StoreError, ToolServerError, UserError
from bot.runtime.lean_imports import lean_imports
from bot.runtime.terminal import complain, show_traceback, terminal_language
from bot.sentences import say, speaking

EXIT_BROKEN = 2
"""The exit status of what could not be done at all."""
_DEFAULT_CONFIG = "config.toml"


def run(arguments: Sequence[str]) -> int:
    """Return the exit status: 0 well, 1 something was found, 2 it could not be done."""
    _write_whatever_comes()
    sys.excepthook = show_traceback
    with speaking(terminal_language()):
        args = build_parser().parse_args(arguments)
        os.umask(0o077)
        try:
            return _command(args)
        except ConfigError as error:
            return _refuse(say("cli.config-unusable"), error.problems)
        except (DamagedRow, StoreError, ToolServerError, UserError) as error:
            return _refuse(str(error))
        except (ImportError, SyntaxError) as error:
            return _refuse(say("cli.cannot-load", why=str(error)), (say("cli.install-again"),))
        except KeyboardInterrupt:
            return 130
        except BrokenPipeError:
            # whoever read our output has left; there is nobody to tell
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return EXIT_BROKEN


def _write_whatever_comes() -> None:
    """Show the number of a character that the terminal's encoding lacks, rather than end because of it."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def config_path(args: Namespace) -> Path:
    """Say which configuration file is meant."""
    return Path(args.config or os.environ.get("GLASSMIND_CONFIG") or _DEFAULT_CONFIG)


def _command(args: Namespace) -> int:
    # each command loads only what it needs: the demo and the host commands start no platform
    if args.command == "run":
        with lean_imports():
            from bot.app.lease_keeper import ProcessRole
            from bot.cli.run_bot import StartOptions, run_bot

        said = StartOptions(args.take_over, args.clock_is_right, args.fresh, args.restored, ProcessRole(args.role))
        return run_bot(config_path(args), args.data, said)
    if args.command == "demo":
        from bot.cli.demo import run_demo

        return run_demo(args.port if args.page else 0)
    if args.command == "restore":
        from bot.cli.restore import restore

        return restore(args, config_path(args))
    if args.command == "verify":
        from bot.cli.verify import verify

        return verify(args, config_path(args))
    if args.command == "migrate":
        from bot.cli.migrate import migrate

        return migrate(args, config_path(args))
    if args.command == "memory" and args.action in {"export", "import"}:
        from bot.cli.memory_transfer import memory_files

        return memory_files(args, config_path(args))
    if args.command == "init":
        from bot.cli.init import init

        return init(args, config_path(args))
    if args.command == "doctor":
        from bot.cli.doctor import doctor

        return doctor(args, config_path(args))
    if args.command == "rehearse":
        from bot.cli.rehearse import rehearse

        return rehearse(args, config_path(args))
    if args.command == "check":
        from bot.cli.check import check

        return check(args, config_path(args))
    if args.command == "replay":
        from bot.cli.replay_bundle import replay

        return replay(args, config_path(args))
    return _looking(args)


def _looking(args: Namespace) -> int:
    if args.command == "diff":
        from bot.cli.diff import diff

        return diff(args, config_path(args))
    if args.command == "config":
        from bot.cli.config import config_command

        return config_command(args, config_path(args))
    if args.command == "support":
        from bot.cli.support import support

        return support(args, config_path(args))
    if args.command == "mcp":
        return _mcp(args)
    if args.command == "plugin":
        from bot.cli.plugin_command import plugin

        return plugin(args, config_path(args))
    if args.command == "web":
        from bot.cli.web import web

        return web(args, config_path(args))
    from bot.cli.host import look

    return look(args, config_path(args))


def _mcp(args: Namespace) -> int:
    if args.action == "serve":
        from bot.cli.mcp import serve

        return serve(args, config_path(args))
    from bot.cli.foreign_servers import foreign_command

    return foreign_command(args, config_path(args))


def _refuse(line: str, more: Sequence[str] = ()) -> int:
    complain("\n".join([line, *(f"  {problem}" for problem in more)]))
    return EXIT_BROKEN
