"""What everything that speaks and asks on Discord needs."""

from __future__ import annotations

from typing import NamedTuple

from adapters.discord.rest.account import Account
from adapters.discord.rest.client import Rest
from adapters.discord.rest.dms import Dms
from adapters.discord.speaking.own_messages import OwnMessages
from bot.ports.clock import Clock


class Desk(NamedTuple):
    """One session and what was learnt through it."""

    rest: Rest
    account: Account
    dms: Dms
    clock: Clock
    own: OwnMessages
