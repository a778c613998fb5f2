"""Background work as rows."""
