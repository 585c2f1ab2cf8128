-- What took the place of what in a conversation. `missing` (JSON) is what the sources name and no summary mentions;
-- NULL once retention has wiped it. `body` holds no words of anybody.

CREATE TABLE compaction (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  agent TEXT NOT NULL, channel TEXT NOT NULL, epoch INTEGER NOT NULL, at INTEGER NOT NULL, state TEXT NOT NULL,
  reason TEXT NOT NULL, decided_at INTEGER NOT NULL, body TEXT NOT NULL, missing TEXT,
  h BLOB
) STRICT;
CREATE INDEX compaction_of_channel ON compaction (agent, channel, epoch, id);
CREATE INDEX compaction_by_age ON compaction (at);

-- A line of `history` that a compaction took out (`came` 0) or put in (1); `place` is where it stands among the others.
-- While the compaction stands, the former are left out of the conversation; when it is undone, the latter are.
CREATE TABLE compacted (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  compaction INTEGER NOT NULL REFERENCES compaction (id) ON DELETE CASCADE,
  line INTEGER NOT NULL, came INTEGER NOT NULL, place INTEGER NOT NULL,
  h BLOB
) STRICT;
CREATE INDEX compacted_of_compaction ON compacted (compaction, came, place);
CREATE INDEX compacted_by_line ON compacted (line);
