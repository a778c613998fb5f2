"""Looking through pairs: the filters of the pairs' page, each an allow-list.

The dashboard's cells link here, so a cell and its list are one and the same query.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import Exists, F, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from apps.datasets.comparison import (
    COMPARED_LABELS,
    HUMAN_ANSWERS,
    LABEL_NAMES,
    NO_MAJORITY,
    TIE,
    ComparedPairs,
    compared,
    predicted,
)
from apps.datasets.models import (
    CONTRADICTION,
    ENTAILMENT,
    NON_ENTAILMENT,
    Dataset,
    Direction,
    GoldRule,
    Pair,
    Tag,
)
from apps.datasets.releasing.rules import NO_GOLD, Options, golden, options_of
from apps.inference.models import Run

ANY = ("", _("any"))
# As an origin: everything that somebody wrote or brought.
NO_TWINS = "no-twins"
ORIGINS = [ANY, (NO_TWINS, _("all but swapped twins")), *Pair.Origin.choices]
AGREE, DIFFER, UNDECIDED = "agree", "differ", "undecided"


def _names(labels: tuple[str, ...]) -> list[tuple[str, Any]]:
    return [ANY, *((label, LABEL_NAMES[label]) for label in labels)]


class PairFilters(forms.Form):
    """Choices for one dataset. What is not on a list is refused by name and filters nothing."""

    direction = forms.ChoiceField(label=_("Direction"), required=False)
    agreement = forms.ChoiceField(
        label=_("People and calculus"),
        required=False,
        choices=[
            ANY,
            (AGREE, _("agree")),
            (DIFFER, _("differ")),
            (UNDECIDED, _("people undecided: to adjudicate")),
        ],
    )
    human = forms.ChoiceField(label=_("People say"), required=False, choices=_names(HUMAN_ANSWERS))
    calculus = forms.ChoiceField(label=_("Calculus says"), required=False, choices=_names(COMPARED_LABELS))
    file_label = forms.ChoiceField(label=_("File says"), required=False, choices=_names(COMPARED_LABELS))
    run = forms.ModelChoiceField(
        label=_("Model"), required=False, queryset=Run.objects.none(), empty_label=_("any")
    )
    predicted = forms.ChoiceField(label=_("Model says"), required=False, choices=_names(COMPARED_LABELS))
    judgements = forms.IntegerField(label=_("Judgements"), required=False, min_value=0, max_value=1000)
    # Not "matches": a form's fields hide the element's own methods of that name from scripts.
    matching = forms.IntegerField(label=_("That match"), required=False, min_value=0, max_value=1000)
    gold_rule = forms.ModelChoiceField(
        label=_("Gold rule"), required=False, queryset=GoldRule.objects.none(), empty_label=_("any")
    )
    gold = forms.ChoiceField(
        label=_("Rule says"),
        required=False,
        choices=[*_names((ENTAILMENT, NON_ENTAILMENT, CONTRADICTION)), ("none", _("no gold label"))],
    )
    origin = forms.ChoiceField(label=_("Origin"), required=False, choices=ORIGINS)
    tag = forms.ChoiceField(label=_("Tag"), required=False)
    genre = forms.CharField(label=_("Genre contains"), required=False, max_length=200)
    text = forms.CharField(label=_("Text contains"), required=False, max_length=200)

    def __init__(self, data: Any, *, dataset: Dataset) -> None:
        super().__init__(data)
        self.dataset = dataset
        fields: Any = self.fields
        fields["direction"].choices = [ANY, *Direction.choices, ("none", _("none"))]
        fields["run"].queryset = Run.objects.filter(dataset=dataset).select_related("model", "dataset")
        fields["run"].label_from_instance = lambda run: f"{run.model.name} ({run.created_at:%Y-%m-%d %H:%M})"
        # Probabilities are computed for pairs that were read, not by the database.
        rules = GoldRule.objects.filter(study=dataset.study_id).exclude(kind=GoldRule.Kind.POSTERIOR)
        fields["gold_rule"].queryset = rules
        names = Tag.objects.filter(pair__dataset=dataset).order_by("name").values_list("name", flat=True)
        fields["tag"].choices = [ANY, *((name, name) for name in names.distinct())]

    def apply(self) -> ComparedPairs:
        """The dataset's pairs that pass; all of them where a filter is refused."""
        if not self.is_valid():
            return compared(self.dataset.pairs.all())
        chosen = self.cleaned_data
        pairs = self.dataset.pairs.all()
        if chosen["origin"] == NO_TWINS:
            pairs = pairs.exclude(origin=Pair.Origin.SWAP)
        elif chosen["origin"]:
            pairs = pairs.filter(origin=chosen["origin"])
        if chosen["genre"]:
            pairs = pairs.filter(genre__icontains=chosen["genre"])
        if chosen["tag"]:
            pairs = pairs.filter(Exists(Tag.objects.filter(pair=OuterRef("pk"), name=chosen["tag"])))
        if chosen["text"]:
            in_premises = Pair.objects.filter(pk=OuterRef("pk"), premises__text__icontains=chosen["text"])
            pairs = pairs.filter(Q(hypothesis__icontains=chosen["text"]) | Exists(in_premises))
        run = chosen["run"]
        found = compared(pairs, [run] if run else [])
        if chosen["direction"]:
            found = found.filter(place="" if chosen["direction"] == "none" else chosen["direction"])
        for name in ("human", "calculus", "file_label", "judgements"):
            if chosen[name] not in ("", None):
                found = found.filter(**{name: chosen[name]})
        if chosen["matching"] is not None:
            found = found.filter(matches=chosen["matching"])
        if run and chosen["predicted"]:
            found = found.filter(**{predicted(run): chosen["predicted"]})
        if chosen["gold_rule"] and chosen["gold"]:
            found = golden(found, Options.of(options_of(chosen["gold_rule"])))
            found = found.filter(gold=NO_GOLD if chosen["gold"] == "none" else chosen["gold"])
        return self._agreement(found, chosen["agreement"])

    @staticmethod
    def _agreement(found: ComparedPairs, wanted: str) -> ComparedPairs:
        if wanted == AGREE:
            return found.filter(human=F("calculus"))
        if wanted == DIFFER:
            labels = [ENTAILMENT, NON_ENTAILMENT]
            return found.filter(human__in=labels, calculus__in=labels).exclude(human=F("calculus"))
        if wanted == UNDECIDED:
            return found.filter(human__in=[TIE, NO_MAJORITY], adjudicated="none")
        return found
