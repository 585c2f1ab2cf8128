-- What a bulletin shows of many memories is found without reading them all. The order is that of `MemoryBulletin`: by
-- importance, then by type, then by number.

CREATE INDEX memory_by_weight ON memory (
  agent, scope, scope_id,
  (CASE WHEN json_valid(body) THEN json_extract(body, '$.importance') END) DESC,
  (CASE WHEN json_valid(body) THEN CASE json_extract(body, '$.type')
    WHEN 'identity' THEN 0 WHEN 'goal' THEN 1 WHEN 'human' THEN 2 WHEN 'decision' THEN 3 WHEN 'todo' THEN 4
    WHEN 'preference' THEN 5 WHEN 'fact' THEN 6 WHEN 'event' THEN 7 WHEN 'observation' THEN 8 END END),
  id
) WHERE forgotten_at = 0;
