"""A parsed corpus of which pairs are made."""

import hashlib

import pytest

from apps.corpora.models import Corpus, Sentence
from apps.corpora.services import corpus_parse
from apps.generation.options import MachineOptions
from apps.generation.services import machine_batch_create, machine_batch_start
from tests.datasets.conftest import *  # noqa: F403 (the datasets' stage is this one's too)

SENTENCES = (
    "No dog barked loudly.",
    "Every animal is hungry.",
    "Tom saw a small dog.",
    "The dog barked.",
    "Mary bought a book and a pen.",
    "Tom bought a pencil.",
    "Exactly three dogs barked.",
    "Some animals barked.",
    "Did a small dog bark?",
)


def sentences_add(corpus, texts, first=0):
    Sentence.objects.bulk_create(
        Sentence(corpus=corpus, position=place, text=text, digest=hashlib.sha256(text.encode()).hexdigest())
        for place, text in enumerate(texts, first)
    )


@pytest.fixture
def corpus(study) -> Corpus:
    made = Corpus.objects.create(study=study, name="Dogs", licence="CC0", source="ourselves")
    sentences_add(made, SENTENCES)
    return made


@pytest.fixture
def parsed(corpus, ada, work) -> Corpus:
    corpus_parse(corpus=corpus, actor=ada)
    work()
    return corpus


@pytest.fixture
def prepare(dataset, parsed, ada):
    """A batch with these options; its examples wait to be made."""

    def make(**options):
        options = MachineOptions(**{"per_sentence": 5, **options})
        return machine_batch_create(dataset=dataset, corpus=parsed, actor=ada, options=options)

    return make


@pytest.fixture
def run_batch(prepare, ada, work):
    """A batch, made to the end."""

    def make(**options):
        batch = machine_batch_start(batch=prepare(**options), actor=ada)
        work()
        batch.refresh_from_db()
        return batch

    return make
