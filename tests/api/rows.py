"""One of everything that stands around the work: people, files on their way in, quality, panels."""

import hashlib
from datetime import timedelta

from django.utils import timezone

from apps.accounts.models import User
from apps.campaigns.models import Item
from apps.corpora.models import CorpusDraft, ParseCheck, ParseSample, StopExpression
from apps.datasets.models import Dataset, Pair, Premise
from apps.panels.models import Bonus, ConsentText, Panel, Payout, PayoutSet, Visit
from apps.people.models import Invitation
from apps.quality.models import Flag, QualityAction, Rule, TestAnswer, TestQuestion
from apps.studies.models import AuditEvent, Membership


def add_people(study, number):
    user = User.objects.create(email=f"p{number}@example.org", name=f"Person {number}")
    invitation = Invitation.objects.create(
        study=study,
        role="annotator",
        token_digest=hashlib.sha256(f"{study.pk} {number}".encode()).hexdigest(),
        expires_at=timezone.now() + timedelta(days=1),
    )
    return {
        "members": Membership.objects.create(study=study, user=user, role="annotator"),
        "invitations": invitation,
        "events": AuditEvent.objects.create(study=study, action="study.changed", actor=user),
    }


def add_corpus_work(study, number, blank):
    draft = CorpusDraft.objects.create(
        study=study,
        file_name=f"{number}.txt",
        content="Every cat sleeps.\nNo cat barks.",
        options={
            "name": f"new corpus {number}",
            "licence": "CC0",
            "source": "us",
            "format": "lines",
            "encoding": "utf-8",
            "simulated": False,
        },
    )
    sample = ParseSample.objects.create(corpus=blank.sentence.corpus, size=1, seed=number)
    marking = blank.sentence.parses.get().markings.get()
    return {
        "corpus-drafts": draft,
        "parse-samples": sample,
        "parse-checks": ParseCheck.objects.create(sample=sample, marking=marking, position=1),
        "stop-expressions": StopExpression.objects.create(study=study, expression=f"no time {number}"),
    }


def add_quality(study, number, judgement):
    campaign, person = judgement.item.campaign, judgement.participant
    tests, _new = Dataset.objects.get_or_create(study=study, kind="tests", defaults={"name": "tests"})
    pair = Pair.objects.create(
        dataset=tests, hypothesis=f"No big dog {number} runs.", digest=f"t{number}", origin="import"
    )
    Premise.objects.create(pair=pair, position=0, text=f"No dog {number} runs.")
    item = Item.objects.create(campaign=campaign, pair=pair, position=1, is_test=True, is_complete=True)
    question = TestQuestion.objects.create(campaign=campaign, item=item, expected="entailment")
    answer = TestAnswer.objects.create(
        question=question,
        participant=person,
        judgement=judgement,
        answer="entailment",
        at=timezone.now(),
    )
    rule = Rule.objects.create(
        campaign=campaign, signal="trust", last=10, least=5, threshold=0.7, action="pause"
    )
    action = QualityAction.objects.create(
        campaign=campaign, participant=person, kind="warn", rule=rule, created_at=timezone.now()
    )
    flag = Flag.objects.create(
        judgement=judgement, position=0, code="near-duplicate", message="Nearly the same.", source="text"
    )
    return {
        "items": judgement.item,
        "test-questions": question,
        "test-answers": answer,
        "quality-rules": rule,
        "quality-actions": action,
        "flags": flag,
        "annotators": person,
    }


def add_panel(number, judgement):
    now, person = timezone.now(), judgement.participant
    panel = Panel.objects.create(
        campaign=judgement.item.campaign,
        kind="generic",
        platform="panel",
        person_parameter="person",
        session_parameter="session",
        code_complete="A",
        code_failed_quiz="B",
        code_no_work="C",
    )
    consent = ConsentText.objects.create(panel=panel, version=1, body="You take part in a study.")
    visit = Visit.objects.create(
        panel=panel,
        participant=person,
        session_id=f"s{number}",
        arrived_at=now,
        consent=consent,
        consented_at=now,
    )
    bonus = Bonus.objects.create(panel=panel, participant=person, cents=50, reason="Careful notes")
    payout = Payout.objects.create(panel=panel, number=1, created_at=now)
    PayoutSet.objects.create(payout=payout, judgement=judgement, cents=5)
    return {"panels": panel, "visits": visit, "bonuses": bonus, "payouts": payout}
