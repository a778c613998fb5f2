"""The chapters of a report: what each reads once, and how it tells that in a reader's language.

Each is a page of the study. It takes all of the page's exhibits, and says in sentences what the page does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, override

from apps.campaigns.models import Campaign
from apps.comparison.judges import Judges, is_simulated, judges_of
from apps.comparison.pairs import predicted
from apps.dashboard import (
    agreement_exhibits,
    artifacts,
    artifacts_exhibits,
    breakdown,
    breakdown_exhibits,
    comparison_exhibits,
    composition,
    composition_exhibits,
    counted,
    soft_exhibits,
    tables,
)
from apps.dashboard.addresses import BreakdownAddresses, CompositionAddresses, WordAddresses
from apps.dashboard.choices import choices, latest, references
from apps.dashboard.hard_pairs import REFERENCES
from apps.dashboard.kept import Counted
from apps.dashboard.report import versions, words
from apps.dashboard.report.document import Told, written
from apps.datasets.models import Dataset
from apps.frame.clock import database_now
from apps.inference.selectors import latest_runs
from apps.quality import people_exhibits, reliability
from apps.studies import glance, glance_exhibits
from apps.studies.access import within
from apps.studies.models import Study

#: A report of a study has so many datasets at most; each has one of its own.
MOST = 20

Beat = Callable[[], None]


@dataclass(frozen=True)
class Reading:
    """What was read as of a time; ``tell`` says it in the language that is active. ``title`` is that of a
    chapter of its own, where a page is read more than once."""

    as_of: datetime
    tell: Callable[[], Told]
    title: Callable[[], str] | None = None


@dataclass(frozen=True)
class Page:
    """``read`` is given its study or dataset, and a sign of life to give between two steps that take long."""

    name: str
    title: Any
    read: Callable[[Any, Beat], list[Reading]]


def parts_of(study: Study, dataset: Dataset | None = None) -> list[list[Any]]:
    """What a report is made of: the names of pages, each with the number of its dataset, if it is one's."""
    pairs = within(Dataset, study).filter(kind=Dataset.Kind.PAIRS)
    chosen = [dataset] if dataset else list(pairs.filter(archived_at=None).order_by("name")[:MOST])
    of_study = [] if dataset else [[page.name, None] for page in OF_STUDY]
    return of_study + [[page.name, one.pk] for one in chosen for page in OF_DATASET]


def part_written(study: Study, name: str, pk: int | None, beat: Beat) -> dict[str, list[dict[str, Any]]]:
    """The chapters of a page, by language; none of a dataset that is not there any more."""
    dataset = None
    if pk is not None:
        dataset = within(Dataset, study).select_related("study").filter(pk=pk).first()
        if dataset is None:
            return {}
    page = next(page for page in (*OF_STUDY, *OF_DATASET) if page.name == name)
    readings = page.read(dataset or study, beat)
    chapters: dict[str, list[dict[str, Any]]] = {}
    for language, _name in settings.LANGUAGES:
        with override(language):
            chapters[language] = [
                written(
                    reading.tell(),
                    name=f"{name}-{pk or 0}-{number}",
                    title=reading.title() if reading.title else str(page.title),
                    group=dataset.name if dataset else "",
                    as_of=reading.as_of.isoformat(timespec="seconds"),
                )
                for number, reading in enumerate(readings)
            ]
        beat()
    return chapters


def _as_of(kept: Counted[Any]) -> datetime:
    """When it was counted; where that isn't kept, now."""
    return kept.found.as_of or database_now()


def _nothing(text: Callable[[], str]) -> list[Reading]:
    return [Reading(database_now(), lambda: Told([text()]))]


def _address(name: str, dataset: Dataset) -> str:
    return reverse(f"dashboard:{name}", args=[dataset.study.slug, dataset.pk])


def _read_in(judges: Judges) -> list[str]:
    """In which campaigns answers are read, in sentences."""
    if not judges.campaigns:
        return []
    names = ", ".join(campaign.name for campaign in judges.campaigns)
    said = [_("Answers are read in: %(campaigns)s.") % {"campaigns": names}]
    if judges.halved:
        said.append(str(words.HALVED))
    return said


# ---- Of the study ----------------------------------------------------------------------------------


def _glance(study: Study, _beat: Beat) -> list[Reading]:
    def tell() -> Told:  # problems are said in words as they are found, so in each language again
        found = glance.glance(study, wait=True)
        said = [] if found.campaigns else [_("There is no campaign yet.")]
        page = reverse("studies:overview", args=[study.slug])
        return Told(said, glance_exhibits.kept(found), without={"days"}, page=page)

    return [Reading(database_now(), tell)]


# ---- Of a dataset ----------------------------------------------------------------------------------


def _composition(dataset: Dataset, _beat: Beat) -> list[Reading]:
    judges = judges_of(dataset)
    for labels in composition.LABEL_SOURCES:
        kept = counted.composed(dataset, judges, labels=labels, twins=False, wait=True)
        if kept.value and kept.value.total:
            return [_composed(dataset, labels, kept, judges)]
    return _nothing(lambda: _("No pair has a label yet."))


def _composed(
    dataset: Dataset, labels: str, kept: Counted[composition.Composition], judges: Judges
) -> Reading:
    found, simulated = kept.there, is_simulated(dataset)
    addresses = CompositionAddresses(dataset, judges, found)

    def tell() -> Told:
        said = [str(words.COMPOSITION)]
        if labels in REFERENCES:
            said.append(_("Labels of: %(whose)s.") % {"whose": REFERENCES[labels]})
        if found.unlabelled:
            text = ngettext(
                "%(n)s pair has no label of this source and is not counted.",
                "%(n)s pairs have no label of this source and are not counted.",
                found.unlabelled,
            )
            said.append(text % {"n": found.unlabelled})
        if simulated:
            said.append(_("Answers of this dataset are simulated."))
        return Told(said, composition_exhibits.kept(found, addresses), page=_address("composition", dataset))

    return Reading(_as_of(kept), tell)


def _agreement(dataset: Dataset, _beat: Beat) -> list[Reading]:
    judges = judges_of(dataset)
    kept = counted.report(dataset, judges, wait=True) if judges.campaigns else None
    if kept is None or kept.value is None:
        return _nothing(lambda: str(words.NOTHING_AGREED))
    found = kept.value

    def tell() -> Told:
        said = _read_in(judges)
        if skewed := agreement_exhibits.why_low(found.whole):
            said.append(skewed)
        said.append(str(words.AGREEMENT))
        exhibits = agreement_exhibits.Exhibits(dataset, judges, found).kept()
        return Told(said, exhibits, page=_address("agreement", dataset))

    return [Reading(_as_of(kept), tell)]


def _comparison(dataset: Dataset, _beat: Beat) -> list[Reading]:
    judges, runs = judges_of(dataset), latest_runs(dataset)
    kept = counted.comparison(dataset, judges, runs, {}, wait=True)
    if kept.value is None or not kept.value[0].total:
        return _nothing(lambda: _("This dataset has no pairs yet."))
    found, _sure = kept.value

    def tell() -> Told:
        numbers = {"total": found.total, "judged": found.judged, "labelled": found.labelled}
        text = ngettext(
            "%(total)s pair, %(judged)s judged, %(labelled)s labelled by the calculus.",
            "%(total)s pairs, %(judged)s judged, %(labelled)s labelled by the calculus.",
            found.total,
        )
        said = [text % numbers, *_read_in(judges)]
        if not runs:
            said.append(_("No model has predicted these pairs yet."))
        said.append(str(words.COMPARISON))
        reference = tables.usual_reference(tables.sources(found))
        page = f"{reverse('dashboard:home', args=[dataset.study.slug])}?dataset={dataset.pk}"
        return Told(said, comparison_exhibits.kept(found, reference), page=page)

    return [Reading(_as_of(kept), tell)]


def _breakdown(dataset: Dataset, beat: Beat) -> list[Reading]:
    """A chapter for each way to break the dataset down that tells pairs apart."""
    offered = choices(dataset)
    there = references(dataset, offered)
    if not there:
        return []
    judges, runs = judges_of(dataset), latest(offered)
    models = {predicted(run): run.model.name for run in runs}
    numbers = {predicted(run): run.pk for run in runs}
    readings = []
    for by, title in breakdown.ways_with(offered.facts).items():
        kept = counted.broken_down(dataset, by, there[0], judges, runs, None, wait=True)
        beat()
        if len(kept.there.lines) > 2:  # one value alone is all pairs again
            addresses = BreakdownAddresses(dataset, judges, by, there[0], offered.tags, numbers)
            readings.append(_broken_down(kept, title, models, addresses))
    return readings


def _broken_down(
    kept: Counted[breakdown.Breakdown], title: Any, models: dict[str, str], addresses: BreakdownAddresses
) -> Reading:
    found = kept.there

    def tell() -> Told:
        said = [str(words.BREAKDOWN), *_read_in(addresses.judges)]
        names = breakdown_exhibits.judge_names(found, models)
        whose = str(REFERENCES[found.reference])
        exhibits = breakdown_exhibits.Exhibits(found, names, str(title), whose, addresses)
        page = f"{_address('breakdown', addresses.dataset)}?by={found.by}"
        return Told(said, exhibits.kept(), without={"each"}, page=page)

    return Reading(_as_of(kept), tell, lambda: _("Broken down by %(by)s") % {"by": title})


def _soft(dataset: Dataset, _beat: Beat) -> list[Reading]:
    judges = judges_of(dataset)
    kept = counted.foresight(dataset, judges, latest(choices(dataset)), wait=True)
    found = kept.there
    if not found:
        return _nothing(lambda: str(words.NOTHING_SOFT))

    def address(run: int) -> str:
        return reverse("models:run", args=[dataset.study.slug, run])

    def tell() -> Told:
        said = _read_in(judges)
        if len(found) < 2:
            said.append(_("No model has predicted these pairs with probabilities yet."))
        said.append(str(words.SOFT))
        return Told(said, soft_exhibits.kept(found, address), page=_address("soft", dataset))

    return [Reading(_as_of(kept), tell)]


def _artifacts(dataset: Dataset, _beat: Beat) -> list[Reading]:
    offered = choices(dataset)
    there = references(dataset, offered)
    if not there:
        return _nothing(lambda: str(words.NOTHING_TO_MEASURE))
    judges, runs = judges_of(dataset), latest(offered)
    kept = counted.given_away(dataset, there[0], judges, runs, wait=True)
    found = kept.there

    def tell() -> Told:
        said = [str(words.ARTIFACTS) % {"least": artifacts.LEAST}]
        if not found.words:
            said.insert(0, str(words.NO_WORD) % {"least": artifacts.LEAST})
        names = artifacts_exhibits.source_names(there[0], runs)
        exhibits = artifacts_exhibits.kept(found, names, WordAddresses(dataset, judges, there[0]))
        return Told(said, exhibits, page=_address("artifacts", dataset))

    return [Reading(_as_of(kept), tell)]


def _annotators(dataset: Dataset, beat: Beat) -> list[Reading]:
    """A chapter for each campaign of the dataset in which somebody has worked."""
    readings = []
    for campaign in within(Campaign, dataset.study).filter(dataset=dataset).order_by("pk"):
        everybody, found = reliability.people_of(campaign, wait=True)
        people = [one for one in everybody if one.has_worked]
        beat()
        if people:
            as_of = found.as_of or database_now()
            readings.append(
                Reading(as_of, partial(_people, campaign, people), partial(_people_title, campaign))
            )
    return readings


def _people_title(campaign: Campaign) -> str:
    return _("Annotators of “%(campaign)s”") % {"campaign": campaign.name}


def _people(campaign: Campaign, people: list[reliability.Person]) -> Told:
    said = [_("Annotators are named by pseudonyms.")]
    judges = campaign.task != Campaign.Task.CREATION
    if judges:
        said.append(str(words.ANNOTATORS))
    if campaign.simulated:
        said.append(_("This campaign is simulated."))
    page = reverse("quality:people", args=[campaign.study.slug, campaign.pk])
    return Told(said, people_exhibits.kept(people, judges=judges), page=page)


def _versions(dataset: Dataset, _beat: Beat) -> list[Reading]:
    found, now = versions.versions(dataset), database_now()

    def tell() -> Told:
        said = {"program": versions.made_by(), "day": date_format(now, "DATE_FORMAT")}
        return Told([_("Made by %(program)s on %(day)s.") % said], versions.kept(found))

    return [Reading(now, tell)]


OF_STUDY = (Page("glance", gettext_lazy("The study at a glance"), _glance),)
OF_DATASET = (
    Page("composition", gettext_lazy("Composition"), _composition),
    Page("agreement", gettext_lazy("Agreement"), _agreement),
    Page("comparison", gettext_lazy("People, calculus and models"), _comparison),
    Page("breakdown", gettext_lazy("Broken down"), _breakdown),
    Page("soft", gettext_lazy("Models and people's soft labels"), _soft),
    Page("artifacts", gettext_lazy("Artifacts"), _artifacts),
    Page("annotators", gettext_lazy("Annotators"), _annotators),
    Page("versions", gettext_lazy("Versions and sources"), _versions),
)
