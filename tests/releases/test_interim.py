"""The answers of a campaign that still runs, as CSV."""

import csv
import io

import pytest
from django.urls import reverse

from apps.campaigns.services import assignment_next, judgement_submit
from apps.studies.services import participant_for
from tests.campaigns.conftest import blank_set, creation, dataset, three, validation  # noqa: F401

pytestmark = pytest.mark.django_db


def table(client, campaign):
    answer = client.get(reverse("releases:answers", args=[campaign.study.slug, campaign.pk]))
    assert answer.status_code == 200 and answer["Content-Type"].startswith("text/csv")
    return list(csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode())))


def test_each_answer_is_a_row_under_the_studys_pseudonym(validation, ben, cleo, rosa, client_of):  # noqa: F811
    for user, label in ((ben, "entailment"), (cleo, "non-entailment")):
        lease = assignment_next(campaign=validation, participant=participant_for(validation.study, user))
        judgement_submit(assignment=lease, answer=label)
    rows = table(client_of(rosa), validation)
    assert validation.state == "open"
    assert sorted(row["answer"] for row in rows) == ["entailment", "non-entailment"]
    assert {row["annotator"] for row in rows} == {
        participant_for(validation.study, user).pseudonym for user in (ben, cleo)
    }


def test_a_formula_that_somebody_wrote_is_text_to_a_spreadsheet(creation, ben, rosa, client_of):  # noqa: F811
    lease = assignment_next(campaign=creation, participant=participant_for(creation.study, ben))
    judgement_submit(assignment=lease, replacements=["=1+1 dogs", *three("dogs")[1:]])
    rows = table(client_of(rosa), creation)
    assert [row["replacement"][0] for row in rows].count("'") == 1 and len(rows) == 3


def test_another_campaigns_answers_are_not_in_it_and_a_foreign_one_is_404(
    validation,  # noqa: F811
    creation,  # noqa: F811
    ben,
    rosa,
    olaf,
    client_of,
):
    lease = assignment_next(campaign=creation, participant=participant_for(creation.study, ben))
    judgement_submit(assignment=lease, replacements=three("dogs"))
    assert table(client_of(rosa), validation) == []
    other = olaf.memberships.first().study
    address = reverse("releases:answers", args=[other.slug, creation.pk])
    assert client_of(olaf).get(address).status_code == 404
