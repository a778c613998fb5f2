"""All of a file is stored, or nothing: what is not whole is seen by nobody, and is taken back."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from django.urls import reverse

from apps.campaigns.models import Assignment, Campaign, Item, Judgement, JudgementRevision
from apps.datasets.models import Dataset, GoldLabel, Pair, Premise, Profile, Tag
from apps.datasets.services import dataset_create, pair_get_or_create
from apps.imports import background, drafts, services, uploads
from apps.imports.background import StoreFile
from apps.imports.models import PairDraft, WaitingRow
from apps.jobs.models import Job
from apps.jobs.runner import run
from apps.jobs.services import job_cancel, job_retry
from apps.studies.models import Participant, Study
from apps.studies.soundness import faults

pytestmark = [pytest.mark.django_db, pytest.mark.both]

MADE = (Pair, Premise, Tag, GoldLabel, Profile, Campaign, Item, Assignment, Judgement, JudgementRevision)


def line(n: int, *answers: str, label: str = "neutral", premise: str = "No dog {n} ran.") -> str:
    pair = {"sentence1": premise.format(n=n), "sentence2": f"No small dog {n} ran.", "gold_label": label}
    genre = "crowd:downward_monotone:npi"
    return json.dumps({**pair, "genre": genre, "annotator_labels": list(answers)}) + "\n"


def lines(count: int, start: int = 0, answers: tuple[str, ...] = ("neutral", "entailment")) -> str:
    return "".join(line(n, *answers) for n in range(start, start + count))


@pytest.fixture
def small_chunks(monkeypatch):
    monkeypatch.setattr(drafts, "ROWS_A_REQUEST", 2)
    monkeypatch.setattr(background, "ROWS_A_CHUNK", 4)


@pytest.fixture
def storing(drafted, ada, small_chunks) -> Callable[..., Job]:
    """A file whose storing was begun; the job waits."""

    def begin(content: str, name: str = "snli.jsonl", **options) -> Job:
        job = services.draft_commit(draft=drafted(content, name), actor=ada, **options)
        assert job is not None
        return job

    return begin


@pytest.fixture
def stopping(monkeypatch) -> Callable[..., None]:
    """Run a job up to a row, and do something before the next chunk."""

    def run_to(job: Job, row: int, do: Callable[[], None]) -> None:
        class Stopped(StoreFile):
            def work(self, held: Job):
                if held.cursor == row:
                    do()
                return super().work(held)

        with monkeypatch.context() as patch:
            patch.setattr("apps.jobs.runner.kind_named", lambda name: Stopped())
            run(job.pk)

    return run_to


def counts() -> dict[str, int]:
    return {model.__name__: model.objects.count() for model in MADE}


def is_sound() -> bool:
    return not list(faults())


# ---- Whole ---------------------------------------------------------------------------------------
def test_nothing_is_in_the_study_before_all_of_it_is(storing, stopping, study):
    seen = []

    def look() -> None:
        seen.append(Pair.objects.count())
        for model in (Dataset, Campaign, Participant):
            assert not model.objects.filter(study=study).exists()
        assert is_sound()

    job = storing(lines(11))
    stopping(job, 8, look)
    job.refresh_from_db()
    assert (job.state, seen) == ("done", [8])
    assert Dataset.objects.get(study=study).pairs.count() == 11
    assert Campaign.objects.get(study=study).items.count() == 11
    assert list(Study.objects.all()) == [study]
    assert is_sound()


def test_the_hidden_study_is_on_nobody_s_list(storing, stopping, client_of, ada, study):
    client = client_of(ada)

    def look() -> None:
        hidden = Study.objects.get(hidden=True)
        assert hidden.slug not in client.get("/").content.decode()
        pages = {one: client.get(reverse("datasets:list", args=[one.slug])) for one in (study, hidden)}
        assert [page.status_code for page in pages.values()] == [200, 404]
        listed = client.get("/api/v1/studies/").content.decode()
        assert study.slug in listed and hidden.slug not in listed

    stopping(storing(lines(6)), 4, look)


def test_stored_at_once_and_by_a_job_is_the_same(drafted, storing, work, ada, monkeypatch):
    def of(name: str) -> list:
        pairs = Dataset.objects.get(name=name).pairs.order_by("pk")
        return [
            (
                pair.hypothesis, pair.digest, pair.origin, pair.direction, pair.genre, pair.source,
                pair.facts, pair.profile.words,
                list(pair.premises.values_list("position", "text")),
                list(pair.tags.values_list("name", "source")),
                list(pair.gold_labels.values_list("source", "label")),
                list(pair.items.values_list("position", "counted", "wanted", "is_complete")),
                list(pair.items.get().judgements.order_by("pk").values_list("answer", "rating", "seconds")),
            )
            for pair in pairs
        ]  # fmt: skip

    content = lines(9) + line(3, "contradiction", label="entailment") + lines(2, 20)
    with monkeypatch.context() as patch:
        patch.setattr(drafts, "ROWS_A_REQUEST", 100)
        assert services.draft_commit(draft=drafted(content, "a.jsonl", dataset="At once"), actor=ada) is None
    services.draft_commit(draft=drafted(content, "a.jsonl", dataset="By a job"), actor=ada)
    work()
    assert of("At once") == of("By a job")
    first, second = PairDraft.objects.order_by("pk").values_list("result", flat=True)
    assert first == second and first["conflicts"] == [10]


# ---- Into a dataset that is there ----------------------------------------------------------------
def test_a_longer_file_adds_what_is_new(storing, work, study):
    for content in (lines(5), lines(9)):
        storing(content)
        work()
    dataset = Dataset.objects.get(study=study)
    campaign = Campaign.objects.get(study=study)
    assert (dataset.pairs.count(), Judgement.objects.count(), Participant.objects.count()) == (9, 18, 2)
    assert sorted(campaign.items.values_list("position", flat=True)) == list(range(1, 10))
    assert PairDraft.objects.latest("pk").result["known"] == 5
    assert is_sound()


def test_rows_of_pairs_that_are_there_show_only_when_all_are_in(storing, stopping, work, study, ada):
    dataset = dataset_create(study=study, actor=ada, name="In")
    pair = pair_get_or_create(
        dataset=dataset, premises=[("No dog 0 ran.", None)], hypothesis="No small dog 0 ran.", origin="crowd"
    )

    def look() -> None:
        assert WaitingRow.objects.count() == 1
        assert not pair.gold_labels.exists() and not pair.items.exists()

    job = storing(lines(7))
    stopping(job, 4, look)
    assert pair.gold_labels.get().label == "non-entailment"
    assert pair.items.get().judgements.count() == 2
    assert PairDraft.objects.get().result == {
        "rows": 7, "new": 6, "known": 1, "gold": 7, "judgements": 14, "conflict_count": 0, "conflicts": [],
        "skipped": 0, "left": 0,
    }  # fmt: skip
    assert not WaitingRow.objects.exists() and is_sound()


def test_the_same_file_twice_leaves_no_row_waiting(storing, stopping, work):
    storing(lines(7))
    work()
    before = counts()
    waiting = []
    stopping(storing(lines(7)), 4, lambda: waiting.append(WaitingRow.objects.count()))
    assert (counts(), waiting) == (before, [0])


def test_another_label_than_a_pair_has_is_listed_by_its_line(storing, work):
    storing(lines(6))
    work()
    storing(lines(3) + line(3, label="entailment") + lines(3, 4))
    work()
    result = PairDraft.objects.latest("pk").result
    assert (result["conflict_count"], result["conflicts"], result["gold"]) == (1, [4], 1)


def test_a_pair_that_somebody_writes_in_the_meantime_stays_theirs(storing, stopping, study, ada):
    dataset = dataset_create(study=study, actor=ada, name="In")

    def write() -> None:
        pair_get_or_create(
            dataset=dataset,
            premises=[("No dog 2 ran.", None)],
            hypothesis="No small dog 2 ran.",
            origin="crowd",
        )

    job = storing(lines(7))
    stopping(job, 4, write)
    job.refresh_from_db()
    assert job.state == "done", job.error
    theirs = dataset.pairs.get(origin="crowd")
    assert (theirs.gold_labels.count(), theirs.items.get().judgements.count()) == (1, 2)
    result = PairDraft.objects.get().result
    assert {name: result[name] for name in ("rows", "new", "known", "gold", "judgements")} == {
        "rows": 7, "new": 6, "known": 1, "gold": 7, "judgements": 14,
    }  # fmt: skip
    assert dataset.pairs.count() == 7 and is_sound()


def test_a_twin_finds_its_original_in_the_dataset_and_in_the_file(storing, work, study):
    def row(premise: str, hypothesis: str, origin: str = "import") -> str:
        return (
            json.dumps(
                {
                    "premises": [premise],
                    "hypothesis": hypothesis,
                    "gold_label": "entailment",
                    "origin": origin,
                }
            )
            + "\n"
        )

    storing(row("A.", "B.") + row("C.", "D.") + row("E.", "F."), "one.jsonl")
    work()
    twins = row("B.", "A.", "swap") + row("H.", "G.", "swap") + row("G.", "H.")
    storing(twins + row("I.", "J.") + row("K.", "L."), "two.jsonl")
    work()
    joined = Pair.objects.filter(origin="swap").values_list("hypothesis", "swapped_from__hypothesis")
    assert sorted(joined) == [("A.", "B."), ("G.", "H.")]


# ---- Not whole -----------------------------------------------------------------------------------
def test_what_is_cancelled_half_way_is_taken_back(storing, stopping, work, ada, study):
    before = counts()
    job = storing(lines(11))
    stopping(job, 8, lambda: job_cancel(job=job, actor=ada))
    job.refresh_from_db()
    draft = PairDraft.objects.get()
    assert (job.state, draft.started_at, draft.held_in, draft.result) == ("cancelled", None, None, {})
    assert not Dataset.objects.filter(study=study).exists()
    work()
    assert counts() == before
    assert (Dataset.objects.count(), Participant.objects.count(), list(Study.objects.all())) == (
        0,
        0,
        [study],
    )


def test_a_dataset_that_was_there_is_as_it_was(storing, stopping, work, ada):
    storing(lines(5))
    work()
    before = counts()
    job = storing(lines(5, answers=("entailment",)) + lines(9, 5), "other.jsonl")
    stopping(job, 8, lambda: job_cancel(job=job, actor=ada))
    work()
    assert counts() == before and not WaitingRow.objects.exists()


def test_a_file_that_breaks_off_is_taken_back(storing, work, monkeypatch):
    job = storing(lines(11))
    monkeypatch.setattr(drafts, "path_of", lambda draft: uploads.folder() / "gone")
    run(job.pk)
    job.refresh_from_db()
    assert job.state == "failed" and PairDraft.objects.get().started_at is None
    work()
    assert not Pair.objects.exists()


def test_a_killed_worker_s_half_is_gone_on_with_or_taken_back(storing, stopping, work, ada):
    """A process that is killed leaves the job running, silent."""
    job = storing(lines(11))

    def die() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopping(job, 8, die)
    assert Pair.objects.count() == 8
    Job.objects.filter(pk=job.pk).update(heartbeat_at=None)
    job_cancel(job=job, actor=ada)
    work()
    assert not Pair.objects.exists()
    job_retry(job=job, actor=ada)
    work()
    assert Pair.objects.count() == 11


def test_after_a_cancelled_job_the_file_can_be_stored_again_or_thrown_away(storing, stopping, work, ada):
    job = storing(lines(6))
    stopping(job, 4, lambda: job_cancel(job=job, actor=ada))
    again = services.draft_commit(draft=PairDraft.objects.get(), actor=ada)
    assert again is not None and again != job
    work()
    assert Dataset.objects.get().pairs.count() == 6
    job_retry(job=job, actor=ada)
    work()
    job.refresh_from_db()
    assert (job.state, job.error) == ("failed", "This file is stored already.")
    assert Dataset.objects.get().pairs.count() == 6 and PairDraft.objects.get().committed_at


def test_taking_back_is_gone_on_with_after_a_kill(storing, stopping, work, ada, monkeypatch):
    job = storing(lines(11))
    stopping(job, 8, lambda: job_cancel(job=job, actor=ada))
    taking = Job.objects.get(kind=drafts.TAKE_BACK_KIND)
    plain = background.TakeBack.store

    def dying(self, held, chunk):
        if held.cursor:
            raise KeyboardInterrupt
        plain(self, held, chunk)

    with monkeypatch.context() as patch:
        patch.setattr(background.TakeBack, "store", dying)
        with pytest.raises(KeyboardInterrupt):
            run(taking.pk)
    assert Pair.objects.count() == 4
    Job.objects.filter(pk=taking.pk).update(heartbeat_at=None)
    run(taking.pk)
    assert not Pair.objects.exists() and not Study.objects.filter(hidden=True).exists()
