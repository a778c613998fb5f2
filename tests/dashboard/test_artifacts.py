"""What gives labels away without reading both sentences, in labels and in what models say."""

from __future__ import annotations

import csv
import io
from math import log2, sqrt

import pytest

from apps.comparison.judges import judges_of
from apps.dashboard.artifacts import AGREED, ALL, artifacts
from apps.datasets.models import GoldLabel
from apps.inference.selectors import latest_runs
from tests.api.conftest import token_client  # noqa: F401 - a fixture
from tests.dashboard.conftest import WORDS

pytestmark = pytest.mark.both


@pytest.fixture
def pairs(make):
    """Ten pairs, half of each label; “small” is in six hypotheses, five of them entailments; the first eight
    have people and calculus of one mind."""
    made = []
    for n in range(10):
        entails, small = n < 5, n < 6
        word = "small" if small else "old"
        letter = "e" if entails else "n"
        hypothesis = f"The {word} dog {n} ran." if n != 9 else "No old dog 9 ran today."
        pair = make(
            letter * 2 if n < 8 else "",
            calculus=letter,
            premise=f"The {word} dog {n} ran." if n == 0 else f"The dog {n} ran.",
            hypothesis=hypothesis,
        )
        GoldLabel.objects.create(pair=pair, source="file", label=WORDS[letter])
        made.append(pair)
    return made


@pytest.fixture
def found(dataset, pairs):
    def find():
        made = artifacts(dataset, "file", judges_of(dataset), latest_runs(dataset))
        return made, {source.key: source for source in made.sources}

    return find


def test_words_are_scored_as_by_hand(found):
    made, sources = found()
    assert made.words[0] == "small"
    cue = sources[ALL].cues["small"]
    assert (cue.pairs, cue.label, cue.share) == (6, "entailment", 5 / 6)
    assert cue.z == pytest.approx((5 / 6 - 0.5) / sqrt(0.25 / 6))
    assert cue.pmi == pytest.approx(log2((5 + 1) * (10 + 4) / ((6 + 2) * (5 + 2))))
    assert "old" not in made.words  # in four hypotheses: too few to say anything


def test_rules_of_thumb_and_lengths(found):
    _made, sources = found()
    whole = sources[ALL]
    # All words in the premise: the first pair alone; so it is right there and on the five others' side.
    assert whole.overlap == 6 / 10
    assert whole.negation == 6 / 10  # “No old dog” and the five that entail
    assert whole.common == 0.5
    assert whole.longer == {"entailment": 4 / 5, "non-entailment": 6 / 5}


def test_before_and_after_filtering(found):
    _made, sources = found()
    assert (sources[ALL].pairs, sources[AGREED].pairs) == (10, 8)
    # Of the eight, five entail; six have the word.
    assert sources[AGREED].cues["small"].z == pytest.approx((5 / 6 - 5 / 8) / sqrt(5 / 8 * 3 / 8 / 6))


def test_a_model_that_leans_on_a_word_has_a_larger_score_than_the_labels(found, pairs, predict):
    run = predict("leaning", pairs, "eeeeeennnn")
    _made, sources = found()
    assert sources[f"run_{run.pk}"].cues["small"].z > sources[ALL].cues["small"].z
    assert sources[f"run_{run.pk}"].cues["small"].share == 1


def test_a_model_that_always_says_one_label_has_no_score(found, pairs, predict):
    run = predict("always", pairs, "eeeeeeeeee")
    _made, sources = found()
    assert sources[f"run_{run.pk}"].cues["small"].z is None


def test_the_page_and_its_files(dataset, pairs, predict, client_of, rosa, olaf, study):
    predict("leaning", pairs, "eeeeeennnn")
    client, address = client_of(rosa), f"/s/{study.slug}/dashboard/{dataset.pk}/artifacts/"
    text = client.get(address).content.decode()
    assert "small" in text and "leaning" in text and "Make one" in text
    rows = list(csv.DictReader(io.StringIO(client.get(address, {"as": "words.csv"}).text, newline="")))
    assert rows[0]["word"] == "small" and float(rows[0]["z_all"]) > 1.6
    rules = list(csv.DictReader(io.StringIO(client.get(address, {"as": "rules.csv"}).text, newline="")))
    assert [row["pairs"] for row in rules] == ["10", "8", "10"]
    assert client.get(address, {"as": "words-figure.svg"}).content.startswith(b"<svg")
    assert 'class="errorlist"' in client.get(address, {"against": "nobody"}).content.decode()
    assert client_of(olaf).get(address).status_code == 404


def test_where_there_is_no_label_it_says_so(dataset, make, client_of, rosa, study):
    make()
    address = f"/s/{study.slug}/dashboard/{dataset.pk}/artifacts/"
    assert "nothing to measure against yet" in client_of(rosa).get(address).content.decode()
    assert client_of(rosa).get(address, {"as": "words.csv"}).status_code == 404


def test_the_api_has_the_same(dataset, pairs, predict, rosa, olaf, token_client):  # noqa: F811
    run = predict("leaning", pairs, "eeeeeennnn")
    client, address = token_client(rosa), f"/api/v1/datasets/{dataset.pk}/artifacts/"
    found = client.get(address).json()
    assert (found["reference"], found["least"]) == ("file", 5)
    sources = {source["key"]: source for source in found["sources"]}
    assert list(sources) == ["all", "agreed", f"run_{run.pk}"]
    whole = sources["all"]
    assert (whole["pairs"], whole["overlap"], whole["common"]) == (10, 0.6, 0.5)
    assert whole["longer"] == [
        {"label": "entailment", "words": 4 / 5}, {"label": "non-entailment", "words": 6 / 5},
    ]  # fmt: skip
    first = whole["words"][0]
    assert (first["word"], first["pairs"], first["label"]) == ("small", 6, "entailment")
    assert sources[f"run_{run.pk}"]["words"][0]["z"] > first["z"]
    assert client.get(address, {"against": "human"}).json()["reference"] == "human"
    for query in ({"against": "nobody"}, {"campaigns": "999"}, {"x": "1"}):
        assert client.get(address, query).status_code == 400, query
    assert token_client(olaf).get(address).status_code == 404


def test_the_api_without_any_label(dataset, make, rosa, token_client):  # noqa: F811
    make()
    found = token_client(rosa).get(f"/api/v1/datasets/{dataset.pk}/artifacts/").json()
    assert (found["reference"], found["sources"], found["as_of"]) == (None, [], None)
