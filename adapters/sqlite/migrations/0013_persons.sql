-- Rows by the person whose they are: what is kept of somebody is found without reading what is kept of others.
-- A body that is damaged is no JSON and has no author.

CREATE INDEX inbound_of_author ON inbound (
  (CASE WHEN json_valid(body) THEN json_extract(body, '$.author.user_id') END), adapter);
CREATE INDEX process_of_actor ON process (platform, actor);
CREATE INDEX memory_of_person ON memory (platform, author);
CREATE INDEX history_of_turn ON history (turn) WHERE turn > 0;

-- Where a person is to be forgotten: `channels` (JSON), empty for everywhere. What was altered stays known as altered.

CREATE TABLE erasure_in (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  agent TEXT NOT NULL, platform TEXT NOT NULL, user_id TEXT NOT NULL, at INTEGER NOT NULL, done_at INTEGER NOT NULL,
  channels TEXT NOT NULL,
  h BLOB
) STRICT;
INSERT INTO erasure_in SELECT id, agent, platform, user_id, at, done_at, '',
  CASE WHEN h IS row_hash(id, agent, platform, user_id, at, done_at)
    THEN row_hash(id, agent, platform, user_id, at, done_at, '') END
FROM erasure;
DROP TABLE erasure;
ALTER TABLE erasure_in RENAME TO erasure;
