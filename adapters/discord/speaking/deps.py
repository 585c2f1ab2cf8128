"""What everything that speaks and asks on Discord needs."""

from __future__ import annotations

from typing import NamedTuple

from adapters.discord.rest.account import DiscordAccount
from adapters.discord.rest.client import RestClient
from adapters.discord.rest.dms import DmChannels
from adapters.discord.speaking.own_messages import OwnMessages
from bot.ports.clock import Clock


class DiscordDeps(NamedTuple):
    """One session and what was learnt through it."""

    rest: RestClient
    account: DiscordAccount
    dms: DmChannels
    clock: Clock
    own: OwnMessages
