"""The pipeline that ``POLARLAB_PARSER`` names is looked at when the program starts, without loading it."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error

PARSER = "corpora.E001"


def parser_can_be_read(**_asked: Any) -> list[CheckMessage]:
    """One error where the pipeline is not installed, of another language, or lacks what rules ask for."""
    from natlog.parsing.installed import complaint

    problem = complaint(settings.PARSER)
    if not problem:
        return []
    hint = (
        "Set POLARLAB_PARSER to an installed English spaCy pipeline with a tagger, a parser and a lemmatizer."
    )
    return [Error(f"POLARLAB_PARSER: {problem}.", hint=hint, id=PARSER)]
