-- What memories mean, as numbers that a model made of them, for a search in other words. Filled only where a model is
-- configured for it. `model` ends with how many numbers there are; of each there is its sign, in `signs`, by which the
-- near ones are found, and, in `parts`, the number itself in one byte. `length` is the length of these.
CREATE TABLE memory_vector (
  memory INTEGER PRIMARY KEY REFERENCES memory (id) ON DELETE CASCADE,
  model TEXT NOT NULL, signs BLOB NOT NULL, length REAL NOT NULL, parts BLOB NOT NULL
) STRICT;
CREATE INDEX memory_vector_by_model ON memory_vector (model);

-- It goes with the words that it was made of, whoever takes them away: who forgets, wipes, erases or puts others there.
CREATE TRIGGER memory_vector_goes AFTER UPDATE OF content, forgotten_at ON memory
WHEN new.content IS NOT old.content OR new.forgotten_at <> old.forgotten_at
BEGIN DELETE FROM memory_vector WHERE memory = old.id; END;
