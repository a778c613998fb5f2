"""What a dataset is asked before it is renamed, archived or deleted, and what pairs say of their study and of
the corpus that they were made from."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.accounts.models import User
from apps.corpora.models import BlankSet, Corpus
from apps.datasets.models import Dataset, Pair
from apps.frame.texts import line_checked
from apps.studies import audit
from apps.studies.models import Study
from apps.studies.retention import Keepable


@transaction.atomic
def dataset_rename(dataset: Dataset, actor: User, name: str) -> None:
    held = Dataset.objects.select_for_update(no_key=True).get(pk=dataset.pk)
    name = line_checked(name, "name")
    if name == held.name:
        return
    if Dataset.objects.filter(study=held.study_id, name=name).exists():
        raise ValidationError({"name": _("This study has a dataset of that name.")})
    held.name = name
    held.save(update_fields=["name"])
    audit.record("dataset.renamed", study=held.study, actor=actor, subject=held, name=name)


def before_deleting(dataset: Dataset) -> tuple[list[str], list[str]]:
    """Its pairs go with it, with their labels and predictions; test questions are no dataset to anybody."""
    if dataset.kind == Dataset.Kind.TESTS:
        return [_("Its pairs are test questions.")], []
    pairs = dataset.pairs.count()
    goes = ngettext(
        "%(n)d pair, with its labels and predictions", "%(n)d pairs, with their labels and predictions", pairs
    )
    return [], [goes % {"n": pairs}] if pairs else []


def before_deleting_a_set(blank_set: BlankSet) -> tuple[list[str], list[str]]:
    """Pairs say which blank they rewrite; without the set they could not."""
    pairs = Pair.objects.filter(blank__blank_set=blank_set).count()
    kept = ngettext(
        "%(n)d pair rewrites one of its blanks. Archive it instead.",
        "%(n)d pairs rewrite its blanks. Archive it instead.",
        pairs,
    )
    return [kept % {"n": pairs}] if pairs else [], []


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


DATASET = Keepable(
    kind="dataset",
    model=Dataset,
    rename=dataset_rename,
    address=lambda dataset: reverse("curation:dataset", args=[dataset.study.slug, dataset.pk]),
    among=lambda study: reverse("datasets:list", args=[study.slug]),
)
