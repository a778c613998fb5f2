"""Everything that is written about blanks: sets, pilots, the stop list."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.accounts.models import User
from apps.corpora.blank_selectors import BlankFilters, Candidate, candidates, draw
from apps.corpora.models import Blank, BlankSet, Constituent, StopExpression
from apps.corpora.pilots import skip_rates
from apps.corpora.selectors import MarkingGroup, group_by_key, marking_groups
from apps.corpora.stop_lists import folded
from apps.studies import audit
from apps.studies.models import Study

# Copied from the constituent, so that a later marking leaves running campaigns as they are.
_COPIED = ("start", "end", "text", "category", "polarity", "operator", "why")
_ORIGIN = ("engine", "engine_version", "convention", "parser")


@transaction.atomic
def blank_set_create(
    *,
    study: Study,
    actor: User | None,
    name: str,
    filters: BlankFilters,
    maximum: int | None = None,
    quotas: Mapping[str, int] | None = None,
    seed: int = 0,
    only: Collection[int] | None = None,
) -> BlankSet:
    """Pick every constituent that passes ``filters``, or ``maximum`` of them at random, and of a polarity no
    more than its quota; where ``only`` is given, among the constituents with these keys.

    Raises :class:`ValidationError` where nothing passes or the name is taken.
    """
    groups = marking_groups(study=study)
    group = group_by_key(groups, filters.group)
    if group is None:
        raise ValidationError(_("Nothing is parsed yet."))
    # The set remembers whose markings it was made of, also where the latest were taken unnamed.
    filters = replace(filters, group=group.key) if not filters.group else filters
    passing = candidates(study=study, filters=filters, groups=groups)
    chosen = draw(
        passing if only is None else [item for item in passing if item.pk in only],
        maximum=maximum,
        seed=seed,
        one_per_sentence=filters.one_per_sentence,
        quotas=quotas,
    )
    if not chosen:
        raise ValidationError(_("No constituent passes these filters."))
    drawn_by = {"maximum_blanks": maximum, "quotas": dict(quotas or {})}
    blank_set = _new_set(study, actor, name, filters.as_json() | drawn_by, seed)
    _copy(blank_set, chosen, group)
    audit.record(
        "blank_set.created", study=study, actor=actor, subject=blank_set, name=name, blanks=len(chosen)
    )
    return blank_set


def _copy(blank_set: BlankSet, chosen: Sequence[Candidate], group: MarkingGroup) -> None:
    """The blanks of a set: what its constituents say now, and whose marking it is."""
    origin = {name: getattr(group, name) for name in _ORIGIN}
    blanks = []
    for begin in range(0, len(chosen), 500):
        some = chosen[begin : begin + 500]
        found = Constituent.objects.in_bulk([item.pk for item in some])
        for item in some:
            constituent = found[item.pk]
            copied = {field: getattr(constituent, field) for field in _COPIED}
            blanks.append(
                Blank(
                    blank_set=blank_set,
                    sentence_id=item.sentence,
                    constituent=constituent,
                    **origin,
                    **copied,
                )
            )
    Blank.objects.bulk_create(blanks, batch_size=500)


@transaction.atomic
def blank_take_out(*, blank: Blank, actor: User) -> None:
    """Take a bad blank out of its set, and out of the campaigns where nobody has begun on it.

    Raises :class:`ValidationError` where somebody has: what was written about it must keep it.
    """
    # Locked first and looked at in a statement of its own: whoever is handed one out locks it, too.
    locked = [item.pk for item in blank.items.select_for_update().order_by("campaign", "pk")]
    if not Blank.objects.select_for_update().filter(pk=blank.pk).exists():
        raise ValidationError(_("It is out of the set already."))
    items = blank.items.filter(pk__in=locked)
    begun = items.filter(assignments__isnull=False).values_list("campaign__name", flat=True)
    if names := sorted(set(begun)):
        raise ValidationError(
            _("Somebody has begun on it in %(names)s, so it stays.")
            % {"names": ", ".join(f"“{name}”" for name in names)}
        )
    audit.record(
        "blank.taken_out",
        study=blank.blank_set.study,
        actor=actor,
        subject=blank.blank_set,
        text=blank.text,
        sentence=blank.sentence_id,
        blank=blank.pk,
    )
    items.delete()
    blank.delete()


@transaction.atomic
def pilot_create(*, blank_set: BlankSet, actor: User | None, size: int, seed: int = 0) -> BlankSet:
    """A small set drawn at random from another, to be given to annotators first.

    Raises :class:`ValidationError` where the set has fewer blanks than the pilot would.
    """
    blanks = list(blank_set.blanks.filter(sentence__put_aside_at=None).order_by("pk"))
    if size < 1:
        raise ValidationError(_("A pilot has at least one blank."))
    if size > len(blanks):
        raise ValidationError(
            ngettext(
                "A pilot of %(size)d can't be drawn: the set has %(n)d blank.",
                "A pilot of %(size)d can't be drawn: the set has %(n)d blanks.",
                len(blanks),
            )
            % {"size": size, "n": len(blanks)}
        )
    drawn = random.Random(seed).sample(blanks, size)
    number, name = blank_set.pilots.count(), ""
    while not name or BlankSet.objects.filter(study=blank_set.study, name=name).exists():
        number += 1
        name = _("%(name)s, pilot %(n)d") % {"name": blank_set.name[:180], "n": number}
    pilot = _new_set(blank_set.study, actor, name, blank_set.filters, seed, pilot_of=blank_set)
    Blank.objects.bulk_create(
        [
            Blank(
                blank_set=pilot,
                sentence_id=blank.sentence_id,
                constituent_id=blank.constituent_id,
                **{field: getattr(blank, field) for field in (*_COPIED, *_ORIGIN)},
            )
            for blank in sorted(drawn, key=lambda blank: blank.pk)
        ],
        batch_size=500,
    )
    audit.record(
        "pilot.created", study=blank_set.study, actor=actor, subject=pilot, of=blank_set.pk, blanks=len(drawn)
    )
    return pilot


def _new_set(
    study: Study,
    actor: User | None,
    name: str,
    filters: dict[str, object],
    seed: int,
    pilot_of: BlankSet | None = None,
) -> BlankSet:
    name = name.strip()
    if not name:
        raise ValidationError({"name": _("Give the set a name.")})
    blank_set, made = BlankSet.objects.get_or_create(
        study=study,
        name=name,
        defaults={"filters": filters, "seed": seed, "pilot_of": pilot_of, "created_by": actor},
    )
    if not made:
        raise ValidationError({"name": _("There is a set of this name.")})
    return blank_set


@transaction.atomic
def stop_expression_add(
    *, study: Study, actor: User | None, expression: str, origin: str = ""
) -> StopExpression:
    """Put an expression on the stop list; one that is there already stays as it is."""
    form = folded(expression.replace("\0", ""))
    if not form:
        raise ValidationError({"expression": _("Write an expression.")})
    if len(form) > 200:
        raise ValidationError({"expression": _("An expression has at most 200 characters.")})
    entry, made = StopExpression.objects.get_or_create(
        study=study, expression=form, defaults={"origin": origin[:200], "created_by": actor}
    )
    if made:
        audit.record("stop_expression.added", study=study, actor=actor, subject=entry, expression=form)
    return entry


@transaction.atomic
def proposals_accept(
    *, blank_set: BlankSet, actor: User | None, expression: str = ""
) -> list[StopExpression]:
    """Put one expression that a set's annotators skipped on the stop list, or all that are proposed."""
    accepted = [
        rate
        for rate in skip_rates(blank_set)
        if rate.expression == expression or (not expression and rate.is_proposed)
    ]
    return [
        stop_expression_add(
            study=blank_set.study,
            actor=actor,
            expression=rate.expression,
            origin=_("%(set)s: %(skips)d of %(n)d skipped")
            % {"set": blank_set.name[:150], "skips": rate.skips, "n": rate.judgements},
        )
        for rate in accepted
    ]


@transaction.atomic
def stop_expression_remove(*, entry: StopExpression, actor: User) -> None:
    """Take an expression off the stop list; sets that were made with it stay as they are."""
    audit.record(
        "stop_expression.removed",
        study=entry.study,
        actor=actor,
        subject=entry,
        expression=entry.expression,
    )
    entry.delete()
