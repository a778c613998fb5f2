"""Whose answers are read: a person is one judge of a pair, in campaigns that are named, everywhere alike."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.db import connection

from apps.campaigns.models import Campaign, Guideline, Item, Judgement
from apps.comparison.agreement import agreements
from apps.comparison.judges import judges_of, usual_answers
from apps.comparison.majority import majority_of
from apps.comparison.pairs import compared
from apps.curation.filters import PairFilters
from apps.curation.selectors import pair_view
from apps.dashboard import selectors, tables
from apps.datasets.models import Pair
from apps.datasets.services import dataset_create
from apps.inference.references import training_labels
from apps.releases.gold_rules import Options
from apps.releases.selection import chosen
from apps.reports.rows import dataset_rows

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def another(study, dataset):
    """Another campaign over the same pairs."""

    def begin(name: str, task: str = "validation") -> Campaign:
        made = Campaign.objects.create(study=study, name=name, task=task, dataset=dataset)
        Guideline.objects.create(campaign=made, version=1, body="Judge.")
        return made

    return begin


@pytest.fixture
def answer(make):
    """Answers of person-0, person-1 … to a pair in a campaign; digits are points of the scale."""

    def give(pair: Pair, campaign: Campaign, answers: str) -> list[Judgement]:
        item, _new = Item.objects.get_or_create(campaign=campaign, pair=pair, position=pair.pk)
        letters = "".join("e" if letter in "45" else "n" if letter in "123" else letter for letter in answers)
        given = make.answer(item, letters)
        for judgement, letter in zip(given, answers, strict=True):
            Judgement.objects.filter(pk=judgement.pk).update(rating=int(letter) if letter.isdigit() else None)
        return given

    return give


def row_of(pair: Pair, judges) -> tuple[int, int, int]:
    row = compared(Pair.objects.filter(pk=pair.pk), judges).get()
    return row.entailments, row.non_entailments, row.judgements


def test_sqlite_compares_an_answer_with_those_to_its_pair_and_not_with_its_persons(
    dataset, another, on_postgresql
):
    """Of a person's 17,000 answers in two campaigns, each took ten minutes over 20,000 pairs."""
    if on_postgresql:
        pytest.skip("PostgreSQL joins by both")
    another("Another")
    for answers in (judges_of(dataset).answers(), usual_answers()):
        sql, params = answers.filter(item__pair__lte=500).query.sql_with_params()
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN QUERY PLAN {sql}", params)
            steps = [row[-1] for row in cursor.fetchall()]
        assert not [step for step in steps if "participant_id" in step], steps
        assert [step for step in steps if "judgement_of_item" in step], steps


# ---- The definition -------------------------------------------------------------------------------


def test_a_person_in_two_campaigns_is_one_judge_by_their_latest_answer(make, another, answer, dataset):
    pair = make("en")
    answer(pair, another("Again"), "n")
    judges = judges_of(dataset)
    assert [campaign.name for campaign in judges.campaigns] == ["Judging", "Again"]
    assert row_of(pair, judges) == (0, 2, 2)


def test_campaigns_without_a_common_pair_are_looked_up_to_be_apart(make, another, answer, dataset):
    """Then no answer is compared with its person's others; where a pair is in two, each is."""
    pair = make("en")
    assert not judges_of(dataset).looked_up().are_apart  # one campaign: there is nothing to look up
    answer(make(""), another("Again"), "e")
    judges = judges_of(dataset)
    assert judges.looked_up().are_apart
    assert "EXISTS" in str(judges.answers().query)
    assert "EXISTS" not in str(judges.looked_up().answers().query)
    assert row_of(pair, judges.looked_up()) == row_of(pair, judges) == (1, 1, 2)
    answer(pair, another("Once more"), "n")
    assert not judges_of(dataset).looked_up().are_apart
    assert row_of(pair, judges_of(dataset).looked_up()) == (0, 2, 2)


def test_of_some_pairs_only_these_are_looked_up(make, another, answer, dataset):
    shared, alone = make("en"), make("en")
    answer(shared, another("Again"), "n")
    judges = judges_of(dataset)
    assert judges.looked_up([alone.pk]).are_apart
    assert not judges.looked_up([alone.pk, shared.pk]).are_apart


def test_an_answer_that_does_not_count_takes_nobody_s_place(make, another, answer, dataset):
    pair = make("en")
    answer(pair, another("Again"), "N")
    assert row_of(pair, judges_of(dataset)) == (1, 1, 2)


def test_a_skip_takes_nobody_s_place(make, another, answer, dataset):
    pair = make("en")
    answer(pair, another("Again"), "s")
    assert row_of(pair, judges_of(dataset)) == (1, 1, 2)


def test_the_scale_is_not_mixed_into_labels_unless_it_is_chosen(make, campaign, another, answer, dataset):
    pair = make("ee")
    scale = another("Rate", "likert")
    answer(pair, scale, "111")
    usual = judges_of(dataset)
    assert (usual.campaigns, usual.left_out, usual.halved) == ((campaign,), [scale], [])
    assert row_of(pair, usual) == (2, 0, 2)
    both = judges_of(dataset, [campaign.pk, scale.pk])
    assert (both.halved, both.is_usual, both.address) == ([scale], False, f"{campaign.pk},{scale.pk}")
    assert row_of(pair, both) == (0, 3, 3)


def test_where_nothing_but_a_scale_is_there_its_points_are_read_as_labels(
    campaign, make, another, answer, dataset
):
    pair = make()
    scale = another("Rate", "likert")
    answer(pair, scale, "245")
    campaign.delete()
    judges = judges_of(dataset)
    assert (judges.campaigns, judges.halved) == ((scale,), [scale])
    assert row_of(pair, judges) == (2, 1, 3)


def test_without_any_campaign_nobody_judged(dataset, campaign, make):
    pair = make(calculus="e")
    campaign.delete()
    assert row_of(pair, judges_of(dataset)) == (0, 0, 0)
    assert agreements(dataset, judges_of(dataset)).labels.text == "undefined (nothing to compare)"


def test_only_campaigns_that_judge_the_dataset_s_pairs_can_be_chosen(dataset, campaign, another, study, ada):
    elsewhere = another("Elsewhere")
    Campaign.objects.filter(pk=elsewhere.pk).update(dataset=dataset_create(study=study, actor=ada, name="B"))
    for number in (elsewhere.pk, 10**6):
        with pytest.raises(ValidationError) as refusal:
            judges_of(dataset, [number])
        assert "campaigns" in refusal.value.message_dict


# ---- Everywhere alike -----------------------------------------------------------------------------


@pytest.fixture
def alone(make, another, answer, dataset):
    """Nine pairs that one person judged in two campaigns, with another answer each time."""
    again = another("Again")
    pairs = [make("e", calculus="e") for _number in range(9)]
    for pair in pairs:
        answer(pair, again, "n")
    return pairs


def test_one_person_agrees_or_disagrees_with_nobody(alone, dataset):
    comparison = selectors.comparison(dataset, judges_of(dataset), [])
    assert comparison.agreement.labels.text == "undefined (nothing to compare)"
    assert tables.usual_number(comparison) == 1


@pytest.mark.parametrize("rule", ["majority", "all", "at-least"])
def test_one_person_is_no_two_judges_of_a_gold_rule(alone, dataset, rule):
    assert not chosen(dataset, Options(rule=rule, judgements=2, matches=1))
    assert not PairFilters({"judgements": "2"}, dataset=dataset).apply()


def test_lists_reports_references_and_the_api_count_as_the_dashboard_does(alone, dataset, client_of, rosa):
    pair = alone[0]
    assert pair_view(pair).pair.judgements == 1
    assert {row.label for row in dataset_rows(dataset, "human")} == {"non-entailment"}
    assert set(majority_of(dataset).values()) == {"non-entailment"}
    assert set(training_labels(dataset).values()) == {"non-entailment"}
    assert [answer.answer for answer in usual_answers().filter(item__pair=pair)] == ["non-entailment"]
    shown = client_of(rosa).get(f"/api/v1/pairs/{pair.pk}/").json()
    assert shown["judgements"] == {"non-entailment": 1}


def test_the_rule_of_probabilities_hears_a_person_once(alone, dataset, campaign):
    from apps.frame.clock import database_now
    from apps.quality.models import Reliability
    from apps.releases.selection import Offer, batch_after
    from apps.studies.models import Participant

    for one in Campaign.objects.filter(dataset=dataset):
        Reliability.objects.create(
            campaign=one,
            participant=Participant.objects.get(pseudonym="person-0"),
            method=Reliability.Method.DAWID_SKENE,
            value=0.9,
            answers=9,
            computed_at=database_now(),
            detail={
                "labels": ["entailment", "non-entailment"],
                "confusion": [[0.9, 0.1], [0.1, 0.9]],
                "prior": [0.5, 0.5],
            },
        )
    options = Options(rule="posterior", judgements=1, swaps=False, keep_unlabelled=True, posterior=0.6)
    batch = batch_after(dataset, options, 0, Offer())
    assert {(row.pair.gold, round(row.pair.probability, 3)) for row in batch.rows} == {
        ("non-entailment", 0.9)
    }


def test_agreement_and_table_read_what_is_chosen(make, campaign, another, answer, dataset):
    scale = another("Rate", "likert")
    for letters, points in (("eee", "555"), ("nnn", "111"), ("een", "122")):
        answer(make(letters, calculus="e"), scale, points)
    one = selectors.comparison(dataset, judges_of(dataset, [campaign.pk]), [])
    two = selectors.comparison(dataset, judges_of(dataset, [scale.pk]), [])
    assert one.agreement.labels != two.agreement.labels
    assert [cell.count for cell in tables.matches(one, 3).totals] == [0, 3, 0]
    assert f"campaigns={scale.pk}" in tables.matches(two, 3).totals[0].url
    assert "campaigns" not in tables.matches(one, 3).totals[0].url


# ---- On the scale ---------------------------------------------------------------------------------


def test_points_are_compared_as_points_whatever_is_read(make, another, answer, dataset):
    """Two raters of four pairs, 5 4 | 4 5 | 2 1 | 1 2: halved they always agree, as points never.

    By hand: each of the points 1, 2, 4, 5 occurs twice. Ordinal distances: 1–2 and 4–5 (2 + 2 − 2)² = 4,
    2–4 the same, 1–4 and 2–5 (2 + 2 + 2 − 2)² = 16, 1–5 (8 − 2)² = 36. Observed: four pairs of answers at 4,
    that is 8 · 4 = 32. Expected: 2 · 2 · 2 · (4 + 4 + 4 + 16 + 16 + 36) = 640. α = 1 − 7 · 32 / 640.
    """
    scale = another("Rate", "likert")
    for points in ("54", "45", "21", "12"):
        answer(make(), scale, points)
    found = agreements(dataset, judges_of(dataset, [scale.pk]))
    assert found.labels.value == 1.0
    assert found.points.value == pytest.approx(1 - 7 * 32 / 640)
    assert (found.points.raw, found.points.n) == (0.0, 4)
    assert agreements(dataset, judges_of(dataset)).points == found.points


def test_a_ticked_box_is_no_point(make, another, answer, dataset):
    scale = another("Rate", "likert")
    given = answer(make(), scale, "553")
    Judgement.objects.filter(pk=given[2].pk).update(nonsense=True, answer="unnatural")
    assert agreements(dataset, judges_of(dataset)).points.raw == 1.0


# ---- Situations -----------------------------------------------------------------------------------


@pytest.mark.parametrize("people", range(2, 8))
def test_two_to_seven_people_on_a_pair_have_an_alpha(make, dataset, people):
    make("e" * people)
    make("n" * people)
    make("e" * (people - 1) + "n")
    found = agreements(dataset, judges_of(dataset)).labels
    assert found.name == "α" and found.value is not None and found.value < 1


def test_three_labels_are_compared_as_three(make, dataset, campaign):
    dataset.labels = ["entailment", "neutral", "contradiction"]
    dataset.save()
    pair = make()
    item = Item.objects.create(campaign=campaign, pair=pair, position=1)
    first, _second = make.answer(item, "ec")
    Judgement.objects.filter(pk=first.pk).update(answer="neutral")
    found = agreements(dataset, judges_of(dataset)).labels
    assert (found.raw, found.n) == (0.0, 1)


def test_a_rule_of_probabilities_is_not_filtered_by_other_campaigns_than_it_was_worked_out_over(
    make, dataset, another, study, ada
):
    from apps.releases.services import gold_rule_create

    make("e")
    scale = another("Rate", "likert")
    rule = gold_rule_create(study=study, actor=ada, name="Sure", options=Options(rule="posterior"))
    asked = {"gold_rule": str(rule.pk), "gold": "entailment", "campaigns": str(scale.pk)}
    assert "campaigns" in PairFilters(asked, dataset=dataset).errors
