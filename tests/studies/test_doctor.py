"""``manage.py doctor``: a sentence and 0 where all is well, a line a fault and 1 where it isn't."""

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from apps.studies import invariants, soundness
from apps.studies.models import Membership

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def test_one_sentence_where_nothing_is_wrong(study, capsys):
    call_command("doctor")
    assert capsys.readouterr().out == f"All {len(soundness.checks())} checks passed.\n"


def test_a_line_and_the_exit_code_where_something_is(study, olaf, capsys):
    Membership.objects.filter(study=study, role="admin").delete()
    with pytest.raises(SystemExit) as ended:
        call_command("doctor")
    said = capsys.readouterr()
    assert ended.value.code == 1 and said.err.startswith("1 faults;")
    assert said.out == (
        f"fault [admin] study {study.pk} ({study.slug}) has no admin → add a membership in Django's admin\n"
    )


def test_one_study_alone(study, olaf, capsys):
    Membership.objects.filter(study=study, role="admin").delete()
    other = olaf.memberships.first().study
    call_command("doctor", study=other.slug)
    call_command("doctor", study=str(other.pk))
    with pytest.raises(SystemExit):
        call_command("doctor", study=study.slug)
    with pytest.raises(CommandError, match="no such study"):
        call_command("doctor", study="elsewhere")


def test_it_writes_nothing(study):
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as ran:
        list(soundness.faults())
    verbs = {query["sql"].split()[0] for query in ran.captured_queries}
    assert verbs <= {"SELECT", "PRAGMA", "DECLARE", "WITH"}


def test_a_constraint_that_the_database_has_lost(study):
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("ALTER TABLE campaigns_judgement DROP CONSTRAINT judgement_once")
        else:
            cursor.execute("DROP INDEX participant_user_once")
    name = "judgement_once" if connection.vendor == "postgresql" else "participant_user_once"
    (fault,) = invariants.constraints(None)
    assert f"has no constraint {name}" in str(fault)
