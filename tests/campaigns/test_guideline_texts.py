"""The starting instructions: in English, and shown in other languages as long as nobody has changed them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.utils.translation import gettext, override

from apps.campaigns import guidelines
from apps.campaigns.answers import answers_of
from apps.campaigns.guidelines import blocks_of, instructions_of, starting_body
from apps.campaigns.services import campaign_create
from apps.datasets.labels import three_way_labels
from apps.datasets.models import Dataset
from apps.datasets.services import dataset_create, pair_get_or_create
from apps.imports.services import draft_commit, draft_create, draft_preview

FOLDER = Path(guidelines.__file__).parent / "guideline_texts"
TASKS = sorted(path.stem for path in FOLDER.glob("*.txt"))
LANGUAGES = [code for code, _name in settings.LANGUAGES if code != "en"]


def lines(text: str, kind: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith(kind)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("task", TASKS)
def test_a_translation_has_the_same_parts_and_examples(task: str, language: str) -> None:
    english, other = ((folder / f"{task}.txt").read_text("utf-8") for folder in (FOLDER, FOLDER / language))
    assert len(lines(other, "# ")) == len(lines(english, "# "))
    assert len(lines(other, "- ")) == len(lines(english, "- "))
    assert [x for x in lines(other, "- ") if "→" in x] == [x for x in lines(english, "- ") if "→" in x]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_headings_are_what_the_buttons_say(language: str) -> None:
    with override(language):
        shown = instructions_of(starting_body("validation"))
        for answer in (
            "Yes, it must be true",
            "No, it need not be true",
            "One of the sentences makes no sense",
        ):
            assert f'<h2 dir="auto">{gettext(answer)}</h2>' in shown


def test_three_answers_are_explained_as_their_buttons_say_them() -> None:
    shown = blocks_of(starting_body("validation", ["entailment", "neutral", "contradiction"]))
    for answer in ("Yes, it must be true", "Perhaps, one can't tell", "No, it can't be true"):
        assert f'<h2 dir="auto">{answer}</h2>' in shown
    assert "{" not in shown
    assert starting_body("validation", ["entailment", "non-entailment"]) == starting_body("validation")
    assert "can't be true" not in starting_body("validation")


def imported(study, ada):
    rows = [("No dog ran.", "No small dog ran.", "e"), ("A dog ran.", "A small dog ran.", "n")]
    rows += [("No cat ran.", "A small cat ran.", "c")]
    table = "\n".join("\t".join(row) for row in [("sentence1", "sentence2", "gold_label"), *rows])
    draft = draft_create(study=study, actor=ada, file_name="three.tsv", chunks=[table.encode()], name="In")
    draft_commit(draft=draft_preview(draft=draft, actor=ada), actor=ada)
    return Dataset.objects.get(name="In")


def made(study, ada):
    dataset = dataset_create(study=study, actor=ada, name="Made", labels=three_way_labels())
    texts = [("No dog ran.", None)]
    pair_get_or_create(dataset=dataset, premises=texts, hypothesis="No small dog ran.", origin="import")
    return dataset


@pytest.mark.django_db
@pytest.mark.parametrize("dataset_of", [made, imported])
def test_a_campaign_of_three_labels_starts_with_what_its_buttons_say(dataset_of, study, ada):
    dataset = dataset_of(study, ada)
    campaign = campaign_create(study=study, actor=ada, name="Three", dataset=dataset)
    for language in ("en", *LANGUAGES):
        with override(language):
            shown = instructions_of(campaign.guideline.body).split("<details>")[0]
            headings = re.findall(r'<h2 dir="auto">(.+?)</h2>', shown)
            assert headings == [str(answer.title) for answer in answers_of(dataset)]
            assert len(headings) == 4


def test_unchanged_instructions_come_in_the_readers_language_above_the_english_ones() -> None:
    with override("de"):
        shown = instructions_of(starting_body("creation"))
    german, english = shown.split("<details>")
    assert "Schreiben Sie" in german
    assert '<li dir="auto" lang="en" translate="no">No <span class="blank">shops</span>' in german
    assert '<li dir="auto">Etwas Allgemeineres' in german
    assert '<div lang="en">' in english and "Write three other phrases" in english


@pytest.mark.parametrize(
    ("phrases", "english", "german"),
    [
        (1, "Write another phrase for the underlined part. It must", "eine andere Formulierung für"),
        (2, "Write two other phrases for the underlined part. Each of them", "zwei andere Formulierungen"),
        (12, "Write 12 other phrases", "12 andere Formulierungen"),
    ],
)
def test_the_instructions_ask_for_as_many_phrases_as_the_setting(phrases, english, german) -> None:
    body = starting_body("creation", phrases=phrases)
    assert english in body
    with override("de"):
        shown = instructions_of(body)
    assert german in shown.split("<details>")[0] and english in shown


def test_every_number_of_phrases_that_the_rules_allow_has_its_instructions() -> None:
    from apps.campaigns.settings import _MOST

    assert _MOST["replacements"] == guidelines._MOST_PHRASES


def test_instructions_of_a_researchers_own_are_shown_as_they_are_written() -> None:
    own = starting_body("creation") + "\n\nUse no names."
    with override("de"):
        assert instructions_of(own) == blocks_of(own)
        assert 'lang="en"' not in instructions_of(own)
    with override("en"):
        assert instructions_of(starting_body("creation")) == blocks_of(starting_body("creation"))
