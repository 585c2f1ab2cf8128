"""What everything that speaks and asks on Discord needs."""

from __future__ import annotations

from typing import NamedTuple

from adapters.discord.account import Account
from adapters.discord.dms import Dms
from adapters.discord.own_messages import OwnMessages
from adapters.discord.rest import Rest
from bot.ports.clock import Clock


class Desk(NamedTuple):
    """One session and what was learnt through it."""

    rest: Rest
    account: Account
    dms: Dms
    clock: Clock
    own: OwnMessages
