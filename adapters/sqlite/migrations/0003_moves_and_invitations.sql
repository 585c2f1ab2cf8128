-- Channels that have another id now: what the conversation was has moved to `new`, what arrived stays where it arrived.
-- In order of id; `old` and `new` are channels as they were called then.

CREATE TABLE move (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  agent TEXT NOT NULL, old TEXT NOT NULL, new TEXT NOT NULL, at INTEGER NOT NULL,
  h BLOB,
  UNIQUE (agent, old)
) STRICT;

-- Links by which one person opens their private chat and gets the answer to one message there. `used_at` 0: not yet.

CREATE TABLE invitation (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  agent TEXT NOT NULL, secret_id TEXT NOT NULL UNIQUE, platform TEXT NOT NULL, actor TEXT NOT NULL,
  inbound INTEGER NOT NULL, created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, used_at INTEGER NOT NULL,
  h BLOB
) STRICT;
CREATE INDEX invitation_by_age ON invitation (created_at);
