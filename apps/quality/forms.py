"""The forms of quality: what researchers set, and the questions about oneself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import User
from apps.campaigns.models import Campaign
from apps.datasets.labels import LABEL_NAMES
from apps.frame.edit_forms import EditForm
from apps.frame.long_lists import OneOfMany, SomeOfMany
from apps.quality import actions, places, signals
from apps.quality.eligibility import asks_for_numbers
from apps.quality.models import Declaration, Quality, Rule, TestQuestion
from apps.quality.questions import expected_answers
from apps.quality.signal_rules import signals_of
from apps.quality.standing import NUMBERS_NAMES


class AboutYouForm(forms.Form):
    """Only what the campaign wants to know and the person has not said yet; or (``corrects``) all that it
    wants to know, with what they said."""

    language = OneOfMany(
        label=_("Your native language"),
        entries=places.languages_to_search,
        help_text=_(
            "The one that you grew up with. Type a part of its name; if it is not offered, choose “another "
            "language”."
        ),
    )
    country = OneOfMany(
        label=_("The country that you live in"),
        entries=places.countries_to_search,
        help_text=_("Type a part of its name and choose it."),
    )
    approved_tasks = forms.IntegerField(
        label=_("Tasks of yours that were approved on the panel"), min_value=0, max_value=10_000_000
    )
    approval_rate = forms.IntegerField(label=_("Your approval rate there, in %"), min_value=0, max_value=100)

    def __init__(self, data: Any, *, quality: Quality, said: Declaration, corrects: bool = False) -> None:
        names = ("language", "country", "approved_tasks", "approval_rate")
        super().__init__(data, initial={name: getattr(said, name) for name in names} if corrects else None)
        fields: Any = self.fields
        numbers = asks_for_numbers(quality) and not said.numbers_from_panel
        wanted = {
            "language": bool(quality.languages),
            "country": bool(quality.countries),
            "approved_tasks": numbers and quality.approved_tasks is not None,
            "approval_rate": numbers and quality.approval_rate is not None,
        }
        for name, is_wanted in wanted.items():
            if not is_wanted or not (corrects or getattr(said, name) in ("", None)):
                del fields[name]


class EligibilityForm(EditForm, forms.ModelForm):  # type: ignore[type-arg]
    """Who may work in a campaign: to whom it is given, and what they must say of themselves."""

    ALL, PANEL, LIST = "all", "panel", "list"

    given_to = forms.ChoiceField(label=_("The campaign is given to"), widget=forms.RadioSelect)
    members = forms.MultipleChoiceField(
        label=_("Annotators of the study"), required=False, widget=forms.CheckboxSelectMultiple
    )
    names = forms.CharField(
        label=_("Others on the list"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("One a line: a pseudonym, an e-mail address, or an identifier at the panel."),
    )
    languages = SomeOfMany(
        label=_("Native languages"),
        entries=places.languages_to_search,
        required=False,
        help_text=_("One of these must be somebody's. Without a choice it is not asked."),
    )
    countries = SomeOfMany(
        label=_("Countries"),
        entries=places.countries_to_search,
        required=False,
        help_text=_("Without a choice it is not asked."),
    )

    class Meta:
        model = Quality
        fields = ["languages", "countries", "approved_tasks", "approval_rate", "numbers_from"]

    field_order = ["given_to", "members", "names"]

    def __init__(
        self, *args: Any, members: Sequence[User], listed: Sequence[str], has_panel: bool, **kwargs: Any
    ) -> None:
        """``members`` are the study's annotators, ``listed`` the names on the campaign's list now."""
        super().__init__(*args, **kwargs)
        fields: Any = self.fields
        fields["numbers_from"].choices = list(NUMBERS_NAMES.items())
        fields["members"].choices = [(user.email, str(user)) for user in members]
        fields["members"].help_text = (
            _("Ticked: on the campaign's list. The list counts where people are chosen.")
            if members
            else _("There are none yet: invite them on the page of the study's members.")
        )
        everybody = (
            _("the panel's people and all annotators of the study")
            if has_panel
            else _("all annotators of the study")
        )
        choices = [(self.ALL, everybody), (self.LIST, _("the people chosen below alone"))]
        if has_panel or not self.instance.members_work:
            choices.insert(1, (self.PANEL, _("the panel's people, and the annotators chosen below")))
        fields["given_to"].choices = choices
        known = {user.email.casefold(): user.email for user in members}
        self.initial["members"] = [known[name.casefold()] for name in listed if name.casefold() in known]
        self.initial["names"] = "\n".join(name for name in listed if name.casefold() not in known)
        self.initial["given_to"] = self._given_to(self.instance)

    def _given_to(self, quality: Quality) -> str:
        if quality.uses_allow_list:
            return self.LIST
        return self.ALL if quality.members_work else self.PANEL

    def changes(self) -> dict[str, Any]:
        changes = {name: self.cleaned_data[name] for name in self.Meta.fields}
        given_to = self.cleaned_data["given_to"]
        changes["uses_allow_list"] = given_to == self.LIST
        if given_to != self.LIST:  # the list says all there is to say; what was chosen beside it is kept
            changes["members_work"] = given_to == self.ALL
        return changes

    def listed(self) -> list[str]:
        """All names for the list."""
        return [*self.cleaned_data["members"], *self.cleaned_data["names"].splitlines()]


class TestingForm(EditForm, forms.ModelForm):  # type: ignore[type-arg]
    """The quiz and the share of test questions."""

    __test__ = False

    class Meta:
        model = Quality
        fields = ["quiz_size", "quiz_wrong", "quiz_tries", "test_share"]
        help_texts = {
            "quiz_size": _("Asked before the first item. 0: no quiz."),
            "quiz_wrong": _("One more, and the person gets no work."),
            "quiz_tries": _("Each try has questions of its own: two need twice as many test questions."),
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
        from apps.corpora.encodings import NotUtf8, decode

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
                "Shares in %, from 0 to 100; seconds; a count of same answers. Trust, agreement and seconds "
                "speak below it, the others at it and above."
            ),
        }

    def __init__(self, *args: Any, campaign: Campaign, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: Any = self.fields
        fields["signal"].choices = signals_of(campaign)
        fields["action"].choices = Rule.Action.choices

    def clean(self) -> dict[str, Any]:
        """Shares are typed in percent, as they are shown, and stored in [0, 1]."""
        cleaned: dict[str, Any] = super().clean() or {}
        signal = cleaned.get("signal")
        if signal and signals.of(signal).is_share and cleaned.get("threshold") is not None:
            cleaned["threshold"] /= 100
        return cleaned


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
