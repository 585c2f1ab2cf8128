"""Make a configuration, or add a bot to one: ask what has to be known, check it live, write it, say what comes next."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path

from bot.app.adapters import adapter_problems
from bot.cli.answer_sources import OptionAnswers, TerminalAnswers
from bot.cli.claim_link import offer_claim
from bot.cli.existing_config import ExistingConfig, existing_config
from bot.cli.init_answers import InitAnswers
from bot.cli.live_checks import LiveChecks
from bot.config import load_config, parse_config
from bot.config.dotenv import DOTENV_NAME as DOTENV
from bot.config.dotenv import parse_variables, read_variables, write_variable
from bot.errors import ConfigError, UserError
from bot.prompts import render
from bot.runtime.files import FileName, write_file, write_new
from bot.runtime.terminal import print_text
from bot.sentences import say

EXIT_OK, EXIT_STOPPED, EXIT_BROKEN = 0, 130, 2


def init(args: Namespace, path: Path) -> int:
    """Run the command; return the exit status. Nothing is written unless everything is known and can be used."""
    if path.exists() and not (args.force or args.add):
        raise UserError(say("init.exists", file=str(path)))
    beside = read_variables(path.parent / DOTENV)
    if beside.problems:
        raise ConfigError(beside.problems)
    known = {**beside.values, **os.environ}
    there = existing_config(args, path, known) if args.add else None
    checking = LiveChecks(is_live=not args.no_validate, is_free=args.free)
    is_asked = os.isatty(0) and not args.token_stdin and not args.key_stdin
    try:
        answers = (TerminalAnswers if is_asked else OptionAnswers)(args, known, checking, there).gather()
    except (KeyboardInterrupt, EOFError):
        print_text(f"\n{say('init.stopped')}")
        return EXIT_STOPPED
    written = _write(answers, path, beside.text, force=args.force, there=there)
    platform = answers.platform
    facts = {"link": "", "invite": "", "claim": "", **checking.facts}
    # a bot that has owners is claimed by nobody
    if there is None or not there.has_owners:
        facts["claim"] = offer_claim(platform, path, facts)
    print_text(
        render(
            "init/done",
            written=written,
            owners=platform.owners,
            config=path.name,
            is_terminal=platform.kind == "console",
            added=platform.table if there else "",
            **facts,
        )
    )
    return EXIT_OK


def _write(answers: InitAnswers, path: Path, before: str, *, force: bool, there: ExistingConfig | None) -> list[str]:
    """Write the `.env` and the configuration; raise an error, and then neither is half-written."""
    text, beside = there.with_bot(answers.platform) if there else answers.config(), path.parent / DOTENV
    new = {secret.variable: secret.value for secret in answers.secrets if secret.is_new}
    known = there.known if there else os.environ
    _usable(text, path, {**known, **{secret.variable: secret.value for secret in answers.secrets if secret.variable}})
    try:
        replaced = force or there is not None
        if path.exists() and replaced:
            kept = write_new(path.parent, (), FileName(path.name, ".old"), path.read_bytes())
            print_text(say("init.moved-aside", file=str(kept)))
        if new:
            write_file(beside, _with(before, new).encode(), replace=bool(before) or beside.exists())
        # a link to a file that gets a bot goes on being one
        write_file(path.resolve() if there else path, text.encode(), replace=replaced)
    except OSError as error:
        file, why = str(error.filename or path), error.strerror or type(error).__name__
        raise UserError(say("cli.cannot-write", file=file, why=why)) from None
    # what was written is what a start reads
    load_config(path, os.environ, adapter_problems)
    return [str(path), *([str(beside)] if new else [])]


def _usable(text: str, path: Path, variables: Mapping[str, str]) -> None:
    loaded = parse_config(text, variables, path.absolute(), adapter_problems)
    if problems := adapter_problems(loaded.config.model_dump()):
        raise ConfigError(problems)


def _with(before: str, new: Mapping[str, str]) -> str:
    """Return the text of a `.env` with these variables in place of what it said of them."""
    kept = [line for line in before.splitlines() if not parse_variables(line)[0].keys() & new.keys()]
    return "".join([*(f"{line}\n" for line in kept), *(write_variable(name, value) for name, value in new.items())])
