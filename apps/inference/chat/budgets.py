"""What a run of a chat model may use: checked as it starts, raised as it has stopped."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.inference.chat.configs import ChatConfig
from apps.inference.models import ChatBudget, Model, Run
from apps.jobs.services import job_retry
from apps.studies import audit


def budget_checked(model: Model, tokens: int | None, cost: Decimal | None) -> dict[str, Any] | None:
    """The budget that a run of the model begins with: what is given, else the model's own; None for a model
    that costs nothing. ValidationError by field."""
    if model.kind != Model.Kind.CHAT:
        if tokens is None and cost is None:
            return None
        raise ValidationError(_("Only a run of a chat model has a budget."))
    config = ChatConfig.read(model.config)
    if tokens is None and cost is None:
        tokens, cost = config.tokens, config.cost
    if tokens is not None and tokens < 0:
        raise ValidationError({"tokens": _("A budget is no less than nothing.")})
    if cost is not None and cost < 0:
        raise ValidationError({"cost": _("A budget is no less than nothing.")})
    if cost is not None and not config.has_prices:
        raise ValidationError({"cost": _("A budget of money needs the model's prices.")})
    return {"tokens": tokens, "cost": cost}


@transaction.atomic
def budget_set(*, run: Run, actor: User, tokens: int | None, cost: Decimal | None) -> Run:
    """Give a run another budget (None: as much as it takes); one that has stopped goes on where it is."""
    budget = budget_checked(run.model, tokens, cost)
    if budget is None:
        raise ValidationError(_("Only a run of a chat model has a budget."))
    if tokens is None and cost is None:  # not the model's own this time
        budget = {"tokens": None, "cost": None}
    ChatBudget.objects.update_or_create(run=run, defaults=budget)
    said = {name: None if value is None else str(value) for name, value in budget.items()}
    audit.record("run.budget", study=run.model.study, actor=actor, subject=run, budget=said)
    if run.job is not None:
        job_retry(job=run.job, actor=actor)
    return run
