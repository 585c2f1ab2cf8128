"""The outside world: one small protocol per thing that an adapter or a fake stands in for."""
