"""A campaign's rules as the services take them, and which of them go together."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypedDict

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from apps.campaigns.likert import is_scalable
from apps.campaigns.models import Campaign
from apps.datasets.models import Dataset

if TYPE_CHECKING:
    from apps.inference.models import Model


class Rules(TypedDict, total=False):
    """Any of a campaign's rules (docs/researchers.md says what each means)."""

    target: int
    maximum: int | None
    replacements: int
    minimum_seconds: int
    lease_minutes: int
    page_size: int
    skips_count: bool
    order: str
    cap: int | None
    price: int
    currency: str
    opens_at: datetime | None
    closes_at: datetime | None
    show_predictions: bool
    model: Model | None
    tries: int
    is_pilot: bool
    preset: str


# Beyond these a number is a slip of the hand. Leases of a month, an answer that must take a day.
_MOST = {
    "target": 1_000,
    "maximum": 1_000,
    "replacements": 20,
    "cap": 1_000_000,
    "minimum_seconds": 24 * 60 * 60,
    "lease_minutes": 31 * 24 * 60,
    "tries": 100,
    "price": 1_000_000,
}


def refuse_unfit(task: str, dataset: Dataset, rules: Mapping[str, Any]) -> None:
    """ValidationError, by field, where rules do not fit the task, the dataset or each other.

    ``rules`` are all of the campaign's, the defaults included; the database checks most of it again.
    """
    wrong: dict[str, str] = {}
    is_creation = task == Campaign.Task.CREATION
    for rule, most in _MOST.items():
        if (rules[rule] or 0) > most:
            wrong[rule] = _("%(n)d at most.") % {"n": most}
    if rules["target"] < 1:
        wrong["target"] = _("At least one annotator must see an item.")
    if rules["maximum"] is not None and is_creation:
        wrong["maximum"] = _("Replacements can't disagree, so that there is nothing to ask further.")
    elif rules["maximum"] is not None and rules["maximum"] < rules["target"]:
        wrong["maximum"] = _("This is below the number of annotators an item.")
    if rules["page_size"] != 1 and is_creation:
        wrong["page_size"] = _("A set of replacements has a page of its own.")
    if rules["minimum_seconds"] >= 60 * rules["lease_minutes"]:
        wrong["minimum_seconds"] = _("The lease would be over before an answer may be sent.")
    if rules["opens_at"] and rules["closes_at"] and rules["closes_at"] <= rules["opens_at"]:
        wrong["closes_at"] = _("This is not after it opens.")
    if rules["show_predictions"]:
        if not is_creation:
            wrong["show_predictions"] = _("Only in a creation campaign can annotators try to fool a model.")
        elif rules["model"] is None:
            wrong["model"] = _("Choose the model whose predictions are shown.")
    if rules["model"] is not None and rules["model"].study_id != dataset.study_id:
        wrong["model"] = _("The model must belong to this study.")
    elif rules["model"] is not None and rules["model"].kind == rules["model"].Kind.FILE:
        wrong["model"] = _("This model was run elsewhere and can't answer here.")
    if task == Campaign.Task.LIKERT and not is_scalable(dataset.labels):
        wrong["dataset"] = _(
            "The scale comes to entailment or not; this dataset's labels are %(labels)s."
        ) % {"labels": ", ".join(dataset.labels)}
    if wrong:
        raise ValidationError(wrong)
