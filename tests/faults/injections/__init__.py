"""Instructions that are hidden in what other people write, against the whole bot and a real model.

Row 20 of the scorecard: how often a model is fooled, and how often that has an effect. See `__main__`.
"""
