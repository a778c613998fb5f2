"""What people fill in about blanks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from apps.corpora.blank_selectors import (
    ANY_OPERATOR,
    SENTENCE_TOKENS,
    SURE_PARSE,
    BlankFilters,
    default_categories,
)
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
    operators = forms.MultipleChoiceField(
        label=gettext_lazy("Only of these"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("None ticked means all."),
    )
    without = forms.MultipleChoiceField(
        label=gettext_lazy("Leave out what is an argument of"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
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
    stop_sentences = forms.BooleanField(
        label=gettext_lazy("With it, the whole sentence that holds an expression of the stop list"),
        required=False,
        help_text=gettext_lazy("As MED did. Otherwise the sentence's other blanks stay."),
    )
    one_per_sentence = forms.BooleanField(label=gettext_lazy("One blank a sentence"), required=False)
    parse_sure = forms.FloatField(
        label=gettext_lazy("Parse confidence, at least"),
        min_value=0,
        max_value=1,
        initial=SURE_PARSE,
        required=False,
        widget=forms.NumberInput(attrs={"step": "0.05"}),
        help_text=gettext_lazy(
            "A wrong parse can turn a blank's direction round. Every pair written in it then matches no "
            "label, and reads as its annotators' error."
        ),
    )
    doubtful = forms.BooleanField(
        label=gettext_lazy("Also blanks of sentences whose parse is doubtful"), required=False
    )
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
            "parse_sure": SURE_PARSE,
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
            *_counted(operators),
        ]
        fields["operators"].choices = _counted(self._with_asked("operators", operators))
        fields["without"].choices = _counted(self._with_asked("without", operators))
        fields["categories"].choices = [
            (name, f"{category_title(name)} ({count or '–'})")
            for name, count in self._with_asked("categories", categories)
        ]

    def _with_asked(self, field: str, counts: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
        """A set may have been made when others were there: asked for again, they count as none."""
        asked = self.data.getlist(field) if hasattr(self.data, "getlist") else []
        known = {"", ANY_OPERATOR, *(name for name, _count in counts)}
        return [*counts, *((name[:60], 0) for name in dict.fromkeys(asked) if name not in known)]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        low, high = cleaned.get("minimum"), cleaned.get("maximum")
        if low and high and high < low:
            self.add_error("maximum", _("At most must not be less than at least."))
        return cleaned

    def say_doubtful(self, sentences: int) -> None:
        """Name how many sentences the box about doubtful parses takes in."""
        self["doubtful"].label = ngettext(
            "Also blanks of %(n)d sentence whose parse is doubtful",
            "Also blanks of %(n)d sentences whose parse is doubtful",
            sentences,
        ) % {"n": sentences}

    def filters(self) -> BlankFilters:
        cleaned = dict(self.cleaned_data)
        if cleaned["parse_sure"] is None:
            cleaned["parse_sure"] = SURE_PARSE
        for name in ("corpora", "operators", "without", "categories"):
            cleaned[name] = tuple(cleaned[name])
        return BlankFilters(**cleaned)


def _counted(names: Sequence[tuple[str, int]]) -> list[tuple[str, str]]:
    return [(name, f"{name} ({count or '–'})") for name, count in names]


def _quota(label: Any) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=0, max_value=10**9, required=False)


class BlankSetForm(forms.Form):
    """The name and size of a set to be picked. It stands in one form with the filters, so that what is on
    the page when the button is pressed is what is made."""

    QUOTAS = {f"quota_{sign.value}": sign for sign in Polarity}

    name = forms.CharField(label=gettext_lazy("Name of the set"), max_length=200)
    maximum_blanks = forms.IntegerField(
        label=gettext_lazy("At most"),
        min_value=1,
        required=False,
        help_text=gettext_lazy("Drawn at random; empty takes all."),
    )
    quota_up = _quota(gettext_lazy("Of ↑, at most"))
    quota_down = _quota(gettext_lazy("Of ↓, at most"))
    quota_flat = _quota(gettext_lazy("Of =, at most"))
    seed = forms.IntegerField(label=gettext_lazy("Seed"), min_value=0, max_value=2**31 - 1, initial=1)

    def quotas(self) -> dict[str, int]:
        asked = {sign.value: self.cleaned_data[name] for name, sign in self.QUOTAS.items()}
        return {sign: most for sign, most in asked.items() if most is not None}


class PilotForm(forms.Form):
    size = forms.IntegerField(label=gettext_lazy("Blanks"), min_value=1, max_value=10_000, initial=50)
    seed = forms.IntegerField(label=gettext_lazy("Seed"), min_value=0, max_value=2**31 - 1, initial=1)


class StopExpressionForm(forms.Form):
    expression = forms.CharField(
        label=gettext_lazy("Expression"),
        max_length=200,
        help_text=gettext_lazy("Such as “every one” or “no time”; capitals don't matter."),
    )
