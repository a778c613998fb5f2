"""Predictions of a model that was run elsewhere: looked at, then stored once as a run."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.core.management.base import CommandError

from apps.datasets.models import Pair
from apps.imports.predictions import services, work
from apps.inference.models import Model, Prediction, Run
from apps.inference.services import run_start
from apps.jobs.models import Job
from apps.jobs.services import job_cancel
from tests.imports.predictions.conftest import TEXTS, as_csv, as_jsonl, as_parquet

pytestmark = pytest.mark.both

YES, NO = "entailment", "non-entailment"


def all_rows(pairs):
    return [
        {"pair_id": pair.pk, "label": YES if n % 2 else NO, "p_entailment": 0.25 + 0.5 * (n % 2),
         "p_non-entailment": 0.75 - 0.5 * (n % 2)}
        for n, pair in enumerate(pairs)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("write", "name"), [(as_csv, "a.csv"), (as_jsonl, "a.jsonl"), (as_parquet, "a.parquet")]
)
def test_every_format_becomes_the_same_run(pairs, drafted, ada, work, write, name):
    draft = drafted(write(all_rows(pairs)), name)
    assert draft.preview["predictions"] == 4 and draft.preview["pending"] == 0
    assert not Model.objects.exists() and not Prediction.objects.exists()
    services.predictions_commit(draft=draft, actor=ada)
    work()
    run = Run.objects.get()
    said = {p.pair_id: (p.label, p.scores) for p in run.predictions.all()}
    assert said == {
        pair.pk: (YES, {YES: 0.75, NO: 0.25}) if n % 2 else (NO, {YES: 0.25, NO: 0.75})
        for n, pair in enumerate(pairs)
    }
    assert (run.model.name, run.model.kind, run.job.state) == ("Elsewhere 1", "file", "done")
    assert run.fingerprint == draft.preview["fingerprint"] and len(run.fingerprint) == 64
    assert run.job.result == {"rows": 4, "predictions": 4, "pending": 0, "bad": 0}


def test_the_fingerprint_is_of_what_is_said_whatever_the_file(pairs, drafted, dataset, ada, study, add_pair):
    from apps.datasets.services import dataset_create

    rows = all_rows(pairs)
    first = drafted(as_csv(rows)).preview["fingerprint"]
    assert drafted(as_jsonl(rows[::-1]), "b.jsonl").preview["fingerprint"] == first
    by_text = [
        {"premises": list(premises), "hypothesis": hypothesis, **{k: row[k] for k in list(row)[1:]}}
        for (premises, hypothesis), row in zip(TEXTS, rows, strict=True)
    ]
    copy = dataset_create(study=study, actor=ada, name="The same pairs")
    for premises, hypothesis in reversed(TEXTS):
        add_pair(copy, premises, hypothesis)
    assert drafted(as_jsonl(by_text), "c.jsonl", into=copy).preview["fingerprint"] == first
    assert drafted(as_csv(rows), version="2").preview["fingerprint"] != first
    rows[0] |= {"p_entailment": 0.2, "p_non-entailment": 0.8}
    assert drafted(as_csv(rows)).preview["fingerprint"] != first


def test_texts_find_their_pairs_however_they_are_spaced(pairs, drafted, dataset, add_pair):
    content = as_csv(
        [
            {"premise": "Every dog runs.", "hypothesis": "Every black dog runs.", "label": NO},
            {"premise": "A  dog runs.", "hypothesis": " A black dog runs. ", "label": NO},
            {"premise": "No dog runs. Rex is a dog.", "hypothesis": "Rex does not run.", "label": YES},
            {"premise": "Nobody.", "hypothesis": "Somebody.", "label": NO},
        ]
    )
    preview = drafted(content).preview
    assert [preview[how] for how in ("by_id", "by_text", "by_words", "unmatched")] == [0, 1, 2, 1]
    assert preview["errors"] == [
        {"row": 4, "line": 5, "column": "", "message": "no pair of this dataset has these texts"}
    ]
    add_pair(dataset, ["A", "dog runs."], "A black dog runs.")
    preview = drafted(content).preview
    assert (preview["ambiguous"], preview["errors"][0]["row"]) == (1, 2)
    assert "several pairs have these texts" in preview["errors"][0]["message"]


def test_a_partial_run_says_what_is_not_in_the_file(pairs, drafted, ada, work, client_of, study):
    draft = drafted(as_csv(all_rows(pairs)[:3]))
    assert draft.preview["pending"] == 1
    services.predictions_commit(draft=draft, actor=ada)
    work()
    run = Run.objects.get()
    assert run.job.result["pending"] == 1
    client = client_of(ada)
    page = client.get(f"/s/{study.slug}/models/runs/{run.pk}/").content.decode()
    assert "3 of 4 pairs" in page and "Rex is a dog" in page and "not in the file" in page
    rest = client.get(f"/s/{study.slug}/models/pairs/{run.dataset_id}.csv?but={run.pk}")
    lines = b"".join(rest.streaming_content).decode().splitlines()
    assert [line.split(",")[0] for line in lines] == ["pair_id", str(pairs[3].pk)]


def test_the_likeliest_label_counts_where_the_file_has_none(pairs, drafted):
    said = '{"neutral": 0.4, "contradiction": 0.35, "entailment": 0.25}'
    preview = drafted(as_jsonl([{"pair": pairs[0].pk, "probabilities": said}]), "a.jsonl").preview
    assert preview["labels"] == {NO: 1} and preview["contradicting"] == 0


def test_a_label_against_its_probabilities_counts_and_is_said(pairs, drafted, ada, work):
    rows = [
        {"pair_id": pairs[0].pk, "label": YES, "entailment": 0.4, "neutral": 0.35, "contradiction": 0.25},
        {"pair_id": pairs[1].pk, "label": YES, "entailment": 0.2, "neutral": 0.7, "contradiction": 0.1},
        # Neither of the two is likeliest, but what entails nothing is, added up: the label is right.
        {"pair_id": pairs[2].pk, "label": NO, "entailment": 0.4, "neutral": 0.35, "contradiction": 0.25},
    ]  # fmt: skip
    draft = drafted(as_csv(rows))
    assert draft.preview["bad"] == 0 and draft.preview["contradicting"] == 1
    assert draft.preview["warnings"][0]["row"] == 2
    services.predictions_commit(draft=draft, actor=ada)
    work()
    assert Prediction.objects.get(pair=pairs[1]).label == YES


def test_labels_that_nobody_knows_can_be_said(pairs, drafted, ada):
    rows = [{"pair_id": pair.pk, "pred": n % 2} for n, pair in enumerate(pairs)]
    draft = drafted(as_csv(rows))
    assert draft.preview["unknown_labels"] == draft.preview["unreadable"] == draft.preview["bad"] == 4
    assert [one["found"] for one in draft.preview["unknown"]] == ["0", "1"]
    settled = services.predictions_draft_choose(
        draft=draft, actor=ada, options={"values": {"0": YES, "1": "neutral"}}
    )
    assert services.predictions_preview(draft=settled, actor=ada).preview["labels"] == {YES: 2, NO: 2}


def test_gold_labels_of_a_file_are_no_predictions(pairs, drafted):
    rows = [{"pair_id": pairs[0].pk, "label": YES, "prediction": NO}]
    assert drafted(as_csv(rows)).preview["labels"] == {NO: 1}
    assert "no column holds a prediction" in drafted(as_csv([{"pair_id": 1, "gold": YES}])).preview["problem"]


# ---- Once, and nothing overwritten ----------------------------------------------------------------


def commit(draft, ada, work, **options):
    services.predictions_commit(draft=draft, actor=ada, **options)
    work()
    draft.refresh_from_db()
    return draft.run


def test_the_same_predictions_again_are_the_run_that_is_there(pairs, drafted, ada, work):
    rows = all_rows(pairs)
    first = drafted(as_csv(rows))
    run = commit(first, ada, work)
    assert services.predictions_commit(draft=first, actor=ada) is None
    assert commit(drafted(as_jsonl(rows), "again.jsonl"), ada, work) == run
    assert Run.objects.count() == Model.objects.count() == 1 and Prediction.objects.count() == 4


def test_another_file_is_another_version(pairs, drafted, ada, work, make_other):
    run = commit(drafted(as_csv(all_rows(pairs))), ada, work)
    other = as_csv(
        [row | {"label": YES, "p_entailment": 1, "p_non-entailment": 0} for row in all_rows(pairs)]
    )
    with pytest.raises(ValidationError, match="give this file a version of its own"):
        services.predictions_commit(draft=drafted(other), actor=ada)
    second = commit(drafted(other, version="2"), ada, work)
    assert second.model != run.model and {m.name for m in Model.objects.all()} == {
        "Elsewhere 1",
        "Elsewhere 2",
    }
    assert run.predictions.filter(label=YES).count() == 2
    elsewhere = commit(drafted(as_csv([{"pair_id": make_other.pk, "label": YES}]), into=make_other.dataset),
                       ada, work)  # fmt: skip
    assert elsewhere.model == run.model and elsewhere.fingerprint != run.fingerprint


@pytest.fixture
def make_other(study, ada, add_pair):
    from apps.datasets.services import dataset_create

    return add_pair(dataset_create(study=study, actor=ada, name="Another"), ["It rains."], "It is wet.")


def test_a_model_that_runs_here_keeps_its_name(pairs, drafted, ada, study):
    from apps.inference.services import model_register_overlap

    model_register_overlap(study=study, actor=ada, name="Elsewhere 1", threshold=0.5)
    with pytest.raises(ValidationError, match="another model of that name"):
        services.predictions_commit(draft=drafted(as_csv(all_rows(pairs))), actor=ada)


def test_a_model_of_a_file_cannot_be_run_here(pairs, drafted, ada, work, dataset):
    run = commit(drafted(as_csv(all_rows(pairs))), ada, work)
    with pytest.raises(ValidationError, match="was run elsewhere"):
        run_start(model=run.model, dataset=dataset, actor=ada)


def test_a_pair_that_went_since_the_preview_stores_nothing(pairs, drafted, ada, work):
    draft = drafted(as_csv(all_rows(pairs)))
    Pair.objects.get(pk=pairs[0].pk).delete()
    services.predictions_commit(draft=draft, actor=ada)
    work()
    draft.refresh_from_db()
    assert "changed since the preview" in Job.objects.latest("pk").error
    assert not Run.objects.exists() and not Prediction.objects.exists() and draft.started_at is None


def test_a_cancelled_import_is_taken_back_and_can_be_committed_again(pairs, drafted, ada, work):
    draft = drafted(as_csv(all_rows(pairs)))
    job = services.predictions_commit(draft=draft, actor=ada)
    assert services.predictions_commit(draft=draft, actor=ada) == job
    job_cancel(job=job, actor=ada)
    assert not Run.objects.exists()
    assert commit(draft, ada, work).predictions.count() == 4


def test_a_worker_that_died_goes_on_at_its_row(pairs, drafted, ada, monkeypatch):
    from apps.imports.predictions import matching
    from apps.jobs.runner import run as run_job

    monkeypatch.setattr(matching, "BATCH", 1)
    monkeypatch.setattr(work, "SECONDS_A_CHUNK", 0)
    monkeypatch.setattr(work.time, "monotonic", iter(range(1000)).__next__)
    stored = services.predictions_store
    calls = []

    def dies(**args):
        calls.append(1)
        if len(calls) == 3:
            raise SystemExit("killed")
        stored(**args)

    monkeypatch.setattr(work, "SECONDS_A_CHUNK", 1.5)  # a batch a chunk
    draft = drafted(as_csv(all_rows(pairs)))
    job = services.predictions_commit(draft=draft, actor=ada)
    monkeypatch.setattr(services, "predictions_store", dies)
    with pytest.raises(SystemExit):
        run_job(job.pk)
    assert Prediction.objects.count() == 2
    Job.objects.update(heartbeat_at=None)
    monkeypatch.setattr(services, "predictions_store", stored)
    run_job(job.pk)
    assert Prediction.objects.count() == 4 and Job.objects.get(pk=job.pk).state == "done"


# ---- Bad rows -------------------------------------------------------------------------------------


def test_bad_rows_refuse_the_file_or_are_left_out(pairs, drafted, ada, work):
    rows = [*all_rows(pairs)[:2], all_rows(pairs)[0] | {"label": YES}]
    with pytest.raises(ValidationError, match="1 rows are bad"):
        services.predictions_commit(draft=drafted(as_csv(rows)), actor=ada)
    run = commit(drafted(as_csv(rows)), ada, work, skip_bad=True)
    assert run.predictions.count() == 2 and run.predictions.get(pair=pairs[0]).label == NO


def test_the_command_does_it_in_one_go(pairs, dataset, study, saved, capsys):
    path = saved(as_csv(all_rows(pairs)[:3]), "said.csv")
    call_command("predictions_import", study.slug, str(path), "--dataset", dataset.name, "--model", "Cmd")
    out = capsys.readouterr().out
    assert "Cmd 1: 3 of 4 pairs predicted (3 by number, 0 by texts), 1 pending (not in the file)" in out
    assert Run.objects.get().predictions.count() == 3
    bad = saved(as_csv([{"pair_id": pairs[0].pk, "label": "0"}]), "bad.csv")
    with pytest.raises(CommandError, match=r"row 1 \(line 2\), label.*\n.*--value 0=LABEL"):
        call_command("predictions_import", study.slug, str(bad), "--dataset", dataset.name, "--model", "Cmd")
    assert Run.objects.count() == 1


# ---- There and back -------------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["csv", "jsonl"])
def test_pairs_go_out_and_their_predictions_come_back(
    pairs, dataset, drafted, ada, work, client_of, study, format
):
    import csv
    import io
    import json

    answer = client_of(ada).get(f"/s/{study.slug}/models/pairs/{dataset.pk}.{format}")
    text = b"".join(answer.streaming_content).decode()
    reader = csv.DictReader(io.StringIO(text, newline=""))
    rows = list(reader) if format == "csv" else list(map(json.loads, text.splitlines()))
    assert [int(row["pair_id"]) for row in rows] == [pair.pk for pair in pairs]
    assert rows[2]["premise"] == "No dog runs. Rex is a dog."
    said = [row | {"prediction": YES if "not" in row["hypothesis"] else NO} for row in rows]
    draft = drafted(as_csv(said) if format == "csv" else as_jsonl(said), f"back.{format}")
    assert draft.preview["by_id"] == 4 and draft.preview["bad"] == 0
    run = commit(draft, ada, work)
    assert [p.label for p in run.predictions.order_by("pair")] == [NO, NO, YES, NO]
