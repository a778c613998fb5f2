"""Looking through pairs: the filters of the pairs' page, each an allow-list.

The dashboard's cells link here, so a cell and its list are one and the same query.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apps.comparison.campaign_choice import Boxes, CampaignsField
from apps.comparison.judges import judges_of
from apps.comparison.pairs import (
    COMPARED_LABELS,
    HUMAN_ANSWERS,
    ComparedPairs,
    compared,
    labelled,
)
from apps.curation import choices, conditions
from apps.curation.choices import AGREEMENT, ANY, LABELLERS, ORIGINS, YES_OR_NO, names
from apps.curation.conditions import BETWEEN, DEEPEST, NOT_READ, OTHER_MODEL
from apps.curation.model_filters import (
    MODELS,
    SAYING,
    runs_of,
    runs_offer,
    runs_read,
    said_by_models,
)
from apps.datasets.labels import STORED_LABELS, UNNATURAL
from apps.datasets.models import Dataset, Direction
from apps.datasets.selectors import contents_of, tag_is_there
from apps.datasets.sureness import ASSUMED, NOT_ASSUMED, NOT_KNOWN, Sureness, sureness
from apps.datasets.words import Wanted, wanted
from apps.inference.models import Run
from apps.jobs.models import Job
from apps.releases import rule_outcomes
from apps.releases.gold_rules import PROBABLE
from apps.releases.models import GoldRule
from natlog.lexicon.operators import load_operators
from natlog.tokens import words_of

# Filters on the labels that a pair has; and on what people say of it.
OF_LABELS = (
    "direction", "between", "alike", "calculus", "file_label", "adjudicated", "predicted", "labelled",
    "other_predicted", *SAYING,
)  # fmt: skip
OF_ANSWERS = (
    "agreement", "human", "judgements", "judgements_from", "matching", "agree_from", "agree_to", "gold",
)  # fmt: skip
#: Of a word of a hypothesis.
LONGEST_WORD = 100
_VERB = re.compile(r"[^\W_]+(-[^\W_]+)*")


def _is_set(name: str, value: Any) -> bool:
    return value not in ("", None, [], ()) and (name, value) != ("calculus", NOT_READ)


def _reads_answers(chosen: dict[str, Any]) -> bool:
    compares = (*BETWEEN.get(chosen["between"], ()), *BETWEEN.get(chosen["alike"], ()), *chosen["labelled"])
    is_of_people = conditions.HUMAN in compares
    return is_of_people or any(_is_set(name, chosen[name]) for name in OF_ANSWERS)


class PairFilters(forms.Form):
    """Choices for one dataset. What is not on a list is refused by name and filters nothing."""

    direction = forms.ChoiceField(label=_("Direction"), required=False)
    agreement = forms.ChoiceField(label=_("People and calculus"), required=False, choices=AGREEMENT)
    between = forms.ChoiceField(label=_("Disagreement"), required=False, choices=choices.BETWEEN)
    alike = forms.ChoiceField(label=_("The same label"), required=False, choices=choices.BETWEEN)
    human = forms.ChoiceField(label=_("People say"), required=False, choices=names(HUMAN_ANSWERS))
    calculus = forms.ChoiceField(
        label=_("Calculus says"),
        required=False,
        choices=[*names(COMPARED_LABELS), (NOT_READ, _("not read"))],
    )
    sure_from = forms.FloatField(
        label=_("Calculus sure, from"),
        required=False,
        min_value=0,
        max_value=1,
        widget=forms.NumberInput(attrs={"step": "0.05"}),
    )
    sure_below = forms.FloatField(
        label=_("Calculus sure, below"),
        required=False,
        min_value=0,
        max_value=1,
        widget=forms.NumberInput(attrs={"step": "0.05"}),
    )
    assumed = forms.ChoiceField(
        label=_("Rests on the assumption"),
        required=False,
        choices=[ANY, (ASSUMED, _("yes")), (NOT_ASSUMED, _("no")), (NOT_KNOWN, _("not known"))],
    )
    file_label = forms.ChoiceField(label=_("File says"), required=False, choices=names(COMPARED_LABELS))
    adjudicated = forms.ChoiceField(
        label=_("Adjudicated as"), required=False, choices=names((*COMPARED_LABELS, UNNATURAL))
    )
    labelled = forms.MultipleChoiceField(
        label=_("Have a label of"),
        required=False,
        widget=Boxes,
        choices=LABELLERS,
        help_text=_("Entailment or non-entailment, of all that are ticked."),
    )
    run = forms.ModelChoiceField(
        label=_("Model"), required=False, queryset=Run.objects.none(), empty_label=_("any")
    )
    predicted = forms.ChoiceField(label=_("Model says"), required=False, choices=names(COMPARED_LABELS))
    other_run = forms.ModelChoiceField(
        label=_("Other model"), required=False, queryset=Run.objects.none(), empty_label=_("any")
    )
    other_predicted = forms.ChoiceField(
        label=_("Other model says"), required=False, choices=names(COMPARED_LABELS)
    )
    say_entailment = forms.ModelMultipleChoiceField(
        label=_("All of these models say entailment"),
        required=False,
        queryset=Run.objects.none(),
        widget=Boxes,
    )
    say_non_entailment = forms.ModelMultipleChoiceField(
        label=_("All of these models say non-entailment"),
        required=False,
        queryset=Run.objects.none(),
        widget=Boxes,
    )
    judgements = forms.IntegerField(label=_("Judgements"), required=False, min_value=0, max_value=1000)
    judgements_from = forms.IntegerField(
        label=_("Judgements, at least"), required=False, min_value=0, max_value=1000
    )
    # Not "matches": a form's fields hide the element's own methods of that name from scripts.
    matching = forms.IntegerField(label=_("That match"), required=False, min_value=0, max_value=1000)
    agree_from = forms.IntegerField(label=_("Agree, from %"), required=False, min_value=0, max_value=100)
    agree_to = forms.IntegerField(label=_("Agree, to %"), required=False, min_value=0, max_value=100)
    gold_rule = forms.ModelChoiceField(
        label=_("Gold rule"), required=False, queryset=GoldRule.objects.none(), empty_label=_("any")
    )
    gold = forms.ChoiceField(
        label=_("Rule says"),
        required=False,
        choices=[*names(STORED_LABELS), ("none", _("no gold label"))],
    )
    origin = forms.ChoiceField(label=_("Origin"), required=False, choices=ORIGINS)
    tag = forms.ChoiceField(label=_("Tag"), required=False)
    without_tag = forms.ChoiceField(label=_("Without the tag"), required=False)
    genre = forms.CharField(
        label=_("Genre contains"), required=False, max_length=202, help_text=_("In quotes: is exactly.")
    )
    fact = forms.CharField(
        label=_("Has the fact"),
        required=False,
        max_length=200,
        help_text=_("Its name, as the file or the testbed has it, such as cell or verb."),
    )
    fact_is = forms.CharField(
        label=_("The fact is"), required=False, max_length=502, help_text=_("Empty: whatever it is.")
    )
    operator = forms.ChoiceField(label=_("Operator"), required=False)
    verb = forms.CharField(label=_("Main verb (lemma)"), required=False, max_length=60)
    shared = forms.ChoiceField(
        label=_("Same operator in premise and hypothesis"), required=False, choices=YES_OR_NO
    )
    replaced = forms.ChoiceField(
        label=_("What was changed is in its argument"), required=False, choices=YES_OR_NO
    )
    corrected = forms.ChoiceField(label=_("Corrected by hand"), required=False, choices=YES_OR_NO)
    depth = forms.TypedChoiceField(
        label=_("Depth"),
        required=False,
        empty_value=None,
        coerce=int,
        choices=[ANY, *((n, str(n)) for n in range(DEEPEST)), (DEEPEST, _("5 or more"))],
    )
    text = forms.CharField(label=_("Words"), required=False, max_length=200)
    hypothesis_word = forms.CharField(
        label=_("Word of the hypothesis"),
        required=False,
        max_length=LONGEST_WORD,
        help_text=_("One, as artifacts count words: “isn't” is “is” and “n't”."),
    )
    campaigns = CampaignsField()

    def __init__(self, data: Any, *, dataset: Dataset, tags: Iterable[str] = (), shown: bool = True) -> None:
        """``tags`` are on the list too, whether a pair has them or not. Where the form isn't ``shown``, only
        they and the tag that is asked for are on it."""
        super().__init__(data)
        self.dataset = dataset
        # The chosen rule where it is one of probabilities, and the job that last worked it out here.
        self.probable_rule: GoldRule | None = None
        self.worked_out: Job | None = None
        fields: Any = self.fields
        self.judges = judges_of(dataset)
        fields["campaigns"].offer(self.judges)
        fields["direction"].choices = [ANY, *Direction.choices, ("none", _("none"))]
        runs_offer(fields, dataset)
        fields["gold_rule"].queryset = GoldRule.objects.filter(study=dataset.study_id)
        self.contents = contents_of(dataset) if shown else None
        there = self.contents.tags if self.contents else []
        known = {*there, *tags}
        for field in ("tag", "without_tag"):
            asked: Any = self.data.get(field)
            extra = {asked} if asked and asked not in known and self._is_tag(asked, there) else {}
            fields[field].choices = [ANY, *((name, name) for name in sorted({*known, *extra}))]
        fields["operator"].choices = [ANY, *((name, name) for name in sorted(load_operators().by_id))]

    def _is_tag(self, asked: str, there: Iterable[str]) -> bool:
        """Whether it is a tag's name in another case, or newer than the list."""
        folded = asked.casefold()
        return any(name.casefold() == folded for name in there) or tag_is_there(self.dataset, asked)

    @property
    def said(self) -> dict[str, str]:
        """The filters that are set, as they were sent; of several campaigns, the numbers with commas."""
        sent: Any = self.data
        found = {name: ",".join(filter(None, sent.getlist(name))) for name in self.fields}
        return {name: value for name, value in found.items() if value}

    @property
    def address(self) -> str:
        """The query of the page that lists these pairs."""
        return urlencode(self.said)

    def address_but(self, *, sure_from: float) -> str:
        """The query of the page with these filters, and another confidence."""
        others = {name: value for name, value in self.said.items() if not name.startswith("sure_")}
        return urlencode({**others, "sure_from": sure_from})

    def clean_text(self) -> Wanted:
        """All the words, in any order; see :func:`apps.datasets.words.wanted`."""
        found = wanted(self.cleaned_data["text"])
        if self.cleaned_data["text"].strip() and not found:
            raise forms.ValidationError(_("There is no word in this."))
        return found

    def clean_hypothesis_word(self) -> str:
        text: str = self.cleaned_data["hypothesis_word"]
        words = words_of(text)
        if text and len(words) != 1:
            raise forms.ValidationError(_("One word."))
        return words[0] if words else ""

    def clean_verb(self) -> str:
        verb: str = self.cleaned_data["verb"].strip().lower()
        if verb and not _VERB.fullmatch(verb):
            raise forms.ValidationError(_("One verb, in its base form."))
        return verb

    def clean(self) -> dict[str, Any]:
        chosen: dict[str, Any] = self.cleaned_data
        chosen |= {field: tuple(chosen.get(field, ())) for field in SAYING}
        self.judges = self.judges.narrowed(chosen.get("campaigns", ()))
        if chosen.get("fact_is") and not chosen.get("fact"):
            self.add_error("fact", gettext("Name the fact whose value this is."))
        compared = [*BETWEEN.get(chosen.get("between", ""), ()), *BETWEEN.get(chosen.get("alike", ""), ())]
        named = {*compared, *chosen.get("labelled", ())}
        if chosen.get("other_predicted"):
            named.add(OTHER_MODEL)
        for model, field in MODELS.items():
            if model in named and not chosen.get(field):
                self.add_error(field, gettext("Choose the model."))
        rule = chosen.get("gold_rule")
        if rule and rule.kind in PROBABLE:
            self.probable_rule = rule
            self.worked_out = rule_outcomes.last_done(self.dataset, rule)
            if chosen.get("gold") and not self.judges.is_usual:
                self.add_error(
                    "campaigns",
                    gettext("Rules of probabilities are worked out over the usual campaigns alone."),
                )
            elif chosen.get("gold") and not self.worked_out:
                self.add_error(
                    "gold_rule",
                    gettext("This rule's probabilities have not been worked out here; see below."),
                )
        return chosen

    @property
    def reads_answers(self) -> bool:
        """Whether some filter asks what people say; of valid filters."""
        return _reads_answers(self.cleaned_data)

    def looked_up(self) -> PairFilters:
        """The same, for many pairs; one query (:meth:`apps.comparison.judges.Judges.looked_up`)."""
        if self.is_valid() and self.reads_answers:
            self.judges = self.judges.looked_up()
        return self

    def numbers(self) -> Any:
        """The numbers of the pairs that pass, in order."""
        return self._numbers(self.cleaned_data if self.is_valid() else None)

    def _numbers(self, chosen: dict[str, Any] | None) -> Any:
        """Answers are read only for a filter that asks for them, and labels likewise: that is what takes the
        time of a large dataset's page."""
        if chosen is None:
            return self.dataset.pairs.order_by("pk").values_list("pk", flat=True)
        stored = conditions.stored(self.dataset, chosen)
        if not _reads_answers(chosen) and not any(_is_set(name, chosen[name]) for name in OF_LABELS):
            return stored.order_by("pk").values_list("pk", flat=True)
        return self._pairs(chosen).values_list("pk", flat=True)

    def sureness(self) -> Sureness:
        """How sure the calculus is of the pairs that pass the other filters: what would remain under one on
        its confidence. One query."""
        chosen = {**self.cleaned_data, "sure_from": None, "sure_below": None} if self.is_valid() else None
        return sureness(self._numbers(chosen).order_by())

    def apply(self) -> ComparedPairs:
        """The dataset's pairs that pass; all of them where a filter is refused."""
        if not self.is_valid():
            return compared(self.dataset.pairs.all(), self.judges)
        return self._pairs(self.cleaned_data)

    def _pairs(self, chosen: dict[str, Any]) -> ComparedPairs:
        """With the counts of answers where a filter asks for them."""
        runs, read = runs_of(chosen), runs_read(chosen)
        stored = conditions.stored(self.dataset, chosen)
        found = compared(stored, self.judges, read) if _reads_answers(chosen) else labelled(stored, read)
        if chosen["direction"]:
            found = found.filter(place="" if chosen["direction"] == "none" else chosen["direction"])
        for name in ("human", "calculus", "file_label", "adjudicated", "judgements"):
            if _is_set(name, chosen[name]):
                found = found.filter(**{name: chosen[name]})
        if chosen["judgements_from"] is not None:
            found = found.filter(judgements__gte=chosen["judgements_from"])
        if chosen["matching"] is not None:
            found = found.filter(matches=chosen["matching"])
        found = said_by_models(found, chosen)
        found = conditions.labelled_by(found, chosen["labelled"], runs)
        found = conditions.share_agreeing(found, chosen["agree_from"], chosen["agree_to"])
        if chosen["gold_rule"] and chosen["gold"]:
            found = conditions.gold(found, chosen["gold_rule"], chosen["gold"])
        if chosen["between"]:
            found = conditions.between(found, *BETWEEN[chosen["between"]], runs)
        if chosen["alike"]:
            found = conditions.alike(found, *BETWEEN[chosen["alike"]], runs)
        return conditions.agreement(found, chosen["agreement"])
