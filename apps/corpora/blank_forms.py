"""What people fill in about blanks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.corpora.blank_selectors import ANY_OPERATOR, SENTENCE_TOKENS, BlankFilters, default_categories
from apps.corpora.categories import category_title
from apps.corpora.models import Corpus, Polarity
from apps.corpora.selectors import MarkingGroup

_DIRECTIONS = {
    "up": gettext_lazy("upward"),
    "down": gettext_lazy("downward"),
    "flat": gettext_lazy("non-monotone"),
}


class BlankFilterForm(forms.Form):
    """Which constituents become blanks. Without any input it is filled with the defaults."""

    group = forms.ChoiceField(label=gettext_lazy("Marked by"), required=False)
    direction = forms.ChoiceField(
        label=gettext_lazy("Direction"),
        required=False,
        choices=[
            ("", gettext_lazy("any")),
            *((sign.value, format_lazy("{} {}", sign.label, _DIRECTIONS[sign.value])) for sign in Polarity),
        ],
    )
    operator = forms.ChoiceField(label=gettext_lazy("Argument of"), required=False)
    minimum = forms.IntegerField(label=gettext_lazy("Tokens, at least"), min_value=1, initial=1)
    maximum = forms.IntegerField(label=gettext_lazy("Tokens, at most"), min_value=1, required=False)
    sentence_minimum = forms.IntegerField(
        label=gettext_lazy("Sentence tokens, at least"), min_value=1, initial=SENTENCE_TOKENS
    )
    declarative = forms.BooleanField(
        label=gettext_lazy("Declarative sentences only"), required=False, initial=True
    )
    stop_list = forms.BooleanField(
        label=gettext_lazy("Leave out what is on the stop list"), required=False, initial=True
    )
    one_per_sentence = forms.BooleanField(label=gettext_lazy("One blank a sentence"), required=False)
    categories = forms.MultipleChoiceField(
        label=gettext_lazy("Categories"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy(
            "Ticked at first are phrases that annotators can make more specific. None ticked means all."
        ),
    )
    corpora = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Corpora"),
        required=False,
        coerce=int,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("None ticked means all."),
    )

    def __init__(
        self,
        data: Any,
        *,
        corpora: Sequence[Corpus],
        groups: Sequence[MarkingGroup],
        operators: Sequence[tuple[str, int]],
        categories: Sequence[tuple[str, int]],
    ) -> None:
        names = [name for name, _count in categories]
        initial = {
            "minimum": 1,
            "sentence_minimum": SENTENCE_TOKENS,
            "declarative": True,
            "stop_list": True,
            "operator": ANY_OPERATOR,
            "categories": default_categories(names),
            "corpora": [corpus.pk for corpus in corpora],
            "group": groups[0].key if groups else "",
        }
        # An unticked box sends nothing: the defaults stand only where nothing was sent at all.
        super().__init__(data if data and "minimum" in data else initial)
        fields: Any = self.fields
        fields["corpora"].choices = [(corpus.pk, corpus.name) for corpus in corpora]
        fields["group"].choices = [(group.key, str(group)) for group in groups]
        fields["operator"].choices = [
            ("", _("no matter")),
            (ANY_OPERATOR, _("any operator")),
            *((name, f"{name} ({count})") for name, count in operators),
        ]
        counts = dict(categories)
        # A set may have been made when other categories were there: asked for again, they count as none.
        asked = self.data.getlist("categories") if hasattr(self.data, "getlist") else []
        counts |= {name[:40]: 0 for name in asked if name not in counts}
        fields["categories"].choices = [
            (name, f"{category_title(name)} ({count or '–'})") for name, count in counts.items()
        ]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        low, high = cleaned.get("minimum"), cleaned.get("maximum")
        if low and high and high < low:
            self.add_error("maximum", _("At most must not be less than at least."))
        return cleaned

    def filters(self) -> BlankFilters:
        cleaned = dict(self.cleaned_data)
        cleaned["corpora"] = tuple(cleaned["corpora"])
        cleaned["categories"] = tuple(cleaned["categories"])
        return BlankFilters(**cleaned)


class BlankSetForm(forms.Form):
    """The name and size of a set to be picked."""

    name = forms.CharField(label=gettext_lazy("Name of the set"), max_length=200)
    maximum_blanks = forms.IntegerField(
        label=gettext_lazy("At most"),
        min_value=1,
        required=False,
        help_text=gettext_lazy("Drawn at random; empty takes all."),
    )
    seed = forms.IntegerField(label=gettext_lazy("Seed"), min_value=0, max_value=2**31 - 1, initial=1)


class PilotForm(forms.Form):
    size = forms.IntegerField(label=gettext_lazy("Blanks"), min_value=1, max_value=10_000, initial=50)
    seed = forms.IntegerField(label=gettext_lazy("Seed"), min_value=0, max_value=2**31 - 1, initial=1)


class StopExpressionForm(forms.Form):
    expression = forms.CharField(
        label=gettext_lazy("Expression"),
        max_length=200,
        help_text=gettext_lazy("Such as “every one” or “no time”; capitals don't matter."),
    )
