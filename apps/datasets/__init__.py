"""Pairs, labels, gold, export."""
