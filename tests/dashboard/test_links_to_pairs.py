"""Every number of pairs on the dashboard's pages leads to a list of exactly so many."""

from __future__ import annotations

import html
import re

import pytest
from django.http import QueryDict

from apps.curation.filters import PairFilters
from apps.dashboard import artifacts
from apps.datasets.models import GoldLabel, Pair, Profile, Tag
from tests.dashboard.conftest import WORDS

pytestmark = pytest.mark.both

_LINK = re.compile(r'<a href="(?P<address>[^"]*/pairs/\d+/\?[^"]*)">(?P<number>\d[\d,]*)\b')
_ROW = re.compile(r"<tr\b.*?</tr>", re.DOTALL)
_CELL = re.compile(r"<t[hd]\b.*?</t[hd]>", re.DOTALL)


def _rows(text: str, table: str) -> list[str]:
    return _ROW.findall(re.split(rf'<table[^>]* id="{table}"', text)[1].partition("</table>")[0])[1:]


@pytest.fixture
def pairs(make, predict):
    """Pairs that differ in whatever pairs are told apart by, with file, calculus, people, decisions and two
    models; some without each of these, and a swapped twin that is in no count."""
    said = (
        # people, calculus, direction, genre, facts, tags, file, adjudicated
        ("een", "e", "upward", "crowd", {"verb": "know", "depth": 2}, ["Conjunction"], "e", ""),
        ("nn", "e", "downward", "crowd:GLUE", {"verb": "know", "depth": 10}, ["conjunction", "npi"], "n", ""),
        ("en", "n", "downward", "GLUE", {"verb": "hope", "depth": 10}, ["lexical_knowledge"], "n", "n"),
        ("", "n", "downward", "GLUE: x", {"verb": "hope", "depth": 2}, ["Lexical_Knowledge"], "", "e"),
        ("eu", "", "upward", "", {"depth": 2}, ["needs-review"], "e", "u"),
        ("uu", "n", "non-monotone", 'a "b" & c', {"verb": "find out", "depth": 2}, [], "c", ""),
        ("e", "e", "upward", "paper:x", {"verb": "", "depth": 2}, ["npi"], "e", ""),
        ("s", "n", "upward", "paper", {"verb": "know", "depth": 10}, ["npi"], "n", ""),
    )
    made = []
    for answers, calculus, direction, genre, facts, tags, of_file, decided in said:
        pair = make(answers, calculus=calculus, direction=direction)
        pair.genre, pair.facts = genre, facts
        pair.save()
        for name in tags:
            Tag.objects.create(pair=pair, name=name, source="hand" if name == "needs-review" else "file")
        if of_file:
            GoldLabel.objects.create(pair=pair, source="file", label=WORDS[of_file])
        if decided:
            label = "unnatural" if decided == "u" else WORDS[decided]
            GoldLabel.objects.create(pair=pair, source="adjudication", label=label)
        Profile.objects.filter(pair=pair).update(operators=" no " if direction == "downward" else "")
        made.append(pair)
    make(origin="swap", calculus="e", direction="upward")
    predict("net", made, "eenn-cen")
    predict("other", made, "nnnneeee")
    return made


@pytest.fixture
def followed(client_of, rosa, dataset):
    """Of an address its links to lists of pairs, with how many pairs are there, {address: (said, listed)},
    and the page. The first link is followed to its page, of the others the filters are asked."""
    client = client_of(rosa)

    def follow(address: str, asked: dict) -> tuple[dict[str, tuple[int, int]], str]:
        text = client.get(address, asked).content.decode()
        found = {}
        for link in _LINK.finditer(text):
            there = html.unescape(link["address"])
            query = QueryDict(there.partition("?")[2])
            tags = [*query.getlist("tag"), *query.getlist("without_tag")]
            filters = PairFilters(query, dataset=dataset, tags=tags, shown=False)
            assert filters.is_valid(), (there, filters.errors)
            found[there] = (int(link["number"].replace(",", "")), len(filters.numbers()))
        for there, (said, _listed) in list(found.items())[:1]:
            assert client.get(there).context["page"].paginator.count == said, there
        return found, text

    return follow


WAYS = ["direction", "genre", "tag", "lexical", "matches", "fact:verb", "fact:depth"]


@pytest.mark.parametrize("against", ["file", "human", "calculus", "adjudicated"])
def test_broken_down(dataset, study, pairs, followed, against):
    address = f"/s/{study.slug}/dashboard/{dataset.pk}/breakdown/"
    for by in WAYS:
        found, text = followed(address, {"by": by, "against": against})
        assert found and all(said == listed for said, listed in found.values()), (by, found)
        rows = _rows(text, "table")
        assert len(rows) > 1 and all("<a href" in row for row in rows), by  # each value's, and all


def test_right_and_labelled_by_each_judge_but_answer_by_answer(dataset, study, pairs, followed):
    address = f"/s/{study.slug}/dashboard/{dataset.pk}/breakdown/"
    _found, text = followed(address, {"by": "fact:depth", "against": "file"})
    rows = _rows(text, "each")
    assert len(rows) > 10
    for row in rows:
        judge, right, labels = _CELL.findall(row)[1:4]
        for cell in (right, labels):
            is_linked = "each answer" not in judge and "<bdi>0</bdi>" not in cell
            assert ("<a href" in cell) == is_linked, row


@pytest.mark.parametrize("labels", ["file", "human", "calculus", "adjudicated"])
def test_composition(dataset, study, pairs, followed, labels):
    address = f"/s/{study.slug}/dashboard/{dataset.pk}/composition/"
    found, _text = followed(address, {"labels": labels})
    assert len(found) > 5 and all(said == listed for said, listed in found.values()), found
    twins, _text = followed(address, {"labels": labels, "twins": "yes"})
    assert not twins  # a twin has its label from another pair


def test_agreement(dataset, study, pairs, followed):
    found, text = followed(f"/s/{study.slug}/dashboard/{dataset.pk}/agreement/", {})
    assert all(said == listed for said, listed in found.values()), found
    for by in ("all", "by-direction", "by-calculus", "by-file", "by-tag", "by-operator"):
        rows = _rows(text, by)
        assert rows and all("<a href" in row for row in rows), by


def test_the_dashboard_itself(dataset, study, pairs, followed):
    for number in (1, 2, 3):
        found, text = followed(f"/s/{study.slug}/dashboard/", {"judgements": number})
        assert len(found) > 20 and all(said == listed for said, listed in found.values()), found
        assert _rows(text, "matches")[-1].count("<a href") > 1


def _is_linked_unless_none(row: str, columns: slice) -> bool:
    cells = _CELL.findall(row)[columns]
    return bool(cells) and all(("<a href" in cell) != ("<bdi>0</bdi>" in cell) for cell in cells)


def test_each_two_judges(study, pairs, followed):
    for only in ({}, {"sure_from": "0.5"}):
        found, text = followed(f"/s/{study.slug}/dashboard/", only)
        assert all(said == listed for said, listed in found.values()), found
        rows = _rows(text, "judges")
        assert len(rows) == 10  # people, calculus, file and two models
        assert all(_is_linked_unless_none(row, slice(2, 7)) for row in rows)
        assert sum(address.count("other_run") for address in found) > 2
        assert all("<a href" in row for row in _rows(text, "together"))


def test_who_says_what_together_with_three_models(study, pairs, predict, followed):
    predict("third", pairs, "enenenee")
    found, text = followed(f"/s/{study.slug}/dashboard/", {})
    assert all(said == listed for said, listed in found.values()), found
    rows = _rows(text, "together")
    assert len(rows) > 1 and all("<a href" in row for row in rows)


@pytest.mark.parametrize("against", ["file", "human", "calculus"])
def test_right_against_each_reference(study, pairs, followed, against):
    found, text = followed(f"/s/{study.slug}/dashboard/", {"against": against})
    assert all(said == listed for said, listed in found.values()), found
    scores = [cell for row in _rows(text, "accuracy") for cell in _CELL.findall(row)[1:] if "<small>" in cell]
    assert len(scores) >= 5 * 3  # the baseline, two other judges, two models; two directions and all
    for cell in scores:
        right = int(re.search(r"<small>(?:<a [^>]*>)?(\d+)", cell)[1])
        assert cell.count("<a href") == 1 + (right > 0), cell


@pytest.mark.parametrize("against", ["file", "human", "calculus"])
def test_each_two_models(study, pairs, predict, followed, against):
    predict("third", pairs, "enenenen")
    found, text = followed(f"/s/{study.slug}/dashboard/", {"against": against})
    assert all(said == listed for said, listed in found.values()), found
    rows = _rows(text, "models")
    assert len(rows) == 3 and all(_is_linked_unless_none(row, slice(2, 5)) for row in rows)
    assert sum(row.count("between=") for row in rows) > 2  # those of one alone


@pytest.mark.parametrize("against", ["file", "human", "calculus", "adjudicated"])
def test_words_that_give_labels_away(dataset, study, pairs, followed, against, monkeypatch):
    monkeypatch.setattr(artifacts, "LEAST", 1)
    for number, pair in enumerate(pairs):
        Pair.objects.filter(pk=pair.pk).update(hypothesis="The DOG isn’t small." if number % 2 else "No dog.")
    found, text = followed(f"/s/{study.slug}/dashboard/{dataset.pk}/artifacts/", {"against": against})
    assert all(said == listed for said, listed in found.values()), found
    rows = _rows(text, "words")
    assert len(rows) == 6  # the, dog, is, n't, small, no
    for row in rows:
        cells = _CELL.findall(row)
        assert "<a href" in cells[1] and ("<a href" in cells[3]) == ("<bdi>–</bdi>" not in cells[3]), row
