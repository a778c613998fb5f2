"""Numbers of words from elsewhere, beside accuracies."""

from __future__ import annotations

import csv
import io

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.comparison.judges import judges_of
from apps.dashboard.breakdown import Breakdown, Line, Score
from apps.dashboard.entailed import entailed
from apps.dashboard.models import Norm
from apps.dashboard.norms import correlations, numbers_read
from apps.datasets.models import GoldLabel
from apps.inference.selectors import latest_runs
from apps.studies.models import AuditEvent
from measures.undefined import Undefined
from tests.api.conftest import token_client  # noqa: F401 - a fixture
from tests.dashboard.conftest import WORDS

FILE = "verb\tn\tmean\nKnow\t9\t2.5\nhope\t9\t-1\nthink\t8\t0.25\n"


@pytest.fixture
def pairs(make):
    """Gold e, people: know een, hope nne, doubt ee; two pairs of each, as a fact is counted by has."""
    made = []
    for answers, verb in (("een", "know"), ("nne", "hope"), ("ee", "doubt")) * 2:
        pair = make(answers)
        pair.facts = {"verb": verb}
        pair.save()
        GoldLabel.objects.create(pair=pair, source="file", label=WORDS["e"])
        made.append(pair)
    return made


@pytest.fixture
def sent(study, client_of):
    """What the page answers to a file."""

    def send(user, content=FILE, **said):
        file = SimpleUploadedFile("norm.tsv", content.encode())
        data = {"name": "Veridicality", "source": "White and Rawlins 2018", "numbers": "mean"}
        address = f"/s/{study.slug}/dashboard/norms/"
        return client_of(user).post(address, {**data, **said, "file": file})

    return send


def test_a_file_is_read_by_its_columns_in_any_case():
    assert numbers_read(FILE.encode(), "VERB", "mean") == {"know": 2.5, "hope": -1.0, "think": 0.25}
    assert numbers_read(b"verb,score\nfind out,1e-1\n") == {"find out": 0.1}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "There is no column 1"),
        (b"verb\nknow\n", "There is no column 2"),
        (b"verb,score\n", "no rows"),
        (b"verb,score\nknow,1\nhope,much\n", "row 2 .line 3., column “score”: this is no number: “much”"),
        (b"verb,score\nknow,nan\n", "this is no number"),
        (b"verb,score\nknow,\n", "this is no number"),
        (b"verb,score\nknow,1\nKNOW,2\n", "row 2 .*“know” is there twice"),
        (b"verb,score\n,1\n", "a word of 1 to 200"),
        (b"verb,score\nknow,1,2\n", "Cells in this row: 3"),
        (b"verb,score\nknow\xff,1\n", "not UTF-8"),
    ],
)
def test_a_damaged_file_is_refused_with_its_row(content, said):
    with pytest.raises(ValidationError, match=said):
        numbers_read(content)


def test_correlations_by_hand_each_value_once_and_why_there_is_none():
    lines = [
        Line(value, pairs, {"human": Score(right, 4), "calculus": Score(2, 4)})
        for value, pairs, right in (("A", 400, 1), ("b", 4, 2), ("c", 4, 4), ("d", 4, 0), (None, 412, 2))
    ]
    human, calculus = correlations(Breakdown("fact:verb", "file", ["human", "calculus"], lines), NUMBERS)
    # Of 1/4, 2/4, 4/4 with 1, 2, 10, whose deviations are −1/3, −1/12, 5/12 and −10/3, −7/3, 17/3.
    assert human.n == 3 and human.spearman == pytest.approx(1)
    assert human.pearson == pytest.approx((10 / 9 + 7 / 36 + 85 / 36) / ((7 / 24) * (146 / 3)) ** 0.5)
    assert calculus.pearson is Undefined.NO_VARIATION
    assert (
        correlations(Breakdown("x", "file", ["human"], lines), {"a": 1.0})[0].pearson is Undefined.NO_OVERLAP
    )


NUMBERS = {"a": 1.0, "b": 2.0, "c": 10.0}


@pytest.mark.both
def test_a_norm_is_kept_told_and_removed_and_bad_input_keeps_nothing(study, rosa, sent, client_of):
    refused = sent(rosa, "verb\tn\tmean\nknow\t1\tmuch\n")
    assert "this is no number: “much”" in refused.content.decode() and not Norm.objects.exists()
    assert "There is no column colour" in sent(rosa, numbers="colour").content.decode()
    assert sent(rosa).status_code == 302
    norm = Norm.objects.get()
    assert (norm.study, norm.size, norm.source) == (study, 3, "White and Rawlins 2018")
    assert "There is a norm of this name" in sent(rosa).content.decode()
    address = f"/s/{study.slug}/dashboard/norms/"
    assert "White and Rawlins 2018" in client_of(rosa).get(address).content.decode()
    assert client_of(rosa).get(f"{address}{norm.pk}/remove/").status_code == 405
    client_of(rosa).post(f"{address}{norm.pk}/remove/")
    assert not Norm.objects.exists()
    told = AuditEvent.objects.filter(action__startswith="norm.").order_by("pk")
    assert list(told.values_list("action", flat=True)) == ["norm.added", "norm.removed"]


def test_who_may_and_what_an_empty_page_says(study, rosa, ben, olaf, sent, client_of):
    address = f"/s/{study.slug}/dashboard/norms/"
    assert "There is none yet" in client_of(rosa).get(address).content.decode()
    for user, status in ((ben, 403), (olaf, 404)):
        assert client_of(user).get(address).status_code == status
        assert sent(user).status_code == status
    sent(rosa)
    remove = f"{address}{Norm.objects.get().pk}/remove/"
    assert client_of(ben).post(remove).status_code == 403
    assert client_of(olaf).post(remove).status_code == 404
    assert client_of(rosa).post(f"{address}999999/remove/").status_code == 404
    assert Norm.objects.count() == 1


@pytest.mark.both
def test_it_stands_beside_the_verbs_with_its_correlations(dataset, pairs, study, rosa, sent, client_of):
    sent(rosa)
    client, address = client_of(rosa), f"/s/{study.slug}/dashboard/{dataset.pk}/breakdown/"
    query = {"by": "fact:verb", "norm": Norm.objects.get().pk}
    rows = list(csv.DictReader(io.StringIO(client.get(address, {**query, "as": "table.csv"}).text)))
    assert {row["value"]: row["norm"] for row in rows} == {
        "doubt": "",
        "hope": "-1.0",
        "know": "2.5",
        "all": "",
    }
    table = client.get(address, {**query, "as": "norm.csv"}).text
    single = next(row for row in csv.DictReader(io.StringIO(table)) if row["judge"] == "People, each answer")
    assert (single["values"], float(single["spearman"])) == ("2", pytest.approx(1))
    assert "White and Rawlins 2018" in client.get(address, query).content.decode()
    assert client.get(address, {"as": "norm.csv"}).status_code == 404
    assert 'class="errorlist"' in client.get(address, {"norm": 999999}).content.decode()


def test_the_api_has_the_same(dataset, pairs, rosa, sent, token_client):  # noqa: F811
    sent(rosa)
    client, address = token_client(rosa), f"/api/v1/datasets/{dataset.pk}/breakdown/"
    assert client.get(address).json()["norm"] is None
    found = client.get(address, {"by": "fact:verb", "norm": Norm.objects.get().pk}).json()["norm"]
    assert found["numbers"] == {"hope": -1.0, "know": 2.5}
    single = next(row for row in found["correlations"] if row["judge"] == "single")
    assert single["values"] == 2
    assert (single["pearson"], single["spearman"]) == (pytest.approx(1), pytest.approx(1))
    assert client.get(address, {"norm": 999999}).status_code == 400


# ---- Beside how often entailment is said ------------------------------------------------------------


@pytest.mark.both
def test_how_often_each_judge_says_entailment_of_a_word_s_pairs(dataset, pairs, make, predict):
    """People: know een twice, hope nne twice, doubt ee twice; a pair without the fact is in none."""
    make("eee")
    run = predict("net", pairs, "ecnec-")
    found = entailed(dataset, "verb", judges_of(dataset), latest_runs(dataset))
    told = {
        line.value: {name: (score.right, score.of) for name, score in line.scores.items()}
        for line in found.lines
    }
    key = f"run_{run.pk}"
    assert told["know"] == {"single": (4, 6), "human": (2, 2), "file": (2, 2), key: (2, 2)}
    assert told["hope"] == {"single": (2, 6), "human": (0, 2), "file": (2, 2), key: (0, 2)}
    assert told["doubt"] == {"single": (4, 4), "human": (2, 2), "file": (2, 2), key: (0, 1)}
    assert told[None]["single"] == (10, 16) and [line.pairs for line in found.lines] == [2, 2, 2, 6]


def test_the_page_opens_with_the_fact_that_the_norm_knows_and_its_picture_with_words_for_it(
    dataset, pairs, study, rosa, sent, client_of
):
    for pair in pairs:
        pair.facts |= {"cell": "a" if pair.pk % 2 else "b"}
        pair.save()
    sent(rosa)
    client, address = client_of(rosa), f"/s/{study.slug}/dashboard/norms/"
    page = client.get(address)
    text = page.content.decode()
    assert page.context["fact"] == "verb"
    assert "Pearson&#x27;s r: People, each answer 1.00 over 2" in text  # the picture in words
    assert "2 words of these pairs have a number; 1 has none." in text and "As of" in text
    words = list(csv.DictReader(io.StringIO(client.get(address, {"as": "words.csv"}).text)))
    assert [(row["word"], row["number"], row["pairs"]) for row in words] == [
        ("know", "2.5", "2"), ("hope", "-1.0", "2"),
    ]  # fmt: skip
    assert float(words[0]["single"]) == pytest.approx(4 / 6)
    assert client.get(address, {"as": "norm-figure.svg"}).content.startswith(b"<svg")
    assert client.get(address, {"as": "norm-figure.pdf"}).content.startswith(b"%PDF")
    for query in ({"fact": "cell"}, {"fact": "verb"}):
        assert client.get(address, query).context["fact"] == query["fact"]
    assert "No word of these pairs has both" in client.get(address, {"fact": "cell"}).content.decode()
    for query in ({"norm": "999"}, {"dataset": "x"}, {"fact": "colour"}):
        assert 'class="errorlist"' in client.get(address, query).content.decode(), query


def test_each_word_leads_to_its_pairs(dataset, pairs, study, rosa, sent, client_of):
    sent(rosa)
    client = client_of(rosa)
    rows = client.get(f"/s/{study.slug}/dashboard/norms/").context["words"].rows
    assert len(rows) == 2
    for _word, _number, counted, *_shares in rows:
        assert client.get(counted.url).context["page"].paginator.count == counted.value


def test_without_a_word_in_the_pairs_the_page_says_what_would_tell(
    dataset, make, study, rosa, sent, client_of
):
    make("e")
    sent(rosa)
    address = f"/s/{study.slug}/dashboard/norms/"
    assert "No pairs say which word they are about" in client_of(rosa).get(address).content.decode()
    assert client_of(rosa).get(address, {"as": "words.csv"}).status_code == 404


# ---- The API ----------------------------------------------------------------------------------------


def test_norms_through_the_api(study, ada, olaf, token_client):  # noqa: F811
    client, address = token_client(ada), "/api/v1/norms/"
    said = {"study": study.slug, "name": "V", "source": "own", "numbers": {"Find  OUT": 1, "hope": -1}}
    made = client.post(address, said, "application/json")
    assert made.status_code == 201 and made.json()["numbers"] == {"find out": 1, "hope": -1}
    (listed,) = client.get(address).json()["results"]
    assert (listed["size"], "numbers" in listed) == (2, False)
    for wrong in ({"a": 1, "A": 2}, {"": 1}, {}, {"a": "much"}, {"a" * 201: 1}):
        answer = client.post(address, {**said, "name": "W", "numbers": wrong}, "application/json")
        assert answer.status_code == 422 and "numbers" in str(answer.json()), wrong
    assert client.post(address, said, "application/json").status_code == 422  # the name is there
    own = made["Location"]
    assert token_client(olaf).get(own).status_code == token_client(olaf).delete(own).status_code == 404
    assert client.delete(own).status_code == 204 and not Norm.objects.exists()


def test_what_a_norm_is_held_against_through_the_api(dataset, pairs, rosa, olaf, sent, token_client):  # noqa: F811
    sent(rosa)
    client, norm = token_client(rosa), Norm.objects.get().pk
    address = f"/api/v1/datasets/{dataset.pk}/norms/{norm}/"
    found = client.get(address).json()
    assert (found["fact"], found["facts"]) == ("verb", ["verb"])
    by_word = {row["word"]: row for row in found["words"]}
    assert by_word["know"]["number"] == 2.5 and by_word["doubt"]["number"] is None
    assert {"judge": "single", "entailments": 4, "labels": 6} in by_word["know"]["said"]
    single = next(row for row in found["correlations"] if row["judge"] == "single")
    assert (single["values"], single["pearson"]) == (2, pytest.approx(1))
    for query in ({"fact": "colour"}, {"x": "1"}, {"campaigns": "999"}):
        assert client.get(address, query).status_code == 400, query
    assert client.get(f"/api/v1/datasets/{dataset.pk}/norms/999999/").status_code == 404
    assert token_client(olaf).get(address).status_code == 404
