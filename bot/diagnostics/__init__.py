"""Rules over frozen evidence; no model, no clock, no I/O."""
