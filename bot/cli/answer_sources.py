"""Gather the answers: from options alone, or from a person for what the options do not say."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar

from bot.cli.existing_config import ExistingConfig
from bot.cli.init_answers import (
    InitAnswers,
    PlatformAnswer,
    ProviderAnswer,
    SecretAnswer,
    from_environment,
    from_file,
    read_owners,
)
from bot.cli.live_checks import LiveChecks
from bot.cli.setup_kinds import PLATFORMS, PROVIDERS
from bot.cli.terminal_questions import ask, keep_anyway, nonempty, one_of, problem_text
from bot.errors import BotError, ConfigError, UserError
from bot.runtime.terminal import print_text
from bot.sentences import say

T = TypeVar("T", PlatformAnswer, ProviderAnswer)


class _Gathering:
    """What both ways share. `known` is what variables hold, those of a `.env` included; `there` is what gets a bot."""

    def __init__(
        self, args: Namespace, known: Mapping[str, str], checking: LiveChecks, there: ExistingConfig | None
    ) -> None:
        self._args = args
        self._known = known
        self._checking = checking
        self._there = there

    def _named(self, option: str, variable: str) -> SecretAnswer | None:
        """Return the secret that an option names, else the one of the usual variable if that is set; None: neither."""
        given = vars(self._args)
        if given[f"{option}_env"]:
            return from_environment(given[f"{option}_env"], self._known)
        if given[f"{option}_file"]:
            return from_file(given[f"{option}_file"])
        if given[f"{option}_stdin"]:
            line = sys.stdin.readline().strip()
            if not line:
                raise UserError(say("init.no-input", option=option))
            return self._typed(line, variable)
        return from_environment(variable, self._known) if self._known.get(variable) else None

    def _check(self, answer: PlatformAnswer) -> None:
        """Raise ConfigError for a bot that cannot be here, UserError for one that its platform refuses."""
        if self._there is not None:
            self._there.check(answer)
        self._checking.platform(answer)

    def _typed(self, value: str, variable: str) -> SecretAnswer:
        """Return a secret that is to stand in the `.env`."""
        there = self._known.get(variable) or value
        if there != value and os.environ.get(variable):
            raise UserError(say("init.environment-differs", variable=variable))
        if there != value and self._there is not None:
            raise UserError(say("init.variable-taken", variable=variable))
        if there != value and not self._args.force:
            raise UserError(say("init.dotenv-differs", variable=variable))
        return SecretAnswer(f"env:{variable}", value, is_new=self._known.get(variable) != value)


class OptionAnswers(_Gathering):
    """Takes what was given on the command line and asks nobody."""

    def gather(self) -> InitAnswers:
        """Return the answers; raise UserError with everything that is missing or wrong."""
        problems: list[str] = []
        platform = _part(self._platform, problems)
        provider = _part(self._provider, problems) if self._there is None else None
        if platform is None or problems:
            raise UserError("\n  ".join([say("init.nothing-written"), *problems]))
        return InitAnswers(platform, provider)

    def _platform(self) -> PlatformAnswer:
        args = self._args
        if not args.platform:
            raise UserError(say("init.platform-missing", choices=", ".join(PLATFORMS)))
        name = self._name(args.platform)
        variable = _variable(args.platform, name)
        token = self._named("token", variable) if variable else None
        if variable and token is None:
            raise UserError(say("init.token-missing", variable=variable))
        answer = PlatformAnswer(args.platform, token, _owners(args), args.platform_url, name)
        self._check(answer)
        return answer

    def _name(self, kind: str) -> str:
        name = self._args.name or kind
        return self._there.check_name(name, kind) if self._there else name

    def _provider(self) -> ProviderAnswer:
        args = self._args
        kind = args.provider or "simulated"
        form = PROVIDERS[kind]
        model = args.model or form.model
        if not model:
            raise UserError(say("init.model-missing", provider=kind))
        key = self._named("key", form.variable) if form.variable else None
        answer = ProviderAnswer(kind, model, key, args.base_url)
        self._checking.provider(answer)
        return answer


class TerminalAnswers(_Gathering):
    """Asks the person at the terminal for what the options do not say."""

    def gather(self) -> InitAnswers:
        """Return the answers; raise BotError for an option that is wrong."""
        return InitAnswers(self._platform(), self._provider() if self._there is None else None)

    def _platform(self) -> PlatformAnswer:
        args = self._args
        kind = args.platform or ask(one_of(PLATFORMS), "platform", usual="telegram", choices=tuple(PLATFORMS))
        name = self._name(kind)
        variable = _variable(kind, name)
        bare = PlatformAnswer(kind, None, (), args.platform_url, name)
        if not variable:
            return replace(bare, owners=_owners(args) or ask(read_owners, "admin", usual="1"))
        named = self._named("token", variable)
        answer = self._good(
            lambda: replace(bare, token=named or self._secret("token", variable, kind)),
            self._check,
            is_final=named is not None,
        )
        usual = ", ".join(self._there.owners_of_kind(kind)) if self._there else ""
        return replace(answer, owners=_owners(args) or ask(read_owners, "admin", kind=kind, usual=usual))

    def _name(self, kind: str) -> str:
        """Ask what a second bot of a service is called; the first is called as the service."""
        there, given = self._there, self._args.name
        if there is None:
            return given or kind
        usual = there.free_name(kind)
        if given or usual == kind or not PLATFORMS[kind].variable:
            return there.check_name(given or kind, kind)
        return ask(lambda answer: there.check_name(answer, kind), "name", usual=usual, kind=kind)

    def _provider(self) -> ProviderAnswer:
        args = self._args
        usual = "openai"
        kind = args.provider or ask(one_of(PROVIDERS), "provider", usual=usual, choices=tuple(PROVIDERS))
        form = PROVIDERS[kind]
        if not form.variable:
            return ProviderAnswer(kind, args.model or form.model, None)
        named = self._named("key", form.variable)

        def once() -> ProviderAnswer:
            url = args.base_url or ask(str, "url")
            model = args.model or ask(nonempty, "model", usual=form.model)
            return ProviderAnswer(kind, model, named or self._key(form.variable), url)

        is_final = bool(named and args.base_url and args.model)
        return self._good(once, self._checking.provider, is_final=is_final)

    def _secret(self, topic: str, variable: str, kind: str) -> SecretAnswer:
        return ask(lambda answer: self._typed(nonempty(answer), variable), topic, hidden=True, kind=kind)

    def _key(self, variable: str) -> SecretAnswer | None:
        return ask(lambda answer: self._typed(answer, variable) if answer else None, "key", hidden=True)

    def _good(self, once: Callable[[], T], check: Callable[[T], None], *, is_final: bool) -> T:
        """Ask until the answer is good, or until the person wants it all the same; `is_final`: nobody can be asked."""
        while True:
            answer = once()
            try:
                check(answer)
            except BotError as error:
                if is_final:
                    raise
                print_text(f"✗ {problem_text(error)}")
                if not isinstance(error, ConfigError) and keep_anyway():
                    return answer
            else:
                return answer


def _variable(kind: str, name: str) -> str:
    """Say which variable holds the token of a bot; empty: it has none."""
    usual = PLATFORMS[kind].variable
    return usual if name == kind or not usual else f"{name.upper().replace('-', '_')}_TOKEN"


def _part(gather: Callable[[], T], problems: list[str]) -> T | None:
    try:
        return gather()
    except BotError as error:
        problems.append(problem_text(error))
        return None


def _owners(args: Namespace) -> tuple[str, ...]:
    found = read_owners(",".join(args.admin_id))
    return found or (("1",) if args.platform == "console" else ())
