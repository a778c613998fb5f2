"""People who answer whatever is open, while a script waits for them."""

import time

from apps.campaigns.models import Campaign
from apps.campaigns.reasons import NothingNow
from apps.campaigns.services import assignment_next, judgement_submit
from apps.studies.models import Participant
from apps.studies.services import participant_simulate

PEOPLE = 4


def answer_until(deadline_seconds: float) -> None:
    """Answer every open campaign until one that judges pairs is complete."""
    deadline = time.monotonic() + deadline_seconds
    while time.monotonic() < deadline:
        for campaign in Campaign.objects.filter(state="open").select_related("study__created_by"):
            for person in people_of(campaign):
                answer_all(campaign, person)
        judged = Campaign.objects.filter(task="validation", state="open").first()
        if judged and not judged.items.filter(is_complete=False).exists():
            return
        time.sleep(0.5)
    raise SystemExit("nothing more came to be answered in time")


def people_of(campaign: Campaign) -> list[Participant]:
    study = campaign.study
    found = list(Participant.objects.filter(study=study, simulated=True))
    return found or [
        participant_simulate(study=study, actor=study.created_by, pseudonym=f"person-{n}")
        for n in range(PEOPLE)
    ]


def answer_all(campaign: Campaign, person: Participant) -> None:
    while True:
        assignment = assignment_next(campaign=campaign, participant=person)
        if isinstance(assignment, NothingNow):
            return
        if campaign.task == "creation":
            part = assignment.item.blank.text
            judgement_submit(
                assignment=assignment, replacements=[f"{part} {n}" for n in ("here", "now", "today")]
            )
        else:
            judgement_submit(assignment=assignment, answer="entailment")
