"""The trail in words: sentences and blanks."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from apps.corpora.models import BlankSet, Corpus
from apps.studies.vocabulary import Group, Words

WORDS = Words(
    actions={
        "corpus.archived": _("corpus put into the archive"),
        "corpus.unarchived": _("corpus taken out of the archive"),
        "corpus.deleted": _("corpus deleted"),
        "corpus.renamed": _("corpus renamed"),
        "corpus.imported": _("sentences imported"),
        "corpus_draft.column_chosen": _("column of a file chosen"),
        "corpus_draft.created": _("file of sentences uploaded"),
        "corpus_draft.discarded": _("file of sentences thrown away"),
        "corpus_draft.empty": _("file without sentences"),
        "corpus_draft.encoding_accepted": _("encoding of a file accepted"),
        "sentence.put_aside": _("sentence put aside"),
        "sentence.taken_back": _("sentence taken back"),
        "blank.taken_out": _("blank taken out of its set"),
        "blank_set.archived": _("set of blanks put into the archive"),
        "blank_set.unarchived": _("set of blanks taken out of the archive"),
        "blank_set.deleted": _("set of blanks deleted"),
        "blank_set.renamed": _("set of blanks renamed"),
        "blank_set.created": _("set of blanks made"),
        "stop_expression.added": _("stop expression added"),
        "stop_expression.removed": _("stop expression removed"),
        "parse_check.recorded": _("parse checked"),
        "parse_sample.drawn": _("sample of parses drawn"),
        "pilot.created": _("pilot made"),
    },
    groups=(Group("corpora", _("corpora and blanks"), 60),),
    within={
        "corpora": (
            "corpus",
            "corpus_draft",
            "sentence",
            "blank",
            "blank_set",
            "stop_expression",
            "parse_check",
            "parse_sample",
        )
    },
    details={
        "bytes": _("bytes"),
        "size": _("size"),
        "draft": _("file"),
        "encoding": _("encoding"),
        "column": _("column"),
        "corpus": _("corpus"),
        "verdict": _("verdict"),
        "made": _("made"),
        "blank": _("blank"),
        "blanks": _("blanks"),
        "expression": _("expression"),
    },
    kinds={"corpus": _("corpus"), "blankset": _("set of blanks")},
    named={"corpus": Corpus, "blankset": BlankSet},
)
