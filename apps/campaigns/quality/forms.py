"""The forms of quality: what researchers set, and the questions about oneself."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.campaigns.models import Campaign, Declaration, Quality, Rule, TestQuestion
from apps.campaigns.quality import actions, places
from apps.campaigns.quality.eligibility import asks_for_numbers
from apps.campaigns.quality.questions import expected_answers
from apps.campaigns.quality.rules import signals_of
from apps.datasets.comparison import LABEL_NAMES
from apps.studies.editing import EditForm


class AboutYouForm(forms.Form):
    """Only what the campaign wants to know and the person has not said yet."""

    language = forms.ChoiceField(
        label=_("Your native language"), help_text=_("The one that you grew up with.")
    )
    country = forms.ChoiceField(label=_("The country that you live in"))
    approved_tasks = forms.IntegerField(
        label=_("Tasks of yours that were approved on the panel"), min_value=0, max_value=10_000_000
    )
    approval_rate = forms.IntegerField(label=_("Your approval rate there, in %"), min_value=0, max_value=100)

    def __init__(self, data: Any, *, quality: Quality, said: Declaration) -> None:
        super().__init__(data)
        fields: Any = self.fields
        fields["language"].choices = [("", _("please choose")), *places.languages_to_choose()]
        fields["country"].choices = [("", _("please choose")), *places.countries()]
        numbers = asks_for_numbers(quality) and not said.numbers_from_panel
        wanted = {
            "language": bool(quality.languages) and not said.language,
            "country": bool(quality.countries) and not said.country,
            "approved_tasks": numbers and quality.approved_tasks is not None and said.approved_tasks is None,
            "approval_rate": numbers and quality.approval_rate is not None and said.approval_rate is None,
        }
        for name, is_wanted in wanted.items():
            if not is_wanted:
                del fields[name]


class EligibilityForm(EditForm, forms.ModelForm):  # type: ignore[type-arg]
    """Who may work in a campaign."""

    languages = forms.MultipleChoiceField(
        label=_("Native languages"),
        required=False,
        help_text=_("One of these must be somebody's. Without a choice it is not asked."),
    )
    countries = forms.MultipleChoiceField(
        label=_("Countries"), required=False, help_text=_("Without a choice it is not asked.")
    )
    names = forms.CharField(
        label=_("The list"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=_("One a line: a pseudonym, an e-mail address, or an identifier at the panel."),
    )

    class Meta:
        model = Quality
        fields = [
            "languages",
            "countries",
            "approved_tasks",
            "approval_rate",
            "numbers_from",
            "uses_allow_list",
        ]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: Any = self.fields
        fields["languages"].choices = places.languages_to_choose()
        fields["countries"].choices = places.countries()
        for name in ("languages", "countries"):
            fields[name].widget.attrs["size"] = 8

    def changes(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in self.Meta.fields}


class TestingForm(EditForm, forms.ModelForm):  # type: ignore[type-arg]
    """The quiz and the share of test questions."""

    __test__ = False

    class Meta:
        model = Quality
        fields = ["quiz_size", "quiz_wrong", "test_share"]
        help_texts = {
            "quiz_size": _("Asked before the first item. 0: no quiz."),
            "quiz_wrong": _("One more, and the person gets no work."),
            "test_share": _("After the quiz, unmarked: 10 is one in ten. 0: none. At most 50."),
        }

    def changes(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in self.Meta.fields}


class ChecksForm(EditForm, forms.ModelForm):  # type: ignore[type-arg]
    """What is done about odd phrases."""

    calculus = forms.ChoiceField(
        label=_("What the calculus finds"),
        choices=Quality.Response.choices[:3],
        help_text=_(
            "In the background, after the answer was sent: synonyms, more general phrases, what is not one "
            "constituent. Since it comes later, nothing can be refused; the annotator is told once, with a "
            "link to the answer, after their next answer or before their next card. Rules may use the flags."
        ),
    )

    class Meta:
        model = Quality
        fields = ["near_duplicates", "other_script", "not_more_specific", "spelling"]
        help_texts = {
            "near_duplicates": _(
                "The same but for capitals, punctuation or a letter or so, in the same place of a sentence."
            ),
            "not_more_specific": _(
                "At once, from a list of words (English). The list knows no context: flag before you refuse."
            ),
            "spelling": _(
                "English words that no list has. Names and the sentence's own words are left alone; nothing "
                "is refused, since rare words are right too."
            ),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["calculus"] = self.instance.calculus.value

    def changes(self) -> dict[str, Any]:
        calculus = self.cleaned_data["calculus"]
        return {name: self.cleaned_data[name] for name in self.Meta.fields} | {
            "checks_calculus": calculus != Quality.Response.OFF,
            "tells_calculus": calculus == Quality.Response.WARN,
        }


class QuestionForm(forms.Form):
    """A test question with texts of its own, or (``pair``) those of a pair of the study."""

    pair = forms.IntegerField(
        label=_("Number of a pair"),
        required=False,
        min_value=1,
        help_text=_("Its texts are taken; or write both sentences below."),
    )
    premise = forms.CharField(
        label=_("Premise"), required=False, widget=forms.Textarea(attrs={"rows": 2, "dir": "auto"})
    )
    hypothesis = forms.CharField(
        label=_("Hypothesis"), required=False, widget=forms.Textarea(attrs={"rows": 2, "dir": "auto"})
    )
    expected = forms.ChoiceField(label=_("Expected answer"))
    explanation = forms.CharField(
        label=_("Explanation"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 2, "dir": "auto"}),
        help_text=_("Shown to whoever failed the quiz or is paused, beside their answer."),
    )

    def __init__(self, *args: Any, campaign: Campaign, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names: dict[str, Any] = LABEL_NAMES
        fields: Any = self.fields
        fields["expected"].choices = [
            (value, names.get(value, value)) for value in expected_answers(campaign)
        ]

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if not data.get("pair") and not (data.get("premise") and data.get("hypothesis")):
            self.add_error("pair", _("Give the number of a pair, or both sentences."))
        return data


class CorrectionForm(EditForm, forms.ModelForm):  # type: ignore[type-arg]
    """The expected answer and the explanation of a question that is there."""

    expected = forms.ChoiceField(label=_("Expected answer"))

    class Meta:
        model = TestQuestion
        fields = ["expected", "explanation"]
        widgets = {"explanation": forms.Textarea(attrs={"rows": 2, "dir": "auto"})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names: dict[str, Any] = LABEL_NAMES
        fields: Any = self.fields
        fields["expected"].choices = [
            (value, names.get(value, value)) for value in expected_answers(self.instance.campaign)
        ]


class QuestionFileForm(forms.Form):
    """A CSV file of test questions, or its text."""

    file = forms.FileField(label=_("CSV file"), required=False)
    text = forms.CharField(
        label=_("Or its text"),
        required=False,
        max_length=2_000_000,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 6, "dir": "auto"}),
        help_text=_("The first line names the columns: premise, hypothesis, expected, explanation."),
    )

    def clean(self) -> dict[str, Any]:
        from apps.corpora.decoding import NotUtf8, decode

        data: dict[str, Any] = super().clean() or {}
        if data.get("file"):
            try:
                data["text"] = decode(data["file"].read())
            except NotUtf8 as error:
                self.add_error("file", str(error))
        elif not (data.get("text") or "").strip():
            self.add_error("file", _("Choose a file, or paste its text."))
        return data


class RuleForm(forms.ModelForm):  # type: ignore[type-arg]
    """A new rule."""

    class Meta:
        model = Rule
        fields = ["signal", "last", "least", "threshold", "action"]
        help_texts = {
            "last": _("answers (test questions, for their share)"),
            "least": _("With fewer, the rule says nothing."),
            "threshold": _(
                "Shares from 0 to 1; seconds; a count of same answers. Trust, agreement and seconds speak "
                "below it, the others at it and above."
            ),
        }

    def __init__(self, *args: Any, campaign: Campaign, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: Any = self.fields
        fields["signal"].choices = signals_of(campaign)
        fields["action"].choices = Rule.Action.choices


class BlockForm(forms.Form):
    """The admin's choice when somebody is blocked."""

    past = forms.ChoiceField(
        label=_("The answers sent so far"),
        choices=[
            (actions.KEEP, _("keep them: they count as before")),
            (actions.REQUEUE, _("don't count them, and ask others again")),
        ],
        widget=forms.RadioSelect,
    )


class NoteForm(forms.Form):
    note = forms.CharField(label=_("Note"), required=False, max_length=500)
