"""Gold rules: which label a pair gets, what is refused, names and versions."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from apps.curation.adjudication import pair_adjudicate
from apps.datasets.models import GoldLabel
from apps.quality.models import Reliability
from apps.releases.forecast import preview
from apps.releases.gold_rules import Options
from apps.releases.models import GoldRule, Release
from apps.releases.selection import Offer, batch_after, chosen
from apps.releases.services import gold_rule_create, release_create
from apps.studies.models import Participant

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.mark.parametrize(
    ("answers", "calculus", "options", "gold"),
    [
        ("eee", "e", {}, "entailment"),
        ("nnc", "n", {}, "non-entailment"),
        ("nnn", "c", {}, "non-entailment"),
        ("een", "e", {}, None),
        ("ee", "e", {}, None),
        ("ee", "e", {"judgements": 2, "matches": 1}, "entailment"),
        ("eee", "", {}, None),
        ("eee", "n", {}, None),
        ("een", "e", {"rule": "at-least", "matches": 2}, "entailment"),
        ("enn", "e", {"rule": "at-least", "matches": 2}, None),
        ("eeu", "e", {"rule": "at-least", "matches": 2}, "entailment"),
        ("eeu", "e", {"rule": "at-least", "matches": 2, "unnatural": "any"}, None),
        ("euu", "e", {"rule": "at-least", "matches": 1}, None),
        ("eeuu", "e", {"unnatural": "ignore", "judgements": 2}, "entailment"),
        ("eeuu", "e", {"unnatural": "ignore"}, None),
        ("uuuee", "", {"rule": "majority", "unnatural": "ignore", "judgements": 2}, "entailment"),
        ("enu", "", {"rule": "majority", "unnatural": "ignore", "judgements": 2}, None),
        ("uue", "e", {"rule": "majority", "unnatural": "any", "judgements": 1}, None),
        ("eee", "e", {"rule": "adjudicated"}, None),
        ("eee", "e", {"rule": "file", "judgements": 0}, None),
        ("enn", "e", {"rule": "majority"}, "non-entailment"),
        ("enn", "", {"rule": "majority"}, "non-entailment"),
        ("uue", "e", {"rule": "majority"}, None),
        ("enu", "e", {"rule": "majority"}, None),
        ("eenn", "e", {"rule": "majority"}, None),
    ],
)
def test_the_rule_takes_a_pair_under_its_gold_label(make, dataset, answers, calculus, options, gold):
    make(answers, calculus=calculus)
    found = chosen(dataset, Options(**options)).first()
    assert (found.gold if found else None) == gold


def test_a_tie_takes_the_adjudicated_label(make, dataset, ada):
    pair = make("eenn", calculus="e")
    pair_adjudicate(pair=pair, actor=ada, label="non-entailment")
    assert chosen(dataset, Options(rule="majority")).get().gold == "non-entailment"


@pytest.mark.parametrize("rule", ["majority", "adjudicated"])
def test_a_pair_that_is_decided_to_be_unnatural_gets_no_label_by_that_word(make, dataset, ada, rule):
    pair_adjudicate(pair=make("eenn"), actor=ada, label="unnatural")
    assert not chosen(dataset, Options(rule=rule, judgements=1))


@pytest.mark.parametrize("label", ["neutral", "contradiction", ""])
def test_only_the_dataset_s_labels_adjudicate(make, ada, label):
    with pytest.raises(ValidationError):
        pair_adjudicate(pair=make("eenn"), actor=ada, label=label)


def test_a_researcher_s_label_is_gold_where_the_rule_says_so(make, dataset, ada):
    pair = make("nnn", calculus="n")
    make("nnn", calculus="n")
    pair_adjudicate(pair=pair, actor=ada, label="entailment")
    found = chosen(dataset, Options(rule="adjudicated", judgements=0)).get()
    assert (found.pk, found.gold) == (pair.pk, "entailment")


@pytest.mark.parametrize("label", ["entailment", "non-entailment", "contradiction"])
def test_a_file_s_label_is_gold_as_the_file_has_it(make, dataset, label):
    GoldLabel.objects.create(pair=make(), source="file", label=label)
    assert chosen(dataset, Options(rule="file", judgements=0)).get().gold == label


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"rule": "guess"}, "rule"),
        ({"judgements": 0, "matches": 0}, "judgements"),
        ({"rule": "at-least", "judgements": 3, "matches": 4}, "matches"),
        ({"unnatural": "perhaps"}, "unnatural"),
        ({"rule": "posterior", "posterior": 0.4}, "posterior"),
        ({"train": 80, "validation": 10, "test": 9}, "train"),
        ({"train": 120, "validation": -20, "test": 0}, "train"),
    ],
)
def test_options_that_make_no_sense_are_refused(dataset, ada, options, field):
    with pytest.raises(ValidationError) as refusal:
        release_create(dataset=dataset, actor=ada, options=Options(**options))
    assert field in refusal.value.message_dict
    assert not Release.objects.exists()


# Three people: two who are right nine times out of ten, one who says entailment whatever is asked.
TABLES = {
    "person-0": [[0.9, 0.1], [0.1, 0.9]],
    "person-1": [[0.9, 0.1], [0.1, 0.9]],
    "person-2": [[1.0, 0.0], [1.0, 0.0]],
}


@pytest.mark.parametrize(
    ("answers", "options", "gold"),
    [
        ("eee", {}, "entailment"),  # 0.81 against 0.01
        ("nne", {}, "non-entailment"),
        ("nee", {}, ""),  # one against one; the third says nothing
        ("nee", {"posterior": 0.5}, "entailment"),
        ("eee", {"posterior": 0.99}, ""),  # 0.81 / 0.82
        ("ee", {}, ""),
        ("eeu", {"unnatural": "any"}, ""),
        ("eeu", {"unnatural": "ignore", "judgements": 2}, "entailment"),
    ],
)
def test_a_label_that_is_probable_enough_is_gold(make, campaign, dataset, answers, options, gold):
    pair = make(answers)
    for person in Participant.objects.filter(study=campaign.study):
        Reliability.objects.create(
            campaign=campaign,
            participant=person,
            method="dawid-skene",
            value=0.9,
            detail={
                "labels": ["entailment", "non-entailment"],
                "confusion": TABLES[person.pseudonym],
                "prior": [0.5, 0.5],
            },
            computed_at=timezone.now(),
        )
    batch = batch_after(dataset, Options(rule="posterior", keep_unlabelled=True, **options), 0, Offer())
    assert [(row.pair.pk, row.pair.gold) for row in batch.rows] == [(pair.pk, gold)]


@pytest.mark.parametrize("rule", ["posterior", "mace"])
def test_estimates_of_the_reliability_job_are_what_the_rule_takes(make, campaign, dataset, rule):
    from apps.quality.reliability import estimated, reliability_store

    for answers in ("eee", "nnn", "een", "nne", "eee", "nnn"):
        make(answers)
    options = Options(rule=rule)
    assert preview(dataset, options).total == 0
    reliability_store(campaign=campaign, estimates=estimated(campaign))
    found = preview(dataset, options)
    assert found.chosen["downward", "entailment"] == 3
    assert found.chosen["downward", "non-entailment"] == 3


def test_mace_s_posterior_is_mace_s_own(make, campaign, dataset):
    """The rule works each pair out from the stored tables; the estimator did it from all answers at once."""
    from apps.quality.reliability import estimated, reliability_store

    pairs = [make(answers) for answers in ("eee", "nnn", "een", "nne", "ene", "nun", "uuu", "nee")]
    estimates = estimated(campaign)
    reliability_store(campaign=campaign, estimates=estimates)
    batch = batch_after(dataset, Options(rule="mace", posterior=0.5, swaps=False), 0, Offer())
    found = {row.pair.pk: (row.pair.gold, row.pair.probability) for row in batch.rows}
    for pair in pairs:
        classes = estimates["mace"].items[pair.items.get().pk]
        likeliest = max(classes, key=classes.__getitem__)
        if likeliest == "unnatural":
            assert pair.pk not in found
        else:
            assert found[pair.pk] == (likeliest, pytest.approx(classes[likeliest], abs=1e-3))


@pytest.mark.parametrize("kind", ["posterior", "mace"])
def test_a_rule_of_probabilities_is_worked_out_and_then_filtered_by(
    make, campaign, dataset, study, ada, client_of, work, kind
):
    from apps.quality.reliability import estimated, reliability_store

    sure = [make(answers) for answers in ("eee", "nnn", "eee", "nnn", "een", "nne")]
    few = make("ee")
    reliability_store(campaign=campaign, estimates=estimated(campaign))
    rule = gold_rule_create(study=study, actor=ada, name="probable", options=Options(rule=kind))
    client, address = client_of(ada), reverse("curation:dataset", args=[study.slug, dataset.pk])
    query = {"gold_rule": rule.pk, "gold": "entailment"}
    page = client.get(address, query)
    assert page.context["page"].paginator.count == 7  # refused: nothing is filtered
    assert b"have not been worked out here" in page.content
    client.post(reverse("curation:work_out", args=[study.slug, dataset.pk, rule.pk]))
    work()
    found = client.get(address, query).context["pairs"]
    assert [pair.pk for pair in found] == [
        pair.pk for pair in sure if pair.items.get().judgements.filter(answer="entailment").count() > 1
    ]
    found = client.get(address, {**query, "gold": "none"}).context["pairs"]
    assert [pair.pk for pair in found] == [few.pk]


def test_a_rule_has_versions_and_keeps_what_it_said(study, ada):
    one = gold_rule_create(study=study, actor=ada, name="MED's", options=Options())
    same = gold_rule_create(study=study, actor=ada, name=" MED's ", options=Options(swaps=False))
    two = gold_rule_create(study=study, actor=ada, name="MED's", options=Options(judgements=5))
    assert same == one
    assert [(rule.version, rule.parameters["judgements"]) for rule in (one, two)] == [(1, 3), (2, 5)]
    assert study.audit_events.filter(action="gold_rule.created").count() == 2
    with pytest.raises(IntegrityError), transaction.atomic():
        GoldRule.objects.create(study=study, name="MED's", version=2, kind="all")


def test_a_release_takes_a_named_rule_and_says_so(make, release, study, ada):
    make("een", calculus="e")
    rule = gold_rule_create(
        study=study, actor=ada, name="two of three", options=Options(rule="at-least", matches=2)
    )
    made, files = release(gold_rule=rule)
    assert made.manifest["gold_rule"] == {"name": "two of three", "version": 1}
    assert (made.rule, made.options["matches"]) == ("at-least", 2)
    assert len(files.pairs) == 2
    assert "*two of three*, version 1" in files.text("README.md")


def test_rules_are_made_and_chosen_on_pages(study, dataset, make, ada, olaf, client_of):
    make("een", calculus="e")
    page = reverse("releases:rules", args=[study.slug])
    client = client_of(ada)
    assert b"no named rule yet" in client.get(page).content
    sent = {"name": "most", "rule": "majority", "judgements": 3, "matching": 1, "unnatural": "most"}
    assert client.post(page, sent).status_code == 302
    assert b"most" in client.get(page).content
    rule = GoldRule.objects.get()
    new = reverse("releases:new", args=[study.slug, dataset.pk])
    counted = client.get(new, {"gold_rule": rule.pk}).context["counts"]
    assert counted.chosen.total() == 1
    assert client.post(new, {"gold_rule": rule.pk}).status_code == 302
    assert Release.objects.get().gold_rule == rule
    assert client_of(olaf).get(page).status_code == 404


@pytest.mark.parametrize(("gold", "found"), [("entailment", 0), ("non-entailment", 1), ("none", 2)])
def test_the_pairs_page_filters_by_what_a_rule_says(study, dataset, make, ada, client_of, gold, found):
    pairs = [make("een", calculus="e"), make("nnn", calculus="n"), make("u", calculus="e")]
    rule = gold_rule_create(study=study, actor=ada, name="all", options=Options())
    page = reverse("curation:dataset", args=[study.slug, dataset.pk])
    shown = client_of(ada).get(page, {"gold_rule": rule.pk, "gold": gold}).context["pairs"]
    wanted = {0: [], 1: [pairs[1]], 2: [pairs[0], pairs[2]]}[found]
    assert [pair.pk for pair in shown] == [pair.pk for pair in wanted]


def test_a_rule_of_another_study_can_t_be_chosen(study, dataset, ada, olaf, client_of):
    from apps.studies.models import Study

    other = Study.objects.exclude(pk=study.pk).get()
    rule = gold_rule_create(study=other, actor=olaf, name="theirs", options=Options())
    new = reverse("releases:new", args=[study.slug, dataset.pk])
    page = client_of(ada).post(new, {"gold_rule": rule.pk})
    assert page.status_code == 200
    assert page.context["form"].errors["gold_rule"]
    assert not Release.objects.exists()


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"train": 50}, "train"),
        ({"rule": "majority", "judgements": 0}, "judgements"),
        ({"rule": "at-least", "judgements": 1, "matching": 2}, "matching"),
        ({"seed": "x"}, "seed"),
    ],
)
def test_the_form_says_what_is_wrong_with_a_field(study, dataset, ada, client_of, sent, field):
    new = reverse("releases:new", args=[study.slug, dataset.pk])
    page = client_of(ada).post(new, sent)
    assert list(page.context["form"].errors) == [field]
    assert not Release.objects.exists()
