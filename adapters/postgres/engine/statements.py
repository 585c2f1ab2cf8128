"""Read a statement that was written for SQLite as PostgreSQL takes it: placeholders, names, and what is typed there.

The repositories are written once, in SQL that both understand wherever there is such a way to say it. What is left is
listed here: a statement that is met for the first time is read once, and its reading is kept.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

PLACES = 65_535
"""So many values one statement takes at most."""
KEYS = {
    "meta": "name",
    "heartbeat": "agent",
    "cursor": "agent, adapter, stream",
    "ratio": "agent, model",
    "request_mark": "request",
}
"""By which columns a row is there already, of the tables whose rows are put in the place of others."""
_TEXTS = frozenset({"channel", "dm_channel", "scope_id", "agent", "kind", "name"})
"""Columns that are compared with lists of texts; every other list is one of row numbers."""
_FLOATS = frozenset({"importance"})
_NUMBERS = frozenset({"turn", "parent_turn", "session", "[1]"})
_TRUTHS = frozenset({"by_admin", "is_dm", "success"})
"""Values in JSON that are numbers, or true and false, by the end of their path; the others are texts."""

_TOKEN = re.compile(r"'(?:[^']|'')*'|\?\d*|(?<![:\w]):[a-z_]\w*")
_CHANGE = re.compile(r"UPDATE (\w+) SET (.*) FROM \(VALUES (\([^)]*\))(.*)\) AS new WHERE (.*)", re.DOTALL)
_LIST_OF = re.compile(r"([\w.]+)\s+((?:NOT\s+)?IN)\s+\(\s*SELECT value FROM json_each\((\?\d*|:\w+)\)\)")
_PATH = re.compile(r"json_extract\(([\w.]+), '\$\.?([^']*)'\)")
_PLAIN = (
    (re.compile(r"\b(?:NOT INDEXED|INDEXED BY \w+)\b"), ""),
    (re.compile(r"\bIS NOT row_hash\("), "IS DISTINCT FROM row_hash("),
    (re.compile(r"\bIS row_hash\("), "IS NOT DISTINCT FROM row_hash("),
    (re.compile(r"\bLIMIT -1\b"), "LIMIT ALL"),
    (re.compile(r"\bCROSS JOIN (\w+) ON\b"), r"JOIN \1 ON"),
    (re.compile(r"GROUP BY \+(\w+), \+(\w+)"), r"GROUP BY \1, \2"),
    (re.compile(r"\bCAST\((\w+) AS BLOB\)"), r"convert_to(\1, 'UTF8')"),
    (re.compile(r"\bifnull\("), "coalesce("),
    (re.compile(r"\bjson_group_array\(rowid\)"), "coalesce(json_agg(rowid), '[]')::text"),
    (re.compile(r"(\?\d*|:\w+) IS NULL\b"), r"\1::text IS NULL"),
    (re.compile(r"\bSELECT max\(coalesce\("), "SELECT greatest(coalesce("),
    (re.compile(r"\bsqlite_sequence\b"), "drawn"),
    (re.compile(r"\btypeof\((\w+)\) IN \('real', 'integer'\)"), r"\1 IS NOT NULL"),
    (re.compile(r"\bjson_valid\(([\w.]+)\)"), r"(\1 IS JSON)"),
    (re.compile(r"\bjson_each\((\?\d*)\) WHERE instr"), r"json_texts(\1) WHERE instr"),
    (re.compile(r"\bjson_each\(([\w.]+), '([^']*)'\)"), r"json_texts_at(\1, '\2')"),
    (re.compile(r"\bjson_each\(head\.system\)"), "json_items(head.system)"),
    (re.compile(r"\bjson_each\("), "json_numbers("),
    # what is damaged has no importance: it comes last, as in the index
    (re.compile(r"\bimportance DESC, rank\b"), "importance DESC NULLS LAST, rank"),
    (re.compile(r"::double precision END\) DESC,"), "::double precision END) DESC NULLS LAST,"),
    (re.compile(r"\blower\(text\)"), 'lower(text COLLATE "C")'),
)
_WORDS = (
    # the two indexes of words: what is looked for in them, put into them, and taken out
    (re.compile(r"\bmemory_fts MATCH (\?)"), r"memory_fts.text @@ terms_query(\1)"),
    (re.compile(r"\bhistory_fts MATCH (\?)"), r"history_fts.text @@ line_query(\1)"),
    (re.compile(r"INSERT INTO memory_fts \(rowid, text\) VALUES \(\?, \?\)"),
     "INSERT INTO memory_fts (rowid, text) VALUES (?, terms_vector(?))"),
)  # fmt: skip
_LINES_IN = re.compile(r"INSERT INTO history_fts \(rowid, text\) VALUES ")
_LINES_OUT = re.compile(r"INSERT INTO history_fts \(history_fts, rowid, text\) VALUES (.*)", re.DOTALL)


class Statement(NamedTuple):
    """What is sent. `names` are the values in their order where they are given by name; empty: by place."""

    sql: str
    names: tuple[str, ...] = ()


def read_statement(sql: str, types: Mapping[str, Mapping[str, str]]) -> Statement:
    """Return what PostgreSQL takes for a statement; `types` are those of the columns of every table."""
    return _placed(_typed(_said(sql), types))


def _said(sql: str) -> str:
    """Say otherwise what has another name, or another form."""
    if sql == "BEGIN IMMEDIATE":
        return "BEGIN"
    sql = _LIST_OF.sub(_list_of, sql)
    sql = _PATH.sub(_path, sql)
    for pattern, said in (*_PLAIN, *_WORDS):
        sql = pattern.sub(said, sql)
    if "ON CONFLICT DO UPDATE" in sql:
        table = sql.split("INSERT INTO ", 1)[1].split(None, 1)[0]
        sql = sql.replace("ON CONFLICT DO UPDATE", f"ON CONFLICT ({KEYS[table]}) DO UPDATE")
    if "history_fts" in sql:
        sql = _lines(sql)
    return sql


def _lines(sql: str) -> str:
    if _LINES_IN.match(sql):
        return sql.replace("(?, ?)", "(?, line_vector(?))")
    if found := _LINES_OUT.match(sql):
        gone = found[1].replace("('delete', ?, ?)", "(?::bigint, ?::text)")
        return f"DELETE FROM history_fts USING (VALUES {gone}) AS gone WHERE history_fts.rowid = gone.column1"  # noqa: S608 - placeholders
    if "bm25(history_fts)" in sql:
        # the question stands there twice
        sql = sql.replace("FROM history_fts JOIN", "FROM history_fts CROSS JOIN line_query(?1) AS asked JOIN")
        sql = sql.replace("line_query(?)", "asked").replace("bm25(history_fts)", "-ts_rank(history_fts.text, asked, 1)")
        for place in (2, 3, 4):
            sql = re.sub(r"\?(?!\d)", f"?{place}", sql, count=1)
    return sql


def _list_of(found: re.Match[str]) -> str:
    column, is_in, value = found.groups()
    what = "texts" if column.rpartition(".")[2] in _TEXTS else "numbers"
    return f"{column} {is_in} (SELECT value FROM json_{what}({value}))"  # noqa: S608 - our own names


def _path(found: re.Match[str]) -> str:
    value, path = found.groups()
    keys = path.replace("[", "").replace("]", "").replace(".", ",")
    text = f"({value}::json #>> '{{{keys}}}')"
    end = path.rpartition(".")[2]
    if end in _FLOATS:
        return f"{text}::double precision"
    if end in _NUMBERS:
        return f"{text}::bigint"
    if end in _TRUTHS:
        return f"(CASE {text} WHEN 'true' THEN 1 WHEN 'false' THEN 0 END)"
    return text


def _typed(sql: str, types: Mapping[str, Mapping[str, str]]) -> str:
    """Say of which types the rows of a change are: of a list of rows PostgreSQL does not look where they go."""
    found = _CHANGE.fullmatch(sql)
    if found is None:
        return sql
    table, changes, first, others, where = found.groups()
    columns = ["id", *(change.split(" = ")[0].strip() for change in changes.split(", "))]
    row = ", ".join(f"?::{types[table][column]}" for column in columns)
    assert first.count("?") == len(columns)
    return f"UPDATE {table} SET {changes} FROM (VALUES ({row}){others}) AS new WHERE {where}"  # noqa: S608 - our own names


def _placed(sql: str) -> Statement:
    names: list[str] = []
    place = 0

    def placed(found: re.Match[str]) -> str:
        nonlocal place
        token = found[0]
        if token.startswith("'"):
            return token
        if token.startswith(":"):
            if token[1:] not in names:
                names.append(token[1:])
            return f"${names.index(token[1:]) + 1}"
        if len(token) > 1:
            return f"${token[1:]}"
        place += 1
        return f"${place}"

    return Statement(_TOKEN.sub(placed, sql), tuple(names))
