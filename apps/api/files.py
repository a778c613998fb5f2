"""Answers that are files and not JSON."""

from __future__ import annotations

from rest_framework.renderers import JSONRenderer


class FileRenderer(JSONRenderer):
    """For an address that sends a file: whatever type is asked for, the file has its own. What is rendered
    here is only what went wrong, as JSON."""

    media_type = "*/*"
