"""What a corpus, or a set of blanks, is asked before it is renamed, archived or deleted."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.accounts.models import User
from apps.corpora.models import Blank, BlankSet, Corpus
from apps.frame.texts import line_checked
from apps.studies import audit
from apps.studies.retention import Keepable


@transaction.atomic
def corpus_rename(corpus: Corpus, actor: User, name: str) -> None:
    held = Corpus.objects.select_for_update(no_key=True).get(pk=corpus.pk)
    name = line_checked(name, "name")
    if name == held.name:
        return
    if Corpus.objects.filter(study=held.study_id, name=name).exists():
        raise ValidationError({"name": _("This study has a corpus of that name.")})
    held.name = name
    held.save(update_fields=["name"])
    audit.record("corpus.renamed", study=held.study, actor=actor, subject=held, name=name)


def before_deleting(corpus: Corpus) -> tuple[list[str], list[str]]:
    """Blanks keep their sentences; without any, the sentences go with their parses."""
    blanks = Blank.objects.filter(sentence__corpus=corpus).count()
    sentences = corpus.sentences.count()
    said = ngettext(
        "%(n)d blank is made of its sentences.", "%(n)d blanks are made of its sentences.", blanks
    )
    goes = ngettext("%(n)d sentence, with its parses", "%(n)d sentences, with their parses", sentences)
    return [said % {"n": blanks}] if blanks else [], [goes % {"n": sentences}] if sentences else []


CORPUS = Keepable(
    kind="corpus",
    model=Corpus,
    rename=corpus_rename,
    address=lambda corpus: reverse("corpora:corpus", args=[corpus.study.slug, corpus.pk]),
    among=lambda study: reverse("corpora:list", args=[study.slug]),
)


@transaction.atomic
def blank_set_rename(blank_set: BlankSet, actor: User, name: str) -> None:
    held = BlankSet.objects.select_for_update(no_key=True).get(pk=blank_set.pk)
    name = line_checked(name, "name")
    if name == held.name:
        return
    if BlankSet.objects.filter(study=held.study_id, name=name).exists():
        raise ValidationError({"name": _("There is a set of this name.")})
    held.name = name
    held.save(update_fields=["name"])
    audit.record("blank_set.renamed", study=held.study, actor=actor, subject=held, name=name)


def before_deleting_a_set(blank_set: BlankSet) -> tuple[list[str], list[str]]:
    """Its blanks go with it; its sentences stay."""
    blanks = blank_set.blanks.count()
    goes = ngettext("%(n)d blank", "%(n)d blanks", blanks)
    return [], [goes % {"n": blanks}] if blanks else []


BLANK_SET = Keepable(
    kind="blank_set",
    model=BlankSet,
    rename=blank_set_rename,
    address=lambda blank_set: reverse("blanks:set", args=[blank_set.study.slug, blank_set.pk]),
    among=lambda study: reverse("blanks:list", args=[study.slug]),
)
