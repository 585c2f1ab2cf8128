"""What refusals taught of how services want their requests, in the table of what there is one of."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pydantic import TypeAdapter, ValidationError

from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.sql_connection import SqlConnection
from bot.domain.dialect import DialectLesson

_READ = "SELECT value FROM meta WHERE name = 'lessons' AND h IS row_hash(hex(name), hex(value))"
_WRITE = "INSERT INTO meta (name, value) VALUES ('lessons', ?) ON CONFLICT DO UPDATE SET value = excluded.value"
_LESSONS: TypeAdapter[tuple[DialectLesson, ...]] = TypeAdapter(tuple[DialectLesson, ...])
_MAX_LESSONS = 500


class SqliteLessons:
    """Implements `bot.ports.bookkeeping.LessonStore`."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database
        self.known: tuple[DialectLesson, ...] = ()

    async def load(self) -> None:
        """Read what is known; when the store is opened, so that nobody waits for it later."""
        self.known = await self._database.read(_all_lessons)

    async def learn(self, lessons: Sequence[DialectLesson]) -> None:
        """Keep these; what was known of the same trait stays."""
        before = {(lesson.model, lesson.trait) for lesson in self.known}
        fresh = tuple(lesson for lesson in lessons if (lesson.model, lesson.trait) not in before)
        if fresh:
            await self._keep((*self.known, *fresh)[-_MAX_LESSONS:])

    async def forget(self, models: Collection[str]) -> int:
        """Forget what was learnt of these models; return how much that was."""
        left = tuple(lesson for lesson in self.known if lesson.model not in models)
        gone = len(self.known) - len(left)
        if gone:
            await self._keep(left)
        return gone

    async def _keep(self, lessons: tuple[DialectLesson, ...]) -> None:
        # at once: who asks next must not be refused for the same reason while this is written
        self.known = lessons
        text = _LESSONS.dump_json(lessons).decode()

        def work(connection: SqlConnection) -> None:
            connection.execute(_WRITE, (text,))

        await self._database.write(work)


def _all_lessons(connection: SqlConnection) -> tuple[DialectLesson, ...]:
    found = connection.execute(_READ).fetchone()
    try:
        return _LESSONS.validate_json(found[0]) if found else ()
    except ValidationError:
        # kept by a program that knew more: it is learnt again
        return ()
