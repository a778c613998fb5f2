from django.apps import AppConfig
from django.utils.translation import gettext_noop


class ComparisonConfig(AppConfig):
    """Who says what of a pair: people, calculus, files and models."""

    name = "apps.comparison"

    def ready(self) -> None:
        from apps.campaigns.models import Campaign, Item, Judgement
        from apps.comparison import invariants
        from apps.comparison.majority import people
        from apps.datasets.models import CalculusLabel, Dataset, GoldLabel, Pair
        from apps.inference.models import Prediction, Run
        from apps.inference.references import register as add_reference
        from apps.inference.selectors import FIGURES, figures_counted
        from apps.studies.soundness import register
        from apps.tallies import counting

        register(*invariants.CHECKS)
        add_reference(people)
        # Here, since what people say is one of the references.
        counting.register(
            FIGURES,
            gettext_noop("Measuring a model against people, calculus and files"),
            figures_counted,
            (Dataset, Pair, CalculusLabel, GoldLabel, Run, Prediction, Campaign, Item, Judgement),
        )
