"""Flags: tags by hand that mean something to the program (apps/datasets/tags.py)."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext_lazy

from apps.accounts.models import User
from apps.datasets.models import Pair, Tag
from apps.datasets.tags import BY_HAND, FLAGS, NEEDS_REVIEW, NO_SWAP, TO_ADJUDICATE
from apps.studies import audit

FLAG_NAMES = {
    NO_SWAP: gettext_lazy("not to be swapped"),
    NEEDS_REVIEW: gettext_lazy("needs review"),
    TO_ADJUDICATE: gettext_lazy("sent to adjudication"),
}
assert FLAG_NAMES.keys() == FLAGS


@transaction.atomic
def pair_set_swappable(*, pair: Pair, actor: User, swappable: bool) -> None:
    """Keep a pair from being swapped in releases, or allow it again (MED, section 3.1.3)."""
    if swappable:
        Tag.objects.filter(pair=pair, name=NO_SWAP, source=BY_HAND).delete()
    else:
        Tag.objects.get_or_create(pair=pair, name=NO_SWAP, source=BY_HAND)
    audit.record("pair.swappable", study=pair.dataset.study, actor=actor, subject=pair, swappable=swappable)
