"""One page of an answer each: what an admin can look at."""
