"""Check an answer where it can be checked: by the adapter's own rules, and live by its own probes."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping, Sequence

from bot.agent.turn.model_client import ModelClient
from bot.app.adapters import adapter_problems, introduce_platform, introduced_provider, machine
from bot.cli.init_answers import PlatformAnswer, ProviderAnswer, SecretAnswer
from bot.config import ModelConfig
from bot.cortex.doctor.model_probe import ModelProbe
from bot.domain.health import ProbeResult
from bot.domain.llm import ModelName
from bot.errors import ConfigError, UserError
from bot.runtime.terminal import complain, print_text
from bot.sentences import say
from bot.text.redaction import Redactor


class LiveChecks:
    """Says what was found, and keeps of it what is told at the end: `link` to the bot, `invite` for servers."""

    def __init__(self, *, is_live: bool, is_free: bool) -> None:
        self._is_live = is_live
        self._is_free = is_free
        self.facts: dict[str, str] = {}

    def platform(self, answer: PlatformAnswer) -> None:
        """Raise ConfigError for an answer that cannot be used, UserError for one that the platform refuses."""
        settings = answer.settings(answer.token.value if answer.token else "")
        _refuse({"platforms": {answer.table: {"kind": answer.kind, **settings}}})
        if not self._is_live or answer.token is None:
            return
        found = asyncio.run(introduce_platform(answer.kind, settings, machine()))
        self._tell(found, answer.token)
        facts = dict(fact for probe in found for fact in probe.facts)
        self.facts["invite"] = facts.get("invite", "")
        if answer.kind == "telegram" and facts.get("username"):
            self.facts["link"] = f"https://t.me/{facts['username']}"

    def provider(self, answer: ProviderAnswer) -> None:
        """Raise ConfigError for an answer that cannot be used, UserError for one that the service refuses."""
        settings = answer.settings(answer.key.value if answer.key else "")
        _refuse({"providers": {answer.kind: {"kind": answer.kind, **settings}}})
        if self._is_live:
            self._tell(asyncio.run(self._introduced(answer, settings)), answer.key)

    async def _introduced(self, answer: ProviderAnswer, settings: Mapping[str, object]) -> Sequence[ProbeResult]:
        """Look at the service's list, and ask the model for one token."""
        async with introduced_provider(answer.kind, settings) as provider:
            clock, providers = machine().clock, {answer.kind: provider}
            models = ModelClient(providers, ModelConfig(name=f"{answer.kind}/{answer.model}"), clock)
            asking = ModelProbe(models, providers, clock, free=self._is_free, waits=tell_of_waiting)
            return await asking.look(answer.kind, models.chain())

    def _tell(self, found: Sequence[ProbeResult], secret: SecretAnswer | None) -> None:
        redact = Redactor.of({"secret": secret.value} if secret else {}).redact
        # what a connection says of itself while nobody has opened it says nothing about the answer
        rows = [row for row in found if row.state != "unknown" or row.code or row.fix]
        for row in rows:
            if row.state == "failed":
                raise UserError(redact(f"{row.evidence}. {row.fix}").text)
        for row in rows:
            print_text(redact(f"✓ {row.evidence}" if row.state == "ok" else f"! {row.evidence}\n  → {row.fix}").text)


def tell_of_waiting(model: ModelName) -> None:
    """Say at a terminal that a model has not answered yet."""
    if sys.stderr.isatty():
        complain(say("init.waiting", model=str(model)))


def _refuse(tables: dict[str, dict[str, dict[str, object]]]) -> None:
    if problems := adapter_problems(tables):
        raise ConfigError(problems)
