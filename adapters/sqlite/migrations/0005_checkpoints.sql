-- How far a task of the cortex has come, so that it can be resumed: the newest checkpoint of each, by its name.
-- `turn` is the turn that works on it now, `version` the shape of `body`.

CREATE TABLE checkpoint (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  agent TEXT NOT NULL, session_id TEXT NOT NULL, turn INTEGER NOT NULL, at INTEGER NOT NULL,
  state TEXT NOT NULL, version INTEGER NOT NULL, body TEXT NOT NULL,
  h BLOB,
  UNIQUE (agent, session_id)
) STRICT;
CREATE INDEX checkpoint_of_turn ON checkpoint (turn);
CREATE INDEX checkpoint_by_age ON checkpoint (at);
