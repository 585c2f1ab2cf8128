-- Why the words of a request are not kept as they were sent: `room` (taken out to keep the journal small), `unrecorded`
-- (its channel is not recorded), `redacted` (somebody asked to be forgotten). Digests and sizes stay in the request.

CREATE TABLE request_mark (
  request INTEGER PRIMARY KEY REFERENCES request (id) ON DELETE CASCADE,
  kind TEXT NOT NULL, at INTEGER NOT NULL
) STRICT;

-- People who asked to be forgotten. `done_at` 0: it is not over, and is gone on with at the next sweep.

CREATE TABLE erasure (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  agent TEXT NOT NULL, platform TEXT NOT NULL, user_id TEXT NOT NULL, at INTEGER NOT NULL, done_at INTEGER NOT NULL,
  h BLOB
) STRICT;
