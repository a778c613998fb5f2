"""The stage of the campaign tests: blanks to rewrite, pairs to judge, and a way to let time pass."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import timedelta

import pytest

from apps.campaigns.models import Assignment, Campaign

SENTENCES = [
    "No dogs bark at night.",
    "Every farmer owns a red tractor.",
    "Few guests sang in the kitchen.",
    "Some birds left the island in May.",
]
BLANKED = ["dogs", "farmer", "guests", "birds"]
SIGNS = ["down", "down", "down", "up"]


@pytest.fixture
def blank_set(study, ada):
    """Four blanks, three of them downward and one upward."""
    from apps.corpora.models import Blank, BlankSet, Corpus, Sentence

    corpus = Corpus.objects.create(study=study, name="Farm", licence="CC0", source="own", created_by=ada)
    blank_set = BlankSet.objects.create(study=study, name="Farm blanks", created_by=ada)
    for position, (text, part, sign) in enumerate(zip(SENTENCES, BLANKED, SIGNS, strict=True)):
        digest = hashlib.sha256(text.encode()).hexdigest()
        sentence = Sentence.objects.create(corpus=corpus, position=position, text=text, digest=digest)
        start = text.index(part)
        Blank.objects.create(
            blank_set=blank_set,
            sentence=sentence,
            start=start,
            end=start + len(part),
            text=part,
            category="N",
            polarity=sign,
            engine="by-hand",
            engine_version="1",
            convention="default",
            parser="none",
        )
    return blank_set


@pytest.fixture
def dataset(study, ada):
    from apps.datasets.services import dataset_create

    return dataset_create(study=study, actor=ada, name="Farm pairs")


@pytest.fixture
def creation(study, ada, blank_set, dataset) -> Campaign:
    """An open creation campaign over the four blanks: three annotators an item, no minimum time."""
    from apps.campaigns.services import campaign_create, campaign_set_state

    campaign = campaign_create(
        study=study, actor=ada, name="Write", dataset=dataset, blank_set=blank_set, seed=1
    )
    return campaign_set_state(campaign=campaign, actor=ada, state="open")


@pytest.fixture
def validation(study, ada, dataset) -> Campaign:
    """An open validation campaign over three imported pairs."""
    from apps.campaigns.services import campaign_create, campaign_set_state
    from apps.datasets.services import pair_get_or_create

    for premise, hypothesis in [
        ("No dogs bark.", "No small dogs bark."),
        ("Some dogs bark.", "Some small dogs bark."),
        ("Few cats swim.", "Few black cats swim."),
    ]:
        pair_get_or_create(
            dataset=dataset, premises=[(premise, None)], hypothesis=hypothesis, origin="import"
        )
    campaign = campaign_create(study=study, actor=ada, name="Judge", dataset=dataset, seed=1)
    return campaign_set_state(campaign=campaign, actor=ada, state="open")


@pytest.fixture
def scale(study, ada, validation) -> Campaign:
    """An open campaign on the Likert scale over the same pairs."""
    from apps.campaigns.services import campaign_create, campaign_set_state

    campaign = campaign_create(
        study=study, actor=ada, name="Rate", dataset=validation.dataset, task="likert", seed=1
    )
    return campaign_set_state(campaign=campaign, actor=ada, state="open")


@pytest.fixture
def pages_of_two(validation) -> Campaign:
    """The validation campaign with two questions on a page."""
    Campaign.objects.filter(pk=validation.pk).update(page_size=2)
    validation.refresh_from_db()
    return validation


@pytest.fixture
def participant(study) -> Callable:
    """The participant of a member of the cast."""
    from apps.studies.services import participant_for

    return lambda user: participant_for(study, user)


@pytest.fixture
def pass_time() -> Callable:
    """Let time pass for a lease by setting it back: the database's clock is nobody's to set."""

    def pass_for(assignment: Assignment, **duration: float) -> Assignment:
        past = timedelta(**duration)
        assignment.refresh_from_db()
        assignment.leased_at -= past
        assignment.shown_at -= past
        assignment.expires_at -= past
        assignment.save()
        return assignment

    return pass_for


def set_target(campaign: Campaign, target: int) -> None:
    """Another target straight into the rows, as if the campaign had been made with it."""
    Campaign.objects.filter(pk=campaign.pk).update(target=target)
    campaign.items.update(wanted=target)
    campaign.refresh_from_db()


def three(noun: str) -> list[str]:
    return [f"small {noun}", f"{noun} and pigs", f"{noun} with hats"]
