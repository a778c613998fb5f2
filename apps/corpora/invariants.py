"""What must hold of blanks: the stored text is what stands at its place in the sentence."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import F
from django.db.models.functions import Substr

from apps.corpora.models import Blank
from apps.studies.models import Study
from apps.studies.soundness import Fault, rows


def blanks(study: Study | None) -> Iterator[Fault]:
    """A blank's offsets, in code points, give its text."""
    there = Substr("sentence__text", F("start") + 1, F("end") - F("start"))
    found = rows(Blank, study).annotate(there=there).exclude(text=F("there"))
    for pk, sentence in found.values_list("pk", "sentence_id").iterator():
        text = f"blank {pk} has another text than sentence {sentence} at its place"
        yield Fault("blank", text, "don't ask for it: make the set of blanks anew")


CHECKS = (blanks,)
