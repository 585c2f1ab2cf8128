"""How an answer reaches people: the outbox, retries, routes, previews."""
