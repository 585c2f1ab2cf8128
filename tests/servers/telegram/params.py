"""From an HTTP request to parameters: JSON bodies, forms, multipart with files, query strings."""

from __future__ import annotations

from typing import Any

import orjson
from aiohttp import web
from aiohttp.web_request import FileField

from .refusals import bad
from .state import Upload
from .values import Json, words

WHOLE = frozenset(
    words(
        "offset limit timeout message_id message_thread_id user_id draft_id max_connections cache_time icon_color "
        "reply_to_message_id open_period"
    )
)
FLAGS = frozenset(
    words(
        "disable_notification protect_content drop_pending_updates show_alert is_big allow_sending_without_reply "
        "disable_web_page_preview disable_content_type_detection revoke_messages "
        "is_anonymous allows_multiple_answers"
    )
)
STRUCTURED = frozenset(
    words(
        "allowed_updates entities caption_entities reply_parameters reply_markup reaction commands scope "
        "link_preview_options message_ids rich_message options"
    )
)
LARGEST = 60 * 1024 * 1024
WORDS = {
    "reply_markup": "can't parse reply keyboard markup JSON object",
    "reaction": "can't parse reaction types JSON object",
}


async def read(request: web.BaseRequest) -> tuple[Json, dict[str, Upload]]:
    """Read the raw parameters of a request, and its files by field name."""
    params: Json = dict(request.query)
    files: dict[str, Upload] = {}
    if request.content_type == "application/json":
        return params | _object(await request.read()), files
    form = await request.clone(client_max_size=LARGEST).post()
    for name, value in form.items():
        if isinstance(value, FileField):
            with value.file as file:
                files[name] = Upload(value.filename, file.read(), value.content_type)
        elif isinstance(value, bytes | bytearray):
            files[name] = Upload(name, bytes(value))
        else:
            params[name] = value
    return params, files


def decoded(raw: Json) -> Json:
    """Turn strings into what the method expects; what does not fit stays a string, to be refused by the method."""
    return {name: _decoded(name, value) for name, value in raw.items()}


def structured(params: Json, name: str) -> Any:
    """Return a parameter that must be JSON, or refuse it."""
    value = params.get(name)
    if name in params and isinstance(value, str):
        raise bad(WORDS.get(name, f"can't parse {name.replace('_', ' ')} JSON object"))
    return value


def _object(body: bytes) -> Json:
    try:
        value = orjson.loads(body or b"{}")
    except orjson.JSONDecodeError:
        value = None
    if not isinstance(value, dict):
        raise bad("can't parse JSON object")
    return value


def _decoded(name: str, value: Any) -> Any:
    if not isinstance(value, str):
        return value
    if name in WHOLE or name == "chat_id":
        return int(value) if value.strip().lstrip("-").isdecimal() else value
    if name in FLAGS:
        return value.lower() in ("true", "1", "yes")
    if name in STRUCTURED:
        try:
            return orjson.loads(value)
        except orjson.JSONDecodeError:
            return value
    return value
