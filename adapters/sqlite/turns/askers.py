"""Who set a turn off: whatever it changes is changed by them."""

from __future__ import annotations

import orjson

from adapters.sqlite.engine.sealed_rows import read_or_skip
from adapters.sqlite.engine.sql_connection import SqlConnection
from bot.domain.channel import ProcessKind
from bot.domain.messages import AuthorKind, Inbound
from bot.domain.revisions import ChangedBy


def who_asked(connection: SqlConnection, turn: int, process: str | None = None) -> ChangedBy:
    """Return who wrote the newest message of a turn; nobody where a program set it off."""
    row = read_or_skip(connection, "turn", turn) if turn else None
    kind = str(process or (row["kind"] if row else ProcessKind.CHANNEL))
    for number in reversed(orjson.loads(row["inbounds"]) if row else []):
        found = read_or_skip(connection, "inbound", number)
        asked = Inbound.model_validate_json(found["body"]) if found else None
        if asked is not None and asked.author.kind is AuthorKind.PERSON:
            return ChangedBy(
                platform=asked.adapter, actor=asked.author.user_id, process=kind, inbound=number, turn=turn
            )
    return ChangedBy(process=kind, turn=turn)
