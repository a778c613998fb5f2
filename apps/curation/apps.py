from django.apps import AppConfig
from django.utils.translation import gettext_noop


class CurationConfig(AppConfig):
    """Reading a dataset's pairs and deciding on them: filters, tags, adjudication."""

    name = "apps.curation"

    def ready(self) -> None:
        from apps.campaigns.models import Campaign, Item, Judgement
        from apps.curation import adjudication, counted, glance
        from apps.curation.trail_words import WORDS
        from apps.datasets.models import (
            CalculusLabel,
            Correction,
            Dataset,
            GoldLabel,
            NotRead,
            Pair,
            Profile,
            Tag,
        )
        from apps.inference.models import Prediction, Run
        from apps.quality.waiting import add_card
        from apps.releases.models import RuleLabel
        from apps.studies import vocabulary
        from apps.studies.glance import add_problems
        from apps.studies.rooms import belong
        from apps.tallies import counting

        add_card("curation/_waiting.html", glance.waiting)
        waits = gettext_noop("Counting pairs that wait for a decision")
        reads = (Campaign, Item, Judgement, Dataset, Pair, CalculusLabel, GoldLabel, Tag, Correction)
        counting.register(adjudication.COUNTING, waits, adjudication.waiting_counted, reads)
        counting.register(glance.COUNTING, waits, glance.waiting_counted, reads)
        stored = (Dataset, Pair, CalculusLabel, GoldLabel, Correction, NotRead, Tag, Profile, Run, Prediction)
        looks = gettext_noop("Looking for pairs")
        counting.register(counted.PAIRS, looks, counted.passing_counted, stored)
        said = (*stored, Campaign, Item, Judgement, RuleLabel)
        counting.register(counted.BY_ANSWERS, looks, counted.passing_counted, said)
        add_problems(glance.problems)
        belong("adjudication", to="campaigns")
        belong("curation", to="pairs")
        vocabulary.register(WORDS)
