"""The rooms *Pairs* and *Releases*, as researchers see them, and as nobody else does."""

from __future__ import annotations

import pytest
from django.urls import reverse

from apps.corpora.models import Blank, BlankSet, Corpus, Sentence
from apps.datasets.labels import FILE, three_way_labels, two_way_labels
from apps.datasets.models import Dataset, GoldLabel, NotRead, Pair, Tag
from apps.datasets.profiles import profiles_store
from apps.datasets.services import dataset_create, pair_get_or_create
from apps.datasets.templatetags.datasets import reason
from apps.inference.models import Model, Prediction, Run
from apps.releases.gold_rules import Options
from apps.releases.models import Release
from apps.releases.services import release_create
from apps.tallies import selectors
from natlog.criteria import Criteria
from natlog.profile import Profile

pytestmark = pytest.mark.django_db


@pytest.fixture
def get(client_of, study, rosa):
    """Fetch a page of the study as a researcher, following redirects; returns its text."""
    client = client_of(rosa)

    def fetch(name: str, *args, status: int = 200, **query) -> str:
        response = client.get(reverse(name, args=[study.slug, *args]), query, follow=True)
        assert response.status_code == status
        return response.content.decode()

    fetch.client = client
    return fetch


def test_an_empty_room_says_what_to_do_first(get):
    assert "New dataset" in get("datasets:list")
    assert "New dataset" in get("releases:list")


def test_a_dataset_is_made_and_its_name_is_its_own(get, study):
    url = reverse("datasets:new", args=[study.slug])
    for _time in range(2):
        page = get.client.post(url, {"name": "Mine"}, follow=True).content.decode()
    assert "a dataset of that name" in page
    assert Dataset.objects.get().name == "Mine"
    assert Dataset.objects.get().labels == two_way_labels()


def test_a_dataset_is_made_with_a_set_of_labels_of_two_or_three(get, study):
    url = reverse("datasets:new", args=[study.slug])
    page = get.client.get(url).content.decode()
    assert "entailment, non-entailment, contradiction" in page
    assert page.count('name="labels"') == 2 and 'value="two-way"' in page.split("checked")[0]
    get.client.post(url, {"name": "Three", "labels": "three-way"})
    assert Dataset.objects.get().labels == three_way_labels()
    assert "labels" in get.client.post(url, {"name": "Four", "labels": "four-way"}).context["form"].errors


def test_what_a_file_says_of_a_pair_stands_in_the_list(get, dataset):
    """A column of its own, as soon as one of the pairs has a label of that kind."""
    pairs = [
        pair_get_or_create(dataset=dataset, premises=[(premise, None)], hypothesis="It ran.", origin="import")
        for premise in ("A dog ran.", "A cat slept.")
    ]
    column = '<th scope="col">File</th>'
    assert column not in get("curation:dataset", dataset.pk)
    GoldLabel.objects.create(pair=pairs[0], source=FILE, label="contradiction")
    page = get("curation:dataset", dataset.pk)
    assert column in page
    first, second = page.split("<tbody>")[1].split("</tr>")[:2]
    assert first.rstrip().endswith("<td>non-entailment</td>") and second.rstrip().endswith("<td>–</td>")


@pytest.mark.both
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({}, "abcde"),
        ({"direction": "upward"}, "b"),
        ({"human": "entailment"}, "a"),
        ({"human": "tie"}, "c"),
        ({"calculus": "none"}, "e"),
        ({"agreement": "agree"}, "a"),
        ({"agreement": "differ"}, "b"),
        ({"agreement": "undecided"}, "c"),
        ({"judgements": "3", "matching": "2"}, "a"),
        ({"matching": "1", "judgements": "2"}, "c"),
        ({"judgements": "0"}, "de"),
        ({"tag": "npi"}, "b"),
        ({"genre": "upward_mono"}, "b"),
        ({"origin": "import"}, "d"),
        ({"text": "SMALL DOG 3 "}, "c"),
        ({"text": "3 dog"}, "c"),
        ({"text": '"small dog 3"'}, "c"),
        ({"text": '"dog small"'}, ""),
        ({"text": "ran smal*"}, "abcde"),
        ({"text": "smal"}, ""),
        ({"text": "?!"}, "abcde"),
        ({"operator": "no"}, "ab"),
        ({"operator": "every"}, "a"),
        ({"operator": "o"}, "abcde"),
        ({"verb": "Know"}, "a"),
        ({"verb": "kno"}, ""),
        ({"verb": "o'k"}, "abcde"),
        ({"depth": "0"}, "b"),
        ({"depth": "5"}, "a"),
        ({"shared": "yes"}, "ab"),
        ({"shared": "no"}, ""),
        ({"replaced": "yes"}, "a"),
        ({"replaced": "no"}, "b"),
        ({"corrected": "yes"}, ""),
        ({"corrected": "no"}, "abcde"),
        ({"agree_from": "60"}, "ab"),
        ({"agree_to": "50"}, "c"),
        ({"agree_from": "67"}, ""),
        ({"between": "people-calculus"}, "b"),
        ({"between": "people-model", "run": "RUN"}, ""),
        ({"between": "calculus-model", "run": "RUN"}, "b"),
        ({"between": "calculus-model"}, "abcde"),
        ({"run": "RUN", "predicted": "non-entailment"}, "b"),
        ({"run": "RUN", "predicted": "none"}, "cde"),
        ({"human": "entailment", "calculus": "non-entailment"}, ""),
        ({"tag": "'; drop table"}, "abcde"),
        ({"run": "999999"}, "abcde"),
        ({"sure_from": "0.5"}, "abcd"),
        ({"sure_from": "0.5", "human": "entailment"}, "a"),
        ({"sure_below": "0.5"}, ""),
        ({"sure_from": "2"}, "abcde"),
        ({"sure_from": "nan"}, "abcde"),
        ({"assumed": "not-known"}, "abcd"),
        ({"assumed": "yes"}, ""),
        ({"calculus": "not-read"}, ""),
    ],
)
def test_filters_keep_the_pairs_they_name(make, get, dataset, study, query, found):
    pairs = {
        "a": make("een", calculus="e"),
        "b": make("enn", calculus="e", direction="upward"),
        "c": make("en", calculus="e"),
        "d": make(calculus="n", origin="import"),
        "e": make(),
    }
    pairs["b"].tags.create(name="npi", source="natlog")
    profiles_store(
        found={
            pairs["a"].pk: (Profile(("every", "no"), ("know", "re-enter"), 6), Criteria(("no",), ("no",))),
            pairs["b"].pk: (Profile(("no", "not-only"), (":-)", "run"), 0), Criteria(("no",), ())),
        },
        made_by="test",
    )
    run = Run.objects.create(
        model=Model.objects.create(study=study, name="m", kind="majority"), dataset=dataset
    )
    Prediction.objects.create(run=run, pair=pairs["a"], label="entailment")
    Prediction.objects.create(run=run, pair=pairs["b"], label="non-entailment")
    query = {name: str(run.pk) if value == "RUN" else value for name, value in query.items()}
    page = get("curation:dataset", dataset.pk, **query)
    shown = {
        name
        for name, pair in pairs.items()
        if f'href="{reverse("curation:pair", args=[study.slug, pair.pk])}"' in page
    }
    assert shown == set(found)


def test_a_list_costs_the_same_whatever_its_length(make, get, dataset, django_assert_max_num_queries):
    for _number in range(60):
        make("eee", calculus="e")
    with django_assert_max_num_queries(18):
        page = get("curation:dataset", dataset.pk)
    assert "60 pairs" in page
    assert "page 1 of 2" in page


@pytest.mark.parametrize("asked", ["", "human=entailment", "direction=upward&tag=some", "depth=&genre="])
def test_of_a_large_study_a_job_looks_for_the_pairs(
    asked, make, dataset, rosa, client_of, work, large, django_assert_max_num_queries
):
    """The page says so, then reads what is kept: no statement of it counts, and none is added by a filter."""
    for _number in range(3):
        Tag.objects.create(pair=make("eee", calculus="e", direction="upward"), name="some", source="file")
    client = client_of(rosa)
    address = f"{reverse('curation:dataset', args=[dataset.study.slug, dataset.pk])}?{asked}"
    page = client.get(address).content.decode()
    assert "These numbers are being counted." in page and "3 pairs" not in page
    work()
    with django_assert_max_num_queries(15) as ran:
        page = client.get(address).content.decode()
    assert "3 pairs" in page and "As of" in page and "being counted" not in page
    assert not any("COUNT(*)" in query["sql"] for query in ran)


def test_a_pairs_page_takes_fifteen_queries(make, get, dataset, django_assert_max_num_queries):
    before = make("een")
    pair = make("en", calculus="e")
    Pair.objects.filter(pk=pair.pk).update(facts={"contrast_of": before.pk})
    Tag.objects.create(pair=pair, name="npi", source="file")
    with django_assert_max_num_queries(15):
        page = get("curation:pair", pair.pk)
    assert f"contrast of pair {before.pk}" in page and "npi" in page


@pytest.fixture
def large(monkeypatch):
    """Every study is large, and every counting takes long."""
    monkeypatch.setattr(selectors, "SMALL", -1)
    monkeypatch.setattr(selectors, "QUICK", 0)


def test_the_form_says_how_many_pairs_would_remain_before_it_is_applied(make, get, dataset):
    for answers, confidence in (("eee", 0.95), ("enn", 0.9), ("eee", 0.3)):
        make.label(make(answers), "e", confidence=confidence, assumed=confidence < 0.5)
    page = get("curation:dataset", dataset.pk)
    assert '<a href="?sure_from=0.9">from 0.90, 2 pairs</a>' in page
    assert '?assumed=yes">1 label rests on an assumption</a>' in page
    page = get("curation:dataset", dataset.pk, human="entailment", sure_from="0.95")
    assert '<a href="?human=entailment&amp;sure_from=0.9">from 0.90, 1 pair</a>' in page


def test_what_was_not_read_stands_with_its_reason_on_every_page_of_it(make, get, dataset):
    pair = make()
    NotRead.objects.create(pair=pair, convention="default", reason="what *sneezed that* says of its clause")
    said = "what <i>sneezed that</i> says of its clause"
    for page in (
        get("curation:dataset", dataset.pk, calculus="not-read"),
        get("curation:pair", pair.pk),
        get("datasets:labels", dataset.pk),
    ):
        assert said in page
    assert "did not read 1 pair:" in page


def test_a_label_says_that_it_rests_on_the_assumption(make, get, dataset):
    pair = make()
    make.label(pair, "e", assumed=True)
    for page in (get("curation:pair", pair.pk), get("datasets:labels", dataset.pk)):
        assert "rests on an assumption" in page


def test_a_pair_s_page_shows_everything_said_of_it(make, get, study, dataset):
    pair = make("enu", calculus="e", premise="No <script>dog</script> ran.")
    make.label(pair, "n", engine_version="0", is_current=False, reason="an older reason")
    pair.items.get().judgements.update(note="")
    person = pair.items.get().judgements.first().participant
    person.simulated = True
    person.save()
    run = Run.objects.create(
        model=Model.objects.create(study=study, name="m1", kind="majority"), dataset=dataset
    )
    Prediction.objects.create(run=run, pair=pair, label="entailment", scores={"entailment": 0.75})
    page = get("curation:pair", pair.pk)
    for text in ("person-0", "simulated", "more specific at ↓", "an older reason", "m1", "0.750", "tie"):
        assert text in page
    assert "&lt;script&gt;dog" in page
    assert "<script>dog" not in page


def test_the_blank_s_own_span_is_marked_in_right_to_left_text(make, get, study, ada):
    text = "לא ראיתי את Rex בגן"
    start = text.index("Rex")
    corpus = Corpus.objects.create(study=study, name="C", licence="-", source="-")
    sentence = Sentence.objects.create(corpus=corpus, position=0, text=text, digest="d")
    blanks = BlankSet.objects.create(study=study, name="B")
    blank = Blank.objects.create(
        blank_set=blanks,
        sentence=sentence,
        start=start,
        end=start + 3,
        text="Rex",
        category="NP",
        polarity="down",
        engine="natlog",
        engine_version="1",
        convention="med",
        parser="p",
    )
    pair = make(premise=text, hypothesis=text.replace("Rex", "Rex הקטן"), blank=blank, direction="")
    page = get("curation:pair", pair.pk)
    assert 'class="sentence" dir="auto"' in page
    assert page.count("changed part begins") == 2
    assert "</span>Rex<span" in page
    assert "</span>Rex הקטן<span" in page


def test_a_tie_is_adjudicated_on_the_pair_s_page(make, get, study):
    pair = make("en", calculus="e")
    assert "Annotators have no majority" in get("curation:pair", pair.pk)
    get.client.post(reverse("curation:adjudicate", args=[study.slug, pair.pk]), {"label": "entailment"})
    assert "Adjudicated" in get("curation:pair", pair.pk)
    assert pair.gold_labels.get().label == "entailment"


def test_a_pair_is_excluded_from_swapping_by_hand(make, get, study):
    pair = make("eee", calculus="e")
    url = reverse("curation:swappable", args=[study.slug, pair.pk])
    get.client.post(url, {"swappable": "no"})
    assert "Excluded by hand" in get("curation:pair", pair.pk)
    get.client.post(url, {"swappable": "yes"})
    assert "Exclude by hand" in get("curation:pair", pair.pk)


def test_the_labels_page_shows_what_another_version_changed(make, get, dataset):
    changed, same = make(), make()
    for pair in (changed, same):
        make.label(pair, "e", engine_version="1", is_current=False, reason="old rule")
    make.label(changed, "n", engine_version="2", reason="new rule")
    make.label(same, "e", engine_version="2")
    page = get("datasets:labels", dataset.pk)
    assert "1 pair has another label now than under natlog 1, convention med." in page
    assert "old rule" in page
    assert "new rule" in page
    get("datasets:labels", dataset.pk, before="7", status=404)


# ---- Releases ---------------------------------------------------------------------------------


def test_counts_come_before_publishing(make, get, dataset):
    make("eee", calculus="e")
    make("een", calculus="e")
    make("eee", calculus="e", direction="non-monotone")
    page = get("releases:new", dataset.pk)
    assert "What this rule takes" in page
    assert "1 × not at an upward or downward place" in page
    page = get("releases:new", dataset.pk, rule="at-least", judgements="3", matching="2")
    assert "not wanted" in page
    assert not Release.objects.exists()


def test_a_release_is_published_and_downloaded(make, get, study, dataset, work):
    make("eee", calculus="e")
    url = reverse("releases:new", args=[study.slug, dataset.pk])
    get.client.post(url, {"rule": "all", "judgements": "3", "matching": "2", "swaps": "on"})
    release = Release.objects.get()
    assert "queued" in get("releases:release", release.pk)
    get("releases:download", release.pk, release.file_name, status=404)
    work()
    assert "Download pairs-1.zip" in get("releases:release", release.pk)
    response = get.client.get(reverse("releases:download", args=[study.slug, release.pk, "pairs-1.zip"]))
    assert b"".join(response.streaming_content)[:2] == b"PK"
    assert response["Content-Disposition"] == 'attachment; filename="pairs-1.zip"'
    assert "frozen" in get("releases:list")


@pytest.mark.parametrize(
    "name",
    [
        "../pairs-1.zip",
        "..%2fpairs-1.zip",
        "pairs-1.zip.",
        "pairs-10.zip",
        ".pairs-1.zip.part",
        "pairs-2.zip",
    ],
)
def test_any_other_name_is_not_found(make, get, study, dataset, ada, work, name):
    make("eee", calculus="e")
    release_create(dataset=dataset, actor=ada, options=Options())
    work()
    base = reverse("releases:download", args=[study.slug, Release.objects.get().pk, "x"])[:-1]
    assert get.client.get(base + name).status_code == 404


# ---- Access -----------------------------------------------------------------------------------


def test_a_foreign_study_s_things_are_not_found(make, client_of, study, dataset, olaf, ada, work):
    pair = make("en", calculus="e")
    make("eee", calculus="e")
    release = release_create(dataset=dataset, actor=ada, options=Options())
    work()
    home = olaf.memberships.first().study
    own = dataset_create(study=home, actor=olaf, name="Own")
    client = client_of(olaf)
    addresses = [
        ("curation:dataset", dataset.pk),
        ("datasets:labels", dataset.pk),
        ("curation:pair", pair.pk),
        ("releases:new", dataset.pk),
        ("releases:release", release.pk),
        ("releases:download", release.pk, "pairs-1.zip"),
    ]
    for name, *args in addresses:
        for slug in (study.slug, home.slug):
            assert client.get(reverse(name, args=[slug, *args])).status_code == 404, name
    for name in ("curation:adjudicate", "curation:swappable"):
        for slug in (study.slug, home.slug):
            answer = client.post(reverse(name, args=[slug, pair.pk]), {"label": "entailment"})
            assert answer.status_code == 404
    assert client.get(reverse("curation:dataset", args=[home.slug, own.pk])).status_code == 200
    assert not pair.gold_labels.exists()


def test_annotators_do_not_see_the_pairs(client_of, study, dataset, ben):
    assert client_of(ben).get(reverse("curation:dataset", args=[study.slug, dataset.pk])).status_code == 403


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("*dog* is ↑", "<i>dog</i> is ↑"),
        ("*<b>* is odd", "<i>&lt;b&gt;</i> is odd"),
        ("2 * 3 = 6", "2 * 3 = 6"),
    ],
)
def test_a_reason_s_quoted_words_are_in_italics_and_escaped(text, html):
    assert reason(text) == html
