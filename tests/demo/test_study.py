"""The demo: its sentences, its simulated annotators, and the study that load_demo makes of them."""

import random
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import transaction
from django.test import Client, override_settings
from django.urls import reverse

from apps.demo.annotators import judgement_of
from apps.demo.sentences import demo_sentences

# MED, Tables 1 and 2, and the readings that the demo has to show.
OPERATORS = {
    "every", "each", "all", "some", "a", "a few", "many", "several", "proper name", "no", "few", "at most",
    "fewer than", "less than", "any", "the", "both", "most", "this", "that", "exactly", "not", "n't", "never",
    "deny", "prohibit", "avoid", "absence of", "lack of", "prohibition", "scarcely", "hardly", "rarely",
    "seldom", "without", "except", "but", "if", "when", "in case that", "provided that", "unless", "nested",
}  # fmt: skip
WITH_BLANK = [sentence for sentence in demo_sentences() if sentence.blank]


# ---- The sentences ----------------------------------------------------------------------------
def test_the_sentences_show_every_operator():
    shown = {name for sentence in demo_sentences() for name in sentence.shows}
    assert shown == OPERATORS
    assert sum("nested" in sentence.shows for sentence in demo_sentences()) >= 25
    assert len({sentence.text for sentence in demo_sentences()}) == len(demo_sentences()) >= 120


@pytest.mark.parametrize("sentence", WITH_BLANK, ids=lambda sentence: sentence.text)
def test_a_blank_occurs_once_and_has_a_sign_and_answers(sentence):
    assert sentence.text.count(sentence.blank) == 1
    assert sentence.sign in ("↑", "↓", "=")
    assert bool(sentence.skip) != bool(sentence.narrower)
    assert len(set(sentence.narrower)) in (0, 3)
    assert sentence.blank not in sentence.narrower


# ---- The simulated judges ---------------------------------------------------------------------
@pytest.mark.parametrize(
    ("sign", "expected", "share"),
    [("↓", "entailment", 0.89), ("↑", "non-entailment", 0.83), ("=", "non-entailment", 0.77)],
)
def test_judges_follow_the_writers_polarity_and_err_at_a_fixed_rate(sign, expected, share):
    chance = random.Random(1)
    answers = [judgement_of(sign, chance) for _ in range(4000)]
    assert answers.count(expected) / 4000 == pytest.approx(share, abs=0.02)
    assert answers.count("unnatural") / 4000 == pytest.approx(0.03, abs=0.01)


# ---- The study --------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("demo")


@pytest.fixture(scope="module")
def demo(django_db_setup, django_db_blocker, folder):
    """The whole demo, made once for this file and rolled back after it."""
    from apps.demo.study import demo_create

    with (
        override_settings(MEDIA_ROOT=folder / "files", VAR_DIR=folder),
        django_db_blocker.unblock(),
        transaction.atomic(),
    ):
        yield demo_create()
        transaction.set_rollback(True)


def client_of(user) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


pytestmark = pytest.mark.both


def test_every_blank_of_the_file_is_a_blank_of_the_study(demo):
    from apps.corpora.models import Blank
    from apps.studies.access import within

    made = within(Blank, demo.study).values_list("sentence__text", "text")
    assert sorted(made) == sorted((sentence.text, sentence.blank) for sentence in WITH_BLANK)


def test_the_marking_agrees_with_the_writers_on_nearly_every_blank(demo):
    from apps.corpora.models import Blank, Polarity
    from apps.studies.access import within

    signs = {sentence.text: sentence.sign for sentence in WITH_BLANK}
    blanks = list(within(Blank, demo.study).select_related("sentence"))
    agreeing = [b for b in blanks if Polarity(b.polarity).label == signs[b.sentence.text]]
    assert len(agreeing) >= 0.95 * len(blanks)


def test_only_simulated_annotators_have_answered_and_all_of_it_is_marked(demo):
    from apps.campaigns.models import Campaign, Judgement
    from apps.datasets.models import Dataset
    from apps.studies.access import within

    assert within(Judgement, demo.study).count() > 600
    assert not within(Judgement, demo.study).filter(participant__simulated=False).exists()
    assert not within(Campaign, demo.study).filter(simulated=False).exists()
    assert not within(Dataset, demo.study).filter(simulated=False).exists()


def test_nobody_judged_an_own_pair(demo):
    from apps.campaigns.models import Judgement, Replacement
    from apps.studies.access import within

    wrote = set(within(Replacement, demo.study).values_list("judgement__participant", "pair"))
    judged = set(
        within(Judgement, demo.study)
        .filter(item__pair__isnull=False)
        .values_list("participant", "item__pair")
    )
    assert judged
    assert not wrote & judged


def test_the_first_round_is_closed_and_released(demo):
    from apps.campaigns.models import Campaign
    from apps.releases.models import Release
    from apps.studies.access import within

    first = within(Campaign, demo.study).filter(name__startswith="First round")
    assert {campaign.state for campaign in first} == {"closed"}
    assert not first.filter(items__is_complete=False).exists()
    release = within(Release, demo.study).get()
    assert release.frozen_at
    assert release.manifest["counts"]["pairs"]["total"] > 100


def test_the_second_round_has_work_for_the_demos_annotator(demo):
    from apps.campaigns.models import Assignment, Campaign
    from apps.campaigns.services import assignment_next
    from apps.studies.access import within
    from apps.studies.services import participant_for

    participant = participant_for(demo.study, demo.annotator)
    for task in ("creation", "validation"):
        campaign = within(Campaign, demo.study).get(task=task, state="open")
        assert isinstance(assignment_next(campaign=campaign, participant=participant), Assignment)


def test_three_models_predict_every_pair_of_the_first_round(demo):
    from apps.datasets.models import Pair
    from apps.inference.models import Run
    from apps.studies.access import within

    pairs = within(Pair, demo.study).filter(dataset__name="First round").exclude(origin="swap").count()
    runs = within(Run, demo.study)
    assert {run.model.kind for run in runs} == {"majority", "overlap", "learnt"}
    assert {run.predictions.count() for run in runs} == {pairs}


def test_the_doctor_finds_nothing_in_it(demo, folder, settings):
    from apps.studies.soundness import faults

    settings.MEDIA_ROOT = folder / "files"
    assert [str(fault) for fault in faults(demo.study)] == []


ROOMS = ["studies:overview", "corpora:list", "blanks:list", "campaigns:list", "datasets:list", "models:list",
         "dashboard:home", "releases:list", "jobs:list"]  # fmt: skip


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_has_something_in_it(room, demo):
    page = client_of(demo.researcher).get(reverse(room, args=[demo.study.slug])).content.decode()
    assert 'class="empty"' not in page


@pytest.mark.parametrize("room", ["campaigns:list", "datasets:list", "dashboard:home", "releases:list"])
def test_what_is_simulated_says_so(room, demo):
    page = client_of(demo.researcher).get(reverse(room, args=[demo.study.slug])).content.decode()
    assert "simulated" in page


def test_nobody_of_the_demo_has_a_password(demo):
    for user in (demo.annotator, demo.researcher, demo.admin):
        assert not user.has_usable_password()
        assert not user.is_staff


# ---- The command ------------------------------------------------------------------------------
def run_command(*arguments: str) -> str:
    out = StringIO()
    call_command("load_demo", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


def test_loading_it_again_changes_nothing_and_says_the_same(demo):
    from apps.jobs.models import Job
    from apps.studies.models import AuditEvent

    before = (AuditEvent.objects.count(), Job.objects.count())
    first, second = run_command(), run_command()
    assert first == second
    assert "of them simulated" in first
    assert (AuditEvent.objects.count(), Job.objects.count()) == before


def test_links_sign_the_three_people_in_once(demo):
    lines = run_command("--links", "http://localhost:8000/").splitlines()
    links = {line.split()[0]: line.split()[1] for line in lines if "/link/" in line}
    assert set(links) == {"annotator", "researcher", "admin"}
    for role, link in links.items():
        client = Client()
        path = link.removeprefix("http://localhost:8000")
        assert client.post(path).status_code == 302
        assert client.session["_auth_user_id"] == str(getattr(demo, role).pk)
        assert Client().post(path).status_code == 410
