"""A loopback server that speaks the Telegram Bot API over a small world of people, and misbehaves on request.

world = World(clock=lambda: clock.now() / 1000)  # or World(), and world.wait(60)
ann, bot = world.person("Ann", "ann"), world.bot("glassmind_bot")
async with telegram_server(world) as server:
    ...  # run the bot against server.base_url and server.base_file_url with bot.token
    world.start(ann)
    world.say(world.dm(ann), ann, "are you there?")
    server.fault("sendMessage", Drops(applied=True))  # the answer to the next sendMessage is lost after delivery
    await server.called("sendMessage")  # or until(lambda: "yes" in world.transcript(world.dm(ann)))
    await server.caught_up()  # every update is confirmed and the bot polls for more
    assert world.transcript(world.dm(ann)) == "Ann> /start\nAnn> are you there?\nglassmind_bot< yes"

In a group: `kitchen = world.supergroup("kitchen", ann, bot)`, `world.promote(kitchen, bot)`; the first person owns it.
People act on the world (`say`, `edit`, `press`, `start`, `block`, `react`, `join`, ...), which is never awaited; what a
bot may see of it is queued at once. `world.messages(chat)[-1]` can be pressed, answered or edited. Odd updates come
from `tests.servers.telegram.shapes` by `world.push`. A private chat exists for each pair of person and bot; a bot can
write there once the person has started it or said something.
"""

from .asking import scope_key
from .dispatch import Call
from .faults import (
    BACKWARDS,
    CONFLICT,
    EMPTY,
    TWICE,
    Alters,
    Answers,
    BadGateway,
    Before,
    Dribbles,
    Drops,
    Fault,
    Flood,
    HalfOpen,
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
    "EMPTY",
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
    "HalfOpen",
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
