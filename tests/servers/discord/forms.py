"""The types that a form must have, before anything is looked for in it."""

from __future__ import annotations

from typing import Any

from .refusals import invalid
from .values import Json

TEXT, WHOLE, OBJECT, ANY = str, int, dict, object
Table = dict[str, Any]

EMBED: Table = {"title": TEXT, "description": TEXT, "footer": {"text": TEXT}, "fields": [{"name": TEXT, "value": TEXT}]}
COMPONENT: Table = {"type": WHOLE, "custom_id": TEXT, "label": TEXT, "content": TEXT, "accessory": OBJECT}
MESSAGE: Table = {
    "content": TEXT,
    "embeds": [EMBED],
    "components": [COMPONENT],
    "allowed_mentions": {"parse": [TEXT], "users": [ANY], "roles": [ANY]},
    "attachments": [{"id": ANY}],
    "flags": WHOLE,
    "message_reference": {"message_id": ANY},
    "sticker_ids": [ANY],
    "poll": OBJECT,
}
COMMAND: Table = {"name": TEXT, "description": TEXT, "type": WHOLE, "options": [OBJECT]}


def check(value: Any, wanted: Any, path: str = "") -> None:
    """Refuse a form in which something has another type; null is nothing."""
    if value is None or wanted is ANY:
        return
    if isinstance(wanted, list):
        _is(value, list, path)
        for index, one in enumerate(value):
            check(one, wanted[0], f"{path}.{index}")
    elif isinstance(wanted, dict):
        _is(value, dict, path)
        for name, kind in wanted.items():
            check(value.get(name), kind, f"{path}.{name}")
    else:
        _is(value, wanted, path)


def check_components(components: list[Json]) -> None:
    """Refuse components that hold something else than components."""
    for one in components:
        inner = one.get("components")
        check(inner, [COMPONENT], "components")
        check_components(inner or [])


def _is(value: Any, kind: type, path: str) -> None:
    if not isinstance(value, kind) or (kind is WHOLE and isinstance(value, bool)):
        raise invalid(path.strip(".") or "_errors", "BASE_TYPE_BAD_TYPE", f"Must be of the type {kind.__name__}.")
