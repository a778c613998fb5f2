"""Which constituents can become blanks, and the sets made of them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

from django.db.models import Count, Q, QuerySet

from apps.corpora.models import (
    Blank,
    BlankSet,
    Constituent,
    Corpus,
    Parse,
    Polarity,
    PolarityMarking,
    Sentence,
)
from apps.corpora.selectors import MarkingGroup, group_by_key, marking_groups
from apps.corpora.stop_lists import StopList
from apps.frame.planning import joined_by_hashing
from apps.studies.access import within
from apps.studies.models import Study

# What an annotator can make more specific with a modifier, a conjunct or a narrower word: phrases of a
# noun, verb, adjective or adverb. Whole clauses, numbers and possessives are there to be chosen, too.
DEFAULT_CATEGORIES = ("NP", "NBAR", "N", "VP", "PP", "AP", "ADVP")
# On the CCG route: nouns, noun phrases, modifiers of both, verb phrases.
_CCG_DEFAULTS = ("N/N", "NP\\NP", "(S\\NP)\\(S\\NP)", "S[adj]\\NP", "S[b]\\NP", "S[dcl]\\NP", "S[ng]\\NP")
# MED, section 3.1.1: "declarative sentences with more than five tokens".
SENTENCE_TOKENS = 6
ANY_OPERATOR = "*"
# What a pass over constituents joins.
JOINED = (Constituent, PolarityMarking, Parse, Sentence)
# Below it a parse is doubtful: a mended one has 0.8, a reading that English hardly allows 0.6, a fault that
# nothing mended 0.4 (natlog/parsing/suspicion.py).
SURE_PARSE = 0.75


_LISTS = ("corpora", "operators", "without", "categories")


@dataclass(frozen=True)
class BlankFilters:
    """What is looked for. Lengths are in tokens; None means no limit. ``operator`` is an id that stands
    in the chain above the constituent, ``*`` for any at all (MED: a blank is an operator's argument), or
    "" for no matter; one of ``operators`` stands there, if there are any, and none of ``without``. ``group``
    is a :attr:`MarkingGroup.key`. With ``stop_sentences`` the stop list leaves out every blank of a sentence
    that one of its expressions stands in (MED, section 3.1.1), without it only blanks that are one.

    Blanks of sentences whose parse has a confidence below ``parse_sure`` are left out unless ``doubtful``:
    the sign of such a blank may be the wrong way round, and every pair written in it then matches no label
    (MED, Table 3), which reads as its annotators' error."""

    corpora: tuple[int, ...] = ()
    group: str = ""
    direction: str = ""
    operator: str = ANY_OPERATOR
    operators: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    minimum: int = 1
    maximum: int | None = None
    sentence_minimum: int = SENTENCE_TOKENS
    declarative: bool = True
    stop_list: bool = True
    stop_sentences: bool = False
    one_per_sentence: bool = False
    parse_sure: float = SURE_PARSE
    doubtful: bool = False

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {name: list(getattr(self, name)) for name in _LISTS}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> BlankFilters:
        known = {name: data[name] for name in cls.__dataclass_fields__ if name in data}
        for name in _LISTS:
            known[name] = tuple(known.get(name, ()))
        # A set that was made before parses were asked for their confidence has blanks of all.
        known.setdefault("doubtful", "parse_sure" not in data)
        return cls(**known)


class Candidate(NamedTuple):
    """A constituent that passes the filters; a tuple, since there are tens of thousands on one page."""

    pk: int
    sentence: int
    sentence_text: str
    start: int
    end: int
    text: str
    polarity: str
    operator: str
    category: str

    @property
    def before(self) -> str:
        return self.sentence_text[: self.start]

    @property
    def after(self) -> str:
        return self.sentence_text[self.end :]


def constituents_of(study: Study, group: MarkingGroup) -> QuerySet[Constituent]:
    return group.of(within(Constituent, study).filter(rewritable=True), "marking__")


@dataclass(frozen=True)
class Choices:
    """What can be filtered by: the operators above rewritable constituents and the categories of these,
    each with how many there are, the commonest first."""

    operators: list[tuple[str, int]]
    categories: list[tuple[str, int]]


def choices_of(study: Study, group: MarkingGroup | None) -> Choices:
    """One query, since a pass over the constituents is what costs."""
    operators: Counter[str] = Counter()
    categories: Counter[str] = Counter()
    if group is not None:
        rows = constituents_of(study, group).order_by().values_list("operators", "category")
        with joined_by_hashing(*JOINED):
            counted = list(rows.annotate(n=Count("pk")))
        for chain, category, count in counted:
            categories[category] += count
            # Once a constituent, as the filter finds it, however often the operator stands above it.
            for operator in set(filter(None, chain.split("|"))):
                operators[operator] += count
    return Choices(_commonest_first(operators), _commonest_first(categories))


def _commonest_first(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def default_categories(categories: Sequence[str]) -> list[str]:
    return [name for name in categories if name in DEFAULT_CATEGORIES or name in _CCG_DEFAULTS]


def candidates(
    *, study: Study, filters: BlankFilters, groups: list[MarkingGroup] | None = None
) -> list[Candidate]:
    """Every constituent that passes, in the corpus' order. Three queries; two where the study's marking
    groups are known already."""
    passing = unstopped(study=study, filters=filters, groups=groups)
    if not (filters.stop_list and passing):
        return passing
    return StopList.of(study).left(passing, sentences=filters.stop_sentences)


def unstopped(
    *, study: Study, filters: BlankFilters, groups: list[MarkingGroup] | None = None
) -> list[Candidate]:
    """What would pass without the stop list. Two queries; one where the marking groups are known."""
    least = None if filters.doubtful else filters.parse_sure
    return _passing(study, filters, groups, least=least)


def doubtful(
    *, study: Study, filters: BlankFilters, groups: list[MarkingGroup] | None = None
) -> list[Candidate]:
    """Of what passes all else, the stop list too, the blanks of sentences whose parse is doubtful, whether
    they are asked for or not. Three queries; two where the marking groups are known."""
    found = _passing(study, filters, groups, below=filters.parse_sure)
    if not (filters.stop_list and found):
        return found
    return StopList.of(study).left(found, sentences=filters.stop_sentences)


def _passing(
    study: Study,
    filters: BlankFilters,
    groups: list[MarkingGroup] | None,
    least: float | None = None,
    below: float | None = None,
) -> list[Candidate]:
    group = group_by_key(marking_groups(study=study) if groups is None else groups, filters.group)
    if group is None or (filters.group and group.key != filters.group):
        return []
    found = _of_sentences(_by_operators(constituents_of(study, group), filters), filters)
    if filters.direction:
        found = found.filter(polarity=filters.direction)
    if filters.categories:
        found = found.filter(category__in=filters.categories)
    if least is not None:
        found = found.filter(marking__parse__confidence__gte=least)
    if below is not None:
        found = found.filter(marking__parse__confidence__lt=below)
    found = found.filter(tokens__gte=filters.minimum)
    if filters.maximum is not None:
        found = found.filter(tokens__lte=filters.maximum)
    rows = found.order_by(
        "marking__parse__sentence__corpus", "marking__parse__sentence__position", "start", "-end"
    ).values_list(
        "pk",
        "marking__parse__sentence",
        "marking__parse__sentence__text",
        "start",
        "end",
        "text",
        "polarity",
        "operator",
        "category",
    )
    with joined_by_hashing(*JOINED):
        return list(map(Candidate._make, rows))


def _by_operators(found: QuerySet[Constituent], filters: BlankFilters) -> QuerySet[Constituent]:
    if filters.operator == ANY_OPERATOR:
        found = found.exclude(operators="")
    elif filters.operator:
        found = found.filter(operators__contains=f"|{filters.operator}|")
    if filters.operators:
        above = (Q(operators__contains=f"|{operator}|") for operator in filters.operators)
        found = found.filter(reduce(or_, above))
    for operator in filters.without:
        found = found.exclude(operators__contains=f"|{operator}|")
    return found


def _of_sentences(found: QuerySet[Constituent], filters: BlankFilters) -> QuerySet[Constituent]:
    found = found.filter(
        marking__parse__sentence__put_aside_at=None,
        marking__parse__sentence__corpus__archived_at=None,
        marking__parse__tokens__gte=filters.sentence_minimum,
    )
    if filters.corpora:
        found = found.filter(marking__parse__sentence__corpus__in=filters.corpora)
    if filters.declarative:
        # A text of several sentences has the kind of its main one: a question among them keeps it out, too.
        found = found.filter(marking__parse__kind="declarative").exclude(
            marking__parse__sentence__text__contains="?"
        )
    return found


@dataclass(frozen=True)
class Found:
    """The numbers behind a set of candidates."""

    total: int
    sentences: int
    directions: dict[str, int]
    operators: list[tuple[str, int]]
    categories: list[tuple[str, int]]


def numbers_of(found: Sequence[Candidate]) -> Found:
    directions = Counter(item.polarity for item in found)
    return Found(
        total=len(found),
        sentences=len({item.sentence for item in found}),
        directions={polarity: directions[polarity] for polarity in Polarity.values},
        operators=Counter(item.operator for item in found if item.operator).most_common(),
        categories=Counter(item.category for item in found).most_common(),
    )


def draw(
    found: Sequence[Candidate],
    *,
    maximum: int | None,
    seed: int,
    one_per_sentence: bool,
    quotas: Mapping[str, int] | None = None,
) -> list[Candidate]:
    """A seeded choice among the candidates, in their order: at most ``maximum`` in all and ``quotas[sign]``
    of a polarity (MED, section 3.1.1, took more downward ones than upward), and at most one of each
    sentence where wanted."""
    chance = random.Random(seed)
    chosen = list(found)
    if one_per_sentence:
        by_sentence: dict[int, list[Candidate]] = {}
        for item in found:
            by_sentence.setdefault(item.sentence, []).append(item)
        chosen = [chance.choice(items) for items in by_sentence.values()]
    for sign, most in (quotas or {}).items():
        places = [place for place, item in enumerate(chosen) if item.polarity == sign]
        left_out = set(places) - set(chance.sample(places, min(most, len(places))))
        chosen = [item for place, item in enumerate(chosen) if place not in left_out]
    if maximum is not None and maximum < len(chosen):
        places = sorted(chance.sample(range(len(chosen)), maximum))
        chosen = [chosen[place] for place in places]
    return chosen


# ---- Sets ---------------------------------------------------------------------------
def blank_sets_of(study: Study, *, archived: bool = False) -> QuerySet[BlankSet]:
    return (
        BlankSet.objects.filter(study=study, archived_at__isnull=not archived)
        .select_related("pilot_of")
        .annotate(blank_count=Count("blanks"))
    )


def numbers_of_set(blank_set: BlankSet) -> Found:
    """The numbers of a stored set. Four queries."""
    blanks = blank_set.blanks.order_by()
    directions = dict(blanks.values_list("polarity").annotate(Count("pk")))
    return Found(
        total=sum(directions.values()),
        sentences=blanks.values("sentence").distinct().count(),
        directions={polarity: directions.get(polarity, 0) for polarity in Polarity.values},
        operators=_counted(blanks.exclude(operator=""), "operator"),
        categories=_counted(blanks, "category"),
    )


def doubtful_in(blank_set: BlankSet) -> int:
    """How many blanks of a set stand in sentences whose parse is doubtful. One query."""
    return blank_set.blanks.filter(constituent__marking__parse__confidence__lt=SURE_PARSE).count()


def _counted(blanks: QuerySet[Blank], field: str) -> list[tuple[str, int]]:
    return list(blanks.values_list(field).annotate(n=Count("pk")).order_by("-n", field))


def corpora_with_parses(study: Study) -> QuerySet[Corpus]:
    parsed = Corpus.objects.filter(study=study, archived_at=None, sentences__parses__isnull=False)
    return parsed.distinct()


def provenance_of(blank_set: BlankSet) -> tuple[str, str]:
    """Licence and source of a set's sentences, each said once; they go with the pairs made of it."""
    corpora = Corpus.objects.filter(sentences__blanks__blank_set=blank_set).distinct()
    licences = dict.fromkeys(corpus.licence for corpus in corpora)
    sources = dict.fromkeys(corpus.source for corpus in corpora)
    return "; ".join(licences)[:200], "; ".join(sources)[:500]
