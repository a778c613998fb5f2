"""Testbeds: generated, proved, looked at, given to people."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from apps.campaigns.models import Campaign, Item
from apps.comparison.judges import judges_of
from apps.datasets.labels import FILE
from apps.datasets.models import Dataset, GoldLabel
from apps.datasets.services import dataset_create, pair_get_or_create
from apps.imports.services import draft_commit, draft_create, draft_preview
from apps.jobs.models import Job
from apps.testbeds import sampling, selectors, services
from apps.testbeds.licensed import licensed_begin
from apps.testbeds.models import Testbed
from apps.testbeds.options import TestbedOptions
from apps.testbeds.rows import rows_of
from natlog.fragments.drawing import TooFew
from natlog.fragments.testbeds import TESTBEDS

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset(study, ada):
    return dataset_create(study=study, actor=ada, name="Pairs of a file")


@pytest.fixture
def make(study, ada, work):
    """A testbed, generated to the end."""

    def do(kind="transitivity", name="Bed", **options):
        made = services.testbed_create(
            study=study, actor=ada, name=name, options=TestbedOptions(kind, **{"size": 60, **options})
        )
        work()
        made.refresh_from_db()
        return made

    return do


def address(name, testbed, *args):
    return reverse(f"testbeds:{name}", args=[testbed.dataset.study.slug, testbed.pk, *args])


# ---- Generating ---------------------------------------------------------------------------------


@pytest.mark.both
def test_pairs_come_with_the_testbeds_labels_and_facts_and_the_calculus_labels_them(make):
    testbed = make()
    pairs = testbed.dataset.pairs
    written = {}
    for row in rows_of(testbed):  # a pair that comes again stays as it came first
        written.setdefault((row["sentence1"], row["sentence2"]), row)
    assert pairs.count() == len(written) <= testbed.size
    assert testbed.finished_at and testbed.dataset.labels == ["entailment", "non-entailment", "contradiction"]
    for pair in pairs.prefetch_related("premises"):
        row = written[pair.premise, pair.hypothesis]
        label = GoldLabel.objects.get(pair=pair, source=FILE).label
        assert label == row["three_way"].replace("neutral", "non-entailment")
        assert pair.facts["kind"] == row["kind"] and pair.genre == f"transitivity:{row['kind']}"
        assert pair.origin == "machine" and pair.profile.words
    assert pairs.filter(calculus_labels__convention="default").count() > pairs.count() * 0.9


def test_systematicity_comes_with_its_direction_and_cells(make):
    pairs = make("systematicity", size=40).dataset.pairs
    assert pairs.count() == 40 and set(pairs.values_list("direction", flat=True)) == {"upward", "downward"}
    found = selectors.factors(make("systematicity", name="Again", size=200).dataset)
    assert {"depth", "replacement", "argument", "split"} <= set(found)
    assert found["depth"] == ["1", "2", "3", "4", "5"]


def test_the_extra_test_sets_and_the_forty_main_clauses(make):
    fronted = make("systematicity", size=20, variant="fronted adverb").dataset.pairs
    assert set(fronted.values_list("facts__variant", flat=True)) == {"fronted adverb"}
    forty = make("transitivity", name="Forty", size=200, frames="forty").dataset.pairs
    assert len(set(forty.exclude(facts__kind="s1-s2").values_list("facts__template", flat=True))) > 20


def test_natural_sentences_are_embedded_in_place_of_the_fragments(make, study, dataset):
    for premise, hypothesis, label in (
        ("A small dog is running.", "A dog is running.", "entailment"),
        ("A man is eating.", "A man is eating rice.", "non-entailment"),
        ("She might go.", "She goes.", "non-entailment"),  # no tense can be told
    ):
        pair = pair_get_or_create(
            dataset=dataset, premises=[(premise, None)], hypothesis=hypothesis, origin="import"
        )
        GoldLabel.objects.create(pair=pair, source=FILE, label=label)
    made = make("transitivity", size=122, source=dataset)
    kinds = dict(selectors.counts_by(made.dataset, "kind"))
    assert made.is_natural and made.source == dataset and set(kinds) == {"s1-s2", "f(s1)-s1", "f(s1)-s2"}
    embedded = made.dataset.pairs.filter(facts__kind="f(s1)-s2", facts__cell="yes-yes").first()
    assert "that a small dog" in embedded.premise
    dataset.pairs.all().delete()
    dataset.delete()
    made.refresh_from_db()
    with pytest.raises(LookupError):
        list(rows_of(made))


def test_too_few_natural_pairs_fail_the_job_and_say_so(make, dataset):
    testbed = make("transitivity", size=1000, source=dataset)
    assert testbed.finished_at is None and testbed.job.state == Job.State.FAILED


def test_a_composite_pair_has_its_cell(make):
    composite = make().dataset.pairs.filter(facts__kind="f(s1)-s2")
    for pair in composite:
        veridical, follows = pair.facts["cell"].split("-")
        assert veridical == ("yes" if pair.facts["verb_type"] == "V" else "unk")
        assert follows == ("yes" if pair.facts["base_label"] == "entailment" else "unk")


@pytest.mark.both
def test_sentences_come_with_their_meanings(make):
    testbed = make("sygns", size=25)
    assert testbed.dataset.kind == Dataset.Kind.MEANINGS
    assert testbed.dataset.meanings.count() == 25
    meaning = testbed.dataset.meanings.first()
    assert meaning.formula and {"depth", "clf", "vf", "polarity", "negation", "adverb"} <= set(meaning.facts)
    assert selectors.factors(testbed.dataset)["negation"] == ["no", "yes"]
    assert not testbed.dataset.pairs.exists()


def test_the_same_seed_makes_the_same_rows_and_another_makes_others(make):
    texts = lambda bed: list(bed.dataset.meanings.values_list("text", flat=True))  # noqa: E731
    one, again, other = (make("sygns", name=str(at), size=20, seed=seed) for at, seed in enumerate((1, 1, 2)))
    assert texts(one) == texts(again) != texts(other)


def test_a_worker_that_takes_the_job_up_in_the_middle_makes_the_same_rows(
    make, study, ada, work, monkeypatch
):
    from apps.testbeds import background

    whole = make("sygns", name="Whole", size=30)
    monkeypatch.setattr(background, "ROWS_A_CHUNK", 7)
    broken = services.testbed_create(
        study=study, actor=ada, name="Broken", options=TestbedOptions("sygns", size=30)
    )
    kept = background.Generating.next

    def forgetful(self, job, size):
        self._open.clear()  # as a worker that was killed after each chunk
        return kept(self, job, size)

    monkeypatch.setattr(background.Generating, "next", forgetful)
    work()
    texts = [list(bed.dataset.meanings.values_list("text", "facts")) for bed in (whole, broken)]
    assert texts[0] == texts[1] and len(texts[0]) == 30


def test_a_chunk_that_is_stored_twice_is_stored_once(make):
    for kind in ("sygns", "transitivity"):
        testbed = make(kind, name=kind, size=10)
        before = testbed.dataset.pairs.count(), testbed.dataset.meanings.count()
        services.rows_store(testbed=testbed, rows=list(rows_of(testbed)), first=1)
        assert (testbed.dataset.pairs.count(), testbed.dataset.meanings.count()) == before


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"kind": "astrology"}, "kind"),
        ({"size": 0}, "size"),
        ({"size": 10**9}, "size"),
        ({"depth": 9}, "depth"),
        ({"seed": -1}, "seed"),
        ({"variant": "object"}, "variant"),
        ({"kind": "systematicity", "variant": "sideways"}, "variant"),
        ({"kind": "systematicity", "variant": "object", "depth": 2}, "depth"),
        ({"frames": "forty"}, "frames"),
    ],
)
def test_what_can_not_be_generated_is_refused_at_its_field(options, field, study, ada):
    options = TestbedOptions(**{"kind": "sygns", **options})
    with pytest.raises(ValidationError) as refused:
        services.testbed_create(study=study, actor=ada, name="Bed", options=options)
    assert field in refused.value.message_dict
    assert not Dataset.objects.filter(study=study).exists() and not Job.objects.exists()


def test_more_rows_than_a_depth_has_fail_the_job_and_say_so(make, monkeypatch):
    def draw(n, depth, seed):
        raise TooFew("depth 0 has no 60 different sentences")

    monkeypatch.setitem(TESTBEDS, "sygns", replace(TESTBEDS["sygns"], draw=draw))
    testbed = make("sygns", depth=0)
    assert testbed.finished_at is None
    assert testbed.job.state == Job.State.FAILED and "no 60 different" in testbed.job.error


# ---- Proofs -------------------------------------------------------------------------------------


def test_a_prover_checks_every_claim(make, ada, work):
    bare = sum(1 for row in rows_of(make(size=40)) if row["kind"] == "s1-s2")
    for testbed, claims in ((Testbed.objects.get(), 2 * bare), (make("systematicity", "Two", size=20), 40)):
        services.proving_start(testbed=testbed, actor=ada)
        work()
        testbed.refresh_from_db()
        assert testbed.proved == {"confirmed": claims, "rows": claims // 2}


def test_proofs_wait_for_the_rows(make, study, ada):
    testbed = services.testbed_create(
        study=study, actor=ada, name="Bed", options=TestbedOptions("sygns", size=5)
    )
    with pytest.raises(ValidationError):
        services.proving_start(testbed=testbed, actor=ada)


# ---- Cells and samples --------------------------------------------------------------------------


@pytest.mark.both
def test_cells_count_who_gives_the_testbeds_label(make):
    testbed = make()
    found = selectors.cells(testbed.dataset, "kind", judges_of(testbed.dataset), [])
    assert found.judges == ["human", "single", "calculus"]
    by_value = {row.value: row for row in found.rows}
    assert set(by_value) == {"s1-s2", "f(s1)-s1", "f(s1)-s2", None}
    assert by_value[None].pairs == testbed.dataset.pairs.count()
    same, other = selectors.differences(testbed.dataset)
    calculus = by_value[None].scores[2]
    assert (calculus.right, calculus.of) == (same, same + other)
    assert by_value[None].scores[0].share is None  # nobody was asked


def test_the_transitivity_papers_table_10_comes_out_of_its_file(study, ada, shared_data, work):
    """Human accuracy on the 960 composite pairs: the paper mixes majority (rows 1, 2, 4) and single
    judgements (row 3 and all)."""
    path = shared_data / "transitivity_human.tsv"
    draft = draft_create(study=study, actor=ada, file_name=path.name, chunks=[path.read_bytes()])
    draft_commit(draft=draft_preview(draft=draft, actor=ada, here=True), actor=ada, here=True)
    dataset = Dataset.objects.get(study=study)
    found = selectors.cells(dataset, "cell", judges_of(dataset), [])
    shares = {
        row.value: [round(100 * score.share, 2) for score in row.scores[:2]]
        for row in found.rows
        if row.value
    }
    assert shares == {
        "yes-yes": [98.75, 95.14],
        "yes-unk": [98.75, 92.64],
        "unk-yes": [39.58, 44.86],
        "unk-unk": [99.58, 95.97],
    }


@pytest.mark.both
def test_a_sample_has_as_many_of_each_and_people_are_asked_in_one_step(make, ada, work):
    testbed = make(size=100)
    campaign = sampling.sample_begin(
        testbed=testbed, actor=ada, name="Ask", factor="cell", each=3, task="likert", seed=5
    )
    work()
    assert (campaign.task, campaign.state) == (Campaign.Task.LIKERT, Campaign.State.DRAFT)
    pairs = campaign.dataset.pairs.all()
    counts = dict(selectors.counts_by(campaign.dataset, "cell"))
    whole = dict(selectors.counts_by(testbed.dataset, "cell"))
    assert counts == {value: min(3, n) for value, n in whole.items()}
    assert Item.objects.filter(campaign=campaign).count() == pairs.count()
    for pair in pairs:
        original = testbed.dataset.pairs.get(pk=pair.facts["sampled_from"])
        assert (pair.premise, pair.hypothesis) == (original.premise, original.hypothesis)
        labels = [GoldLabel.objects.get(pair=one, source=FILE).label for one in (pair, original)]
        assert labels[0] == labels[1]


def test_the_same_seed_draws_the_same_sample(make, ada):
    testbed = make(size=100)
    drawn_by = lambda name, seed: set(  # noqa: E731
        sampling.sample_begin(
            testbed=testbed, actor=ada, name=name, factor="kind", each=4, task="validation", seed=seed
        ).dataset.pairs.values_list("digest", flat=True)
    )
    assert drawn_by("One", 1) == drawn_by("Again", 1) != drawn_by("Other", 2)


def test_a_sample_that_can_not_be_drawn_changes_nothing(make, ada):
    pairs, meanings = make(), make("sygns", name="Meanings", size=5)
    for testbed, changes in (
        (pairs, {"factor": "colour"}),
        (pairs, {"name": "Bed"}),
        (meanings, {"factor": "depth"}),
    ):
        choice = {"name": "Ask", "factor": "kind", "each": 2, "task": "validation", **changes}
        with pytest.raises(ValidationError):
            sampling.sample_begin(testbed=testbed, actor=ada, **choice)
    assert Dataset.objects.count() == 2 and not Campaign.objects.exists()


@pytest.mark.both
def test_sentences_license_pairs_that_people_can_be_asked_about(make, client_of, rosa, ada, work):
    testbed = make("sygns", size=25, depth=0)
    refused = client_of(rosa).post(address("pairs", testbed), {"name": "Bed"}).content.decode()
    assert "a dataset of that name" in refused
    client_of(rosa).post(address("pairs", testbed), {"name": "Pairs"})
    work()
    pairs = Dataset.objects.get(name="Pairs").pairs
    assert pairs.exists() and pairs.filter(calculus_labels__isnull=False).exists()
    assert set(pairs.values_list("facts__change", flat=True)) == {"added", "dropped"}
    labels = dict(pairs.filter(facts__phenomenon="adjective").values_list("digest", "gold_labels__label"))
    assert set(labels.values()) == {"entailment", "non-entailment"}
    with pytest.raises(ValidationError):
        licensed_begin(testbed=make("transitivity", name="Other", size=5), actor=ada, name="Again")


# ---- Pages --------------------------------------------------------------------------------------


def test_from_the_form_to_the_derivation(client_of, rosa, study, work):
    client = client_of(rosa)
    rooms = reverse("testbeds:list", args=[study.slug])
    assert "Make one" in client.get(rooms).content.decode()
    form = {"kind": "sygns", "name": "Meanings", "size": 12, "depth": "", "seed": 1}
    refused = client.post(rooms, {**form, "depth": 6}).content.decode()
    assert "depths 0 to 4" in refused and not Testbed.objects.exists()
    made = client.post(rooms, form)
    testbed = Testbed.objects.get()
    assert made.url == address("testbed", testbed)
    work()
    page = client.get(made.url).content.decode()
    assert "Yanaka et al. 2021 (SyGNS), Table 12" in page and "NP -&gt; Q.num N.num" in page
    meaning = testbed.dataset.meanings.first()
    shown = client.get(address("item", testbed, meaning.pk)).content.decode()
    assert meaning.text in shown and "S -&gt; " in shown
    assert client.get(made.url, {"by": "colour"}).status_code == 404


def test_a_pairs_page_shows_derivations_and_proofs(client_of, rosa, make, study):
    testbed = make()
    client = client_of(rosa)
    plain = testbed.dataset.pairs.filter(facts__kind="s1-s2").first()
    page = client.get(address("item", testbed, plain.pk)).content.decode()
    assert "the second sentence follows from the first" in page and page.count("<table") == 2
    hypernym = make("systematicity", "More", size=40).dataset.pairs.filter(facts__replacement="r1").first()
    page = client.get(reverse("testbeds:item", args=[study.slug, hypernym.dataset.testbed.pk, hypernym.pk]))
    assert [proof.answer for proof in page.context["proofs"]] == (
        ["yes", "no"] if page.context["label"].label == "entailment" else ["no", "yes"]
    )
    assert "<svg" in page.content.decode()
    embedded = testbed.dataset.pairs.filter(facts__kind="f(s1)-s1").first()
    page = client.get(address("item", testbed, embedded.pk)).content.decode()
    assert "The label comes in two steps" in page


def test_a_sample_is_made_on_the_page_and_refused_there(client_of, rosa, make):
    testbed = make()
    client = client_of(rosa)
    choice = {"name": "Bed", "factor": "kind", "each": 2, "task": "validation", "seed": 1}
    refused = client.post(address("sample", testbed), choice).content.decode()
    assert "a dataset of that name" in refused
    made = client.post(address("sample", testbed), {**choice, "name": "Ask"})
    assert made.url == reverse(
        "campaigns:campaign", args=[testbed.dataset.study.slug, Campaign.objects.get().pk]
    )


def test_another_study_sees_nothing_of_it(client_of, olaf, make):
    testbed = make("sygns", size=5)
    assert client_of(olaf).get(address("testbed", testbed)).status_code == 404
