"""What a client sends to the gateway, and the codes with which it is shown out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import writing
from .bot import Bot
from .delivery import KNOWN, PRIVILEGED, has
from .guild import Guild
from .session import Session
from .values import Json

if TYPE_CHECKING:
    from .connection import Connection

LARGEST = 4096  # bytes of one payload
PACE, PACE_SECONDS = 120, 60
WORDS = {
    4000: "Unknown error.",
    4001: "Unknown opcode.",
    4002: "Error while decoding payload.",
    4003: "Not authenticated.",
    4004: "Authentication failed.",
    4005: "Already authenticated.",
    4007: "Invalid seq.",
    4008: "Rate limited.",
    4009: "Session timed out.",
    4010: "Invalid shard.",
    4011: "Sharding required.",
    4012: "Invalid API version.",
    4013: "Invalid intent(s).",
    4014: "Disallowed intent(s).",
}


class Bye(Exception):
    """The connection ends with a code."""

    def __init__(self, code: int) -> None:
        self.code = code
        self.words = WORDS[code]
        super().__init__(f"{code} {self.words}")


def check_query(connection: Connection) -> None:
    """Show out who speaks another version or encoding."""
    if connection.query.get("v", "10") not in ("9", "10"):
        raise Bye(4012)
    if connection.query.get("encoding", "json") != "json":
        raise Bye(4002)


def act(connection: Connection, frame: Json) -> None:
    """Do what one frame asks."""
    connection.sent = [at for at in connection.sent if at > connection.gateway.world.now - PACE_SECONDS]
    if len(connection.sent) > PACE:
        raise Bye(4008)
    op, data = frame.get("op"), frame.get("d")
    if op == 1:
        _heartbeat(connection, data)
    elif op in (2, 6):
        if connection.session is not None:
            raise Bye(4005)
        _identify(connection, _object(data)) if op == 2 else _resume(connection, _object(data))
    elif op in (3, 4, 8, 31):
        if connection.session is None:
            raise Bye(4003)
        _signed_in(connection.session, op, _object(data))
    else:
        raise Bye(4001)


def _heartbeat(connection: Connection, sequence: int | None) -> None:
    connection.beats.append(sequence)
    connection.send({"op": 11, "d": None})


def _identify(connection: Connection, data: Json) -> None:
    world = connection.gateway.world
    bot = _bot(connection, data)
    shard = data.get("shard", [0, 1])
    if not (isinstance(shard, list) and len(shard) == 2 and 0 <= shard[0] < shard[1]):
        raise Bye(4010)
    if connection.gateway.requires_shards and "shard" not in data:
        raise Bye(4011)
    _check_intents(bot, data.get("intents"))
    if bot.starts_since(world.now - world.switches.identify_pace):
        connection.send({"op": 9, "d": False})
        return
    bot.identifies.append(data)
    bot.starts.append(world.now)
    if len(bot.identifies) > world.switches.identifies:
        del world.bots[bot.token]  # the real one resets the token and writes to the owner
        raise Bye(4004)
    session = Session(f"session{world.count('sessions'):026d}", bot, data["intents"], (shard[0], shard[1]))
    bot.sessions.append(session)
    session.connection, connection.session = connection, session
    guilds = [one for one in world.guilds.values() if bot.id in one.members and session.holds(one)]
    session.add("READY", _ready(connection, session, guilds))
    for guild in guilds:
        if has(session.intents, "guilds") and not guild.is_down:
            body = writing.guild_create(guild, bot, members=has(session.intents, "members"))
            session.add("GUILD_CREATE", body | {"unavailable": False})


def _check_intents(bot: Bot, intents: object) -> None:
    if not isinstance(intents, int) or intents < 0 or intents & ~KNOWN:
        raise Bye(4013)
    if any(has(intents, name) and name not in bot.granted for name in PRIVILEGED):
        raise Bye(4014)


def _ready(connection: Connection, session: Session, guilds: list[Guild]) -> Json:
    bot = session.bot
    body: Json = {"v": 10, "user": bot.me(), "session_id": session.id, "private_channels": [], "relationships": []}
    body |= {"resume_gateway_url": connection.gateway.world.address.replace("http", "ws") + "/gateway/resume"}
    body |= {"guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds], "shard": list(session.shard)}
    return body | {"application": {"id": str(bot.id), "flags": bot.flags}, "_trace": ["loopback"]}


def _resume(connection: Connection, data: Json) -> None:
    bot = _bot(connection, data)
    session = next((one for one in bot.sessions if one.id == data.get("session_id")), None)
    if session is None:
        connection.send({"op": 9, "d": False})
        return
    sequence = data.get("seq")
    if not isinstance(sequence, int) or not 0 <= sequence <= session.sequence:
        raise Bye(4007)
    if session.connection is not None:
        session.connection.close(4000)
    session.connection, connection.session = connection, session
    session.resumes += 1
    for event in session.after(sequence):
        connection.tell(event)
    session.add("RESUMED", {"_trace": ["loopback"]})


def _bot(connection: Connection, data: Json) -> Bot:
    bot = connection.gateway.world.bots.get(str(data.get("token", "")).removeprefix("Bot "))
    if bot is None:
        raise Bye(4004)
    return bot


def _signed_in(session: Session, op: int, data: Json) -> None:
    if op == 3:
        session.bot.presence = data
    elif op == 8:
        _members(session, data)


def _members(session: Session, data: Json) -> None:
    assert session.connection is not None
    guild = session.connection.gateway.world.guilds.get(int(data.get("guild_id", 0)))
    if guild is None or session.bot.id not in guild.members:
        return
    wanted = {int(one) for one in data.get("user_ids", ())}
    if not wanted and not data.get("query") and not has(session.intents, "members"):
        raise Bye(4014)
    prefix = str(data.get("query") or "").lower()
    every = [one for one in guild.members.values() if not wanted or one.who.id in wanted]
    found = [one for one in every if one.who.username.lower().startswith(prefix)]
    body: Json = {"guild_id": str(guild.id), "members": [one.json() for one in found], "chunk_index": 0}
    body |= {"chunk_count": 1, "not_found": [str(one) for one in wanted - {one.who.id for one in found}]}
    session.add("GUILD_MEMBERS_CHUNK", body | ({"nonce": data["nonce"]} if "nonce" in data else {}))


def _object(data: object) -> Json:
    if not isinstance(data, dict):
        raise Bye(4002)
    return data
