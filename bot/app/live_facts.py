"""What fixes have to know of the running bot: its models, its tools, how full a conversation is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.app.core import BotCore
from bot.context.compaction import RequestFullness
from bot.context.compaction.plan import percent_of
from bot.cortex.fixes.fix_menu import FixFacts, Fullness
from bot.domain.channel import ChannelSettings, ChannelState, ProcessKind
from bot.domain.ids import ChannelKey
from bot.domain.llm import ModelName
from bot.domain.messages import Inbound
from bot.errors import UserError
from bot.sentences import say
from bot.text.text import quote_line

_MAX_MODEL_CHARS = 128


@dataclass(frozen=True)
class LiveFacts:
    """Reads it of those who hold it, each time anew."""

    bot: BotCore

    def fix_facts(self) -> FixFacts:
        """Return what the list of fixes asks."""
        return FixFacts(
            chain=lambda state: [str(model) for model in self._chain(state)],
            check=self._check,
            health=lambda: self.bot.mind.turns.models.health(),
            skills=lambda key: [skill.name for skill in self.bot.skills.usable(key.agent)],
            tools=self._tools,
            configured=self._configured,
            fullness=self._fullness,
            can_shorten=lambda state: self.bot.mind.compactor.plan_now(state, self._size(state)) is not None,
            stops=self._stops,
        )

    async def compact(self, key: ChannelKey) -> int | None:
        """Shorten a conversation now; return the tokens that are free then, None where nothing came of it."""
        state = self.bot.registry.get(key) or await self.bot.edges.store.channels.load(key)
        return await self.bot.mind.compactor.compact_now(state, self._size(state)) if state is not None else None

    def _stops(self, inbound: Inbound) -> str:
        return next((verdict.reason for verdict in self.bot.judge.would(inbound) if not verdict.passed), "")

    def _chain(self, state: ChannelState) -> Sequence[ModelName]:
        agent = self.bot.config.agent(state.agent)
        moves = self.bot.edges.store.channels.moves
        own = self.bot.config.channel(state.id, moves.former_ids(state.id)).model
        return self.bot.mind.turns.models.chain(state.settings.model or own or agent.model, agent.fallbacks)

    def _check(self, model: str) -> None:
        provider, slash, name = model.partition("/")
        known = self.bot.edges.providers
        if not slash or not name or provider not in known or len(model) > _MAX_MODEL_CHARS:
            names = ", ".join(f"{one}/..." for one in sorted(known))
            raise UserError(say("lifecycle.cannot-ask-model", model=quote_line(model, 60), providers=names))

    def _tools(self, key: ChannelKey) -> Sequence[str]:
        toolbox = self.bot.mind.toolbox
        kinds = (ProcessKind.CHANNEL, ProcessKind.BRANCH, ProcessKind.WORKER)
        return list(dict.fromkeys(tool.name for kind in kinds for tool in toolbox.of(kind)))

    def _configured(self, key: ChannelKey) -> ChannelSettings:
        return self.bot.book.configured(key.channel)

    def _size(self, state: ChannelState) -> RequestFullness:
        limits = self.bot.mind.turns.models.limits(self._chain(state)[0])
        used = state.last.context_tokens if state.last else 0
        return RequestFullness(
            used or sum(turn.quarter_bytes for turn in state.turns), limits.window - limits.max_output
        )

    def _fullness(self, state: ChannelState) -> Fullness:
        size = self._size(state)
        return Fullness(size.used, percent_of(size.used, size.room))
