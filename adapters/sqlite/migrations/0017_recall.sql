-- What is remembered is found in milliseconds, however much there is of it.

-- Words are looked for within the places that a reader may see, so each stands there together with its place: as a term
-- of `bot.text.terms`, and once more as what its forms have in common. The row is the memory's number and of which
-- length its text is. The index keeps what was put in, so that it can be taken out whatever becomes of the terms.
DROP TABLE memory_fts;
CREATE VIRTUAL TABLE memory_fts USING fts5(text, tokenize="ascii tokenchars '_:.-~@'");
INSERT INTO memory_fts (rowid, text)
SELECT index_row(id, said), index_text(agent, platform, scope, scope_id, channel, CAST(name AS BLOB), said)
FROM (SELECT id, agent, platform, scope, scope_id, channel, CAST(content AS BLOB) AS said,
    CASE WHEN json_valid(body) THEN json_extract(body, '$.provenance.author_name') END AS name
  FROM memory WHERE content IS NOT NULL);

-- By time, and by the two things that make up what counts now: how important it was, and when it was last read. What
-- an identity is never fades: it stands among those that were read a moment ago.
ALTER TABLE memory ADD COLUMN importance ANY
  GENERATED ALWAYS AS (CASE WHEN json_valid(body) THEN json_extract(body, '$.importance') END) VIRTUAL;
ALTER TABLE memory ADD COLUMN kind ANY
  GENERATED ALWAYS AS (CASE WHEN json_valid(body) THEN json_extract(body, '$.type') END) VIRTUAL;
ALTER TABLE memory ADD COLUMN fresh_at INTEGER
  GENERATED ALWAYS AS (CASE WHEN json_valid(body) THEN
    CASE WHEN json_extract(body, '$.type') = 'identity' THEN 4611686018427387904
    ELSE max(created_at, last_accessed) END END) VIRTUAL;
CREATE INDEX memory_by_time ON memory (agent, scope, scope_id, created_at, id, kind, forgotten_at)
  WHERE forgotten_at = 0;
CREATE INDEX memory_by_importance ON memory (agent, scope, scope_id, importance, fresh_at, id, kind)
  WHERE forgotten_at = 0;
CREATE INDEX memory_by_freshness ON memory (agent, scope, scope_id, fresh_at, id, importance, kind)
  WHERE forgotten_at = 0;
