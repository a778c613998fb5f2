"""Pairs are found by their words from the start, and by operators, verbs and depth once they are labelled."""

from __future__ import annotations

import random

import pytest
from django.http import QueryDict

from apps.curation.filters import PairFilters
from apps.curation.hypothesis_words import having_word
from apps.datasets.models import Pair, Profile, Tag
from apps.datasets.profiles import words_store
from apps.datasets.services import labelling_start, pair_get_or_create
from apps.datasets.words import wanted, words_of_pair
from apps.imports.judgements import Filed
from apps.imports.rows import PairRow
from apps.imports.storage import Numbered, batch_store
from apps.releases.gold_rules import Options
from apps.releases.services import release_create
from natlog.tokens import words_of

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def found(dataset):
    """The hypotheses of the pairs that pass some filters."""

    def look(**filters) -> set[str]:
        sent = QueryDict(mutable=True)
        sent.update(filters)
        form = PairFilters(sent, dataset=dataset)
        assert form.is_valid(), form.errors
        return set(Pair.objects.filter(pk__in=form.numbers()).values_list("hypothesis", flat=True))

    return look


def test_words_are_the_same_whatever_the_spelling(make, found):
    make(premise="Das große Haus.", hypothesis="A CAFE\u0301 isn't 3.5 metres — e-mail_me")
    hypothesis = Pair.objects.get().hypothesis
    for text in ("café", "CAFÉ haus", "GROSSE", "isn t", "3 5", "e mail me", '"mail me"', "metr*"):
        assert found(text=text) == {hypothesis}, text
    for text in ("cafe", "haus cat", '"haus a"', "etres"):
        assert found(text=text) == set(), text


def test_every_premise_is_searched_and_no_phrase_crosses_a_border(dataset, found):
    pair_get_or_create(
        dataset=dataset,
        premises=[("Dogs bark.", None), ("Cats sleep.", None)],
        hypothesis="So.",
        origin="import",
    )
    assert found(text="dogs cats so") == {"So."}
    assert found(text='"bark cats"') == set()


def test_a_long_word_is_searched_by_its_beginning(make, found):
    make(hypothesis="x" * 5000)
    assert len(found(text="x" * 150)) == 1


def test_pairs_are_found_whichever_way_they_came(make, dataset, found, ada, work):
    """Written, imported, swapped: each is there as soon as it is stored."""
    make("eee", calculus="e", premise="No dog ran.", hypothesis="No small dog ran.")
    release_create(dataset=dataset, actor=ada, options=Options(train=100, validation=0, test=0))
    work()
    assert found(text="small dog") == {"No small dog ran.", "No dog ran."}
    assert Profile.objects.count() == Pair.objects.count() == 2


def test_an_import_stores_words(dataset, found):
    row = PairRow(number=1, line=1, premises=("Rain fell.",), hypothesis="Water fell.", label="entailment")
    item = Numbered(row, "d" * 64, 0)
    batch_store(dataset=dataset, filed=Filed("f", "", dataset.pk), batch=[item], there={})
    assert found(text="rain water") == {"Water fell."}


def test_labelling_finds_operators_verbs_and_depth_also_of_pairs_that_have_no_label(
    make, dataset, found, ada, work
):
    make(premise="Ann knows that no dog ran.", hypothesis="Ann knows that no poodle ran.", direction="")
    pair_get_or_create(
        dataset=dataset,
        premises=[("Every cat slept.", None), ("Tom failed to win.", None)],
        hypothesis="Tom slept.",
        origin="import",
    )
    labelling_start(dataset=dataset, actor=ada, convention="med")
    work()
    assert found(operator="no") == found(verb="know") == {"Ann knows that no poodle ran."}
    assert found(operator="every") == found(verb="fail") == {"Tom slept."}
    assert found(depth="1") == {"Ann knows that no poodle ran.", "Tom slept."}
    assert found(depth="0") == set()


def test_pairs_that_were_labelled_before_get_a_profile_when_labelled_again(make, dataset, found, ada, work):
    make(premise="No dog ran.", hypothesis="No poodle ran.", direction="")
    labelling_start(dataset=dataset, actor=ada, convention="med")
    work()
    Profile.objects.all().delete()
    label = Pair.objects.get().calculus_labels.get()
    labelling_start(dataset=dataset, actor=ada, convention="med")
    work()
    assert found(operator="no", text="poodle") == {"No poodle ran."}
    assert Pair.objects.get().calculus_labels.get() == label


def test_storing_words_again_changes_nothing(make):
    pair = make(premise="A.", hypothesis="B.")
    words_store([(pair.pk, ["C."], "D.")])
    assert Profile.objects.get().words == words_of_pair(["A."], "B.") == " a | b "


@pytest.mark.parametrize("text", ["", "   ", "?!", '""', "*", "'"])
def test_a_search_without_a_word_wants_nothing(text):
    assert not wanted(text)


@pytest.fixture
def varied(make):
    """Three pairs, called by their hypotheses, that differ in genre, facts, tags and labels."""
    said = (
        ("One.", "GLUE", {"verb": "know", "depth": 2}, "Conjunction", "e", "een"),
        ("Two.", "GLUE: news", {"verb": "knows", "depth": 12}, "conjunction", "n", "e"),
        ("Three.", "", {"depth": 2}, "npi", "", ""),
    )
    for hypothesis, genre, facts, tag, calculus, answers in said:
        pair = make(answers, calculus=calculus, hypothesis=hypothesis)
        pair.genre, pair.facts = genre, facts
        pair.save()
        Tag.objects.create(pair=pair, name=tag, source="file")


@pytest.mark.parametrize(
    ("filters", "there"),
    [
        ({"genre": "glue"}, "One Two"),
        ({"genre": '"GLUE"'}, "One"),
        ({"genre": '""'}, "Three"),
        ({"fact": "verb"}, "One Two"),
        ({"fact": "verb", "fact_is": "know"}, "One"),
        ({"fact": "verb", "fact_is": '"knows"'}, "Two"),
        ({"fact": "verb", "fact_is": '""'}, ""),
        ({"fact": "depth", "fact_is": "2"}, "One Three"),
        ({"fact": 'a"b$.c'}, ""),
        ({"tag": "CONJUNCTION"}, "One Two"),
        ({"without_tag": "conjunction"}, "Three"),
        ({"labelled": "calculus"}, "One Two"),
        ({"labelled": "calculus,human"}, "One Two"),
        ({"judgements_from": "2"}, "One"),
        ({"judgements_from": "1"}, "One Two"),
        ({"judgements_from": "0"}, "One Two Three"),
        ({"alike": "people-calculus"}, "One"),
        ({"between": "people-calculus"}, "Two"),
    ],
)
def test_what_the_dashboard_counts_apart_can_be_filtered_by(varied, found, filters, there):
    assert found(**filters) == {f"{name}." for name in there.split()}


def test_a_word_of_the_hypothesis_alone(make, found):
    for hypothesis in ("The dog isn’t HERE.", "A dogs' home.", "The Dog did not run."):
        make("", premise="The dog isn't a cat.", hypothesis=hypothesis)
    first, second, third = "The dog isn’t HERE.", "A dogs' home.", "The Dog did not run."
    words = {"dog": {first, third}, "DOGS": {second}, "is": {first}, "n’t": {first}, "n't": {first}}
    words |= {"here": {first}, "not": {third}, "cat": set(), "t": set(), "isn": set()}
    assert {word: found(hypothesis_word=word) for word in words} == words
    assert found(hypothesis_word="dog", text="run") == {third}


def test_the_database_cuts_words_as_the_artifacts_page_does(dataset):
    """Texts of pieces that are cut in odd ways, by every word that one has, and some that none has."""
    draw = random.Random(5)
    odd = "do dON’T n't `a` ``b'' İs \u212a kelvin über x_y _ 7 a7 a-b * [a] \\ % ñ dogs' ß o'clock is"
    pieces = [*odd.split(), "didn 't"]
    texts = [
        "".join(draw.choice(pieces) + draw.choice(("", " ", " ", ". ", "\n")) for _n in range(4))
        for _m in range(300)
    ]
    made = [
        Pair(dataset=dataset, hypothesis=text, digest=f"{n}", origin="import") for n, text in enumerate(texts)
    ]
    Pair.objects.bulk_create(made)
    words = {word for text in texts for word in words_of(text)}
    assert len(words) > 50
    for word in sorted(words | {"don", "t", "clock's", "nowhere"}):
        there = having_word(dataset.pairs.all(), word).values_list("hypothesis", flat=True)
        assert sorted(there) == sorted(text for text in texts if word in words_of(text)), word


@pytest.mark.parametrize(
    ("filters", "field"),
    [
        ({"fact_is": "2"}, "fact"),
        ({"labelled": "model"}, "run"),
        ({"alike": "file-model"}, "run"),
        ({"between": "models"}, "other_run run"),
        ({"other_predicted": "entailment"}, "other_run"),
        ({"labelled": "nobody"}, "labelled"),
        ({"say_entailment": "999"}, "say_entailment"),
        ({"say_non_entailment": "x"}, "say_non_entailment"),
        ({"hypothesis_word": "two words"}, "hypothesis_word"),
        ({"hypothesis_word": "?"}, "hypothesis_word"),
        ({"without_tag": "never there"}, "without_tag"),
    ],
)
def test_half_a_filter_is_refused_by_name(varied, dataset, filters, field):
    assert sorted(PairFilters(filters, dataset=dataset).errors) == field.split()
