"""What the filters of the pairs' page (apps/curation/filters.py) ask of pairs, in SQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Exists, F, OuterRef, Q
from django.db.models.functions import Greatest

from apps.comparison.decisions import answers_changed
from apps.comparison.pairs import ComparedPairs, predicted
from apps.curation.hypothesis_words import having_word
from apps.datasets.facts import fact_text
from apps.datasets.labels import ENTAILMENT, NO_LABEL, NO_MAJORITY, NON_ENTAILMENT, TIE
from apps.datasets.models import Correction, Dataset, Pair, Tag
from apps.datasets.sureness import not_read, of_sureness
from apps.datasets.words import Wanted
from apps.inference.models import Run
from apps.releases.gold_rules import NO_GOLD, PROBABLE, Options, golden, options_of
from apps.releases.models import GoldRule, RuleLabel

# As an origin: everything that somebody wrote or brought.
NO_TWINS = "no-twins"
# As origins: where the pairs of MED's Table 5 come from.
OF_CROWD, OF_PAPERS, OF_OTHERS = "of-crowd", "of-papers", "of-others"
# As what the calculus says: that it did not read the pair.
NOT_READ = "not-read"
YES, NO = "yes", "no"
AGREE, DIFFER, UNDECIDED = "agree", "differ", "undecided"
# Who disagrees, as columns of `compared`; *model* and *other-model* stand for the chosen runs'.
HUMAN, CALCULUS, FILE, MODEL, OTHER_MODEL = "human", "calculus", "file_label", "model", "other-model"
# Who else labels pairs, as a column.
ADJUDICATED = "adjudicated"
BETWEEN = {
    "people-calculus": (HUMAN, CALCULUS),
    "people-model": (HUMAN, MODEL),
    "calculus-model": (CALCULUS, MODEL),
    "file-people": (FILE, HUMAN),
    "file-calculus": (FILE, CALCULUS),
    "file-model": (FILE, MODEL),
    "people-other": (HUMAN, OTHER_MODEL),
    "calculus-other": (CALCULUS, OTHER_MODEL),
    "file-other": (FILE, OTHER_MODEL),
    "models": (MODEL, OTHER_MODEL),
}
DEEPEST = 5
#: The chosen runs, as ``MODEL`` and ``OTHER_MODEL``.
Runs = Mapping[str, Run]


def stored(dataset: Dataset, chosen: dict[str, Any]) -> Any:
    """The pairs by what is stored of them, before anything is counted."""
    pairs = dataset.pairs.all()
    if chosen["origin"] == NO_TWINS:
        pairs = pairs.exclude(origin=Pair.Origin.SWAP)
    elif chosen["origin"] in (OF_CROWD, OF_PAPERS, OF_OTHERS):
        pairs = _from(pairs, chosen["origin"])
    elif chosen["origin"]:
        pairs = pairs.filter(origin=chosen["origin"])
    if chosen["genre"]:
        word = quoted(chosen["genre"])
        pairs = pairs.filter(**({"genre__icontains": chosen["genre"]} if word is None else {"genre": word}))
    if chosen["fact"]:
        pairs = pairs.filter(facts__has_key=chosen["fact"])
    if chosen["fact"] and chosen["fact_is"]:
        value = quoted(chosen["fact_is"])
        pairs = pairs.annotate(fact_text=fact_text(chosen["fact"]))
        pairs = pairs.filter(fact_text=chosen["fact_is"] if value is None else value)
    if chosen["tag"]:
        pairs = pairs.filter(tagged(dataset, chosen["tag"]))
    if chosen["without_tag"]:
        pairs = pairs.filter(~tagged(dataset, chosen["without_tag"]))
    pairs = of_sureness(pairs, chosen["sure_from"], chosen["sure_below"], chosen["assumed"] or "")
    if chosen["calculus"] == NOT_READ:
        pairs = not_read(pairs)
    if chosen["text"]:
        pairs = pairs.filter(profile__words__holds=chosen["text"])
    for name in ("operator", "verb"):
        if chosen[name]:
            pairs = pairs.filter(**{f"profile__{name}s__holds": Wanted(words=(chosen[name],))})
    # MED's two criteria (section 3.2); pairs that the calculus has not looked at are on neither side.
    for name, column in (("shared", "shared_operators"), ("replaced", "argument_of")):
        if chosen[name] == YES:
            pairs = pairs.filter(**{f"profile__{column}__isnull": False}).exclude(
                **{f"profile__{column}": ""}
            )
        elif chosen[name] == NO:
            pairs = pairs.filter(**{f"profile__{column}": ""})
    if chosen["corrected"]:
        corrected = Exists(Correction.objects.filter(pair=OuterRef("pk"), undone_at=None))
        pairs = pairs.filter(corrected if chosen["corrected"] == YES else ~corrected)
    if chosen["depth"] is not None:
        deepest = "__gte" if chosen["depth"] == DEEPEST else ""
        pairs = pairs.filter(**{f"profile__depth{deepest}": chosen["depth"]})
    if chosen["hypothesis_word"]:
        pairs = having_word(pairs, chosen["hypothesis_word"])
    return pairs


def _from(pairs: Any, place: str) -> Any:
    """Where pairs come from as MED's Table 5 has it: by the genre's head, else by how they came to be
    (:func:`apps.dashboard.composition.origin_of`); no twins."""
    of_crowd, of_paper = (Q(genre=head) | Q(genre__startswith=f"{head}:") for head in ("crowd", "paper"))
    has_no_head = ~of_crowd & ~of_paper
    of_crowd |= has_no_head & Q(origin=Pair.Origin.CROWD)
    of_paper |= has_no_head & Q(origin=Pair.Origin.TYPED)
    wanted = {OF_CROWD: of_crowd, OF_PAPERS: of_paper, OF_OTHERS: ~of_crowd & ~of_paper}
    return pairs.exclude(origin=Pair.Origin.SWAP).filter(wanted[place])


def quoted(text: str) -> str | None:
    """What stands in a pair of quotes, which ask for exactly that; None without them.

    >>> quoted('"GLUE"'), quoted('""'), quoted("GLUE")
    ('GLUE', '', None)
    """
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else None


def tagged(dataset: Dataset, name: str) -> Exists:
    """Whether a pair has the tag: names that differ in case alone are one, as wherever tags are counted. One
    query, for how the name is spelt."""
    names = Tag.objects.filter(pair__dataset=dataset).order_by().values_list("name", flat=True).distinct()
    spelt = [other for other in names if other.casefold() == name.casefold()]
    return Exists(Tag.objects.filter(pair=OuterRef("pk"), name__in=[name, *spelt]))


def share_agreeing(found: ComparedPairs, least: int | None, most: int | None) -> ComparedPairs:
    """By the share of a pair's answers that are its most frequent one, in percent."""
    if least is None and most is None:
        return found
    found = found.filter(judgements__gt=0).annotate(
        leading=Greatest(F("entailments"), F("non_entailments"), F("unnatural")) * 100
    )
    if least is not None:
        found = found.filter(leading__gte=F("judgements") * least)
    if most is not None:
        found = found.filter(leading__lte=F("judgements") * most)
    return found


def gold(found: ComparedPairs, rule: GoldRule, label: str) -> ComparedPairs:
    if rule.kind not in PROBABLE:
        found = golden(found, Options.of(options_of(rule)))
        return found.filter(gold=NO_GOLD if label == "none" else label)
    given = RuleLabel.objects.filter(pair=OuterRef("pk"), rule=rule)
    if label == "none":
        return found.filter(~Exists(given.exclude(label="")))
    return found.filter(Exists(given.filter(label=label)))


def _column(name: str, runs: Runs) -> str:
    return predicted(runs[name]) if name in runs else name


def labelled_by(found: ComparedPairs, names: Sequence[str], runs: Runs) -> ComparedPairs:
    """All of these have one of the two labels."""
    labels = [ENTAILMENT, NON_ENTAILMENT]
    return found.filter(**{f"{_column(name, runs)}__in": labels for name in names})


def between(found: ComparedPairs, one: str, two: str, runs: Runs) -> ComparedPairs:
    """Both have one of the two labels, and not the same."""
    return labelled_by(found, [one, two], runs).exclude(**{_column(one, runs): F(_column(two, runs))})


def alike(found: ComparedPairs, one: str, two: str, runs: Runs) -> ComparedPairs:
    """Both have the same one of the two labels."""
    return labelled_by(found, [one, two], runs).filter(**{_column(one, runs): F(_column(two, runs))})


def agreement(found: ComparedPairs, wanted_agreement: str) -> ComparedPairs:
    if wanted_agreement == AGREE:
        return found.filter(human=F("calculus"))
    if wanted_agreement == DIFFER:
        labels = [ENTAILMENT, NON_ENTAILMENT]
        return found.filter(human__in=labels, calculus__in=labels).exclude(human=F("calculus"))
    if wanted_agreement == UNDECIDED:
        open_ = Q(adjudicated=NO_LABEL) | answers_changed("by_hand__pk")
        return found.filter(open_, human__in=[TIE, NO_MAJORITY])
    return found
