"""What pairs say before their study, or the corpus that they were made from, is deleted."""

from __future__ import annotations

from django.utils.translation import ngettext

from apps.corpora.models import Corpus
from apps.datasets.models import Pair
from apps.studies.models import Study


def before_deleting_a_study(study: Study) -> tuple[list[str], list[str]]:
    pairs = Pair.objects.filter(dataset__study=study).count()
    goes = ngettext("%(n)d pair", "%(n)d pairs", pairs)
    return [], [goes % {"n": pairs}] if pairs else []


def before_deleting_a_corpus(corpus: Corpus) -> tuple[list[str], list[str]]:
    """Pairs say which sentence they come from; without the corpus they could not."""
    pairs = Pair.objects.filter(premises__sentence__corpus=corpus).distinct().count()
    kept = ngettext(
        "%(n)d pair comes from its sentences. Archive it instead.",
        "%(n)d pairs come from its sentences. Archive it instead.",
        pairs,
    )
    return [kept % {"n": pairs}] if pairs else [], []
