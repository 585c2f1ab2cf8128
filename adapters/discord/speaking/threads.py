"""Open a thread that one person reads. Private chats have no threads: a titled message stands for one."""

from __future__ import annotations

import re

from adapters.discord.base.body import body
from adapters.discord.base.markup import MOST_UNITS, cut
from adapters.discord.base.places import NAME, dm_of
from adapters.discord.base.targets import Kind, Target, user_number
from adapters.discord.speaking.sending import Sending
from bot.domain.ids import Person
from bot.domain.messages import Address
from bot.errors import DeliveryError

_MARKS = 4
_SILENT = 1 << 12
"""The message behind the title is the one that makes a phone ring."""
_SPECIAL = re.compile(r"([\\*_~`|])")


async def open_thread(sending: Sending, person: Person, title: str) -> Address:
    """Post the title that everything answers; raise DeliveryError, permanent when the person takes no messages."""
    user = user_number(person.user_id)
    if person.platform != NAME or user is None:
        raise DeliveryError(f"{person.user_id} is nobody's id on Discord", code="dm_closed", permanent=True)
    # every character may have to be escaped
    words = _SPECIAL.sub(r"\\\1", cut(" ".join(title.split()), (MOST_UNITS - _MARKS) // 2))
    form = body(f"**{words}**" if words else "…")
    root = await sending.begin(Target(Kind.DM, user), form | {"flags": form["flags"] | _SILENT})
    return Address(platform=NAME, channel=dm_of(user), thread=root, private_to=person.user_id)
