"""What can be wrong with prices and payouts is seen."""

import pytest

from apps.panels import invariants
from apps.panels.models import Bonus, Panel, PayoutSet, SetPrice
from apps.panels.services import bonus_create, payout_create
from apps.studies.soundness import faults

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def lines(check) -> list[str]:
    return [str(fault) for fault in check(None)]


@pytest.fixture
def paid(prolific, come, answer, ada):
    """A set of five cents and a bonus in a payout; the set's judgement, and the payout."""
    visit = come(prolific)
    judgement = answer(visit)
    bonus_create(panel=prolific, participant=visit.participant, actor=ada, cents=10, reason="thanks")
    return judgement, payout_create(panel=prolific, actor=ada)


def test_a_payout_that_went_well_has_no_faults(paid):
    assert [str(fault) for fault in faults()] == []


def test_a_set_without_its_price(paid):
    SetPrice.objects.all().delete()
    (line,) = lines(invariants.prices)
    assert f"judgement {paid[0].pk} of participant" in line and "has no price of its own" in line


def test_a_set_paid_at_another_price(paid):
    PayoutSet.objects.update(cents=50)
    (line,) = lines(invariants.payouts)
    assert f"judgement {paid[0].pk} is in payout {paid[1].pk} with 50 cents, and was sent at 5" in line


def test_a_payout_that_lost_a_set(paid):
    PayoutSet.objects.all().delete()
    (line,) = lines(invariants.payouts)
    assert f"payout {paid[1].pk} has 0 sets; 1 were put into it" in line


def test_sets_and_bonuses_in_another_panels_payout(paid, campaign, ada):
    from apps.campaigns.services import campaign_create

    other = campaign_create(study=campaign.study, actor=ada, name="Another", dataset=campaign.dataset)
    Panel.objects.update(campaign=other)
    assert any("of another campaign" in line for line in lines(invariants.payouts))
    elsewhere = Panel.objects.create(campaign=campaign, kind="generic", platform="elsewhere")
    Bonus.objects.update(panel=elsewhere)
    assert any("of another panel" in line for line in lines(invariants.payouts))
