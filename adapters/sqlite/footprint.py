"""Find what is kept of one person: their messages and what answered them, and whatever quotes either."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import orjson

from adapters.sqlite.names import read_message
from adapters.sqlite.quotes import ERASED, Quotes, erased, is_by, spoken_texts, without_program
from adapters.sqlite.rows import intact
from adapters.sqlite.swapping import Swap
from bot.domain.ids import ChannelId, Person
from bot.domain.messages import AuthorKind, Message
from bot.domain.process import result_id
from bot.domain.turn import OutboxState

_AUTHOR = "json_extract(body, '$.author.user_id') = ? AND adapter = ?"
_FOLDERS = ("context", "outgoing")
_MOST_FILES = 20_000
_MOST_BYTES = 256 * 1024 * 1024
_GZIP = b"\x1f\x8b"
_REASONS = (("inbound", "outcome_reason"), ("stage", "reason"), ("turn", "reason"), ("channel", "last"))
"""Where what a model or a service gave as its reason is repeated, in turns of others too."""
_UNDER_WAY = (OutboxState.NEW.value, OutboxState.SENDING.value)


class Found(NamedTuple):
    """Rows, by table. `rows` are the ledger rows of everything that they ever wrote, `names` its ids on
    the platform, `strangers` the rows of people with the same id elsewhere.
    """

    user: str
    rows: frozenset[int]
    names: frozenset[str]
    strangers: frozenset[int]
    turns: frozenset[int]
    messages: tuple[int, ...]
    answers: tuple[int, ...]
    calls: tuple[int, ...]
    memories: tuple[int, ...]
    work: tuple[int, ...]
    channels: tuple[ChannelId, ...]
    quotes: Quotes


def look(person: Person, connection: sqlite3.Connection) -> Found:
    """Find their rows, and read their words, by which the rest is found."""
    platform, user = person
    written = intact(connection, "inbound", f"WHERE {_AUTHOR}", (user, platform))
    # what came back of the work that they had done is theirs too, although the program wrote it down
    work = intact(connection, "process", "WHERE actor = ? AND platform = ?", (user, platform))
    names = orjson.dumps([result_id(row["id"]) for row in work]).decode()
    returned = "WHERE kind = 'result' AND message_id IN (SELECT value FROM json_each(?))"
    written += intact(connection, "inbound", returned, (names,)) if work else []
    rows = frozenset(row["id"] for row in written)
    same_id = "WHERE json_extract(body, '$.author.user_id') = ? AND adapter <> ?"
    strangers = frozenset(row["id"] for row in intact(connection, "inbound", same_id, (user, platform)))
    turns = frozenset(row["turn"] for row in written if row["turn"])
    turns |= {turn for row in work for turn in orjson.loads(row["turns"])}
    named = orjson.dumps(sorted(rows)).decode(), orjson.dumps(sorted(turns)).decode()
    answers = _ids(
        connection,
        f"""SELECT id FROM outbox WHERE text IS NOT NULL AND state NOT IN {_UNDER_WAY} AND (
            inbound IN (SELECT value FROM json_each(?)) OR turn > 0 AND turn IN (SELECT value FROM json_each(?)))""",  # noqa: S608 - constants of ours
        *named,
    )
    calls = _ids(
        connection,
        "SELECT id FROM tool_call WHERE arguments IS NOT NULL AND turn IN (SELECT value FROM json_each(?))",
        named[1],
    )
    memories = memories_of(person, connection)
    kept = [row for row in written if row["text"] is not None or _is_named(row["body"])]
    texts = [row["text"] for row in written if row["text"]]
    texts += [memory["content"] for memory in memories]
    texts += [text for row in work for text in (row["task"], row["result"]) if text]
    texts += [text for message in _lines_of(connection, user, rows, strangers) for text in spoken_texts(message)]
    return Found(
        user=user,
        rows=rows,
        names=frozenset(row["message_id"] for row in written),
        strangers=strangers,
        turns=turns,
        messages=tuple(row["id"] for row in kept),
        answers=answers,
        calls=calls,
        memories=tuple(memory["id"] for memory in memories),
        work=tuple(row["id"] for row in work if row["task"] is not None),
        channels=tuple(dict.fromkeys(ChannelId(row["channel"]) for row in written)),
        quotes=Quotes(text for text in texts if text != ERASED),
    )


def memories_of(person: Person, connection: sqlite3.Connection) -> list[sqlite3.Row]:
    """Return the rows of what is remembered by somebody or about them."""
    tail = """WHERE content IS NOT NULL AND platform = ? AND (author = ?
        OR EXISTS (SELECT 1 FROM json_each(memory.body, '$.subjects') WHERE value = ?))"""
    return intact(connection, "memory", tail, (person.platform, person.user_id, person.user_id))


def swaps(person: Person, found: Found, connection: sqlite3.Connection) -> Swap:
    """Find the content that holds their words, what stands in its place, and every row that names it."""
    own = _blobs_of_turns(connection, found.turns)
    fresh: dict[int, Message | str] = {}
    for row in connection.execute("SELECT id, hash, body FROM blob"):
        instead = _instead(row, found, mine=row["id"] in own)
        if instead is not None:
            fresh[row["id"]] = instead
    swap = Swap(fresh)
    swap.find(connection, found.turns)
    swap.processes += found.work
    quoted = found.quotes.are_in
    for table, column, into in (
        ("tool_call", "coalesce(arguments, '') || ' ' || coalesce(output, '')", swap.calls),
        ("outbox", "CASE WHEN state IN ('new', 'sending') THEN '' ELSE coalesce(text, '') END", swap.answers),
        ("attempt", "coalesce(response, '') || ' ' || body", swap.attempts),
        ("checkpoint", "body", swap.checkpoints),
        ("compaction", "coalesce(missing, '')", swap.compactions),
        ("inbound", "CASE kind WHEN 'result' THEN coalesce(text, '') ELSE '' END", swap.results),
        ("process", "coalesce(task, '') || ' ' || coalesce(result, '') || ' ' || progress", swap.processes),
    ):
        sql = f"SELECT id, {column} FROM {table}"  # noqa: S608 - constants of this file
        into += [row[0] for row in connection.execute(sql) if row[1].strip() and quoted(row[1])]
    for table, column in _REASONS:
        # one word alone is ours
        sql = f"SELECT id, {column} FROM {table} WHERE instr({column}, ': ')"  # noqa: S608 - constants of this file
        swap.reasons += [(table, column, row[0]) for row in connection.execute(sql) if quoted(row[1])]
    return swap


def files_with(directory: Path, found: Found) -> tuple[str, ...]:
    """Name the files in the data directory that hold their words, or name them; relative to it. Blocks."""
    marks = [f'"{found.user}"', f'\\"{found.user}\\"', f"id {found.user})", f"id {found.user},"]
    names = []
    for path in islice((path for folder in _FOLDERS for path in _files(directory / folder)), _MOST_FILES):
        try:
            text = _text_of(path)
        except OSError:
            continue
        if text is None or any(mark in text for mark in marks) or found.quotes.are_in(text):
            names.append(str(path.relative_to(directory)))
    # imported here: no start needs it
    from adapters.workspaces.tree import texts

    names += [n for n, text in texts(directory) if any(mark in text for mark in marks) or found.quotes.are_in(text)]
    return tuple(sorted(names))


def _text_of(path: Path) -> str | None:
    """Return what a file says, packed or not; None where nobody can tell, and it must count as theirs."""
    content = path.read_bytes()
    if content.startswith(_GZIP):
        unpacker = zlib.decompressobj(16 + zlib.MAX_WBITS)
        try:
            content = unpacker.decompress(content, _MOST_BYTES)
        except zlib.error:
            return None
        if not unpacker.eof:
            return None
    return content.decode("utf-8", "replace")


def _files(folder: Path) -> Iterator[Path]:
    if folder.is_dir():
        yield from (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def _instead(row: sqlite3.Row, found: Found, *, mine: bool) -> Message | str | None:
    """Return what is to stand in the place of a text; None where it may stay."""
    body = bytes(row["body"])
    if not body.startswith(b'{"ambient"') and b'"role":"' not in body:
        text = body.decode("utf-8", "replace")
        # what describes a section names no words, and what defines a tool is ours
        is_ours = text.startswith("{") and ('"stability":' in text or '"parameters":' in text)
        return ERASED if not is_ours and text != ERASED and found.quotes.are_in(text) else None
    message = read_message(row["hash"], body)
    theirs = is_by(message, found.user, found.rows, found.strangers)
    is_program = message.author is None or message.author.kind is AuthorKind.SELF
    if theirs or (mine and is_program) or (is_program and _quotes(message, found)):
        new = erased(message)
        return None if new.json_text == message.json_text else new
    return without_program(message, found.quotes, found.user)


def _quotes(message: Message, found: Found) -> bool:
    summary = message.summary
    if summary is not None and (found.names.intersection(summary.source_ids) or found.turns & set(summary.turns)):
        return True
    return found.quotes.are_in(message.json_text)


def _lines_of(
    connection: sqlite3.Connection, user: str, rows: frozenset[int], strangers: frozenset[int]
) -> Iterator[Message]:
    needle = f'"user_id":"{user}"'.encode()
    for row in connection.execute("SELECT hash, body FROM blob WHERE instr(body, ?)", (needle,)):
        if b'"role":"user"' in row["body"]:
            message = read_message(row["hash"], row["body"])
            if is_by(message, user, rows, strangers):
                yield message


def _blobs_of_turns(connection: sqlite3.Connection, turns: frozenset[int]) -> set[int]:
    sql = "SELECT blob FROM history WHERE turn > 0 AND turn IN (SELECT value FROM json_each(?))"
    return {row[0] for row in connection.execute(sql, (orjson.dumps(sorted(turns)).decode(),))}


def _ids(connection: sqlite3.Connection, sql: str, *args: str) -> tuple[int, ...]:
    return tuple(row[0] for row in connection.execute(sql, args))


def _is_named(body: str) -> bool:
    value = orjson.loads(body)
    return bool(value["author"]["name"] or value.get("attachments"))
