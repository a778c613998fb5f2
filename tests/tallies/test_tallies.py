"""Numbers over many rows: kept, never more than a minute behind, compared at night."""

from __future__ import annotations

import logging
from datetime import timedelta

import pytest
from django.db import connection
from django.template.loader import render_to_string
from django.utils import timezone

from apps.datasets.models import Tag
from apps.jobs.models import Job
from apps.studies.models import AuditEvent
from apps.studies.soundness import complaints
from apps.tallies import counting, selectors, services
from apps.tallies.invariants import counts_agree
from apps.tallies.models import KeptTally
from apps.tallies.selectors import read

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def times(monkeypatch):
    """A counting "tags" (how many tags of a prefix there are); what is returned lists how often it ran."""
    ran: list[str] = []

    def tags(study, arguments):
        ran.append(arguments["prefix"])
        return Tag.objects.filter(pair__dataset__study=study, name__startswith=arguments["prefix"]).count()

    monkeypatch.setitem(counting._countings, "tags", counting.Counting("tags", "Counting tags", tags, (Tag,)))
    return ran


@pytest.fixture
def large(monkeypatch):
    """Every study is large, and every counting takes long."""
    monkeypatch.setattr(selectors, "SMALL", -1)
    monkeypatch.setattr(selectors, "QUICK", 0)


@pytest.fixture
def pair(make):
    return make("e")


@pytest.fixture
def tag(pair):
    return lambda name: Tag.objects.create(pair=pair, name=name, source="file")


def later(**span) -> None:
    """Some time passes for what is kept."""
    for tally in KeptTally.objects.exclude(as_of=None):
        KeptTally.objects.filter(pk=tally.pk).update(as_of=tally.as_of - timedelta(**span))


# ---- Small studies -------------------------------------------------------------------------------


def test_a_small_study_is_counted_each_time_and_nothing_is_kept(study, times, tag):
    tag("one")
    assert read(study, "tags", prefix="o").value == 1
    tag("other")
    found = read(study, "tags", prefix="o")
    assert (found.value, found.job, times) == (2, None, ["o", "o"])
    assert timezone.now() - found.as_of < timedelta(seconds=10)
    assert not KeptTally.objects.exists() and not Job.objects.exists()


def test_an_unknown_name(study):
    with pytest.raises(KeyError):
        read(study, "nonsense")


# ---- Large ones ----------------------------------------------------------------------------------


def test_a_job_counts_and_then_the_value_is_there(study, times, tag, large, work):
    tag("one")
    found = read(study, "tags", prefix="o")
    assert (found.value, found.is_there, found.job.heading) == (None, False, "Counting tags")
    assert times == []
    work()
    found = read(study, "tags", prefix="o")
    assert (found.value, found.is_behind, found.job, times) == (1, False, None, ["o"])


def test_as_long_as_nothing_changes_it_is_counted_once(study, times, tag, large, work):
    tag("one")
    read(study, "tags", prefix="o")
    work()
    later(days=3)
    assert read(study, "tags", prefix="o").value == 1
    assert times == ["o"] and not Job.objects.exclude(state="done").exists()


def test_a_value_is_read_in_one_query(study, times, tag, large, work, django_assert_num_queries):
    read(study, "tags", prefix="o")
    work()
    with django_assert_num_queries(1):
        read(study, "tags", prefix="o")


def test_what_is_quick_the_first_time_is_counted_at_once(study, times, tag, monkeypatch):
    monkeypatch.setattr(selectors, "SMALL", -1)
    monkeypatch.setattr(selectors, "QUICK", 30)
    tag("one")
    assert read(study, "tags", prefix="o").value == 1
    assert KeptTally.objects.get().value == 1 and not Job.objects.exists()


def test_what_takes_too_long_is_given_up_and_left_to_a_job(study, tag, monkeypatch):
    """A statement that would take minutes ends with its time, and the transaction around it goes on."""
    numbers = "WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < 1000000000) "

    def slow(study, arguments):
        with connection.cursor() as cursor:
            cursor.execute(numbers + "SELECT COUNT(*) FROM n")
            return cursor.fetchone()[0]

    monkeypatch.setitem(counting._countings, "slow", counting.Counting("slow", "Counting", slow, (Tag,)))
    monkeypatch.setattr(selectors, "SMALL", -1)
    tag("one")
    found = read(study, "slow")
    assert not found.is_there and found.job is not None
    assert Tag.objects.count() == 1


def test_other_arguments_are_another_number(study, times, tag, large, work):
    tag("one")
    read(study, "tags", prefix="o")
    read(study, "tags", prefix="x")
    work()
    assert (read(study, "tags", prefix="o").value, read(study, "tags", prefix="x").value) == (1, 0)


def test_no_number_is_shown_that_is_more_than_a_minute_behind(study, times, tag, large, work):
    tag("one")
    read(study, "tags", prefix="o")
    work()
    tag("other")
    found = read(study, "tags", prefix="o")
    assert (found.value, found.is_behind) == (1, True)
    later(seconds=61)
    found = read(study, "tags", prefix="o")
    assert (found.value, found.as_of) == (None, None) and found.job is not None
    work()
    found = read(study, "tags", prefix="o")
    assert (found.value, found.is_behind) == (2, False)


def test_what_changes_while_it_is_counted_is_not_missed(study, times, tag, large, work, monkeypatch):
    known = counting.counting_named("tags")

    def tags(of, arguments):
        found = known.compute(of, arguments)
        if not Tag.objects.exists():
            tag("one")  # after the rows were read
        return found

    counting.register("tags", known.title, tags, known.reads)
    read(study, "tags", prefix="o")
    work()
    assert read(study, "tags", prefix="o").is_behind
    later(seconds=61)
    read(study, "tags", prefix="o")
    work()
    assert read(study, "tags", prefix="o").value == 1


def test_who_can_wait_gets_it_at_once_and_it_is_kept(study, times, tag, large):
    tag("one")
    assert read(study, "tags", wait=True, prefix="o").value == 1
    assert read(study, "tags", prefix="o").value == 1
    assert times == ["o"] and not Job.objects.exists()


def test_what_is_quick_is_counted_in_the_request(study, times, tag, large, monkeypatch):
    read(study, "tags", wait=True, prefix="o")
    monkeypatch.setattr(selectors, "QUICK", 60)
    tag("one")
    assert read(study, "tags", prefix="o").value == 1
    assert not Job.objects.exists()


def test_many_who_look_start_one_job_and_it_is_used_again_without_a_trail(study, times, tag, large, work):
    for _look in range(3):
        read(study, "tags", prefix="o")
    work()
    tag("one")
    later(seconds=61)
    read(study, "tags", prefix="o")
    work()
    assert Job.objects.count() == 1 and AuditEvent.objects.filter(action="job.started").count() == 1
    assert read(study, "tags", prefix="o").value == 1


def test_a_counting_that_fails_says_so_and_is_not_started_over_and_over(study, times, large, work):
    def broken(of, arguments):
        raise ValueError("no such thing")

    counting.register("tags", "Counting tags", broken, (Tag,))
    job = read(study, "tags", prefix="o").job
    Job.objects.filter(pk=job.pk).update(state="failed", error="no such thing", finished_at=timezone.now())
    found = read(study, "tags", prefix="o")
    assert found.has_failed and found.job.error == "no such thing"
    Job.objects.update(finished_at=timezone.now() - timedelta(minutes=2))
    assert not read(study, "tags", prefix="o").has_failed


# ---- The sweeper and the night --------------------------------------------------------------------


def test_what_is_looked_at_is_kept_up_to_date(study, times, tag, large, work):
    read(study, "tags", prefix="o")
    work()
    assert services.tallies_refresh() == 0
    tag("one")
    assert services.tallies_refresh() == 0  # it is younger than the pause
    later(seconds=31)
    assert services.tallies_refresh() == 1
    work()
    found = read(study, "tags", prefix="o")
    assert (found.value, found.is_behind) == (1, False)


def test_what_nobody_looks_at_is_left(study, times, tag, large, work):
    read(study, "tags", prefix="o")
    work()
    tag("one")
    later(minutes=30)
    KeptTally.objects.update(viewed_at=timezone.now() - timedelta(minutes=30))
    assert services.tallies_refresh() == 0


def test_at_night_a_value_that_was_wrong_is_seen(study, times, tag, large, work, caplog):
    tag("one")
    read(study, "tags", prefix="o")
    work()
    assert services.tallies_compare() == 1
    work()
    assert list(counts_agree(study)) == [] and complaints() == []
    KeptTally.objects.update(value=17)
    services.tallies_compare()
    with caplog.at_level(logging.ERROR):
        work()
    assert "(tags) of study" in caplog.text and "came to something else" in caplog.text
    (fault,) = counts_agree(study)
    assert fault.check == "tally" and "“tags”" in fault.text
    assert complaints() == ["1 number(s) came to something else when they were counted again"]
    assert read(study, "tags", prefix="o").value == 1


def test_a_value_that_changed_since_is_no_error(study, times, tag, large, work):
    read(study, "tags", prefix="o")
    work()
    tag("one")
    services.tallies_compare()
    work()
    assert list(counts_agree(study)) == []


def test_what_nobody_has_looked_at_for_a_month_is_forgotten(study, times, large, work):
    read(study, "tags", prefix="o")
    work()
    KeptTally.objects.update(viewed_at=timezone.now() - timedelta(days=31))
    services.tallies_compare()
    assert not KeptTally.objects.exists()


# ---- On a page -----------------------------------------------------------------------------------


def test_a_part_that_is_counted_asks_for_itself(study, times, large, rf):
    found = read(study, "tags", prefix="o")
    asked = {"request": rf.get("/s/dogs/x/?a=1"), "found": found, "part": "numbers"}
    html = render_to_string("tallies/_counting.html", asked)
    assert 'hx-get="/s/dogs/x/?a=1"' in html and 'hx-select="#numbers"' in html and "<progress" in html


def test_a_value_says_as_of_when(study, times):
    html = render_to_string("tallies/_as_of.html", {"found": read(study, "tags", prefix="o")})
    assert f"{timezone.now():%Y}" in html and "(UTC)" in html
