"""What researchers fill in about gold rules and releases."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apps.comparison.campaign_choice import CampaignsField
from apps.comparison.judges import judges_of
from apps.datasets.models import Dataset
from apps.releases.forecast import suggested
from apps.releases.gold_rules import (
    ALL_MATCH,
    AT_LEAST,
    BY_CALCULUS,
    MOST_UNNATURAL,
    PROBABLE,
    RULE_NAMES,
    UNNATURAL_NAMES,
    Options,
    options_of,
)
from apps.releases.models import GoldRule
from apps.studies.access import within


class RuleFields(forms.Form):
    """A gold rule's own fields."""

    rule = forms.ChoiceField(
        label=_("Which label is the gold one"),
        choices=list(RULE_NAMES.items()),
        initial=ALL_MATCH,
        widget=forms.RadioSelect,
    )
    judgements = forms.IntegerField(
        label=_("Judgements a pair needs at least"),
        initial=3,
        min_value=0,
        max_value=100,
        help_text=_("0 only for a label of a researcher or a file."),
    )
    # Not "matches": a form's fields hide the element's own methods of that name from scripts.
    matching = forms.IntegerField(
        label=_("Judgements that must match"),
        initial=2,
        min_value=1,
        max_value=100,
        help_text=_("For the second rule only."),
    )
    sure = forms.FloatField(
        label=_("The calculus is sure of its label, at least"),
        initial=0,
        min_value=0,
        max_value=1,
        required=False,
        widget=forms.NumberInput(attrs={"step": "0.05"}),
        help_text=_(
            "For the first two rules only, from 0 to 1: a calculus label of less confidence counts as none. "
            "0 takes all."
        ),
    )
    posterior = forms.FloatField(
        label=_("Probability of the label, at least"),
        initial=0.9,
        min_value=0.5,
        max_value=1,
        required=False,
        help_text=_(
            "For Dawid–Skene and MACE only; they take the reliabilities that the campaigns have estimated."
        ),
    )
    unnatural = forms.ChoiceField(
        label=_("An answer “unnatural”"),
        choices=list(UNNATURAL_NAMES.items()),
        initial=MOST_UNNATURAL,
        required=False,
        widget=forms.RadioSelect,
    )

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if cleaned.get("rule") != AT_LEAST:
            # The number is of no account; it must not refuse a rule that doesn't use it.
            cleaned["matching"] = 1
        if cleaned.get("rule") not in PROBABLE or cleaned.get("posterior") is None:
            cleaned["posterior"] = Options.posterior
        if cleaned.get("rule") not in BY_CALCULUS or cleaned.get("sure") is None:
            cleaned["sure"] = Options.sure
        cleaned["unnatural"] = cleaned.get("unnatural") or MOST_UNNATURAL
        if not self.errors:
            try:
                self.options().check()
            except ValidationError as error:
                for name, messages in error.message_dict.items():
                    self.add_error("matching" if name == "matches" else name, messages)
        return cleaned

    def options(self) -> Options:
        chosen = {name: self.cleaned_data[name] for name in _RULE_FIELDS}
        return Options(matches=self.cleaned_data["matching"], **chosen)


_RULE_FIELDS = ("rule", "judgements", "sure", "posterior", "unnatural")


class GoldRuleForm(RuleFields):
    """A named rule; a name that is there already gets its next version."""

    name = forms.CharField(label=_("Name"), max_length=100)
    field_order = ["name"]


class ReleaseForm(RuleFields):
    """A release's options; a named rule takes the place of the rule's own fields."""

    gold_rule = forms.ModelChoiceField(
        label=_("Gold rule"),
        required=False,
        queryset=GoldRule.objects.none(),
        empty_label=_("as chosen below"),
        help_text=_("A named rule takes the place of the fields about labels."),
    )
    campaigns = CampaignsField()
    swaps = forms.BooleanField(
        label=_("Add swapped twins"),
        required=False,
        initial=True,
        help_text=_("Premise and hypothesis exchanged, with the other label, where the label turns over."),
    )
    unknown_twins = forms.BooleanField(
        label=_("Twins also where no source relates the wordings, and people agree"),
        required=False,
        help_text=_(
            "Annotators were asked for something more specific, and most judges say what follows from that. "
            "Nobody judged the other way round; such twins are marked."
        ),
    )
    keep_unlabelled = forms.BooleanField(
        label=_("Publish pairs without a gold label too"),
        required=False,
        help_text=_("Their label is then “-” in MNLI's columns, and empty elsewhere."),
    )
    train = forms.IntegerField(label=_("Training, in %"), initial=80, min_value=0, max_value=100)
    validation = forms.IntegerField(label=_("Validation, in %"), initial=10, min_value=0, max_value=100)
    test = forms.IntegerField(label=_("Test, in %"), initial=10, min_value=0, max_value=100)
    seed = forms.IntegerField(
        label=_("Seed of the splits"),
        initial=1,
        min_value=0,
        max_value=2**31 - 1,
        help_text=_("Twins, and pairs that share a premise, are always in the same split."),
    )
    field_order = ["gold_rule"]

    def __init__(self, data: Any, *, dataset: Dataset) -> None:
        self.judges = judges_of(dataset)
        self.suggestion = suggested(dataset, self.judges)
        first = {"rule": self.suggestion.rule, "judgements": self.suggestion.judgements}
        data = data if data is None else self._completed(data, first)
        super().__init__(data)
        fields: Any = self.fields
        for name, value in first.items():
            fields[name].initial = value
        fields["gold_rule"].queryset = within(GoldRule, dataset.study)
        fields["campaigns"].offer(self.judges)
        fields["campaigns"].initial = self.judges.numbers

    def _completed(self, data: Any, first: dict[str, Any]) -> Any:
        """An address that leaves fields out means their first values; a box that is not ticked is not."""
        completed = data.copy()
        for name, field in self.base_fields.items():
            value = first.get(name, field.initial)
            if name not in data and value is not None and not isinstance(field, forms.BooleanField):
                completed[name] = value
        return completed

    def options(self) -> Options:
        chosen = {
            name: self.cleaned_data[name]
            for name in ("campaigns", "swaps", "unknown_twins", "keep_unlabelled", "seed")
        }
        shares = {name: self.cleaned_data[name] for name in ("train", "validation", "test")}
        rule: dict[str, Any] = super().options().as_dict()
        if named := self.cleaned_data.get("gold_rule"):
            rule |= options_of(named)
        return Options.of({**rule, **chosen, **shares})

    def clean(self) -> dict[str, Any]:
        if not {"train", "validation", "test", "seed"} <= self.cleaned_data.keys():
            return self.cleaned_data  # said of the field already
        self._refuse_two_rules()
        return super().clean()

    def _refuse_two_rules(self) -> None:
        """A field of the rule that somebody changed is not passed over because a named rule is chosen too."""
        named = self.cleaned_data.get("gold_rule")
        if not named:
            return
        meant = options_of(named)
        fields: Any = self.fields
        for name, field_name in (("matches", "matching"), *((name, name) for name in _RULE_FIELDS)):
            value = self.cleaned_data.get(field_name)
            if field_name in self.changed_data and value != meant.get(name, fields[field_name].initial):
                text = gettext("%(rule)s says something else. Choose “as chosen below”, or set this back.")
                self.add_error(field_name, text % {"rule": named})
