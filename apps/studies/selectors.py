"""What a study's pages read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.db.models import Case, Count, Exists, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.accounts.models import User
from apps.campaigns.models import Campaign, Judgement
from apps.corpora.models import BlankSet, Corpus, Sentence
from apps.datasets.models import Dataset, Pair
from apps.inference.models import Model, Run
from apps.releases.models import Release
from apps.studies.access import within
from apps.studies.models import Membership, Participant, Study


@dataclass(frozen=True)
class Step:
    """One room of a study in the order of the work: what is there, or what to do first.

    ``unit`` is the word for what is counted ("corpora").
    """

    title: str
    url: str
    count: int
    unit: str
    text: str


def studies_of(user: User, *, archived: bool = False) -> QuerySet[Study]:
    return Study.objects.filter(memberships__user=user, archived_at__isnull=not archived).distinct()


def has_left(participant: str = "") -> Case:
    """Whether somebody, by the path to the participant, is a member no more or was erased. Whoever came by a
    panel or with a file never was one; what a person who left has judged stays where it is."""
    member = Membership.objects.filter(
        study=OuterRef(f"{participant}study"), user=OuterRef(f"{participant}user")
    )
    gone = Q(**{f"{participant}erased_at__isnull": False}) | Q(
        ~Exists(member), **{f"{participant}user__isnull": False}
    )
    return Case(When(gone, then=Value(True)), default=Value(False))


def annotators_in(study: Study) -> QuerySet[Participant]:
    """Whoever judges, or did, with ``answers`` and ``has_left``."""
    given = Judgement.objects.filter(participant=OuterRef("pk"), item__is_test=False).order_by()
    counted = given.values("participant").annotate(n=Count("pk")).values("n")
    rows = Participant.objects.filter(study=study).annotate(
        has_left=has_left(), answers=Coalesce(Subquery(counted), 0)
    )
    return rows.order_by("pseudonym")


def steps_of(study: Study) -> list[Step]:
    """The rooms with their counts. Nine queries."""

    def step(title: str, name: str, units: Callable[[int], str], count: int, some: str, none: str) -> Step:
        address = reverse(name, args=[study.slug])
        return Step(title, address, count, units(count), some if count else none)

    sentences = within(Sentence, study).count()
    pairs = within(Pair, study).exclude(dataset__kind=Dataset.Kind.TESTS).count()
    judgements = within(Judgement, study).filter(item__is_test=False).count()
    return [
        step(
            _("Corpora"),
            "corpora:list",
            lambda n: ngettext("corpus", "corpora", n),
            within(Corpus, study).count(),
            ngettext("%(n)d sentence", "%(n)d sentences", sentences) % {"n": sentences},
            _("Bring sentences in: upload or paste them."),
        ),
        step(
            _("Blanks"),
            "blanks:list",
            lambda n: ngettext("set of blanks", "sets of blanks", n),
            within(BlankSet, study).count(),
            _("Sets of polarised constituents to rewrite."),
            _("Choose polarised constituents once a corpus is parsed."),
        ),
        step(
            _("Campaigns"),
            "campaigns:list",
            lambda n: ngettext("campaign", "campaigns", n),
            within(Campaign, study).count(),
            ngettext("%(n)d judgement", "%(n)d judgements", judgements) % {"n": judgements},
            _("Give a set of blanks to annotators."),
        ),
        step(
            _("Pairs"),
            "datasets:list",
            lambda n: ngettext("dataset", "datasets", n),
            within(Dataset, study).exclude(kind=Dataset.Kind.TESTS).count(),
            ngettext("%(n)d pair", "%(n)d pairs", pairs) % {"n": pairs},
            _("Pairs appear as annotators write hypotheses."),
        ),
        step(
            _("Models"),
            "models:list",
            lambda n: ngettext("model", "models", n),
            within(Model, study).count(),
            _("Models that predict the same pairs."),
            _("Register a model and run it over the pairs."),
        ),
        step(
            _("Dashboard"),
            "dashboard:home",
            lambda n: ngettext("model run", "model runs", n),
            within(Run, study).count(),
            _("People, calculus and models side by side."),
            _("Fills up with judgements, calculus labels and runs."),
        ),
        step(
            _("Releases"),
            "releases:list",
            lambda n: ngettext("release", "releases", n),
            within(Release, study).count(),
            _("Frozen, checksummed exports."),
            _("Publish the pairs on which people and calculus agree."),
        ),
    ]
