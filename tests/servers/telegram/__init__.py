"""A loopback server that speaks the Telegram Bot API over a small world of people, and misbehaves on request.

world = World()
ann, bot = world.person("Ann", "ann"), world.bot("glassmind_bot")
async with telegram_server(world) as server:
    ...  # run the bot against server.base_url and server.base_file_url with bot.token
    world.start(ann)
    world.say(world.dm(ann), ann, "are you there?")
    server.fault("sendMessage", Drops(applied=True))  # the answer to the next sendMessage is lost after delivery
    await server.called("sendMessage")
    assert world.transcript(world.dm(ann)) == "Ann> /start\nAnn> are you there?\nglassmind_bot< yes"
"""

from .asking import scope_key
from .dispatch import Call
from .faults import (
    BACKWARDS,
    CONFLICT,
    TWICE,
    Alters,
    Answers,
    BadGateway,
    Before,
    Dribbles,
    Drops,
    Fault,
    Flood,
    Hangs,
    Refuses,
    Truncated,
)
from .inlet import FIRST_UPDATE, Inlet
from .server import TelegramServer, telegram_server
from .state import START, Press, Switches, Upload
from .talk import ANONYMOUS
from .values import Bot, Chat, Json, Member, Message, Person, Topic, Webhook
from .world import World

__all__ = [
    "ANONYMOUS",
    "BACKWARDS",
    "CONFLICT",
    "FIRST_UPDATE",
    "START",
    "TWICE",
    "Alters",
    "Answers",
    "BadGateway",
    "Before",
    "Bot",
    "Call",
    "Chat",
    "Dribbles",
    "Drops",
    "Fault",
    "Flood",
    "Hangs",
    "Inlet",
    "Json",
    "Member",
    "Message",
    "Person",
    "Press",
    "Refuses",
    "Switches",
    "TelegramServer",
    "Topic",
    "Truncated",
    "Upload",
    "Webhook",
    "World",
    "scope_key",
    "telegram_server",
]
