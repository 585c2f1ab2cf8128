"""Proof by replay: which parts of a request made the model decide as it did, by asking it again without them.

Pure: `ProofRun` says which request to run next, is told which decision came of it, and ends in a `ProofVerdict`.
Whoever asks the model builds the requests, pays, and keeps the `ProofRecord`, from which a proof goes on.
"""
