"""An app for tests alone: in an installation that has it, some work of every kind never ends."""
