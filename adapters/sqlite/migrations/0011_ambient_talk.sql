-- Talk that no turn took up is looked through as it stands; the index holds the rest. `words_of` is ours.

INSERT INTO history_fts (history_fts, rowid, text)
SELECT 'delete', history.id, words_of(blob.hash, blob.body)
FROM history JOIN blob ON blob.id = history.blob
WHERE history.turn = 0 AND words_of(blob.hash, blob.body) <> '';
