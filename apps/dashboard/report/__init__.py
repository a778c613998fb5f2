"""The printable report of a study: what its pages show, chapter by chapter, as of one day."""
