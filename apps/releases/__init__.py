"""Releases: gold rules, twins, and the frozen archive that a job writes from one snapshot."""
