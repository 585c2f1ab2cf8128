"""The inspector for other people's programs, and the approval of what theirs offer us."""

from __future__ import annotations

import asyncio
from argparse import Namespace
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import orjson
import structlog
from pydantic import ValidationError

from bot import __version__
from bot.app.adapters import look_server
from bot.cli.doctor import examine_target, load_checked
from bot.cli.host_queries import HostAnswer
from bot.cli.inspector_tools import INSPECTOR_TOOLS, McpInspector, TargetArgs
from bot.cli.run_bot import load_for_reading, with_data
from bot.config import LoadedConfig
from bot.cortex.doctor.examination import as_json, as_text
from bot.errors import BotError, ConfigError
from bot.ports.look_server import LookAnswer, LookOffer, OfferedLook
from bot.prompts import render
from bot.runtime.logs import configure_logs
from bot.runtime.terminal import complain
from bot.sentences import say
from bot.text.redaction import Redactor
from bot.text.text import excerpt
from bot.text.times import plain_times
from bot.tools.runtime.tool import ToolArgs, schema_of

log = structlog.get_logger(__name__)

_MAX_CONCURRENT_LOOKS = 2
"""Looks at the same time; the others wait, so that the machine stays the bot's."""


def serve(args: Namespace, path: Path) -> int:
    """Answer until whoever asks leaves, or Ctrl-C; return the exit status."""
    loaded = with_data(load_for_reading(path, args.config), args.data)
    # standard output is the conversation; every look leaves a line where the program that started us keeps its log
    configure_logs("info", Redactor.of(loaded.secrets))
    asked = InspectorEndpoint(loaded, partial(_examined, args, path))
    server = look_server()
    if not args.http:
        asyncio.run(server.over_stdio(desk_of(asked)))
        return 0
    token = loaded.config.inspector.token
    if loaded.secrets.get("inspector.token", "") != token or not token:
        raise ConfigError([say("mcp_servers.token-missing")])
    complain(f"http://127.0.0.1:{args.http}/mcp")
    asyncio.run(server.over_http(desk_of(asked), args.http, token))
    return 0


def desk_of(asked: InspectorEndpoint) -> LookOffer:
    """Return what is offered, and who answers."""
    looks = [OfferedLook(name, render(f"mcp/tools/{name}"), schema_of(model)) for name, model in asked.args.items()]
    return LookOffer("glassmind", __version__, render("mcp/instructions"), looks, asked.ask)


class InspectorDoctorArgs(TargetArgs):
    """A channel whose place on its platform is looked at, besides everything else."""


class InspectorEndpoint:
    """Answers what is asked; whatever goes wrong is an answer."""

    def __init__(self, loaded: LoadedConfig, doctor: Callable[[InspectorDoctorArgs], Awaitable[HostAnswer]]) -> None:
        self.args: Mapping[str, type[ToolArgs]] = {
            **{name: one.args for name, one in INSPECTOR_TOOLS.items()},
            "doctor": InspectorDoctorArgs,
        }
        self._doctor = doctor
        self._looker = McpInspector(loaded)
        self._redactor = Redactor.of(loaded.secrets)
        self._turns = asyncio.Semaphore(_MAX_CONCURRENT_LOOKS)

    async def ask(self, name: str, arguments: Mapping[str, Any]) -> LookAnswer:
        """Call a tool by its name."""
        model = self.args.get(name)
        if model is None:
            return self._failed(say("mcp_servers.no-such-tool", name=excerpt(name, 60), names=", ".join(self.args)))
        try:
            args = model.model_validate(dict(arguments))
        except ValidationError as error:
            return self._failed(_problems(error))
        log.info("looked", look=name, arguments=args.model_dump())
        try:
            async with self._turns:
                shown = await self._look(name, args)
        except BotError as error:
            return self._failed(str(error))
        except Exception as error:
            log.error("look_broke", look=name, error_type=type(error).__name__, exc_info=error)
            return self._failed(say("mcp_servers.broke", name=name, error=type(error).__name__))
        value = orjson.loads(orjson.dumps(shown.value))
        return LookAnswer(self._redactor.redact(shown.text).text, self._clean(value))

    async def _look(self, name: str, args: ToolArgs) -> HostAnswer:
        if isinstance(args, InspectorDoctorArgs):
            # it asks platforms and services, and opens what it finds of the data directory by itself
            return await self._doctor(args)
        return await self._looker.look(name, args)

    def _failed(self, words: str) -> LookAnswer:
        return LookAnswer(self._redactor.redact(words).text, {}, failed=True)

    def _clean(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._redactor.redact(value).text
        if isinstance(value, dict):
            return {self._clean(key): self._clean(item) for key, item in value.items()}
        return [self._clean(item) for item in value] if isinstance(value, list) else value


def _problems(error: ValidationError) -> str:
    listed = "; ".join(
        f"`{'.'.join(map(str, item['loc']))}`: {item['msg']}" for item in error.errors(include_input=False)[:8]
    )
    return say("mcp_servers.bad-arguments", problems=listed)


async def _examined(args: Namespace, path: Path, asked: InspectorDoctorArgs) -> HostAnswer:
    """Look as `glassmind doctor` does, by the files as they are now."""
    loaded = await asyncio.to_thread(load_checked, args, path)
    rows = await examine_target(loaded, asked.target.strip(), free=True)
    return HostAnswer(plain_times(as_text(rows)), {"rows": as_json(rows)})
