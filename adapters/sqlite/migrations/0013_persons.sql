-- Rows by the person whose they are: what is kept of somebody is found without reading what is kept of others.
-- A body that is damaged is no JSON and has no author.

CREATE INDEX inbound_of_author ON inbound (
  (CASE WHEN json_valid(body) THEN json_extract(body, '$.author.user_id') END), adapter);
CREATE INDEX process_of_actor ON process (platform, actor);
CREATE INDEX memory_of_person ON memory (platform, author);
CREATE INDEX history_of_turn ON history (turn) WHERE turn > 0;
