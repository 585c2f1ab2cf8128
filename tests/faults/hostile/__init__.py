"""A model that is assumed lost, and everything that it must not be able to do."""
