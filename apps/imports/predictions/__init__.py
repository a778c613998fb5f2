"""Predictions of a model that was run elsewhere, out of a file: looked at first, then stored as a run."""
