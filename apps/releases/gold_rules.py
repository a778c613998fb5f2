"""Gold rules: which label of a pair is the gold one, and what a release is told beside that.

MED (section 3.1.3) published the pairs on which all three annotators gave the label that the calculus
had determined: that is ``all`` with three judgements. The other rules are what other datasets do.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Case, CharField, F, Q, Value, When
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.comparison.pairs import ComparedPairs
from apps.datasets.labels import ENTAILMENT, NO_LABEL, NO_MAJORITY, NON_ENTAILMENT, NOT_JUDGED, TIE, UNNATURAL
from apps.releases.models import GoldRule

ALL_MATCH = GoldRule.Kind.ALL_MATCH.value
AT_LEAST = GoldRule.Kind.AT_LEAST.value
MAJORITY = GoldRule.Kind.MAJORITY.value
ADJUDICATED = GoldRule.Kind.ADJUDICATED.value
FROM_FILE = GoldRule.Kind.FILE.value
POSTERIOR = GoldRule.Kind.POSTERIOR.value
MACE = GoldRule.Kind.MACE.value
# Rules of probabilities, which are not for the database.
PROBABLE = (POSTERIOR, MACE)
RULE_NAMES = {
    ALL_MATCH: gettext_lazy("Every judgement matches the calculus label"),
    AT_LEAST: gettext_lazy("At least so many judgements match the calculus label"),
    MAJORITY: gettext_lazy("The label that most people gave"),
    ADJUDICATED: gettext_lazy("The label that a researcher decided on"),
    FROM_FILE: gettext_lazy("The label that came with an imported pair"),
    POSTERIOR: gettext_lazy("The label that is probable enough (Dawid–Skene)"),
    MACE: gettext_lazy("The label that is probable enough (MACE)"),
}

# What an *unnatural* answer does to a pair.
ANY_UNNATURAL, MOST_UNNATURAL, IGNORE_UNNATURAL = "any", "most", "ignore"
UNNATURAL_WORDS = {
    MOST_UNNATURAL: gettext_lazy("out if most say so"),
    ANY_UNNATURAL: gettext_lazy("out if anybody says so"),
    IGNORE_UNNATURAL: gettext_lazy("not counted"),
}
UNNATURAL_NAMES = {
    MOST_UNNATURAL: gettext_lazy("leaves the pair out if most people gave it; else it matches nothing"),
    ANY_UNNATURAL: gettext_lazy("leaves the pair out, even a single one"),
    IGNORE_UNNATURAL: gettext_lazy("is as if it had not been given"),
}

# The gold label of a pair that the rule gives none.
NO_GOLD = ""


@dataclass(frozen=True)
class Options:
    """All that decides on a release's content.

    The gold rule: its kind ``rule``; ``judgements``, how many a pair needs at least; ``matches``, for
    ``at-least``; ``sure``, the least confidence of a calculus label that counts, for ``all`` and
    ``at-least``; ``posterior``, the least probability, for ``posterior`` and ``mace``; ``unnatural``, what
    such an answer does. ``campaigns``: the numbers of those whose judgements are read, none for the
    usual ones (apps/comparison/judges.py); a release keeps the numbers. Then what is published: ``swaps``
    adds the twins, ``unknown_twins`` also those of wordings that no source relates where the writer was asked
    for a more specific one and people's majority says what the calculus says, ``keep_unlabelled`` the pairs
    without a gold label. Then the splits: their shares in
    percent (100 together) and the seed that draws them.
    """

    rule: str = ALL_MATCH
    judgements: int = 3
    matches: int = 2
    sure: float = 0.0
    posterior: float = 0.9
    unnatural: str = MOST_UNNATURAL
    campaigns: tuple[int, ...] = ()
    swaps: bool = True
    unknown_twins: bool = False
    keep_unlabelled: bool = False
    train: int = 80
    validation: int = 10
    test: int = 10
    seed: int = 1

    @classmethod
    def of(cls, stored: dict[str, Any]) -> Options:
        known = {field.name: stored[field.name] for field in fields(cls) if field.name in stored}
        return cls(**{**known, "campaigns": tuple(known.get("campaigns", ()))})

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "campaigns": list(self.campaigns)}

    @property
    def shares(self) -> dict[str, int]:
        """The splits that are wanted, with their shares in percent."""
        shares = {"train": self.train, "validation": self.validation, "test": self.test}
        return {name: share for name, share in shares.items() if share}

    def check(self) -> None:
        """Raise :class:`ValidationError`, by field, for what makes no sense."""
        wrong: dict[str, str] = {}
        people = self.rule not in (ADJUDICATED, FROM_FILE)
        if self.rule not in RULE_NAMES:
            wrong["rule"] = _("There is no such rule.")
        if self.judgements < people:
            wrong["judgements"] = _("At least one judgement is needed.")
        if self.rule == AT_LEAST and not 1 <= self.matches <= self.judgements:
            wrong["matches"] = _("Matches are between 1 and the number of judgements.")
        if not 0 <= self.sure <= 1:
            wrong["sure"] = _("A confidence between 0 and 1.")
        if not 0.5 <= self.posterior <= 1:
            wrong["posterior"] = _("A probability between 0.5 and 1.")
        if self.unnatural not in UNNATURAL_NAMES:
            wrong["unnatural"] = _("There is no such way to treat unnatural answers.")
        if min(self.train, self.validation, self.test) < 0 or sum(self.shares.values()) != 100:
            wrong["train"] = _("The shares of the splits are 100 % together.")
        if wrong:
            raise ValidationError(wrong)


# The options that make a gold rule; the others are a release's own.
RULE_PARAMETERS = ("judgements", "matches", "sure", "posterior", "unnatural")
# The rules that take the calculus' label.
BY_CALCULUS = (ALL_MATCH, AT_LEAST)
_ONLY_FOR = {"matches": (AT_LEAST,), "sure": BY_CALCULUS, "posterior": PROBABLE}


def parameters_of(options: Options) -> dict[str, Any]:
    """What of ``options`` belongs to the gold rule, as :class:`GoldRule` keeps it."""
    used = [name for name in RULE_PARAMETERS if options.rule in _ONLY_FOR.get(name, RULE_NAMES)]
    # However sure the calculus is: as rules say that were kept before one could ask.
    return {name: getattr(options, name) for name in used if name != "sure" or options.sure}


def options_of(rule: GoldRule) -> dict[str, Any]:
    """The rule's part of :class:`Options`."""
    return {"rule": rule.kind, "sure": Options.sure, **rule.parameters}


def golden(pairs: ComparedPairs, options: Options) -> ComparedPairs:
    """``pairs`` (out of :func:`compared`) with ``gold``, their label under the rule ("" where it gives
    none), ``enough``, whether they have the judgements that it asks for, and ``unsure``, whether it gives
    none for this alone, that the calculus is less sure than is asked for. No query.

    Probabilities are not for the database: under ``posterior`` and ``mace`` all have "" here, and
    :func:`apps.releases.posterior.gold_set` sets the label of the pairs that were read.
    """
    ignored = options.unnatural == IGNORE_UNNATURAL
    given = F("entailments") + F("non_entailments") if ignored else F("judgements")
    enough = Q(given__gte=options.judgements)
    cases = [(enough & _natural(options) & said, label) for said, label in _RULES[options.rule](options)]
    unsure = _unsure(options)
    refused = [When(condition & unsure, then=Value(True)) for condition, _label in cases] if unsure else []
    taken = [When(condition & ~unsure if unsure else condition, then=label) for condition, label in cases]
    labelled: ComparedPairs = pairs.annotate(given=given).annotate(
        enough=Case(When(enough, then=Value(True)), default=Value(False)),
        unsure=Case(*refused, default=Value(False)),
        gold=Case(*taken, default=Value(NO_GOLD), output_field=CharField()),
    )
    return labelled


def _unsure(options: Options) -> Q | None:
    """That the calculus is less sure of its label than a rule that takes it asks for."""
    if options.rule not in BY_CALCULUS or not options.sure:
        return None
    return Q(sure__lt=options.sure)


def _natural(options: Options) -> Q:
    if options.unnatural == ANY_UNNATURAL:
        return Q(unnatural=0)
    return Q() if options.unnatural == IGNORE_UNNATURAL else ~Q(human=UNNATURAL)


def _all_match(options: Options) -> list[tuple[Q, Any]]:
    return [(Q(matches__gte=F("given")) & ~Q(calculus=NO_LABEL), F("calculus"))]


def _at_least(options: Options) -> list[tuple[Q, Any]]:
    return [(Q(matches__gte=options.matches) & ~Q(calculus=NO_LABEL), F("calculus"))]


def _majority(options: Options) -> list[tuple[Q, Any]]:
    """More than half of the answers; where no answer has that, what a researcher decided."""
    if options.unnatural == IGNORE_UNNATURAL:
        decided: list[tuple[Q, Any]] = [
            (Q(entailments__gt=F("non_entailments")), Value(ENTAILMENT)),
            (Q(non_entailments__gt=F("entailments")), Value(NON_ENTAILMENT)),
        ]
    else:
        decided = [(~Q(human__in=[TIE, NO_MAJORITY, NOT_JUDGED, UNNATURAL]), F("human"))]
    return [*decided, *_adjudicated(options)]


def _adjudicated(options: Options) -> list[tuple[Q, Any]]:
    return [(~Q(adjudicated__in=[NO_LABEL, UNNATURAL]), F("adjudicated"))]


def _from_file(options: Options) -> list[tuple[Q, Any]]:
    """As the file has it, three-way where it is three-way."""
    return [(~Q(file_label=NO_LABEL), Coalesce(F("of_file__label"), Value(NO_GOLD)))]


def _not_here(options: Options) -> list[tuple[Q, Any]]:
    return []


_RULES = {
    ALL_MATCH: _all_match,
    AT_LEAST: _at_least,
    MAJORITY: _majority,
    ADJUDICATED: _adjudicated,
    FROM_FILE: _from_file,
    POSTERIOR: _not_here,
    MACE: _not_here,
}
