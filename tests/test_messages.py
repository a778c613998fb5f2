"""What is said to people is said in words: no message of a form or a service shows a constraint's name."""

import pytest
from django.db.models import BaseConstraint
from django.forms import ModelForm
from django.urls import get_resolver

from apps.quality.models import Quality, Rule

# Rows that a service looks through by ``full_clean``, whichever form or address of the API they came by.
CLEANED = (Quality, Rule)


def forms_of_models():
    get_resolver().url_patterns  # noqa: B018 - every view, and with it every form, is loaded
    waiting, found = [ModelForm], []
    while waiting:
        for form in waiting.pop().__subclasses__():
            waiting.append(form)
            if form.__module__.startswith("apps.") and form._meta.model:
                found.append(form)
    return found


def says_nothing_of_it(form):
    """Whether it leaves the constraints to its service."""
    return any("_post_clean" in vars(kind) for kind in form.__mro__ if kind.__module__.startswith("apps."))


def models_looked_through():
    own = {form._meta.model for form in forms_of_models() if not says_nothing_of_it(form)}
    return sorted(own | set(CLEANED), key=lambda model: model.__name__)


def test_there_are_forms_to_look_at():
    assert len(forms_of_models()) > 5
    assert len(models_looked_through()) >= 3


@pytest.mark.parametrize("model", models_looked_through(), ids=lambda model: model.__name__)
def test_a_broken_constraint_is_explained(model):
    silent = [
        constraint.name
        for constraint in model._meta.constraints
        if constraint.violation_error_message == BaseConstraint.default_violation_error_message
    ]
    assert silent == []


def test_a_campaign_with_rules_that_do_not_go_together_is_refused_at_a_field(study, rosa, client_of, db):
    from apps.datasets.services import dataset_create

    dataset = dataset_create(study=study, actor=rosa, name="Pairs")
    address = f"/s/{study.slug}/campaigns/new/validation/"
    wrong = {"name": "Judge", "dataset": dataset.pk, "target": "5", "maximum": "3", "minimum_seconds": "0"}
    page = client_of(rosa).post(address, wrong | {"lease_minutes": "30"}).content.decode()
    assert "Constraint" not in page and "campaign_" not in page
    assert "This is below the number of annotators an item." in page


def test_a_rule_that_asks_for_more_than_it_looks_at_is_refused_in_words(study, rosa, client_of, db):
    from apps.campaigns.services import campaign_create
    from apps.datasets.services import dataset_create

    dataset = dataset_create(study=study, actor=rosa, name="Pairs")
    campaign = campaign_create(study=study, actor=rosa, name="Judge", dataset=dataset)
    address = f"/s/{study.slug}/campaigns/{campaign.pk}/quality/rules/"
    wrong = {"signal": "speed", "last": "5", "least": "9", "threshold": "1", "action": "warn"}
    page = client_of(rosa).post(address, wrong).content.decode()
    assert "Constraint" not in page and "rule_" not in page
    assert "A rule looks at one answer or more" in page
