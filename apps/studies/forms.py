from django import forms
from django.utils.translation import gettext_lazy as _

from apps.studies.models import Role


class StudyForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=200)
    description = forms.CharField(
        label=_("What it is about"), required=False, widget=forms.Textarea(attrs={"rows": 3})
    )


class InvitationForm(forms.Form):
    role = forms.ChoiceField(label=_("Role"), choices=Role.choices)
    email = forms.EmailField(
        label=_("E-mail address"), required=False, help_text=_("For your own memory; no mail is sent.")
    )
