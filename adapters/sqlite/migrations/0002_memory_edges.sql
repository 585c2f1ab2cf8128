-- How memories hang together: `source` was stored later and says what it is to `target` (both are rows of memory).
-- An edge counts while both of its memories do; it goes when the text of either is wiped.

CREATE TABLE memory_edge (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  agent TEXT NOT NULL, source INTEGER NOT NULL, target INTEGER NOT NULL, kind TEXT NOT NULL, weight REAL NOT NULL,
  author TEXT NOT NULL, turn INTEGER NOT NULL, at INTEGER NOT NULL,
  h BLOB,
  UNIQUE (source, target, kind)
) STRICT;
CREATE INDEX memory_edge_to ON memory_edge (target);
