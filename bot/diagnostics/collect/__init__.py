"""Gather what bears on a question, with a time limit for each piece."""
