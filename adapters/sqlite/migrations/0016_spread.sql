-- Into which tool calls a memory went: what a search of the model's returned. As with requests there are numbers here and
-- no words, so that it is known for as long as the call is. What was recorded before is read from what the calls returned.

CREATE TABLE call_memory (
  memory INTEGER NOT NULL, call INTEGER NOT NULL REFERENCES tool_call (id) ON DELETE CASCADE,
  PRIMARY KEY (memory, call)
) STRICT, WITHOUT ROWID;
CREATE INDEX call_memory_by_call ON call_memory (call);
INSERT INTO call_memory SELECT DISTINCT memory.id, tool_call.id
FROM tool_call, json_each(memories_in(tool_call.output)) AS named
JOIN memory ON memory.id = named.value
WHERE instr(tool_call.body, '"tool_name":"memory_recall"') > 0;

-- What a turn left behind: the memories that were saved in it, and the work that was handed out in it.

CREATE INDEX memory_of_turn ON memory ((CASE WHEN json_valid(body) THEN json_extract(body, '$.provenance.turn') END));
CREATE INDEX process_of_turn ON process ((CASE WHEN json_valid(body) THEN json_extract(body, '$.parent_turn') END));
