"""The formats of files that bring sentences in, one a module."""
