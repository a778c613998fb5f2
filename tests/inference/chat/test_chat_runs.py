"""A run of a chat model, over real HTTP: what it is asked, what its answers come to, what goes wrong."""

import json
import logging
from datetime import timedelta
from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from apps.inference.chat.spending import spent_by
from apps.inference.models import ChatAnswer, Prediction
from apps.jobs.models import Job
from tests.inference.chat.server import KEY, Reply, completion, error
from workers.runtimes import chat, chat_server

YES = {"yes": 0.9, "no": 0.1}


def labels_of(run):
    """The labels that the run has, in the order of the pairs; a dash where there is none."""
    said = dict(Prediction.objects.filter(run=run).values_list("pair", "label"))
    return [said.get(pair.pk, "–")[:3] for pair in run.dataset.pairs.order_by("pk")]


def reasons_of(job):
    return [failure.message for failure in job.failures.all()]


# ---- Good answers -------------------------------------------------------------------------------


def test_each_pair_is_asked_once_with_the_prompt_and_the_options(server, register, start, go):
    server.says = lambda hypothesis: "yes" if "Every" in hypothesis else "no"
    run = start(register())
    job = go(run)
    assert (job.state, job.done, job.failed) == ("done", 5, 0)
    assert labels_of(run) == ["ent", "ent", "non", "non", "non"]
    assert sorted(server.hypotheses) == sorted(pair.hypothesis for pair in run.dataset.pairs.all())
    body = next(body for body in server.asked if "Every black" in body["messages"][-1]["content"])
    assert {key: body[key] for key in ("model", "temperature", "max_tokens", "logprobs", "top_logprobs")} == {
        "model": "tiny", "temperature": 0, "max_tokens": 64, "logprobs": True, "top_logprobs": 20,
    }  # fmt: skip
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert body["messages"][0]["content"].endswith("Answer with one word: yes or no.")
    assert set(server.keys) == {KEY}


def test_probabilities_of_the_labels_token_are_the_scores(server, register, start, go):
    server.says = lambda hypothesis: completion(
        " Yes.", probabilities=[(" Yes", {" Yes": 0.5, "yes": 0.1, "No": 0.2, "The": 0.2}), (".", {".": 1.0})]
    )
    run = start(register())
    go(run)
    assert run.predictions.first().scores == {"entailment": 0.75, "non-entailment": 0.25}


def test_without_probabilities_only_the_said_label_has_a_score(server, register, start, go):
    server.says = lambda hypothesis: completion("no", probabilities=None)
    run = start(register())
    go(run)
    assert run.predictions.first().scores == {"non-entailment": 1.0}
    assert not ChatAnswer.objects.filter(has_probabilities=True).exists()


def test_a_server_that_knows_no_probabilities_is_asked_without(server, register, start, go):
    refusal = error(400, "logprobs is not supported by this model")
    server.refuses = lambda body: refusal if "logprobs" in body else None
    run = start(register())
    assert go(run).state == "done"
    assert labels_of(run) == ["ent"] * 5
    assert "logprobs" not in server.asked[-1]


def test_a_server_that_calls_the_limit_otherwise_is_asked_so(server, register, start, go):
    refusal = error(400, "Unsupported parameter: use 'max_completion_tokens' instead.")
    server.refuses = lambda body: refusal if "max_tokens" in body else None
    run = start(register())
    assert go(run).state == "done"
    assert server.asked[-1]["max_completion_tokens"] == 64


def test_three_labels_in_json_go_to_the_datasets_labels(server, register, start, go, make_dataset):
    server.says = lambda hypothesis: 'Here it is:\n```json\n{"answer": "contradiction"}\n```'
    model = register(template="three-way-1", form="json")
    two, three = (start(model, make_dataset(name, labels)) for name, labels in (
        ("two", None), ("three", ["entailment", "non-entailment", "contradiction"])
    ))  # fmt: skip
    go(two), go(three)
    assert labels_of(two) == ["non"] * 5
    assert labels_of(three) == ["con"] * 5
    assert len(server.asked) == 5  # the second took them from the first


# ---- Answers that are no label ------------------------------------------------------------------


def test_refusals_and_unreadable_answers_are_pending_with_their_words(server, register, start, go):
    answers = iter(
        [
            completion(None, refusal="I can't help with dogs."),
            "I'm sorry, but I cannot answer that.",
            "Maybe. " + "x" * 300,
            completion("Let me think about", finish="length"),
            "no",
        ]
    )
    server.says = lambda hypothesis: next(answers)
    run = start(register())
    job = go(run)
    assert (job.state, job.done, job.failed) == ("done", 5, 4)
    assert sum(label != "–" for label in labels_of(run)) == 1
    assert sorted(reasons_of(job)) == [
        "Cut off before a label: Let me think about",
        "No label in the answer: Maybe. " + "x" * 193,
        "Refused: I can't help with dogs.",
        "Refused: I'm sorry, but I cannot answer that.",
    ]
    assert ChatAnswer.objects.filter(problem="refused").count() == 2


# ---- Servers in trouble -------------------------------------------------------------------------


def test_who_asks_for_patience_gets_it(server, register, start, go):
    server.script = [error(429, "slow down", Retry_After="0.3"), error(503, "busy", Retry_After="0.1")]
    run = start(register())
    began = timezone.now()
    assert go(run).state == "done"
    assert timezone.now() - began >= timedelta(seconds=0.3)
    assert labels_of(run) == ["ent"] * 5


def test_a_server_that_wants_a_long_pause_is_left_alone(server, register, start, go):
    server.says = lambda hypothesis: error(429, "come back later", Retry_After="600")
    run = start(register())
    assert go(run).state == "queued"
    asked = len(server.asked)
    assert asked <= chat.AT_ONCE
    job = go(run)
    assert job.state == "queued" and "asks for a pause" in job.error
    assert len(server.asked) == asked


def test_errors_of_the_server_pass(server, register, start, go):
    server.script = [Reply(500, b"oh"), Reply(502, b"<html>"), error(500, "again")]
    run = start(register())
    assert go(run).state == "done"
    assert labels_of(run) == ["ent"] * 5
    assert len(server.asked) == 8


@pytest.mark.parametrize(
    "rubbish",
    [
        Reply(200, b"<html>hello</html>", Content_Type="text/html"),
        Reply(200, b"{"),
        Reply(200, {"choices": []}),
        Reply(200, []),
        Reply(200, {"choices": [{"message": None}]}),
        Reply(200, b"\x1f\x8b", Content_Encoding="gzip"),
    ],
)  # fmt: skip
def test_rubbish_delays_the_run_and_loses_nothing(server, register, start, go, rubbish):
    server.says = lambda hypothesis: rubbish
    run = start(register())
    job = go(run)
    assert job.state == "queued" and "does not answer" in job.error
    assert not ChatAnswer.objects.exists()
    server.says = lambda hypothesis: "no"
    assert go(run).state == "done"
    assert labels_of(run) == ["non"] * 5


def test_a_pair_that_alone_gets_no_answer_is_left_out_with_the_reason(server, register, start, go):
    server.says = lambda hypothesis: Reply(200, b"so so") if "Every dog" in hypothesis else "yes"
    run = start(register())
    job = go(run)
    assert (job.state, job.failed) == ("done", 1)
    assert labels_of(run) == ["ent", "–", "ent", "ent", "ent"]
    assert "no answer of a chat model: " in reasons_of(job)[0]


def test_a_slow_server_is_not_waited_for(server, register, start, go, monkeypatch):
    monkeypatch.setattr(chat_server, "ATTEMPTS", 1)
    monkeypatch.setattr(chat, "ATTEMPTS", 1)
    server.says = lambda hypothesis: Reply(200, completion("yes"), pause=1.3)
    run = start(register(seconds=1))
    job = go(run)
    assert job.state == "queued" and "no answer within 1 seconds" in job.error


def test_a_server_that_is_gone_delays_the_run_until_patience_ends(server, register, start, go, monkeypatch):
    model = register()
    model.config["server"] = "http://127.0.0.1:9/v1"
    model.save()
    run = start(model)
    job = go(run)
    assert job.state == "queued"
    assert "can't be reached" in job.error and "refused" in job.error
    monkeypatch.setattr(chat, "PATIENCE", timedelta(0))
    job = go(run)
    assert (job.state, job.done, job.failed) == ("done", 5, 5)
    assert labels_of(run) == ["–"] * 5
    assert "can't be reached" in reasons_of(job)[0]


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (error(401, f"Wrong key provided: {KEY}."), "refuses the key (401): Wrong key provided: •••."),
        (error(403, "not for you"), "refuses the key (403)"),
        (error(404, "no model tiny"), "no such model or address (404): no model tiny"),
        (error(429, "You exceeded your quota", code="insufficient_quota"), "no credit left"),
        (Reply(307, b"", Location="http://169.254.169.254/latest/meta-data/"), "sends us elsewhere (307)"),
    ],
)  # fmt: skip
def test_what_cannot_work_ends_the_run_at_once(server, register, start, go, reply, said):
    server.says = lambda hypothesis: reply
    job = go(start(register()))
    assert job.state == "failed"
    assert said in job.error
    assert len(server.asked) <= chat.AT_ONCE


def test_requests_that_are_all_refused_as_such_end_the_run(server, register, start, go):
    server.says = lambda hypothesis: error(400, "temperature does not support 0")
    job = go(start(register()))
    assert job.state == "failed" and "temperature does not support 0" in job.error


def test_a_pair_that_the_server_does_not_take_is_left_out(server, register, start, go):
    server.says = lambda hypothesis: error(400, "filtered") if "Every dog" in hypothesis else "yes"
    run = start(register())
    job = go(run)
    assert (job.state, labels_of(run)) == ("done", ["ent", "–", "ent", "ent", "ent"])
    assert reasons_of(job) == ["Not taken: the server does not take this request (400): filtered"]


def test_a_server_taken_off_the_list_is_not_spoken_to(server, register, start, go, settings):
    run = start(register())
    settings.OUTBOUND_HOSTS = []
    job = go(run)
    assert job.state == "failed" and "may not speak to 127.0.0.1" in job.error
    assert server.asked == []


# ---- Nothing is paid for twice ------------------------------------------------------------------


def test_another_dataset_asks_for_nothing_that_is_known(server, register, start, go, make_dataset):
    model = register()
    go(start(model))
    other = start(model, make_dataset("the same pairs again"))
    assert go(other).state == "done"
    assert labels_of(other) == ["ent"] * 5
    assert len(server.asked) == 5


def test_going_on_asks_for_what_had_no_answer_and_pays_for_no_refusal_twice(server, register, start, go):
    says = {"Every black dog runs.": "I'm sorry.", "Every dog runs.": Reply(200, b"so so")}
    server.says = lambda hypothesis: says.get(hypothesis, "yes")
    model = register()
    run = start(model)
    assert go(run).failed == 2
    asked = len(server.asked)
    server.says = lambda hypothesis: "yes"
    again = start(model)
    assert again == run
    job = go(again)
    assert (job.state, job.failed) == ("done", 1)
    assert server.hypotheses[asked:] == ["Every dog runs."]
    assert labels_of(run) == ["–", "ent", "ent", "ent", "ent"]


def test_another_prompt_is_another_model_that_is_asked_anew(server, register, start, go):
    go(start(register()))
    go(start(register("json", form="json")))
    assert len(server.asked) == 10


def test_another_study_asks_for_itself(server, register, start, go, olaf):
    from apps.datasets.services import dataset_create, pair_get_or_create
    from apps.inference.chat.registration import model_register_chat
    from apps.inference.services import run_start
    from apps.studies.models import Study

    run = start(register())
    go(run)
    theirs = Study.objects.get(created_by=olaf)
    dataset = dataset_create(study=theirs, actor=olaf, name="d")
    pair_get_or_create(
        dataset=dataset,
        premises=[("Every dog runs.", None)],
        hypothesis="Every black dog runs.",
        origin="import",
    )  # fmt: skip
    model = model_register_chat(
        study=theirs, actor=olaf, name="m", server=server.address, server_model="tiny", template="two-way-1",
        key="lab",
    )  # fmt: skip
    assert model.fingerprint == run.model.fingerprint
    go(run_start(model=model, dataset=dataset, actor=olaf))
    assert len(server.asked) == 6


def test_a_worker_killed_in_the_middle_has_paid_for_what_had_come(server, register, start, go, monkeypatch):
    """What dies here is the process in the middle of a chunk, before anything of the chunk is stored."""
    run = start(register())
    kept = chat._Asking._keep
    monkeypatch.setattr(chat, "AT_ONCE", 1)

    def keep_and_die(self, key, answered):
        made = kept(self, key, answered)
        if ChatAnswer.objects.count() == 3:
            raise SystemExit("killed")
        return made

    monkeypatch.setattr(chat._Asking, "_keep", keep_and_die)
    with pytest.raises(SystemExit):
        go(run)
    assert not Prediction.objects.exists() and len(server.asked) == 3
    monkeypatch.setattr(chat._Asking, "_keep", kept)
    Job.objects.filter(pk=run.job_id).update(heartbeat_at=timezone.now() - timedelta(hours=1))
    assert go(run).state == "done"
    assert len(server.asked) == len(set(server.hypotheses)) == 5
    assert labels_of(run) == ["ent"] * 5


def test_several_are_asked_at_once_and_never_too_many(server, register, start, go, make_dataset):
    rows = [(f"Dog {n} runs.", f"Dog {n} moves.", "", "", "") for n in range(40)]
    server.says = lambda hypothesis: Reply(200, completion("yes"), pause=0.02)
    job = go(start(register(), make_dataset("forty", rows=rows)))
    assert (job.state, job.done) == ("done", 40)
    assert 2 <= server.most_at_once <= chat.AT_ONCE


# ---- Budgets ------------------------------------------------------------------------------------


def test_a_budget_of_tokens_ends_the_run_and_more_of_it_lets_it_go_on(server, register, start, go, ada):
    from apps.inference.chat.budgets import budget_set

    run = start(register(), tokens=560)
    job = go(run)
    assert job.state == "failed"
    assert "The budget of 560 tokens does not reach" in job.error
    predicted = run.predictions.count()
    assert 1 <= predicted < 5
    assert spent_by(run.pk, _config(run)).tokens == 101 * predicted <= 560
    budget_set(run=run, actor=ada, tokens=10_000, cost=None)
    assert go(run).state == "done"
    assert labels_of(run) == ["ent"] * 5
    assert len(server.asked) == 5


def test_a_budget_of_money_counts_by_the_models_prices(server, register, start, go):
    run = start(register(price_in=Decimal(2), price_out=Decimal(10), cost=Decimal("0.0015")))
    job = go(run)
    assert job.state == "failed" and "The budget of 0.0015 does not reach" in job.error
    spent = spent_by(run.pk, _config(run))
    assert spent.cost == spent.answers * Decimal("0.00021")
    assert 0 < spent.cost <= Decimal("0.0015")


def test_a_server_that_counts_no_tokens_has_them_estimated(server, register, start, go):
    server.says = lambda hypothesis: completion("yes", usage=None)
    run = start(register())
    go(run)
    spent = spent_by(run.pk, _config(run))
    assert spent.estimated == 5 and 5 * 50 < spent.tokens < 5 * 1000


def test_money_without_prices_and_budgets_of_other_models_are_refused(server, register, start, study):
    from apps.inference.services import model_register_overlap

    with pytest.raises(ValidationError, match="needs the model's prices"):
        start(register(), cost=1)
    with pytest.raises(ValidationError, match="Only a run of a chat model"):
        start(model_register_overlap(study=study, actor=None, name="o", threshold=1), tokens=5)


def _config(run):
    from apps.inference.chat.configs import ChatConfig

    return ChatConfig.read(run.model.config)


# ---- The key ------------------------------------------------------------------------------------


def test_the_key_is_in_no_log_no_row_and_no_answer(server, register, start, go, caplog, rosa, client_of):
    from django.apps import apps

    caplog.set_level(logging.DEBUG)
    server.script = [completion(f"My key is {KEY}"), Reply(500, f"{KEY}".encode())]
    run = start(register())
    go(run)
    server.says = lambda hypothesis: error(401, f"Wrong key {KEY}")
    go(start(register("other", max_tokens=9)))
    assert KEY in server.keys
    assert KEY not in caplog.text
    for model in apps.get_models():
        for row in model._default_manager.values():
            assert KEY not in str(row), model
    client = client_of(rosa)
    for address in ("models", "runs", "predictions", "jobs"):
        answer = client.get(f"/api/v1/{address}/").content.decode()
        assert "results" in answer and KEY not in answer


def test_a_key_that_the_host_took_away_delays_the_run(server, register, start, go, settings):
    run = start(register())
    settings.CHAT_KEYS = []
    job = go(run)
    assert job.state == "queued" and "no key “lab”" in job.error
    assert server.asked == []


# ---- Examples -----------------------------------------------------------------------------------


def test_pairs_that_are_examples_in_the_prompt_are_left_out(server, register, start, go, dataset):
    model = register(shots=2, dataset=dataset, seed=3)
    shots = {shot["hypothesis"] for shot in model.config["shots"]}
    run = start(model)
    job = go(run)
    assert (job.state, job.failed) == ("done", 2)
    assert set(server.hypotheses) == set(dataset.pairs.values_list("hypothesis", flat=True)) - shots
    assert all("example in the prompt" in reason for reason in reasons_of(job))
    roles = [message["role"] for message in server.asked[0]["messages"]]
    assert roles == ["system", "user", "assistant", "user", "assistant", "user"]
    assert json.dumps(server.asked[0]["messages"]).count("Hypothesis: ") == 3
