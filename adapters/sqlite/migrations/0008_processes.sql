-- Branches and workers: what was to be done, how far it came, what came of it, and whether that was said.
-- `inbound` is the message that it goes back to, `turns` (JSON) its turns in the journal, `returned` the ledger row by
-- which its result came back (0: none). `task` and `result` are NULL once retention has wiped them.

CREATE TABLE process (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  agent TEXT NOT NULL, channel TEXT NOT NULL, kind TEXT NOT NULL, state TEXT NOT NULL,
  platform TEXT NOT NULL, actor TEXT NOT NULL, inbound INTEGER NOT NULL,
  started_at INTEGER NOT NULL, ended_at INTEGER NOT NULL DEFAULT 0,
  turns TEXT NOT NULL, segment INTEGER NOT NULL, calls INTEGER NOT NULL, progress TEXT NOT NULL,
  body TEXT NOT NULL, task TEXT, result TEXT, reason TEXT NOT NULL,
  returned INTEGER NOT NULL, relayed_at INTEGER NOT NULL, version INTEGER NOT NULL,
  h BLOB
) STRICT;
CREATE INDEX process_open ON process (id) WHERE relayed_at = 0;
CREATE INDEX process_of_channel ON process (agent, channel, id);
CREATE INDEX process_of_inbound ON process (inbound);
CREATE INDEX process_by_age ON process (started_at);
