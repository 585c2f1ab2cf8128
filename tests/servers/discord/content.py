"""What a message may hold: the form checked as the API does, and whom its text pings."""

from __future__ import annotations

import re

from . import forms
from .channel import Channel
from .message import Message, flat
from .permissions import may
from .refusals import EMPTY, TOO_LARGE, Refused, invalid
from .state import State
from .values import Json, Upload, User

LONGEST = 2000
EMBED = {"title": 256, "description": 4096}
EMBEDS_TOTAL, EMBEDS, FIELDS = 6000, 10, 25
ROWS, BUTTONS, FILES = 5, 5, 10
BUTTON, ROW = 2, 1
USER, ROLE = re.compile(r"<@!?(\d+)>"), re.compile(r"<@&(\d+)>")
NAMES = ("users", "roles", "everyone")


def check(world: State, form: Json, files: dict[int, Upload]) -> None:
    """Refuse what no message may hold."""
    forms.check(form, forms.MESSAGE)
    forms.check_components(form.get("components") or [])
    check_length(world, form.get("content") or "", "content", LONGEST)
    _check_embeds(world, form.get("embeds") or [])
    _check_components(form.get("components") or [])
    check_files(world, files)
    allowed = form.get("allowed_mentions")
    if allowed is not None:
        _check_allowed(allowed)


def check_files(world: State, files: dict[int, Upload]) -> None:
    """Refuse too many files, or too large ones."""
    if len(files) > FILES:
        raise invalid("attachments", "BASE_TYPE_MAX_LENGTH", f"Must be {FILES} or fewer in length.")
    if any((file.size or len(file.content)) > world.switches.largest_upload for file in files.values()):
        raise Refused(*TOO_LARGE)


def check_substance(form: Json, files: dict[int, Upload]) -> None:
    """Refuse an empty message."""
    parts = ("embeds", "components", "sticker_ids", "poll", "attachments")
    if not (form.get("content") or "").strip() and not any(form.get(name) for name in parts) and not files:
        raise Refused(*EMPTY)


def check_length(world: State, text: str, path: str, most: int) -> None:
    """Refuse a text that is too long."""
    if length(world, text) > most:
        raise invalid(path, "BASE_TYPE_MAX_LENGTH", f"Must be {most} or fewer in length.")


def length(world: State, text: str) -> int:
    """Count as the world counts: UTF-16 units, or code points."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2 if world.switches.utf16 else len(text)


def mentioned(channel: Channel, author: User, content: str, allowed: Json | None) -> Json:
    """Find whom a text names and pings: the fields of a message. Without `allowed` everything is parsed."""
    parse = NAMES if allowed is None else tuple(allowed.get("parse") or ())
    chosen = {name: [str(one) for one in (allowed or {}).get(name) or ()] for name in ("users", "roles")}
    users = [one for one in _unique(USER.findall(content)) if "users" in parse or one in chosen["users"]]
    named = [user for one in users if (user := channel.world.users.get(int(one))) is not None]
    roles = [int(one) for one in _unique(ROLE.findall(content)) if "roles" in parse or one in chosen["roles"]]
    loud = "everyone" in parse and ("@everyone" in content or "@here" in content)
    everyone = bool(loud and channel.guild and may(channel, author, "mention_everyone"))
    pinged = [*named, *_holders(channel, roles, everyone)]
    fields: Json = {"mentions": named, "mention_roles": roles, "mention_everyone": everyone}
    return fields | {"pings": [user for user in dict.fromkeys(pinged) if user is not author]}


def renamed(message: Message, text: str, allowed: Json | None) -> Json:
    """Find whom an edited text names: it moves nobody's phone, and whom it answers stays named."""
    fields = mentioned(message.channel, message.author, text, allowed)
    del fields["pings"]
    target = message.referenced
    if target is not None and target.author in message.mentions and target.author not in fields["mentions"]:
        fields["mentions"] = [*fields["mentions"], target.author]
    return fields


def _holders(channel: Channel, roles: list[int], everyone: bool) -> list[User]:
    if channel.guild is None:
        return []
    members = channel.guild.members.values()
    return [one.who for one in members if everyone or any(role.id in roles for role in one.roles)]


def _unique(numbers: list[str]) -> list[str]:
    return list(dict.fromkeys(numbers))


def _check_embeds(world: State, embeds: list[Json]) -> None:
    if len(embeds) > EMBEDS:
        raise invalid("embeds", "BASE_TYPE_MAX_LENGTH", f"Must be {EMBEDS} or fewer in length.")
    if sum(_check_embed(world, embed, f"embeds.{index}") for index, embed in enumerate(embeds)) > EMBEDS_TOTAL:
        raise invalid("embeds", "MAX_EMBED_SIZE_EXCEEDED", "Embed size exceeds maximum size of 6000")


def _check_embed(world: State, embed: Json, path: str) -> int:
    """Refuse an embed that is too large in one part; return how long all its texts are."""
    fields = embed.get("fields") or []
    if len(fields) > FIELDS:
        raise invalid(f"{path}.fields", "BASE_TYPE_MAX_LENGTH", f"Must be {FIELDS} or fewer in length.")
    texts = [(embed.get(name) or "", f"{path}.{name}", most) for name, most in EMBED.items()]
    texts.append(((embed.get("footer") or {}).get("text") or "", f"{path}.footer.text", 2048))
    for at, one in enumerate(fields):
        for name, most in {"name": 256, "value": 1024}.items():
            if not one.get(name):
                raise invalid(f"{path}.fields.{at}.{name}", "BASE_TYPE_REQUIRED", "This field is required")
            texts.append((one[name], f"{path}.fields.{at}.{name}", most))
    for text, where, most in texts:
        check_length(world, text, where, most)
    return sum(length(world, text) for text, _, _ in texts)


def _check_components(components: list[Json]) -> None:
    seen: set[str] = set()
    if any(one.get("type") == ROW for one in components) and len(components) > ROWS:
        raise invalid("components", "BASE_TYPE_BAD_LENGTH", f"Must be between 1 and {ROWS} in length.")
    for index, row in enumerate(components):
        if row.get("type") == BUTTON:
            raise invalid(f"components.{index}", "UNION_TYPE_CHOICES", 'Value of field "type" must be one of (1, 9).')
        if len(row.get("components") or ()) > BUTTONS and row.get("type") == ROW:
            raise invalid(
                f"components.{index}.components", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 5 in length."
            )
    for one in flat(components):
        _check_control(one, seen)


def _check_control(one: Json, seen: set[str]) -> None:
    custom = one.get("custom_id")
    if custom is None:
        return
    if not 1 <= len(custom) <= 100:
        raise invalid("components.0.components.0.custom_id", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100.")
    if custom in seen:
        words = "Component custom id cannot be duplicated"
        raise invalid("components.0.components.0.custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED", words)
    if len(one.get("label") or "") > 80:
        raise invalid("components.0.components.0.label", "BASE_TYPE_MAX_LENGTH", "Must be 80 or fewer in length.")
    seen.add(custom)


def _check_allowed(allowed: Json) -> None:
    parse = allowed.get("parse") or []
    if any(one not in NAMES for one in parse):
        raise invalid("allowed_mentions.parse", "BASE_TYPE_CHOICES", f"Value must be one of {NAMES}.")
    for name in ("users", "roles"):
        if name in parse and allowed.get(name):
            words = f'parse:["{name}"] and {name}: [ids...] are mutually exclusive.'
            raise invalid("allowed_mentions", "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", words)
