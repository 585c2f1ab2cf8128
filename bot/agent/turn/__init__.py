"""One turn from its request to its outcome: the loop, the model, its tools, its rows."""
