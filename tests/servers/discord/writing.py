"""How the API writes a guild: as a request returns it, and as the gateway brings it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .permissions import sees
from .values import Json, Role, stamp

if TYPE_CHECKING:
    from .bot import Bot
    from .roster import Roster


def guild(one: Roster) -> Json:
    """Write the `Guild` object as a request returns it."""
    body: Json = {"id": str(one.id), "name": one.name, "owner_id": str(one.owner.id), "icon": None}
    body |= {"roles": [role.json() for role in roles(one)], "emojis": [], "stickers": []}
    body |= {"features": [], "afk_channel_id": None, "afk_timeout": 300, "mfa_level": 0}
    body["verification_level"] = one.verification_level
    body |= {"default_message_notifications": 0, "explicit_content_filter": 0, "system_channel_id": None}
    body |= {"system_channel_flags": 0, "rules_channel_id": None, "premium_tier": 0, "preferred_locale": "en-US"}
    body |= {"nsfw_level": 0, "premium_progress_bar_enabled": False, "description": None, "banner": None}
    return body | {"splash": None, "discovery_splash": None, "application_id": None, "vanity_url_code": None}


def roles(one: Roster) -> list[Role]:
    """List the roles of a guild, everybody's first."""
    return [one.everyone, *(role for role in one.roles.values() if role is not one.everyone)]


def guild_create(one: Roster, viewer: Bot, *, members: bool) -> Json:
    """Write the `Guild` object as GUILD_CREATE carries it; without the members intent only the bot is listed."""
    threads = [place for place in one.world.channels.values() if place.guild is one and place.is_thread]
    shown = one.members.values() if members else [one.members[viewer.id]]
    body = guild(one) | {"joined_at": stamp(one.members[viewer.id].joined), "large": False}
    body |= {"member_count": len(one.members), "members": [member.json() for member in shown]}
    body |= {"channels": [place.json(viewer) for place in one.channels.values()]}
    active = [place for place in threads if not place.is_archived and sees(place, viewer)]
    body |= {"threads": [place.json(viewer) for place in active], "voice_states": [], "presences": []}
    return body | {"stage_instances": [], "guild_scheduled_events": [], "soundboard_sounds": []}
