"""What the corpora's tests share: files brought in, and a corpus that is parsed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from apps.corpora import draft_services, services
from apps.corpora.formats.readings import Format
from apps.corpora.models import Corpus, CorpusDraft

SENTENCES = """\
Every small dog chased some cat in the garden.
No student in this town reads old books.
If a guest arrives late, the cook prepares another dinner.
Tom does not live in a big house.
Did every dog chase some cat in the garden?
Put the old books on the table now.
The quiet garden of the old house.
A dog barked.
"""


@pytest.fixture
def bring_in(study, ada) -> Callable[..., CorpusDraft]:
    """A draft of a text or bytes, as the upload page makes it."""

    def make(content: str | bytes, file_name: str = "dogs.txt", **options) -> CorpusDraft:
        data = content.encode() if isinstance(content, str) else content
        given = {"name": "", "licence": "CC0", "source": "ourselves", "format": Format.of_file(file_name)}
        return draft_services.draft_create(
            study=study, actor=ada, file_name=file_name, data=data, **(given | options)
        )

    return make


@pytest.fixture
def corpus(bring_in, ada) -> Corpus:
    """Eight sentences: four statements with operators, a question, a command, a fragment, a short one."""
    return draft_services.draft_commit(draft=bring_in(SENTENCES), actor=ada).corpus


@pytest.fixture
def parsed(corpus, ada, work) -> Corpus:
    services.corpus_parse(corpus=corpus, actor=ada)
    assert work() == 1
    return corpus
