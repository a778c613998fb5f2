"""Working on a dataset: search, profiles, bulk edits, the outcome of gold rules."""
