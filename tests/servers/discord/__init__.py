"""A loopback server that speaks Discord's API and gateway over a small world of people, and misbehaves on request.

world = World(clock=lambda: clock.now() / 1000)  # or World(), and world.wait(60)
bot, ann = world.bot("glassmind"), world.person("Ann")
kitchen = world.guild("Kitchen", ann, bot)  # the first one owns it
support = kitchen.channel("support")
async with discord_server(world) as server:
    ...  # run the bot with bot.token against server.api_url, server.cdn_url and server.gateway_url
    await server.gateway.connected()
    await ann.says(support, "are you there?", mentions=bot)
    server.fault("create_message", Drops(applied=True))  # the answer to the next one is lost after delivery
    server.fault_event("MESSAGE_CREATE", Twice())
    await support.hears("yes")
    assert support.transcript() == f"Ann> {bot.mention} are you there?\nglassmind< yes"
    session = await ann.slash(support, "cortex", question="why?")  # as the bot has registered it
    await session.shows("because")  # for her alone, or for all
    assert server.limited == []  # no 429, ever

People act by methods of their own, which return when every connected bot has been written to; whoever waits for a bot
waits by `hears`, `becomes`, `shows`, `called`, and is told what there is instead when it never comes. The names of
calls are those of the table in `routes`. Places change by methods of theirs: `support.deny(role, "view_channel")`,
`thread.archive()`, `kitchen.go_down()`. Connections break by `server.gateway`: `drop`, `close(4000)`, `reconnect`,
`invalidate`, `zombie`, `hold` and `release`. Odd events come from `tests.servers.discord.shapes` by
`server.gateway.push`. What reports disagree about, and the lengths of lives, can be turned in `world.switches`; the
pace of calls in `world.limits`.
"""

from .bot import Bot
from .channel import Channel
from .dispatch import Call
from .faults import (
    CLOUDFLARE,
    Alters,
    Answers,
    BadGateway,
    Before,
    Closes,
    Cuts,
    Dribbles,
    Drops,
    EventFault,
    Fault,
    Flood,
    Garbled,
    Hangs,
    Late,
    Lost,
    Refuses,
    Rewritten,
    Truncated,
    Twice,
)
from .gateway import Gateway
from .guild import Guild
from .interaction import Interaction
from .limits import REAL, Limit
from .message import Message
from .server import DiscordServer, discord_server
from .state import START, Switches
from .talk import Person
from .values import Json, Role, Upload, User
from .world import World

__all__ = [
    "CLOUDFLARE",
    "REAL",
    "START",
    "Alters",
    "Answers",
    "BadGateway",
    "Before",
    "Bot",
    "Call",
    "Channel",
    "Closes",
    "Cuts",
    "DiscordServer",
    "Dribbles",
    "Drops",
    "EventFault",
    "Fault",
    "Flood",
    "Garbled",
    "Gateway",
    "Guild",
    "Hangs",
    "Interaction",
    "Json",
    "Late",
    "Limit",
    "Lost",
    "Message",
    "Person",
    "Refuses",
    "Rewritten",
    "Role",
    "Switches",
    "Truncated",
    "Twice",
    "Upload",
    "User",
    "World",
    "discord_server",
]
