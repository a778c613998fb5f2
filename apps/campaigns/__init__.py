"""Tasks for annotators."""
