-- The first schema. In every table with a row hash, `h` is the LAST column and covers all others (rows.py, SEALED);
-- a later step that changes such a table rebuilds it and seals its rows again.
-- Tables without an agent column hang on a row that has one, or are named by their content.

CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE heartbeat (agent TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- ledger ------------------------------------------------------------------------------------------------------

CREATE TABLE cursor (
  agent TEXT NOT NULL, adapter TEXT NOT NULL, stream TEXT NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY (agent, adapter, stream)
) STRICT, WITHOUT ROWID;

CREATE TABLE inbound (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  agent TEXT NOT NULL, adapter TEXT NOT NULL, channel TEXT NOT NULL,
  message_id TEXT NOT NULL, edit INTEGER NOT NULL, kind TEXT NOT NULL,
  body TEXT NOT NULL, text TEXT, text_sha256 TEXT NOT NULL,
  arrived_at INTEGER NOT NULL, disposition TEXT NOT NULL,
  outcome TEXT, outcome_reason TEXT NOT NULL DEFAULT '', outcome_at INTEGER NOT NULL DEFAULT 0,
  redacted INTEGER NOT NULL DEFAULT 0, turn INTEGER NOT NULL DEFAULT 0,
  h BLOB,
  UNIQUE (agent, channel, message_id, edit, kind, adapter)
) STRICT;
CREATE INDEX inbound_of_channel ON inbound (agent, channel, id);
CREATE INDEX inbound_unsettled ON inbound (id) WHERE outcome IS NULL;
CREATE INDEX inbound_by_age ON inbound (arrived_at);
CREATE INDEX inbound_by_outcome ON inbound (outcome_at) WHERE outcome IS NOT NULL;

CREATE TABLE stage (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  inbound INTEGER NOT NULL, at INTEGER NOT NULL, stage TEXT NOT NULL, verdict TEXT NOT NULL,
  reason TEXT NOT NULL, detail TEXT NOT NULL,
  h BLOB
) STRICT;
CREATE INDEX stage_of_inbound ON stage (inbound, id);

-- content, named by its hash ----------------------------------------------------------------------------------

CREATE TABLE blob (id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, body BLOB NOT NULL) STRICT;

-- One message after another: a node is a message behind a parent (0: the first).
-- `tokens` is its count, -1 when unknown.
CREATE TABLE node (
  id INTEGER PRIMARY KEY, parent INTEGER NOT NULL, blob INTEGER NOT NULL, tokens INTEGER NOT NULL,
  UNIQUE (parent, blob, tokens)
) STRICT;

-- A request without its messages; quiet turns share it. `system` is [[name, blob], ...], `tools` is [blob, ...].
CREATE TABLE head (id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, plain TEXT NOT NULL,
  system TEXT NOT NULL, tools TEXT NOT NULL) STRICT;

-- conversations -----------------------------------------------------------------------------------------------

CREATE TABLE channel (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  agent TEXT NOT NULL, channel TEXT NOT NULL, name TEXT NOT NULL, place TEXT NOT NULL, settings TEXT NOT NULL,
  epoch INTEGER NOT NULL, last TEXT, last_at INTEGER NOT NULL,
  h BLOB,
  UNIQUE (agent, channel)
) STRICT;

-- Messages in order of id. `turn` 0: ambient talk that no turn has taken up yet.
CREATE TABLE history (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  agent TEXT NOT NULL, channel TEXT NOT NULL, epoch INTEGER NOT NULL, turn INTEGER NOT NULL,
  inbound INTEGER NOT NULL, at INTEGER NOT NULL, ambient INTEGER NOT NULL, blob INTEGER NOT NULL,
  h BLOB
) STRICT;
CREATE INDEX history_of_channel ON history (agent, channel, epoch, id);
CREATE INDEX history_of_inbound ON history (inbound) WHERE inbound > 0;
CREATE INDEX history_pending ON history (agent, channel, epoch) WHERE turn = 0;
CREATE INDEX history_by_age ON history (at);
CREATE VIRTUAL TABLE history_fts USING fts5(text, content='', tokenize='unicode61');

-- turns and what they leave -----------------------------------------------------------------------------------

CREATE TABLE turn (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  agent TEXT NOT NULL, channel TEXT NOT NULL, kind TEXT NOT NULL, started_at INTEGER NOT NULL,
  status TEXT NOT NULL, reason TEXT NOT NULL DEFAULT '', ended_at INTEGER NOT NULL DEFAULT 0,
  rounds INTEGER NOT NULL DEFAULT 0, inbounds TEXT NOT NULL, session INTEGER NOT NULL,
  h BLOB
) STRICT;
CREATE INDEX turn_of_channel ON turn (agent, channel, kind, id);
CREATE INDEX turn_running ON turn (id) WHERE status = 'running';
CREATE INDEX turn_by_age ON turn (started_at);

-- `head`, `tail` and `sections` are NULL once retention has wiped what was sent; digests and sizes stay.
CREATE TABLE request (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  agent TEXT NOT NULL, channel TEXT NOT NULL, turn INTEGER NOT NULL, kind TEXT NOT NULL, round INTEGER NOT NULL,
  at INTEGER NOT NULL, digest BLOB NOT NULL, wire_sha256 TEXT NOT NULL, wire_bytes INTEGER NOT NULL,
  encoder TEXT NOT NULL, model TEXT NOT NULL, head INTEGER, tail INTEGER, sections TEXT,
  stats TEXT NOT NULL, extra TEXT NOT NULL, fallback_of INTEGER NOT NULL,
  h BLOB
) STRICT;
CREATE INDEX request_of_channel ON request (agent, channel, kind, id);
CREATE INDEX request_of_turn ON request (turn, id);
CREATE INDEX request_by_age ON request (at);
CREATE INDEX request_by_head ON request (head);
CREATE INDEX request_by_tail ON request (tail);

CREATE TABLE request_memory (
  memory INTEGER NOT NULL, request INTEGER NOT NULL REFERENCES request (id) ON DELETE CASCADE,
  PRIMARY KEY (memory, request)
) STRICT, WITHOUT ROWID;
CREATE INDEX request_memory_by_request ON request_memory (request);

CREATE TABLE attempt (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  request INTEGER NOT NULL REFERENCES request (id) ON DELETE CASCADE,
  number INTEGER NOT NULL, at INTEGER NOT NULL, input INTEGER NOT NULL, output INTEGER NOT NULL,
  cached INTEGER NOT NULL, cost_usd REAL NOT NULL, body TEXT NOT NULL, response TEXT,
  h BLOB
) STRICT;
CREATE INDEX attempt_of_request ON attempt (request, number, id);
CREATE INDEX attempt_by_age ON attempt (at);

CREATE TABLE tool_call (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  agent TEXT NOT NULL, channel TEXT NOT NULL, turn INTEGER NOT NULL, round INTEGER NOT NULL,
  position INTEGER NOT NULL, at INTEGER NOT NULL, body TEXT NOT NULL, arguments TEXT, output TEXT,
  h BLOB
) STRICT;
CREATE INDEX tool_call_of_turn ON tool_call (turn, round, position, id);
CREATE INDEX tool_call_by_age ON tool_call (at);

CREATE TABLE outbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  agent TEXT NOT NULL, channel TEXT NOT NULL, kind TEXT NOT NULL, part INTEGER NOT NULL,
  inbound INTEGER NOT NULL, turn INTEGER NOT NULL, body TEXT NOT NULL, text TEXT,
  state TEXT NOT NULL, created_at INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
  not_before INTEGER NOT NULL DEFAULT 0, message_id TEXT NOT NULL DEFAULT '',
  receipt_at INTEGER NOT NULL DEFAULT 0, error TEXT NOT NULL DEFAULT '',
  h BLOB
) STRICT;
CREATE INDEX outbox_pending ON outbox (id) WHERE state IN ('new', 'sending');
CREATE INDEX outbox_of_inbound ON outbox (inbound, id) WHERE inbound > 0;
CREATE INDEX outbox_of_turn ON outbox (turn, id) WHERE turn > 0;
CREATE INDEX outbox_by_message ON outbox (agent, channel, message_id) WHERE message_id <> '';
CREATE INDEX outbox_troubled ON outbox (agent, channel, state, id) WHERE state IN ('uncertain', 'dead');
CREATE INDEX outbox_by_age ON outbox (created_at);

CREATE TABLE ratio (
  agent TEXT NOT NULL, model TEXT NOT NULL, value REAL NOT NULL, PRIMARY KEY (agent, model)
) STRICT, WITHOUT ROWID;

-- memories ----------------------------------------------------------------------------------------------------

-- `content` is NULL once a forgotten memory's text has been wiped. `platform` keeps equal numeric ids apart.
CREATE TABLE memory (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  agent TEXT NOT NULL, platform TEXT NOT NULL, scope TEXT NOT NULL, scope_id TEXT NOT NULL,
  channel TEXT NOT NULL, author TEXT NOT NULL, created_at INTEGER NOT NULL, body TEXT NOT NULL, content TEXT,
  last_accessed INTEGER NOT NULL DEFAULT 0, access_count INTEGER NOT NULL DEFAULT 0,
  forgotten_at INTEGER NOT NULL DEFAULT 0, version INTEGER NOT NULL DEFAULT 1,
  h BLOB
) STRICT;
CREATE INDEX memory_in_scope ON memory (agent, scope, scope_id, id);
CREATE INDEX memory_of_author ON memory (agent, author, created_at);
CREATE INDEX memory_of_channel ON memory (agent, channel, id);
CREATE INDEX memory_forgotten ON memory (forgotten_at) WHERE forgotten_at > 0 AND content IS NOT NULL;
CREATE VIRTUAL TABLE memory_fts USING fts5(text, content='', tokenize='unicode61');

-- governance --------------------------------------------------------------------------------------------------

CREATE TABLE session (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  agent TEXT NOT NULL, platform TEXT NOT NULL, actor TEXT NOT NULL, dm_channel TEXT NOT NULL,
  dm_thread TEXT NOT NULL, last_at INTEGER NOT NULL, body TEXT NOT NULL,
  h BLOB
) STRICT;
CREATE INDEX session_of_thread ON session (platform, actor, dm_channel, dm_thread, id);

CREATE TABLE proposal (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  agent TEXT NOT NULL, secret_id TEXT NOT NULL UNIQUE, session INTEGER NOT NULL, state TEXT NOT NULL,
  used INTEGER NOT NULL DEFAULT 0, decided_at INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL,
  body TEXT NOT NULL,
  h BLOB
) STRICT;
CREATE INDEX proposal_by_age ON proposal (created_at);

-- A hash chain: `hash` covers `prev_hash` and every column but itself. `undoes` is the row that this one takes back.
CREATE TABLE audit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  agent TEXT NOT NULL, at INTEGER NOT NULL, platform TEXT NOT NULL, actor TEXT NOT NULL,
  body TEXT NOT NULL, undoes INTEGER NOT NULL, prev_hash TEXT NOT NULL, hash TEXT NOT NULL
) STRICT;
CREATE INDEX audit_of_person ON audit (platform, actor, id);
CREATE UNIQUE INDEX audit_undone ON audit (undoes) WHERE undoes > 0;
