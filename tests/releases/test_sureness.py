"""A gold rule that takes the calculus' label can ask that the calculus be sure of it; what that leaves out is
counted, and what the labels rest on is said."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from apps.releases.forecast import preview
from apps.releases.gold_rules import Options, options_of, parameters_of
from apps.releases.models import GoldRule
from apps.releases.selection import chosen
from apps.releases.services import gold_rule_create, release_create

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def sure_and_unsure(make):
    """Three pairs on which all agree: a sure one, an unsure one, and one that rests on the assumption."""
    pairs = [make("eee") for _n in range(3)]
    for pair, confidence in zip(pairs, (0.95, 0.4, 0.92), strict=True):
        make.label(pair, "e", confidence=confidence, assumed=pair is pairs[2])
    make("een", calculus="e")
    return pairs


@pytest.mark.parametrize("rule", ["all", "at-least"])
def test_a_label_of_less_confidence_counts_as_none(rule, sure_and_unsure, dataset):
    sure, unsure, assumed = sure_and_unsure
    options = Options(rule=rule, matches=3, sure=0.9)
    assert set(chosen(dataset, options)) == {sure, assumed}
    assert preview(dataset, options).offer.unsure == 1
    assert unsure in set(chosen(dataset, Options(rule=rule, matches=3)))


def test_rules_that_do_not_take_the_calculus_label_are_not_asked(sure_and_unsure, dataset):
    assert chosen(dataset, Options(rule="majority", sure=0.9)).count() == 4
    assert preview(dataset, Options(rule="majority", sure=0.9)).offer.unsure == 0


def test_a_confidence_is_between_0_and_1():
    for sure in (-0.1, 1.1):
        with pytest.raises(ValidationError, match="between 0 and 1"):
            Options(sure=sure).check()


def test_a_named_rule_keeps_it_and_a_rule_without_it_says_what_it_said(study, ada):
    assert "sure" not in parameters_of(Options())
    plain = gold_rule_create(study=study, actor=ada, name="R", options=Options())
    assert gold_rule_create(study=study, actor=ada, name="R", options=Options()) == plain
    asking = gold_rule_create(study=study, actor=ada, name="R", options=Options(sure=0.9))
    assert (asking.version, asking.parameters["sure"]) == (2, 0.9)
    assert (options_of(plain)["sure"], options_of(asking)["sure"]) == (0, 0.9)


def test_counts_come_first_on_the_page(sure_and_unsure, dataset, study, client_of, ada):
    client, address = client_of(ada), reverse("releases:new", args=[study.slug, dataset.pk])
    sent = {"rule": "all", "judgements": 3, "train": 100, "validation": 0, "test": 0, "count": "yes"}
    page = client.post(address, {**sent, "sure": "0.9"}, follow=True).content.decode()
    assert "<dt>left out, as the calculus is not sure enough</dt><dd>1 " in page
    assert "<dt>taken, with a calculus label that rests on an assumption</dt><dd>1 " in page
    assert "The largest has 1 pair." in page and "1 pairs" not in page
    page = client.post(address, {**sent, "sure": "1"}, follow=True).content.decode()
    assert "Of the calculus labels of 3 pairs the calculus is less sure than the rule asks for." in page


def test_a_named_rule_is_kept_on_its_page_and_overrules_no_changed_field(
    sure_and_unsure, dataset, study, client_of, ada
):
    client = client_of(ada)
    address = reverse("releases:rules", args=[study.slug])
    client.post(address, {"name": "Sure", "rule": "all", "judgements": 3, "matching": 2, "sure": "0.9"})
    rule = GoldRule.objects.get()
    assert rule.parameters["sure"] == 0.9 and "0.90" in client.get(address).content.decode()
    page = client.post(
        reverse("releases:new", args=[study.slug, dataset.pk]),
        {"gold_rule": rule.pk, "rule": "all", "judgements": 3, "sure": "0.5", "count": "yes",
         "train": 100, "validation": 0, "test": 0},
    )  # fmt: skip
    assert "sure" in page.context["form"].errors


def test_page_card_and_manifest_say_it(sure_and_unsure, release, client_of, ada, study):
    made, files = release(sure=0.9, swaps=False)
    counts = made.manifest["counts"]
    assert made.manifest["rule"]["sure"] == 0.9
    assert counts["left_out_as_the_calculus_is_not_sure"] == 1
    assert counts["calculus_labels_on_the_assumption"] == 1
    card = files.text("README.md")
    assert "counts only where its confidence is 0.9 or more; 1 pair had none for this alone." in card
    assert "Of the calculus labels, 1 rest" in card
    page = client_of(ada).get(reverse("releases:release", args=[study.slug, made.pk])).content.decode()
    assert "1 pair left out for it" in page and "1 calculus label takes an unknown word" in page


def test_the_preview_counts_twins_of_earlier_releases_as_the_release_does(make, dataset, ada, work, release):
    for _n in range(2):
        make("eee", calculus="e")
    release()
    found = {one.source: one.pairs for one in preview(dataset, Options()).otherwise}
    made, _files = release()
    counted = {one["source"]: one["pairs"] for one in made.manifest["counts"]["labelled_otherwise"]}
    assert found["release"] == counted["release"] == 4


def test_nothing_is_published_where_the_calculus_is_never_sure_enough(sure_and_unsure, dataset, ada):
    with pytest.raises(ValidationError, match="less sure than the rule asks for"):
        release_create(dataset=dataset, actor=ada, options=Options(sure=1))
