"""The cortex's records: sessions, offers, the audit chain, and fixes done once or not at all."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from adapters.sqlite import audit
from adapters.sqlite.database import Database
from adapters.sqlite.fixes import Stale, do, is_current
from adapters.sqlite.rows import by_slot, change, fetch, insert, select
from bot.domain.finding import AuditRow, Fix, NewAudit, NewProposal, NewSession, Proposal, ProposalState, Session
from bot.domain.handles import Handle, HandleKind
from bot.domain.ids import MAIN, Person
from bot.errors import UserError

_STALE = "What this would change has changed since it was offered. Ask again to see how it is now."
_EXPIRED = "This offer has expired; nothing was changed. Ask again for a fresh one."


class SqliteGovernance:
    """Implements `bot.ports.governance.Governance`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def open_session(self, session: NewSession) -> Session:
        """Keep a new session."""

        def work(connection: sqlite3.Connection) -> int:
            return insert(
                connection,
                "session",
                agent=session.agent,
                platform=session.platform,
                actor=session.actor,
                dm_channel=session.dm_channel,
                dm_thread=session.dm_thread,
                last_at=session.created_at,
                body=session.model_dump_json(),
            )

        return Session(id=await self._database.write(work), body=session, last_at=session.created_at)

    async def touch_session(self, session: int, at: int) -> None:
        """Note that something was said in it."""
        await self._database.write(lambda connection: change(connection, "session", session, last_at=at))

    async def session(self, row: int) -> Session | None:
        """Return a session."""
        return await self._session("WHERE id = ?", (row,))

    async def session_by_handle(self, handle: Handle) -> Session | None:
        """Return the newest session of a handle's slot."""
        if handle.kind is not HandleKind.SESSION:
            return None
        row = await self._database.read(lambda connection: by_slot(connection, handle))
        return await self.session(row) if row else None

    async def session_of_thread(self, person: Person, dm_channel: str, dm_thread: str) -> Session | None:
        """Return the session of a DM thread; with an empty thread, the person's newest session there."""
        tail = (
            "WHERE platform = ? AND actor = ? AND dm_channel = ? AND (? = '' OR dm_thread = ?)"
            " ORDER BY last_at DESC, id DESC LIMIT 1"
        )
        return await self._session(tail, (*person, dm_channel, dm_thread, dm_thread))

    async def propose(self, proposal: NewProposal) -> Proposal:
        """Keep an offer."""

        def work(connection: sqlite3.Connection) -> int:
            session = fetch(connection, "session", proposal.session)
            return insert(
                connection,
                "proposal",
                agent=session["agent"] if session else MAIN,
                secret_id=proposal.secret_id,
                session=proposal.session,
                state=ProposalState.OPEN,
                created_at=proposal.created_at,
                body=proposal.model_dump_json(),
            )

        return Proposal(id=await self._database.write(work), body=proposal, state=ProposalState.OPEN)

    async def proposal(self, secret_id: str) -> Proposal | None:
        """Return an offer by the random id in its button."""

        def work(connection: sqlite3.Connection) -> Proposal | None:
            rows = select(connection, "proposal", "WHERE secret_id = ?", (secret_id,))
            return _proposal(rows[0]) if rows else None

        return await self._database.read(work)

    async def close_proposal(self, row: int, state: ProposalState, at: int) -> bool:
        """Close an open offer without effect; False when it was closed already."""
        return await self._database.write(lambda connection: _close(connection, row, state, at))

    async def execute(self, row: int, audit: NewAudit) -> AuditRow | None:
        """Use up an open offer, do its fix and write the audit row, in one transaction.

        The audit row's `undo` is worked out here, with the version that the fix leaves behind. A refusal is an answer
        of the unit, not an exception, because closing the offer must be kept.
        """
        done = await self._database.write(lambda connection: self._execute(connection, row, audit))
        if isinstance(done, str):
            raise UserError(done)
        return done

    async def undo(self, audit_row: int, audit: NewAudit) -> AuditRow | None:
        """Do the undo of an audit row and write a new one; None when it was undone already."""
        return await self._database.write(lambda connection: self._undo(connection, audit_row, audit))

    async def audit(self, entry: NewAudit) -> AuditRow:
        """Append to the chain."""
        key = self._database.secret_key
        return await self._database.write(lambda connection: audit.append(connection, key, entry))

    async def audit_rows(self, person: Person | None, limit: int) -> Sequence[AuditRow]:
        """Return the newest audit rows, newest first."""
        who = person or ("", "")
        tail = "WHERE (? = '' OR (platform = ? AND actor = ?)) ORDER BY id DESC LIMIT ?"
        return await self._database.read(
            lambda connection: audit.read(connection, tail, (who[0] and "one", *who, limit))
        )

    async def audit_by_handle(self, handle: Handle) -> AuditRow | None:
        """Return the newest audit row of a handle's slot."""

        def work(connection: sqlite3.Connection) -> AuditRow | None:
            row = by_slot(connection, handle) if handle.kind is HandleKind.AUDIT else None
            found = audit.read(connection, "WHERE id = ?", (row or 0,))
            return found[0] if found else None

        return await self._database.read(work)

    async def verify_audit(self) -> int:
        """Return the number of the first row whose chain does not hold, 0 when all do."""
        key = self._database.secret_key
        return await self._database.read(lambda connection: audit.verify(connection, key))

    async def fix_is_current(self, fix: Fix) -> bool:
        """Say whether what a fix would change is still as it was when it was proposed."""
        return await self._database.read(lambda connection: is_current(connection, fix))

    def _execute(self, connection: sqlite3.Connection, row: int, entry: NewAudit) -> AuditRow | str | None:
        found = fetch(connection, "proposal", row)
        if found is None or found["used"] or found["state"] != ProposalState.OPEN:
            return None
        offer = _proposal(found)
        if offer.body.expires_at and entry.at > offer.body.expires_at:
            _close(connection, row, ProposalState.EXPIRED, entry.at)
            return _EXPIRED
        try:
            undo = do(connection, offer.body.fix, entry.at)
        except Stale:
            _close(connection, row, ProposalState.STALE, entry.at)
            return _STALE
        change(connection, "proposal", row, used=1, state=ProposalState.DONE, decided_at=entry.at)
        return audit.append(connection, self._database.secret_key, entry.replace(undo=undo))

    def _undo(self, connection: sqlite3.Connection, row: int, entry: NewAudit) -> AuditRow | None:
        found = audit.read(connection, "WHERE id = ?", (row,))
        if not found or found[0].undone_by:
            return None
        if found[0].body.undo is None:
            raise UserError("This cannot be undone.")
        try:
            undo = do(connection, found[0].body.undo, entry.at)
        except Stale as error:
            raise UserError(_STALE) from error
        return audit.append(connection, self._database.secret_key, entry.replace(undo=undo), undoes=row)

    async def _session(self, tail: str, args: tuple[str | int, ...]) -> Session | None:
        def work(connection: sqlite3.Connection) -> Session | None:
            rows = select(connection, "session", tail, args)
            if not rows:
                return None
            body = NewSession.model_validate_json(rows[0]["body"])
            return Session(id=rows[0]["id"], body=body, last_at=rows[0]["last_at"])

        return await self._database.read(work)


def _close(connection: sqlite3.Connection, row: int, state: ProposalState, at: int) -> bool:
    found = fetch(connection, "proposal", row)
    if found is None or found["state"] != ProposalState.OPEN:
        return False
    return change(connection, "proposal", row, state=state, used=1, decided_at=at)


def _proposal(row: sqlite3.Row) -> Proposal:
    body = NewProposal.model_validate_json(row["body"])
    return Proposal(id=row["id"], body=body, state=row["state"], decided_at=row["decided_at"])
