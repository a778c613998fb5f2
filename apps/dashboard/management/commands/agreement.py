"""``manage.py agreement``: how far a dataset's annotators agree, and with its file."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.comparison.judges import judges_of
from apps.dashboard.agreement import BY, report
from apps.dashboard.agreement_exhibits import Exhibits
from apps.datasets.models import Dataset
from apps.frame.exhibits import Cell, Column, Table
from apps.frame.exhibits.tables import Form, shown
from apps.testbeds.selectors import cells, factors


class Command(BaseCommand):
    help = "Print agreement on a dataset's pairs and people's accuracy against its file, as tables."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("dataset", type=int, help="the dataset's number, as in its address")
        parser.add_argument("--campaigns", default="", help="whose answers are read, such as 3,5")
        parser.add_argument("--by", choices=BY, action="append", default=[], help="break agreement down")
        parser.add_argument("--cells", help="the fact of pairs by which accuracy is broken down")

    def handle(self, *args: Any, **options: Any) -> None:
        dataset = Dataset.objects.filter(pk=options["dataset"]).exclude(kind=Dataset.Kind.TESTS).first()
        if dataset is None:
            raise CommandError(f"There is no dataset {options['dataset']}.")
        try:
            numbers = [int(number) for number in options["campaigns"].split(",") if number]
            judges = judges_of(dataset, numbers)
        except ValueError:
            raise CommandError("--campaigns takes numbers with commas, such as 3,5") from None
        except ValidationError as error:
            raise CommandError("; ".join(error.messages)) from None
        exhibits = Exhibits(dataset, judges, report(dataset, judges))
        tables = [exhibits.table(""), *(exhibits.table(by) for by in options["by"]), exhibits.scale()]
        known = factors(dataset)
        if options["cells"] and options["cells"] not in known:
            raise CommandError(f"Pairs can be told apart by: {', '.join(known) or 'nothing'}.")
        factor = options["cells"] or next(iter(known), "")
        if factor:
            tables.append(_accuracy(dataset, factor, judges))
        self.stdout.write("\n\n".join(_printed(table) for table in tables if table))


def _accuracy(dataset: Dataset, factor: str, judges: Any) -> Table:
    """People against the file's labels: by what most say of a pair, and judgement by judgement."""
    found = cells(dataset, factor, judges, ())
    columns = [Column(factor, factor), Column("pairs", "Pairs", Form.COUNT)]
    columns += [
        Column(name, title, Form.SHARE, 2)
        for name, title in (("majority", "Majority right, %"), ("single", "Single judgements right, %"))
    ]
    rows = [
        [Cell(row.value if row.value is not None else "all"), Cell(row.pairs)]
        + [Cell(score.share) for score in row.scores[:2]]
        for row in found.rows
    ]
    return Table("People against the file's labels", columns, rows)


def _printed(table: Table) -> str:
    """A table in columns, as Markdown reads it."""
    head = [str(column.title) for column in table.columns]
    rows = [
        [
            shown(column, cell) + (f" ({cell.beside})" if cell.beside else "")
            for column, cell in zip(table.columns, row, strict=True)
        ]
        for row in table.rows
    ]
    widths = [max(len(row[place]) for row in [head, *rows]) for place in range(len(head))]

    def line(texts: list[str]) -> str:
        return "| " + " | ".join(text.ljust(width) for text, width in zip(texts, widths, strict=True)) + " |"

    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join([f"{table.title}\n", line(head), rule, *map(line, rows)])
