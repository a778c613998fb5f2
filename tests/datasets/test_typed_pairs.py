"""Single pairs typed in with their source, and MED's two criteria on them (section 3.2)."""

import pytest
from django.urls import reverse

from apps.datasets.models import Pair, Profile
from apps.datasets.typed_pairs import pair_type_in

pytestmark = pytest.mark.both

TYPED = {
    "premises": "Every man sang a song.",
    "hypothesis": "Every tall man sang a song.",
    "label": "entailment",
    "source": "Winter 2016, example 7",
    "genre": "paper",
}


@pytest.fixture
def desk(client_of, rosa):
    return client_of(rosa)


@pytest.fixture
def address(study, dataset):
    return reverse("datasets:pair_new", args=[study.slug, dataset.pk])


def test_a_pair_is_typed_in_with_its_source_and_published_label(desk, address, dataset):
    answer = desk.post(address, TYPED, follow=True)
    pair = dataset.pairs.get()
    assert (pair.origin, pair.source, pair.genre) == ("typed", "Winter 2016, example 7", "paper")
    assert [premise.text for premise in pair.premises.all()] == ["Every man sang a song."]
    assert [(gold.source, gold.label) for gold in pair.gold_labels.all()] == [("file", "entailment")]
    text = answer.content.decode()
    assert f"Pair {pair.pk} is stored." in text and "Winter 2016" in text


def test_source_and_genre_stay_for_the_next_one(desk, address):
    form = desk.post(address, TYPED, follow=True).context["form"]
    assert (form["source"].value(), form["genre"].value()) == ("Winter 2016, example 7", "paper")
    assert not form["hypothesis"].value()


def test_several_premises_are_typed_one_a_line(desk, address, dataset):
    desk.post(address, {**TYPED, "premises": "Every man sang.\n\nTom is a man.", "label": ""})
    pair = dataset.pairs.get()
    assert [premise.text for premise in pair.premises.all()] == ["Every man sang.", "Tom is a man."]
    assert not pair.gold_labels.exists()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"source": ""}, "This field is required"),
        ({"premises": " \n "}, "This field is required"),
        ({"label": "contradiction"}, "Select a valid choice"),
    ],
)
def test_what_is_missing_is_said_and_nothing_stored(desk, address, dataset, wrong, said):
    assert said in desk.post(address, {**TYPED, **wrong}).content.decode()
    assert not dataset.pairs.exists()


def test_a_pair_that_is_there_is_named_and_left_alone(desk, address, dataset):
    desk.post(address, TYPED)
    again = desk.post(address, {**TYPED, "source": "Another", "label": "non-entailment"})
    assert f"already: number {dataset.pairs.get().pk}" in again.content.decode()
    assert dataset.pairs.get().source == "Winter 2016, example 7"


def test_the_two_criteria_filter_the_list_once_the_calculus_has_looked(dataset, rosa, desk, study, work):
    rows = {
        "both": ("Every man sang.", "Every tall man sang."),
        "operator": ("The cook saw that no dog barked.", "The old cook saw that no dog barked."),
        "none": ("Every man sang.", "Some man sang."),
    }
    made = {
        name: pair_type_in(
            dataset=dataset, actor=rosa, premises=[premise], hypothesis=hypothesis, source="ours"
        ).pk
        for name, (premise, hypothesis) in rows.items()
    }
    work()
    assert Profile.objects.get(pair=made["both"]).argument_of.split() == ["every"]

    def found(**filters):
        page = desk.get(reverse("curation:dataset", args=[study.slug, dataset.pk]), filters).context["page"]
        return {name for name, pk in made.items() if pk in list(page.object_list)}

    assert found(shared="yes") == {"both", "operator"}
    assert found(replaced="yes") == {"both"} | ({"operator"} & found(replaced="yes"))
    assert found(shared="no") == found(replaced="no") - found(shared="yes") == {"none"}


def test_pairs_labelled_before_there_were_criteria_get_them_when_labelled_again(dataset, rosa, work):
    from apps.datasets.services import labelling_start

    pair = pair_type_in(
        dataset=dataset, actor=rosa, premises=["No dog ran."], hypothesis="No big dog ran.", source="ours"
    )
    work()
    Profile.objects.filter(pair=pair).update(shared_operators=None, argument_of=None)
    labelling_start(dataset=dataset, actor=rosa, convention="default")
    work()
    assert Profile.objects.get(pair=pair).argument_of.split() == ["no"]


def test_the_api_takes_a_single_pair(desk, dataset):
    body = {**TYPED, "dataset": dataset.pk, "premises": [TYPED["premises"]]}
    made = desk.post("/api/v1/pairs/", body, content_type="application/json")
    assert made.status_code == 201, made.content
    shown = made.json()
    assert (shown["origin"], shown["source"]) == ("typed", "Winter 2016, example 7")
    assert Pair.objects.get().hypothesis == TYPED["hypothesis"]
    again = desk.post("/api/v1/pairs/", body, content_type="application/json")
    assert again.status_code == 422
    filtered = desk.get(f"/api/v1/datasets/{dataset.pk}/pairs/", {"shared": "yes"})
    assert filtered.status_code == 200 and filtered.json()["results"] == []
