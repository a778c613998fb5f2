"""Forms of chat models: registering one, running one, its run's budget."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.datasets.models import Dataset
from apps.inference.chat.configs import ChatConfig
from apps.inference.chat.keys import key_names
from apps.inference.chat.prompts import shipped
from apps.inference.chat.shots import MOST_SHOTS
from apps.inference.forms import RunForm
from apps.inference.models import ChatBudget
from apps.studies.access import within
from apps.studies.models import Study

MOST_TOKENS, MOST_SECONDS = 8192, 90


def _tokens(**options: Any) -> forms.IntegerField:
    return forms.IntegerField(required=False, min_value=1, max_value=10**12, **options)


def _money(**options: Any) -> forms.DecimalField:
    return forms.DecimalField(
        required=False,
        min_value=0,
        max_digits=12,
        decimal_places=6,
        widget=forms.NumberInput(attrs={"step": "any"}),
        **options,
    )


class ChatForm(forms.Form):
    """See :func:`apps.inference.chat.registration.chat_config`."""

    name = forms.CharField(label=_("Name"), max_length=200)
    server = forms.CharField(
        label=_("Server"),
        max_length=500,
        help_text=_(
            "The address before /chat/completions, such as https://api.example.org/v1. Whoever hosts this "
            "program must have allowed it."
        ),
    )
    server_model = forms.CharField(label=_("Model's name there"), max_length=200)
    key = forms.ChoiceField(
        label=_("Key"),
        required=False,
        help_text=_("Keys are given by whoever hosts this program, and never shown."),
    )
    template = forms.ChoiceField(
        label=_("Prompt"), help_text=_("It decides which labels the model tells apart.")
    )
    form = forms.ChoiceField(
        label=_("Form of the answer"),
        choices=[("word", _("the first word")), ("json", _("JSON"))],
        initial="word",
    )
    system = forms.CharField(
        label=_("Own instructions"),
        required=False,
        max_length=10_000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("In place of the prompt's. A sentence on the form of the answer is added."),
    )
    user = forms.CharField(
        label=_("Own question"),
        required=False,
        max_length=10_000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("In place of the prompt's, with {premise} and {hypothesis} where the sentences go."),
    )
    shots = forms.IntegerField(
        label=_("Examples in the prompt"),
        required=False,
        min_value=1,
        max_value=MOST_SHOTS,
        help_text=_("Empty: none. A run leaves out the pairs that are examples."),
    )
    dataset = forms.ModelChoiceField(
        Dataset.objects.none(), label=_("Dataset to take them from"), required=False, empty_label="–"
    )
    seed = forms.IntegerField(
        label=_("Seed of their choice"), required=False, min_value=0, max_value=2**31 - 1
    )
    max_tokens = forms.IntegerField(
        label=_("Longest answer (tokens)"),
        initial=ChatConfig.max_tokens,
        min_value=1,
        max_value=MOST_TOKENS,
        help_text=_("Models that think before they answer need more."),
    )
    seconds = forms.IntegerField(
        label=_("Longest wait for an answer (s)"),
        initial=ChatConfig.seconds,
        min_value=1,
        max_value=MOST_SECONDS,
    )
    price_in = _money(
        label=_("Price of a million tokens sent"), help_text=_("In the currency of the budget.")
    )
    price_out = _money(label=_("Price of a million tokens received"))
    tokens = _tokens(label=_("Budget of a run (tokens)"), help_text=_("Sent and received. Empty: no limit."))
    cost = _money(label=_("Budget of a run (money)"), help_text=_("Needs both prices. Empty: no limit."))

    GROUPS = (
        (_("Server"), ("name", "server", "server_model", "key")),
        (_("Prompt"), ("template", "form", "system", "user", "shots", "dataset", "seed")),
        (_("Limits and costs"), ("max_tokens", "seconds", "price_in", "price_out", "tokens", "cost")),
    )

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: Any = self.fields
        fields["dataset"].queryset = within(Dataset, study).filter(kind=Dataset.Kind.PAIRS, archived_at=None)
        keys = [(name, f"{name} ({host})") for name, host in key_names(study.slug)]
        fields["key"].choices = [("", _("none")), *keys]
        fields["template"].choices = [
            (name, f"{name} ({', '.join(template.labels)})") for name, template in shipped().items()
        ]
        fields["template"].initial = "two-way-1"

    @property
    def groups(self) -> list[tuple[Any, list[forms.BoundField]]]:
        """The fields under their headings."""
        return [(title, [self[name] for name in names]) for title, names in self.GROUPS]


class ChatRunForm(RunForm):
    """Which dataset, and what the run may use."""

    tokens = _tokens(label=_("Budget (tokens)"))
    cost = _money(label=_("Budget (money)"))

    def __init__(self, *args: Any, study: Study, config: ChatConfig, **kwargs: Any) -> None:
        super().__init__(*args, study=study, **kwargs)
        self.fields["tokens"].initial, self.fields["cost"].initial = config.tokens, config.cost
        if not config.has_prices:
            del self.fields["cost"]


class BudgetForm(forms.Form):
    """Another budget for a run; empty: as much as it takes."""

    tokens = _tokens(label=_("Budget (tokens)"))
    cost = _money(label=_("Budget (money)"))

    def __init__(self, *args: Any, budget: ChatBudget, config: ChatConfig, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial = {"tokens": budget.tokens, "cost": budget.cost}
        if not config.has_prices:
            del self.fields["cost"]
