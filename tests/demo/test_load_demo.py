"""manage.py load_demo where a step goes wrong."""

import pytest
from django.core.management import CommandError, call_command

from apps.jobs.models import Job
from apps.studies.models import Study


def test_a_step_that_fails_leaves_nothing_behind(db, settings, capsys):
    settings.PARSER = "no_such_parser"
    with pytest.raises(CommandError, match=r"The demo was not loaded.*no_such_parser"):
        call_command("load_demo")
    assert not Study.objects.exists()
    assert not Job.objects.exists()
