"""The dashboard's figures through the API: what its pages have, or counted now, never more than a minute
behind."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations
from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.lists import query_known
from apps.api.problems import QueryError
from apps.api.views import ApiView
from apps.comparison.agreement import kappa
from apps.comparison.campaign_choice import JudgesForm
from apps.comparison.judges import judges_of
from apps.comparison.sureness_choice import SurenessForm
from apps.dashboard import counted, tables
from apps.dashboard.addresses import Source
from apps.dashboard.choices import choices, is_by_program, latest
from apps.dashboard.composition import LABEL_SOURCES
from apps.dashboard.selectors import LABELS, Comparison
from apps.dashboard.serializers import ComparisonSerializer, CompositionSerializer
from apps.datasets.models import Dataset
from apps.datasets.sureness import ASSUMED, NOT_ASSUMED, NOT_KNOWN
from apps.studies.access import studies_researched

REFERENCES = ("file", "human", "calculus")
_MOST = 100


class ComparisonView(ApiView):
    """What people, calculus and models say of a dataset's pairs, counted against each other."""

    moving = ("as_of",)

    @extend_schema(
        tags=["datasets"],
        responses=ComparisonSerializer,
        parameters=[
            OpenApiParameter("id", OpenApiTypes.INT64, OpenApiParameter.PATH),
            OpenApiParameter(
                "judgements",
                OpenApiTypes.INT64,
                description=gettext_lazy("For “matches”: pairs with so many; left out, the usual number."),
            ),
            OpenApiParameter(
                "against",
                enum=REFERENCES,
                description=gettext_lazy("What accuracy is measured against; left out, the first there is."),
            ),
            OpenApiParameter(
                "campaigns",
                OpenApiTypes.STR,
                description=gettext_lazy(
                    "The campaigns whose answers are read, as 3,5; left out, those that ask for a label."
                ),
            ),
            OpenApiParameter(
                "sure_from",
                OpenApiTypes.DOUBLE,
                description=gettext_lazy("Only pairs of whose calculus label the confidence is so much."),
            ),
            OpenApiParameter(
                "assumed",
                enum=(ASSUMED, NOT_ASSUMED, NOT_KNOWN),
                description=gettext_lazy(
                    "Only pairs whose calculus label takes an unknown word to be more specific, or doesn't."
                ),
            ),
        ],
    )
    def get(self, request: Request, id: str) -> Response:
        """The dashboard's tables, in counts."""
        query_known(request, {"judgements", "against", "campaigns", *SurenessForm.base_fields})
        mine = Dataset.objects.filter(study__in=studies_researched(self.user).values("pk"))
        dataset = get_object_or_404(mine.exclude(kind=Dataset.Kind.TESTS).select_related("study"), pk=id)
        asked, sure = JudgesForm(request.query_params, dataset=dataset), SurenessForm(request.query_params)
        if errors := {**asked.errors, **sure.errors}:
            raise QueryError({name: [str(text) for text in texts] for name, texts in errors.items()})
        there = choices(dataset)
        kept = counted.comparison(dataset, asked.judges, latest(there), sure.said, wait=True)
        comparison, labels = kept.there
        sources = tables.sources(comparison)
        reference = _reference(request, sources)
        found = {
            "dataset": dataset.pk,
            "as_of": kept.found.as_of,
            "simulated": is_by_program(dataset, there),
            "pairs": comparison.total,
            "judged": comparison.judged,
            "labelled": comparison.labelled,
            "filed": comparison.filed,
            "reaching": [{"sure_from": step, "pairs": n} for step, n in labels.reaching],
            "assumed": labels.assumed,
            "assumed_not_known": labels.assumed_not_known,
            "sources": sources,
            "campaigns": comparison.judges.numbers,
            "halved": [campaign.pk for campaign in comparison.judges.halved],
            "people": comparison.agreement.labels,
            "points": comparison.agreement.points,
            "matches": _matches(request, comparison),
            "confusions": [
                _confusion(comparison, one.key, two.key)
                for one, two in combinations(sources, 2)
                if one.run is None or two.run is None
            ],
            "reference": reference.key if reference else None,
            **_accuracy(comparison, sources, reference),
        }
        return Response(ComparisonSerializer(found).data)


class CompositionView(ApiView):
    """What a dataset is made of: type × label × where its pairs come from (MED, Table 5)."""

    moving = ("as_of",)

    @extend_schema(
        tags=["datasets"],
        responses=CompositionSerializer,
        parameters=[
            OpenApiParameter("id", OpenApiTypes.INT64, OpenApiParameter.PATH),
            OpenApiParameter(
                "labels",
                enum=list(LABEL_SOURCES),
                description=gettext_lazy("Whose labels are counted; left out, the file's."),
            ),
            OpenApiParameter(
                "twins",
                enum=["yes", "no"],
                description=gettext_lazy("Whether swapped twins are counted; left out, they are not."),
            ),
        ],
    )
    def get(self, request: Request, id: str) -> Response:
        """Counts of pairs, two-way, with how many have no such label."""
        query_known(request, {"labels", "twins"})
        mine = Dataset.objects.filter(study__in=studies_researched(self.user).values("pk"))
        dataset = get_object_or_404(mine.exclude(kind=Dataset.Kind.TESTS).select_related("study"), pk=id)
        chosen = {"labels": "file", "twins": "no", **request.query_params.dict()}
        for name, known in (("labels", list(LABEL_SOURCES)), ("twins", ["yes", "no"])):
            if chosen[name] not in known:
                raise QueryError({name: [_("One of: %(names)s.") % {"names": ", ".join(known)}]})
        judges, twins = judges_of(dataset), chosen["twins"] == "yes"
        kept = counted.composed(dataset, judges, labels=chosen["labels"], twins=twins, wait=True)
        found = kept.there
        lines = [
            {
                "type": line.place or "none",
                "label": line.label,
                "total": line.total,
                "counts": dict(zip(found.origins, line.counts, strict=True)),
            }
            for line in found.lines
        ]
        shown = {
            "dataset": dataset.pk,
            "as_of": kept.found.as_of,
            "labels": found.labels,
            "twins": found.twins,
            "lines": lines,
        }
        shown |= {"total": found.total, "unlabelled": found.unlabelled}
        return Response(CompositionSerializer(shown).data)


def _reference(request: Request, sources: list[Source]) -> Source | None:
    asked = request.query_params.get("against")
    if asked is not None and asked not in REFERENCES:
        raise QueryError({"against": [_("One of: %(names)s.") % {"names": ", ".join(REFERENCES)}]})
    by_key = {source.key: source for source in sources}
    return by_key.get(asked) if asked else next((by_key[key] for key in REFERENCES if key in by_key), None)


def _matches(request: Request, comparison: Comparison) -> dict[str, Any]:
    asked = request.query_params.get("judgements", "")
    if asked and not (asked.isascii() and asked.isdecimal() and len(asked) < 4 and int(asked) <= _MOST):
        raise QueryError({"judgements": [_("A number of judgements, up to %(n)d.") % {"n": _MOST}]})
    found = tables.matches(comparison, int(asked) if asked else tables.usual_number(comparison))
    return {
        "judgements": found.judgements,
        "total": found.total,
        "counts": {row.title: _by_place(found.places, row) for row in found.rows},
        "others": {str(number): pairs for number, pairs, _url in found.others},
        "unlabelled": found.unlabelled,
    }


def _by_place(places: list[str], row: tables.Row) -> dict[str, int]:
    return {place or "none": cell.count for place, cell in zip(places, row.cells, strict=True)}


def _confusion(comparison: Comparison, one: str, two: str) -> dict[str, Any]:
    first = comparison.says(one)
    counts: Counter[tuple[str, str]] = Counter()
    for item, label, n in comparison.said(two):
        counts[first(item), label] += n
    table: dict[str, dict[str, int]] = defaultdict(dict)
    for (label, other), n in sorted(counts.items()):
        table[label][other] = n
    both = {key: n for key, n in counts.items() if key[0] in LABELS and key[1] in LABELS}
    return {"one": one, "two": two, "counts": dict(table), "agreement": kappa(both)}


def _accuracy(comparison: Comparison, sources: list[Source], reference: Source | None) -> dict[str, Any]:
    if reference is None:
        return {"baseline": None, "accuracy": []}
    found = tables.accuracy(comparison, reference)
    places = [*(place or "none" for place in found.places), "all"]
    keys = ["baseline", *(source.key for source in sources if source.key != reference.key)]
    scored = [
        {"source": key, "scores": dict(zip(places, scores, strict=True))}
        for key, (_title, scores) in zip(keys, found.rows, strict=True)
    ]
    return {"baseline": found.baseline, "accuracy": scored}
