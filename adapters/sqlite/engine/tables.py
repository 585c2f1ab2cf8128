"""The tables: which rows are sealed, over which columns, and which of them handles lead to."""

from __future__ import annotations

from bot.domain.handles import HandleKind

SEALED: dict[str, tuple[str, ...]] = {
    "inbound": (
        *("id", "agent", "adapter", "channel", "message_id", "edit", "kind", "body", "text", "text_sha256"),
        *("arrived_at", "disposition", "outcome", "outcome_reason", "outcome_at", "redacted", "turn"),
    ),
    "stage": ("id", "inbound", "at", "stage", "verdict", "reason", "detail"),
    "channel": ("id", "agent", "channel", "name", "place", "settings", "epoch", "last", "last_at"),
    "history": ("id", "agent", "channel", "epoch", "turn", "inbound", "at", "ambient", "blob"),
    "turn": (
        *("id", "agent", "channel", "kind", "started_at", "status", "reason", "ended_at", "rounds", "inbounds"),
        "session",
    ),
    "request": (
        *("id", "agent", "channel", "turn", "kind", "round", "at", "digest", "wire_sha256", "wire_bytes", "encoder"),
        *("model", "head", "tail", "sections", "stats", "extra", "fallback_of"),
    ),
    "attempt": ("id", "request", "number", "at", "input", "output", "cached", "cost_usd", "body", "response"),
    "tool_call": ("id", "agent", "channel", "turn", "round", "position", "at", "body", "arguments", "output"),
    "outbox": (
        *("id", "agent", "channel", "kind", "part", "inbound", "turn", "body", "text", "state", "created_at"),
        *("attempts", "not_before", "message_id", "receipt_at", "error"),
    ),
    "memory": (
        *("id", "agent", "platform", "scope", "scope_id", "channel", "author", "created_at", "body", "content"),
        *("last_accessed", "access_count", "forgotten_at", "version"),
    ),
    "memory_edge": ("id", "agent", "source", "target", "kind", "weight", "author", "turn", "at"),
    "move": ("id", "agent", "old", "new", "at"),
    "invitation": (
        *("id", "agent", "secret_id", "platform", "actor", "inbound", "created_at", "expires_at", "used_at"),
    ),
    "compaction": ("id", "agent", "channel", "epoch", "at", "state", "reason", "decided_at", "body", "missing"),
    "compacted": ("id", "compaction", "line", "came", "place"),
    "checkpoint": ("id", "agent", "session_id", "turn", "at", "state", "version", "body"),
    "erasure": ("id", "agent", "platform", "user_id", "at", "done_at", "channels"),
    "session": ("id", "agent", "platform", "actor", "dm_channel", "dm_thread", "last_at", "body"),
    "process": (
        *("id", "agent", "channel", "kind", "state", "platform", "actor", "inbound", "started_at", "ended_at"),
        *("turns", "segment", "calls", "progress", "body", "task", "result", "reason", "returned", "relayed_at"),
        "version",
    ),
    "proposal": ("id", "agent", "secret_id", "session", "state", "used", "decided_at", "created_at", "body"),
}
"""The tables whose rows carry a hash, with the columns that it covers: all but `h`, in the order of the schema."""

UNIQUE = {"inbound": ("agent", "channel", "message_id", "edit", "kind", "adapter")}
"""What a row is known by besides its number, in the order of the index."""

SINGLE: dict[str, str] = {
    "meta": "hex(name), hex(value)",
    "heartbeat": "hex(agent), hex(body)",
    "cursor": "hex(agent), hex(adapter), hex(stream), hex(value)",
    "ratio": "hex(agent), hex(model), value",
}
"""Tables of what there is one of, with what the seal covers. Triggers seal their rows, and whoever reads one asks for
`h IS row_hash(...)`."""

SLOT_TABLES = {
    HandleKind.MEMORY: "memory",
    HandleKind.REQUEST: "request",
    HandleKind.INBOUND: "inbound",
    HandleKind.GATE: "stage",
    HandleKind.DELIVERY: "outbox",
    HandleKind.TURN: "turn",
    HandleKind.AUDIT: "audit",
    HandleKind.SESSION: "session",
    HandleKind.COMPACTION: "compaction",
    HandleKind.CALL: "tool_call",
    HandleKind.BRANCH: "process",
    HandleKind.WORKER: "process",
}
