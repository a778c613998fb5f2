"""Panels: people who come from Prolific, Mechanical Turk or elsewhere, and what they are owed."""
