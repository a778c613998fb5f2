"""Comparison, agreement and progress pages."""
