"""The answers of a campaign that still runs, as a table: for a look in between, where a release is for good.

The rows are those of a release's judgements (docs/formats.md) under the study's pseudonyms, with what may
still be revised; nothing is frozen, and no pair is published by it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest, StreamingHttpResponse

from apps.campaigns.models import Campaign
from apps.releases.judgement_rows import JUDGEMENT_COLUMNS, csv_lines
from apps.releases.judgements import Judgements
from apps.studies.access import Access, study_view
from apps.studies.models import Participant, Study


class _StudysOwn:
    """The pseudonyms that the study's own pages show."""

    def __init__(self, study: Study) -> None:
        self._names = dict(Participant.objects.filter(study=study).values_list("pk", "pseudonym"))

    def of(self, participant: int) -> str:
        return self._names[participant]


def lines_of(campaign: Campaign) -> Iterator[str]:
    """CSV, a line at a time; a thousand items are in memory at most."""
    yield ",".join(JUDGEMENT_COLUMNS) + "\r\n"
    names = _StudysOwn(campaign.study)
    source = Judgements(campaign.dataset, names, {}, lambda pairs: set(), campaign=campaign.pk)
    last = 0
    while answers := source.after(last):
        last = answers.last
        yield from csv_lines(answers)


@study_view()
def answers_so_far(request: HttpRequest, access: Access, pk: int) -> StreamingHttpResponse:
    campaign: Any = access.get(Campaign, pk)
    answer = StreamingHttpResponse(lines_of(campaign), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="campaign-{campaign.pk}-answers.csv"'
    return answer
