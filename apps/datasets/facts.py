"""What a file or a testbed says of a pair beside its sentences (``Pair.facts``), in SQL."""

from __future__ import annotations

from django.db.models import TextField, Value
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Coalesce


def fact_text(name: str) -> Coalesce:
    """The value of this fact as a text, whatever it is in JSON; "" where there is none. Databases give
    numbers otherwise as what they are, and a number is never equal to its text."""
    text = Cast(KeyTextTransform(name, "facts"), TextField())
    return Coalesce(text, Value(""), output_field=TextField())
