"""A pipeline that natlog would misread is refused, with the reason; nothing here needs a download."""

from __future__ import annotations

import json

import pytest

from natlog.parsing import DEFAULT_MODEL, load_parser
from natlog.parsing.installed import complaint, meta_of
from natlog.parsing.label_schemes import CLEARNLP, TAGS, UNIVERSAL, refusal, scheme_of
from natlog.parsing.spacy import ParserNotFound, SpacyParser, UnusableParser

FIT = {
    "lang": "en",
    "pipeline": ["tagger", "parser", "lemmatizer"],
    "labels": {"tagger": sorted(TAGS), "parser": sorted(CLEARNLP.relations)},
}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"lang": "de"}, "it is for the language 'de'; natlog reads English ('en')"),
        ({"pipeline": ["tagger", "lemmatizer"]}, "it has no parser (its components: tagger, lemmatizer)"),
        ({"pipeline": []}, "it has no tagger and no parser and no lemmatizer (its components: none)"),
        ({"disabled": ["tagger"]}, "it has no tagger (its components: parser, lemmatizer)"),
        (
            {"labels": {"tagger": sorted(TAGS), "parser": sorted(UNIVERSAL.relations)}},
            "the relations of its parser are those of Universal Dependencies; natlog reads ClearNLP's, "
            "and misses ROOT",
        ),
        (
            {"labels": {"tagger": sorted(TAGS), "parser": ["sb", "oa", "mo"]}},
            "the relations of its parser are of no scheme that is known here (mo, oa, sb)",
        ),
        (
            {"labels": {"tagger": sorted(TAGS), "parser": sorted(CLEARNLP.relations - {"relcl"})}},
            "the relations of its parser are those of ClearNLP; natlog reads ClearNLP's, and misses relcl",
        ),
        (
            {"labels": {"tagger": ["NOUN"], "parser": sorted(CLEARNLP.relations)}},
            "its tagger lacks tags of the Penn Treebank: CC, CD",
        ),
    ],
)
def test_what_a_pipeline_lacks_is_named(change, reason):
    assert refusal(FIT) == ""
    assert refusal(FIT | change).startswith(reason)


def test_schemes_are_told_apart_by_relations_that_only_one_has():
    assert scheme_of(["nsubj", "dobj"]) is CLEARNLP
    assert scheme_of(["nsubj", "obj"]) is UNIVERSAL
    assert scheme_of(["nsubj"]) is None
    assert not CLEARNLP.telling & UNIVERSAL.relations


def test_the_default_pipeline_is_read_without_loading_it():
    assert complaint(DEFAULT_MODEL) == ""
    assert meta_of(DEFAULT_MODEL)["lang"] == "en"
    assert complaint("no_such_pipeline") == "no spaCy pipeline named 'no_such_pipeline' is installed"


def _saved(folder, language, *components, relations=()):
    import spacy

    nlp = spacy.blank(language)
    for name in set(components) - {"lemmatizer"}:
        nlp.add_pipe(name)
    if "tagger" in components:
        for tag in sorted(TAGS):
            nlp.get_pipe("tagger").add_label(tag)
    if "parser" in components:
        for relation in relations:
            nlp.get_pipe("parser").add_label(relation)
    if "tagger" in components or "parser" in components:
        nlp.initialize()
    if "lemmatizer" in components:
        nlp.add_pipe("lemmatizer")  # its tables are a package of their own, and not asked for here
    nlp.to_disk(folder)
    return str(folder)


@pytest.mark.parametrize(
    ("language", "components", "relations", "reason"),
    [
        ("de", ("tagger", "parser"), CLEARNLP.relations, "the language 'de'"),
        ("en", (), (), "it has no tagger and no parser"),
        ("en", ("tagger",), (), "it has no parser"),
        ("en", ("tagger", "parser", "lemmatizer"), UNIVERSAL.relations, "those of Universal Dependencies"),
    ],
)
def test_a_real_pipeline_is_refused_when_loaded_and_before(tmp_path, language, components, relations, reason):
    name = _saved(tmp_path / "pipeline", language, *components, relations=sorted(relations))
    with pytest.raises(UnusableParser) as refused:
        SpacyParser(name)
    assert reason in str(refused.value)
    assert complaint(name) == str(refused.value)


def test_the_command_says_why(tmp_path, capsys):
    from natlog.__main__ import main

    name = _saved(tmp_path / "pipeline", "de", "tagger", "parser", relations=sorted(CLEARNLP.relations))
    (tmp_path / "pairs.tsv").write_text("premise\thypothesis\nA dog barks.\tA dog barks.\n")
    for command in (["polarize", "-"], ["label", str(tmp_path / "pairs.tsv")]):
        assert main([*command, "--parser", name]) == 2
        assert "the language 'de'; natlog reads English" in capsys.readouterr().err


def test_a_folder_without_a_pipeline_is_none(tmp_path):
    (tmp_path / "meta.json").write_text(json.dumps({"name": "something else"}))
    assert meta_of(str(tmp_path)) is None
    with pytest.raises(ParserNotFound):
        load_parser("no_such_pipeline")
