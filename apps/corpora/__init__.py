"""Sentences, parses, polarity, blanks."""
