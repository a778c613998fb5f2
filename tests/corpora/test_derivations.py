"""CCG derivations in the app: imported with their sentences, marked, and a source of blanks."""

from __future__ import annotations

import pytest
from django.urls import reverse

from apps.corpora import draft_services, services
from apps.corpora.blank_selectors import BlankFilters, candidates
from apps.corpora.formats.readings import Format
from apps.corpora.models import Constituent, Parse, PolarityMarking, Sentence
from apps.corpora.selectors import corpora_of, marking_groups

pytestmark = pytest.mark.both

NO_DOG = (
    r"(<T S[dcl] 0 2> (<T NP[nb] 0 2> (<L NP[nb]/N DT DT No NP[nb]/N>) (<L N NN NN dog N>) ) "
    r"(<T S[dcl]\NP 0 2> (<L (S[dcl]\NP)/NP VBZ VBZ sees (S[dcl]\NP)/NP>) "
    r"(<T NP[nb] 0 2> (<L NP[nb]/N DT DT a NP[nb]/N>) (<L N NN NN cat N>) ) ) )"
)
NO_DOG_CANDC = """<?xml version="1.0"?>
<candc><ccg><rule type="ba" cat="S[dcl]"><rule type="fa" cat="NP[nb]">
<lf start="0" span="1" word="No" lemma="no" pos="DT" cat="NP[nb]/N" />
<lf start="1" span="1" word="dog" lemma="dog" pos="NN" cat="N" /></rule>
<rule type="fa" cat="S[dcl]\\NP">
<lf start="2" span="1" word="sees" lemma="see" pos="VBZ" cat="(S[dcl]\\NP)/NP" />
<rule type="fa" cat="NP[nb]"><lf start="3" span="1" word="a" lemma="a" pos="DT" cat="NP[nb]/N" />
<lf start="4" span="1" word="cat" lemma="cat" pos="NN" cat="N" /></rule></rule></rule></ccg></candc>
"""


@pytest.fixture
def derived(bring_in, ada):
    return draft_services.draft_commit(draft=bring_in(NO_DOG, "dogs.auto"), actor=ada).corpus


@pytest.mark.parametrize(
    ("content", "parser"), [(NO_DOG, "auto"), (NO_DOG_CANDC, "candc")], ids=["AUTO", "C&C XML"]
)
def test_a_sentence_keeps_the_derivation_it_came_with_and_is_marked_on_it(
    content, parser, bring_in, ada, work
):
    draft = bring_in(content, "dogs.xml", format=Format.CCG)
    corpus = draft_services.draft_commit(draft=draft, actor=ada).corpus
    assert Parse.objects.get(sentence__corpus=corpus).parser == parser
    services.corpus_parse(corpus=corpus, actor=ada)
    work()
    marking = PolarityMarking.objects.select_related("parse").get()
    assert (marking.parse.parser, "".join(marking.signs)) == (parser, "↑↓↓↓↓")
    assert Constituent.objects.get(text="sees a cat").operators == "|no|"


def test_derivations_are_a_source_of_blanks(derived, study, ada, work):
    services.corpus_parse(corpus=derived, actor=ada)
    work()
    (group,) = marking_groups(study=study)
    found = candidates(study=study, filters=BlankFilters(group=group.key, sentence_minimum=0))
    assert {item.text: item.polarity for item in found}["sees a cat"] == "down"


def test_what_is_not_marked_yet_is_not_counted_as_parsed(derived, study, ada, work):
    assert corpora_of(study).get().parsed_count == 0
    services.corpus_parse(corpus=derived, actor=ada)
    work()
    assert corpora_of(study).get().parsed_count == 1


def test_sentences_without_a_derivation_are_parsed_beside_them(derived, bring_in, ada, work, study):
    draft = bring_in("No guest sees a cat.", "more.txt", name=derived.name)
    draft_services.draft_commit(draft=draft, actor=ada)
    services.corpus_parse(corpus=derived, actor=ada)
    work()
    assert Sentence.objects.count() == PolarityMarking.objects.count() == Parse.objects.count() == 2
    assert {group.parser.partition(":")[0] for group in marking_groups(study=study)} == {"auto", "spacy"}


def test_another_convention_is_marked_on_the_derivation_as_well(derived, ada, work):
    for convention in ("default", "med"):
        services.corpus_parse(corpus=derived, actor=ada, convention=convention)
        work()
    assert set(PolarityMarking.objects.values_list("parse__parser", "convention")) == {
        ("auto", "default"),
        ("auto", "med"),
    }


def test_the_page_of_the_sentence_shows_its_signs(derived, study, ada, rosa, client_of, work):
    services.corpus_parse(corpus=derived, actor=ada)
    work()
    sentence = Sentence.objects.get()
    page = client_of(rosa).get(reverse("corpora:sentence", args=[study.slug, sentence.pk]))
    assert page.status_code == 200
    assert "↓" in page.content.decode()
