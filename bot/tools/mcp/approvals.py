"""Which definitions of tools are the ones that somebody agreed to: a server that changes one has to be looked at again.

What a server first offers is agreed to by naming the server in the configuration. From then on a tool that is new or
reads differently is not offered until a person approves of it (`glassmind mcp approve`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from pydantic import ValidationError

from bot.domain.base import Digest, FrozenModel, canonical_json
from bot.errors import UserError
from bot.ports.toolservers import ServedTool
from bot.runtime.files import write_file
from bot.sentences import say

APPROVALS_FILE = "mcp-approved.json"


class ApprovedTools(FrozenModel):
    """What was agreed to of one server: where it was then, when (UTC ms), and its tools with their digests."""

    address: Digest
    at: int
    tools: Mapping[str, Digest]


class _Book(FrozenModel):
    servers: Mapping[str, ApprovedTools]


class ServerApprovals:
    """The file of the data directory. Every method blocks."""

    def __init__(self, data_dir: Path) -> None:
        self._path = data_dir / APPROVALS_FILE

    def of(self, server: str) -> ApprovedTools | None:
        """Return what was agreed to; None for a server that nobody has seen yet. Raise UserError for a broken file."""
        return self._read().servers.get(server)

    def keep(self, server: str, approved: ApprovedTools) -> None:
        """Agree to this, and to nothing else, of a server; raise UserError."""
        book = _Book(servers={**self._read().servers, server: approved})
        try:
            write_file(self._path, canonical_json(book).encode(), replace=True)
        except OSError as error:
            why = error.strerror or type(error).__name__
            raise UserError(say("mcp_servers.approvals-not-written", file=str(self._path), why=why)) from error

    def _read(self) -> _Book:
        try:
            return _Book.model_validate_json(self._path.read_bytes())
        except FileNotFoundError:
            return _Book(servers={})
        except (ValidationError, OSError):
            # not taken as empty: then every server would be as trusted as one that is new
            raise UserError(say("mcp_servers.approvals-unreadable", file=str(self._path))) from None


def digests(served: Iterable[ServedTool]) -> dict[str, Digest]:
    """Return each tool's digest; the first of two of one name counts."""
    found: dict[str, Digest] = {}
    for tool in served:
        found.setdefault(tool.name, tool.digest)
    return found


def differences(approved: Mapping[str, Digest], now: Mapping[str, Digest]) -> Mapping[str, str]:
    """Return the tools that nobody agreed to, each with `new` or `changed`."""
    return {
        name: "changed" if name in approved else "new" for name, digest in now.items() if approved.get(name) != digest
    }
