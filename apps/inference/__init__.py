"""Models, runs, predictions."""
