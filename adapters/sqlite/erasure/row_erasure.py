"""Take somebody's words out of single rows; each function is one unit of work."""

from __future__ import annotations

from collections.abc import Sequence

import orjson

from adapters.sqlite.engine.json_without_text import bare_json
from adapters.sqlite.engine.revisions import memory_changed, settings_changed, strip, strip_person, versions
from adapters.sqlite.engine.sealed_rows import change, read_or_skip, update_sealed, verified_rows
from adapters.sqlite.engine.sql_connection import SqlConnection, SqlRow
from adapters.sqlite.erasure.quote_matcher import ERASED
from adapters.sqlite.memories.memories import wipe
from adapters.sqlite.turns.process_rows import first_word, row_without_words
from bot.domain.channel import ChannelSettings, LastTurn
from bot.domain.ids import PersonKey, UserId
from bot.domain.imported import MemoryImport
from bot.domain.llm import LLMResponse
from bot.domain.memory import NewMemory
from bot.domain.messages import ChannelPlace, Inbound
from bot.domain.references import is_forward_of, without_quoted
from bot.domain.revisions import BY_ITSELF, NOBODY, MemoryState, RevisionCause, RevisionKind, memory_state
from bot.domain.turn import AttemptRecord
from bot.domain.word_origins import WordOrigins

_PRIVATE = "direct messages"
_OF_MEMORY = f"WHERE kind = '{RevisionKind.MEMORY}' AND subject = ?"


def take_messages(rows: Sequence[int], connection: SqlConnection) -> None:
    """Leave of messages when and where they came, from which id, and their digests."""
    for number in rows:
        row = read_or_skip(connection, "inbound", number)
        if row is not None:
            bare = Inbound.model_validate_json(row["body"])
            name = "" if bare.place.is_dm else bare.channel_name
            author = bare.author.replace(name="")
            body = bare.replace(author=author, channel_name=name, attachments=(), refers=())
            reason = first_word(row["outcome_reason"])
            update_sealed(connection, "inbound", row, text=None, body=body.model_dump_json(), outcome_reason=reason)
            for stage in verified_rows(connection, "stage", "WHERE inbound = ? AND stage = 'decided'", (number,)):
                update_sealed(connection, "stage", stage, reason=first_word(stage["reason"]))


def take_quoted(user: UserId, rows: Sequence[int], connection: SqlConnection) -> None:
    """Leave of other people's messages what is not somebody's: their own words stay, what they forwarded goes."""
    for number in rows:
        row = read_or_skip(connection, "inbound", number)
        if row is not None:
            bare = Inbound.model_validate_json(row["body"])
            text = None if is_forward_of(bare, user) else row["text"]
            body = bare_json(without_quoted(bare, user), exclude_defaults=True)
            update_sealed(connection, "inbound", row, text=text, body=body)


def take_answers(rows: Sequence[int], connection: SqlConnection) -> None:
    """Leave of chunks where they went, and what the platform said."""
    for row in rows:
        change(connection, "outbox", row, text=None)


def take_calls(rows: Sequence[int], connection: SqlConnection) -> None:
    """Leave of tool calls their names, times and success."""
    for row in rows:
        change(connection, "tool_call", row, arguments=None, output=None)


def take_attempts(rows: Sequence[int], connection: SqlConnection) -> None:
    """Leave of what came back how it ended and what it cost."""
    for number in rows:
        row = read_or_skip(connection, "attempt", number)
        if row is None:
            continue
        kept = {}
        if row["response"] is not None:
            response = LLMResponse.model_validate_json(row["response"]).wordless()
            kept["response"] = response.model_dump_json()
        bare = AttemptRecord.model_validate_json(row["body"])
        if bare.error:
            # a service may repeat what it refuses
            kept["body"] = bare.replace(error=ERASED).model_dump_json(exclude={"response"})
        update_sealed(connection, "attempt", row, **kept)


def take_memories(at: int, rows: Sequence[int], connection: SqlConnection) -> None:
    """Forget memories at once, without the time in which they could be brought back."""
    for number in rows:
        row = read_or_skip(connection, "memory", number)
        if row is not None:
            wipe(connection, number, at)
            bare = NewMemory.model_validate_json(row["body"])
            body = bare.replace(provenance=bare.provenance.replace(author_name="", imported=_bare(bare)))
            change(
                connection,
                "memory",
                number,
                body=body.model_dump_json(exclude={"relations"}),
                forgotten_at=row["forgotten_at"] or at,
            )
            strip_person(connection, versions(connection, _OF_MEMORY, (number,)))
            memory_changed(connection, number, at, RevisionCause.ERASED, BY_ITSELF)


def take_imported_past(person: PersonKey, rows: Sequence[int], connection: SqlConnection) -> None:
    """Leave of what a memory had behind it where it came from what was done and when, and not by whom."""
    for number in rows:
        row = read_or_skip(connection, "memory", number)
        bare = NewMemory.model_validate_json(row["body"]) if row is not None else None
        if row is not None and bare is not None and bare.provenance.imported is not None:
            came = bare.provenance.imported.without_person(*person)
            body = bare.replace(provenance=bare.provenance.replace(imported=came))
            update_sealed(connection, "memory", row, body=body.model_dump_json(exclude={"relations"}))


def _bare(memory: NewMemory) -> MemoryImport | None:
    came = memory.provenance.imported
    return came.without_past if came is not None else None


def take_hosts(hosts: frozenset[str], rows: Sequence[int], connection: SqlConnection) -> None:
    """Let the sources of memories not name some servers any more, in their versions neither."""
    for number in rows:
        row = read_or_skip(connection, "memory", number)
        bare = NewMemory.model_validate_json(row["body"]) if row is not None else None
        if row is None or bare is None:
            continue
        body = _without_hosts(bare, hosts).model_dump_json(exclude={"relations"})
        update_sealed(connection, "memory", row, body=body)
        for version in versions(connection, _OF_MEMORY, (number,)):
            if version["state"] is not None:
                state = MemoryState.model_validate_json(version["state"])
                left = memory_state(_without_hosts(state.body, hosts), state.forgotten_at, wiped=state.wiped)
                strip(connection, version, actor=version["actor"], state=left, words=version["words"])


def _without_hosts(memory: NewMemory, hosts: frozenset[str]) -> NewMemory:
    said = memory.provenance
    if said.origins is None:
        return memory
    return memory.replace(provenance=said.replace(origins=said.origins.without_words(hosts)))


def take_hosts_of_work(hosts: frozenset[str], rows: Sequence[int], connection: SqlConnection) -> None:
    """Do the same for the sources of what branches and workers found."""
    for number in rows:
        row = read_or_skip(connection, "process", number)
        if row is not None:
            body = orjson.loads(row["body"])
            kept = WordOrigins.model_validate(body["origins"]).without_words(hosts)
            body["origins"] = kept.model_dump(mode="json")
            update_sealed(connection, "process", row, body=orjson.dumps(body).decode())


def take_versions(rows: Sequence[int], connection: SqlConnection) -> None:
    """Leave of versions what was changed and when, and neither who did it nor the reason that they gave."""
    for number in rows:
        for row in versions(connection, "WHERE id = ?", (number,)):
            is_reason = row["kind"] == RevisionKind.SETTINGS
            strip(connection, row, actor=NOBODY, state=row["state"], words=None if is_reason else row["words"])


def take_pauses(person: PersonKey, at: int, rows: Sequence[int], connection: SqlConnection) -> None:
    """Let pauses that somebody made stand without the reason that they gave."""
    for number in rows:
        row = read_or_skip(connection, "channel", number)
        settings = ChannelSettings.model_validate_json(row["settings"]) if row is not None else None
        pause = settings.pause if settings else None
        if row is None or settings is None or pause is None or pause.by != person.user_id or not pause.reason:
            continue
        kept = settings.replace(pause=pause.replace(reason=""))
        settings_changed(connection, row, kept, at, RevisionCause.ERASED, BY_ITSELF)
        update_sealed(connection, "channel", row, settings=kept.model_dump_json())


def take_turns(rows: Sequence[int], connection: SqlConnection) -> None:
    """Leave of how turns ended the first word: what a model gives as its reason may repeat what was said."""
    for number in rows:
        row = read_or_skip(connection, "turn", number)
        if row is not None:
            update_sealed(connection, "turn", row, reason=first_word(row["reason"]))


def take_reasons(places: Sequence[tuple[str, str, int]], connection: SqlConnection) -> None:
    """Leave of reasons the first word; a place is a table, its column and a row."""
    for table, column, number in places:
        row = read_or_skip(connection, table, number)
        if row is None or not row[column]:
            continue
        if table == "channel":
            last = LastTurn.model_validate_json(row[column])
            update_sealed(connection, table, row, last=last.replace(error=first_word(last.error)).model_dump_json())
        else:
            update_sealed(connection, table, row, **{column: first_word(row[column])})


def take_names(channels: Sequence[str], connection: SqlConnection) -> None:
    """Let private chats be called what they are, and not after a person; the next message names them again."""
    for channel in channels:
        for row in verified_rows(connection, "channel", "WHERE channel = ?", (channel,)):
            if ChannelPlace.model_validate_json(row["place"]).is_dm:
                update_sealed(connection, "channel", row, name=_PRIVATE)


def take_missing(rows: Sequence[int], connection: SqlConnection) -> None:
    """Leave of compactions what took the place of what, without the names that no summary mentions."""
    for row in rows:
        change(connection, "compaction", row, missing=None)


def take_work(rows: Sequence[int], connection: SqlConnection) -> None:
    """Leave of branches and workers when they ran, for which id, and how they ended."""
    for number in rows:
        row = read_or_skip(connection, "process", number)
        if row is not None:
            wipe_work(connection, row)


def wipe_work(connection: SqlConnection, row: SqlRow) -> None:
    """Take the words out of a row of a branch or a worker; part of a unit."""
    update_sealed(connection, "process", row, **row_without_words(row))


def take_rest(rows: Sequence[int], connection: SqlConnection) -> None:
    """Drop the state of tasks that had read them; one that is cut off after that is not gone on with."""
    connection.executemany("DELETE FROM checkpoint WHERE id = ?", [(row,) for row in rows])


def take_offers(rows: Sequence[int], connection: SqlConnection) -> None:
    """Drop offers; whoever presses the button of one hears that it does nothing any more."""
    connection.executemany("DELETE FROM proposal WHERE id = ?", [(row,) for row in rows])
