"""Single pairs typed in with their source, as MED's are that come from publications (section 3.2)."""

from __future__ import annotations

from collections.abc import Sequence

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.datasets.labels import FILE
from apps.datasets.models import Dataset, Direction, GoldLabel, Pair
from apps.datasets.services import labels_complete, pair_get_or_create
from apps.frame.texts import pair_digest, text_checked


@transaction.atomic
def pair_type_in(
    *,
    dataset: Dataset,
    actor: User,
    premises: Sequence[str],
    hypothesis: str,
    source: str,
    label: str = "",
    genre: str = "",
    direction: str = "",
) -> Pair:
    """A pair with the publication it is from, and the label published there, if any; the calculus labels it
    in the background. ValidationError, by field, where the dataset has it already or something is missing.
    """
    texts = [" ".join(text.split()) for text in premises if text.strip()]
    hypothesis = " ".join(hypothesis.split())
    if not texts:
        raise ValidationError({"premises": _("A pair needs a premise.")})
    for text in texts:
        text_checked(text, "premises")
    text_checked(hypothesis, "hypothesis")
    source = text_checked(" ".join(source.split()), "source")
    if label not in ("", *dataset.labels):
        raise ValidationError({"label": _("This is not one of the dataset's labels.")})
    if direction not in ("", *Direction.values):
        raise ValidationError({"direction": _("Choose upward, downward or non-monotone.")})
    # Two who type the same at once: the later one waits, and is told.
    Dataset.objects.select_for_update(no_key=True).get(pk=dataset.pk)
    if there := Pair.objects.filter(dataset=dataset, digest=pair_digest(texts, hypothesis)).first():
        raise ValidationError(_("The dataset has this pair already: number %(n)d.") % {"n": there.pk})
    pair = pair_get_or_create(
        dataset=dataset,
        premises=[(text, None) for text in texts],
        hypothesis=hypothesis,
        origin=Pair.Origin.TYPED,
        direction=direction,
        genre=genre.strip(),
        source=source,
    )
    if label:
        GoldLabel.objects.create(pair=pair, source=FILE, label=label)
    labels_complete(dataset=dataset, actor=actor)
    return pair


def typed_last(dataset: Dataset) -> QuerySet[Pair]:
    """The pairs typed in, the newest first, with their premises and labels."""
    typed = dataset.pairs.filter(origin=Pair.Origin.TYPED).order_by("-pk")
    return typed.prefetch_related("premises", "gold_labels")
