"""Nobody judges a pair of their own: one that was made of a replacement of theirs, nor its swapped twin.

The rule twice, as what asks can take it: in SQL for what runs with each card, as a condition of Django's for
the rest. tests/campaigns/test_card_sql.py holds them together.
"""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q

from apps.campaigns.models import Replacement
from apps.studies.models import Participant

#: 1 where ``{writer}`` (a participant's number) wrote the pair of number ``{pair}`` or its original, else 0.
OWN = """(SELECT CASE WHEN COUNT(*) > 0 THEN 1 ELSE 0 END FROM campaigns_replacement own
    WHERE own.pair_id IN ({pair},
        (SELECT pair.swapped_from_id FROM datasets_pair pair WHERE pair.id = {pair}))
      AND (SELECT wrote.participant_id FROM campaigns_judgement wrote
           WHERE wrote.id = own.judgement_id) = {writer})"""


def not_own(participant: Participant) -> Q:
    """Of items: the participant wrote neither their pair nor its original."""
    own = Replacement.objects.filter(judgement__participant=participant)
    return ~Exists(own.filter(pair=OuterRef("pair"))) & ~Exists(
        own.filter(pair=OuterRef("pair__swapped_from"))
    )
