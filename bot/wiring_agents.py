"""What the configuration says of agents and tools, made into the parts that answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import structlog

from bot.agent.doors import Doors
from bot.agent.turn import Turns
from bot.config import Config
from bot.config.privacy import read_text
from bot.config.schema import BotConfig
from bot.context.section import AgentFacts, Facts, Organisation
from bot.domain.channel import ChannelState
from bot.domain.ids import ChannelId
from bot.ports.channels import Channels
from bot.ports.edges import Edges
from bot.tools.toolbox import Toolbox

log = structlog.get_logger(__name__)
_MOST_BYTES = 16_000


def facts_of(edges: Edges, config: Config, beside: Path) -> Facts:
    """Return what sections read of the configuration and of the adapters; `beside` is where its file lies."""
    return Facts(
        bot_name=config.bot.name,
        persona=config.bot.persona,
        personas={ChannelId(key): one.persona for key, one in config.channels.items() if one.persona is not None},
        platforms={name: platform.capabilities for name, platform in edges.platforms.items()},
        bulletin_words=config.memory.bulletin_words,
        organisation=_organisation(config.bot, beside),
        links={ChannelId(key): one.links for key, one in config.channels.items() if one.links},
        agents={key: AgentFacts(one.name, one.persona, one.organisation) for key, one in config.agents.items()},
    )


def _organisation(bot: BotConfig, beside: Path) -> Organisation:
    texts, sources = [bot.organisation], ["config:bot.organisation"] if bot.organisation else []
    problem = ""
    if bot.organisation_file:
        try:
            texts.append(read_text(beside / bot.organisation_file, _MOST_BYTES))
            sources.append("config:bot.organisation_file")
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            problem = f"bot.organisation_file ({bot.organisation_file}) could not be read: {why}"
            log.error("organisation_file_not_read", file=bot.organisation_file, why=str(why))
    return Organisation("\n\n".join(filter(None, texts)), tuple(sources), problem)


def know_tools(turns: Turns, toolbox: Toolbox) -> None:
    """Let requests say what workers can do: the tools are bound last of all."""
    doors = turns.contexts.gatherer.sources.workers
    if isinstance(doors, Doors):
        doors.toolbox = toolbox


def model_of(config: Config, channels: Channels) -> Callable[[ChannelState], str]:
    """Return what names the model that was set for a channel; an empty name is the usual one."""

    def named(state: ChannelState) -> str:
        own = config.channel(state.id, channels.moves.before(state.id)).model
        return state.settings.model or own or config.agent(state.agent).model

    return named


def fallbacks_of(config: Config) -> Callable[[ChannelState], tuple[str, ...] | None]:
    """Return what names the models that stand in for that of a channel; None is for the usual ones."""

    def named(state: ChannelState) -> tuple[str, ...] | None:
        return config.agent(state.agent).fallbacks

    return named
