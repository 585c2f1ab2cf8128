"""Say, once, that another agent has a channel now."""

from __future__ import annotations

from dataclasses import dataclass

import structlog

from bot.config.schema import Config
from bot.domain.channel import ChannelSettings
from bot.domain.ids import ChannelKey
from bot.domain.ledger import StoredInbound
from bot.domain.revisions import BY_ITSELF
from bot.domain.turn import NewOutbox
from bot.errors import DeliveryError
from bot.messaging.channels.settings import SettingsBook
from bot.messaging.policy.agent_routing import AgentRouter
from bot.ports.channels import ChannelStore
from bot.ports.clock import Clock
from bot.ports.delivery import Delivery
from bot.prompts import render

log = structlog.get_logger(__name__)


async def hand_over(agents: AgentRouter, channels: ChannelStore, clock: Clock) -> int:
    """Give channels to whom the configuration says, before anything is read of them; return how many changed hands."""
    moved = await channels.hand_over(agents.of, clock.now(), several=agents.are_several)
    for one in moved:
        log.info("channel_handed_over", channel=one.channel, former=one.former, agent=one.agent)
    return len(moved)


@dataclass(frozen=True, slots=True)
class HandoverNotice:
    """Introduces an agent where another one answered before: with its first answer, and only then."""

    config: Config
    book: SettingsBook
    delivery: Delivery

    async def introduce(self, key: ChannelKey, stored: StoredInbound) -> None:
        """Say who answers from now on, and that nothing of before is known; raises nothing but StoreError."""
        settings = self.book.of(key)
        if not settings.came_from:
            return
        body = NewOutbox(
            kind="notice", to=self.delivery.home(key.channel), text=self._text(key, settings), inbound=stored.id
        )
        try:
            await self.delivery.say(body)
        except DeliveryError as error:
            log.warning("introduction_not_delivered", channel=str(key), code=error.code)
        inbound = stored.inbound
        known = self.book.of(key).replace(came_from="")
        await self.book.change(key, inbound.channel_name, inbound.place, known, BY_ITSELF)

    def _text(self, key: ChannelKey, settings: ChannelSettings) -> str:
        called = {agent: self.config.called(agent) for agent in (key.agent, settings.came_from)}
        if len(set(called.values())) == 1:
            # both are called like the bot: then their own names tell them apart
            called = {agent: f"{name} ({agent})" for agent, name in called.items()}
        return render("handover", name=called[key.agent], former=called[settings.came_from])
