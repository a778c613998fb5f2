"""The stage of the webhook tests: an open campaign, its annotators, and a receiver that is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from apps.campaigns.models import Campaign, Judgement
from apps.webhooks.events import EventType
from apps.webhooks.models import Webhook
from apps.webhooks.services import webhook_create
from tests.webhooks.receiver import Receiver

HERE = "https://polarlab.example.org"


@pytest.fixture
def campaign(study, ada) -> Campaign:
    """An open validation campaign over three imported pairs, one answer each."""
    from apps.campaigns.services import campaign_create, campaign_set_state
    from apps.datasets.services import dataset_create, pair_get_or_create

    dataset = dataset_create(study=study, actor=ada, name="Farm pairs")
    for adjective in ("small", "old", "black"):
        pair_get_or_create(
            dataset=dataset,
            premises=[("No dogs bark.", None)],
            hypothesis=f"No {adjective} dogs bark.",
            origin="import",
        )
    campaign = campaign_create(study=study, actor=ada, name="Judge", dataset=dataset, seed=1, target=1)
    return campaign_set_state(campaign=campaign, actor=ada, state="open")


@pytest.fixture
def answer(campaign) -> Callable[..., Judgement]:
    """Somebody's next answer in the campaign."""
    from apps.campaigns.services import assignment_next, judgement_submit
    from apps.studies.services import participant_for

    def give(user, label: str = "entailment") -> Judgement:
        participant = participant_for(campaign.study, user)
        return judgement_submit(
            assignment=assignment_next(campaign=campaign, participant=participant), answer=label
        )

    return give


@pytest.fixture
def receiver(settings) -> Iterator[Receiver]:
    settings.OUTBOUND_HOSTS = ["127.0.0.1"]
    with Receiver().listening() as receiver:
        yield receiver


@pytest.fixture
def webhook(study, ada, receiver) -> Webhook:
    """The receiver is told of everything."""
    webhook, receiver.secret = webhook_create(
        study=study, actor=ada, address=receiver.address, events=EventType.values, server=HERE
    )
    return webhook
