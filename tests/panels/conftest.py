"""The stage of the panel tests: a campaign of each task with a panel, and people who come to it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from apps.campaigns.models import Assignment, Campaign
from apps.panels.models import Panel, Visit
from apps.panels.platforms import Arrival, study_address
from apps.panels.selectors import consent_of
from apps.panels.services import panel_create, panel_update, visit_consent, visit_open

PAIRS = [
    ("No dogs bark.", "No small dogs bark."),
    ("Some dogs bark.", "Some small dogs bark."),
    ("Few cats swim.", "Few black cats swim."),
]


@pytest.fixture
def campaign(study, ada) -> Campaign:
    """An open validation campaign over three imported pairs, five cents' worth each."""
    from apps.campaigns.services import campaign_create, campaign_set_state
    from apps.datasets.services import dataset_create, pair_get_or_create

    dataset = dataset_create(study=study, actor=ada, name="Farm pairs")
    for premise, hypothesis in PAIRS:
        pair_get_or_create(
            dataset=dataset, premises=[(premise, None)], hypothesis=hypothesis, origin="import"
        )
    campaign = campaign_create(study=study, actor=ada, name="Judge", dataset=dataset, seed=1)
    Campaign.objects.filter(pk=campaign.pk).update(price=5)
    return campaign_set_state(campaign=campaign, actor=ada, state="open")


@pytest.fixture
def panel_of(campaign, ada) -> Callable[..., Panel]:
    """The campaign's panel of a kind; ``fields`` as in its settings."""

    def make(kind: str, **fields: object) -> Panel:
        consent = "# Study\nYou may stop at any time."
        panel = panel_create(campaign=campaign, actor=ada, kind=kind, consent=consent)
        return panel_update(panel=panel, actor=ada, **fields) if fields else panel

    return make


@pytest.fixture
def prolific(panel_of) -> Panel:
    return panel_of("prolific", secret="workspace-secret")


@pytest.fixture
def mturk(panel_of) -> Panel:
    return panel_of("mturk")


def study_link(panel: Panel) -> str:
    """The address that the researcher pastes at the panel, without the host."""
    return study_address(panel, reverse("visit:arrive", args=[panel.public_id]))


class Guest:
    """Somebody from a panel whose browser keeps no cookies at all."""

    def __init__(self) -> None:
        self.place = ""
        self.page = ""
        self.status = 0

    def _take(self, response) -> Guest:
        self.response, self.status, self.page = response, response.status_code, response.content.decode()
        if response.redirect_chain:
            self.place = urlsplit(response.redirect_chain[-1][0]).path
        return self

    def get(self, address: str = "") -> Guest:
        self.place = address or self.place
        return self._take(Client(enforce_csrf_checks=True).get(self.place, follow=True))

    def post(self, address: str = "", **data: str) -> Guest:
        self.place = address or self.place
        return self._take(Client(enforce_csrf_checks=True).post(self.place, data, follow=True))

    @property
    def root(self) -> str:
        """The visit's own prefix."""
        return "/".join(self.place.split("/")[:3]) + "/"

    def agree(self) -> Guest:
        return self.post(version="1", agree="yes")


@pytest.fixture
def guest(db) -> Callable[[str], Guest]:
    return lambda address: Guest().get(address)


@pytest.fixture
def come(db) -> Callable[..., Visit]:
    """A visit of somebody who has agreed, without their browser."""

    def make(panel: Panel, person: str = "p1", session: str = "s1", *, agreed: bool = True) -> Visit:
        submit_to = "https://www.mturk.com" if panel.kind == "mturk" else ""
        visit = visit_open(panel=panel, arrival=Arrival(person, session, "study", submit_to))
        return visit_consent(visit=visit, consent=consent_of(panel)) if agreed else visit

    return make


@pytest.fixture
def answer() -> Callable[..., object]:
    """Take the next item and answer it; None when there is none."""
    from apps.campaigns.services import assignment_next, judgement_submit

    def give(visit: Visit, label: str = "entailment"):
        lease = assignment_next(campaign=visit.panel.campaign, participant=visit.participant)
        if not isinstance(lease, Assignment):
            return None
        return judgement_submit(assignment=lease, answer=label)

    return give


@pytest.fixture
def let_pass() -> Callable[..., None]:
    """Let time pass for a lease by setting it back: the database's clock is nobody's to set."""

    def pass_for(lease: Assignment, **duration: float) -> None:
        lease.refresh_from_db()
        for name in ("leased_at", "shown_at", "expires_at"):
            setattr(lease, name, getattr(lease, name) - timedelta(**duration))
        lease.save()

    return pass_for
