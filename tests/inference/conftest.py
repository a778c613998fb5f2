"""A small dataset with gold labels, and a place for trained files."""

import pytest

from workers import runtimes

PAIRS = [
    # premise, hypothesis, direction, gold (file), calculus
    ("Every dog runs.", "Every black dog runs.", "downward", "entailment", "entailment"),
    ("Every black dog runs.", "Every dog runs.", "downward", "non-entailment", "non-entailment"),
    ("A black dog runs.", "A dog runs.", "upward", "entailment", "entailment"),
    ("A dog runs.", "A black dog runs.", "upward", "non-entailment", "non-entailment"),
    ("Exactly two dogs run.", "Exactly two black dogs run.", "non-monotone", "non-entailment", "entailment"),
]


@pytest.fixture(autouse=True)
def var_dir(settings, tmp_path):
    settings.VAR_DIR = tmp_path
    settings.MODELS_DIR = tmp_path / "models"
    runtimes.loaded.clear()
    return tmp_path


@pytest.fixture
def make_dataset(study, ada):
    """A dataset of the pairs above, with their gold and calculus labels."""
    from apps.datasets.models import CalculusLabel, GoldLabel
    from apps.datasets.services import dataset_create, pair_get_or_create

    def make(name="five pairs", labels=None, rows=PAIRS):
        dataset = dataset_create(study=study, actor=ada, name=name, labels=labels)
        for premise, hypothesis, direction, gold, calculus in rows:
            pair = pair_get_or_create(
                dataset=dataset,
                premises=[(premise, None)],
                hypothesis=hypothesis,
                origin="import",
                direction=direction,
            )
            if gold:
                GoldLabel.objects.create(pair=pair, source="file", label=gold)
            if calculus:
                CalculusLabel.objects.create(
                    pair=pair,
                    engine="natlog",
                    engine_version="1",
                    convention="default",
                    parser="p",
                    label=calculus,
                    direction=direction,
                    reason="r",
                )
        return dataset

    return make


@pytest.fixture
def dataset(make_dataset):
    return make_dataset()


@pytest.fixture
def judge(study, ben, cleo, dan, ada):
    """Give a pair the validation answers of up to three annotators."""
    from django.utils import timezone

    from apps.campaigns.models import Assignment, Campaign, Guideline, Item, Judgement
    from apps.studies.services import participant_for

    def give(pair, *answers, counted=True):
        campaign, _ = Campaign.objects.get_or_create(
            study=study, name=f"validation of {pair.dataset}", task="validation", dataset=pair.dataset
        )
        guideline, _ = Guideline.objects.get_or_create(campaign=campaign, version=1, body="Judge.")
        item, _ = Item.objects.get_or_create(
            campaign=campaign, pair=pair, defaults={"position": campaign.items.count()}
        )
        now = timezone.now()
        for user, answer in zip((ben, cleo, dan, ada), answers, strict=False):
            person = participant_for(study, user)
            assignment = Assignment.objects.create(
                item=item,
                participant=person,
                state="submitted",
                leased_at=now,
                shown_at=now,
                expires_at=now,
            )
            Judgement.objects.create(
                assignment=assignment,
                item=item,
                participant=person,
                guideline=guideline,
                answer=answer,
                counted=counted,
                seconds=3,
                submitted_at=now,
            )

    return give
