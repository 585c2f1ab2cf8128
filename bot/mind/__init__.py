"""Why it said that: what an answer was made of, what a silence came from, and what only a replay can prove."""
