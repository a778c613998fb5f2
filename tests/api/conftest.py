"""Tokens, and a study that holds one of everything."""

import pytest
from django.test import Client
from django.utils import timezone

from apps.campaigns.models import (
    Assignment,
    Campaign,
    Guideline,
    Item,
    Judgement,
    JudgementRevision,
    Replacement,
)
from apps.corpora.models import Blank, BlankSet, Constituent, Corpus, Parse, PolarityMarking, Sentence
from apps.datasets.models import CalculusLabel, Dataset, GoldLabel, Pair, Premise, Tag
from apps.inference.models import Model, Prediction, Run
from apps.jobs.models import Job
from apps.releases.models import Release
from apps.studies.models import Participant
from tests.api.dataset_rows import add_dataset_work, add_webhook
from tests.api.rows import add_corpus_work, add_panel, add_people, add_quality

ENGINE = {"engine": "natlog", "engine_version": "1", "convention": "default"}
SPAN = {"start": 6, "end": 9, "text": "dog", "category": "NP", "polarity": "down"}
TREE = {"tokens": [{"text": "Every", "start": 0, "end": 5}, {"text": "dog", "start": 6, "end": 9}]}


@pytest.fixture
def token_client():
    """A client that sends a token of the user, with every scope or the given ones, and nothing else."""
    from apps.accounts.models import Scope
    from apps.people.services import api_token_create

    def make(user, *scopes):
        _token, secret = api_token_create(user=user, name="script", scopes=scopes or Scope.values)
        return Client(headers={"Authorization": f"Bearer {secret}"})

    return make


@pytest.fixture
def fill(db):
    """Put one of everything into a study for each number; returns the last of each by its list's name."""

    def make(study, numbers=(0,)):
        for number in numbers:
            blank = add_blank(study, number)
            pair = add_pair(study, number, blank)
            judgement = add_judgements(study, number, blank, pair)
            prediction = add_prediction(study, number, pair)
            release = Release.objects.create(
                dataset=pair.dataset,
                number=1,
                rule="all",
                options={"rule": "all", "salt": "secret"},
                file_name=f"dataset-{number}-1.zip",
            )
            beside = {
                **add_people(study, number),
                **add_corpus_work(study, number, blank),
                **add_quality(study, number, judgement),
                **add_panel(number, judgement),
                **add_dataset_work(study, number, blank, pair),
                **add_webhook(study, number),
            }
        return beside | {
            "corpora": blank.sentence.corpus,
            "sentences": blank.sentence,
            "blank-sets": blank.blank_set,
            "blanks": blank,
            "campaigns": judgement.item.campaign,
            "judgements": judgement,
            "datasets": pair.dataset,
            "pairs": pair,
            "models": prediction.run.model,
            "runs": prediction.run,
            "predictions": prediction,
            "releases": release,
            "jobs": prediction.run.job,
        }

    return make


def add_blank(study, number):
    corpus = Corpus.objects.create(study=study, name=f"corpus {number}", licence="CC0", source="us")
    sentence = Sentence.objects.create(
        corpus=corpus, position=0, text=f"Every dog number {number} runs.", digest=str(number)
    )
    parse = Parse.objects.create(sentence=sentence, parser="p", kind="declarative", tokens=2, tree=TREE)
    marking = PolarityMarking.objects.create(parse=parse, signs=["↑", "↓"], **ENGINE)
    Constituent.objects.create(marking=marking, first_token=1, tokens=1, operator="every", **SPAN)
    blanks = BlankSet.objects.create(study=study, name=f"set {number}")
    return Blank.objects.create(blank_set=blanks, sentence=sentence, parser="p", **SPAN, **ENGINE)


def add_pair(study, number, blank):
    dataset = Dataset.objects.create(study=study, name=f"dataset {number}")
    pair = Pair.objects.create(
        dataset=dataset,
        hypothesis=f"Every black dog number {number} runs.",
        digest=str(number),
        origin="crowd",
        direction="downward",
        blank=blank,
    )
    Premise.objects.create(pair=pair, position=0, text=blank.sentence.text, sentence=blank.sentence)
    Tag.objects.create(pair=pair, name="lexical_knowledge", source="natlog")
    GoldLabel.objects.create(pair=pair, source="file", label="entailment")
    CalculusLabel.objects.create(
        pair=pair, label="entailment", direction="downward", reason="r", parser="p", **ENGINE
    )
    return pair


def add_judgements(study, number, blank, pair):
    """A creation answer and a validation answer of the same person; returns the latter."""
    person = Participant.objects.create(study=study, pseudonym=f"a{study.pk}{number:04}")
    shared = {"study": study, "dataset": pair.dataset}
    creation = Campaign.objects.create(
        name=f"creation {number}", task="creation", blank_set=blank.blank_set, **shared
    )
    written = add_judgement(creation, person, blank=blank)
    Replacement.objects.create(
        judgement=written, position=0, text="black dog", hypothesis=pair.hypothesis, pair=pair
    )
    validation = Campaign.objects.create(name=f"validation {number}", task="validation", **shared)
    return add_judgement(validation, person, "entailment", pair=pair)


def add_judgement(campaign, person, answer="", **item):
    now = timezone.now()
    guideline = Guideline.objects.create(campaign=campaign, version=1, body="Read.")
    item = Item.objects.create(campaign=campaign, position=0, counted=1, **item)
    lease = Assignment.objects.create(
        item=item, participant=person, state="submitted", leased_at=now, shown_at=now, expires_at=now
    )
    judgement = Judgement.objects.create(
        assignment=lease,
        item=item,
        participant=person,
        guideline=guideline,
        seconds=4,
        answer=answer,
        submitted_at=now,
    )
    JudgementRevision.objects.create(
        judgement=judgement, number=1, guideline=guideline, value={"answer": answer}, at=now
    )
    return judgement


def add_prediction(study, number, pair):
    job = Job.objects.create(
        study=study,
        kind="inference.run",
        title="job",
        total=4,
        done=1,
        state="running",
        heartbeat_at=timezone.now(),
    )
    model = Model.objects.create(study=study, name=f"m {number}", kind="overlap", config={"threshold": 0.5})
    run = Run.objects.create(model=model, dataset=pair.dataset, job=job)
    return Prediction.objects.create(run=run, pair=pair, label="entailment", scores={"entailment": 0.9})
