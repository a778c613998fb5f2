"""What gives labels away without reading both sentences, on one page."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from apps.comparison.campaign_choice import JudgesForm
from apps.comparison.judges import is_simulated
from apps.comparison.pairs import predicted
from apps.dashboard import artifacts, artifacts_exhibits
from apps.dashboard.forms import ReferenceForm
from apps.dashboard.hard_pairs import REFERENCES, references_there
from apps.datasets.models import Dataset
from apps.frame.exhibits import exhibit_answer
from apps.inference.selectors import latest_runs
from apps.studies.access import Access, study_view


@study_view()
def artifacts_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """``?against=`` says whose labels."""
    dataset = access.get(Dataset, pk, kind=Dataset.Kind.PAIRS)
    form = ReferenceForm(request.GET, references=references_there(dataset))
    judges = JudgesForm(request.GET, dataset=dataset).judges
    context: dict[str, Any] = {
        "dataset": dataset,
        "form": form,
        "judges": judges,
        "simulated": is_simulated(dataset),
        "report": artifacts.probe_of(dataset),
    }
    if form.reference is not None:
        runs = list(latest_runs(dataset))
        found = artifacts.artifacts(dataset, form.reference, judges, runs)
        reference = str(REFERENCES[form.reference])
        names = {predicted(run): run.model.name for run in runs} | {
            artifacts.ALL: reference,
            artifacts.AGREED: _("%(reference)s, where people and calculus agree") % {"reference": reference},
        }
        kept = artifacts_exhibits.kept(found, names)
        if file := exhibit_answer(request, kept, name=f"artifacts-{pk}"):
            return file
        context |= {
            "figure": kept["words-figure"](),
            "rules": kept["rules"](),
            "words": kept["words"](),
            "least": artifacts.LEAST,
        }
    elif "as" in request.GET:
        raise Http404
    return render(request, "dashboard/artifacts.html", context)
