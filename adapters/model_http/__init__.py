"""What model services over HTTP have in common: one post, a stream of events, patience, and a name for each failure."""
