"""Ask a model again what it was asked on record: as it was, without parts, with other words, or another model."""
