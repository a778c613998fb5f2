"""A blank of a sentence whose parse is doubtful is not offered unless it is asked for."""

from __future__ import annotations

import pytest
from django.urls import reverse

from apps.corpora.blank_selectors import SURE_PARSE, BlankFilters, candidates, doubtful, doubtful_in
from apps.corpora.models import BlankSet, Parse, StopExpression

pytestmark = pytest.mark.both

OLD_BOOKS = "No student in this town reads old books."


@pytest.fixture
def one_doubtful(parsed):
    """Of four sentences that have blanks, *No student …* was parsed with a confidence below the line."""
    parse = Parse.objects.get(sentence__text=OLD_BOOKS)
    parse.confidence = 0.6
    parse.save()
    return parse


def first_words(study, **filters) -> set[str]:
    found = candidates(study=study, filters=BlankFilters(**filters))
    return {item.sentence_text.split()[0] for item in found}


def test_doubtful_parses_are_left_out_counted_and_taken_in_on_request(study, one_doubtful):
    assert 0.6 < SURE_PARSE <= 0.8
    assert first_words(study) == {"Every", "If", "Tom"}
    assert first_words(study, doubtful=True) == {"Every", "No", "If", "Tom"}
    assert first_words(study, parse_sure=0.6) == {"Every", "No", "If", "Tom"}
    for asked in (False, True):
        left = doubtful(study=study, filters=BlankFilters(doubtful=asked))
        assert {item.sentence_text for item in left} == {OLD_BOOKS}
    assert doubtful(study=study, filters=BlankFilters(parse_sure=0.6)) == []


def test_what_other_filters_leave_out_is_not_counted_as_doubtful(study, one_doubtful):
    StopExpression.objects.create(study=study, expression="old books")
    left = {item.text for item in doubtful(study=study, filters=BlankFilters())}
    assert "old books" not in left and "reads old books" in left
    assert doubtful(study=study, filters=BlankFilters(operator="every")) == []


def test_a_set_made_before_parses_were_asked_for_their_confidence_keeps_its_meaning():
    assert BlankFilters.from_json({"minimum": 1}).doubtful
    assert not BlankFilters.from_json(BlankFilters().as_json()).doubtful
    assert BlankFilters.from_json(BlankFilters(doubtful=True).as_json()).doubtful


def test_the_page_says_how_many_and_why_before_a_set_is_made(client_of, rosa, study, one_doubtful):
    client, url = client_of(rosa), reverse("blanks:new", args=[study.slug])
    page = client.get(url).content.decode()
    assert "Also blanks of 1 sentence whose parse is doubtful" in page
    assert "reads as its annotators&#x27; error" in page
    assert "1 sentence is parsed with a confidence below 0.75" in page and "of these are left out" in page
    page = client.get(url, {"minimum": 1, "sentence_minimum": 6, "doubtful": "on"}).content.decode()
    assert "of these are in" in page
    sent = {"minimum": 1, "sentence_minimum": 6, "parse_sure": "0.75", "seed": 1}
    client.post(url, {**sent, "name": "Sure"})
    client.post(url, {**sent, "name": "All", "doubtful": "on"})
    sure, everything = BlankSet.objects.get(name="Sure"), BlankSet.objects.get(name="All")
    assert doubtful_in(sure) == 0 < doubtful_in(everything)
    again = client.get(reverse("blanks:set", args=[study.slug, everything.pk])).content.decode()
    assert "doubtful=on" in again and "parsed with a confidence below 0.75" in again
