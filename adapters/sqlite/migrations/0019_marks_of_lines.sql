-- Which compactions took a line is read of many lines at once: all that is asked stands in the index. Of which lines a
-- compaction is the author is asked beside it, and there are few.
DROP INDEX compacted_by_line;
CREATE INDEX compacted_of_line ON compacted (line, came, compaction, place);
CREATE INDEX compacted_came ON compacted (line) WHERE came;
