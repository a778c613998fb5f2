"""The calculus' direction and tags, corrected by hand beside what it says."""

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from apps.comparison.judges import judges_of
from apps.comparison.pairs import compared
from apps.datasets.corrections import correction_undo, pair_correct, said_of, tags_apply
from apps.datasets.labelling import LabelKey, Labelled
from apps.datasets.models import Correction, Tag
from apps.datasets.services import calculus_labels_store
from apps.studies.models import AuditEvent

pytestmark = [pytest.mark.django_db, pytest.mark.both]

KEY = LabelKey("natlog", "1", "med", "p")


@pytest.fixture
def pair(make):
    """The calculus: downward, with the tag npi."""
    made = make("eee")
    store(made)
    return made


def store(pair, key=KEY, tags=("npi",), direction="downward"):
    calculus_labels_store(
        pairs=[pair.pk], key=key, labels={pair.pk: Labelled("entailment", direction, "r", 0.9, tags=tags)}
    )


def place(pair):
    return compared(pair.dataset.pairs.filter(pk=pair.pk), judges_of(pair.dataset)).get().place


def tags(pair):
    return set(Tag.objects.filter(pair=pair).values_list("name", "source"))


def test_a_correction_is_in_force_and_the_calculus_own_values_stay(pair, rosa):
    made = pair_correct(pair=pair, actor=rosa, direction="upward", tags=["reverse"], note="Twice down.")
    assert place(pair) == "upward" and tags(pair) == {("reverse", "correction")}
    label = pair.calculus_labels.get()
    assert (label.direction, label.detail["tags"]) == ("downward", ["npi"])
    assert (made.direction_was, made.tags_was, made.created_by) == ("downward", ["npi"], rosa)
    assert said_of(pair) == said_of(pair.__class__.objects.get(pk=pair.pk))
    assert said_of(pair).direction == "downward"
    assert AuditEvent.objects.get(action="pair.corrected").actor == rosa


def test_taken_back_the_calculus_stands_again(pair, rosa, ada):
    pair_correct(pair=pair, actor=rosa, direction="upward", tags=["reverse"])
    correction_undo(pair=pair, actor=ada)
    assert place(pair) == "downward" and tags(pair) == {("npi", "natlog")}
    kept = Correction.objects.get()
    assert (kept.undone_by, kept.created_by) == (ada, rosa)
    with pytest.raises(ValidationError, match="taken back already"):
        correction_undo(pair=pair, actor=ada)


def test_a_later_correction_takes_the_place_of_the_first_which_is_kept(pair, rosa):
    pair_correct(pair=pair, actor=rosa, direction="upward", tags=["npi"])
    pair_correct(pair=pair, actor=rosa, direction="non-monotone", tags=["npi"])
    assert place(pair) == "non-monotone"
    assert [one.undone_at is None for one in Correction.objects.all()] == [True, False]
    assert Correction.objects.first().tags is None


def test_a_new_labelling_leaves_a_correction_in_force(pair, rosa):
    pair_correct(pair=pair, actor=rosa, direction="upward", tags=["reverse", "npi"])
    store(pair, key=KEY._replace(engine_version="2"), tags=("reverse", "conjunction"), direction="downward")
    assert tags(pair) == {("reverse", "natlog"), ("npi", "correction")} and place(pair) == "upward"
    tags_apply([pair.pk])
    assert len(tags(pair)) == 2


@pytest.mark.parametrize(
    ("direction", "names", "said"),
    [
        ("downward", ["npi"], "nothing to correct"),
        ("sideways", ["npi"], "Choose upward"),
        ("upward", ["poetry"], "no such tag"),
    ],
)
def test_what_is_no_correction_changes_nothing(pair, rosa, direction, names, said):
    with pytest.raises(ValidationError, match=said):
        pair_correct(pair=pair, actor=rosa, direction=direction, tags=names)
    assert not Correction.objects.exists() and tags(pair) == {("npi", "natlog")}


# ---- The page ------------------------------------------------------------------------------------
@pytest.fixture
def desk(client_of, rosa):
    return client_of(rosa)


def page_of(pair, study, name="curation:pair"):
    return reverse(name, args=[study.slug, pair.pk])


def test_a_researcher_corrects_and_takes_back_on_the_pairs_page(desk, study, dataset, pair):
    sent = {"direction": "upward", "tags": ["reverse"], "note": "Twice down."}
    text = desk.post(page_of(pair, study, "curation:correct"), sent, follow=True).content.decode()
    assert "upward in place of downward" in text and "reverse in place of npi" in text
    assert "Twice down." in text and "corrected; was downward" in text
    lists = reverse("curation:dataset", args=[study.slug, dataset.pk])
    for filters, shown in (
        ({"direction": "upward"}, True),
        ({"direction": "downward"}, False),
        ({"tag": "reverse"}, True),
        ({"corrected": "yes"}, True),
        ({"corrected": "no"}, False),
    ):
        assert (pair.pk in desk.get(lists, filters).context["page"].object_list) is shown, filters
    desk.post(page_of(pair, study, "curation:correct"), {"undo": "yes"})
    assert place(pair) == "downward"


def test_two_at_once_are_told_of_each_other(desk, study, pair, ada):
    opened = desk.get(page_of(pair, study)).context["correction"]["opened"].value()
    pair_correct(pair=pair, actor=ada, direction="non-monotone", tags=["npi"])
    sent = {"direction": "upward", "tags": ["npi"], "note": "", "opened": opened}
    answer = desk.post(page_of(pair, study, "curation:correct"), sent)
    assert answer.status_code == 409 and place(pair) == "non-monotone"


# ---- The API -------------------------------------------------------------------------------------
def test_the_api_corrects_and_takes_back(desk, pair):
    def post(what, body=None):
        return desk.post(f"/api/v1/pairs/{pair.pk}/{what}/", body or {}, content_type="application/json")

    shown = post("correct", {"direction": "upward", "tags": ["npi"]}).json()
    assert shown["corrections"][0]["direction_was"] == "downward" and shown["corrections"][0]["tags"] is None
    assert post("correct", {"direction": "upward", "tags": ["poetry"]}).status_code == 422
    assert post("correction-undo").json()["corrections"][0]["undone_at"]
    assert post("correction-undo").status_code == 422
