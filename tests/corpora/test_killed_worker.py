"""A worker killed with SIGKILL in the middle of parsing is replaced, and the result is an undisturbed one's.

Everything here is real: a folder of its own, SQLite, the broker in files, and Celery workers as processes.
"""

from __future__ import annotations

import json
import signal

import pytest
from django.db import connection

from apps.corpora import draft_services, services
from tests.installation import Installation

NOUNS = ("dog", "student", "guest", "cook", "garden", "book", "house", "cat", "teacher", "river")
FRAMES = (
    "Every small {0} likes some old {1}.",
    "No {0} ever saw the {1}.",
    "If a {0} arrives, each {1} is happy.",
    "Tom does not know every {0} without a {1}.",
    "At most three new {0}s want the {1}.",
    "Did the {0} find a {1}?",
    "Few {0}s deny that the {1} is gone.",
)
TEXT = "\n".join(frame.format(a, b) for frame in FRAMES for a in NOUNS for b in NOUNS)

SET_UP = """
import sys
from apps.accounts.models import User
from apps.corpora import draft_services, services
from apps.corpora.formats.readings import Format
from apps.studies.services import study_create
ada = User.objects.create_user("ada@example.org", "correct horse")
study = study_create(actor=ada, name="Dogs and cats")
draft = draft_services.draft_create(study=study, actor=ada, file_name="dogs.txt",
    data=sys.stdin.buffer.read(), name="dogs", licence="CC0", source="ourselves", format=Format.LINES)
corpus = draft_services.draft_commit(draft=draft, actor=ada).corpus
services.corpus_parse(corpus=corpus, actor=ada)
"""

ROWS = """
select s.position, p.parser, p.kind, p.tokens, p.tree, m.convention, m.signs, m.token_why,
       c.start, c."end", c.text, c.category, c.polarity, c.operators, c.why, c.rewritable
from corpora_sentence s
join corpora_parse p on p.sentence_id = s.id
join corpora_polaritymarking m on m.parse_id = p.id
join corpora_constituent c on c.marking_id = m.id
order by s.position, c.start, c."end"
"""


def rows(cursor) -> list[tuple]:
    cursor.execute(ROWS)
    return [
        tuple(json.loads(v) if str(v).startswith(("[", "{")) else v for v in row) for row in cursor.fetchall()
    ]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_a_killed_worker_is_replaced_and_the_result_equals_an_undisturbed_run(tmp_path, bring_in, ada, work):
    elsewhere = Installation(tmp_path)
    elsewhere.run(SET_UP, TEXT.encode())

    with elsewhere.worker(kill=True):
        elsewhere.wait_for(lambda: elsewhere.job()[1] > 0, elsewhere.job)
    state, done, total, claim = elsewhere.job()
    assert (state, total) == ("running", 700) and 0 < done < total, "killed in the middle"

    with elsewhere.worker():
        elsewhere.wait_for(lambda: elsewhere.job()[0] == "done", elsewhere.job)
    assert elsewhere.job()[1] == total and elsewhere.job()[3] != claim, "another worker took it up"

    undisturbed = draft_services.draft_commit(draft=bring_in(TEXT), actor=ada).corpus
    services.corpus_parse(corpus=undisturbed, actor=ada)
    work()
    with connection.cursor() as cursor:
        expected = rows(cursor)
    assert len(expected) > 2_000
    assert rows(elsewhere.database.cursor()) == expected
