"""What counts as a person's own words, which alone can be a command: every shape on Telegram, every flag on Discord."""

from __future__ import annotations

from itertools import product
from typing import Any

from adapters.discord import Settings
from adapters.discord.gateway.library_client import LibraryClient
from adapters.discord.rest.client import RestClient
from adapters.discord.rest.dms import DmChannels
from adapters.discord.rest.message import DiscordParseContext as DiscordHearing
from adapters.discord.rest.message import read_message as discord_said
from adapters.telegram.authors import TelegramAccount
from adapters.telegram.convert import TelegramParseContext, convert_update
from adapters.telegram.places import KnownPlaces
from bot.config.schema import LimitsConfig, PlatformConfig
from bot.domain.access import Authority
from bot.domain.channel import ChannelSettings
from bot.domain.messages import Inbound
from bot.messaging.policy.gates.facts import GateFacts
from tests.fakes.clock import START
from tests.servers.telegram import World
from tests.servers.telegram.shapes import Scene, Shape, shapes

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.Gabcde.x"
COMMAND = "!cortex why"
ME, ANN, HOUSE, TABLE = (100_000_000_000_000_000 + number for number in range(1, 5))
AT = "2025-10-09T08:53:20+00:00"
_OLD = {"type": 0, "content": "old", "embeds": [], "attachments": [], "timestamp": AT, "edited_timestamp": None}


def is_command(inbound: Inbound) -> bool:
    """Say whether the gates take it for a command, even of an owner."""
    facts = GateFacts(inbound, ChannelSettings(), PlatformConfig(), LimitsConfig(), Authority.OWNER, ("glassmind",))
    return facts.command is not None


def telegram_shapes() -> list[Shape]:
    """Give every shape of an update, each with the command in it; each says whether it counts."""
    world = World()
    ann, bot = world.person("Ann", "ann", "Lee"), world.bot("glassmind_bot")
    group, news = world.supergroup("Tea", ann), world.channel("News", ann)
    return shapes(Scene(group.json(), ann.user(), bot.user(), news.json(), COMMAND))


def wrong_on_telegram(shape: Shape) -> str:
    """Say what is wrong with how a shape is taken."""
    me = TelegramAccount(7_000_000_001, "Glassmind_Bot")
    inbound = convert_update({"update_id": 41, **shape.update}, TelegramParseContext(me, KnownPlaces(), START)).inbound
    taken = is_command(inbound)
    return "" if taken == shape.counts else f"telegram, {shape.name}: taken as a command: {taken}"


def account(number: int, name: str, **more: Any) -> dict[str, Any]:
    return {"id": str(number), "username": name, "global_name": None, "discriminator": "0", "avatar": None} | more


def wire(**changes: Any) -> dict[str, Any]:
    """A message of Ann as Discord writes it."""
    return {
        "id": "1425768080998400100",
        "channel_id": str(TABLE),
        "type": 0,
        "content": COMMAND,
        "author": account(ANN, "Ann"),
        "timestamp": AT,
        "edited_timestamp": None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [],
        "mention_roles": [],
        "attachments": [],
        "embeds": [],
        "pinned": False,
        "flags": 0,
    } | changes


SWITCHES: tuple[dict[str, Any], ...] = (
    {"webhook_id": "9"},
    {"author": account(ANN, "Ann", bot=True)},
    {"type": 8},
    {"message_snapshots": [{"message": _OLD}]},
    {"flags": 1 << 14},
    {"flags": 1 << 1},
)
"""Everything that makes a message other than what somebody typed there."""
COMBINATIONS = list(product((False, True), repeat=len(SWITCHES)))


def wrong_on_discord(chosen: tuple[bool, ...]) -> str:
    """Say what is wrong with how a message with these flags is taken."""
    changes: dict[str, Any] = {}
    for switch in (switch for switch, on in zip(SWITCHES, chosen, strict=True) if on):
        flags = changes.get("flags", 0) | switch.get("flags", 0)
        changes |= switch | ({"flags": flags} if flags else {})
    made = Settings(token=TOKEN)
    client = LibraryClient(RestClient(made), made)
    message = client.message(client.stand_in(TABLE, HOUSE), wire(**changes))
    taken = is_command(discord_said(message, DiscordHearing(ME, DmChannels(client.http), 0)))
    return "" if taken is not any(chosen) else f"discord, {sorted(changes)}: taken as a command: {taken}"
