"""Reading the judgements that are published: every single answer with its times, guideline and pseudonym.

A dataset may have millions of them. They are read as plain columns, and what they have in common (of a
person in a campaign, of an item) is read and written as text once; :mod:`apps.releases.judgement_rows` puts
it together.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.db.models import F, Func, TextField

from apps.campaigns.models import IMPORTED, Guideline, Item, Judgement, Replacement
from apps.datasets.models import Dataset, Premise
from apps.frame.rows import plain_rows
from apps.quality.models import Flag
from apps.releases.pseudonyms import NOTHING_KNOWN, Names, Standing
from apps.studies.models import Participant
from apps.studies.selectors import has_left

ITEMS_A_BATCH = 1000
# Numbers that a batch's items may lie apart: between them stand those of other datasets.
NUMBERS_A_BATCH = 20 * ITEMS_A_BATCH


class Given(NamedTuple):
    """A judgement as the database has it, but for its times, which are as they are published (ISO 8601, in
    UTC)."""

    item: int
    person: int
    guideline: int
    answer: str
    rating: int | None
    nonsense: bool
    skip_reason: str
    counted: bool
    predictions_shown: bool
    tries: int
    could_see_labels: bool
    seconds: float
    shown_at: str
    submitted_at: str
    revised_at: str | None
    revisions: int
    pk: int


class Moment(Func):
    """A time as it is published, written by the database: a million times over that is quicker than to read
    what it says and write it anew. Microseconds are left out where there are none."""

    output_field = TextField()

    def as_sqlite(self, compiler: Any, connection: Any, **extra: Any) -> tuple[str, Any]:
        """SQLite has it as Django wrote it, without a zone."""
        return self.as_sql(compiler, connection, template="(replace(%(expressions)s, ' ', 'T') || '+00:00')")

    def as_postgresql(self, compiler: Any, connection: Any, **extra: Any) -> tuple[str, Any]:
        whole = """to_char(%(expressions)s AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')"""
        return self.as_sql(compiler, connection, template=f"(replace({whole}, '.000000', '') || '+00:00')")


_COLUMNS = (
    "item_id", "participant_id", "guideline_id", "answer", "rating", "nonsense", "skip_reason", "counted",
    "predictions_shown", "tries", "could_see_labels", "seconds", Moment("assignment__shown_at"),
    Moment("submitted_at"), Moment("revised_at"), F("revision"), F("pk"),
)  # fmt: skip


@dataclass(eq=False)
class Judge:
    """A person in a campaign. ``is_timed``: it is known when they answered and how long it took, which a
    file doesn't tell (the times stored for it are those of its import)."""

    annotator: str
    task: str
    campaign: str
    simulated: bool
    has_left: bool
    is_timed: bool
    standing: Standing
    texts: dict[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(eq=False)
class Judged:
    """An item: its pair (None of a blank), whether that is in the release, its texts."""

    campaign: int
    pair: int | None
    hypothesis: str | None
    blank: dict[str, Any] | None
    premises: list[str]
    in_release: bool


@dataclass
class Answers:
    """Judgements in the order in which they are published, each with its item and who gave it. ``last`` is
    the number of the last item, ``items`` how many there are; ``replacements`` are by judgement."""

    last: int
    items: int
    rows: list[tuple[Given, Judged, Judge]]
    guidelines: dict[int, int]
    replacements: dict[int, list[dict[str, Any]]]


class Judgements:
    """Where judgements are read from: ``published`` says which of some pairs, by number, are in the release;
    ``campaign`` is the only one, where one is given. Five queries."""

    def __init__(
        self,
        dataset: Dataset,
        names: Names,
        standings: dict[tuple[int, int], Standing],
        published: Callable[[Collection[int]], set[int]],
        campaign: int | None = None,
    ) -> None:
        self.names, self.standings, self.published = names, standings, published
        campaigns = dataset.campaigns.all() if campaign is None else dataset.campaigns.filter(pk=campaign)
        self._campaigns = {row[0]: row for row in campaigns.values_list("pk", "task", "name", "simulated")}
        versions = Guideline.objects.filter(campaign__in=self._campaigns)
        self._guidelines = dict(versions.values_list("pk", "version"))
        people = Participant.objects.filter(study=dataset.study_id).annotate(has_left=has_left())
        self._people = {row[0]: row for row in people.values_list("pk", "simulated", "panel", "has_left")}
        self._judges: dict[tuple[int, int], Judge] = {}
        items = Item.objects.filter(campaign__in=self._campaigns, is_test=False)
        # Once for all batches: eight bytes an item, where to look for the next ones takes as long as for all.
        self._items = array("q", sorted(row[0] for row in plain_rows(items.order_by().values_list("pk"))))

    def after(self, item: int) -> Answers | None:
        """The judgements on the next 1000 items above number ``item``; None where there are no more. Five
        queries.

        Surplus answers and skips too; no test questions. In the order of the items' numbers, and within
        an item by pseudonym, so that the order tells nothing.
        """
        place = bisect_right(self._items, item)
        numbers = self._items[place : place + ITEMS_A_BATCH]
        if not numbers:
            return None
        numbers = numbers[: bisect_right(numbers, numbers[0] + NUMBERS_A_BATCH)]
        items = self._judged(numbers)
        given = Judgement.objects.filter(item__gte=numbers[0], item__lte=numbers[-1]).order_by()
        found = [
            row for row in map(Given._make, plain_rows(given.values_list(*_COLUMNS))) if row.item in items
        ]
        rows = [(row, items[row.item], self._judge(items[row.item].campaign, row.person)) for row in found]
        rows.sort(key=lambda row: (row[0].item, row[2].annotator))
        replacements = _replacements(row.pk for row, item, _judge in rows if item.pair is None)
        return Answers(numbers[-1], len(numbers), rows, self._guidelines, replacements)

    def _judge(self, campaign: int, person: int) -> Judge:
        found = self._judges.get((campaign, person))
        if found is None:
            _pk, task, name, simulated = self._campaigns[campaign]
            _pk, is_program, panel, left = self._people[person]
            found = self._judges[campaign, person] = Judge(
                annotator=self.names.of(person),
                task=task,
                campaign=name,
                simulated=is_program or simulated,
                has_left=left,
                is_timed=panel != IMPORTED,
                standing=self.standings.get((campaign, person), NOTHING_KNOWN),
            )
        return found

    def _judged(self, numbers: Sequence[int]) -> dict[int, Judged]:
        """The items of these numbers, which ascend. Two queries."""
        found = Item.objects.filter(pk__gte=numbers[0], pk__lte=numbers[-1]).order_by()
        of_blank = ("blank__text", "blank__start", "blank__end", "blank__sentence__text")
        rows = plain_rows(found.values_list("pk", "campaign_id", "pair_id", "pair__hypothesis", *of_blank))
        wanted = set(numbers)
        items = {}
        for pk, campaign, pair, hypothesis, text, start, end, sentence in rows:
            if pk in wanted:
                blank = None if text is None else {"text": text, "start": start, "end": end}
                premises = [] if pair else [sentence]
                items[pk] = Judged(campaign, pair, hypothesis, blank, premises, False)
        pairs = {item.pair for item in items.values() if item.pair}
        published, premises_of = self.published(pairs), _premises(numbers, pairs)
        for item in items.values():
            if item.pair:
                item.in_release = item.pair in published
                item.premises = premises_of.get(item.pair, [])
        return items


def items_of(dataset: Dataset) -> Any:
    """The items whose judgements are published."""
    return Item.objects.filter(campaign__dataset=dataset, is_test=False)


def _premises(items: Sequence[int], pairs: Collection[int]) -> dict[int, list[str]]:
    """The premises of the pairs of some items. One query."""
    of_items = Item.objects.filter(pk__gte=items[0], pk__lte=items[-1], pair__isnull=False).order_by()
    found = Premise.objects.filter(pair__in=of_items.values("pair")).order_by("pair_id", "position")
    premises: dict[int, list[str]] = {}
    for pair, text in plain_rows(found.values_list("pair_id", "text")):
        if pair in pairs:
            premises.setdefault(pair, []).append(text)
    return premises


def _replacements(judgements: Iterable[int]) -> dict[int, list[dict[str, Any]]]:
    """What was written in answers to blanks, with its flags. Two queries."""
    numbers = list(judgements)
    flags: dict[tuple[int, int], list[str]] = {}
    flagged = Flag.objects.filter(judgement__in=numbers).order_by("code")
    for judgement, position, code in flagged.values_list("judgement_id", "position", "code"):
        flags.setdefault((judgement, position), []).append(code)
    found: dict[int, list[dict[str, Any]]] = {}
    made = Replacement.objects.filter(judgement__in=numbers).order_by("judgement_id", "position")
    columns = ("judgement_id", "position", "text", "hypothesis", "pair_id")
    for judgement, position, text, hypothesis, pair in made.values_list(*columns):
        of = flags.get((judgement, position), [])
        entry = {"text": text, "hypothesis": hypothesis, "flags": of, "pair": pair}
        found.setdefault(judgement, []).append(entry)
    return found
