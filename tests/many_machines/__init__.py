"""The protocol by which several processes share channels, as a model that is explored whole."""
