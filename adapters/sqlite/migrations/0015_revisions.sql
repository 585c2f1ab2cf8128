-- Every change of something that shapes what the bot does: a memory, a channel's settings, a summary. `subject` is its
-- row, `number` the version of that, `state` (JSON) what it was after the change, `words` what was said in it.
-- A hash chain: `hash` covers `prev_hash` and every column before it. What may be a person's stands behind it, under
-- `content_mac` with a `salt` that goes with it: so somebody can be forgotten and the chain stays whole, and
-- `erased_mac` shows that this program did it.

CREATE TABLE revision (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  agent TEXT NOT NULL, kind TEXT NOT NULL, subject INTEGER NOT NULL, number INTEGER NOT NULL, at INTEGER NOT NULL,
  cause TEXT NOT NULL, process TEXT NOT NULL, inbound INTEGER NOT NULL, turn INTEGER NOT NULL,
  content_mac TEXT NOT NULL, prev_hash TEXT NOT NULL, hash TEXT NOT NULL,
  platform TEXT NOT NULL, actor TEXT NOT NULL, state TEXT, words TEXT, salt BLOB, erased_mac TEXT
) STRICT;
CREATE INDEX revision_of_subject ON revision (kind, subject, number);
CREATE INDEX revision_of_person ON revision (platform, actor, at) WHERE actor <> '';
CREATE INDEX revision_by_age ON revision (at);
