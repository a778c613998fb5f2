"""Filters of the dashboard's lists: all of them stand in the address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.dashboard.changes import Changes
from apps.dashboard.contrasts import AFTER, BEFORE, BOTH, MOVE, MOVED, STAY, STAYED, Chosen
from apps.dashboard.disagreements import CALCULUS_MODELS, PEOPLE, PEOPLE_CALCULUS, PEOPLE_MODELS, Wanted
from apps.dashboard.hard_pairs import PAIR, REFERENCES, SURE, Hard
from apps.dashboard.models import Norm
from apps.dashboard.sides import Side
from apps.datasets.labels import ENTAILMENT, LABEL_NAMES, NON_ENTAILMENT
from apps.datasets.models import Dataset, Direction
from apps.inference.kinds import KINDS, Group
from apps.inference.models import Model, Run

_ANY = ("", _("any"))


class _Numbers(forms.CheckboxSelectMultiple):
    """Boxes on a page, or numbers with commas in an address (``runs=3,5``)."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[str]:
        values = data.getlist(name) if hasattr(data, "getlist") else [data.get(name) or ""]
        return [number for value in values for number in str(value).split(",") if number]


class HardPairsForm(forms.Form):
    """Which hard pairs are listed; what is left open is the first reference there is, all models but
    baselines (those too where there is nothing else), all of them wrong."""

    against = forms.ChoiceField(label=_("Against the labels of"), required=False)
    runs = forms.MultipleChoiceField(
        label=_("Models"),
        required=False,
        widget=_Numbers,
        help_text=_("None ticked: all but baselines."),
    )
    wrong = forms.IntegerField(
        label=_("At least so many wrong"),
        required=False,
        min_value=1,
        max_value=1000,
        help_text=_("Empty: all of them."),
    )
    direction = forms.ChoiceField(
        label=_("Direction"),
        required=False,
        choices=[_ANY, *Direction.choices, ("none", _("none"))],
    )
    label = forms.ChoiceField(
        label=_("Right label"),
        required=False,
        choices=[_ANY, *((label, LABEL_NAMES[label]) for label in (ENTAILMENT, NON_ENTAILMENT))],
    )
    order = forms.ChoiceField(
        label=_("Order"),
        required=False,
        choices=[("", _("by number")), (SURE, _("the surest mistakes first"))],
    )

    def __init__(
        self, data: Any, *, dataset: Dataset, references: Sequence[str], runs: Sequence[Run]
    ) -> None:
        super().__init__(data)
        self.dataset, self.references, self.there = dataset, references, runs
        fields: Any = self.fields
        fields["against"].choices = [(name, REFERENCES[name]) for name in references]
        fields["runs"].choices = [(run.pk, run.model.name) for run in runs]

    @property
    def asked(self) -> Hard | None:
        """What is asked for; None where there is nothing to ask or a filter is refused."""
        if not self.references or not self.there or not self.is_valid():
            return None
        said = self.cleaned_data
        numbers = {int(number) for number in said["runs"]}
        runs = [run for run in self.there if run.pk in numbers] or _models(self.there)
        return Hard(
            dataset=self.dataset,
            runs=runs,
            reference=said["against"] or self.references[0],
            wrong=min(said["wrong"] or len(runs), len(runs)),
            direction=said["direction"],
            label=said["label"],
            order=said["order"] or PAIR,
        )


class DisagreementsForm(forms.Form):
    """Which pairs of the queue are looked at."""

    between = forms.ChoiceField(
        label=_("Who differs"),
        required=False,
        choices=[
            _ANY,
            (PEOPLE_CALCULUS, _("people and the calculus")),
            (PEOPLE_MODELS, _("people and most models")),
            (CALCULUS_MODELS, _("the calculus and most models")),
            (PEOPLE, _("people among themselves")),
        ],
    )
    direction = forms.ChoiceField(
        label=_("Direction"), required=False, choices=[_ANY, *Direction.choices, ("none", _("none"))]
    )
    tag = forms.ChoiceField(label=_("Tag"), required=False)
    run = forms.TypedChoiceField(label=_("Model"), required=False, coerce=int, empty_value=None)
    open = forms.BooleanField(label=_("Only those not sent, flagged or decided"), required=False)

    def __init__(self, data: Any, *, tags: Sequence[str], runs: Sequence[Run]) -> None:
        super().__init__(data)
        fields: Any = self.fields
        fields["tag"].choices = [_ANY, *((name, name) for name in tags)]
        fields["run"].choices = [_ANY, *((run.pk, run.model.name) for run in runs)]

    @property
    def chosen(self) -> Wanted:
        """The filters; none where one is refused."""
        if not self.is_valid():
            return Wanted()
        return Wanted(**self.cleaned_data)


class ReferenceForm(forms.Form):
    """Whose labels; what is left open is the first reference there is."""

    against = forms.ChoiceField(label=_("The labels of"), required=False)

    def __init__(self, data: Any, *, references: Sequence[str]) -> None:
        super().__init__(data)
        self.references = references
        fields: Any = self.fields
        fields["against"].choices = [(name, REFERENCES[name]) for name in references]

    @property
    def reference(self) -> str | None:
        """None where there is no label."""
        chosen = self.cleaned_data["against"] if self.is_valid() else ""
        return chosen or next(iter(self.references), None)


class BreakdownForm(forms.Form):
    """What is broken down by what; what is left open is the direction, the first reference there is, each
    model's newest run, and no two of them held against each other."""

    by = forms.ChoiceField(label=_("By"), required=False)
    against = forms.ChoiceField(label=_("Against the labels of"), required=False)
    one = forms.TypedChoiceField(label=_("Δ from"), required=False, coerce=int, empty_value=None)
    two = forms.TypedChoiceField(label=_("Δ to"), required=False, coerce=int, empty_value=None)
    norm = forms.TypedChoiceField(label=_("Outside norm"), required=False, coerce=int, empty_value=None)

    def __init__(
        self,
        data: Any,
        *,
        ways: Mapping[str, Any],
        references: Sequence[str],
        runs: Sequence[Run],
        norms: Sequence[Norm],
    ) -> None:
        super().__init__(data)
        self.ways, self.references, self.runs = ways, references, {run.pk: run for run in runs}
        fields: Any = self.fields
        fields["by"].choices = list(ways.items())
        fields["against"].choices = [(name, REFERENCES[name]) for name in references]
        fields["norm"].choices = [("", "–"), *((norm.pk, norm.name) for norm in norms)]
        for name in ("one", "two"):
            fields[name].choices = [("", "–"), *((run.pk, run.model.name) for run in runs)]

    def clean(self) -> dict[str, Any]:
        said: dict[str, Any] = self.cleaned_data
        if (said.get("one") is None) != (said.get("two") is None) or (
            said.get("one") is not None and said["one"] == said["two"]
        ):
            self.add_error("two", _("Choose two models, or none."))
        return said

    def said(self, name: str) -> Any:
        return self.cleaned_data.get(name) if self.is_valid() else None

    @property
    def by_what(self) -> str:
        return self.said("by") or next(iter(self.ways))

    @property
    def reference(self) -> str | None:
        """None where there is no label to hold anything against."""
        return self.said("against") or next(iter(self.references), None)

    @property
    def pair(self) -> tuple[Run, Run] | None:
        """The two runs whose difference is asked for."""
        one, two = self.said("one"), self.said("two")
        return (self.runs[one], self.runs[two]) if one is not None and two is not None else None


class SidesForm(forms.Form):
    """Which two sides are held against each other, and which of the pairs that changed are listed."""

    one = forms.ChoiceField(label=_("The first side"), required=False)
    two = forms.ChoiceField(label=_("The second side"), required=False)
    first = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput)
    second = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput)
    direction = forms.ChoiceField(
        label=_("Direction"), required=False, choices=[_ANY, *Direction.choices, ("none", _("none"))]
    )

    def __init__(self, data: Any, *, sides: Sequence[Side]) -> None:
        super().__init__(data)
        self.sides = {side.key: side for side in sides}
        groups: dict[str, list[tuple[str, str]]] = {}
        for side in sides:
            groups.setdefault(side.group, []).append((side.key, side.title))
        fields: Any = self.fields
        for name in ("one", "two"):
            fields[name].choices = [("", "–"), *groups.items()]

    def clean(self) -> dict[str, Any]:
        said: dict[str, Any] = self.cleaned_data
        if said.get("one") and said.get("one") == said.get("two"):
            self.add_error("two", _("Choose another: these are the same."))
        return said

    @property
    def chosen(self) -> tuple[Side, Side] | None:
        """Both sides; None until there are two."""
        if not self.is_valid() or not (self.cleaned_data["one"] and self.cleaned_data["two"]):
            return None
        return self.sides[self.cleaned_data["one"]], self.sides[self.cleaned_data["two"]]

    def listed(self, found: Changes) -> list[int]:
        """The numbers of the pairs that are listed."""
        said = self.cleaned_data
        place = None if not said["direction"] else said["direction"].replace("none", "")
        return found.chosen(said["first"], said["second"], place)


def _models(runs: Sequence[Run]) -> list[Run]:
    """All but baselines, where there is anything else: two of them that always say different labels are never
    both wrong."""
    baselines = {kind for kind, offer in KINDS.items() if offer.group is Group.BASELINES}
    return [run for run in runs if run.model.kind not in baselines] or list(runs)


class ContrastFilters(forms.Form):
    """Which contrasts are counted and listed."""

    contrast = forms.ChoiceField(label=_("Contrast"), required=False)
    model = forms.TypedChoiceField(label=_("Model"), required=False, coerce=int, empty_value=None)
    should = forms.ChoiceField(
        label=_("The calculus' label"),
        required=False,
        choices=[_ANY, (MOVE, _("changes")), (STAY, _("stays"))],
    )
    did = forms.ChoiceField(
        label=_("The prediction"),
        required=False,
        choices=[_ANY, (MOVED, _("moves")), (STAYED, _("stays"))],
    )
    right = forms.ChoiceField(
        label=_("Right"),
        required=False,
        choices=[_ANY, (BEFORE, _("before")), (AFTER, _("after")), (BOTH, _("before and after"))],
    )

    def __init__(self, data: Any, *, contrasts: Sequence[str], models: Sequence[Model]) -> None:
        super().__init__(data)
        fields: Any = self.fields
        fields["contrast"].choices = [_ANY, *((name, name) for name in contrasts)]
        fields["model"].choices = [_ANY, *((model.pk, model.name) for model in models)]

    def clean(self) -> dict[str, Any]:
        said: dict[str, Any] = self.cleaned_data
        if (said.get("did") or said.get("right")) and said.get("model") is None:
            self.add_error("model", _("Choose the model of which this is asked."))
        return said

    @property
    def chosen(self) -> Chosen:
        """The filters; none where one is refused."""
        return Chosen(**self.cleaned_data) if self.is_valid() else Chosen()
