"""How far annotators agree: every coefficient by every slice, undefined explained, the published figures."""

from __future__ import annotations

import csv
import io
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from apps.campaigns.models import Campaign, Judgement
from apps.comparison.judges import judges_of
from apps.dashboard.agreement import report
from apps.dashboard.agreement_exhibits import Exhibits, why_low
from apps.datasets.models import Dataset, Profile, Tag
from apps.datasets.words import spaced
from measures.undefined import Undefined
from tests.api.conftest import token_client  # noqa: F401 - a fixture

pytestmark = pytest.mark.django_db


@pytest.fixture
def found(dataset):
    return lambda: report(dataset, judges_of(dataset))


@pytest.fixture
def look(client, rosa, study, dataset):
    client.force_login(rosa)
    address = reverse("dashboard:agreement", args=[study.slug, dataset.pk])
    return lambda **asked: client.get(address, asked)


@pytest.mark.both
def test_all_pairs_and_each_slice(make, found):
    make("eee", calculus="e", direction="upward")
    make("een", calculus="e", direction="upward")
    make("nnn", calculus="n", direction="downward")
    make("n", calculus="n", direction="downward")
    whole = found().whole
    assert (whole.alpha.n, whole.answers) == (3, 9)
    assert whole.alpha.value == pytest.approx(1 - 8 * 1 * 2 / (2 * 20))
    assert whole.fleiss.undefined is Undefined.UNEQUAL_RATERS
    assert {line.value: line.alpha.n for line in found().by("direction")} == {"upward": 2, "downward": 1}
    assert {line.value: line.alpha.n for line in found().by("calculus")} == {
        "entailment": 2,
        "non-entailment": 1,
    }


def test_a_tag_in_another_case_is_no_second_tag_and_counts_a_pair_once(make, found):
    pair = make("een")
    for name in ("Conjunction", "conjunction", "reverse"):
        Tag.objects.create(pair=pair, name=name, source="file")
    assert {line.value: line.alpha.n for line in found().by("tag")} == {"conjunction": 1, "reverse": 1}


def test_an_operator_is_a_name_and_not_its_letters(make, found):
    for names in ([], ["every"], ["every", "at-most"]):
        Profile.objects.filter(pair=make("een")).update(operators=spaced(names))
    assert {line.value: line.alpha.n for line in found().by("operator")} == {"every": 2, "at-most": 1}


def test_over_time_pairs_stand_where_they_were_last_judged(make, found):
    make("eee")
    late = make("een")
    last = Judgement.objects.filter(item__pair=late).latest("pk")
    Judgement.objects.filter(pk=last.pk).update(submitted_at=last.submitted_at + timedelta(days=3))
    assert [line.alpha.n for line in found().by("time")] == [1, 1]


def test_each_two_annotators(make, found):
    make("een")
    make("nn")
    kappas = found().kappas
    assert sorted(kappa.n for kappa in kappas.values()) == [1, 1, 2]
    assert len(found().raters) == 3


def test_a_skewed_sample_says_why_alpha_is_low_and_one_that_is_not_says_nothing(make, found):
    for answers in ["ee"] * 20 + ["en"]:
        make(answers)
    assert found().whole.ac1.value > 0.9
    assert "AC1" in why_low(found().whole)


def test_without_skew_a_low_alpha_is_just_low(make, found):
    for answers in ["ee"] * 8 + ["nn"] * 8 + ["en"] * 4:
        make(answers)
    line = found().whole
    assert line.alpha.is_skewed
    assert why_low(line) == ""


@pytest.mark.both
def test_the_page_explains_what_is_undefined(make, look):
    make("ee")
    shown = look().content.decode()
    assert "every answer is the same" in shown
    assert "?as=slices.svg" not in shown


def test_the_page_has_its_figures_and_files(make, look, dataset, study):
    for answers in ["eee", "een", "nnn", "nne"]:
        make(answers, calculus="e", direction="upward")
    shown = look()
    assert shown.status_code == 200
    assert "?as=slices.svg" in shown.content.decode()
    assert look(**{"as": "slices.svg"}).content.startswith(b"<svg")
    assert look(**{"as": "heat-map.svg"}).content.startswith(b"<svg")
    rows = list(csv.DictReader(io.StringIO(look(**{"as": "by-direction.csv"}).content.decode())))
    assert [row["direction"] for row in rows] == ["↑ upward", "All pairs"]
    assert float(rows[-1]["alpha"]) == pytest.approx(0.3888888889)
    assert b"\\toprule" in look(**{"as": "all.tex"}).content
    assert look(**{"as": "by-tag.csv"}).status_code == 404


def test_a_slice_leads_to_its_pairs(make, look, study, dataset):
    make("een", calculus="e", direction="upward")
    there = f"/pairs/{dataset.pk}/?origin=no-twins&amp;direction=upward&amp;judgements_from=2"
    assert f'href="/s/{study.slug}{there}">1</a>' in look().content.decode()


def test_nobody_has_judged(look, dataset):
    assert look().status_code == 200


def test_who_is_not_of_the_study_finds_nothing(client_of, olaf, study, dataset):
    address = reverse("dashboard:agreement", args=[study.slug, dataset.pk])
    assert client_of(olaf).get(address).status_code == 404


def test_the_transitivity_paper_s_file(study, shared_data, capsys):
    """Its Table 10 (both of the measures that it mixes), and appendix D's 0.76."""
    path = str(shared_data / "transitivity_human.tsv")
    call_command("import_pairs", study.slug, path, "--dataset", "People", verbosity=0)
    dataset = Dataset.objects.get(name="People")
    scaled = report(dataset, judges_of(dataset)).scaled
    assert scaled.against_the_others.value == pytest.approx(0.7643, abs=0.00005)
    assert scaled.between_pairs.value == pytest.approx(0.7058, abs=0.00005)
    capsys.readouterr()
    call_command("agreement", dataset.pk, "--cells", "cell")
    lines = [line.split("|")[1:-1] for line in capsys.readouterr().out.splitlines() if "|" in line]
    table = {line[0].strip(): tuple(float(cell) for cell in line[2:]) for line in lines[-5:]}
    assert table == {
        "yes-yes": (98.75, 95.14),
        "yes-unk": (98.75, 92.64),
        "unk-yes": (39.58, 44.86),
        "unk-unk": (99.58, 95.97),
        "all": (84.17, 82.15),
    }


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([0], "There is no dataset 0"),
        (["ID", "--campaigns", "x"], "numbers with commas"),
        (["ID", "--campaigns", "999999"], "No campaign"),
        (["ID", "--cells", "depth"], "Pairs can be told apart by: nothing"),
    ],
)
def test_the_command_says_what_it_cannot_do(dataset, arguments, says):
    asked = [dataset.pk if argument == "ID" else argument for argument in arguments]
    with pytest.raises(CommandError, match=says):
        call_command("agreement", *asked)


def test_campaigns_are_told_apart(make, found, dataset, campaign):
    make("een")
    lines = found().by("campaign")
    assert [Campaign.objects.get(pk=line.value) for line in lines] == [campaign]
    assert Exhibits(dataset, judges_of(dataset), found()).name(lines[0]) == campaign.name


@pytest.mark.both
def test_the_api_has_every_coefficient(make, dataset, ada, olaf, token_client):  # noqa: F811
    make("eee", calculus="e", direction="upward")
    make("een", calculus="e", direction="upward")
    make("nn", calculus="n", direction="downward")
    address = f"/api/v1/datasets/{dataset.pk}/agreement/"
    found = token_client(ada).get(address).json()
    whole = found["lines"][0]
    assert (whole["by"], whole["pairs"], whole["answers"]) == ("", 3, 8)
    assert whole["fleiss"] == {"value": None, "undefined": "unequal-raters"}
    assert whole["alpha"]["undefined"] is None and whole["alpha_from"] <= whole["alpha"]["value"]
    upward = next(line for line in found["lines"] if line["value"] == "upward")
    assert (upward["by"], upward["pairs"], upward["fleiss"]["undefined"]) == ("direction", 2, None)
    assert {(row["one"], row["two"]): row["pairs"] for row in found["raters"]}["person-0", "person-1"] == 3
    assert found["scale"] is None
    assert token_client(ada).get(address, {"campaigns": "99"}).status_code == 400
    assert token_client(olaf).get(address).status_code == 404
