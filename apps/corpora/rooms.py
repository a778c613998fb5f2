"""Sentences and blanks among the rooms of a study."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from apps.corpora.models import BlankSet, Corpus, Sentence
from apps.studies.access import within
from apps.studies.models import Study
from apps.studies.rooms import Contents, Room


def _corpora(study: Study) -> Contents:
    sentences = within(Sentence, study).count()
    text = ngettext("%(n)d sentence", "%(n)d sentences", sentences) % {"n": sentences}
    count = within(Corpus, study).count()
    return Contents(count, ngettext("corpus", "corpora", count), text)


def _blanks(study: Study) -> Contents:
    count = within(BlankSet, study).count()
    unit = ngettext("set of blanks", "sets of blanks", count)
    return Contents(count, unit, _("Sets of polarised constituents to rewrite."))


CORPORA = Room(
    name="corpora",
    title=gettext_lazy("Corpora"),
    place=10,
    address="corpora:list",
    contents=_corpora,
    first=gettext_lazy("Bring sentences in: upload or paste them."),
    rows=lambda study: within(Corpus, study),
    spared_by="pairs",
)
BLANKS = Room(
    name="blanks",
    title=gettext_lazy("Blanks"),
    place=20,
    address="blanks:list",
    contents=_blanks,
    first=gettext_lazy("Choose polarised constituents once a corpus is parsed."),
    rows=lambda study: within(BlankSet, study),
    spared_by="pairs",
)
