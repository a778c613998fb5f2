"""What a dataset's numbers were made with: calculus, models, campaigns with their instructions, corpora."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db.models import Count
from django.utils.translation import gettext as _

from apps.campaigns.models import Campaign
from apps.comparison.judges import judges_of
from apps.datasets.models import Dataset
from apps.frame.exhibits import Cell, Column, Exhibits, Table
from apps.frame.exhibits.tables import Form
from apps.inference.models import Prediction, Run
from apps.inference.selectors import latest_runs
from apps.releases.provenance import calculus_versions, corpora_of

# As many of a fingerprint's digits as tell weights apart.
_DIGITS = 12


@dataclass(frozen=True)
class Versions:
    """``runs`` are with their numbers of predictions, ``read`` the campaigns whose answers are read."""

    calculus: list[dict[str, Any]]
    runs: list[tuple[Run, int]]
    campaigns: list[Campaign]
    read: tuple[int, ...]
    corpora: list[dict[str, Any]]


def made_by() -> str:
    """The program and its calculus, by their versions: names, the same in every language."""
    import natlog

    return f"Polarlab {settings.POLARLAB_VERSION}, natlog {natlog.VERSION}"


def versions(dataset: Dataset) -> Versions:
    """Eight queries."""
    runs = latest_runs(dataset)
    made = Prediction.objects.filter(run__in=runs).order_by().values_list("run").annotate(Count("pk"))
    predictions = dict(made)
    campaigns = Campaign.objects.filter(dataset=dataset).order_by("pk").prefetch_related("guidelines")
    return Versions(
        calculus=calculus_versions(dataset),
        runs=[(run, predictions.get(run.pk, 0)) for run in runs],
        campaigns=list(campaigns),
        read=judges_of(dataset).numbers,
        corpora=corpora_of(dataset),
    )


def kept(found: Versions) -> Exhibits:
    return {
        "calculus": lambda: _calculus(found),
        "models": lambda: _models(found),
        "campaigns": lambda: _campaigns(found),
        "corpora": lambda: _corpora(found),
    }


def _calculus(found: Versions) -> Table | None:
    if not found.calculus:
        return None
    columns = [
        Column("engine", _("Engine")),
        Column("engine_version", _("Version")),
        Column("convention", _("Convention")),
        Column("parser", _("Parser")),
    ]
    rows = [[Cell(row[column.key]) for column in columns] for row in found.calculus]
    return Table(_("What made the calculus labels"), columns, rows)


def _models(found: Versions) -> Table | None:
    if not found.runs:
        return None
    columns = [
        Column("model", _("Model")),
        Column("kind", _("Kind")),
        Column("fingerprint", _("Weights")),
        Column("predictions", _("Predictions"), Form.COUNT),
        Column("run", _("Run (UTC)")),
    ]
    rows = [
        [
            Cell(run.model.name),
            Cell(str(run.model.get_kind_display())),
            Cell(run.fingerprint[:_DIGITS]),
            Cell(predictions),
            Cell(run.created_at.date().isoformat()),
        ]
        for run, predictions in found.runs
    ]
    return Table(_("Models"), columns, rows)


def _campaigns(found: Versions) -> Table | None:
    if not found.campaigns:
        return None
    columns = [
        Column("campaign", _("Campaign")),
        Column("task", _("Task")),
        Column("state", _("State")),
        Column("annotators", _("Annotators an item"), Form.COUNT),
        Column("instructions", _("Versions of the instructions")),
        Column("read", _("Answers are read")),
    ]
    rows = [
        [
            Cell(one.name, beside=_("simulated") if one.simulated else ""),
            Cell(str(one.get_task_display())),
            Cell(str(one.get_state_display())),
            Cell(one.target),
            Cell(", ".join(str(n) for n in sorted(guide.version for guide in one.guidelines.all()))),
            Cell(_("yes") if one.pk in found.read else _("no")),
        ]
        for one in found.campaigns
    ]
    return Table(_("Campaigns"), columns, rows)


def _corpora(found: Versions) -> Table | None:
    if not found.corpora:
        return None
    columns = [
        Column("corpus", _("Corpus")),
        Column("licence", _("Licence")),
        Column("source", _("Source")),
    ]
    rows = [
        [
            Cell(row["name"], beside=_("simulated") if row["simulated"] else ""),
            Cell(row["licence"]),
            Cell(row["source"]),
        ]
        for row in found.corpora
    ]
    return Table(_("Corpora of the premises"), columns, rows)
