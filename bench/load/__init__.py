"""Annotators at work, measured: Polarlab beside doccano and Label Studio (docs/load.md)."""
