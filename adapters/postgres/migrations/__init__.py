"""The steps of the schema, by number."""
