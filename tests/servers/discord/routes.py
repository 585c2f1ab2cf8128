"""Every call this server answers: its name, its method and path, and who handles it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from . import asking, commands, interacting, reading, sending, threads
from .ask import Ask

Handler = Callable[[Ask], Any]
MESSAGES = "/channels/{channel}/messages"
MESSAGE = MESSAGES + "/{message}"
REACTION = MESSAGE + "/reactions/{emoji}"
THREAD = "/channels/{channel}/threads"
MEMBERS = "/channels/{channel}/thread-members"
MINE = MEMBERS + "/@me"
GUILD = "/guilds/{guild}"
COMMANDS = "/applications/{application}/commands"
LOCAL = "/applications/{application}/guilds/{guild}/commands"
HOOK = "/webhooks/{application}/{token}"
ORIGINAL = HOOK + "/messages/@original"
FOLLOWUP = HOOK + "/messages/{message}"

TABLE: tuple[tuple[str, str, str, Handler], ...] = (
    ("get_me", "GET", "/users/@me", asking.get_me),
    ("get_guilds", "GET", "/users/@me/guilds", asking.get_guilds),
    ("create_dm", "POST", "/users/@me/channels", asking.create_dm),
    ("leave_guild", "DELETE", "/users/@me/guilds/{guild}", asking.leave_guild),
    ("get_user", "GET", "/users/{user}", asking.get_user),
    ("get_application", "GET", "/applications/@me", asking.get_application),
    ("get_application", "GET", "/oauth2/applications/@me", asking.get_application),
    ("get_gateway", "GET", "/gateway", asking.get_gateway),
    ("get_gateway_bot", "GET", "/gateway/bot", asking.get_gateway_bot),
    ("get_channel", "GET", "/channels/{channel}", asking.get_channel),
    ("edit_channel", "PATCH", "/channels/{channel}", threads.edit_channel),
    ("delete_channel", "DELETE", "/channels/{channel}", threads.delete_channel),
    ("get_pins", "GET", MESSAGES + "/pins", reading.get_pins),
    ("pin", "PUT", MESSAGES + "/pins/{message}", sending.pin),
    ("unpin", "DELETE", MESSAGES + "/pins/{message}", sending.unpin),
    ("bulk_delete", "POST", MESSAGES + "/bulk-delete", sending.bulk_delete),
    ("get_messages", "GET", MESSAGES, reading.get_messages),
    ("create_message", "POST", MESSAGES, sending.create_message),
    ("get_message", "GET", MESSAGE, reading.get_message),
    ("edit_message", "PATCH", MESSAGE, sending.edit_message),
    ("delete_message", "DELETE", MESSAGE, sending.delete_message),
    ("add_reaction", "PUT", REACTION + "/@me", sending.add_reaction),
    ("remove_reaction", "DELETE", REACTION + "/@me", sending.remove_reaction),
    ("typing", "POST", "/channels/{channel}/typing", sending.typing),
    ("create_thread_from_message", "POST", MESSAGE + "/threads", threads.create_thread_from_message),
    ("create_thread", "POST", THREAD, threads.create_thread),
    ("get_archived_threads", "GET", THREAD + "/archived/public", threads.get_archived_threads),
    ("join_thread", "PUT", MINE, threads.join_thread),
    ("leave_thread", "DELETE", MINE, threads.leave_thread),
    ("get_thread_members", "GET", MEMBERS, threads.get_thread_members),
    ("get_thread_member", "GET", MEMBERS + "/{user}", threads.get_thread_member),
    ("add_thread_member", "PUT", MEMBERS + "/{user}", threads.add_thread_member),
    ("refresh_links", "POST", "/attachments/refresh-urls", reading.refresh_links),
    ("get_guild", "GET", GUILD, asking.get_guild),
    ("get_guild_channels", "GET", GUILD + "/channels", asking.get_guild_channels),
    ("get_audit_log", "GET", GUILD + "/audit-logs", asking.get_audit_log),
    ("get_active_threads", "GET", GUILD + "/threads/active", asking.get_active_threads),
    ("get_roles", "GET", GUILD + "/roles", asking.get_roles),
    ("get_members", "GET", GUILD + "/members", asking.get_members),
    ("edit_me", "PATCH", GUILD + "/members/@me", asking.edit_me),
    ("get_member", "GET", GUILD + "/members/{user}", asking.get_member),
    *(
        (name, method, base + rest, handler)
        for base in (COMMANDS, LOCAL)
        for name, method, rest, handler in (
            ("get_commands", "GET", "", commands.get_commands),
            ("put_commands", "PUT", "", commands.put_commands),
            ("create_command", "POST", "", commands.create_command),
            ("get_command", "GET", "/{command}", commands.get_command),
            ("edit_command", "PATCH", "/{command}", commands.edit_command),
            ("delete_command", "DELETE", "/{command}", commands.delete_command),
        )
    ),
    ("callback", "POST", "/interactions/{interaction}/{token}/callback", interacting.callback),
    ("create_followup", "POST", HOOK, interacting.create_followup),
    ("get_original", "GET", ORIGINAL, interacting.get_original),
    ("edit_original", "PATCH", ORIGINAL, interacting.edit_original),
    ("delete_original", "DELETE", ORIGINAL, interacting.delete_original),
    ("get_followup", "GET", FOLLOWUP, interacting.get_followup),
    ("edit_followup", "PATCH", FOLLOWUP, interacting.edit_followup),
    ("delete_followup", "DELETE", FOLLOWUP, interacting.delete_followup),
)


class Route(NamedTuple):
    """One line of the table, ready to match."""

    operation: str
    method: str
    pattern: re.Pattern[str]
    handler: Handler


def _route(operation: str, method: str, path: str, handler: Handler) -> Route:
    return Route(operation, method, re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", path)), handler)


ROUTES = tuple(_route(*line) for line in TABLE)
DOWNLOAD, STRANGE = "download", "strange"  # a file from the CDN, and what no line of the table matches
OPERATIONS = frozenset(route.operation for route in ROUTES) | {DOWNLOAD, STRANGE}


def matching(method: str, path: str) -> tuple[Route, dict[str, str]] | None:
    """Find the line for a request, and the parts of its path; `@me` is never an id."""
    for route in ROUTES:
        if route.method == method and (match := route.pattern.fullmatch(path)):
            return route, match.groupdict()
    return None


def major(route: Route, parts: dict[str, str]) -> str:
    """Name what a rate limit is kept for: the channel, the guild, or the webhook with its token."""
    if "token" in parts:
        return f"webhook {parts['token']}"
    return " ".join(parts[name] for name in ("channel", "guild") if name in parts)
