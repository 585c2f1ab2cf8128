"""Write a value without its words, which are in a column of their own: there they can be searched, and wiped."""

from __future__ import annotations

import orjson
from pydantic import BaseModel

REFERS_JSON = '"refers":['
"""How a body says that its message refers to something; in it alone, because quotation marks in texts are escaped."""


def bare_json(value: BaseModel, *, exclude_defaults: bool = False) -> str:
    """Return the JSON of a value whose `text` is empty, the way `model_dump_json` writes it."""
    data = value.model_dump(mode="json", exclude_defaults=exclude_defaults)
    data["text"] = ""
    try:
        return orjson.dumps(data).decode()
    except orjson.JSONEncodeError:
        # numbers beyond 64 bits
        return value.model_copy(update={"text": ""}).model_dump_json(exclude_defaults=exclude_defaults)
