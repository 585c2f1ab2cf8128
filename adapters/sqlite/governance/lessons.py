"""What refusals taught of how services want their requests, in the table of what there is one of."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from pydantic import TypeAdapter, ValidationError

from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.sql_connection import SqlConnection
from bot.domain.dialect import DialectLesson

_READ = "SELECT value FROM meta WHERE name = 'lessons' AND h IS row_hash(hex(name), hex(value))"
_WRITE = "INSERT INTO meta (name, value) VALUES ('lessons', ?) ON CONFLICT DO UPDATE SET value = excluded.value"
_LESSONS: TypeAdapter[tuple[DialectLesson, ...]] = TypeAdapter(tuple[DialectLesson, ...])
_MAX_LESSONS = 500
Lessons = tuple[DialectLesson, ...]


class SqliteLessons:
    """Implements `bot.ports.bookkeeping.LessonStore`."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database
        self.known: tuple[DialectLesson, ...] = ()

    async def load(self) -> None:
        """Read what is known, and what another process has learnt since; nobody who asks a model waits for it."""
        self.known = await self._database.read(_all_lessons)

    async def learn(self, lessons: Sequence[DialectLesson]) -> None:
        """Keep these; what was known of the same trait stays."""
        if fresh := _fresh(self.known, lessons):
            await self._keep(lambda known: (*known, *_fresh(known, fresh))[-_MAX_LESSONS:])

    async def forget(self, models: Collection[str]) -> int:
        """Forget what was learnt of these models; return how much that was."""
        gone = sum(lesson.model in models for lesson in self.known)
        if gone:
            await self._keep(lambda known: tuple(lesson for lesson in known if lesson.model not in models))
        return gone

    async def _keep(self, changed: Callable[[Lessons], Lessons]) -> None:
        # at once: who asks next must not be refused for the same reason while this is written
        self.known = changed(self.known)

        def work(connection: SqlConnection) -> None:
            # of what is stored by now: another process may have learnt something as well
            text = _LESSONS.dump_json(changed(_all_lessons(connection))).decode()
            connection.execute(_WRITE, (text,))

        await self._database.write(work)


def _fresh(known: Sequence[DialectLesson], lessons: Sequence[DialectLesson]) -> Lessons:
    before = {(lesson.model, lesson.trait) for lesson in known}
    return tuple(lesson for lesson in lessons if (lesson.model, lesson.trait) not in before)


def _all_lessons(connection: SqlConnection) -> tuple[DialectLesson, ...]:
    found = connection.execute(_READ).fetchone()
    try:
        return _LESSONS.validate_json(found[0]) if found else ()
    except ValidationError:
        # kept by a program that knew more: it is learnt again
        return ()
