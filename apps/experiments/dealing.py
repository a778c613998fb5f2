"""The rows of a protocol: drawn, selected, and dealt out to its tests and trainings.

Everything is a function of the protocol, the preset's sizes and the seed, so that two machines make the same
bytes. Tests are dealt first; no training has a row of a test that it is tested on.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from apps.experiments.plans import (
    LEAST,
    Preset,
    Protocol,
    RowSet,
    Selection,
    learnt_and_held_out,
    resolved,
    shares_of,
)
from apps.experiments.toml_values import ProtocolError
from apps.experiments.vocabulary import values_check
from natlog.fragments import embedding, naturalistic, sygns, systematicity, transitivity
from natlog.pairs import Pair
from natlog.parsing import SpacyParser, load_parser

LABELS = ("entailment", "non-entailment")
# Of a role that is both learnt of and tested on, tests take no more than so great a part.
TESTED_SHARE = 4


@dataclass(frozen=True, slots=True)
class Drawn:
    """A row with the columns that selections look at. Where meanings are learnt, the premise is the sentence,
    the hypothesis and the label are empty, and the forms are among the columns."""

    premise: str
    hypothesis: str
    label: str
    direction: str
    columns: Mapping[str, str]

    @property
    def key(self) -> tuple[str, str]:
        return self.premise, self.hypothesis


@dataclass(frozen=True)
class Dealt:
    """A training's parts; ``test`` by the test's name."""

    train: list[Drawn]
    validation: list[Drawn]
    test: dict[str, list[Drawn]]


RoleRows = Callable[[str], Sequence[Drawn]]


class Dealer:
    """Deals a protocol's rows at a preset's sizes. Each set is drawn once; ``role_rows`` gives those of a
    role, ``beat`` is called as it goes on, ``parser`` where sentences must be parsed."""

    def __init__(
        self,
        protocol: Protocol,
        preset: Preset,
        role_rows: RoleRows = lambda role: [],
        beat: Callable[[], None] = lambda: None,
        parser: Callable[[], SpacyParser] = load_parser,
    ) -> None:
        self.protocol, self.preset = protocol, preset
        self._role_rows, self._beat, self._parser = role_rows, beat, parser
        self._drawn: dict[str, list[Drawn]] = {}
        learnt = {selection.set for plan in protocol.trainings.values() for selection in plan.on}
        self._shared = {name for name in learnt if protocol.sets[name].role}

    def deal(self, training: str, seed: int) -> Dealt:
        """The rows of a training and of its tests. The seed matters only where lists are shuffled. Raises
        :class:`ProtocolError` where a selection has too few, or names a value that no row can have."""
        values_check(self.protocol)
        orders = self.protocol.orders(seed)
        name = f"{self.protocol.key} {seed if orders else ''}"
        tests = {
            test.name: self._sample(
                test.on,
                min(self.preset.test, test.most or self.preset.test),
                orders,
                f"{name} test {test.name}",
                None,
            )
            for test in self.protocol.tests_after(training)
            if test.on
        }
        taken = {row.key for rows in tests.values() for row in rows}
        plan = self.protocol.trainings[training]
        wanted, held_out = learnt_and_held_out(plan, self.preset.train)
        rows = self._sample(plan.on, wanted + held_out, orders, f"{name} train {training}", taken)
        train = rows[: max(len(rows) - held_out, len(rows) * 9 // 10)]
        return Dealt(train, rows[len(train) :], tests)

    def _sample(
        self,
        on: Sequence[Selection],
        count: int,
        orders: Mapping[str, Sequence[str]],
        purpose: str,
        without: set[tuple[str, str]] | None,
    ) -> list[Drawn]:
        """``count`` different rows, of each selection its parts, in a drawn order. A selection that has
        fewer gives all it has. For a training ``without`` are the tests' rows; None for a test."""
        found: list[Drawn] = []
        taken = set(without or ())
        for number, (selection, share) in enumerate(zip(on, shares_of(on, count), strict=True)):
            every = list(self._selected(selection, orders))
            rows = [row for row in every if row.key not in taken]
            chance = random.Random(f"{purpose} {number}")
            is_shared = without is None and selection.set in self._shared
            most = len(rows) // TESTED_SHARE if is_shared else len(rows)
            chosen = chance.sample(rows, min(share, most))
            if len(chosen) < LEAST:
                raise ProtocolError(
                    purpose,
                    _(
                        "rows of selection %(number)d, of the set “%(name)s”: %(rows)d%(of_them)s; "
                        "%(wanted)d are wanted, %(least)d at least"
                    )
                    % {
                        "number": number + 1,
                        "name": selection.set,
                        "rows": len(every),
                        "of_them": _of_them(len(every), len(rows), most if is_shared else None),
                        "wanted": share,
                        "least": LEAST,
                    },
                )
            taken.update(row.key for row in chosen)
            found += _noisy(chosen, selection.noise, chance)
        random.Random(purpose).shuffle(found)
        return found

    def _selected(self, selection: Selection, orders: Mapping[str, Sequence[str]]) -> Iterable[Drawn]:
        wanted = {column: resolved(values, orders) for column, values in selection.where.items()}
        return _having(self._rows(self.protocol.sets[selection.set]), wanted, selection.set)

    def _rows(self, of: RowSet) -> list[Drawn]:
        if of.name not in self._drawn:
            count = min(self.preset.pool, of.most or self.preset.pool)
            self._beat()
            if of.role:
                rows = self._role_rows(of.role)
            elif of.source:
                pairs = self._rows(self.protocol.sets[of.source])
                rows = embedded_rows(of, count, pairs, self._parser())
            else:
                rows = testbed_rows(of, count)
            wanted = {column: set(values) for column, values in of.where.items()}
            self._drawn[of.name] = list(_having(rows, wanted, of.name))
            self._beat()
        return self._drawn[of.name]


def _of_them(every: int, free: int, testable: int | None) -> str:
    """How many of a selection's rows are left; those that can be tested on, where not all of these can."""
    told = ""
    if free < every:
        told += _(", %(rows)d without those that are dealt already") % {"rows": free}
    if testable is not None:
        told += _(", of which %(rows)d can be tested on, since they are learnt of too") % {"rows": testable}
    return told


def _having(rows: Iterable[Drawn], wanted: Mapping[str, set[str]], name: str) -> Iterable[Drawn]:
    """The rows all of whose parts in each column (``;`` between them) are among the values."""
    for row in rows:
        for column, values in wanted.items():
            if column not in row.columns:
                raise ProtocolError(name, _("it has no column “%(name)s”") % {"name": column})
            if not all(part in values for part in row.columns[column].split(";")):
                break
        else:
            yield row


def _noisy(rows: list[Drawn], noise: float, chance: random.Random) -> list[Drawn]:
    """The rows, a share of their labels turned round."""
    turned = set(chance.sample(range(len(rows)), round(noise * len(rows))))
    other = dict(zip(LABELS, reversed(LABELS), strict=True))
    return [
        Drawn(row.premise, row.hypothesis, other[row.label], row.direction, row.columns)
        if n in turned
        else row
        for n, row in enumerate(rows)
    ]


def testbed_rows(of: RowSet, count: int) -> list[Drawn]:
    """``count`` rows of a testbed. Raises :class:`ProtocolError` where an option doesn't fit, and
    :class:`natlog.fragments.drawing.TooFew`."""
    if of.testbed == sygns.NAME:
        return _sentences(of, count)
    options = dict(of.options)
    seed, depth = options.pop("seed", 1), options.pop("depth", None)
    if of.testbed == systematicity.NAME:
        variant = options.pop("variant", "plain")
        items: Iterable[systematicity.Item | transitivity.Item]
        items, columns = systematicity.draw(count, depth, seed, variant), systematicity.COLUMNS
    elif of.testbed == transitivity.NAME:
        items = transitivity.draw(count, depth, seed, _frames(of.name, options))
        columns = transitivity.COLUMNS
    else:
        reason = _("there is no testbed “%(name)s” whose rows are pairs")
        raise ProtocolError(of.name, reason % {"name": of.testbed})
    if options:
        raise ProtocolError(of.name, _("the testbed has no option “%(name)s”") % {"name": min(options)})
    return _drawn(items, columns)


def embedded_rows(of: RowSet, count: int, pairs: Sequence[Drawn], parser: SpacyParser) -> list[Drawn]:
    """``count`` rows of transitivity made of another set's pairs, entailments and others as 1 : 1, as they
    are drawn by :func:`natlog.fragments.naturalistic.draw`; the same two sentences are there once. Raises
    :class:`ProtocolError` where an option doesn't fit, or there are too few pairs of a label whose tense can
    be told."""
    seed, frames = embedding_options(of)
    given = [Pair(row.premise, row.hypothesis, row.label) for row in pairs]
    try:
        items = list(naturalistic.draw(given, parser, count, seed, frames))
    except LookupError as error:
        raise ProtocolError(of.name, f"{of.source}: {error}") from error
    return list({row.key: row for row in _drawn(items, transitivity.COLUMNS)}.values())


def embedding_options(of: RowSet) -> tuple[int, tuple[embedding.Template, ...]]:
    """Seed and main clauses of a set that is made of another one's pairs. Raises :class:`ProtocolError`."""
    if of.testbed != transitivity.NAME:
        reason = _("transitivity alone is made of other pairs, not “%(name)s”")
        raise ProtocolError(f"{of.name}: from", reason % {"name": of.testbed})
    options = dict(of.options)
    seed, frames = options.pop("seed", 1), _frames(of.name, options)
    if options:
        reason = _("made of other pairs, the testbed has no option “%(name)s”")
        raise ProtocolError(of.name, reason % {"name": min(options)})
    return seed, frames


def _frames(name: str, options: dict[str, Any]) -> tuple[embedding.Template, ...]:
    """The main clauses that the option of the set ``name`` asks for, which is taken away."""
    frames = {"someone": (embedding.someone(),), "forty": embedding.templates()}
    asked = options.pop("frames", "someone")
    if not isinstance(asked, str) or asked not in frames:
        reason = _("one of these is wanted: %(known)s")
        raise ProtocolError(f"{name}: frames", reason % {"known": ", ".join(frames)})
    return frames[asked]


def _drawn(
    items: Iterable[systematicity.Item | transitivity.Item | naturalistic.Item], columns: Iterable[str]
) -> list[Drawn]:
    names = [column for column in columns if column != "id"]
    found = []
    for item in items:
        row = dict(zip(names, item.row(), strict=True))
        if "quantifiers" in row:  # that of the place that changes, wherever it stands
            row["quantifier"] = row["quantifiers"].split(";")[-1]
        found.append(
            Drawn(row["sentence1"], row["sentence2"], row["gold_label"], row.get("direction", ""), row)
        )
    return found


def _sentences(of: RowSet, count: int) -> list[Drawn]:
    """Sentences with their meanings and with what splits look at (SyGNS, sections 3.1 and 3.2)."""
    from natlog.fragments.testbeds import SYGNS, MeaningItem

    options = dict(of.options)
    seed, depth = options.pop("seed", 1), options.pop("depth", None)
    if options:
        raise ProtocolError(of.name, _("the testbed has no option “%(name)s”") % {"name": min(options)})
    names = [column for column in SYGNS.columns if column != "id"]
    found = []
    for item in SYGNS.draw(count, depth, seed):
        assert isinstance(item, MeaningItem)
        row = dict(zip(names, item.row(), strict=True)) | sygns.phenomena(item.derivation)
        found.append(Drawn(row["sentence"], "", "", "", row))
    return found
