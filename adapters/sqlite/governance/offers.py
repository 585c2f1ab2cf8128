"""What the cortex offers to change: kept, then closed, or done once with its audit row."""

from __future__ import annotations

from collections.abc import Sequence

from adapters.sqlite.engine import audit_chain as audit
from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.sealed_rows import change, fetch, insert, select, verified_rows
from adapters.sqlite.engine.sql_connection import SqlConnection, SqlRow
from adapters.sqlite.governance.fixes import StaleFix, do_fix, is_current
from bot.domain.channel import ProcessKind
from bot.domain.finding import AuditRow, Fix, NewAudit, NewProposal, ProposalState, StoredProposal
from bot.domain.ids import MAIN
from bot.domain.memory_file import ImportMemories
from bot.domain.revisions import ChangedBy
from bot.errors import UserError
from bot.sentences import say

_STALE = "fixes.offer-stale"
_REFUSALS = {ProposalState.STALE: _STALE, ProposalState.EXPIRED: "fixes.offer-expired"}


class NoUndo(Exception):
    """What was done has no way back."""


class SqliteOffers:
    """Implements `bot.ports.governance.OfferStore`."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    async def propose(self, proposal: NewProposal) -> StoredProposal:
        def work(connection: SqlConnection) -> int:
            session = fetch(connection, "session", proposal.session)
            return insert(
                connection,
                "proposal",
                agent=session["agent"] if session else MAIN,
                secret_id=proposal.secret_id,
                session=proposal.session,
                state=ProposalState.OPEN,
                used=0,
                decided_at=0,
                created_at=proposal.created_at,
                body=proposal.model_dump_json(),
            )

        return StoredProposal(id=await self._database.write(work), body=proposal, state=ProposalState.OPEN)

    async def get(self, secret_id: str) -> StoredProposal | None:
        """Return an offer by the random id in its button."""

        def work(connection: SqlConnection) -> StoredProposal | None:
            rows = select(connection, "proposal", "WHERE secret_id = ?", (secret_id,))
            return _proposal(rows[0]) if rows else None

        return await self._database.read(work)

    async def of_row(self, row: int) -> StoredProposal | None:
        """Return an offer by its row."""

        def work(connection: SqlConnection) -> StoredProposal | None:
            found = fetch(connection, "proposal", row)
            return _proposal(found) if found else None

        return await self._database.read(work)

    async def suggestions(self, now: int) -> Sequence[StoredProposal]:
        """Return what moderators proposed and nobody has decided yet, oldest first; what has expired is left out."""

        def work(connection: SqlConnection) -> list[StoredProposal]:
            rows = verified_rows(connection, "proposal", "WHERE state = ? ORDER BY id", (ProposalState.OPEN,))
            waiting = map(_proposal, rows)
            return [one for one in waiting if one.body.suggested and one.body.expires_at > now]

        return await self._database.read(work)

    async def close(self, row: int, state: ProposalState, at: int) -> bool:
        """Close an open offer without effect; False when it was closed already."""
        return await self._database.write(lambda connection: _close(connection, row, state, at))

    async def execute(self, row: int, audit: NewAudit) -> AuditRow | None:
        """Use up an open offer, do its fix and write the audit row, in one transaction.

        The audit row's `undo` is worked out here, with the version that the fix leaves behind. A refusal is an answer
        of the unit, not an exception, because closing the offer must be kept.
        """
        done = await self._database.write(lambda connection: self._execute(connection, row, audit))
        if isinstance(done, ProposalState):
            raise UserError(say(_REFUSALS[done]))
        return done

    async def undo(self, audit_row: int, audit: NewAudit) -> AuditRow | None:
        """Do the undo of an audit row and write a new one; None when it was undone already."""
        try:
            return await self._database.write(lambda connection: self._undo(connection, audit_row, audit))
        except NoUndo:
            raise UserError(say("store.cannot-undo")) from None
        except StaleFix:
            raise UserError(say(_STALE)) from None

    async def is_current(self, fix: Fix) -> bool:
        """Say whether what a fix would change is still as it was when it was proposed."""
        return await self._database.read(lambda connection: is_current(connection, fix))

    def _execute(self, connection: SqlConnection, row: int, entry: NewAudit) -> AuditRow | ProposalState | None:
        found = fetch(connection, "proposal", row)
        if found is None or found["used"] or found["state"] != ProposalState.OPEN:
            return None
        offer = _proposal(found)
        if offer.body.expires_at and entry.at > offer.body.expires_at:
            _close(connection, row, ProposalState.EXPIRED, entry.at)
            return ProposalState.EXPIRED
        try:
            undo = do_fix(connection, offer.body.fix, entry.at, _changed_by(entry))
        except StaleFix:
            _close(connection, row, ProposalState.STALE, entry.at)
            return ProposalState.STALE
        state = ProposalState.DONE
        change(connection, "proposal", row, used=1, state=state, decided_at=entry.at, body=without_file(found))
        return audit.append(connection, self._database.secret_key, entry.replace(undo=undo))

    def _undo(self, connection: SqlConnection, row: int, entry: NewAudit) -> AuditRow | None:
        found = audit.read(connection, "WHERE id = ?", (row,))
        if not found or found[0].undone_by:
            return None
        if found[0].body.undo is None:
            raise NoUndo
        undo = do_fix(connection, found[0].body.undo, entry.at, _changed_by(entry))
        return audit.append(connection, self._database.secret_key, entry.replace(undo=undo), undoes=row)


def _close(connection: SqlConnection, row: int, state: ProposalState, at: int) -> bool:
    found = fetch(connection, "proposal", row)
    if found is None or found["state"] != ProposalState.OPEN:
        return False
    return change(connection, "proposal", row, state=state, used=1, decided_at=at, body=without_file(found))


def without_file(row: SqlRow) -> str:
    """Return what is kept of an offer that was decided: not a second copy of what a file held."""
    body: str = row["body"]
    offer = NewProposal.model_validate_json(body)
    if not isinstance(offer.fix, ImportMemories):
        return body
    return offer.replace(fix=offer.fix.without_words, preview=()).model_dump_json()


def _changed_by(entry: NewAudit) -> ChangedBy:
    return ChangedBy(platform=entry.platform, actor=entry.actor, process=ProcessKind.CORTEX)


def _proposal(row: SqlRow) -> StoredProposal:
    body = NewProposal.model_validate_json(row["body"])
    return StoredProposal(id=row["id"], body=body, state=row["state"], decided_at=row["decided_at"])
