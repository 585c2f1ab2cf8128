"""Faults on purpose: families of troubles, each case of which must hold. `make faults` plays them all."""
