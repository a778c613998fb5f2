"""What models do with a dataset, through the API: contrasts before and after, hard pairs."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.paginator import Paginator
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.models import User
from apps.api.lists import query_known
from apps.api.problems import QueryError
from apps.api.views import ApiView
from apps.dashboard import contrasts, hard_pairs, listed
from apps.dashboard.choices import choices, latest, references
from apps.dashboard.contrasts import AFTER, BEFORE, BOTH, MOVE, MOVED, STAY, STAYED
from apps.dashboard.forms import ContrastFilters, HardPairsForm
from apps.dashboard.hard_pairs import REFERENCES, SURE
from apps.dashboard.serializers import ContrastsSerializer, HardPairsSerializer
from apps.datasets.labels import ENTAILMENT, NON_ENTAILMENT
from apps.datasets.models import Dataset, Direction
from apps.studies.access import studies_researched

_ROWS_A_PAGE = 100
ID = OpenApiParameter("id", OpenApiTypes.INT64, OpenApiParameter.PATH)
PAGE = OpenApiParameter(
    "page", OpenApiTypes.INT32, description=gettext_lazy("A hundred pairs a page, from 1.")
)


def _one_of(name: str, values: list[str], text: Any) -> OpenApiParameter:
    return OpenApiParameter(name, enum=values, description=text)


class ContrastsView(ApiView):
    """A contrast set before and after (MED, section 4.3)."""

    moving = ("as_of",)

    @extend_schema(
        tags=["models"],
        responses=ContrastsSerializer,
        parameters=[
            ID,
            OpenApiParameter("contrast", OpenApiTypes.STR, description=gettext_lazy("Of this one alone.")),
            OpenApiParameter("model", OpenApiTypes.INT64, description=gettext_lazy("Whose predictions.")),
            _one_of("should", [MOVE, STAY], gettext_lazy("What the calculus' label does.")),
            _one_of("did", [MOVED, STAYED], gettext_lazy("What the model's prediction did.")),
            _one_of("right", [BEFORE, AFTER, BOTH], gettext_lazy("Where the model is right.")),
            PAGE,
        ],
    )
    def get(self, request: Request, id: str) -> Response:
        """How often predictions moved when they should and when they should not, by model, and the pairs."""
        query_known(request, {*ContrastFilters.base_fields, "page"})
        dataset = dataset_read(self.user, id)
        models = [run.model for run in latest(choices(dataset))]
        kept = listed.contrast_counts(dataset, models, wait=True)
        whole = kept.there
        filters = ContrastFilters(request.query_params, contrasts=list(whole.by_contrast), models=models)
        form_refused(filters)
        chosen = filters.chosen
        counts = whole
        if chosen.contrast:
            counts = listed.contrast_counts(dataset, models, chosen.contrast, wait=True).there
        these = paged(request, listed.contrast_numbers(dataset, chosen, wait=True).there)
        rows = contrasts.contrast_rows(dataset, list(these.pop("numbers")), models)
        pairs = [
            {
                **vars(row),
                "said": {str(model.pk): list(said) for model, said in zip(models, row.said, strict=True)},
            }
            for row in rows
        ]
        found = {
            "dataset": dataset.pk,
            "as_of": kept.found.as_of,
            "total": counts.total,
            "by_contrast": whole.by_contrast,
            "labelled": counts.labelled,
            "changes": counts.changes,
            "models": counts.models,
            **these,
            "pairs": pairs,
        }
        return Response(ContrastsSerializer(found).data)


class HardPairsView(ApiView):
    """The pairs that every model gets wrong."""

    moving = ("as_of",)

    @extend_schema(
        tags=["models"],
        responses=HardPairsSerializer,
        parameters=[
            ID,
            _one_of("against", list(REFERENCES), gettext_lazy("Left out: the first of them there is.")),
            OpenApiParameter(
                "runs",
                OpenApiTypes.STR,
                description=gettext_lazy("As 3,5; left out, each model's newest, but baselines'."),
            ),
            OpenApiParameter(
                "wrong",
                OpenApiTypes.INT32,
                description=gettext_lazy("At least so many of them; left out, all."),
            ),
            _one_of("direction", [*Direction.values, "none"], gettext_lazy("Of the pair.")),
            _one_of("label", [ENTAILMENT, NON_ENTAILMENT], gettext_lazy("The reference's.")),
            _one_of("order", [SURE], gettext_lazy("The surest mistakes first; left out, by number.")),
            PAGE,
        ],
    )
    def get(self, request: Request, id: str) -> Response:
        """Against gold, people or the calculus; with what each model says."""
        query_known(request, {*HardPairsForm.base_fields, "page"})
        dataset = dataset_read(self.user, id)
        there = choices(dataset)
        form = HardPairsForm(
            request.query_params,
            dataset=dataset,
            references=references(dataset, there),
            runs=latest(there),
        )
        form_refused(form)
        asked = form.asked
        kept = listed.hard_numbers(asked, wait=True) if asked else None
        these = paged(request, kept.there if kept else [])
        numbers = list(these.pop("numbers"))
        runs = [run.pk for run in asked.runs] if asked else []
        pairs = [
            {
                "pair": row.pair,
                "premises": [premise.text for premise in row.pair.premises.all()],
                "wanted": row.wanted,
                "said": [
                    {"run": run, "label": label, "entailment": score, "wrong": wrong}
                    for run, (label, score, wrong) in zip(runs, row.said, strict=True)
                ],
            }
            for row in (hard_pairs.hard_rows(asked, numbers) if asked else [])
        ]
        found = {
            "dataset": dataset.pk,
            "as_of": kept.found.as_of if kept else None,
            "reference": asked.reference if asked else None,
            "runs": runs,
            "wrong": asked.wrong if asked else 0,
            **these,
            "pairs": pairs,
        }
        return Response(HardPairsSerializer(found).data)


def dataset_read(user: User, id: str) -> Dataset:
    mine = Dataset.objects.filter(study__in=studies_researched(user).values("pk"))
    return get_object_or_404(mine.filter(kind=Dataset.Kind.PAIRS).select_related("study"), pk=id)


def form_refused(form: forms.Form) -> None:
    if not form.is_valid():
        raise QueryError({name: [str(text) for text in texts] for name, texts in form.errors.items()})


def paged(request: Request, numbers: Any) -> dict[str, Any]:
    """The page that was asked for: its ``numbers``, which one of how many it is, and the ``count`` of all."""
    asked = request.query_params.get("page", "1")
    paginator = Paginator(numbers, _ROWS_A_PAGE)
    is_number = asked.isascii() and asked.isdecimal() and len(asked) < 9
    if not is_number or not 1 <= int(asked) <= paginator.num_pages:
        raise QueryError({"page": [_("A page from 1 to %(n)d.") % {"n": paginator.num_pages}]})
    return {
        "numbers": paginator.page(int(asked)),
        "count": paginator.count,
        "page": int(asked),
        "pages": paginator.num_pages,
    }
